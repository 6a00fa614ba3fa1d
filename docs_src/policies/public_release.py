"""A public release by its name."""

import shoal
from shoal.io.example import people

release = shoal.anonymize(people(1_000), policy="public-release", auto=True, quick=True)
print(release.policy.name, release.policy.source, release.verdicts[0])

for name, policy in shoal.list_policies().items():
    print(name, policy.dated, policy.words())
