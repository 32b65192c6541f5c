#!/usr/bin/env python3
"""Prints the optimizer passes that this onnxsim runs, one a line.

Newer versions have a list, which is whole only after a model was simplified: the first one registers more passes. Older versions run
those that ONNX Optimizer calls fuse and elimination passes."""
import contextlib
import sys

import onnx
import onnx.parser
import onnxsim


def registered():
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }')
    with contextlib.redirect_stdout(sys.stderr):
        onnxsim.simplify(model)
    try:
        import onnxsim.onnxsim_cpp2py_export as library
    except ImportError:
        return []
    return library._list_optimizers() if hasattr(library, "_list_optimizers") else []


names = list(registered())
if not names:
    import onnxoptimizer

    names = onnxoptimizer.get_fuse_and_elimination_passes()
print("\n".join(name for name in names if name != "nop"))
