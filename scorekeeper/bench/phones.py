"""Phones that ask a server: one connection each, kept open where the server keeps it, on asyncio's streams."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from urllib.parse import urlencode

from scorekeeper.bench.servers import HOST, ServerError

PATIENCE = 20  # seconds for an answer
# What browsers send with every request.
BROWSER = {"Accept": "text/html", "Accept-Encoding": "gzip, deflate", "Accept-Language": "en-US,en;q=0.9"}


@dataclass(frozen=True)
class Answer:
    """What came back; header names in lower case."""

    status: int
    headers: Mapping[str, str]


class Phone:
    """A phone with one connection. `cookie` is its secret, None for a phone that has none."""

    def __init__(self, port: int, cookie: str | None = None) -> None:
        self.port = port
        self.headers = BROWSER | ({"Cookie": f"phone={cookie}"} if cookie else {})

    async def __aenter__(self) -> "Phone":
        await self._connect()
        return self

    async def _connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(HOST, self.port)

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.writer.close()

    async def get(self, address: str, **headers: str) -> Answer:
        """Raises ServerError where no answer comes. An underscore in a header's name stands for its dash."""
        return await self._ask("GET", address, headers)

    async def post(self, address: str, form: Mapping[str, object]) -> Answer:
        """Sends a form as a page of ours does. Raises ServerError where no answer comes."""
        own = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
        return await self._ask("POST", address, own, urlencode(form).encode())

    async def _ask(self, method: str, address: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        length = {"Content-Length": str(len(body))} if body else {}
        own = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Host": f"{HOST}:{self.port}", **self.headers, **length, **own}
        lines = [f"{method} {address} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
        try:
            async with asyncio.timeout(PATIENCE):
                if self.writer.is_closing():
                    await self._connect()
                self.writer.write("\r\n".join(lines).encode() + body)
                return await self._answer()
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError) as error:
            raise ServerError(f"no answer to {method} {address}: {str(error) or type(error).__name__}") from None

    async def _answer(self) -> Answer:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in head[1:] if line)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.writer.close()
        return Answer(int(head[0].split()[1]), headers)
