#!/usr/bin/env python3
"""Shows a fault of an optimizer with public packages only: onnx, onnxruntime, numpy, and onnxoptimizer if it is that one's.

    python3 repro.py                  exit status 1: the fault is there, 0: it is gone, 2: cannot tell
    python3 repro.py --optimize OUT   only applies the passes to model.onnx, in this process (for a debugger)

model.onnx and what the passes make of it are run on test_data_set_0 at the same level of the runtime, each in a process of its own, and
compared. What to do, and by which limits, stands in repro.json.
"""
import json
import os
import pathlib
import pickle
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


def optimize(facts, out):
    import onnx

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


# --- what differs ---------------------------------------------------------------------------------------------------------------


def leaves(label, value):
    """Arrays inside sequences, maps and optionals, each with a label."""
    import numpy

    if value is None:
        return [(label, None)]
    if isinstance(value, dict):
        pairs = sorted(value.items(), key=lambda pair: pair[0])
        return leaves(label + ".keys", numpy.array([key for key, _ in pairs])) + [
            leaf for key, item in pairs for leaf in leaves(f"{label}[{key}]", item)
        ]
    if isinstance(value, list):
        return [(label + ".length", numpy.array(len(value)))] + [leaf for i, item in enumerate(value) for leaf in leaves(f"{label}[{i}]", item)]
    return [(label, numpy.asarray(value))]


def limit_of(facts, output, reference):
    """What this output was judged by; where nothing was measured, the defaults for its type."""
    import numpy

    known = [limit for label, limit in facts["limits"].items() if label == output or label.startswith((output + ".", output + "[", output + "'"))]
    if known:
        return {key: max(float(limit[key]) for limit in known) for key in ("atol", "rtol", "floor")}
    rtol, scale = {"float64": (1e-6, 1e-7), "float32": (1e-3, 1e-4), "float16": (1e-2, 1e-2), "bfloat16": (5e-2, 5e-2)}.get(
        str(reference.dtype), (0, 0)
    )
    if rtol == 0:
        return {"atol": 0.0, "rtol": 0.0, "floor": 0.0}
    numbers = reference.astype(numpy.float64)
    numbers = numbers[numpy.isfinite(numbers)]
    rms = float(numpy.sqrt(numpy.mean(numbers * numbers))) if numbers.size else 0.0
    return {"atol": scale * rms, "rtol": rtol, "floor": 0.0}


def is_number(array):
    return array.dtype.kind in "fiub" or array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2")


def difference(label, reference, variant, limit, ties, strict):
    """In words; "" where there is none that counts."""
    import numpy

    if reference is None or variant is None:
        return "" if reference is variant else f"output '{label}': a value is there in one only"
    if variant.shape != reference.shape:
        return f"output '{label}': shape {list(reference.shape)} became {list(variant.shape)}"
    if variant.dtype != reference.dtype:
        return f"output '{label}': {reference.dtype} became {variant.dtype}"
    if reference.dtype.kind == "c":
        reference, variant = (numpy.stack([a.real, a.imag]) for a in (reference, variant))
    if not is_number(reference):
        wrong = int(numpy.sum(reference != variant))
        return f"output '{label}': {wrong} of {reference.size} elements differ" if wrong else ""
    left, right = (a.astype(numpy.float64).ravel() for a in (reference, variant))
    with numpy.errstate(all="ignore"):
        both = numpy.isfinite(left) & numpy.isfinite(right)
        same = (left == right) | (numpy.isnan(left) & numpy.isnan(right))
        distance = numpy.where(both, numpy.abs(left - right), numpy.where(same, 0, numpy.inf))
        allowed = numpy.full(left.shape, limit["floor"])
        if not strict:
            allowed = numpy.maximum(allowed, limit["atol"] + limit["rtol"] * numpy.where(both, numpy.abs(left), 0))
    beyond = distance > allowed
    beyond[[tie for tie in ties if tie < beyond.size]] = False
    if not beyond.any():
        return ""
    tolerance = f"tolerance {limit['atol']:.2g} + {limit['rtol']:.2g} x value" if limit["atol"] or limit["rtol"] else "must be equal"
    return f"output '{label}' differs by {distance[beyond].max():.2g} in {int(beyond.sum())} of {beyond.size} elements ({tolerance})"


