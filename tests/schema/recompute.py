#!/usr/bin/python3
"""Reads report.json as a stranger would, with docs/judging.md beside it, and works every verdict out again.

    recompute.py REPORT...   says what does not follow from the numbers in the report; exit status 1 where anything does not

Nothing but the report is read. What is recomputed: the noise floors from their parts, the verdict of every variant and control from
its measurements or its evidence, the verdicts at the deploy level, which variants a fault may name, whether the model was judged, the totals.
"""
import collections
import json
import sys

FAULTY = {"diverged", "interface_changed", "optimizer_crashed", "rejected", "run_failed", "timed_out", "out_of_memory"}
RANK = ["equivalent", "deviates", "inconclusive", "diverged"]
DIED = ("threw", "crashed", "exited")


def number(value):
    return float(value)  # "nan", "inf" and "-inf" are spelled as float() reads them


def of_measurement(m):
    """Section "Values" of docs/judging.md."""
    if " became " in m["note"] or m["nonfinite_mismatch"] > 0 or m["beyond_tolerance"] > 0:
        return "diverged"
    if " resized to " in m["note"] and m["ties"] == m["elements"]:  # section "Sizes that hang on values"
        return "inconclusive"
    return "deviates" if m["beyond_floor"] > 0 else "equivalent"


def of_measurements(*groups):
    verdicts = [of_measurement(m) for group in groups for m in group.values()]
    return max(verdicts, key=RANK.index, default="equivalent")


def of_evidence(evidence):
    """Section "What needs no numbers"."""
    stage, ending = evidence["stage"], evidence["ending"]
    if ending in ("machine", "skipped"):
        return "inconclusive"
    if ending in ("timed_out", "out_of_memory"):
        return ending
    if stage in ("import", "optimize"):
        return "optimizer_crashed"
    if stage == "interface":
        return "interface_changed"
    if stage == "checker" or (stage == "load" and ending in ("threw", "refused")):
        return "rejected"
    return "run_failed"


def is_vanished(confirmed):
    return confirmed is not None and confirmed.startswith("0/") and confirmed != "0/0"


def of_variant(variant):
    if variant["same_as"] in ("original", "round_trip"):
        return "unchanged"
    if is_vanished(variant["confirmed"]):
        return "inconclusive"
    if variant["evidence"]:
        return of_evidence(variant["evidence"])
    if variant["decision"]:  # section "Decisions"
        return "diverged"
    return of_measurements(variant["measurements"], variant["inner"])


def of_deployed(deployed):
    if is_vanished(deployed["confirmed"]):
        return "inconclusive"
    if deployed["evidence"]:
        return of_evidence(deployed["evidence"])
    if deployed["decision"]:
        return "diverged"
    return of_measurements(deployed["measurements"])


def close(a, b):
    return a == b or abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def check_measurements(where, measurements, directed=False):
    """The counts must fit the distances that stand beside them."""
    for output, m in measurements.items():
        place = f"{where}, {output}"
        if not m["beyond_tolerance"] <= m["beyond_floor"] <= m["mismatched"] <= m["elements"]:
            yield f"{place}: counts do not nest"
        if m["ties"] + m.get("finite_instead", 0) > m["mismatched"] - m["beyond_floor"]:
            yield f"{place}: more ties than differences that they explain"
        if m.get("finite_instead", 0) > 0 and not directed:  # section "Where the model itself overflows"
            yield f"{place}: {m['finite_instead']} infinities are excused, but no sample was directed"
        structural = " became " in m["note"]
        if not structural and (number(m["times"]) > 1) != (m["beyond_floor"] > 0):
            yield f"{place}: {m['beyond_floor']} elements are beyond what rounding explains, the worst {m['times']} times"
        if number(m["floor"]) > 0 and not close(number(m["worst"]) / number(m["floor"]), number(m["times"])):
            yield f"{place}: {m['worst']} / {m['floor']} is not {m['times']}"
        if number(m["worst"]) > number(m["max_abs"]):
            yield f"{place}: an element is off by {m['worst']}, but none by more than {m['max_abs']}"
        if m["by_share"] > m["ties"]:
            yield f"{place}: more ties by their share than ties"
        shared = m.get("shared")  # section "Errors that many share"
        if shared and (number(shared["off"]) <= number(shared["explained"]) or shared["elements"] > m["beyond_floor"]):
            yield f"{place}: an error is shared, and rounding explains it, or its elements do not count"
        if m.get("unit") and m["beyond_tolerance"] == 0:  # section "Whole numbers in floats"
            yield f"{place}: whole numbers are others, and none is beyond the tolerance"


