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