def differences(facts, expected, found):
    """Of outputs, by name; by position where the passes may rename them."""
    names = [name for name, _ in found]
    by_name = all(name in names for name, _ in expected)
    if not by_name and (facts["contract"] != "interface" or len(expected) != len(found)):
        return [f"outputs {[name for name, _ in expected]} became {names}"]
    said = []
    for place, (name, reference) in enumerate(expected):
        variant = dict(found)[name] if by_name else found[place][1]
        left, right = leaves(name, reference), leaves(name, variant)
        if [label for label, _ in left] != [label for label, _ in right]:
            said.append(f"output '{name}' is built in another way")
            continue
        for (label, reference_part), (_, variant_part) in zip(left, right):
            if facts["contract"] == "interface" and reference_part is not None and variant_part is not None:
                variant_part = variant_part.astype(reference_part.dtype)
            limit = limit_of(facts, name, reference_part) if reference_part is not None else None
            ties = facts["limits"].get(label, {}).get("ties", [])
            said.append(difference(label, reference_part, variant_part, limit, ties, facts["strict"]))
    return [line for line in said if line]


def complaint(path):
    import onnx

    try:
        onnx.checker.check_model(path)
    except Exception as error:
        return str(error)
    return ""


def declared(values):
    """Name, and what is known of the type: element type and sizes; None where it is not."""
    result = []
    for value in values:
        tensor = value.type.tensor_type
        sizes = [d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim] if tensor.HasField("shape") else None
        result.append((value.name, value.type.WhichOneof("value"), tensor.elem_type or None, sizes))
    return result


def agree(one, other):
    if one[0] != other[0] or (one[1] and other[1] and one[1] != other[1]) or (one[2] and other[2] and one[2] != other[2]):
        return False
    if one[3] is None or other[3] is None:
        return True
    return len(one[3]) == len(other[3]) and all(a is None or b is None or a == b for a, b in zip(one[3], other[3]))


def interface_change(before, after):
    """What a caller sees of the two models: in words what changed, or ""."""
    defaults = [{tensor.name for tensor in model.graph.initializer} for model in (before, after)]
    needed = [v for v in declared(before.graph.input) if v[0] not in defaults[0]]
    taken = {v[0]: v for v in declared(after.graph.input)}
    for value in needed:
        if value[0] not in taken:
            return f"input '{value[0]}' is gone"
        if not agree(value, taken[value[0]]):
            return f"input '{value[0]}' has another type: {taken[value[0]][1:]}, was {value[1:]}"
    for name in taken:
        if name not in defaults[1] and name not in [value[0] for value in needed]:
            return f"input '{name}' is new"
    outputs = [declared(model.graph.output) for model in (before, after)]
    if [v[0] for v in outputs[0]] != [v[0] for v in outputs[1]]:
        return f"outputs {[v[0] for v in outputs[0]]} became {[v[0] for v in outputs[1]]}"
    for old, new in zip(*outputs):
        if not agree(old, new):
            return f"output '{old[0]}' has another type: {new[1:]}, was {old[1:]}"
    return ""


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
    optimizer = [] if is_of_runtime(facts) else ["onnxoptimizer"]
    for name in ["numpy", "onnx", *optimizer, "onnxruntime"]:
        try:
            versions.append(f"{name} {__import__(name).__version__}")
        except ImportError:
            missing.append(name)
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
    if not is_of_runtime(facts):
        expect_known_passes(facts)
    level = facts["recipe"]["level"] if is_of_runtime(facts) else facts["level"]
    for one in (level, facts["level"]):
        if one not in LEVELS:
            raise CannotTell(f"repro.json names a level of the runtime that is none: {one}")
    print(f"{', '.join(versions)}; the runtime's level {level}")
    passes = ", ".join(facts["recipe"]["passes"]) or "none: import and export alone"
    if is_of_runtime(facts):
        print(shown(f"its steps: {passes if facts['recipe']['disabled'] else 'all of that level'}"))
    else:
        print(shown(f"passes: {passes} ({facts['recipe']['repeat']})"))
    with tempfile.TemporaryDirectory() as folder:
        return failure(facts, folder)


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
        return THERE, shown(f"FAULT ({facts['verdict']}): {wrong}", 2000)
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
