"""A dossier from the library."""

import shoal
from shoal.io.example import people

release = shoal.anonymize(people(1_000), policy="public-release", auto=True, quick=True)
release.dossier("dossier", title="Hospital stays 2024", recipient="Universities, on application")
