#!/usr/bin/env python3
"""Includes go one way: a room may include only itself and the rooms that its CMakeLists.txt names."""
import pathlib
import re
import sys

src = pathlib.Path(__file__).resolve().parents[2] / "src"
rooms = [p.name for p in sorted(src.iterdir()) if (p / "CMakeLists.txt").exists()]
order = re.search(r"foreach\(room (.*)\)", (src / "CMakeLists.txt").read_text()).group(1).split()
errors = [f"src/{room} is not in src/CMakeLists.txt" for room in rooms if room not in order]

for room in rooms:
    named = set(re.findall(r"culprit_([a-z]+)\b", (src / room / "CMakeLists.txt").read_text())) & set(rooms)
    for above in named - {room}:
        if order.index(above) > order.index(room):
            errors.append(f"src/{room} links {above}, which stands above it")
    for file in sorted(src.joinpath(room).rglob("*.[ch]*")):
        for line, text in enumerate(file.read_text().splitlines(), 1):
            included = re.match(r'#include "([a-z_]+)/', text)
            if included and included.group(1) in rooms and included.group(1) not in named | {room}:
                errors.append(f"{file.relative_to(src.parent)}:{line}: {room} includes {included.group(1)}, which it does not link")

print("\n".join(errors) or f"{len(rooms)} rooms, all includes go down")
sys.exit(bool(errors))
