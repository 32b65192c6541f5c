#!/usr/bin/env python3
"""ONNX Script's optimizer with some of its steps left out.

    onnxscript_steps.py --list                         prints the steps, one a line
    onnxscript_steps.py INPUT OUTPUT [--skip STEP ...]

The steps are the passes that `onnxscript.optimizer.optimize` runs, and the rules that its pass RewritePass applies. A step is left out
by taking its pass, or its rule, out of the list that the package itself holds; all else is done by the package.
"""
import argparse
import collections
import sys

import onnx
import onnx_ir
import onnxscript.optimizer
from onnx_ir.passes import PassManager, PassResult, Sequential
from onnxscript import rewriter


class Nothing(onnx_ir.passes.InPlacePass):
    """In place of a pass that is left out."""

    def call(self, model):
        return PassResult(model, modified=False)


def numbered(names):
    """The second of two with one name is "name#2"."""
    seen = collections.Counter()
    for name in names:
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name}#{seen[name]}"


def names_in_modules():
    """By rule: the variable that holds it in the package, "mul_by_1_rule"."""
    names = {}
    for module in [one for name, one in sorted(sys.modules.items()) if name.startswith("onnxscript.rewriter.rules.")]:
        names.update({id(value): name for name, value in vars(module).items() if isinstance(value, rewriter.RewriteRule)})
    return names


def by_operator(rule):
    """A rule without any name: the operator that its pattern begins with, "on_Mul"."""
    nodes = getattr(getattr(rule, "_target_pattern", None), "_nodes", None)
    return f"on_{nodes[0].op_type}" if nodes and hasattr(nodes[0], "op_type") else type(rule).__name__


def names_of(all_rules):
    in_modules = names_in_modules()
    return numbered((rule.name or in_modules.get(id(rule)) or by_operator(rule)).replace(" ", "_") for rule in all_rules)


RULES = "_DEFAULT_REWRITE_RULES"
rules = list(getattr(rewriter, RULES))
rule_names = [f"rule.{name}" for name in names_of(rules)]
skipped = set()


def without_skipped(passes, seen):
    """The same passes, those that are skipped replaced. A pass that is there twice is one step."""
    kept = []
    for one in passes:
        if isinstance(one, (PassManager, Sequential)):
            one.passes = without_skipped(one.passes, seen)
        name = f"pass.{type(one).__name__}"
        is_step = not isinstance(one, (PassManager, Sequential, rewriter.RewritePass))
        if is_step:
            seen[name] = None
        is_left_out = name in skipped or (isinstance(one, rewriter.RewritePass) and set(rule_names) <= skipped)
        kept.append(Nothing() if is_left_out else one)
    return type(passes)(kept) if isinstance(passes, tuple) else kept


def optimized(model, seen):
    """`optimize` makes one Sequential of all its passes and calls it: there they are looked at."""
    call = Sequential.__call__

    def looking(self, *arguments, **named):
        self.passes = without_skipped(self.passes, seen)
        Sequential.__call__ = call  # that was the outermost
        return call(self, *arguments, **named)

    Sequential.__call__ = looking
    try:
        return onnxscript.optimizer.optimize(model)
    finally:
        Sequential.__call__ = call


def main():
    if "--list" in sys.argv[1:]:
        seen = {}
        graph = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 18]> g (float[2] x) => (float[2] y) { y = Relu(x) }')
        optimized(graph, seen)
        print("\n".join([*seen, *rule_names]))
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--skip", nargs="*", default=[])
    arguments = parser.parse_args()
    skipped.update(arguments.skip)
    kept = tuple(rule for rule, name in zip(rules, rule_names) if name not in skipped)
    setattr(rewriter, RULES, kept or tuple(rules))  # without any its pass is left out
    onnx.save(optimized(onnx.load(arguments.input), {}), arguments.output)


if __name__ == "__main__":
    main()
