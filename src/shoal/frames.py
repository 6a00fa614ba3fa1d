"""``df.shoal``: the verbs as methods of pandas and polars frames, once this module is imported.

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
    """What can be done with a frame; the words are those of the function of the same name."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def inspect(self, **words: Any) -> Any:
        """What the columns are, and the role that suits each: ``shoal.inspect``."""
        return shoal.inspect(self._frame, **words)

    def anonymize(self, **words: Any) -> shoal.Result:
        """A checked release of this table: ``shoal.anonymize``."""
        return shoal.anonymize(self._frame, **words)

    def compare(self, **words: Any) -> shoal.Comparison:
        """What several algorithms make of this table: ``shoal.compare``."""
        return shoal.compare(self._frame, **words)

    def verify(self, **words: Any) -> shoal.Verification:
        """Whether this table keeps its promises: ``shoal.verify``."""
        return shoal.verify(self._frame, **words)

    def audit(self, release: Any, **words: Any) -> Any:
        """What an adversary gets out of a release of this table: ``shoal.audit_release``."""
        return shoal.audit_release(self._frame, release, **words)

    def usefulness(self, release: Any, **words: Any) -> Any:
        """How wrong answers from a release of this table are: ``shoal.usefulness``."""
        return shoal.usefulness(self._frame, release, **words)


pl.api.register_dataframe_namespace("shoal")(Verbs)
if find_spec("pandas"):
    import pandas as pd  # type: ignore[import-untyped]

    pd.api.extensions.register_dataframe_accessor("shoal")(Verbs)
