#!/usr/bin/env python3
"""Names of one kind look alike: constants are snake_case, as all values are, and not kPascalCase."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]

# What libraries call so stands behind "::" or is no definition.
CONSTANT = re.compile(r"\b(?:constexpr|const)\b[^;={]*?(?<![:\w\"])(k[A-Z]\w*)(?:\[[^\]]*\])*\s*[={;]")
NEXT_CONSTANT = re.compile(r"\bconstexpr\b.*,\s*(k[A-Z]\w*)\s*[={]")


def complaints(text):
    """Pairs of a line's number and what is wrong there."""
    for number, line in enumerate(text.split("\n"), 1):
        for constant in (CONSTANT.search(line), NEXT_CONSTANT.search(line)):
            if constant:
                yield number, f"the constant {constant.group(1)} is to be snake_case"


def test_this():
    wrong = ["constexpr int kMost = 3;", "const char* const kModel = R\"(", "constexpr int few = 1, kMany = 2;", "static const std::map<F()> kDeeds{"]
    right = ["constexpr int most = 3;", "const auto type = onnx::TypeProto::kMapType;", "const int a = b.kMapType;", 'constexpr std::string_view units = " kMGTPE";']
    for line in wrong:
        assert list(complaints(line)), line
    for line in right:
        assert not list(complaints(line)), line


test_this()
errors = []
for folder in ("src", "tests", "examples"):
    for file in sorted((root / folder).rglob("*")):
        if file.suffix in (".cc", ".h"):
            errors += [f"{file.relative_to(root)}:{number}: {what}" for number, what in complaints(file.read_text())]
print("\n".join(errors) or "names of one kind look alike")
sys.exit(bool(errors))
