#!/usr/bin/env python3
"""No code decides by looking into a text made for people: what is decided is a field or an enum, and words are made of it."""
import pathlib
import re
import sys

src = pathlib.Path(__file__).resolve().parents[2] / "src"
text = r"(?:\b(?:message|note|reason|direction)|(?:\.|->)(?:what|words|why|text|failure))\b"
rules = [
    # message.find("..."), note.starts_with(some_word), text.substr(0, ...)
    re.compile(text + r"\.(?:find|rfind|starts_with|ends_with|substr|compare)\("),
    re.compile(text + r"\.contains\(\""),  # of a set of words it is no look into a text
    # message == "...", "..." == message; "" is no prose
    re.compile(text + r"\s*[!=]=\s*\"(?!\")"),
    re.compile(r"[^\"\s]\"\s*[!=]=\s*[\w.\->]*" + text),
]
# file: part of the line: why it may
allowed = {
    ("src/basics/base/error.cc", "message.ends_with('?')"): "only the punctuation of a line",
    ("src/jobs/check/external/external_executor.cc", "checking the model"): "the last words of a process that died; no field tells",
    ("src/jobs/twin/twin.cc", "error.message.starts_with(name)"): "only does not say the name twice",
    ("src/judging/judge/judge.cc", "b.note.find(a.note)"): "only leaves out a note that the other one says already; no decision",
    ("src/judging/judge/judge.cc", "a.note.find(b.note)"): "the same",
}

errors = []
used = set()
for file in sorted(src.rglob("*.[ch]*")):
    name = str(file.relative_to(src.parent))
    if name.startswith("src/models/model/"):  # ONNX's own fields
        continue
    for line, code in enumerate(file.read_text().splitlines(), 1):
        code = re.sub(r"//.*", "", code)
        if not any(rule.search(code) for rule in rules):
            continue
        excuse = next((key for key in allowed if key[0] == name and key[1] in code), None)
        used.add(excuse)
        if excuse is None:
            errors.append(f"{name}:{line}: decides by a text made for people: {code.strip()}")
errors += [f"{file}: '{part}' is allowed and not there" for file, part in set(allowed) - used]

print("\n".join(errors) or "no code reads what is made for people")
sys.exit(bool(errors))
