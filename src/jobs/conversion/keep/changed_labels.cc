#include "conversion/keep/changed_labels.h"

namespace culprit {
namespace {

bool holds_labels(const Tensor& output) {
  return is_float(output.dtype()) && output.shape().size() >= 2 && output.shape().back() >= 2 && output.count() > 0;
}

std::int64_t label_at(const Tensor& output, std::int64_t first, std::int64_t size) {
  std::int64_t label = 0;
  for (std::int64_t i = 1; i < size; ++i)
    if (output.number(first + i) > output.number(first + label)) label = i;
  return label;
}

}  // namespace

std::optional<bool> changes_labels(std::span<const Tensor> source, std::span<const Tensor> other) {
  bool decides = false;
  for (std::size_t output = 0; output < source.size() && output < other.size(); ++output) {
    const Tensor& right = source[output];
    if (!holds_labels(right)) continue;
    decides = true;
    if (other[output].count() != right.count()) return true;
    const std::int64_t size = right.shape().back();
    for (std::int64_t first = 0; first < right.count(); first += size)
      if (label_at(right, first, size) != label_at(other[output], first, size)) return true;
  }
  return decides ? std::optional(false) : std::nullopt;
}

}  // namespace culprit
