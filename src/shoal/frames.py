"""Importing this module adds ``df.shoal`` to pandas and polars frames: shoal's functions as methods.

```python
import shoal.frames

df.shoal.anonymize(quasi_identifiers=["age", "zip"], privacy={"k": 5}).to_frame()
```
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import polars as pl

import shoal


class Verbs:
    """shoal's functions on a frame; each method takes the settings of the function of the same name."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def inspect(self, **words: Any) -> Any:
        """Describe the columns and suggest a role for each: ``shoal.inspect``."""
        return shoal.inspect(self._frame, **words)

    def anonymize(self, **words: Any) -> shoal.Result:
        """Make a checked release of this table: ``shoal.anonymize``."""
        return shoal.anonymize(self._frame, **words)

    def compare(self, **words: Any) -> shoal.Comparison:
        """Compare several algorithms on this table: ``shoal.compare``."""
        return shoal.compare(self._frame, **words)

    def verify(self, **words: Any) -> shoal.Verification:
        """Check which privacy models this table satisfies: ``shoal.verify``."""
        return shoal.verify(self._frame, **words)

    def audit(self, release: Any, **words: Any) -> Any:
        """Attack a release of this table: ``shoal.audit_release``."""
        return shoal.audit_release(self._frame, release, **words)

    def usefulness(self, release: Any, **words: Any) -> Any:
        """Measure the errors of analyses on a release of this table: ``shoal.usefulness``."""
        return shoal.usefulness(self._frame, release, **words)


pl.api.register_dataframe_namespace("shoal")(Verbs)
if find_spec("pandas"):
    import pandas as pd  # type: ignore[import-untyped]

    pd.api.extensions.register_dataframe_accessor("shoal")(Verbs)
