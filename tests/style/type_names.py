#!/usr/bin/env python3
"""Every type that other files can see has a name of its own: two of one name would be one to the linker.

This file must not be called types.py: Python would take it, here and in rooms.py, for a module of its own.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
definition = re.compile(r"(?:struct|class|union|enum class|enum) ([A-Z]\w*)(?: final)?(?: :[^;]*)? \{")
found = {}
for file in sorted((root / "src").rglob("*.[ch]*")):
    is_hidden = False
    for line, text in enumerate(file.read_text().splitlines(), 1):
        if text == "namespace {":
            is_hidden = True
        elif text == "}  // namespace":
            is_hidden = False
        elif not is_hidden and (defined := definition.match(text)):
            found.setdefault(defined.group(1), []).append(f"{file.relative_to(root)}:{line}")

errors = [f"{name} is defined {len(places)} times: {', '.join(places)}" for name, places in found.items() if len(places) > 1]
print("\n".join(errors) or f"{len(found)} types, each with a name of its own")
sys.exit(bool(errors))
