"""Servers of their own processes, on free ports of this machine, and the CPU time that they use."""

import ctypes
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

HOST = "127.0.0.1"
PATIENCE = 30  # seconds for a start, and for the end


class ServerError(Exception):
    """A server did not start or did not answer as it must; its text is the one line to say."""


@dataclass(frozen=True)
class Server:
    """A server that runs; `clock` is its process's CPU clock."""

    port: int
    clock: int

    def cpu(self) -> float:
        """The seconds of CPU time that it has used so far."""
        try:
            return time.clock_gettime(self.clock)
        except OSError:
            raise ServerError("a server ended before it was measured") from None


@contextmanager
def serving(arguments: Sequence[str], alive: str, folder: Path, **settings: str) -> Iterator[Server]:
    """Runs `python -m …` with the arguments and a free port, until the block ends; `alive` is an address to ask.

    Its environment is ours without the settings of the app, and with `settings`. Raises ServerError.
    """
    port = _free_port()
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("SCOREKEEPER_", "FLASK_"))}
    # The same code as this one, wherever the call came from.
    ours["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, [ours.get("PYTHONPATH")])])
    with (folder / f"{port}.log").open("w+b") as said:
        process = subprocess.Popen(  # noqa: S603 - Python itself, with arguments of ours
            [sys.executable, "-m", *arguments, str(port)],
            env=ours | settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        try:
            _wait(process, port, alive, folder / f"{port}.log")
            yield Server(port, _clock(process.pid))
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(process: "subprocess.Popen[bytes]", port: int, alive: str, said: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            last = said.read_text("utf-8", "replace").strip().rpartition("\n")[2]
            raise ServerError(f"a server did not start: {last or f'it ended with status {process.returncode}'}")
        connection = HTTPConnection(HOST, port, timeout=PATIENCE)
        try:
            connection.request("GET", alive)
            if connection.getresponse().status == 200:
                return
        except (OSError, HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.05)
    raise ServerError(f"a server did not answer within {PATIENCE} seconds")


def _clock(process: int) -> int:
    """The CPU clock of another process, exact to well below a request, as POSIX has it. Raises ServerError."""
    clock = ctypes.c_int()
    try:
        wrong = ctypes.CDLL(None).clock_getcpuclockid(process, ctypes.byref(clock))
    except (AttributeError, TypeError):  # not on macOS and Windows
        wrong = True
    if wrong:
        raise ServerError("this system has no clock for the CPU time of another process; Linux has")
    return clock.value
