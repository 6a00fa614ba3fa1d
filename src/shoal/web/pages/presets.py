"""Starting points: a preset by recipient, or a policy by name."""

from __future__ import annotations

from shoal import policies
from shoal.report.figures import cut
from shoal.web.pages.tags import button, choice, tag
from shoal.web.pages.view import View

PRESETS = {"internal-use": "Internal use", "research-partner": "Research partner", "public-release": "Public release"}
"""The policies offered as buttons."""


def presets(view: View) -> None:
    """Three buttons, and a list of all policies; later changes take precedence."""
    session = view.session
    said = session.words.get("policy")

    async def follow(name: str) -> None:
        if name:
            await session.follow(name)
        else:
            session.change({key: value for key, value in session.words.items() if key != "policy"})
        await view.draw()

    def preset(name: str, title: str) -> None:
        pressed = "true" if said == name else "false"
        about = policies.ALL[name].summary
        with tag("div", class_="preset"):
            button(title, lambda: view.attempt(follow, name), id=f"preset-{name}", aria_pressed=pressed)
            tag("p", about[:1].upper() + about[1:] + ".", class_="hint")

    with tag("section", class_="card", aria_label="Who receives the release"):
        with tag("div", class_="presets"):
            for name, title in PRESETS.items():
                preset(name, title)
        known = {
            "": "none: as set below",
            **{name: f"{name}: {cut(one.summary, 90)}" for name, one in policies.ALL.items()},
        }
        choice("Policy", known, said if isinstance(said, str) else "", follow, id="policy")
