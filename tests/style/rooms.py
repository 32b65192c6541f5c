#!/usr/bin/env python3
"""Includes go one way: a room may include only itself and the rooms that its CMakeLists.txt names, and names no other.

src/CMakeLists.txt lists the rooms, wing by wing, from the ground up. Arrows between wings go down as well, for a wing stands in one
piece in that list."""
import pathlib
import re
import sys

src = pathlib.Path(__file__).resolve().parents[2] / "src"
places = {file.parent.name: file.parent for file in sorted(src.glob("*/*/CMakeLists.txt"))}
listed = re.search(r"foreach\(room\s([^)]*)\)", (src / "CMakeLists.txt").read_text()).group(1).split()
order = [place.split("/")[1] for place in listed]
wings = [place.split("/")[0] for place in listed]
errors = [f"{place.relative_to(src.parent)} is not in src/CMakeLists.txt" for room, place in places.items() if room not in order]
errors += [f"the wing {wing} stands in two pieces in src/CMakeLists.txt" for i, wing in enumerate(wings) if wing in wings[:i] and wings[i - 1] != wing]
errors += [f"two rooms are called {room}" for i, room in enumerate(order) if room in order[:i]]
arrows = set()

for room, place in places.items():
    named = set(re.findall(r"culprit_([a-z]+)\b", (place / "CMakeLists.txt").read_text())) & set(places) - {room}
    used = set()
    for file in sorted(place.rglob("*.[ch]*")):
        for line, text in enumerate(file.read_text().splitlines(), 1):
            included = re.match(r'#include "([a-z_]+)/', text)
            if not included or included.group(1) not in places or included.group(1) == room:
                continue
            used.add(included.group(1))
            if included.group(1) not in named:
                errors.append(f"{file.relative_to(src.parent)}:{line}: {room} includes {included.group(1)}, which it does not link")
    errors += [f"{room} links {above}, which stands above it" for above in sorted(named) if order.index(above) > order.index(room)]
    errors += [f"{room} links {other}, and includes nothing of it" for other in sorted(named - used)]
    arrows |= {(place.parent.name, places[other].parent.name) for other in used}

between = sum(one != other for one, other in arrows)
print("\n".join(errors) or f"{len(places)} rooms in {len(set(wings))} wings, all includes go down; {between} arrows between wings")
sys.exit(bool(errors))