def check_floors(floors):
    for output, f in floors.items():
        times = 1.5 if f["stepped"] else 4  # a jump is as long in any draw
        parts = times * number(f["deviation"]) + 8 * number(f["eps"]) * number(f["rms"]) + number(f["step"])
        if not close(parts, number(f["abs"])):
            yield f"noise floor of {output}: {f['abs']} is not the sum of its parts, {parts}"
        rel = number(f["abs"]) / number(f["rms"]) if number(f["rms"]) else 0
        if not close(rel, number(f["rel"])):
            yield f"noise floor of {output}: rel is {f['rel']}, not {rel}"


def check_variant(variant, variants, confirms, directed):
    where = variant["id"]
    verdict = of_variant(variant)
    first = variants.get(variant["same_as"])
    if variant["verdict"] != verdict:
        yield f"{where}: the report says {variant['verdict']}, its own numbers {verdict}"
    if first and first["verdict"] != variant["verdict"]:
        yield f"{where}: {variant['verdict']}, but the same model {first['id']} is {first['verdict']}"
    if variant["same_as"] is None and verdict not in ("unchanged", "inconclusive"):
        measured = variant["measurements"] or variant["evidence"] or variant["contract"] == "partition"
        if not measured:
            yield f"{where}: {verdict} rests on nothing"
    if confirms and variant["verdict"] in FAULTY and not variant["confirmed"]:
        yield f"{where}: {variant['verdict']} was not confirmed"
    yield from check_measurements(where, variant["measurements"], directed)
    deployed = variant["deployed"]
    if not deployed:
        return
    again = of_deployed(deployed)
    is_moved = deployed["verdict"] == "inconclusive" and again in FAULTY and deployed["measurements"]
    if again != deployed["verdict"] and not is_moved:  # the original moves as far there: section "The deploy level"
        yield f"{where} at {deployed['level']}: the report says {deployed['verdict']}, its own numbers {again}"
    yield from check_measurements(f"{where} at {deployed['level']}", deployed["measurements"], directed)


def check_faults(report, variants):
    def is_faulty(variant):
        return variant["verdict"] in FAULTY or (variant["deployed"] or {}).get("verdict") in FAULTY

    named = {name for fault in report["faults"] for name in fault["variants"]}
    # What the optimizer makes in two ways may be right in one of them, or fail in a way that is not seen again.
    unsteady = {name for fault in report["faults"] if fault["control"] == "optimizer_repeat" for name in fault["variants"]}
    for name in named:
        if name not in variants:
            yield f"a fault names {name}, which is not among the variants"
        elif not is_faulty(variants[name]) and name not in unsteady:
            yield f"a fault names {name}, which is {variants[name]['verdict']}"
    for fault in report["faults"]:
        first = fault["first_divergence"]
        if first and fault["verdict"] != "diverged":
            yield f"{fault['id']} is {fault['verdict']}, and has a first value that diverges"
        if first and first["state"] != "made_here":
            yield f"{fault['id']}: its first divergence is {first['state']}"
    for variant in variants.values():
        if is_faulty(variant) and variant["id"] not in named:
            yield f"{variant['id']} is {variant['verdict']}, and no fault names it"


def runtimes_differ(model):
    """Section "Witnesses": another runner gives other values for the model itself, and none is trusted."""
    witnesses = model["witnesses"]
    return bool(witnesses) and not witnesses["trusted"] and any(
        w["outcome"] == "differs" and not w["set_aside"] for w in witnesses["asked"])


def check_witnesses(model):
    """One is set aside only where another agrees with the reference."""
    asked = (model["witnesses"] or {}).get("asked", [])
    agrees = any(w["outcome"] == "agrees" for w in asked)
    for witness in asked:
        if witness["set_aside"] != (agrees and witness["outcome"] == "differs"):
            yield f"the witness {witness['runner']} {witness['version']} {witness['outcome']}, set aside: {witness['set_aside']}"
    verified = (model["safe_recipe"] or {}).get("verified")
    if verified and runtimes_differ(model):
        yield "a safe list is verified, though the runtimes differ on the model itself"


