"""Names as people type them, and twins among them."""

import pytest

from scorekeeper.names import BadNameError, clean, clean_title, folded

FAMILY = "👩‍👩‍👧‍👦"
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # with a joiner in its middle
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee\r\n", "Ann Lee"),
        ("Ann\u3000Lee\u2028", "Ann Lee"),
        ("Jose\u0301", "Jos\u00e9"),
        ("1", "1"),
        ("🂡", "🂡"),
        (FAMILY, FAMILY),
        ("👍🏽", "👍🏽"),
        ("🇬🇧", "🇬🇧"),
        (SCOTLAND, SCOTLAND),
        ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
        ("\U0001fae8", "\U0001fae8"),  # newer than Python 3.11's tables
        ("שָׁלוֹם", "שָׁלוֹם"),
        (PERSIAN, PERSIAN),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("O'Brien & Sons", "O'Brien & Sons"),
        ("Z\u0300\u0301\u0302\u0303\u0304algo", "Z\u0300\u0301algo"),
        ("\u202eAnn\u202c \u2066Lee\u2069\u200f", "Ann Lee"),
        ("A\x00n\x1bn\x7f", "Ann"),
        ("A\u200bn\ufeffn\u00ad", "Ann"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_tidied_and_nothing_else(typed: str, name: str) -> None:
    assert clean(typed) == name
    assert clean(name) == name


@pytest.mark.parametrize(
    "typed", ["", "   ", "\t\n", "\u200d", "\u200b\u202e", "...", "-", "\u0301", "\u3164", "\u2800", "\x00", "\ud800"]
)
def test_a_name_that_nobody_could_read_is_empty(typed: str) -> None:
    with pytest.raises(BadNameError) as refused:
        clean(typed)

    assert refused.value.code == "empty"


@pytest.mark.parametrize("typed", ["x" * 41, "x" * 200, "👩‍👩‍👧‍👦" * 6])
def test_a_name_can_be_too_long(typed: str) -> None:
    with pytest.raises(BadNameError) as refused:
        clean(typed)

    assert refused.value.code == "long"


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("Ann", "ANN"),
        ("Ann", "\uff21\uff4e\uff4e"),
        ("Straße", "STRASSE"),
        ("Jos\u00e9", "JOSE\u0301"),
        ("ﬁn", "fin"),
        ("1", "\uff11"),
    ],
)
def test_twins_are_found(name: str, twin: str) -> None:
    assert folded(name) == folded(twin)


@pytest.mark.parametrize(("name", "other"), [("Ann", "Anna"), ("Jose", "José"), (FAMILY, "👩👩👧👦"), ("א", "ב")])
def test_others_are_told_apart(name: str, other: str) -> None:
    assert folded(name) != folded(other)


def test_a_game_may_have_no_name_and_a_longer_one() -> None:
    assert clean_title(" \u202e ") == ""
    assert clean_title("x" * 60) == "x" * 60
    with pytest.raises(BadNameError):
        clean_title("x" * 61)
