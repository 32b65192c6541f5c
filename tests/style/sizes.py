#!/usr/bin/env python3
"""A function of src/ fits on a screen: at most 45 lines. A file is read at one go: at most 400 lines."""
import pathlib
import re
import sys

MOST_LINES, MOST_OF_FUNCTION = 400, 45
root = pathlib.Path(__file__).resolve().parents[2]
errors = []

# clang-format lays all of it out: what opens at the end of a line is closed by a brace in the same column. A head may take several lines.
OPENS = re.compile(r"^(\s*)(?!namespace|class|struct|enum|union|extern|using|if|else|for|while|do|switch|case|default|try|catch|return|}).*[)\w&>] ?(const|noexcept|override|final|&&|mutable|\s)*\{$")
HEAD_OF_NO_FUNCTION = re.compile(r"^\s*(\[\[\w+\]\] )?(inline |constexpr |static |const )*(namespace|class|struct|enum|union|extern)\b|=\s*(\w|:|<|>)*\{$|^\s*\{$|[(,]\s*\{$")


def functions(lines):
    for at, line in enumerate(lines):
        opened = OPENS.match(line)
        if not opened or HEAD_OF_NO_FUNCTION.search(line) or "(" not in "".join(lines[max(0, at - 6) : at + 1]):
            continue
        if re.search(r"\]\s*(\(.*\))?.*\{$", line) and not re.match(r"\s*\[\[", line):
            continue  # a lambda is part of the function that it stands in
        indent = opened.group(1)
        if line.lstrip().startswith(":") or lines[at].startswith("      "):  # behind a constructor's initializers
            indent = indent[: max(0, len(indent) - 4)]
        for end in range(at + 1, len(lines)):
            if lines[end].startswith(indent + "}"):
                yield at + 1, end - at - 1, line.strip()
                break


for folder in ("src", "tests", "hosts"):
    for file in sorted((root / folder).rglob("*")):
        if file.suffix not in (".cc", ".h", ".py", ".proto") or "__pycache__" in file.parts:
            continue
        lines = file.read_text().split("\n")
        where = file.relative_to(root)
        if len(lines) - 1 > MOST_LINES:
            errors.append(f"{where}: {len(lines) - 1} lines, at most {MOST_LINES}: part it by meaning")
        if file.suffix in (".cc", ".h") and folder == "src":
            errors += [f"{where}:{line}: {length} lines in {head}" for line, length, head in functions(lines) if length > MOST_OF_FUNCTION]

print("\n".join(errors) or "no file and no function is too long")
sys.exit(bool(errors))