def is_open(model):
    """Is it open whether the model is right, though no fault was found? Section "What needs no numbers"."""
    if runtimes_differ(model):
        return True
    trip_open = any(c["name"] == "round_trip" and c["verdict"] == "inconclusive" for c in model["controls"])
    still_open = [v["verdict"] == "inconclusive" or (trip_open and v["same_as"] == "round_trip") for v in model["variants"]]
    bundles = [i for i, v in enumerate(model["variants"]) if v["is_bundle"]]
    users = bundles[:1] or ([0] if model["safe_recipe"] and model["variants"] else [])
    if any(still_open[i] for i in users):
        return True
    judged = any(v["verdict"] != "unchanged" and not is_it for v, is_it in zip(model["variants"], still_open))
    return (trip_open or any(still_open)) and not judged


def is_not_judged(model, strict):
    """Exit code 3."""
    known = {name for fault in model["faults"] if fault["known"] for name in fault["variants"]}
    deviates = strict and any("deviates" in (v["verdict"], (v["deployed"] or {}).get("verdict"))
                              for v in model["variants"] if v["id"] not in known)
    if deviates or any(not fault["known"] for fault in model["faults"]):
        return False
    return bool(model["error"]) or model["baseline"]["status"] != "ok" or is_open(model)


def check_safe_recipe(report):
    """Section "Faults, interactions and the safe recipe": verified on all samples, at every level that is named."""
    verified = (report["safe_recipe"] or {}).get("verified")
    if not verified:
        return
    if verified["samples"] != report["data"]["samples"]:
        yield f"the safe list was verified on {verified['samples']} of {report['data']['samples']} samples"
    for variant in report["variants"]:
        deployed = variant["deployed"]
        is_it = variant["recipe"]["passes"] == report["safe_recipe"]["passes"]
        if is_it and deployed and deployed["level"] in verified["levels"] and deployed["samples"] != verified["samples"]:
            yield f"the safe list is {variant['id']}, which ran on {deployed['samples']} samples at {deployed['level']}"


def check_model(report, confirms):
    if report["error"]:
        return
    variants = {variant["id"]: variant for variant in report["variants"]}
    yield from check_floors(report["noise_floor"])
    for variant in variants.values():
        yield from check_variant(variant, variants, confirms, report["data"].get("directed", 0) > 0)
    for control in report["controls"]:
        if control["measurements"]:
            again = of_measurements(control["measurements"])
            if again != control["verdict"] and control["name"] != "repeat":  # bit for bit: anything else deviates
                yield f"control {control['name']}: the report says {control['verdict']}, its own numbers {again}"
    yield from check_faults(report, variants)
    yield from check_safe_recipe(report)
    yield from check_witnesses(report)


def check_report(report):
    command = report["command"]
    confirms = "--confirm" not in command or command[command.index("--confirm") + 1] != "0"
    for model in report["models"]:
        for complaint in check_model(model, confirms):
            yield f"{model['model']['path']}: {complaint}"
    counted = collections.Counter(v["verdict"] for m in report["models"] for v in m["variants"])
    if dict(counted) != report["summary"]["by_verdict"]:
        yield f"summary: by_verdict is {report['summary']['by_verdict']}, counted {dict(counted)}"
    for model in report["models"]:
        known = [bool(fault["known"]) for fault in model["faults"]]
        outcome = ("known" if all(known) else "fault") if known else "not_judged" if is_not_judged(model, False) else "ok"
        if model["outcome"] != outcome:
            yield f"{model['model']['path']}: outcome is {model['outcome']}, and it follows {outcome}"
    not_judged = sum(is_not_judged(model, "--strict" in command) for model in report["models"])
    if not_judged != report["summary"]["not_judged"]:
        yield f"summary: {report['summary']['not_judged']} not judged, counted {not_judged}"
    for name, is_known in (("faults", False), ("known_faults", True)):
        faults = sum(1 for m in report["models"] for f in m["faults"] if f["verdict"] in FAULTY and bool(f["known"]) == is_known)
        if faults != report["summary"][name]:
            yield f"summary: {report['summary'][name]} {name}, counted {faults}"


def main(paths):
    wrong = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for complaint in check_report(json.load(file)):
                print(f"{path}: {complaint}")
                wrong += 1
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
