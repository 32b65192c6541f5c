"""Writes a SavedModel of TensorFlow as one graph with its weights inside, and without functions but for loops.

    python freeze_saved_model.py SAVED_MODEL FROZEN.pb

What runs is its signature for serving, else its only one. Each output of the graph is a node of its own with the name
that the signature gives it. The last line on stderr says what went wrong, if anything did.
"""

import os
import re
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

SERVING = "serving_default"
INIT = "__saved_model_init_op"


def chosen(signatures):
    """As Culprit chooses it when it runs the SavedModel."""
    if SERVING in signatures:
        return signatures[SERVING]
    others = [signatures[name] for name in sorted(signatures) if name != INIT]
    if len(others) != 1:
        raise SystemExit(f"the SavedModel has {len(others)} signatures, and none is called '{SERVING}'")
    return others[0]


def inlined(function, keys):
    """Its graph, with weights inside and bodies of calls in the place of the calls; its inputs; by key the tensor and type
    of each output.

    A weight is called as its variable is: what it is called in the graph of a function is "unknown_7".
    """
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    made = convert_variables_to_constants_v2(function, lower_control_flow=False)
    if len(made.outputs) != len(keys):
        raise SystemExit(f"the signature has {len(keys)} outputs, and the graph that came of it {len(made.outputs)}")
    variables = {id(variable.handle): variable.name.split(":")[0] for variable in function.graph.variables}
    names = {inner.op.name: variables[id(outer)] for outer, inner in function.graph.captures if id(outer) in variables}
    graph, changed = renamed(made.graph.as_graph_def(), names)

    def told(tensor):
        return changed.get(tensor.op.name, tensor.op.name) + f":{tensor.value_index}", tensor.dtype.as_datatype_enum

    inputs = [told(tensor)[0].split(":")[0] for tensor in made.inputs]
    return graph, inputs, dict(zip(keys, map(told, made.outputs)))


def renamed(graph, names):
    """Without what calls put before a name, and with the names of variables."""
    taken = {node.name for node in graph.node}
    changed = {}
    for node in graph.node:
        name = names.get(node.name) if node.op == "Const" else None
        name = name or re.sub(r"^(StatefulPartitionedCall(_\d+)?/)+", "", node.name)
        if name and name not in taken:
            taken.add(name)
            changed[node.name] = name
            node.name = name
    for node in graph.node:
        for at, name in enumerate(node.input):
            whole = name.lstrip("^")
            bare, colon, output = whole.partition(":")
            if bare in changed:
                node.input[at] = "^" * (len(name) - len(whole)) + changed[bare] + colon + output
        node.attr.pop("_class", None)  # on which device, by the old names
    return graph, changed


def by_objects(folder, tags):
    import tensorflow as tf

    loaded = tf.saved_model.load(folder, tags=tags)  # it must live as long as the function
    function = chosen(loaded.signatures)
    return inlined(function, sorted(function.structured_outputs))


def by_session(folder, tags):
    """As version 1 loads it: the objects that it was saved with are not made again."""
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_from_session_graph

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        meta = tf.compat.v1.saved_model.load(session, tags, folder)
        signature = chosen(meta.signature_def)
        inputs = [signature.inputs[key].name for key in sorted(signature.inputs)]
        keys = sorted(signature.outputs)
        outputs = [signature.outputs[key].name for key in keys]
        constant = convert_variables_to_constants_from_session_graph(
            session, session.graph.as_graph_def(), [name.split(":")[0] for name in outputs]
        )
    whole = tf.compat.v1.wrap_function(lambda: tf.graph_util.import_graph_def(constant, name=""), [])
    tensor = whole.graph.get_tensor_by_name
    return inlined(whole.prune([tensor(name) for name in inputs], [tensor(name) for name in outputs]), keys)


def frozen(folder):
    from tensorflow.python.saved_model import loader_impl

    graphs = [set(graph.meta_info_def.tags) for graph in loader_impl.parse_saved_model(folder).meta_graphs]
    tags = next((tags for tags in graphs if "serve" in tags), graphs[0])
    try:
        graph, inputs, outputs = by_objects(folder, sorted(tags))
    except SystemExit:
        raise
    except Exception as first:  # as of models of Keras 2 that keep the state of their optimizer
        try:
            graph, inputs, outputs = by_session(folder, sorted(tags))
        except SystemExit:
            raise
        except Exception:
            raise first from None
    taken = {node.name for node in graph.node}
    named = []
    for key, (tensor, kind) in outputs.items():
        name = key
        while name in taken:
            name += "_output"
        taken.add(name)
        named.append(name)
        node = graph.node.add()
        node.name, node.op = name, "Identity"
        node.input.append(tensor)
        node.attr["T"].type = kind
    left = sorted({node.op for node in graph.node} & {"VarHandleOp", "VariableV2", "ReadVariableOp"})
    if left:
        raise SystemExit(f"its weights cannot be brought inside: {', '.join(left)} is left in its graph")
    return without_unused(graph, named + inputs)


def without_unused(graph, wanted):
    """Nodes that no output needs would be outputs themselves."""
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
    return graph


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    graph = frozen(sys.argv[1])
    with open(sys.argv[2], "wb") as file:
        file.write(graph.SerializeToString(deterministic=True))


if __name__ == "__main__":
    try:
        main()
    except SystemExit:
        raise
    except Exception as error:
        raise SystemExit(f"{type(error).__name__}: {error}".replace("\n", " ")) from None
