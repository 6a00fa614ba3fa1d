"""The verbs as methods of frames."""

import shoal.frames  # adds df.shoal to pandas and polars frames
from shoal.io.example import people

df = people(1_000).select("postcode", "sex", "diagnosis").to_pandas()
words = {"quasi_identifiers": ["postcode", "sex"], "privacy": shoal.KAnonymity(5)}
release = df.shoal.anonymize(sensitive=["diagnosis"], quick=True, **words).to_frame()  # a pandas frame again
print(release.shoal.verify(**words).holds)  # True
