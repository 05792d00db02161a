"""The app in processes of its own, and phones that talk to it over HTTP."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

STARTING = 60  # seconds, on a busy machine
WAITRESS = ("-m", "scorekeeper", "run", "--host", "127.0.0.1", "--port", "{port}")
GUNICORN = (
    "-m",
    "gunicorn",
    "--preload",
    "-w",
    "4",
    "--threads",
    "4",
    "-b",
    "127.0.0.1:{port}",
    "scorekeeper:create_app()",
)


@dataclass
class Server:
    """A server that runs; `kill` ends all its processes at once, as a power cut would."""

    port: int
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(database_url: str, call: tuple[str, ...] = WAITRESS, *, ready: int = 200) -> Iterator[Server]:
    """A server that answers `/healthz` with the status `ready`, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, *(part.format(port=port) for part in call)],
        env={**os.environ, "SCOREKEEPER_DATABASE_URL": database_url},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    server = Server(port, process)
    try:
        wait_until(server, ready)
        yield server
    finally:
        server.kill()


def wait_until(server: Server, status: int) -> None:
    """Waits for that answer of `/healthz`."""
    deadline = time.monotonic() + STARTING
    while healthz(server.port)[0] != status:
        assert server.process.poll() is None, f"the server ended with {server.process.returncode}"
        assert time.monotonic() < deadline, "the server does not answer"
        time.sleep(0.05)


def healthz(port: int) -> tuple[int, str]:
    """Status 0 where nobody listens."""
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
    except OSError:
        return 0, ""


@dataclass
class Phone:
    """A phone known by its secret, that writes on one game."""

    port: int
    secret: str
    code: str

    def note(self, key: str, text: str) -> tuple[int, str]:
        """Writes a note on the first hand: the status, and where the answer leads."""
        return self.post(f"/games/{self.code}/hands/1", {"note": text, "key": key, "base": "0"})

    def post(self, address: str, form: Mapping[str, str]) -> tuple[int, str]:
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"phone={self.secret}",
            "Sec-Fetch-Site": "same-origin",
        }
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request("POST", address, urlencode(form), headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.headers.get("Location", "")
