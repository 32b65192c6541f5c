#include "task/yolo_cells.h"

#include <fmt/format.h>

#include <cmath>

namespace culprit {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// One layer, however it lies in memory.
struct Layer {
  std::vector<double> numbers;
  std::size_t anchors, height, width, fields;
  bool is_flat;  ///< [1,A(5+C),H,W], not [1,A,H,W,5+C]
  [[nodiscard]] double at(std::size_t anchor, std::size_t y, std::size_t x, std::size_t field) const {
    const std::size_t cell = y * width + x, cells = height * width;
    return is_flat ? numbers[(anchor * fields + field) * cells + cell]
                   : numbers[(anchor * cells + cell) * fields + field];
  }
};

Layer layer_of(const Tensor& tensor, std::size_t anchors) {
  const auto dim = [&](std::size_t i) { return static_cast<std::size_t>(tensor.shape()[i]); };
  const bool is_flat = tensor.shape().size() == 4;
  return {numbers_of(tensor), anchors, dim(2), dim(3), is_flat ? dim(1) / anchors : dim(4), is_flat};
}

void add_cell(const DetectorSpec& spec, const Layer& layer, std::size_t number, std::size_t anchor, std::size_t y,
              std::size_t x, std::vector<Detection>& found) {
  const auto field = [&](std::size_t i) { return layer.at(anchor, y, x, i); };
  const double objectness = sigmoid(field(4));
  if (!(objectness > spec.least_score)) return;  // no class has more than 1
  std::size_t best = 5;
  for (std::size_t i = 5; i < layer.fields; ++i)
    if (field(i) > field(best)) best = i;
  const double score = objectness * sigmoid(field(best));
  if (!(score > spec.least_score)) return;
  const auto stride = static_cast<double>(spec.strides[number]);
  const double center_x = (sigmoid(field(0)) + static_cast<double>(x)) * stride;
  const double center_y = (sigmoid(field(1)) + static_cast<double>(y)) * stride;
  const double width = spec.anchors[number][anchor].first * std::exp(field(2));
  const double height = spec.anchors[number][anchor].second * std::exp(field(3));
  found.push_back({{center_x - width / 2, center_y - height / 2, center_x + width / 2, center_y + height / 2},
                   static_cast<std::int64_t>(best - 5),
                   score});
}

}  // namespace

Result<std::vector<Detection>> decode_cells(const DetectorSpec& spec, std::span<const NamedTensor> outputs,
                                            const DetectorOutputs& at) {
  std::vector<Detection> found;
  for (std::size_t number = 0; number < at.layers.size(); ++number) {
    const Layer layer = layer_of(outputs[at.layers[number]].value, spec.anchors[number].size());
    for (std::size_t anchor = 0; anchor < layer.anchors; ++anchor)
      for (std::size_t y = 0; y < layer.height; ++y)
        for (std::size_t x = 0; x < layer.width; ++x) add_cell(spec, layer, number, anchor, y, x, found);
  }
  return found;
}

}  // namespace culprit
