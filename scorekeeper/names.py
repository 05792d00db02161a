"""Names as people type them: tidied, and compared so that twins are found."""

import unicodedata

LONGEST_NAME = 40  # code points; a family of emoji takes seven, and most names fit a phone's row
LONGEST_TITLE = 60  # "Grandma's birthday, second game, in the garden" and then some
MOST_MARKS = 2  # on one letter: a vowel and a tone; more climbs over the lines above

_JOINERS = {"\u200c", "\u200d"}  # Persian and Indian spelling, and emoji of several people
_TAGS = {chr(point) for point in range(0xE0020, 0xE0080)}  # flags of regions
_BLANKS = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}  # letters and a symbol that nobody can see


class BadNameError(ValueError):
    """A text that cannot be a name: `code` is "empty" or "long"; `seat` is whose, where there are several."""

    def __init__(self, code: str, seat: int | None = None) -> None:
        super().__init__(f"a name that is {'empty' if code == 'empty' else 'too long'}")
        self.code = code
        self.seat = seat


def clean(text: str) -> str:
    """`text` as a name: composed, without controls, spaces single, at most two marks on a letter.

    Raises BadNameError if nothing to read is left or more than LONGEST_NAME code points.
    """
    name = _tidy(text)
    if not any(_is_seen(char) for char in name):
        raise BadNameError("empty")
    return _no_longer_than(LONGEST_NAME, name)


def clean_title(text: str) -> str:
    """`text` as the name of a game, which may be empty. Raises BadNameError if it is longer than LONGEST_TITLE."""
    return _no_longer_than(LONGEST_TITLE, _tidy(text))


def folded(name: str) -> str:
    """Equal for two names that a reader takes for one: Ann, ANN and Ann in full-width letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _no_longer_than(most: int, name: str) -> str:
    if len(name) > most:
        raise BadNameError("long")
    return name


def _tidy(text: str) -> str:
    seen = "".join(char for char in " ".join(text.split()) if _is_kept(char))
    tidy: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", seen):
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        if marks <= MOST_MARKS:
            tidy.append(char)
    return " ".join("".join(tidy).split())


def _is_kept(char: str) -> bool:
    """False for controls, bidi controls and other characters that only hide, but for joiners and the tags of flags."""
    if char in _JOINERS or char in _TAGS:
        return True
    return unicodedata.category(char) not in {"Cc", "Cf", "Co", "Cs"} and char not in _BLANKS


def _is_seen(char: str) -> bool:
    """True for letters, digits, symbols, and emoji that are newer than Python's tables (category Cn)."""
    category = unicodedata.category(char)
    return category[0] in "LNS" or category == "Cn"
