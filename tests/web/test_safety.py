"""Nobody gets in without the token, from another site or by another name; nothing is left behind."""

from __future__ import annotations

import io
import logging
import os
import socket
import sys
import time
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from shoal.errors import InputError
from shoal.web.access import Access
from shoal.web.folders import PrivateFolder, wipe_leftovers
from shoal.web.names import file_name, table_name
from shoal.web.serving import Discreet, _open_by
from shoal.web.settings import Settings
from support.bench import PATIENCE, Bench, start_bench

pytestmark = pytest.mark.slow

PLACES = ["/", "/api/sessions/x", "/api/openapi.json", "/assets/workbench.js", "/_nicegui_ws/socket.io/", "/anything"]


@pytest.mark.parametrize("path", PLACES)
def test_nothing_is_answered_without_the_token(bench: Bench, path: str) -> None:
    with bench.stranger() as client:
        assert client.get(path).status_code == 401


@pytest.mark.parametrize("token", ["x", "é"])
def test_a_wrong_token_is_no_token(bench: Bench, token: str) -> None:
    with bench.stranger() as client:
        assert client.get("/", params={"token": token}).status_code == 401
        wrong = client.post("/api/sessions", headers={"authorization": f"Bearer {token}".encode()})  # type: ignore[arg-type]
        assert wrong.status_code == 401


def test_the_link_lets_in_and_leaves_no_token_in_the_address(bench: Bench) -> None:
    with bench.browser() as client:
        page = client.get("/")
        assert page.status_code == 200
        assert bench.token not in page.text
        assert all(cookie.has_nonstandard_attr("HttpOnly") for cookie in client.cookies.jar)
        assert {cookie.get_nonstandard_attr("SameSite") for cookie in client.cookies.jar} == {"strict"}


def test_a_foreign_origin_is_refused(bench: Bench) -> None:
    with bench.client(origin="http://evil.example") as client:
        assert client.post("/api/sessions").status_code == 403
    with bench.browser() as client:
        assert client.get("/", headers={"origin": "null"}).status_code == 403
        assert client.post("/api/sessions", headers={"origin": f"{bench.base}0"}).status_code == 403
        assert client.post("/api/sessions").status_code == 201


def test_a_cookie_alone_does_not_change_anything_without_an_origin(bench: Bench) -> None:
    with bench.browser() as client:
        del client.headers["origin"]
        assert client.post("/api/sessions").status_code == 403
        assert client.get("/assets/workbench.css", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_another_host_name_is_refused(bench: Bench) -> None:
    port = urlsplit(bench.base).port
    with bench.client(host=f"evil.example:{port}") as client:
        assert client.post("/api/sessions").status_code == 400
    with bench.client(host=f"localhost:{port}") as client:
        assert client.post("/api/sessions").status_code == 201


@pytest.mark.parametrize(
    ("origin", "with_cookie"), [("http://evil.example", True), (None, True), ("own", False), ("own", True)]
)
def test_sockets_need_cookie_origin_and_a_page_of_their_own(
    bench: Bench, origin: str | None, with_cookie: bool
) -> None:
    """Even the right cookie and origin do not open a socket for a page that is not this session's."""
    place = urlsplit(bench.base)
    with bench.browser() as client:
        cookie = "; ".join(f"{one.name}={one.value}" for one in client.cookies.jar)
    lines = [
        "GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket&client_id=guess HTTP/1.1",
        f"Host: {place.netloc}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *([f"Origin: {bench.base if origin == 'own' else origin}"] if origin else []),
        *([f"Cookie: {cookie}"] if with_cookie else []),
    ]
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=PATIENCE) as line:
        line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        assert line.recv(4096).split(b"\r\n")[0].split()[1] == b"403"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_events_of_a_page_are_not_taken_by_polling(bench: Bench, method: str) -> None:
    """Socket.IO's other way in has no page of its own to check; neither a cookie nor the token opens it."""
    place = "/_nicegui_ws/socket.io/?EIO=4&transport=polling&client_id=guess"
    with bench.browser() as one, bench.client() as program:
        assert one.request(method, place).status_code == 403
        assert program.request(method, place).status_code == 403
        assert "'websocket'" in one.get("/").text
        assert "'polling'" not in one.get("/").text


@pytest.mark.parametrize("value", ['"\\303\\251"', '"\\777"', "é", '"', "a=b;;=", "x" * 5000])
def test_a_strange_cookie_is_no_cookie(bench: Bench, value: str) -> None:
    with bench.browser() as client:
        (name,) = [one.name for one in client.cookies.jar]
    with bench.stranger() as client:
        answer = client.get("/", headers={"cookie": f"{name}={value}".encode("latin-1")})  # type: ignore[arg-type]
        assert answer.status_code == 401


