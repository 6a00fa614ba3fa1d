"""Where a table in a database is: ``postgresql://host/database#table``, ``sqlite:///file.db#table``, ``duckdb:///…``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from shoal.errors import InputError

SERVERS = ("postgresql", "postgres")
FILES = ("sqlite", "duckdb")
_SECRET = re.compile(r"pass|secret|token|key", re.IGNORECASE)
_PART = re.compile(r'\s*(?:"((?:[^"]|"")+)"|([^".]+?))\s*(?:\.|$)')


@dataclass(frozen=True)
class Address:
    """A database, and the table in it if one is named.

    ``location`` is what the driver connects to: a URI without a password, or a path. Passwords are refused in
    addresses, which others may see; drivers find them in the environment (``PGPASSWORD``) or in a file (``PGPASSFILE``,
    ``~/.pgpass``, a service file). ``query`` is the SQL that is read instead of a table.
    """

    kind: str
    location: str
    table: tuple[str, ...] = ()
    query: str = ""

    @property
    def shown(self) -> str:
        """The address as shown in messages, reports and records: without the user name."""
        if self.kind in FILES:
            where = f"{self.kind}:///{self.location}"
        else:
            parts = urlsplit(self.location)
            where = f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"
        return f"{where}#{'.'.join(self.table)}" if self.table else where

    @property
    def spelled(self) -> str:
        """A text that ``address_of`` understands in any folder; for the owner only, as it contains the user name."""
        where = f"{self.kind}:///{quote(str(self.file.resolve()))}" if self.file else self.location
        names = [part if part.isidentifier() else quoted(part) for part in self.table]
        return f"{where}#{quote('.'.join(names))}" if names else where

    @property
    def file(self) -> Path | None:
        """The database file; None for a server."""
        return Path(self.location) if self.kind in FILES else None

    @property
    def sql(self) -> str:
        """The SQL to read: the whole table, or the query."""
        return self.query.strip().rstrip(";") or f"SELECT * FROM {quoted(*self.table)}"  # noqa: S608 (quoted)

    @property
    def record_name(self) -> str:
        """A file name for the private record of a run that wrote this table."""
        return re.sub(r"[^\w.-]", "_", ".".join(self.table) or "table")

    def needs_table(self) -> None:
        """Raise InputError if no table is named."""
        if not self.table:
            raise InputError(f"{self.shown} names a database but no table; write {self.shown}#table.")


def address_of(text: object, folder: Path = Path()) -> Address | None:
    """Parse an address; None if the text is something else. Relative files start at ``folder``.

    >>> address_of("sqlite:///people.db#people")
    Address(kind='sqlite', location='people.db', table=('people',))

    Raises:
        InputError: the address contains a password, names no file, or has a malformed table name.
    """
    if not isinstance(text, str) or "://" not in text:
        return None
    scheme = text.partition("://")[0].lower()
    if scheme not in (*SERVERS, *FILES):
        return None
    rest, _, fragment = text.partition("#")
    table = _names(unquote(fragment)) if fragment else ()
    if scheme in FILES:
        return Address(scheme, _file(scheme, rest, folder), table)
    return Address("postgresql", _without_secrets(rest), table)


def quoted(*names: str) -> str:
    """A name of one or several parts in double quotes, as SQL requires.

    >>> quoted("main", 'a"b')
    '"main"."a""b"'
    """
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def _file(scheme: str, rest: str, folder: Path) -> str:
    """The path after ``sqlite:///``: relative to the folder, or absolute with a fourth slash."""
    if not rest.lower().startswith(f"{scheme}:///") or not (path := unquote(rest[len(scheme) + 4 :])):
        raise InputError(f"A {scheme} database is a file, written {scheme}:///people.db or {scheme}:////whole/path.db.")
    return str(folder / Path(path).expanduser()) if folder != Path() else str(Path(path).expanduser())


def _without_secrets(rest: str) -> str:
    """Return the URI after checking that it contains no password."""
    try:
        parts = urlsplit(rest)
        has_password = parts.password is not None or any(_SECRET.search(key) for key, _ in parse_qsl(parts.query))
    except ValueError:
        raise InputError(
            "The address of the server cannot be understood; write postgresql://host:port/database#table."
        ) from None
    if has_password:
        raise InputError(
            "The address holds a password, which others could see; leave it out and set PGPASSWORD, or keep it in "
            "~/.pgpass or the file that PGPASSFILE names."
        )
    return "postgresql" + rest[rest.index(":") :]


def _names(text: str) -> tuple[str, ...]:
    """Split ``schema.table`` into two names; a name with a dot must be in double quotes."""
    found, at = [], 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            break
        found.append((match[1] or "").replace('""', '"') or match[2])
        at = match.end()
    if at < len(text) or not 1 <= len(found) <= 2:
        raise InputError(f'The table name {text!r} cannot be understood; write table, schema.table or "a.b".')
    return tuple(found)
