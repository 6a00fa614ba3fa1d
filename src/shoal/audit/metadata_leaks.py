"""Hidden data: what the file contains besides its records."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Risk
from shoal.audit.number_wording import counted
from shoal.audit.scorer import Referee


class HiddenData(Attack):
    """Find leftovers in and around the records: row numbers, dictionaries, statistics, metadata, hidden sheets, digits.

    The rate is 1 if something was found, the baseline 0. ``shoal.io.metadata_leaks`` lists what is examined.

    Stopped by: writing the file again with nothing but the records.

    Cost: O(size of the file).

    Reference: our own.
    """

    name: ClassVar[str] = "hidden-data"
    story: ClassVar[str] = (
        "An adversary opens the file with other tools and reads what it contains besides the records."
    )
    remedy: ClassVar[str] = "Write the file again with nothing but the records."

    def lacks(self, scene: Scene) -> str:
        """Requires a file, or at least a frame, to examine."""
        return "" if scene.carried is not None else "It needs the file or frame as it leaves."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Report what was found."""
        assert scene.carried is not None
        leaks = scene.carried.leaks
        says = f"Nothing but the records was found in {counted(scene.carried.n_looked_at, 'place')}."
        if leaks:
            says = " ".join(f"{leak.where}: {leak.what}; {leak.remedy}." for leak in leaks[:5])
            says += f" And {len(leaks) - 5} more." if len(leaks) > 5 else ""
        figures = {"leaks": len(leaks), "places looked at": scene.carried.n_looked_at}
        return [Risk(self.name, "falls" if leaks else "stopped", says, float(bool(leaks)), 0.0, figures=figures)]
