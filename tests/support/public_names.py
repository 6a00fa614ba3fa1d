"""What users may import: every public name, and every metric."""

from __future__ import annotations

from typing import Any

import shoal
from shoal import metrics

PUBLIC: dict[str, Any] = {
    **{name: getattr(shoal, name) for name in shoal.__all__ if name != "__version__"},
    **{metric.__name__: metric for metric in metrics.ALL.values()},
}
