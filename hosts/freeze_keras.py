"""Writes a model of Keras as one graph of TensorFlow with its weights inside, and what its layers give in that graph.

    python freeze_keras.py MODEL FROZEN.pb VALUES.json [trusted]

What a layer gives is called as the layer: "conv"; of a second call "conv:1", of a second result "conv[1]", inside of a
model "model/conv", and before the layer's own activation "conv/preactivation". VALUES.json names two tensors for each:
one shows what the layer made, the other is what its users take, so that it can be fed and still be seen ("" where it
has none). The last line on stderr says what went wrong, if anything did. Only what is "trusted" may bring code of its
own.
"""

import contextlib
import json
import os
import re
import sys

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

BEHIND_NAME = "/preactivation"


def plain(name):
    """What TensorFlow allows in the name of a node."""
    name = re.sub(r"[^A-Za-z0-9_./-]", "_", name)
    return name if re.match(r"[A-Za-z0-9.]", name) else "v" + name


class Values:
    """What the layers gave while the model was traced."""

    def __init__(self, tf):
        self.tf, self.tensors, self.counts = tf, {}, {}

    def given(self, name, raw):
        """In the place of what a layer gave: the same for its users, and it can be fed."""
        if not self.tf.is_tensor(raw) or not isinstance(raw, self.tf.Tensor):
            return raw
        number = self.counts[name] = self.counts.get(name, -1) + 1
        if number:
            name = f"{name}#{number}"
        with self.tf.name_scope("values/"):
            shown = self.tf.identity(raw, name=plain(name))
            fed = self.tf.identity(shown, name=plain(name) + "/fed")
        if getattr(raw, "_keras_mask", None) is not None:
            fed._keras_mask = raw._keras_mask
        self.tensors[name] = (shown, fed)
        return fed


@contextlib.contextmanager
def watched_activation(values, operation, name):
    """What it takes is a value, too, where it is called once."""
    import keras

    known = operation.__dict__.get("activation")
    if not callable(known) or known is keras.activations.linear or isinstance(operation, keras.layers.RNN):
        yield
        return
    calls = []

    def activation(value, *more, **named):
        calls.append(value)
        return known(values.given(name + BEHIND_NAME, value) if len(calls) == 1 else value, *more, **named)

    operation.__dict__["activation"] = activation
    try:
        yield
    finally:
        operation.__dict__["activation"] = known
        if len(calls) > 1:
            values.tensors.pop(name + BEHIND_NAME, None)


def functional_of(model):
    """The graph of layers of a model; None where there is none, as of a class of its own."""
    import keras

    if isinstance(model, keras.Sequential):
        return model._functional
    return model if hasattr(model, "_nodes_by_depth") and hasattr(model, "_run_through_graph") else None


def call_number(model, node):
    """Which of its operation's calls in this model."""
    inside = {id(one) for nodes in model._nodes_by_depth.values() for one in nodes}
    return [id(one) for one in node.operation._inbound_nodes if id(one) in inside].index(id(node))


def run_model(values, model, prefix, given):
    """The model on flat inputs, with its layers' results told; its flat results."""
    import keras

    known = {id(tensor): value for tensor, value in zip(keras.tree.flatten(model.inputs), given)}
    for depth in sorted(model._nodes_by_depth, reverse=True):
        for node in model._nodes_by_depth[depth]:
            if node.is_input or any(id(tensor) not in known for tensor in node.input_tensors):
                continue
            number = call_number(model, node)
            name = prefix + node.operation.name + (f":{number}" if number else "")
            arguments, named = node.arguments.fill_in(known)
            results = keras.tree.flatten(run_operation(values, node.operation, name, arguments, named))
            known.update((id(tensor), value) for tensor, value in zip(node.outputs, results))
    return [known[id(tensor)] for tensor in keras.tree.flatten(model.outputs)]


def run_operation(values, operation, name, arguments, named):
    import keras

    inner = functional_of(operation)
    if inner is not None:
        with values.tf.name_scope(plain(operation.name)):
            return run_model(values, inner, name + "/", keras.tree.flatten(arguments[0]))
    if getattr(operation, "_call_has_training_arg", False) and named.get("training") is None:
        named = dict(named, training=False)
    with watched_activation(values, operation, name):
        results = keras.tree.flatten(operation(*arguments, **named))
    return [values.given(name + (f"[{at}]" if at else ""), result) for at, result in enumerate(results)]


