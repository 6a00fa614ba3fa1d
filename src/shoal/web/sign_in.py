"""The few pages for users who are not signed in."""

from __future__ import annotations

from importlib.resources import files

from shoal.report.markup import Markup, element, join


def entered_page() -> str:
    """Go on to the workbench. A page rather than a redirect, so that the cookie counts as same-site."""
    return leading_page("/")


def leading_page(address: str) -> str:
    """A page that redirects to a URL."""
    onwards = element("meta", http_equiv="refresh", content=f"0;url={address}")
    return _page("One moment", element("p", "One moment … ", element("a", "open the workbench", href=address)), onwards)


def closed_page(sentence: str) -> str:
    """A page that says why access is refused."""
    return _page("Not open", element("p", sentence))


def password_page(token: str, sentence: str = "") -> str:
    """Ask for the password."""
    said = [element("p", sentence, role="alert")] if sentence else []
    form = element(
        "form",
        element("input", type="hidden", name="token", value=token),
        element("label", "Password ", element("input", type="password", name="password", autofocus="autofocus")),
        element("button", "Open the workbench"),
        method="post",
        action="/enter",
    )
    return _page("Password", *said, form)


def _page(title: str, *parts: Markup) -> str:
    head = [part for part in parts if part.startswith("<meta")]
    body = [part for part in parts if not part.startswith("<meta")]
    style = element("style", Markup(files("shoal.report").joinpath("page.css").read_text("utf-8")))
    return join(
        [
            Markup("<!DOCTYPE html>\n"),
            element(
                "html",
                element("head", element("meta", charset="utf-8"), *head, element("title", f"shoal · {title}"), style),
                element("body", element("main", element("h1", title), *body)),
                lang="en",
            ),
        ]
    )
