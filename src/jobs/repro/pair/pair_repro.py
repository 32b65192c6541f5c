#!/usr/bin/env python3
"""Shows what a conversion got wrong, with public packages only: numpy, and the runtimes of the files that are here.

    python3 repro.py                 exit status 1: the fault is there, 0: it is gone, 2: cannot tell
    python3 repro.py --target FILE   the same for another conversion of the source file

The source file is run on inputs_source.npz, to see that it still gives what is expected; then the target file on inputs_target.npz. What
is compared, and by which limits, stands in repro.json.
"""
import json
import os
import pathlib
import sys

GONE, THERE, CANNOT_TELL = 0, 1, 2
HERE = pathlib.Path(__file__).resolve().parent
FORMATS = {".onnx": "onnx", ".tflite": "tflite", ".pb": "tensorflow"}


class CannotTell(Exception):
    pass


class DoesNotRun(Exception):
    pass


def shown(text, limit=600):
    """One printable line, for names and messages come from models."""
    line = "".join(c if c.isprintable() else " " for c in str(text)).strip()
    return line if len(line) <= limit else line[:limit] + "..."


# --- running --------------------------------------------------------------------------------------------------------------------


def paired(names, given):
    """Arrays by the names that a file has; by position where it has others."""
    if all(name in names for name in given):
        return given
    if len(names) != len(given):
        raise CannotTell(f"the file takes {len(names)} inputs, and {len(given)} are here")
    return dict(zip(names, given.values()))


def one_of(outputs, wanted):
    return wanted if wanted in outputs else outputs[0]


def run_onnx(path, given, wanted):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    output = one_of([value.name for value in session.get_outputs()], wanted)
    return session.run([output], paired([value.name for value in session.get_inputs()], given))[0]


