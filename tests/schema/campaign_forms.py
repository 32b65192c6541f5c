#!/usr/bin/python3
"""Is a campaign that `culprit show` wrote for other programs what these programs read?

    campaign_forms.py junit|sarif FILE             FILE must be right
    campaign_forms.py --corrupt junit|sarif FILE   FILE must be right, and every corruption of it must be found

junit: what the XSD of Jenkins and of most readers asks for, and counts that fit. sarif: what SARIF 2.1.0 (OASIS) and
code scanning on GitHub ask of what we write.
"""
import copy
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

WHOLE = re.compile(r"\d+\Z")
SECONDS = re.compile(r"\d+\.\d+\Z")
URI = re.compile(r"(?:[A-Za-z0-9._~/!$&'()*+,;=@-]|%[0-9A-F]{2})+\Z")
LEVELS = {"none", "note", "warning", "error"}
JUNIT = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "time"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"message"},
}
CHILDREN = {"testsuites": {"testsuite"}, "testsuite": {"testcase"}, "testcase": {"failure", "error", "skipped"}}


def expect(holds, what):
    if not holds:
        raise ValueError(what)


def check_element(element):
    expect(element.tag in JUNIT, f"an element {element.tag}")
    expect(set(element.attrib) == JUNIT[element.tag], f"{element.tag} has {sorted(element.attrib)}")
    for name, value in element.attrib.items():
        if name in ("tests", "failures", "errors", "skipped"):
            expect(WHOLE.match(value), f"{name} of {element.tag} is {value}")
        elif name == "time":
            expect(SECONDS.match(value), f"time of {element.tag} is {value}")
        else:
            expect(value.strip(), f"{name} of {element.tag} is empty")
    for child in element:
        expect(child.tag in CHILDREN.get(element.tag, ()), f"{child.tag} in {element.tag}")
        check_element(child)


def check_counts(element):
    cases = list(element.iter("testcase"))
    found = {"tests": len(cases)}
    for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        found[count] = sum(1 for case in cases if case.find(tag) is not None)
    for count, number in found.items():
        if count in element.attrib:
            expect(int(element.get(count)) == number, f"{count} of {element.tag} is {element.get(count)}, not {number}")


def check_junit(text):
    root = ElementTree.fromstring(text)
    expect(root.tag == "testsuites", f"the root is {root.tag}")
    check_element(root)
    check_counts(root)
    for suite in root:
        check_counts(suite)
        for case in suite:
            expect(len(case) <= 1, "a test case with two results")
    for failure in root.iter("failure"):
        expect("culprit" in (failure.text or ""), "a failure without what repeats it")


def check_text(message, what):
    expect(isinstance(message, dict) and isinstance(message.get("text"), str) and message["text"], f"{what} has no text")


def check_location(location):
    place = location["physicalLocation"]
    uri = place["artifactLocation"]["uri"]
    expect(URI.match(uri) and not uri.startswith("//"), f"the URI {uri!r} is no relative one")
    line = place["region"]["startLine"]
    expect(isinstance(line, int) and line >= 1, f"a region begins in line {line}")
    for logical in location.get("logicalLocations", []):
        for key in ("name", "fullyQualifiedName", "kind"):
            expect(isinstance(logical.get(key), str) and logical[key], f"a logical location without {key}")


def check_result(result, rules):
    index = result["ruleIndex"]
    expect(isinstance(index, int) and 0 <= index < len(rules), f"there is no rule {index}")
    expect(rules[index]["id"] == result["ruleId"], f"rule {index} is not {result['ruleId']}")
    expect(result["level"] in LEVELS, f"the level is {result['level']}")
    check_text(result["message"], "a result")
    expect(result["locations"], "a result without a location")
    for location in result["locations"]:
        check_location(location)
    for name, value in result["partialFingerprints"].items():
        expect(name and isinstance(value, str), "a fingerprint that is no text")
    for suppression in result.get("suppressions", []):
        expect(suppression["kind"] in ("inSource", "external"), f"a suppression is {suppression['kind']}")


