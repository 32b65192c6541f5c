#!/usr/bin/env python3
"""Runs a model once through ONNX's reference evaluator, for culprit's second opinion on a fault.

    python3 -I onnx_reference.py --probe     prints the version of ONNX
    python3 -I onnx_reference.py FOLDER      does what FOLDER/job.json says

job.json: "model", "inputs" (each with "name", "file", "form") and "outputs" (each with "file", "form"), all below FOLDER;
"float64": whether to compute in that. A form is the kinds of a value from the outside in: ["tensor"], ["sequence", "map"].
Written are the outputs in their declared types, and result.json: "precision" is "float64", or "" for the model's own types;
"why": why not float64, where that was asked for.

Exit status 0: done. 2: a package is missing. 3: this model cannot be evaluated; the last line on stderr says why.
Needs onnx 1.13 or later, and numpy. The model is not trusted: nothing is read but what lies in FOLDER, no code is loaded.
"""

import os

for pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[pool] = "1"  # sums in one order, and no address space for the stacks of threads

import inspect
import json
import sys

try:
    import numpy
    import onnx
    from onnx import AttributeProto, TensorProto, helper, numpy_helper
    from onnx.reference import ReferenceEvaluator
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(2)

FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16)
TYPE_ATTRIBUTES = ("to", "dtype", "output_dtype", "output_datatype")


class Refused(Exception):
    """Why this model cannot be evaluated."""


# The model in float64 ------------------------------------------------------------------------------------------------


def widen_tensor(tensor):
    if tensor.data_type not in FLOATS:
        return
    wide = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(numpy.float64), tensor.name)
    tensor.CopyFrom(wide)


def widen_type(declared):
    kind = declared.WhichOneof("value")
    if kind in ("tensor_type", "sparse_tensor_type"):
        if getattr(declared, kind).elem_type in FLOATS:
            getattr(declared, kind).elem_type = TensorProto.DOUBLE
    elif kind in ("sequence_type", "optional_type"):
        widen_type(getattr(declared, kind).elem_type)
    elif kind == "map_type":
        widen_type(declared.map_type.value_type)


def widen_constant(node, attribute):
    """value_float and value_floats mean float32, whatever stands in them."""
    value = numpy.array(attribute.f if attribute.name == "value_float" else list(attribute.floats), dtype=numpy.float64)
    node.attribute.remove(attribute)
    node.attribute.append(helper.make_attribute("value", numpy_helper.from_array(value)))


def widen_attribute(attribute):
    if attribute.type == AttributeProto.INT and attribute.name in TYPE_ATTRIBUTES and attribute.i in FLOATS:
        attribute.i = TensorProto.DOUBLE
    if attribute.HasField("t"):
        widen_tensor(attribute.t)
    if attribute.HasField("sparse_tensor"):
        widen_tensor(attribute.sparse_tensor.values)
    if attribute.HasField("tp"):
        widen_type(attribute.tp)
    if attribute.HasField("g"):
        widen_graph(attribute.g)
    for tensor in attribute.tensors:
        widen_tensor(tensor)
    for graph in attribute.graphs:
        widen_graph(graph)


def widen_nodes(nodes):
    for node in nodes:
        if node.op_type == "ConstantOfShape" and not node.attribute:  # then it means a zero of float32
            node.attribute.append(helper.make_attribute("value", numpy_helper.from_array(numpy.zeros(1))))
        for attribute in list(node.attribute):
            if attribute.ref_attr_name:
                continue
            if node.op_type == "Constant" and attribute.name in ("value_float", "value_floats"):
                widen_constant(node, attribute)
            else:
                widen_attribute(attribute)


def widen_graph(graph):
    for tensor in graph.initializer:
        widen_tensor(tensor)
    for tensor in graph.sparse_initializer:
        widen_tensor(tensor.values)
    for value in (*graph.input, *graph.output, *graph.value_info):
        widen_type(value.type)
    widen_nodes(graph.node)


def widened(model):
    wide = onnx.ModelProto()
    wide.CopyFrom(model)
    widen_graph(wide.graph)
    for function in wide.functions:
        widen_nodes(function.node)
    return wide


# Values --------------------------------------------------------------------------------------------------------------


def is_float(array):
    return array.dtype.name in ("float16", "float32", "float64", "bfloat16")


def widen_value(value):
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.astype(numpy.float64) if is_float(value) else value
    if isinstance(value, list):
        return [widen_value(item) for item in value]
    if isinstance(value, dict):
        return {key: widen_value(item) for key, item in value.items()}
    return value


def parsed(proto, file):
    with open(file, "rb") as stream:
        proto.ParseFromString(stream.read())
    return proto


def from_map(proto):
    keys = list(proto.string_keys) if proto.key_type == TensorProto.STRING else list(proto.keys)
    values = [numpy_helper.to_array(tensor).reshape(-1)[0] for tensor in proto.values.tensor_values]
    return dict(zip((key.decode() if isinstance(key, bytes) else key for key in keys), values))


def read_value(file, form):
    if form == ["tensor"]:
        return numpy_helper.to_array(parsed(TensorProto(), file))
    if form == ["sequence", "tensor"]:
        return [numpy_helper.to_array(tensor) for tensor in parsed(onnx.SequenceProto(), file).tensor_values]
    if form == ["sequence", "map"]:
        return [from_map(entry) for entry in parsed(onnx.SequenceProto(), file).map_values]
    if form == ["map"]:
        return from_map(parsed(onnx.MapProto(), file))
    if form == ["optional", "tensor"]:
        proto = parsed(onnx.OptionalProto(), file)
        return numpy_helper.to_array(proto.tensor_value) if proto.HasField("tensor_value") else None
    raise Refused("an input that is %s cannot be fed" % " of ".join(form))


