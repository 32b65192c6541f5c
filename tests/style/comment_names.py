#!/usr/bin/env python3
"""Do comments name what is there? Files are renamed, and nobody looks through the comments then.

A file that a comment of src or tests names (`judge.h`, `judge/judge.h`, `docs/judging.md`) is one of the tree, or the end of
its path. No comment cites a section of DESIGN, which is not in the tree: it says the rule itself, or names a page of docs.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
NAMED = re.compile(r"(?<![\w./*<>{}-])(?:[\w.-]+/)*[\w-][\w.-]*\.(?:cc|h|py|md|proto|cmake)\b(?![\w/*(]|\.\w)")
# Files that are not of this tree, and whose they are.
FOREIGN = {
    "ai_edge_litert/schema_py_generated.py": "LiteRT",
    "docs/ContribOperators.md": "ONNX Runtime",
    "docs/IR.md": "ONNX",
    "docs/docsgen/source/technical/float8.md": "ONNX",
    "float4.md": "ONNX",
    "loader.cc": "TensorFlow",
    "onnx-data.proto": "ONNX",
    "onnx.proto": "ONNX",
    "onnx/common/ir_pb_converter.cc": "ONNX",
    "onnxruntime/core/graph/contrib_ops/nchwc_schema_defs.cc": "ONNX Runtime",
    "Operators.md": "ONNX",
    "pycocotools/cocoeval.py": "pycocotools",
    "types.proto": "TensorFlow",
    "utils/augmentations.py": "YOLOv5",
    "val.py": "YOLOv5",
    "a/b.h": "an example of a path",
    "onnxoptimizer/passes/file.h": "an example of a path",
    "NAME_task.cc": "a pattern",
    "profile.md": "written into a run folder",
}
# Comments that wait for another change of their file.


def files_of(folder):
    for path in folder.iterdir():
        if path.name in {".git", "build", ".culprit", "__pycache__"}:
            continue
        yield from files_of(path) if path.is_dir() else [path.relative_to(root).as_posix()]


def comment_of(line, mark):
    """What stands after the first `mark` that is in no string."""
    bare = re.sub(r'"(?:\\.|[^"\\])*"', lambda text: "_" * len(text[0]), line)
    at = re.search(rf"(?:^|\s){mark}", bare)
    return line[at.end():] if at else ""


def claims(file):
    """(line number, word) of all that the comments of a file claim to be there."""
    mark = "#" if file.suffix == ".py" else "//"
    for number, line in enumerate(file.read_text(errors="replace").split("\n"), 1):
        comment = comment_of(line, mark)
        yield from ((number, word) for word in NAMED.findall(comment))
        yield from ((number, word) for word in re.findall(r"DESIGN\b.{0,14}", comment))


def main():
    files = list(files_of(root))
    ends = {"/".join(file.split("/")[start:]) for file in files for start in range(file.count("/") + 1)}
    errors, used = [], set()
    for file in sorted(path for folder in ("src", "tests") for path in (root / folder).rglob("*")):
        if file.suffix not in {".cc", ".h", ".py"}:
            continue
        for line, word in claims(file):
            if word in FOREIGN:
                used.add(word)
            elif word not in ends:
                errors.append(f"{file.relative_to(root)}:{line}: {word}: there is no such thing")
    errors += [f"{listed} is listed, and no comment names it" for listed in FOREIGN if listed not in used]
    print("\n".join(errors) or "comments name what is there")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
