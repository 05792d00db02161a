"""What a person sees of a page: the form as it stands, and what is said beside a field."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from flask.testing import FlaskClient

VOID = {"input", "meta", "link", "br", "hr", "path", "use"}


@dataclass
class Page(HTMLParser):
    """A parsed page. `form` holds what its form would send, but for the buttons."""

    html: str
    form: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)  # of controls, by what they are called; their field's name
    described: dict[str, str] = field(default_factory=dict)  # by field: the id of what is said beside it
    texts: dict[str, str] = field(default_factory=dict)  # by id
    open: list[str | None] = field(default_factory=list)  # ids of the elements that are open

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name"), given.get("value") or ""
        if tag == "input" and name:
            if given.get("type") not in {"radio", "checkbox"} or "checked" in given:
                self.form[name] = value
            if described := given.get("aria-describedby"):
                self.described[name] = described
        if tag in {"input", "button"} and name and (label := given.get("aria-label")):
            self.labels[label] = name
        if tag not in VOID:
            self.open.append(given.get("id"))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        for one in self.open:
            if one:
                self.texts[one] = self.texts.get(one, "") + data

    def said_beside(self, name: str) -> str:
        """What is said beside a field; empty where it is right."""
        return self.texts.get(self.described.get(name, ""), "").strip()


def fill(phone: FlaskClient, *players: str, **fields: str) -> dict[str, str]:
    """The form of a new game as `phone` gets it, filled in: players by seat, other fields by name."""
    form = Page(phone.get("/games/new").text).form
    return form | {f"seats-{seat}": name for seat, name in enumerate(players)} | fields


def start(phone: FlaskClient, *players: str, **fields: str) -> str:
    """Starts a game and gives its code."""
    answer = phone.post("/games/new", data=fill(phone, *players, do="start", **fields))
    assert answer.status_code == 303, answer.text
    return answer.location.rpartition("/")[2]