def traced(model, values):
    """The graph of the whole model: its function, and by the names of layers the tensors in it."""
    import keras
    import tensorflow as tf

    inner = functional_of(model)
    if inner is None:
        raise SystemExit(f"{type(model).__name__} is no model of layers: its own code says what it computes")
    inputs = [
        tf.TensorSpec(tensor.shape, tensor.dtype, plain(tensor._keras_history.operation.name))
        for tensor in keras.tree.flatten(inner.inputs)
    ]

    @tf.function(input_signature=inputs, autograph=False)
    def run(*given):
        return run_model(values, inner, "", given)

    return run.get_concrete_function()


def frozen(path, is_trusted):
    import keras
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    model = keras.saving.load_model(path, compile=False, safe_mode=not is_trusted)
    values = Values(tf)
    function = traced(model, values)
    made = convert_variables_to_constants_v2(function, lower_control_flow=False)
    graph = made.graph.as_graph_def()
    inputs = [tensor.name for tensor in made.inputs]
    left = sorted({node.op for node in graph.node} & {"VarHandleOp", "VariableV2", "ReadVariableOp"})
    if left:
        raise SystemExit(f"its weights cannot be brought inside: {', '.join(left)} is left in its graph")
    outputs = add_outputs(graph, made.outputs, values)
    kept = without_unused(graph, [name.split(":")[0] for name in inputs + outputs])
    tensors = {
        name: {"shown": shown.name, "fed": fed.name if fed.op.name in kept else ""}
        for name, (shown, fed) in values.tensors.items()
        if shown.op.name in kept
    }
    return sorted_inputs(graph, inputs), {"inputs": inputs, "outputs": outputs, "values": tensors}


def add_outputs(graph, tensors, values):
    """A node for each output, with the name of the layer that gives it."""
    given = {fed.name: (name, shown.name) for name, (shown, fed) in values.tensors.items()}
    taken = {node.name for node in graph.node}
    outputs = []
    for tensor in tensors:
        source = tensor
        while source.op.type == "Identity" and source.name not in given:
            source = source.op.inputs[0]
        layer, shown = given.get(source.name, (source.op.name, source.name))
        name = wanted = plain(layer)
        number = 0
        while name in taken:
            number += 1
            name = f"{wanted}_{number}"
        taken.add(name)
        node = graph.node.add()
        node.name, node.op = name, "Identity"
        node.input.append(shown)
        node.attr["T"].type = source.dtype.as_datatype_enum
        outputs.append(name + ":0")
    return outputs


def without_unused(graph, wanted):
    """Nodes that no output needs would be outputs themselves. The names of what is left."""
    by_name = {node.name: node for node in graph.node}
    needed, waiting = set(), list(wanted)
    while waiting:
        name = waiting.pop().lstrip("^").split(":")[0]
        if name not in needed:
            needed.add(name)
            waiting.extend(by_name[name].input)
    for i in reversed(range(len(graph.node))):
        if graph.node[i].name not in needed:
            del graph.node[i]
    return needed


def sorted_inputs(graph, inputs):
    """The order of its nodes is that of the inputs."""
    by_name = {node.name: node for node in graph.node}
    first = [by_name[name.split(":")[0]] for name in inputs]
    others = [node for node in graph.node if node.op != "Placeholder"]
    ordered = type(graph)()
    ordered.CopyFrom(graph)
    del ordered.node[:]
    ordered.node.extend(first + others)
    return ordered


def main():
    if len(sys.argv) not in (4, 5):
        raise SystemExit(__doc__)
    graph, values = frozen(sys.argv[1], sys.argv[4:] == ["trusted"])
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        json.dump(values, file)
    with open(sys.argv[2], "wb") as file:
        file.write(graph.SerializeToString(deterministic=True))


if __name__ == "__main__":
    try:
        main()
    except SystemExit:
        raise
    except Exception as error:
        raise SystemExit(f"{type(error).__name__}: {error}".replace("\n", " ")) from None
