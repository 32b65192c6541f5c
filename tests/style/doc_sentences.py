#!/usr/bin/env python3
"""Are the pages written in plain sentences?

Over README.md and docs/**/*.md, but for docs/found.md, it counts

- sentences of more than 35 words, and, in 1,000 words of all pages together,
- "what" that stands for a thing ("what it prints is kept"), in place of its name,
- clauses that begin with "where" ("where a model does not load") or "of which".

Questions are no such thing, asked ("What is wrong?") or told ("it says what is wrong"). Code, tables, code spans, quoted output
and headings are left out. It fails above the limits below, which only go down.

    doc_sentences.py               the three worst pages, and an error above a limit
    doc_sentences.py PAGE...       every long sentence, "what" and "where" of these pages, by line
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = {"docs/found.md"}  # it quotes what others published
LONGEST = 35                  # words of a sentence
LIMITS = {"long": 0, "what": 0.4, "where": 0.1}  # sentences in all; in 1,000 words
NO_END = re.compile(r"\b(?:e\.g|i\.e|et al|vs|No|cf)\.$|\b[C-Z]\.$")
TOLD = re.compile(r"\b(?:ask|explain|know|learn|list|name|print|say|see|show|tell)(?:s|ed|n|ing)?(?: exactly| you)? $|\btold $")


def paragraphs(lines):
    """(number of the first line, text): paragraphs and items of lists, without code, tables and headings."""
    found, fenced = [], False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    ") and not re.match(r" +(?:[-*]|\d+\.) ", line) or re.match(r"\s*\||#|!\[|\[!", line):
            found.append((number, ""))
        elif not line.strip() or re.match(r" *(?:[-*]|\d+\.) ", line):
            found.append((number, re.sub(r"^ *(?:[-*]|\d+\.) ", "", line)))
        elif found and found[-1][1]:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line)
        else:
            found.append((number, line))
    return [(number, text) for number, text in found if text.strip()]


def plain(text):
    """Without marks: a code span and a link's address count as one word, quoted text as none."""
    text = re.sub(r"`[^`]*`", "code", text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    text = re.sub(r"\"[^\"\n]*(?:\n[^\"\n]*)?\"", "quoted", text)
    return re.sub(r"[\[\]*]", "", text)


def sentences(number, text):
    """(line, words) of each sentence of a paragraph. Colons and semicolons end none."""
    at, begun = number, []
    for piece in re.split(r"(\s+)", plain(text)):
        if not piece.strip():
            number += piece.count("\n")
            continue
        at = at if begun else number
        begun.append(piece)
        if re.search(r"[.!?][)'\"]*$", piece) and not NO_END.search(piece):
            yield at, begun
            begun = []
    if begun:
        yield at, begun


def is_word(piece):
    return re.search(r"\w", piece) is not None


def faults_of(words):
    """(kind, words around it) of a sentence."""
    text = " ".join(words)
    if sum(map(is_word, words)) > LONGEST:
        yield "long", text
    if text.endswith("?"):
        return
    for kind, pattern in (("what", r"\b[Ww]hat\b"), ("where", r"\b(?:[Ww]here|of which)\b")):
        for match in re.finditer(pattern, text):
            if not TOLD.search(text[:match.start()]):
                yield kind, text[max(0, match.start() - 30):match.end() + 40]


def look_at(page):
    """The number of words, and (line, kind, text) of what was found."""
    count, found = 0, []
    for number, text in paragraphs(page.read_text().split("\n")):
        for line, words in sentences(number, text):
            count += sum(map(is_word, words))
            found += [(line, kind, shown) for kind, shown in faults_of(words)]
    return count, found


def pages():
    return [page for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))] if page.relative_to(root).as_posix() not in LEFT_OUT]


def main():
    if sys.argv[1:]:
        for page in map(pathlib.Path, sys.argv[1:]):
            for line, kind, text in look_at(page)[1]:
                print(f"{page}:{line}: {kind}: {text}")
        return 0
    looked = {page.relative_to(root).as_posix(): look_at(page) for page in pages()}
    words = sum(count for count, _ in looked.values())
    sums = {kind: sum(k == kind for _, found in looked.values() for _, k, _ in found) for kind in LIMITS}
    figures = {kind: count if kind == "long" else 1000 * count / words for kind, count in sums.items()}
    print(f"{words} words: {sums['long']} sentences above {LONGEST} words; in 1,000 words {figures['what']:.2f} what, {figures['where']:.2f} where")
    worst = sorted(looked.items(), key=lambda item: -len(item[1][1]) / max(item[1][0], 300))[:3]
    for name, (count, found) in worst:
        by_kind = ", ".join(f"{sum(k == kind for _, k, _ in found)} {kind}" for kind in LIMITS)
        print(f"  {name}: {by_kind} in {count} words")
    errors = [f"{kind}: {figures[kind]:.2f}, and at most {limit} are allowed: {pathlib.Path(__file__).name} PAGE shows them"
              for kind, limit in LIMITS.items() if figures[kind] > limit]
    print("\n".join(errors))
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
