#!/usr/bin/env python3
"""Prints what this OnnxSlim can leave out, one a line: onnxslim_steps.py optimizations|patterns."""
import sys

if sys.argv[1] == "patterns":
    from onnxslim.core.pattern.registry import DEFAULT_FUSION_PATTERNS

    names = list(DEFAULT_FUSION_PATTERNS)
else:
    from onnxslim.core.optimization import OptimizationSettings

    names = [name for name in OptimizationSettings.keys() if name != "graph_fusion"]  # which is all patterns
print("\n".join(names))
