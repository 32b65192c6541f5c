#!/usr/bin/env python3
"""Shows a fault of an optimizer with public packages only: onnx, onnxruntime, numpy, and those of the optimizer.

    python3 repro.py                  exit status 1: the fault is there, 0: it is gone, 2: cannot tell
    python3 repro.py --optimize OUT   only applies the passes to model.onnx, in this process (for a debugger)

model.onnx and what the passes make of it are run on test_data_set_0 at the same level of the runtime, each in a process of its own, and
compared. What to do, and by which limits, stands in repro.json.
"""
import importlib.metadata
import json
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile

GONE, THERE, CANNOT_TELL = 0, 1, 2
LEVELS = {"off": "ORT_DISABLE_ALL", "basic": "ORT_ENABLE_BASIC", "extended": "ORT_ENABLE_EXTENDED", "layout": "ORT_ENABLE_LAYOUT",
          "all": "ORT_ENABLE_ALL"}
HERE = pathlib.Path(__file__).resolve().parent


class CannotTell(Exception):
    pass


def shown(text, limit=600):
    """One printable line, for names and messages come from models."""
    line = "".join(c if c.isprintable() else " " for c in str(text)).strip()
    return line if len(line) <= limit else line[:limit] + "..."


# --- in processes of their own --------------------------------------------------------------------------------------------------


def optimized(model, recipe):
    import onnxoptimizer

    if recipe["repeat"] != "stable":
        return onnxoptimizer.optimize(model, recipe["passes"], fixed_point=recipe["repeat"] == "library")
    seen = set()
    for _ in range(100):
        model = onnxoptimizer.optimize(model, recipe["passes"])
        text = model.SerializeToString(deterministic=True)
        if text in seen:
            break
        seen.add(text)
    return model


def is_of_runtime(facts):
    """Does the runtime itself optimize the model, when it loads it?"""
    return facts["recipe"].get("level") is not None


def is_of_program(facts):
    return bool(facts["recipe"].get("command"))


def call_program(facts, out):
    """As it was called, with this Python, and on a copy of the model: it may write what it likes where it works."""
    with tempfile.TemporaryDirectory() as folder:
        names = {"python": sys.executable, "here": str(HERE / "program"), "input": f"{folder}/in/model.onnx", "output": out}
        shutil.copytree(HERE, f"{folder}/in", ignore=lambda _, entries: {e for e in entries if not e.startswith(("model.onnx", "weights"))})
        os.mkdir(f"{folder}/work")
        words = facts["recipe"]["command"]
        for name, value in names.items():
            words = [word.replace("{" + name + "}", value) for word in words]
        ended = subprocess.run(words, cwd=f"{folder}/work", stdin=subprocess.DEVNULL).returncode
    if ended < 0:
        os.kill(os.getpid(), -ended)  # as the program ended
    if ended or not os.path.exists(out):
        raise SystemExit(f"it ended with exit status {ended}" if ended else "it wrote no file")


def optimize(facts, out):
    import onnx

    if is_of_program(facts):
        call_program(facts, os.path.abspath(out))
        return
    if is_of_runtime(facts):
        session_of(facts, str(HERE / "model.onnx"), facts["recipe"], save_to=out)
        return
    model = optimized(onnx.load(str(HERE / "model.onnx")), facts["recipe"])
    onnx.save(model, out)


