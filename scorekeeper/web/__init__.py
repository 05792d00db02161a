"""The web app: parse, one call into the store, answer."""
