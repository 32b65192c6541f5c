#!/usr/bin/env python3
"""Prints the passes of this ONNX Optimizer in its own order, one a line; those that it runs only when asked to are "NAME off"."""
import onnxoptimizer

usual = set(onnxoptimizer.get_fuse_and_elimination_passes())
print("\n".join(name if name in usual else f"{name} off" for name in onnxoptimizer.get_available_passes()))
