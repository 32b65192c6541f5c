#include "network/tensorflow/tensorflow_slices.h"

#include <algorithm>
#include <limits>

namespace culprit {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t first_of_all = std::numeric_limits<std::int64_t>::min(),
                       last_of_all = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t most_axes = 32;

std::optional<Numbers> numbers_named(const HyperWords& hyper, const std::string& name) {
  const auto found = hyper.find(name);
  if (found == hyper.end()) return std::nullopt;
  if (const auto* list = std::get_if<Numbers>(&found->second)) return *list;
  if (const auto* one = std::get_if<std::int64_t>(&found->second)) return Numbers{*one};
  return std::nullopt;
}

bool has_bit(const HyperWords& hyper, const std::string& name, std::size_t bit) {
  const auto mask = numbers_named(hyper, name);
  return mask && mask->size() == 1 && ((mask->front() >> bit) & 1) != 0;
}

bool is_set(const HyperWords& hyper, const std::string& name) {
  const auto mask = numbers_named(hyper, name);
  return mask && mask->size() == 1 && mask->front() != 0;
}

bool adds_axes(const HyperWords& hyper) { return is_set(hyper, "ellipsis_mask") || is_set(hyper, "new_axis_mask"); }

std::int64_t end_of_size(std::int64_t start, std::int64_t size) {
  return size < 0 || start > last_of_all - size ? last_of_all : start + size;
}

}  // namespace

void tell_pads_as_onnx(HyperWords& hyper) {
  const auto pairs = numbers_named(hyper, "pads");
  if (!pairs || pairs->size() % 2 != 0) return;
  Numbers pads;
  for (const std::size_t side : {0U, 1U})
    for (std::size_t i = side; i < pairs->size(); i += 2) pads.push_back((*pairs)[i]);
  hyper["pads"] = std::move(pads);
}

Numbers tensorflow_pads(const Numbers& onnx) {
  Numbers pairs;
  const std::size_t axes = onnx.size() / 2;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    pairs.push_back(onnx[axis]);
    pairs.push_back(onnx[axes + axis]);
  }
  return pairs;
}

void tell_slice_as_onnx(HyperWords& hyper) {
  auto starts = numbers_named(hyper, "starts"), ends = numbers_named(hyper, "ends"),
       steps = numbers_named(hyper, "steps");
  const auto sizes = numbers_named(hyper, "size");
  if (!starts || starts->size() > most_axes || adds_axes(hyper)) return;
  if (sizes && sizes->size() == starts->size()) {
    ends = Numbers();
    for (std::size_t i = 0; i < sizes->size(); ++i) ends->push_back(end_of_size((*starts)[i], (*sizes)[i]));
    steps = Numbers(starts->size(), 1);
  }
  if (!ends || !steps || ends->size() != starts->size() || steps->size() != starts->size()) return;
  Numbers axes;
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const bool is_forward = (*steps)[i] > 0;
    if (has_bit(hyper, "begin_mask", i)) (*starts)[i] = is_forward ? 0 : last_of_all;
    if (has_bit(hyper, "end_mask", i)) (*ends)[i] = is_forward ? last_of_all : first_of_all;
    if (has_bit(hyper, "shrink_axis_mask", i)) {
      (*ends)[i] = (*starts)[i] == -1 ? last_of_all : end_of_size((*starts)[i], 1);
      (*steps)[i] = 1;
    }
    axes.push_back(static_cast<std::int64_t>(i));
  }
  for (const char* name : {"begin_mask", "end_mask", "size"}) hyper.erase(name);
  hyper["starts"] = std::move(*starts);
  hyper["ends"] = std::move(*ends);
  hyper["steps"] = std::move(*steps);
  hyper["axes"] = std::move(axes);
}

std::optional<SliceParts> tensorflow_slice(const HyperWords& hyper) {
  const auto starts = numbers_named(hyper, "starts"), ends = numbers_named(hyper, "ends");
  if (!starts || !ends || starts->size() != ends->size() || adds_axes(hyper)) return std::nullopt;
  const auto steps = numbers_named(hyper, "steps").value_or(Numbers(starts->size(), 1));
  auto axes = numbers_named(hyper, "axes").value_or(Numbers());
  if (axes.empty())
    for (std::size_t i = 0; i < starts->size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  const auto is_none = [](std::int64_t axis) { return axis < 0 || axis >= static_cast<std::int64_t>(most_axes); };
  if (axes.size() != starts->size() || steps.size() != starts->size() || std::ranges::any_of(axes, is_none))
    return std::nullopt;
  const auto rank = static_cast<std::size_t>(axes.empty() ? 0 : *std::ranges::max_element(axes) + 1);
  SliceParts parts{Numbers(rank, 0), Numbers(rank, 0), Numbers(rank, 1)};
  parts.begin_mask = parts.end_mask = (std::int64_t{1} << rank) - 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    const std::int64_t bit = std::int64_t{1} << axis;
    parts.steps[axis] = steps[i];
    const bool from_end = steps[i] < 0;
    if (from_end ? (*starts)[i] != last_of_all : (*starts)[i] != 0) {
      parts.starts[axis] = (*starts)[i];
      parts.begin_mask &= ~bit;
    }
    if ((*ends)[i] != (from_end ? first_of_all : last_of_all)) {
      parts.ends[axis] = (*ends)[i];
      parts.end_mask &= ~bit;
    }
  }
  return parts;
}

std::optional<Numbers> SliceParts::sizes() const {
  Numbers sizes;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const bool to_the_end = ((end_mask >> i) & 1) != 0;
    if (steps[i] != 1 || starts[i] < 0 || (!to_the_end && ends[i] < starts[i])) return std::nullopt;
    sizes.push_back(to_the_end ? -1 : ends[i] - starts[i]);
  }
  return sizes;
}

}  // namespace culprit
