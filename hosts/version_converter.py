#!/usr/bin/env python3
"""Brings a model to another opset: version_converter.py INPUT OUTPUT OPSET."""
import sys

import onnx
from onnx import version_converter

source, target, opset = sys.argv[1:]
onnx.save(version_converter.convert_version(onnx.load(source), int(opset)), target)
