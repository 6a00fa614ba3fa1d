"""An object store on loopback: as much of S3 as reading and writing whole objects takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit


class _Handler(BaseHTTPRequestHandler):
    """Objects are the values of ``server.objects``, by their paths."""

    protocol_version = "HTTP/1.1"

    @property
    def _objects(self) -> dict[str, bytes]:
        objects: dict[str, bytes] = self.server.objects  # type: ignore[attr-defined]
        return objects

    @property
    def _key(self) -> str:
        return unquote(urlsplit(self.path).path)

    def do_HEAD(self) -> None:
        self._get()

    def do_GET(self) -> None:
        self._get()

    def _get(self) -> None:
        if self._key not in self._objects:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return
        body, whole = self._objects[self._key], len(self._objects[self._key])
        asked = re.match(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            self._answer(200, body)
            return
        start = int(asked[1]) if asked[1] else max(0, whole - int(asked[2]))
        end = min(int(asked[2]) + 1, whole) if asked[1] and asked[2] else whole
        self._answer(206, body[start:end], {"Content-Range": f"bytes {start}-{end - 1}/{whole}"})

    def do_PUT(self) -> None:
        body, query = self._body(), parse_qs(urlsplit(self.path).query)
        if "partNumber" in query:
            self.server.parts[int(query["partNumber"][0])] = body  # type: ignore[attr-defined]
        else:
            self._objects[self._key] = body
        self._answer(200, b"", {"ETag": '"1"'})

    def do_POST(self) -> None:
        self._body()
        if "uploads=" in self.path or self.path.endswith("uploads"):
            self.server.parts = {}  # type: ignore[attr-defined]
            self._answer(200, b"<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
            return
        parts: dict[int, bytes] = self.server.parts  # type: ignore[attr-defined]
        self._objects[self._key] = b"".join(parts[number] for number in sorted(parts))
        self._answer(200, b'<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>')

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        usual = {"ETag": '"1"', "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Content-Length": str(len(body))}
        for name, value in {**usual, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *said: object) -> None:
        """Nothing."""


@contextmanager
def object_store() -> Iterator[tuple[str, dict[str, bytes]]]:
    """The address of a store, and its objects by path, ``/bucket/key``."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.objects, server.parts = {}, {}  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", server.objects  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
