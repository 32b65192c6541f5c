#!/usr/bin/python3
"""Validates report.json files against docs/report.schema.json, more strictly than the published schema does.

    validate.py SCHEMA REPORT...         every REPORT must be valid
    validate.py --corrupt SCHEMA REPORT  REPORT must be valid, and every corruption in corruptions() must be found

Strict: no property that the schema does not name, no key twice, no bare NaN or Infinity.
"""
import copy
import json
import sys

try:
    import jsonschema
except ModuleNotFoundError:
    sys.exit(f"validate.py: {sys.executable} has no jsonschema: scripts/setup packages")


def strict(schema):
    """A copy of `schema` that allows no additional properties. Objects that are maps say so by a schema of their own."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: value if key in ("if", "then") else strict(value) for key, value in schema.items()}
    if schema.get("type") in ("object", ["object", "null"]):
        made.setdefault("additionalProperties", False)
    return made


def refuse_constant(token):
    raise ValueError(f"bare {token}")


def refuse_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key twice among {keys}")
    return dict(pairs)


def parse(text):
    return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=refuse_duplicates)


def complaint(validator, text):
    """What is wrong with this report, or None."""
    try:
        errors = sorted(validator.iter_errors(parse(text)), key=lambda e: list(map(str, e.absolute_path)))
    except ValueError as error:
        return str(error)
    if not errors:
        return None
    where = "/".join(map(str, errors[0].absolute_path)) or "the report"
    return f"{where}: {errors[0].message[:200]}"


def corruptions(text):
    """(name, corrupted text): each breaks one thing. The report must have a faulty variant with measurements and a fault."""

    def edited(edit):
        report = copy.deepcopy(json.loads(text))
        edit(report)
        return json.dumps(report)

    def model(report):
        return next(m for m in report["models"] if m["faults"])

    def variant(report):
        return next(v for v in model(report)["variants"] if v["measurements"])

    yield "field missing", edited(lambda r: r["environment"].pop("onnxruntime"))
    yield "field of a variant missing", edited(lambda r: variant(r).pop("same_as"))
    yield "wrong type", edited(lambda r: r["summary"].update(models="1"))
    yield "number where a file stands", edited(lambda r: variant(r).update(file=7))
    yield "unknown verdict", edited(lambda r: variant(r).update(verdict="broken"))
    yield "unknown verdict in the summary", edited(lambda r: r["summary"]["by_verdict"].update(broken=1))
    yield "negative count", edited(lambda r: r["summary"]["counts"].update(runs=-1))
    yield "count with a fraction", edited(lambda r: model(r)["model"].update(nodes=1.5))
    yield "additional field", edited(lambda r: model(r)["baseline"].update(mood="good"))
    yield "additional field at the top", edited(lambda r: r.update(extra=1))
    yield "bad sha256", edited(lambda r: model(r)["model"].update(sha256="ABC"))
    yield "no sha256 of a model that was read", edited(lambda r: model(r)["model"].update(sha256=""))
    yield "wrong schema id", edited(lambda r: r.update(schema="culprit.report/2"))
    yield "a variant twice in a fault", edited(lambda r: model(r)["faults"][0]["variants"].append(model(r)["faults"][0]["variants"][0]))
    yield "fault without culprits", edited(lambda r: model(r)["faults"][0].update(culprits=[]))
    yield "confirmed is no fraction", edited(lambda r: variant(r).update(confirmed="often"))
    yield "negative error", edited(lambda r: next(iter(variant(r)["measurements"].values())).update(max_abs=-0.5))
    yield "verified on nothing", edited(lambda r: model(r)["safe_recipe"]["verified"].pop("samples"))
    yield "unknown stage", edited(lambda r: variant(r).update(evidence={"stage": "magic", "ending": "threw"}))
    yield "a floor without its parts", edited(lambda r: next(iter(model(r)["noise_floor"].values())).pop("deviation"))
    yield "NaN as a bare token", edited(lambda r: next(iter(variant(r)["measurements"].values())).update(max_abs=float("nan")))
    yield "a word where a number stands", edited(lambda r: next(iter(variant(r)["measurements"].values())).update(max_abs="NaN"))
    yield "a key twice", text.replace('"schema"', '"schema": "culprit.report/1", "schema"', 1)
    yield "cut off", text[: len(text) // 2]
    yield "not JSON", "culprit"


def load_validator(path):
    with open(path, encoding="utf-8") as file:
        schema = strict(json.load(file))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def main(arguments):
    corrupt = arguments[:1] == ["--corrupt"]
    schema, *reports = arguments[corrupt:]
    validator = load_validator(schema)
    wrong = 0
    for path in reports:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = complaint(validator, text)
        print(f"{path}: {found or 'valid'}")
        wrong += found is not None
        for name, bad in corruptions(text) if corrupt else ():
            found = complaint(validator, bad)
            print(f"  {name}: {found or 'NOT FOUND'}")
            wrong += found is None
    return 1 if wrong or not reports else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
