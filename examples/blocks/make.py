#!/usr/bin/env python3
"""Draws the pictures of this folder with the boxes of what is on them, and writes model.onnx, which finds these.

    python3 examples/blocks/make.py        needs numpy, onnx and Pillow

Nothing is learned: a filter for each size and color takes what is inside of a box, less what is around it.
"""
import json
import pathlib

import numpy
import onnx
import PIL.Image
from onnx import helper, numpy_helper

here = pathlib.Path(__file__).parent
CLASSES, SIZE, STEP, RING, SIDES = ["red", "blue"], 48, 2, 2, [9, 13, 18]


def drawn(chance):
    """One to three blocks that do not touch, and their boxes [class, x, y, width, height]."""
    pixels, boxes = chance.normal(90, 25, (SIZE, SIZE, 3)), []
    for _ in range(int(chance.integers(1, 4))):
        width, height = chance.integers(8, 20, 2)
        x, y = chance.integers(0, SIZE - width), chance.integers(0, SIZE - height)
        if any(x < b[1] + b[3] + 2 and b[1] < x + width + 2 and y < b[2] + b[4] + 2 and b[2] < y + height + 2 for b in boxes):
            continue
        kind = int(chance.integers(0, 2))
        pixels[y:y + height, x:x + width, 2 * kind] += chance.uniform(50, 140)
        boxes.append([kind, int(x), int(y), int(width), int(height)])
    return PIL.Image.fromarray(numpy.clip(pixels, 0, 255).astype("uint8")), boxes


def net():
    widest = max(SIDES) + 2 * RING
    filters = numpy.zeros((len(SIDES) * 2, 3, widest, widest))
    for i, side in enumerate(SIDES):
        low = (widest - side) // 2
        around, inside = slice(low - RING, low + side + RING), slice(low, low + side)
        for kind in range(2):
            filters[2 * i + kind, 2 * kind, around, around] = -1 / ((side + 2 * RING) ** 2 - side ** 2)
            filters[2 * i + kind, 2 * kind, inside, inside] = 1 / side ** 2
    cells = SIZE // STEP
    middle = STEP * (numpy.arange(cells) + 0.5)
    boxes = [[x - side / 2, y - side / 2, x + side / 2, y + side / 2] for y in middle for x in middle for side in SIDES]
    pad = widest - STEP
    tensors = {"filters": filters, "steep": numpy.array(16.0), "least": numpy.array(-3.0), "grid": numpy.array([boxes]) / SIZE,
               "shift": numpy.array(0.0)}
    shape = numpy_helper.from_array(numpy.array([1, len(boxes), 2], "int64"), "shape")
    nodes = [helper.make_node("Conv", ["picture", "filters"], ["a"], "conv", strides=[STEP, STEP],
                              pads=[pad // 2, pad // 2, pad - pad // 2, pad - pad // 2]),
             helper.make_node("Mul", ["a", "steep"], ["b"], "scale"),
             helper.make_node("Add", ["b", "least"], ["c"], "threshold"),
             helper.make_node("Transpose", ["c"], ["d"], "last", perm=[0, 2, 3, 1]),
             helper.make_node("Reshape", ["d", "shape"], ["e"], "list"),
             helper.make_node("Sigmoid", ["e"], ["scores"], "chances"),
             helper.make_node("Add", ["grid", "shift"], ["boxes"], "places")]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "blocks", [value("picture", onnx.TensorProto.FLOAT, [1, 3, SIZE, SIZE])],
                              [value("boxes", onnx.TensorProto.FLOAT, [1, len(boxes), 4]),
                               value("scores", onnx.TensorProto.FLOAT, [1, len(boxes), 2])],
                              [numpy_helper.from_array(array.astype("float32"), name) for name, array in tensors.items()] + [shape])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8, producer_name="culprit-examples")


def main():
    chance = numpy.random.default_rng(1)
    onnx.save(net(), here / "model.onnx")
    (here / "pictures").mkdir(exist_ok=True)
    coco = {"images": [], "annotations": [], "categories": [{"id": i + 1, "name": name} for i, name in enumerate(CLASSES)]}
    for number in range(16):
        picture, boxes = drawn(chance)
        picture.save(here / "pictures" / f"{number:02}.png")
        coco["images"].append({"id": number, "file_name": f"{number:02}.png", "width": SIZE, "height": SIZE})
        for kind, *box in boxes:
            coco["annotations"].append({"id": len(coco["annotations"]) + 1, "image_id": number, "category_id": kind + 1,
                                        "bbox": box, "area": box[2] * box[3], "iscrowd": 0})
    (here / "annotations.json").write_text(json.dumps(coco))


main()