def element_type(declared):
    """Of the tensor at the bottom."""
    kind = declared.WhichOneof("value")
    if kind in ("sequence_type", "optional_type"):
        return element_type(getattr(declared, kind).elem_type)
    if kind == "map_type":
        return element_type(declared.map_type.value_type)
    return declared.tensor_type.elem_type if kind == "tensor_type" else TensorProto.UNDEFINED


def tensor_of(value, name, declared):
    """As it is declared: the evaluator is not strict about types."""
    array = numpy.asarray(value)
    if array.dtype.kind in "UO":
        return helper.make_tensor(name, TensorProto.STRING, array.shape, [str(one).encode() for one in array.reshape(-1)])
    if declared not in (TensorProto.UNDEFINED, TensorProto.STRING):
        wanted = array.astype(helper.tensor_dtype_to_np_dtype(declared))
        if not is_float(array) and not numpy.array_equal(wanted, array):
            raise Refused("%s became %s, which cannot hold its values" % (name, array.dtype))
        array = wanted
    return numpy_helper.from_array(numpy.ascontiguousarray(array).reshape(array.shape), name)


def proto_of(value, name, form, declared):
    if form == ["tensor"] and not isinstance(value, (list, dict, type(None))):
        return tensor_of(value, name, declared)
    if form == ["sequence", "tensor"] and isinstance(value, list):
        proto = onnx.SequenceProto(name=name, elem_type=onnx.SequenceProto.TENSOR)
        proto.tensor_values.extend(tensor_of(one, "", declared) for one in value)
        return proto
    if form == ["optional", "tensor"]:
        proto = onnx.OptionalProto(name=name, elem_type=onnx.OptionalProto.TENSOR)
        if value is not None:
            proto.tensor_value.CopyFrom(tensor_of(value, "", declared))
        return proto
    # No operator of the evaluator makes a map.
    raise Refused("output '%s' came as %s, not as %s" % (name, type(value).__name__, " of ".join(form)))


# One run -------------------------------------------------------------------------------------------------------------


def evaluate(model, feeds):
    """All values of the graph by name where this version gives them, else the outputs."""
    evaluator = ReferenceEvaluator(model)
    names = [output.name for output in model.graph.output]
    if "intermediate" in inspect.signature(evaluator.run).parameters:
        return evaluator.run(None, feeds, intermediate=True)
    return dict(zip(names, evaluator.run(None, feeds)))


def narrow_value(values):
    """The first that is a float, and no float64."""
    for name, value in values.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, (numpy.ndarray, numpy.generic)) and is_float(one) and one.dtype != numpy.float64:
                return "'%s' is %s all the same" % (name, one.dtype)
    return ""


def one_line(error):
    words = " ".join(str(error).split())[:300]
    return "%s: %s" % (type(error).__name__, words) if words else type(error).__name__


def values_of(model, feeds, wants_float64):
    """The values, the precision they have, and why it is not float64."""
    why = ""
    if wants_float64:
        try:
            values = evaluate(widened(model), {name: widen_value(value) for name, value in feeds.items()})
            why = narrow_value(values)
            if not why:
                return values, "float64", ""
        except MemoryError:
            raise
        except Exception as error:  # of any operator: none is made for being fed other types than it declares
            why = one_line(error)
    return evaluate(model, feeds), "", why


def is_external(model):
    def of_nodes(nodes):
        for node in nodes:
            for attribute in node.attribute:
                yield from (attribute.t, *attribute.tensors)
                for graph in (attribute.g, *attribute.graphs):
                    yield from of_graph(graph)

    def of_graph(graph):
        yield from graph.initializer
        for tensor in graph.sparse_initializer:
            yield from (tensor.values, tensor.indices)
        yield from of_nodes(graph.node)

    tensors = [*of_graph(model.graph)]
    for function in model.functions:
        tensors.extend(of_nodes(function.node))
    return any(tensor.data_location == TensorProto.EXTERNAL for tensor in tensors)


def work(folder):
    with open(os.path.join(folder, "job.json"), encoding="utf-8") as stream:
        job = json.load(stream)
    model = onnx.load(os.path.join(folder, job["model"]), load_external_data=False)
    if is_external(model):
        raise Refused("the model keeps weights outside of its file")
    feeds = {value["name"]: read_value(os.path.join(folder, value["file"]), value["form"]) for value in job["inputs"]}
    with numpy.errstate(all="ignore"):
        values, precision, why = values_of(model, feeds, job["float64"])
        for output, place in zip(model.graph.output, job["outputs"]):
            proto = proto_of(values[output.name], output.name, place["form"], element_type(output.type))
            with open(os.path.join(folder, place["file"]), "wb") as stream:
                stream.write(proto.SerializeToString())
    with open(os.path.join(folder, "result.json"), "w", encoding="utf-8") as stream:
        json.dump({"precision": precision, "why": why}, stream)


def main():
    if sys.argv[1:] == ["--probe"]:
        print(onnx.__version__)
        return 0
    try:
        work(sys.argv[1])
    except MemoryError:
        print("out of memory", file=sys.stderr)
        return 3
    except Exception as error:
        print(error if isinstance(error, Refused) else one_line(error), file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