def test_answers_carry_a_strict_policy(bench: Bench) -> None:
    with bench.browser() as client:
        page, asset = client.get("/"), client.get("/assets/workbench.js")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    script = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "unsafe-inline" not in script
    assert "http" not in policy
    assert page.headers["cache-control"] == "no-store"
    assert asset.headers["x-content-type-options"] == "nosniff"
    nonce = script.partition("'nonce-")[2].rstrip("'")
    assert page.text.count("<script") == page.text.count(f'<script nonce="{nonce}"')


def test_sessions_do_not_see_each_other(bench: Bench) -> None:
    with bench.client() as program, bench.browser() as one, bench.browser() as other:
        mine = program.post("/api/sessions").json()["session"]
        assert program.get(f"/api/sessions/{mine}").status_code == 200
        assert one.get(f"/api/sessions/{mine}").status_code == 404
        assert {*map(str, one.cookies.jar)} != {*map(str, other.cookies.jar)}
        program.delete(f"/api/sessions/{mine}")
        assert program.get(f"/api/sessions/{mine}").status_code == 404


@pytest.mark.parametrize(
    "name", ["../people.csv", "/etc/passwd.csv", "a/b.csv", "..\\x.csv", ".hidden.csv", "x\n.csv", "", "~.csv"]
)
def test_names_are_never_paths(session: tuple[httpx.Client, str], name: str) -> None:
    client, path = session
    answer = client.put(f"{path}/table", params={"name": name}, content=b"a,b\n1,2\n")
    assert answer.status_code == 422
    assert client.put(f"{path}/files", params={"name": name}, content=b"x").status_code == 422
    assert client.get(path).json()["table"] is None


@pytest.mark.parametrize("name", ["people.csv", "Ärzte 2024.xlsx", "a-b_c.parquet"])
def test_plain_names_are_taken(name: str) -> None:
    assert table_name(name) == name


@pytest.mark.parametrize("name", ["people", "people.exe", "people.csv.sh"])
def test_names_of_no_table_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="known endings"):
        table_name(name)
    assert file_name(name) == name


def test_an_upload_that_says_it_has_10_gb_is_refused_at_once(session: tuple[httpx.Client, str]) -> None:
    client, path = session
    request = client.build_request("PUT", f"{path}/table?name=big.csv", headers={"content-length": str(10 * 10**9)})
    place = urlsplit(str(request.url))
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=PATIENCE) as line:
        headers = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
        line.sendall(f"PUT {place.path}?{place.query} HTTP/1.1\r\n{headers}\r\n".encode())
        assert b" 413 " in line.recv(4096).split(b"\r\n")[0]


def test_an_upload_that_grows_past_the_limit_is_cut_off(bench: Bench, session: tuple[httpx.Client, str]) -> None:
    client, path = session
    pieces = (b"x" * (1 << 20) for _ in range(80))
    try:
        answer = client.put(f"{path}/table", params={"name": "big.csv"}, content=pieces)
        assert answer.status_code == 413
    except httpx.WriteError:
        pass  # the line was cut before all was sent
    assert client.get(path).json()["table"] is None
    assert not [file for folder in bench.folders() for file in folder.rglob("*.part")]


