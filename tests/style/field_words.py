#!/usr/bin/env python3
"""Old words in what users read: messages, --help and pages say one thing with one word, that of the field (docs/glossary.md).

    field_words.py             fails where a word of OLD stands in a text of the tool, in --help or on a page for users
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]

# What was said, and what is said now.
OLD = {
    r"\b(they|values|models) part\b": "mismatch, first mismatch",
    r"\bTHEY PART\b": "MISMATCH",
    r"\brounding explains\b": "expected rounding error",
    r"\bnoise floor\b": "expected rounding error",
    r"\b(the|whole|a) bundle\b|\bbundle of\b": "default passes, default pass list",
    r"\bsafe recipe\b": "safe list",
    r"\brecipes?\b": "pass list",
    r"\bsynthesized\b|\bmade[- ]up\b": "random inputs",
    r"\bbehind\b": "after",
    r"\bdecides? otherwise\b": "gives another prediction",
    r"\bmax error\b": "max abs error",
    r"\bmargin\b": "score gap",
    r"\bpictures?\b": "image",
}
# Names that flags, schemas, files and libraries have.
KEPT = re.compile(
    r"--data pictures|--task picture|`[^`]*`|'[^']*'|pictures_passed_over|docs/pictures|\]\([^)]*\)|picture wants an output"
    r"|[\w./-]*pictures?[./][\w./*-]*|\|picture\b")
# For those who build the tool, and the list of the words itself.
OTHER_PAGES = {"docs/architecture.md", "docs/developing.md", "docs/guards.md", "docs/glossary.md", "docs/found.md"}
# Not for users: what a bug of ours says, and the letters of a file.
NOT_SHOWN = re.compile(r"logic_error|ErrorKind::internal|#include|CULBNDL1|is not a bundle of packs|GraphTransformer|watched over this recipe")


def texts_of_the_tool():
    for path in sorted((root / "src").rglob("*.cc")) + sorted((root / "src").rglob("*.h")):
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if line.strip().startswith("//") or NOT_SHOWN.search(line):
                continue
            for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line.split("///<")[0]):
                if " " in text.strip():
                    yield f"{path.relative_to(root)}:{number}", text


def prose_of_pages():
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        name = str(path.relative_to(root))
        if name in OTHER_PAGES:
            continue
        is_code = False
        for number, line in enumerate(path.read_text().split("\n"), 1):
            is_code ^= line.startswith("```")
            if not is_code and not line.startswith("    "):
                yield f"{name}:{number}", line


def main():
    found = 0
    for place, text in [*texts_of_the_tool(), *prose_of_pages()]:
        plain = KEPT.sub(" ", text)
        for old, new in OLD.items():
            if match := re.search(old, plain, re.IGNORECASE if old.startswith(r"\b(the|") else 0):
                print(f"{place}: '{match.group(0)}' is said as '{new}' (docs/glossary.md): {text.strip()[:110]}")
                found += 1
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