def session_of(facts, path, recipe=None, save_to=None):
    """`recipe`: the runtime's own level, and the steps of it that are left out."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    levels = onnxruntime.GraphOptimizationLevel
    level = recipe["level"] if recipe else facts["level"]
    options.graph_optimization_level = getattr(levels, LEVELS[level], levels.ORT_ENABLE_ALL)
    if recipe and recipe["disabled"]:
        options.add_session_config_entry("optimization.disable_specified_optimizers", ";".join(recipe["disabled"]))
    if save_to:
        options.optimized_model_filepath = save_to
    options.intra_op_num_threads = facts["threads"]
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    for library in facts["custom_ops"]:
        options.register_custom_ops_library(str(HERE / library))
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"], enable_fallback=False)


def read_value(entry):
    """A file of test_data_set_0 as the runtime takes it: an array, a list, a dictionary, or None."""
    import onnx
    from onnx import numpy_helper

    readers = {
        "tensor": (onnx.TensorProto, numpy_helper.to_array),
        "sequence": (onnx.SequenceProto, numpy_helper.to_list),
        "map": (onnx.MapProto, numpy_helper.to_dict),
        "optional": (onnx.OptionalProto, numpy_helper.to_optional),
    }
    message, reader = readers[entry["form"][0]]
    proto = message()
    proto.ParseFromString((HERE / "test_data_set_0" / entry["file"]).read_bytes())
    return reader(proto)


def feeds_for(facts, session):
    """By name where the model has it; else, where the passes may rename inputs, by position and cast to what is wanted."""
    import numpy

    types = {"tensor(float)": numpy.float32, "tensor(double)": numpy.float64, "tensor(int32)": numpy.int32, "tensor(int64)": numpy.int64}
    wanted = {value.name: value.type for value in list(session.get_inputs()) + list(session.get_overridable_initializers())}
    values = {entry["name"]: read_value(entry) for entry in facts["inputs"]}
    if facts["contract"] == "interface" and not set(values) <= set(wanted):
        values = dict(zip([value.name for value in session.get_inputs()], values.values()))
    if facts["contract"] == "interface":
        values = {n: v.astype(types[wanted[n]]) if wanted.get(n) in types and hasattr(v, "astype") else v for n, v in values.items()}
    return {name: value for name, value in values.items() if name in wanted}


def run_optimized(facts, path, out):
    run(facts, path, out, facts["recipe"])


def run(facts, path, out, recipe=None):
    session = session_of(facts, path, recipe)
    names = [value.name for value in session.get_outputs()]
    outputs = [] if facts["contract"] == "partition" else session.run(None, feeds_for(facts, session))
    with open(out, "wb") as file:
        pickle.dump(list(zip(names, outputs)), file)


def limit_memory(facts):
    if facts["verdict"] != "out_of_memory" or not facts["memory_bytes"]:
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (facts["memory_bytes"], facts["memory_bytes"]))


def isolated(facts, *words):
    """How it ended, in words; "" where all went well."""
    command = [sys.executable, str(pathlib.Path(__file__).resolve()), *words]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=max(10, 2 * facts["cpu_seconds"]))
    except subprocess.TimeoutExpired:
        return "it did not end in time"
    if done.returncode == 0:
        return ""
    said = [line for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
    last = shown(said[-1]) if said else "it said nothing"
    return f"killed by signal {-done.returncode}: {last}" if done.returncode < 0 else last


# <differences.py>


# --- the fault ------------------------------------------------------------------------------------------------------------------


def outputs_of(path):
    with open(path, "rb") as file:
        return pickle.load(file)


def run_original(facts, folder):
    ended = isolated(facts, "--run", str(HERE / "model.onnx"), f"{folder}/original")
    if ended:
        raise CannotTell(f"model.onnx itself does not run at the runtime's level {facts['level']}: {ended}")
    outputs = outputs_of(f"{folder}/original")
    if facts["level"] == facts["reference_level"] and facts["contract"] != "partition":
        recorded = [(entry["name"], read_value(entry)) for entry in facts["outputs"]]
        for line in differences(dict(facts, strict=False), recorded, outputs):
            print(shown(f"note: model.onnx itself gives other values here than were recorded: {line}"))
    return outputs


def failure_in_session(facts, folder, expected):
    """The same model, with the runtime's own optimizations."""
    ended = isolated(facts, "--run-optimized", str(HERE / "model.onnx"), f"{folder}/found")
    if ended:
        return f"with its own optimizations the runtime fails on the model: {ended}"
    return "; ".join(differences(facts, expected, outputs_of(f"{folder}/found")))


