#!/usr/bin/env python3
"""What scripts/lint must know of each source, whether it was compiled alone or in a batch (cmake/Batches.cmake).

    sources_alone.py BUILD_FOLDER FOLDER

Writes FOLDER/compile_commands.json, in which each source is compiled alone and with no header precompiled, for it must include
what it needs; and FOLDER/seen, with lines "SOURCE HEADER" of all headers of ours that a source sees, relative to the tree.
"""
import collections
import json
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def commands(build):
    members = collections.defaultdict(list)
    for line in (build / "batches.txt").read_text().splitlines():
        batch, file = line.split()
        members[batch].append(file)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        command = re.sub(r' -Winvalid-pch| -include (\\"[^"]*|\S*)cmake_pch\.hxx(\\")?| -fpch-preprocess', "", entry["command"])
        for file in members.get(entry["file"], [entry["file"]]):
            yield {"directory": entry["directory"], "file": file, "command": command.replace(entry["file"], file)}


def seen(source):
    """Headers under src/, directly or through others. Includes are written from there, or beside the file."""
    found, left = set(), [source]
    while left:
        file = left.pop()
        for name in INCLUDE.findall(file.read_text()):
            for header in (file.parent / name, root / "src" / name):
                if header.is_file() and header not in found:
                    found.add(header)
                    left.append(header)
    return found


build, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
(folder / "compile_commands.json").write_text(json.dumps(list(commands(build)), indent=1))
lines = [f"{source.relative_to(root)} {header.relative_to(root)}" for source in sorted((root / "src").rglob("*.cc")) for header in sorted(seen(source))]
(folder / "seen").write_text("".join(f"{line}\n" for line in lines))
