#include "conversion/runs/made_up.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/as_index.h"
#include "base/random.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr std::array<float, 3> enlarged{1, 4, 16};
constexpr std::size_t variants = enlarged.size() + 1;
constexpr float of_rms = 4;

float rms_of_floats(const Tensor& tensor) {
  double sum = 0;
  for (const float number : tensor.as<float>()) sum += static_cast<double>(number) * static_cast<double>(number);
  return static_cast<float>(std::sqrt(sum / static_cast<double>(std::max<std::int64_t>(tensor.count(), 1))));
}

/// The value itself, larger, and normal numbers.
std::vector<Tensor> made_up(const Tensor& tensor, int seed) {
  std::vector<Tensor> made;
  made.reserve(variants);
  for (const float factor : enlarged) {
    std::vector<float> numbers(tensor.as<float>().begin(), tensor.as<float>().end());
    for (float& number : numbers) number *= factor;
    made.push_back(Tensor::of<float>(tensor.shape(), numbers));
  }
  Random random(static_cast<std::uint64_t>(seed));
  std::vector<float> numbers(static_cast<std::size_t>(tensor.count()));
  const float size = of_rms * rms_of_floats(tensor);
  for (float& number : numbers) number = size * static_cast<float>(random.normal());
  made.push_back(Tensor::of<float>(tensor.shape(), numbers));
  return made;
}

/// The furthest of all, over the root mean square of the right one.
double furthest(const std::vector<Tensor>& right, const std::vector<Tensor>& found, const ValueOrder& order) {
  double furthest = 0;
  for (std::size_t i = 0; i < right.size() && i < found.size(); ++i) {
    const auto back = brought_back(found[i], order, right[i].shape());
    if (!back || back->dtype() != DType::f32 || right[i].dtype() != DType::f32) return INFINITY;
    double sum = 0, size = 0;
    for (std::size_t at = 0; at < right[i].as<float>().size(); ++at) {
      const double one = static_cast<double>(right[i].as<float>()[at]),
                   other = static_cast<double>(back->as<float>()[at]);
      sum += (one - other) * (one - other);
      size += one * one;
    }
    if (sum > 0) furthest = std::max(furthest, size == 0 ? INFINITY : std::sqrt(sum / size));
  }
  return furthest;
}

}  // namespace

Result<std::optional<MadeUpOutcome>> MadeUpRuns::run(const FaultRegion& region, const std::vector<Edit>& edits) {
  const auto inputs = inputs_of(region);
  if (!inputs) return tl::unexpected(inputs.error());
  if (inputs->empty()) return std::nullopt;
  std::vector<SideFeed> of_source, of_target;
  for (std::size_t i = 0; i < region.borders.size(); ++i) {
    const ValueMatch& border = region.borders[i];
    SideFeed feed{border.target, {}};
    const auto sketch = sides_.target.sketches.find(border.target);
    for (const Tensor& tensor : (*inputs)[i]) {
      const bool is_seen = sketch != sides_.target.sketches.end() && !sketch->second.by_sample.empty();
      auto laid = fed_tensor(tensor, border.order, is_seen ? &sketch->second.by_sample.front() : nullptr);
      if (!laid) return std::nullopt;
      feed.by_sample.push_back(std::move(*laid));
    }
    of_target.push_back(std::move(feed));
    of_source.push_back({border.source, (*inputs)[i]});
  }
  const auto right = given(sides_.source, region.source, region.source_layers, of_source, {});
  if (!right) return tl::unexpected(right.error());
  const auto found = given(sides_.target, region.target, region.target_layers, of_target, {});
  if (!found) return tl::unexpected(found.error());
  const auto mended = given(sides_.target, region.target, region.target_layers, of_target, edits);
  if (!mended) return tl::unexpected(mended.error());
  if (right->size() != variants || found->size() != variants || mended->size() != variants) return std::nullopt;
  return MadeUpOutcome{furthest(*right, *found, region.order), furthest(*right, *mended, region.order)};
}

Result<std::vector<std::vector<Tensor>>> MadeUpRuns::inputs_of(const FaultRegion& region) {
  std::vector<std::vector<Tensor>> inputs;
  int seed = 0;
  for (const ValueMatch& border : region.borders) {
    std::vector<Tensor> tensors;
    if (sides_.source.ways.maker(border.source) < 0) {
      const auto pack = read_pack(sides_.source.map_samples.front());
      if (!pack) return tl::unexpected(pack.error());
      const Tensor* found = find_value(*pack, sides_.source.network().values[as_index(border.source)].name);
      if (found != nullptr) tensors.push_back(*found);
    } else {
      auto read = sides_.source_on_map.of(border.source);
      if (!read) return tl::unexpected(read.error());
      tensors = std::move(*read);
    }
    if (tensors.empty() || tensors.front().dtype() != DType::f32) return std::vector<std::vector<Tensor>>();
    inputs.push_back(made_up(tensors.front(), ++seed));
  }
  return inputs;
}

Result<std::vector<Tensor>> MadeUpRuns::given(ReadSide& side, int value, const std::vector<int>& layers,
                                              std::vector<SideFeed> feeds, const std::vector<Edit>& edits) {
  const SideView view{.values = {value}, .feeds = std::move(feeds), .edits = edits, .only_layers = layers};
  const std::vector<std::filesystem::path> samples(variants, side.map_samples.front());
  auto outcome = side.runs.run(view, samples);
  if (!outcome) return tl::unexpected(outcome.error());
  if (!outcome->has_run) return std::vector<Tensor>();
  return std::move(outcome->values[value]);
}

}  // namespace culprit
