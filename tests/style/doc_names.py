#!/usr/bin/env python3
"""Do the documents name what is there? Files and tests are renamed, and nobody looks through the pages then.

In README.md, examples/README.md and the pages below docs/: links lead to files and headings that exist; `a/b.cc` and the like is a file
of the tree or the end of its path; `x_test` is a file of tests; `Suite.*`, `Suite.name` and `Suite.name...` are tests. docs/README.md links to every page
below docs.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = {".git", "build", ".culprit"}


def files_of(folder):
    for path in folder.iterdir():
        if path.name in SKIPPED:
            continue
        yield from files_of(path) if path.is_dir() else [path.relative_to(root).as_posix()]


def test_names(files):
    texts = (file for file in files if file.startswith("tests/") and file.endswith(".cc"))
    found = set()
    for file in texts:
        for suite, name in re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)", (root / file).read_text(), re.MULTILINE):
            found.add(f"{suite}.{name}")
    return found


def anchors_of(page):
    """GitHub's names for the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors_of(file)):
            yield target


def pages_without_link(index, pages):
    linked = {(index.parent / target.partition("#")[0]).resolve() for target in re.findall(r"\]\(([^)\s]+)\)", index.read_text())}
    return [page for page in pages if page.resolve() not in linked and page != index]


def is_there(word, files, tests):
    """Of a word in backticks; True of words that claim nothing."""
    if re.fullmatch(r"[\w/]+/\w+\.(cc|h|py)", word):
        return any(file == word or file.endswith("/" + word) for file in files)
    if re.fullmatch(r"\w+_test(\.cc)?", word):
        return any(pathlib.Path(file).stem == word.removesuffix(".cc") for file in files)
    if match := re.fullmatch(r"([A-Z]\w+)\.(\*|\w+)(\.\.\.)?", word):
        suite, name, is_part = match.groups()
        wanted = f"{suite}." + ("" if name == "*" else name)
        suites = {test.split(".")[0] for test in tests}
        if suite not in suites:  # in capitals it is no test: README.md
            return name != "*" and not is_part
        return any(test.startswith(wanted) if name == "*" or is_part else test == wanted for test in tests)
    return True


def main():
    files = list(files_of(root))
    tests = test_names(files)
    index, pages = root / "docs" / "README.md", sorted((root / "docs").rglob("*.md"))
    errors = [f"{page.relative_to(root)}: docs/README.md does not link to it" for page in pages_without_link(index, pages)]
    for page in [root / "README.md", root / "examples" / "README.md", *pages]:
        for number, line in enumerate(page.read_text().split("\n"), 1):
            bad = list(broken_links(page, line))
            bad += [word for word in re.findall(r"`([^`]+)`", line) if not is_there(word, files, tests)]
            errors += [f"{page.relative_to(root)}:{number}: {word}: there is no such thing" for word in bad]
    print("\n".join(errors))
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
