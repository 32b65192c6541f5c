#!/usr/bin/env python3
"""Writes python/culprit/records.py, the dataclasses of Culprit's reports, from the JSON schemas in docs.

scripts/records.py writes the file. scripts/records.py --check exits with 1 if the file is not what the schemas give.
"""

from __future__ import annotations

import argparse
import json
import keyword
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "python" / "culprit" / "records.py"
SCHEMAS = {
    "Check": "report",
    "Compare": "compare",
    "Evaluate": "eval",
    "Profile": "profile",
    "Diagnose": "diagnosis",
    "Repair": "repair",
}
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
WORDS_OF_NUMBERS = {"nan", "inf", "-inf"}
WIDTH = 116
HEAD = '''"""The records of Culprit's reports: a frozen dataclass for each object of the JSON.

scripts/records.py made this file from docs/*.schema.json. Change the schemas, and run it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple
'''

Schema = dict[str, Any]


def camel(words: str) -> str:
    """model_report -> ModelReport"""
    return "".join(word[:1].upper() + word[1:] for word in words.split("_"))


def singular(word: str) -> str:
    """What one item of this field is called: warnings -> warning, classes -> class."""
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def field_name(key: str) -> str:
    """The name in Python: a keyword gets an underscore behind it."""
    return key + "_" if keyword.iskeyword(key) else key


def sentences(text: str, indent: str, first: str = "", rest: str = "") -> str:
    """The text in lines of the width."""
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=indent + first,
        subsequent_indent=indent + rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


class Maker:
    """Makes the classes of one schema. All their names begin with the same word, so that they stay what they are."""

    def __init__(self, prefix: str, schema: Schema) -> None:
        self.prefix = prefix
        self.schema = schema
        self.definitions: Schema = schema.get("definitions", {})
        self.classes: dict[str, str] = {}

    def make(self) -> list[str]:
        """The text of each class, the whole report first."""
        root = f"{self.prefix}Record"
        self.class_of(root, self.schema)
        return list(self.classes.values())

    def type_of(self, schema: Schema, name: str) -> tuple[str, bool]:
        """The type of a value, and whether it may be null. A class that has to be made is called `name`."""
        if "$ref" in schema:
            target = schema["$ref"].rsplit("/", 1)[-1]
            return self.type_of(self.definitions[target], self.prefix + camel(target))
        if "anyOf" in schema:
            return self.type_of_choice(schema["anyOf"], name)
        if "enum" in schema:
            return "str", None in schema["enum"]
        if "const" in schema:
            return "str", False
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        nullable = "null" in kinds
        kind = next(kind for kind in kinds if kind != "null") if kinds != ["null"] else "null"
        if kind in SCALARS:
            return SCALARS[kind], nullable
        if kind == "array":
            return f"Tuple[{self.item_of(schema['items'], name)}, ...]", nullable
        return self.type_of_object(schema, name), nullable

    def type_of_choice(self, choices: list[Schema], name: str) -> tuple[str, bool]:
        """Of `anyOf`: null and one other, or a number that may be the word nan or inf."""
        others = [choice for choice in choices if choice.get("type") != "null"]
        may_be_null = len(others) < len(choices)
        numbers = [choice for choice in others if not set(choice.get("enum", [])) & WORDS_OF_NUMBERS]
        if len(numbers) != 1:
            raise SystemExit(f"{name}: this script does not know what to make of {choices}")
        found, nullable = self.type_of(numbers[0], name)
        return found, nullable or may_be_null

    def type_of_object(self, schema: Schema, name: str) -> str:
        """A class of its own, or a dict if the keys are names of things."""
        if schema.get("properties"):
            self.class_of(name, schema)
            return name
        values = schema.get("additionalProperties")
        if not isinstance(values, dict):
            return "Dict[str, Any]"
        return f"Dict[str, {self.item_of(values, name)}]"

    def item_of(self, schema: Schema, name: str) -> str:
        """The type of what a list or a dict holds."""
        found, nullable = self.type_of(schema, singular(name))
        return f"Optional[{found}]" if nullable else found

    def class_of(self, name: str, schema: Schema) -> None:
        """Makes the text of a class, once. Fields that a report may lack come last, and are then None."""
        if name in self.classes:
            return
        self.classes[name] = ""
        required = set(schema.get("required", []))
        keys = list(schema["properties"])
        lines = ["@dataclass(frozen=True)", f"class {name}:", self.docstring(name, schema), ""]
        for key in [*(k for k in keys if k in required), *(k for k in keys if k not in required)]:
            lines += self.lines_of_field(name, key, schema["properties"][key], key in required)
        self.classes[name] = "\n".join(lines) + "\n"

    def docstring(self, name: str, schema: Schema) -> str:
        """What the schema says of the object."""
        text = schema.get("description") or f"A part of what `{self.schema['title']}` holds."
        if schema is self.schema:
            text = f"A whole report: {schema['properties']['schema']['const']}."
        text = text.replace("\\", "/").replace('"""', "''")
        text += "" if text.endswith((".", "?", "!")) else "."
        if len(" ".join(text.split())) + 7 <= WIDTH:
            return sentences(text, "    ", '"""') + '"""'
        return sentences(text, "    ", '"""') + '\n    """'

    def lines_of_field(self, owner: str, key: str, schema: Schema, required: bool) -> list[str]:
        """The comment and the line of a field."""
        found, nullable = self.type_of(schema, owner.removesuffix("Record") + camel(key))
        text = schema.get("description", "")
        lines = [sentences(text, "    ", "#: ", "#: ")] if text else []
        kind = found if required and not nullable else f"Optional[{found}]"
        return [*lines, f"    {field_name(key)}: {kind}" + ("" if required else " = None")]


def text_of_records() -> str:
    """The whole file."""
    parts = [HEAD]
    roots = []
    for prefix, name in SCHEMAS.items():
        schema = json.loads((ROOT / "docs" / f"{name}.schema.json").read_text(encoding="utf-8"))
        parts += Maker(prefix, schema).make()
        roots.append((schema["properties"]["schema"]["const"], f"{prefix}Record"))
    parts.append(
        "#: The record of a whole report, by its `schema`.\nRECORDS: Dict[str, Any] = {\n"
        + "".join(f'    "{schema}": {record},\n' for schema, record in roots)
        + "}\n"
    )
    return "\n\n".join(parts)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the file is another one")
    made = text_of_records()
    if not arguments.parse_args().check:
        TARGET.write_text(made, encoding="utf-8")
        return 0
    there = TARGET.read_text(encoding="utf-8") if TARGET.is_file() else ""
    if there == made:
        return 0
    print(f"{TARGET.relative_to(ROOT)} is not what the schemas give: run scripts/records.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
