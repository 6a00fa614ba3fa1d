import shoal
from shoal.io.example import people

patients = people(400)
release = shoal.anonymize(
    patients.select("birth_date", "postcode", "sex", "diagnosis"),
    quasi_identifiers=["birth_date", "postcode", "sex"],
    sensitive=["diagnosis"],
    privacy=[shoal.KAnonymity(5)],
)
found = release.audit()
for risk in found.risks:
    print(f"{risk.attack:12} {risk.about:10} {risk.outcome:8} {risk.says}")

assert found.of("linking")[0].outcome == "stopped"
