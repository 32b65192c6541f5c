#pragma once
// What the tests of this room share: facts of a fault, and the model that the fake executor knows.

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <stdexcept>

#include "repro/repro_folder.h"

namespace culprit {

inline ReproFacts sample_facts() {
  ReproFacts facts;
  facts.fault = "F1";
  facts.source = "net.onnx";
  facts.culprits = {"a"};
  facts.signature = "diverged | a | BatchNormalization -> | ";
  facts.message = "a: output 'y' differs by 0.5";
  facts.recipe.passes = {"a"};
  facts.cpu_seconds = 120;
  facts.inputs = {{"x", "input_0.pb", {"tensor"}}};
  facts.outputs = {{"y", "output_0.pb", {"tensor"}}, {"z", "output_1.pb", {"sequence", "tensor"}}};
  facts.limits = {{"y", {1e-4, 1e-3, 1e-7, {}}}, {"z", {0, 0, 0, {0, 3}}}};
  Measurement measured;
  measured.max_abs = 0.5;
  measured.mismatched = measured.beyond_floor = measured.beyond_tolerance = 2;
  measured.elements = 4;
  facts.measurements = {{"y", measured}};
  facts.confirmed = "2/2";
  facts.versions = {"0.1.0", "0.4.2", "1.19.0", "1.31.1"};
  facts.model = {"00112233445566778899aabbccddeeff", 3};
  return facts;
}

/// x: float32[2]; y = 2x and z = -x.
inline onnx::ModelProto sample_model() {
  onnx::ModelProto model;
  const auto parsed = onnx::OnnxParser::Parse(model, R"(
<ir_version: 8, opset_import: ["" : 13]>
net (float[2] x) => (float[2] y, float[2] z)
{
  y = Add(x, x)
  z = Neg(x)
})");
  if (!parsed.IsOK()) throw std::runtime_error(parsed.ErrorMessage());
  return model;
}

/// A bundle of it in `folder`, read back.
inline Bundle sample_bundle(const fs::path& folder, const ReproFacts& facts) {
  const fs::path model = folder / "net.onnx";
  const auto written = save_model(sample_model(), model);
  ReproContents contents;
  contents.facts = facts;
  contents.model = model;
  contents.inputs = {{"x", Tensor::of<float>({2}, {3, -1})}};
  contents.outputs = {{"y", Tensor::of<float>({2}, {6, -2})}, {"z", Tensor::of<float>({2}, {-3, 1})}};
  const auto bundled = written ? write_bundle(contents, folder / "repro" / "F1") : written;
  if (!bundled) throw std::runtime_error(bundled.error().text());
  return read_bundle(folder / "repro" / "F1").value();
}

}  // namespace culprit
