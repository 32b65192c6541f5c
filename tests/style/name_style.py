#!/usr/bin/env python3
"""Names of one kind look alike: constants are snake_case, as all values are, suites of tests and their tests PascalCase."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]

# What libraries call so stands behind "::" or is no definition.
CONSTANT = re.compile(r"\b(?:constexpr|const)\b[^;={]*?(?<![:\w\"])(k[A-Z]\w*)(?:\[[^\]]*\])*\s*[={;]")
NEXT_CONSTANT = re.compile(r"\bconstexpr\b.*,\s*(k[A-Z]\w*)\s*[={]")
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
PASCAL_CASE = re.compile(r"[A-Z][A-Za-z0-9]*")


def complaints(text):
    """Pairs of a line's number and what is wrong there."""
    for number, line in enumerate(text.split("\n"), 1):
        for constant in (CONSTANT.search(line), NEXT_CONSTANT.search(line)):
            if constant:
                yield number, f"the constant {constant.group(1)} is to be snake_case"
    for test in TEST.finditer(text):
        for name in test.groups():
            if not PASCAL_CASE.fullmatch(name):
                yield text.count("\n", 0, test.start()) + 1, f"the name {name} of a test is to be PascalCase"


def test_this():
    wrong = ["constexpr int kMost = 3;", "const char* const kModel = R\"(", "constexpr int few = 1, kMany = 2;", "static const std::map<F()> kDeeds{", "TEST(Models, are_read) {", "TEST_P(each_model, IsRead) {"]
    right = ["constexpr int most = 3;", "const auto type = onnx::TypeProto::kMapType;", "const int a = b.kMapType;", 'constexpr std::string_view units = " kMGTPE";', "TEST_F(Models, AreReadIn2Ways) {"]
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
