#!/usr/bin/env python3
"""Prints the optimizer passes that this onnxsim runs, one a line.

Newer versions print them themselves; older ones run those that ONNX Optimizer calls fuse and elimination passes."""
import subprocess
import sys

asked = [sys.executable, "-m", "onnxsim", "--list-default-optimizers", "in.onnx", "out.onnx"]
answer = subprocess.run(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
names = answer.stdout.split() if answer.returncode == 0 else []
if not names:
    import onnxoptimizer

    names = onnxoptimizer.get_fuse_and_elimination_passes()
print("\n".join(name for name in names if name != "nop"))
