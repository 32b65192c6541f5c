#!/usr/bin/env python3
"""Brings a model to the newest opset that this onnx has: version_converter.py INPUT OUTPUT [OPSET]."""
import sys

import onnx
from onnx import version_converter

source, target = sys.argv[1:3]
opset = int(sys.argv[3]) if len(sys.argv) > 3 else onnx.defs.onnx_opset_version()
onnx.save(version_converter.convert_version(onnx.load(source), opset), target)