def _bomb(declared: int | None = None) -> bytes:
    """A workbook whose sheet unpacks to 40 MiB of blanks, or says that it unpacks to less."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        with book.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(40):
                sheet.write(b" " * (1 << 20))
    data = packed.getvalue()
    if declared is None:
        return data
    real = (40 << 20).to_bytes(4, "little")
    return data.replace(real, declared.to_bytes(4, "little"))


@pytest.mark.parametrize("declared", [None, 1000])
def test_a_zip_bomb_in_a_workbook_is_refused(shared_session: tuple[httpx.Client, str], declared: int | None) -> None:
    client, path = shared_session
    answer = client.put(f"{path}/table", params={"name": "bomb.xlsx"}, content=_bomb(declared))
    assert answer.status_code == 422
    assert "unpack to far more than a table needs" in answer.json()["detail"]


def test_hierarchies_of_a_job_are_no_paths(session: tuple[httpx.Client, str]) -> None:
    client, path = session
    client.put(f"{path}/table", params={"name": "t.csv"}, content=b"a,b\n1,2\n1,3\n")
    job = {"quasi_identifiers": ["a"], "privacy": {"k": 2}}
    assert client.put(f"{path}/job", json=job).status_code == 200
    for more in (
        {"hierarchies": {"a": "/etc/passwd"}},
        {"hierarchies": {"a": "../x.csv"}},
        {"population": "/etc/passwd"},
        {"input": "/etc/passwd"},
        {"output": "/tmp/x.csv"},
    ):
        assert client.put(f"{path}/job", json={**job, **more}).status_code == 422


def test_the_private_folder_is_wiped_at_the_end(tmp_path: Path) -> None:
    bench = start_bench(tmp_path)
    with bench.client() as client:
        path = f"/api/sessions/{client.post('/api/sessions').json()['session']}"
        assert client.put(f"{path}/table", params={"name": "t.csv"}, content=b"a,b\n1,2\n1,3\n").status_code == 200
    (folder,) = bench.folders()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [*folder.rglob("t.csv")]
    bench.stop()
    assert not folder.exists()
    assert bench.process.returncode == 0


def test_a_session_is_wiped_when_nobody_has_touched_it(tmp_path: Path) -> None:
    bench = start_bench(tmp_path, "--keep", str(2 / 3600))
    try:
        with bench.client() as client:
            path = f"/api/sessions/{client.post('/api/sessions').json()['session']}"
            client.put(f"{path}/table", params={"name": "t.csv"}, content=b"a,b\n1,2\n1,3\n")
            end = time.monotonic() + PATIENCE
            while any("t.csv" in names for folder in bench.folders() for _, _, names in os.walk(folder)):
                assert time.monotonic() < end
                time.sleep(0.2)
            assert client.get(path).status_code == 404
    finally:
        bench.stop()


def test_leftovers_of_a_killed_workbench_are_wiped_by_the_next(tmp_path: Path) -> None:
    alive, dead = PrivateFolder(tmp_path), PrivateFolder(tmp_path)
    (dead.path / "people.csv").write_text("secret")
    assert dead._lock is not None
    os.close(dead._lock)
    (tmp_path / "shoal-workbench-link").symlink_to(alive.path)
    wipe_leftovers(tmp_path)
    assert alive.path.exists()
    assert not dead.path.exists()
    alive.wipe()


def test_another_address_needs_the_flag_and_a_password() -> None:
    with pytest.raises(InputError, match="--allow-remote"):
        Settings(host="0.0.0.0")
    with pytest.raises(InputError, match="12 characters"):
        Settings(host="0.0.0.0", allow_remote=True, password="short")
    assert Settings(host="0.0.0.0", allow_remote=True, password="long enough for this").is_remote


def test_with_a_password_the_token_is_not_enough(tmp_path: Path) -> None:
    bench = start_bench(tmp_path, "--host", "0.0.0.0", "--allow-remote", SHOAL_PASSWORD="correct horse battery")
    try:
        with bench.client() as client:
            assert client.post("/api/sessions").status_code == 401
            right = {"x-shoal-password": "correct horse battery"}
            assert client.post("/api/sessions", headers=right).status_code == 201
        with bench.stranger(origin=bench.base) as client:
            assert "password" in client.get(bench.link).text
            assert client.get("/").status_code == 401
            wrong = client.post("/enter", data={"token": bench.token, "password": "x"})
            assert wrong.status_code == 401
            assert client.post("/enter", data={"token": "x", "password": "correct horse battery"}).status_code == 401
            client.post("/enter", data={"token": bench.token, "password": "correct horse battery"}).raise_for_status()
            assert client.get("/assets/workbench.js").status_code == 200
    finally:
        bench.stop()


def test_after_too_many_wrong_passwords_nobody_is_let_in() -> None:
    access = Access(Settings(host="0.0.0.0", allow_remote=True, password="long enough for this"))
    assert access.is_password("long enough for this")
    assert not any(access.is_password(f"guess {i}") for i in range(10))
    assert not access.is_password("long enough for this")


def test_remote_hosts_may_be_addresses_or_given_names() -> None:
    access = Access(
        Settings(host="0.0.0.0", allow_remote=True, password="long enough for this", names=("bench.local",))
    )
    assert access.refuse_host({"host": "192.0.2.7:80"}) is None
    assert access.refuse_host({"host": "bench.local"}) is None
    assert access.refuse_host({"host": "evil.example"}) is not None


def test_the_browser_is_opened_without_the_token_in_its_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    _open_by(tmp_path, "http://127.0.0.1:1/?token=abc")
    assert opened == [(tmp_path / "open.html").as_uri()]
    assert "token=abc" in (tmp_path / "open.html").read_text()
    assert (tmp_path / "open.html").stat().st_mode & 0o777 == 0o600


def test_logs_tell_where_and_never_what() -> None:
    try:
        raise ValueError("Zaphod has the flu")
    except ValueError:
        record = logging.LogRecord("nicegui", logging.ERROR, __file__, 7, "said %s", ("Zaphod",), sys.exc_info())
    told = Discreet().format(record)
    assert "Zaphod" not in told
    assert "ValueError" in told
    assert "test_safety.py" in told
