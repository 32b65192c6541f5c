#include "conversion/runs/both_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/walk/cut_orders.h"
#include "tensor/pack_file.h"

namespace culprit {
ReadSide::ReadSide(const Side& side_, Executor& executor, std::filesystem::path folder, const SideReading& options_)
    : side(side_), ways(side_.network()), runs(side_, executor, std::move(folder)), options(options_) {
  for (const int value : ways.values())
    if (ways.maker(value) >= 0 && network().values[as_index(value)].is_visible) shown.push_back(value);
}

ShowTask ReadSide::task(bool on_all_samples, std::vector<SideFeed> feeds) const {
  ShowTask made;
  made.samples = on_all_samples ? samples : map_samples;
  made.feeds = std::move(feeds);
  made.bytes_per_run = options.bytes_per_run;
  return made;
}

std::unique_ptr<Elements> ReadSide::elements(ShowTask task, const std::map<int, std::vector<Tensor>>& known) {
  return std::make_unique<ReadAhead>(runs, shown, sketches, std::move(task), known);
}

std::unique_ptr<Elements> ReadSide::elements_on_map() {
  return std::make_unique<ReadAhead>(runs, shown, sketches, task(false), kept);
}

DrawnFloors::DrawsOf ReadSide::draws(bool on_all_samples, std::vector<SideFeed> feeds) {
  if (!side.can_be_drawn()) return {};
  return [this, on_all_samples, feeds = std::move(feeds)](const Perturbation& perturbation) {
    ShowTask moved = task(on_all_samples, feeds);
    moved.perturbation = perturbation;
    return elements(std::move(moved));
  };
}

Result<std::size_t> ReadSide::read_shown() {
  auto read = show_values(runs, shown, task(false));
  if (!read) return tl::unexpected(read.error());
  sketches.merge(read->sketches);
  kept = std::move(read->kept);
  is_read_whole = !read->outputs.empty();
  return read->not_read.size();
}

Result<void> ReadSide::sketch_inputs() {
  for (const int input : network().inputs) {
    const auto given = given_to(side, input, map_samples);
    if (!given) return tl::unexpected(given.error());
    if (!given->empty()) sketches[input] = sketch_of(*given);
  }
  return {};
}

Result<std::vector<Tensor>> inputs_in(const ReadSide& side, const std::filesystem::path& sample) {
  const auto pack = read_pack(sample);
  if (!pack) return tl::unexpected(pack.error());
  std::vector<Tensor> inputs;
  for (const int input : side.network().inputs) {
    const Tensor* found = find_value(*pack, side.network().values[as_index(input)].name);
    inputs.push_back(found == nullptr ? Tensor() : *found);
  }
  return inputs;
}

Result<std::vector<std::vector<Tensor>>> inputs_on_map(const ReadSide& side) {
  std::vector<std::vector<Tensor>> tensors;
  for (const auto& sample : side.map_samples) {
    auto inputs = inputs_in(side, sample);
    if (!inputs) return tl::unexpected(inputs.error());
    tensors.push_back(std::move(*inputs));
  }
  return tensors;
}

std::map<int, std::vector<Tensor>> values_of_outputs(const Network& network,
                                                     const std::vector<std::vector<NamedTensor>>& by_sample) {
  std::map<int, std::vector<Tensor>> values;
  const auto is_plain = [&](const auto& sample) { return sample.size() == network.outputs.size(); };
  if (!std::ranges::all_of(by_sample, is_plain)) return values;
  for (std::size_t i = 0; i < network.outputs.size(); ++i) {
    auto& tensors = values[network.outputs[i]];
    tensors.clear();  // an output may be named twice
    for (const auto& sample : by_sample) tensors.push_back(sample[i].value);
  }
  return values;
}

Result<Tensor> fed_tensor(const Tensor& source, const ValueOrder& order, const SampleSketch* target) {
  Shape shape = laid_out_shape(source.shape(), order);
  if (target != nullptr && target->count == source.count()) {
    const bool is_whole = sizes_that_count(shape) == sizes_that_count(target->shape);
    if (is_whole || order.axes.of_target || shape == source.shape()) shape = target->shape;
  }
  auto laid = laid_out(source, order, shape);
  if (!laid || target == nullptr || target->dtype == DType::undefined || target->dtype == laid->dtype()) return laid;
  return cast(*laid, target->dtype);
}

std::optional<SampleSketch> sketch_of_size(const ValueSketch& sketch, std::int64_t count) {
  if (sketch.by_sample.empty()) return std::nullopt;
  const auto same = std::ranges::find(sketch.by_sample, count, &SampleSketch::count);
  if (same != sketch.by_sample.end()) return *same;
  SampleSketch like = sketch.by_sample.front();
  if (like.shape.empty() || like.count <= 0 || like.shape[0] * count % like.count != 0) return like;
  like.shape[0] = like.shape[0] * count / like.count;
  like.count = count;
  return like;
}

Result<std::vector<SideFeed>> feeds_of(const BothSides& sides, const std::vector<ValueMatch>& matches,
                                       const std::map<int, ValueSketch>& sketches, bool on_all_samples) {
  std::vector<SideFeed> feeds;
  feeds.reserve(matches.size());
  std::set<int> fed;
  for (const ValueMatch& match : matches) {
    if (match.by == FoundBy::binding && sides.target.ways.maker(match.target) < 0) continue;
    if (!fed.insert(match.target).second) continue;
    const auto tensors = (on_all_samples ? sides.source_on_all : sides.source_on_map).of(match.source);
    if (!tensors) return tl::unexpected(tensors.error());
    const NetworkValue& value = sides.source.network().values[as_index(match.source)];
    if (tensors->empty())
      return fail(ErrorKind::internal, fmt::format("the value '{}' cannot be read to be fed", printable(value.name)));
    const auto sketch = sketches.find(match.target);
    SideFeed feed{match.target, {}};
    feed.by_sample.reserve(tensors->size());
    for (std::size_t i = 0; i < tensors->size(); ++i) {
      const Tensor& given = (*tensors)[i];
      std::optional<SampleSketch> like;
      if (sketch != sketches.end()) {
        const bool is_of_it = !on_all_samples && i < sketch->second.by_sample.size();
        like = is_of_it ? sketch->second.by_sample[i] : sketch_of_size(sketch->second, given.count());
      }
      auto tensor = fed_tensor(given, match.order, like ? &*like : nullptr);
      if (!tensor) return tl::unexpected(tensor.error());
      feed.by_sample.push_back(std::move(*tensor));
    }
    for (const int twin : sides.target.ways.twins(match.target))
      if (fed.insert(twin).second) feeds.push_back({twin, feed.by_sample});
    feeds.push_back(std::move(feed));
  }
  return feeds;
}

ValuePair pair_of(const ValueMatch& match, std::span<const Tensor> source, std::span<const Tensor> target) {
  return {match.source, match.target, source, target, [order = match.order](const Tensor& tensor, const Shape& shape) {
            return brought_back(tensor, order, shape);
          }};
}

}  // namespace culprit
