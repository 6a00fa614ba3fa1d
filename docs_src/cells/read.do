import delimited "release.csv", clear
generate age = (age_low + age_high) / 2
mean age, over(town)
