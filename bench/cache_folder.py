"""Where `scripts/setup` puts what it brings."""
import os
import pathlib


def cache_folder():
    named = os.environ.get("CULPRIT_CACHE")
    return pathlib.Path(named) if named else pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "culprit"