def failure(facts, folder):
    """What is wrong now, in words; "" where nothing is."""
    import onnx

    if facts["culprits"] == ["import"]:
        ended = isolated(facts, "--optimize", f"{folder}/variant.onnx")
        return f"the optimizer cannot take the model: {ended}" if ended else ""
    expected = run_original(facts, folder)
    if is_of_runtime(facts):
        return failure_in_session(facts, folder, expected)
    ended = isolated(facts, "--optimize", f"{folder}/variant.onnx")
    if ended:
        return f"the optimizer fails: {ended}"
    variant = f"{folder}/variant.onnx"
    refused = complaint(variant)
    if refused and not complaint(str(HERE / "model.onnx")):
        return f"the onnx checker refuses what the optimizer makes: {refused}"
    if facts["contract"] == "equivalent":
        changed = interface_change(onnx.load(str(HERE / "model.onnx"), load_external_data=False), onnx.load(variant))
        if changed:
            return changed
    ended = isolated(facts, "--run", variant, f"{folder}/found")
    if ended:
        return f"the runtime fails on what the optimizer makes, at its level {facts['level']}: {ended}"
    if facts["contract"] == "partition":
        return ""
    return "; ".join(differences(facts, expected, outputs_of(f"{folder}/found")))


def missing_packages(facts):
    missing, versions = [], []
    optimizer = [] if is_of_runtime(facts) or is_of_program(facts) else ["onnxoptimizer"]
    for name in ["numpy", "onnx", *optimizer, "onnxruntime"]:
        try:
            versions.append(f"{name} {__import__(name).__version__}")
        except ImportError:
            missing.append(name)
    for package in facts.get("packages", []):
        name = package.split("==")[0]
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
            continue
        if f"{name} {version}" not in versions:
            versions.append(f"{name} {version}")
    return missing, versions


def expect_known_passes(facts):
    if facts["recipe"]["optimizer"] != "onnx_optimizer":
        raise CannotTell(f"the passes are those of '{facts['recipe']['optimizer']}', which is no public package")
    import onnxoptimizer

    unknown = [name for name in facts["recipe"]["passes"] if name not in onnxoptimizer.get_available_passes()]
    if unknown:
        raise CannotTell(f"this onnxoptimizer has no pass {', '.join(unknown)}")


def show(facts):
    missing, versions = missing_packages(facts)
    if missing:
        raise CannotTell(f"{sys.executable} lacks {', '.join(missing)}: {sys.executable} -m pip install {' '.join(missing)}")
    if not is_of_runtime(facts) and not is_of_program(facts):
        expect_known_passes(facts)
    level = facts["recipe"]["level"] if is_of_runtime(facts) else facts["level"]
    for one in (level, facts["level"]):
        if one not in LEVELS:
            raise CannotTell(f"repro.json names a level of the runtime that is none: {one}")
    print(f"{', '.join(versions)}; the runtime's level {level}")
    passes = ", ".join(facts["recipe"]["passes"]) or "none: import and export alone"
    if is_of_runtime(facts):
        print(shown(f"its steps: {passes if facts['recipe']['disabled'] else 'all of that level'}"))
    elif is_of_program(facts):
        print(shown(f"{facts['recipe']['optimizer']}: {' '.join(facts['recipe']['command'])}"))
    else:
        print(shown(f"passes: {passes} ({facts['recipe']['repeat']})"))
    with tempfile.TemporaryDirectory() as folder:
        return failure(facts, folder)


def word_of(verdict):
    """As culprit says it to people."""
    return {"diverged": "wrong", "deviates": "small difference"}.get(verdict, verdict.replace("_", " "))


def judged():
    """Exit status and a line to print. What nobody thought of tells nothing of the fault."""
    try:
        facts = json.loads((HERE / "repro.json").read_text(encoding="utf-8"))
        wrong = show(facts)
    except CannotTell as why:
        return CANNOT_TELL, f"cannot tell: {shown(why)}"
    except Exception as error:
        return CANNOT_TELL, f"cannot tell: {type(error).__name__}: {shown(error)}"
    if wrong:
        return THERE, shown(f"FAULT ({word_of(facts['verdict'])}): {wrong}", 2000)
    return GONE, "no fault: the model does the same when it is optimized"


def main(arguments):
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    if not arguments:
        status, line = judged()
        print(line)
        return status
    steps = {("--optimize", 2): optimize, ("--run", 3): run, ("--run-optimized", 3): run_optimized}
    step = steps.get((arguments[0], len(arguments)))
    if step is None:
        print(__doc__.strip())
        return CANNOT_TELL
    facts = json.loads((HERE / "repro.json").read_text(encoding="utf-8"))
    limit_memory(facts)
    step(facts, *arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
