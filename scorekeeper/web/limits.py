"""How often an address may do a thing before it has to wait: try unknown codes, begin books, ask for advice."""

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from threading import Lock

# Twenty wrong codes of 50 bits in ten minutes: guessing one of a million games takes four hundred years and more.
TRIES = 20
SECONDS = 600
# Every table of a club behind one address, with a fresh start or two.
BOOKS = 30
BOOKS_SECONDS = 3600
# A family that taps hands as fast as it can; at up to two seconds of CPU each never a whole core.
QUESTIONS = 20
QUESTIONS_SECONDS = 60
MOST_ADDRESSES = 10_000  # some 20 megabytes at the most
MOST_KNOWN = 20_000  # games by address that read them; a few megabytes


class Limits:
    """Counts different things, such as unknown codes, by address; the address seen least recently is forgotten first.

    An address may have `most` of them in `seconds`. What comes again and again counts once, so a screen that polls a
    deleted game shuts nobody out. What an address is known to have may be kept too: it is no guess there.
    """

    def __init__(self, most: int = TRIES, seconds: int = SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self.clock = clock
        self._noted: OrderedDict[str, dict[int, float]] = OrderedDict()  # hashes: a visitor may send long texts
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = Lock()

    def note(self, address: str, thing: str) -> None:
        """Counts a thing that came from `address`."""
        with self._lock:
            noted = self._noted.setdefault(network(address), {})
            self._noted.move_to_end(network(address))
            if len(noted) < self.most:
                noted[hash(thing)] = self.clock()
            if len(self._noted) > MOST_ADDRESSES:
                self._noted.popitem(last=False)

    def know(self, address: str, thing: str) -> None:
        """Remembers that `address` has this thing; what was seen least recently is forgotten first."""
        known = network(address), thing
        with self._lock:
            self._known[known] = None
            self._known.move_to_end(known)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)

    def knows(self, address: str, thing: str) -> bool:
        return (network(address), thing) in self._known

    def wait(self, address: str) -> int:
        """The seconds after which `address` may try again, 0 if it may now."""
        with self._lock:
            noted = self._noted.get(network(address), {})
            now = self.clock()
            for thing in [thing for thing, then in noted.items() if now - then >= self.seconds]:
                del noted[thing]
            if len(noted) < self.most:
                return 0
            return ceil(min(noted.values()) + self.seconds - now)


def network(address: str) -> str:
    """What one visitor can have: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False)) if isinstance(ip, IPv6Address) else address