def check_sarif(text):
    log = json.loads(text)
    expect(log["version"] == "2.1.0", "the version")
    expect(log["$schema"].startswith("https://") and log["$schema"].endswith(".json"), "the schema")
    expect(log["runs"], "no run")
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        expect(isinstance(driver["name"], str) and driver["name"], "the driver has no name")
        rules = driver["rules"]
        ids = [rule["id"] for rule in rules]
        expect(len(set(ids)) == len(ids), "an id of a rule twice")
        for rule in rules:
            check_text(rule["shortDescription"], "a rule")
            check_text(rule["fullDescription"], "a rule")
        expect(isinstance(run["results"], list), "the results are no list")
        for result in run["results"]:
            check_result(result, rules)


def complaint(form, text):
    """What is wrong with it, or None."""
    try:
        (check_junit if form == "junit" else check_sarif)(text)
    except (ValueError, KeyError, TypeError, IndexError, ElementTree.ParseError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def junit_corruptions(text):
    """(name, corrupted text). The file must have a failure, an error and a skipped case."""
    yield "cut off", text[: len(text) // 2]
    yield "a control character", text.replace("<failure", "\x01<failure", 1)
    yield "a count that is wrong", re.sub(r' tests="\d+" ', ' tests="1000" ', text, count=1)
    yield "failures of a suite", re.sub(r'(<testsuite .*?failures=")\d+', r"\g<1>1000", text, count=1)
    yield "a case with two results", text.replace("<failure", '<skipped message="x"/><failure', 1)
    yield "no message", re.sub(r'<failure type="fault" message="[^"]*"', '<failure type="fault"', text, count=1)
    yield "an empty message", re.sub(r'(<failure type="fault" message=)"[^"]*"', r'\1""', text, count=1)
    yield "nothing that repeats it", re.sub(r"(<failure [^>]*>)[^<]*", r"\1", text, count=1)
    yield "a time that is none", re.sub(r'time="[^"]*"', 'time="soon"', text, count=1)
    yield "an attribute of nobody", text.replace("<testcase ", '<testcase mood="good" ', 1)
    yield "an element of nobody", text.replace("<error", "<mistake/><error", 1)
    yield "a bare ampersand", text.replace("<skipped message=\"", "<skipped message=\"a & b", 1)


def sarif_corruptions(text):
    """(name, corrupted text). The file must have two rules and a result with a logical location first."""

    def edited(edit):
        log = copy.deepcopy(json.loads(text))
        edit(log["runs"][0])
        return json.dumps(log)

    def first(run):
        return run["results"][0]

    def place(run):
        return first(run)["locations"][0]

    yield "another version", text.replace('"2.1.0"', '"2.0.0"', 1)
    yield "no schema", text.replace('"$schema"', '"schema"', 1)
    yield "no name", edited(lambda run: run["tool"]["driver"].pop("name"))
    yield "a rule twice", edited(lambda run: run["tool"]["driver"]["rules"].append(run["tool"]["driver"]["rules"][0]))
    yield "another rule", edited(lambda run: first(run).update(ruleIndex=first(run)["ruleIndex"] + 1))
    yield "no such rule", edited(lambda run: first(run).update(ruleIndex=1000))
    yield "no message", edited(lambda run: first(run)["message"].update(text=""))
    yield "a level of nobody", edited(lambda run: first(run).update(level="bad"))
    yield "no region", edited(lambda run: place(run)["physicalLocation"].pop("region"))
    yield "line 0", edited(lambda run: place(run)["physicalLocation"]["region"].update(startLine=0))
    yield "a space in a URI", edited(lambda run: place(run)["physicalLocation"]["artifactLocation"].update(uri="a b"))
    yield "a host in a URI", edited(lambda run: place(run)["physicalLocation"]["artifactLocation"].update(uri="//a/b"))
    yield "a logical location", edited(lambda run: place(run)["logicalLocations"][0].pop("fullyQualifiedName"))
    yield "no location", edited(lambda run: first(run).update(locations=[]))


def main(arguments):
    corrupt = arguments[:1] == ["--corrupt"]
    form, path = arguments[corrupt:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = complaint(form, text)
    print(f"{path}: {found or 'valid'}")
    wrong = found is not None
    if corrupt and not wrong:
        for name, bad in (junit_corruptions if form == "junit" else sarif_corruptions)(text):
            found = complaint(form, bad)
            print(f"  {name}: {found or 'NOT FOUND'}")
            wrong = wrong or found is None or bad == text
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
