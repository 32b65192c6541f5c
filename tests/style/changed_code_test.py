#!/usr/bin/env python3
"""scripts/changed_code.py: comments and spaces are no code, and what only looks like a comment is."""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from changed_code import code_of  # noqa: E402

SAME = [("int a;  // one\n", "int a;\n"), ("int a; /* b\n c */ int d;", "int a; int d;"), ("a\n\n\n  b", "a b"), ("/// doc\nint f();", "int f();")]
OTHER = [('f("// no comment");', 'f("");'), ("f('\"'); // x", "f('\\''); // x"), ('R"(a // b)"', 'R"(a)"'), ("a;  // NOLINT(x)", "a;"),
         ("int a;", "int b;"), ('"\\"//" ;', '"\\"" ;')]

errors = [f"{a!r} and {b!r} are to be the same code" for a, b in SAME if code_of(a) != code_of(b)]
errors += [f"{a!r} and {b!r} are to be other code" for a, b in OTHER if code_of(a) == code_of(b)]
print("\n".join(errors) or f"{len(SAME) + len(OTHER)} pairs are told apart as they should")
sys.exit(bool(errors))
