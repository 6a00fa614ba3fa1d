"""Countries by region: names in several languages, and ISO codes of two and three letters.

Regions follow the United Nations' geographical scheme. Countries are separated by semicolons, spellings by bars.
"""

from __future__ import annotations

from collections.abc import Mapping

REGIONS: Mapping[str, str] = {
    "Western Europe": (
        "DE|DEU|Germany|Deutschland|Allemagne|Alemania|Germania|Duitsland; FR|FRA|France|Frankreich|Francia|"
        "Frankrijk; AT|AUT|Austria|Österreich|Autriche|Oostenrijk; CH|CHE|Switzerland|Schweiz|Suisse|Suiza|"
        "Svizzera|Zwitserland; BE|BEL|Belgium|Belgien|Belgique|Bélgica|Belgio|België; NL|NLD|Netherlands|The "
        "Netherlands|Niederlande|Pays-Bas|Países Bajos|Paesi Bassi|Nederland|Holand-Netherlands|Holland; LU|LUX|"
        "Luxembourg|Luxemburg; LI|LIE|Liechtenstein; MC|MCO|Monaco"
    ),
    "Northern Europe": (
        "GB|GBR|UK|United Kingdom|Great Britain|England|Scotland|Wales|Großbritannien|Royaume-Uni|Reino Unido|"
        "Regno Unito; IE|IRL|Ireland|Irland|Irlande|Irlanda|Ierland; DK|DNK|Denmark|Dänemark|Danemark|Dinamarca; "
        "SE|SWE|Sweden|Schweden|Suède|Suecia|Svezia; NO|NOR|Norway|Norwegen|Norvège|Noruega|Norvegia; FI|FIN|"
        "Finland|Finnland|Finlande|Finlandia; IS|ISL|Iceland|Island; EE|EST|Estonia|Estland; LV|LVA|Latvia|"
        "Lettland; LT|LTU|Lithuania|Litauen"
    ),
    "Southern Europe": (
        "IT|ITA|Italy|Italien|Italie|Italia; ES|ESP|Spain|Spanien|Espagne|España|Spagna|Spanje; PT|PRT|Portugal|"
        "Portogallo; GR|GRC|Greece|Griechenland|Grèce|Grecia; HR|HRV|Croatia|Kroatien|Croatie; RS|SRB|Serbia|"
        "Serbien|Serbie; SI|SVN|Slovenia|Slowenien; BA|BIH|Bosnia|Bosnia and Herzegovina|Bosnien; AL|ALB|Albania|"
        "Albanien; MK|MKD|North Macedonia|Macedonia|Mazedonien; ME|MNE|Montenegro; MT|MLT|Malta; XK|Kosovo; "
        "Yugoslavia|Jugoslawien"
    ),
    "Eastern Europe": (
        "PL|POL|Poland|Polen|Pologne|Polonia; CZ|CZE|Czechia|Czech Republic|Tschechien; SK|SVK|Slovakia|"
        "Slowakei; HU|HUN|Hungary|Ungarn|Hongrie|Hungría|Ungheria; RO|ROU|Romania|Rumänien|Roumanie|Rumania; BG|"
        "BGR|Bulgaria|Bulgarien|Bulgarie; UA|UKR|Ukraine|Ucrania|Ucraina; RU|RUS|Russia|Russland|Russie|Rusia|"
        "Russian Federation; BY|BLR|Belarus; MD|MDA|Moldova|Moldau"
    ),
    "Northern America": (
        "US|USA|United States|United States of America|United-States|Vereinigte Staaten|États-Unis|Etats-Unis|"
        "Estados Unidos|Stati Uniti|Verenigde Staten; CA|CAN|Canada|Kanada|Canadá; BM|BMU|Bermuda; GL|GRL|"
        "Greenland; Outlying-US(Guam-USVI-etc)"
    ),
    "Latin America and the Caribbean": (
        "MX|MEX|Mexico|Mexiko|Mexique|México|Messico; BR|BRA|Brazil|Brasilien|Brésil|Brasil|Brasile; AR|ARG|"
        "Argentina|Argentinien|Argentine; CL|CHL|Chile; CO|COL|Colombia|Columbia|Kolumbien; PE|PER|Peru|Perú; VE|"
        "VEN|Venezuela; EC|ECU|Ecuador; BO|BOL|Bolivia; PY|PRY|Paraguay; UY|URY|Uruguay; CU|CUB|Cuba|Kuba; DO|"
        "DOM|Dominican Republic|Dominican-Republic; HT|HTI|Haiti; JM|JAM|Jamaica; PR|PRI|Puerto Rico|"
        "Puerto-Rico; GT|GTM|Guatemala; HN|HND|Honduras; SV|SLV|El Salvador|El-Salvador; NI|NIC|Nicaragua; CR|"
        "CRI|Costa Rica; PA|PAN|Panama; TT|TTO|Trinadad&Tobago|Trinidad and Tobago; BS|BHS|Bahamas; BB|BRB|"
        "Barbados"
    ),
    "Northern Africa and Western Asia": (
        "TR|TUR|Turkey|Türkei|Turquie|Turquía|Turchia|Türkiye; SY|SYR|Syria|Syrien|Syrie|Siria; IQ|IRQ|Iraq|"
        "Irak; IL|ISR|Israel; LB|LBN|Lebanon|Libanon|Liban|Líbano; JO|JOR|Jordan|Jordanien; SA|SAU|Saudi Arabia|"
        "Saudi-Arabien; AE|ARE|United Arab Emirates; KW|KWT|Kuwait; QA|QAT|Qatar; YE|YEM|Yemen; AM|ARM|Armenia; "
        "AZ|AZE|Azerbaijan; GE|GEO|Georgia|Georgien; CY|CYP|Cyprus|Zypern; EG|EGY|Egypt|Ägypten|Égypte|Egipto|"
        "Egitto; MA|MAR|Morocco|Marokko|Maroc|Marruecos|Marocco; DZ|DZA|Algeria|Algerien|Algérie|Argelia; TN|TUN|"
        "Tunisia|Tunesien|Tunisie|Túnez; LY|LBY|Libya|Libyen; SD|SDN|Sudan"
    ),
    "Sub-Saharan Africa": (
        "NG|NGA|Nigeria; GH|GHA|Ghana; KE|KEN|Kenya|Kenia; ET|ETH|Ethiopia|Äthiopien; ER|ERI|Eritrea; SO|SOM|"
        "Somalia; ZA|ZAF|South Africa|Südafrika|Afrique du Sud; CM|CMR|Cameroon|Kamerun|Cameroun; CI|CIV|Ivory "
        "Coast|Côte d'Ivoire; SN|SEN|Senegal|Sénégal; CD|COD|Congo; AO|AGO|Angola; TZ|TZA|Tanzania|Tansania; UG|"
        "UGA|Uganda; ZW|ZWE|Zimbabwe; ZM|ZMB|Zambia; MZ|MOZ|Mozambique; ML|MLI|Mali; NA|NAM|Namibia; RW|RWA|"
        "Rwanda; MG|MDG|Madagascar"
    ),
    "Eastern and South-eastern Asia": (
        "CN|CHN|China|Chine|Cina; JP|JPN|Japan|Japon|Japón|Giappone; KR|KOR|Korea|South|South Korea|Südkorea|"
        "Corée du Sud; KP|PRK|North Korea; TW|TWN|Taiwan; HK|HKG|Hong Kong|Hong; MN|MNG|Mongolia; VN|VNM|Vietnam|"
        "Viet Nam; TH|THA|Thailand|Thaïlande; PH|PHL|Philippines|Philippinen|Filipinas|Filippine; ID|IDN|"
        "Indonesia|Indonesien; MY|MYS|Malaysia; SG|SGP|Singapore|Singapur; KH|KHM|Cambodia|Kambodscha; LA|LAO|"
        "Laos; MM|MMR|Myanmar|Burma"
    ),
    "Central and Southern Asia": (
        "IN|IND|India|Indien|Inde; PK|PAK|Pakistan; BD|BGD|Bangladesh; LK|LKA|Sri Lanka; NP|NPL|Nepal; AF|AFG|"
        "Afghanistan; IR|IRN|Iran; KZ|KAZ|Kazakhstan|Kasachstan; UZ|UZB|Uzbekistan; TM|TKM|Turkmenistan; KG|KGZ|"
        "Kyrgyzstan; TJ|TJK|Tajikistan"
    ),
    "Oceania": (
        "AU|AUS|Australia|Australien|Australie; NZ|NZL|New Zealand|Neuseeland|Nouvelle-Zélande; FJ|FJI|Fiji; PG|"
        "PNG|Papua New Guinea; WS|WSM|Samoa; TO|TON|Tonga"
    ),
}
"""The countries of each region."""
