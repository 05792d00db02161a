"""The least that a web app can do, on the same server with the same settings: what the app's cost is compared with."""

import sys

from flask import Flask

from scorekeeper.serving import listen

app = Flask("hello")
app.config["MAX_CONTENT_LENGTH"] = 64 * 1024


@app.get("/")
def hello() -> str:
    return "hello"


if __name__ == "__main__":
    listen(app, "127.0.0.1", int(sys.argv[1])).run()
