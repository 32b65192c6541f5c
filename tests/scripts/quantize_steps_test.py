#!/usr/bin/env python3
"""hosts/quantize_steps.py: calibration gets the rows of a file in the batches that the model takes, and nodes that are to be left
are left by their names. onnx is not needed."""
import importlib.util
import pathlib
import sys
import tempfile
import types
import unittest
import unittest.mock

try:
    import numpy
except ImportError:
    numpy = None
    sys.modules["numpy"] = types.ModuleType("numpy")

STEPS = pathlib.Path(__file__).resolve().parents[2] / "hosts" / "quantize_steps.py"


def loaded():
    sys.modules.setdefault("onnx", types.ModuleType("onnx"))
    spec = importlib.util.spec_from_file_location("quantize_steps", STEPS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def declared(name, *sizes):
    """As an input stands in a model: 0 is an open size."""
    shape = types.SimpleNamespace(dim=[types.SimpleNamespace(dim_value=size) for size in sizes])
    tensor = types.SimpleNamespace(shape=shape, HasField=lambda field: True)
    return types.SimpleNamespace(name=name, type=types.SimpleNamespace(tensor_type=tensor))


@unittest.skipIf(numpy is None, "no numpy")
class Rows(unittest.TestCase):
    def fed(self, inputs, **arrays):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.npz"
            numpy.savez(path, **arrays)
            return loaded().given_samples(path, inputs)

    def shapes(self, inputs, **arrays):
        return [{name: array.shape for name, array in sample.items()} for sample in self.fed(inputs, **arrays)]

    def test_a_batch_of_one_gets_row_by_row(self):
        rows = numpy.arange(60).reshape(20, 3)
        fed = self.fed([declared("x", 1, 3)], x=rows)
        self.assertEqual([sample["x"].shape for sample in fed], [(1, 3)] * 20)
        self.assertTrue((numpy.concatenate([sample["x"] for sample in fed]) == rows).all())

    def test_an_open_batch_gets_all(self):
        self.assertEqual(self.shapes([declared("x", 0, 3)], x=numpy.zeros((20, 3))), [{"x": (20, 3)}])

    def test_a_batch_of_eight_gets_whole_batches(self):
        self.assertEqual(self.shapes([declared("x", 8, 3)], x=numpy.zeros((20, 3))), [{"x": (8, 3)}] * 2)

    def test_an_input_without_a_batch_gets_the_row_itself(self):
        self.assertEqual(self.shapes([declared("x", 3)], x=numpy.zeros((20, 3))), [{"x": (3,)}] * 20)

    def test_all_inputs_get_the_same_rows(self):
        inputs = [declared("x", 1, 3), declared("n", 0)]
        fed = self.fed(inputs, x=numpy.zeros((20, 3)), n=numpy.arange(20))
        self.assertEqual([sample["n"].tolist() for sample in fed], [[number] for number in range(20)])

    def test_no_more_than_a_hundred(self):
        self.assertEqual(len(self.fed([declared("x", 1, 3)], x=numpy.zeros((300, 3)))), 100)


class Names(unittest.TestCase):
    def excluded(self, *skip):
        asked = []
        quantization = types.ModuleType("onnxruntime.quantization")
        quantization.QuantType = types.SimpleNamespace(QInt8=0)
        quantization.quantize_dynamic = lambda source, output, **options: asked.extend(options["nodes_to_exclude"])
        arguments = types.SimpleNamespace(output="out", skip=list(skip), weight_type=None, activation_type=None, per_channel=None)
        with unittest.mock.patch.dict(sys.modules, {"onnxruntime": types.ModuleType("onnxruntime"), "onnxruntime.quantization": quantization}):
            loaded().dynamic(None, "source", arguments)
        return set(asked)

    def test_the_matmul_that_a_gemm_becomes_is_left(self):
        self.assertLessEqual({"conv", "fc", "fc_MatMul"}, self.excluded("conv", "fc"))

    def test_no_other_node_has_the_name_of_that_matmul(self):
        nodes = [types.SimpleNamespace(name=name, op_type=kind) for name, kind in [("fc_MatMul", "MatMul"), ("fc", "Gemm"), ("fc", "Relu")]]
        model = types.SimpleNamespace(graph=types.SimpleNamespace(node=nodes))
        self.assertEqual([node.name for node in loaded().with_names(model).graph.node], ["MatMul#0", "fc", "Relu#2"])


if __name__ == "__main__":
    unittest.main()
