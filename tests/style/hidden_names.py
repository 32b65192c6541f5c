#!/usr/bin/env python3
"""Files of one room, or of its unit tests, hide no two things under one name: they are compiled together (cmake/Batches.cmake).

Nor does a file hide what a header that it may see shows to all. A name that two files hide is one of two things. It is the same
rule written twice: then write it once. Or it says too little: then say what it is. Functions that take other types may share a
name. So may aliases of the same thing.
"""
import collections
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]

TYPE = re.compile(r"(?:struct|class|union|enum class|enum) (\w+)")
ALIAS = re.compile(r"(?:using|namespace) (\w+) = (.*);$")
FUNCTION = re.compile(r"(?:\[\[\w+\]\] )?[^=({]*?\b(\w+)\(")
VALUE = re.compile(r"[^={]*?\b(\w+)(?:\[[^\]]*\])*\s*(?:=|\{|;)")
NO_NAME = ("using ", "namespace ", "static_assert", "TEST", "INSTANTIATE", "MATCHER", "[[maybe_unused]]", "extern ")

# `kind`: "type", "alias", "value" or "function". `what`: of an alias what it stands for, of a function the types that it takes.
Name = collections.namedtuple("Name", "name kind what place")


def arguments(lines, at):
    """The types that the function whose head begins here takes, without their names; those with a default end in " =".

    Texts of all kinds are one type, for a literal fits them all.
    """
    text = " ".join(lines[at : at + 8])
    text = text[text.index("(") + 1 :]
    depth, parts, part = 0, [], ""
    for letter in text:
        if letter == ")" and depth == 0:
            break
        depth += (letter in "(<[{") - (letter in ")>]}")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    types = []
    for part in filter(None, map(str.strip, [*parts, part])):
        of_type = re.sub(r"\s*=.*|\s*/\*.*?\*/", "", part)
        if not re.fullmatch(r"const \w+", of_type):
            of_type = re.sub(r"(?<=[\w>&*\])])\s+\w+$", "", of_type)
        of_type = re.sub(r"\bfs::", "std::filesystem::", re.sub(r"([&*])\w+$", r"\1", of_type))
        of_type = re.sub(r"^(const std::string ?&|std::string_view|const char ?\*|std::string)$", "text", of_type)
        types.append(of_type + (" =" if " = " in part else ""))
    return tuple(types)


def names(file, in_hidden):
    """What stands in namespaces without a name, or else what stands outside of them."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', lambda found: "\n" * found.group(0).count("\n"), file.read_text(), flags=re.DOTALL)
    lines = text.split("\n")
    is_hidden, template = False, ""
    for at, line in enumerate(lines):
        place = f"{file.relative_to(root)}:{at + 1}"
        if line in ("namespace {", "}  // namespace"):
            is_hidden = line == "namespace {"
        elif line.startswith("template <"):
            template = line
        elif is_hidden == in_hidden and line and line[0] not in " }#/)":
            yield from names_in(lines, at, template, place)
            template = ""


def names_in(lines, at, template, place):
    line = lines[at]
    if alias := ALIAS.match(line):
        yield Name(alias.group(1), "alias", alias.group(2), place)
    elif of_type := TYPE.match(line):
        if not re.fullmatch(r"(struct|class) \w+;", line):
            yield Name(of_type.group(1), "type", "", place)
    elif line.startswith(NO_NAME):
        return
    elif (function := FUNCTION.match(line)) and not re.match(r"[^(]*[={]", line):
        is_definition_elsewhere = re.search(r"\b\w+::\w+\($", function.group(0))
        if not is_definition_elsewhere and (place.split(":")[0].endswith(".h") or not line.endswith(");")):
            yield Name(function.group(1), "function", (template, *arguments(lines, at)), place)
    elif value := VALUE.match(line):
        for name in {value.group(1), *re.findall(r", (\w+) = ", line if line.startswith("const") else "")}:
            yield Name(name, "value", "", place)


def one_call_fits_both(a, b):
    """Is there a number of arguments that both take, and are those of the same types?"""
    least = max(sum(not of_type.endswith(" =") for of_type in types) for types in (a, b))
    bare = [[of_type.removesuffix(" =") for of_type in types] for types in (a, b)]
    return any(bare[0][:count] == bare[1][:count] for count in range(least, min(len(a), len(b)) + 1))


def clash(a, b):
    if a.kind == b.kind == "alias":
        return a.what != b.what
    if a.kind == b.kind == "function":
        return one_call_fits_both(a.what, b.what)
    return True


def file_of(name):
    return name.place.split(":")[0]


def seen_rooms(name):
    """The room of that name, and those that it links."""
    links = re.findall(r"culprit_([a-z]+)\b", (places[name] / "CMakeLists.txt").read_text())
    return {places[link] for link in (name, *links) if link in places}


def rooms(home):
    return sorted(path for path in (root / home).glob("*/*") if path.is_dir())


def sources(room):
    """Those that are compiled together."""
    if room != integration:
        return [file for file in sorted(room.rglob("*.cc")) if file.name != "main.cc"]
    subjects = re.search(r"set\(subjects ([^)]*)\)", (integration / "CMakeLists.txt").read_text()).group(1).split()
    return [integration / f"{subject}_test.cc" for subject in subjects]


integration, support = root / "tests" / "integration", root / "tests" / "support"
places = {room.name: room for room in rooms("src")}
homes = {"src": rooms("src"), "tests/unit": rooms("tests/unit"), "tests": [integration]}
shown = {room: [name for file in sorted(room.rglob("*.h")) for name in names(file, False)] for room in [*sum(homes.values(), []), support]}
errors, count = set(), 0
for home, its_rooms in homes.items():
    for room in its_rooms:
        hidden = collections.defaultdict(list)
        for file in sources(room):
            for name in names(file, True):
                hidden[name.name].append(name)
        count += len(hidden)
        for seen in seen_rooms(room.name) if home == "src" else {room, support}:
            for name in shown.get(seen, []):
                errors |= {f"{name.name}: {name.place} shows that name to all, {other.place} hides it"
                           for other in hidden.get(name.name, []) if clash(name, other)}
        for alike in hidden.values():
            errors |= {f"{a.name}: {a.place} and {b.place}" for i, a in enumerate(alike) for b in alike[i + 1 :] if file_of(a) != file_of(b) and clash(a, b)}

print("\n".join(sorted(errors)) or f"{count} names of which no two files of a room hide two things")
sys.exit(bool(errors))
