release <- read.csv("release.csv")
release$age <- (release$age_low + release$age_high) / 2
print(aggregate(age ~ town, release, mean))
