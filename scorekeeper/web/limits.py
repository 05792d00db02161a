"""How often an address may try codes that do not exist, before it has to wait."""

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from threading import Lock

# Twenty wrong codes of 50 bits in ten minutes: guessing one of a million games takes four hundred years and more.
TRIES = 20
SECONDS = 600
MOST_ADDRESSES = 10_000  # a few megabytes at the most


class Limits:
    """Counts different unknown codes by address, in memory; the address seen least recently is forgotten first.

    A code that is asked for again and again counts once, so a screen that polls a deleted game shuts nobody out.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._misses: OrderedDict[str, dict[str, float]] = OrderedDict()
        self._lock = Lock()

    def missed(self, address: str, code: str) -> None:
        """Notes that `address` tried a code that does not exist."""
        with self._lock:
            misses = self._misses.setdefault(network(address), {})
            self._misses.move_to_end(network(address))
            if len(misses) < TRIES:
                misses[code] = self.clock()
            if len(self._misses) > MOST_ADDRESSES:
                self._misses.popitem(last=False)

    def wait(self, address: str) -> int:
        """The seconds after which `address` may try again, 0 if it may now."""
        with self._lock:
            misses = self._misses.get(network(address), {})
            now = self.clock()
            for code in [code for code, then in misses.items() if now - then >= SECONDS]:
                del misses[code]
            if len(misses) < TRIES:
                return 0
            return ceil(min(misses.values()) + SECONDS - now)


def network(address: str) -> str:
    """What one visitor can have: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False)) if isinstance(ip, IPv6Address) else address