def run_tflite(path, given, wanted):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    interpreter = Interpreter(path, num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
    signatures = interpreter.get_signature_list()
    if signatures:
        key = next(iter(signatures))
        found = interpreter.get_signature_runner(key)(**paired(signatures[key]["inputs"], given))
        return found[one_of(signatures[key]["outputs"], wanted)]
    inputs = {detail["name"]: detail for detail in interpreter.get_input_details()}
    arrays = paired(list(inputs), given)
    for name, array in arrays.items():
        if list(inputs[name]["shape"]) != list(array.shape):
            interpreter.resize_tensor_input(inputs[name]["index"], array.shape)
    interpreter.allocate_tensors()
    for name, array in arrays.items():
        interpreter.set_tensor(inputs[name]["index"], array)
    interpreter.invoke()
    outputs = {detail["name"]: detail["index"] for detail in interpreter.get_output_details()}
    return interpreter.get_tensor(outputs[one_of(list(outputs), wanted)])


def run_tensorflow(path, given, wanted):
    import tensorflow

    graph = tensorflow.compat.v1.GraphDef()
    graph.ParseFromString(pathlib.Path(path).read_bytes())
    with tensorflow.Graph().as_default(), tensorflow.compat.v1.Session() as session:
        tensorflow.import_graph_def(graph, name="")
        tensors = {name if ":" in name else name + ":0": array for name, array in given.items()}
        return session.run(wanted if ":" in wanted else wanted + ":0", tensors)


RUNNERS = {"onnx": run_onnx, "tflite": run_tflite, "tensorflow": run_tensorflow}


def arrays_of(part):
    """The inputs of a file, by its names, in its order."""
    import numpy

    if not part["inputs"]:
        return {}
    with numpy.load(HERE / part["inputs_file"]) as arrays:
        return {name: arrays[key] for key, name in part["inputs"].items()}


def result_of(part, path):
    """`part`: of repro.json, where the inputs of the file are told."""
    import numpy

    try:
        return numpy.asarray(RUNNERS[FORMATS[path.suffix]](str(path), arrays_of(part), part["output"]))
    except (CannotTell, ImportError):
        raise
    except Exception as error:
        raise DoesNotRun(f"{type(error).__name__}: {error}") from error


# --- comparing ------------------------------------------------------------------------------------------------------------------


def difference(right, found, limit):
    """In words; "" where there is none that counts."""
    import numpy

    if right.shape != found.shape:
        return f"shape {list(right.shape)} became {list(found.shape)}"
    one, other = right.astype(numpy.float64), found.astype(numpy.float64)
    with numpy.errstate(all="ignore"):
        both = numpy.isfinite(one) & numpy.isfinite(other)
        same = (one == other) | (numpy.isnan(one) & numpy.isnan(other))
        distance = numpy.where(both, numpy.abs(one - other), numpy.where(same, 0, numpy.inf))
        size = numpy.where(both, numpy.abs(one), 0)
    allowed = limit["floor"] if limit["is_strict"] else numpy.maximum(limit["floor"], limit["atol"] + limit["rtol"] * size)
    beyond = distance > allowed
    if not beyond.any():
        return ""
    place = numpy.unravel_index(int(numpy.argmax(distance)), distance.shape)
    words = f"rounding: {limit['floor']:.2g}" if limit["is_strict"] else f"tolerance {limit['atol']:.2g} + {limit['rtol']:.2g} x value"
    return (
        f"differs by {distance.max():.3g} in {int(beyond.sum())} of {distance.size} elements ({words}); at {[int(i) for i in place]} it is "
        f"{found[place]:.9g}, should be {right[place]:.9g}"
    )


def expected_arrays():
    """What is right, in the layout of each of the two; and what a target hands on that has no layer there."""
    import numpy

    with numpy.load(HERE / "expected.npz") as arrays:
        return {name: arrays[name] for name in arrays.files}


def check_source(facts, expected):
    """Is the source still what it was, with this version of its runtime?"""
    part = facts["source"]
    if part is None:
        print(shown(f"the source is not run: {facts['no_source']}"))
        return
    try:
        wrong = difference(expected, result_of(part, HERE / part["file"]), facts["limit"])
    except DoesNotRun as error:
        raise CannotTell(f"the source does not run: {error}") from error
    if wrong:
        raise CannotTell(f"the source gives something else here: {wrong}")


def version_of(packages):
    import importlib.metadata

    for name in packages:
        try:
            return f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            pass
    raise CannotTell(f"{sys.executable} lacks {packages[0]}: {sys.executable} -m pip install {packages[0]}")


def print_versions(files):
    """Names what is missing, before anything is run."""
    packages = {"onnx": ["onnxruntime"], "tflite": ["ai-edge-litert"], "tensorflow": ["tensorflow", "tensorflow-cpu"]}
    for file in files:
        if file.suffix not in FORMATS:
            raise CannotTell(f"{file.name} is of no known format: {', '.join(FORMATS)}")
    formats = sorted({FORMATS[file.suffix] for file in files})
    print(", ".join(version_of(names) for names in [["numpy"], *(packages[name] for name in formats)]))


def found_in_another(facts, path, expected):
    """Of another conversion, which may lie as the target does, or as the source."""
    tried = ""
    for inputs in ("target", "source"):
        if facts[inputs] is None:
            continue
        try:
            found = result_of(facts[inputs], path)
        except DoesNotRun as error:
            tried = tried or str(error)
            continue
        fits = [name for name in (inputs, "source", "target") if expected[name].shape == found.shape]
        return found, expected[fits[0] if fits else inputs]
    raise CannotTell(f"{path.name} does not run on these inputs: {tried}" if tried else "there are no inputs here for another file")


def found_in_target(facts, other, expected):
    """What the target gives, and what is right there."""
    if other:
        return found_in_another(facts, other, expected)
    if facts["target"] is None:
        return expected["handed_on"], expected["target"]
    return result_of(facts["target"], HERE / facts["target"]["file"]), expected["target"]


def judged(other):
    facts = json.loads((HERE / "repro.json").read_text(encoding="utf-8"))
    sides = ["source"] if other else ["source", "target"]
    print_versions([HERE / facts[side]["file"] for side in sides if facts[side] is not None] + ([other] if other else []))
    expected = expected_arrays()
    check_source(facts, expected["source"])
    try:
        found, right = found_in_target(facts, other, expected)
    except DoesNotRun as error:
        if not facts["difference"]["fails"]:
            raise CannotTell(f"the target does not run: {error}") from error
        return f"the target does not run: {error}"
    wrong = difference(right, found, facts["limit"])
    return f"'{facts['output']['target']}' {wrong}" if wrong else ""


def main(arguments):
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if arguments and (len(arguments) != 2 or arguments[0] != "--target"):
        print(__doc__.strip())
        return CANNOT_TELL
    try:
        wrong = judged(pathlib.Path(arguments[1]) if arguments else None)
    except Exception as error:  # what nobody thought of tells nothing of the fault
        print(f"cannot tell: {shown(error if isinstance(error, CannotTell) else f'{type(error).__name__}: {error}')}")
        return CANNOT_TELL
    print(shown(f"FAULT: {wrong}", 2000) if wrong else "no fault: the target gives what the source gives")
    return THERE if wrong else GONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
