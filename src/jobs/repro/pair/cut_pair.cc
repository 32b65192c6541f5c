#include "repro/pair/cut_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/as_index.h"
#include "base/folder.h"
#include "base/text.h"
#include "conversion/runs/both_sides.h"
#include "conversion/runs/prefix_run.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr std::size_t samples_at_once = 4;

std::string layer_in_words(const NetworkLayer& layer) {
  return layer.name.empty() ? layer.type : fmt::format("{} '{}'", layer.type, printable(layer.name));
}

/// Several layers may be one node of the file.
std::int64_t count_nodes(const Network& network, const std::vector<int>& layers) {
  std::set<std::int64_t> nodes;
  std::int64_t more = 0;
  for (const int layer : layers) {
    const std::int64_t native = network.layers[as_index(layer)].native;
    native >= 0 ? static_cast<void>(nodes.insert(native)) : static_cast<void>(++more);
  }
  return std::ssize(nodes) + more;
}

bool is_network_input(const Network& network, int value) { return std::ranges::count(network.inputs, value) > 0; }

/// A sample, and what the region gives on it.
struct SeenSample {
  std::size_t number = 0;
  std::optional<Tensor> found;
  std::string fails;
  Measurement measurement;
  [[nodiscard]] auto rank() const {
    return std::tuple(!found, is_structural(measurement), measurement.beyond_tolerance > 0, measurement.max_abs);
  }
};

class PairCutting {
 public:
  PairCutting(const FaultRegion& region, const PairSide& source, const PairSide& target, const PairReproTools& tools)
      : region_(region),
        tools_(tools),
        source_(source.side, tools.executor, tools.work / "source", SideReading{}),
        target_(target.side, tools.executor, tools.work / "target", SideReading{}) {
    source_.samples = source.samples;
    target_.samples = target.samples;
  }

  Result<CutPair> cut() {
    for (const char* name : {"source", "target", "source-file", "target-file"})
      if (auto ok = make_folder(tools_.work / name); !ok) return tl::unexpected(ok.error());
    std::optional<SeenSample> most;
    for (std::size_t first = 0; first < std::min(source_.samples.size(), target_.samples.size());
         first += samples_at_once)
      if (auto ok = look_at_samples(first, samples_at_once, most); !ok) return tl::unexpected(ok.error());
    if (!most) return fail(ErrorKind::unsupported, "there is no sample");
    cut_.sample = most->number;
    if (auto ok = look_at_samples(cut_.sample, 1, most); !ok) return tl::unexpected(ok.error());
    cut_.found = std::move(most->found);
    cut_.fails = std::move(most->fails);
    cut_.measurement = most->measurement;
    if (auto ok = tell_values(); !ok) return tl::unexpected(ok.error());
    if (auto ok = cut_target(); !ok) return tl::unexpected(ok.error());
    if (auto ok = cut_source(); !ok) return tl::unexpected(ok.error());
    return std::move(cut_);
  }

 private:
  [[nodiscard]] ValueMatch output_match() const {
    ValueMatch match;
    match.source = region_.source;
    match.target = region_.target;
    match.order = region_.order;
    return match;
  }

  /// Reads elements of values on the map samples, as the side comes. A side that does not run as a whole gives its
  /// inputs alone.
  static Result<std::map<int, std::vector<Tensor>>> values_of(ReadSide& side, const std::set<int>& values) {
    std::map<int, std::vector<Tensor>> known;
    SideView view;
    for (const int value : values) {
      const bool is_computed = side.ways.maker(value) >= 0;
      if (is_computed && side.network().values[as_index(value)].is_visible) view.values.push_back(value);
      if (is_computed) continue;
      auto given = given_to(side.side, value, side.map_samples);
      if (!given) return tl::unexpected(given.error());
      known[value] = std::move(*given);
    }
    if (view.values.empty()) return known;
    auto outcome = side.runs.run(view, side.map_samples);
    if (!outcome) return tl::unexpected(outcome.error());
    for (auto& [value, tensors] : outcome->values) known[value] = std::move(tensors);
    return known;
  }

  /// What both sides give on the map samples, and what the target is fed.
  Result<void> read_values() {
    std::set<int> of_source{region_.source}, of_target{region_.target};
    for (const ValueMatch& border : region_.borders) {
      of_source.insert(border.source);
      of_target.insert(border.target);
    }
    auto right = values_of(source_, of_source);
    if (!right) return tl::unexpected(right.error());
    for (const int value : of_source)
      if (!right->contains(value) || (*right)[value].empty())
        return fail(ErrorKind::unsupported, fmt::format("the source's value '{}' cannot be read",
                                                        printable(source_.network().values[as_index(value)].name)));
    right_ = std::move(*right);
    const auto as_it_came = values_of(target_, of_target);
    if (!as_it_came) return tl::unexpected(as_it_came.error());
    target_.sketches.clear();
    for (const auto& [value, tensors] : *as_it_came)
      if (!tensors.empty()) target_.sketches[value] = sketch_of(tensors);
    KeptElements elements(right_);
    auto feeds = feeds_of({source_, target_, elements, elements}, region_.borders, target_.sketches, false);
    if (!feeds) return tl::unexpected(feeds.error());
    feeds_ = std::move(*feeds);
    return {};
  }

  [[nodiscard]] SideView view_of_target() const {
    return {.values = {region_.target}, .feeds = feeds_, .edits = {}, .only_layers = region_.target_layers};
  }

  /// What the region of the target gives on the map samples; where it does not run, why.
  Result<std::vector<Tensor>> given_by_target(std::string& fails) {
    if (region_.target_layers.empty()) {
      for (const SideFeed& feed : feeds_)
        if (feed.value == region_.target) return feed.by_sample;
      auto handed_on = given_to(target_.side, region_.target, target_.map_samples);
      if (handed_on && handed_on->empty())
        return fail(ErrorKind::unsupported, "it is not known what the target hands on");
      return handed_on;
    }
    auto outcome = target_.runs.run(view_of_target(), target_.map_samples);
    if (!outcome) return tl::unexpected(outcome.error());
    if (outcome->has_run) return std::move(outcome->values[region_.target]);
    fails = outcome->why;
    if (outcome->stage == RunOutcome::Stage::done) return fail(ErrorKind::unsupported, outcome->why);
    return std::vector<Tensor>();
  }

  Result<void> look_at_samples(std::size_t first, std::size_t count, std::optional<SeenSample>& most) {
    const std::size_t last = std::min({first + count, source_.samples.size(), target_.samples.size()});
    const auto part = [&](const std::vector<std::filesystem::path>& all) {
      return std::vector(all.begin() + static_cast<std::ptrdiff_t>(first),
                         all.begin() + static_cast<std::ptrdiff_t>(last));
    };
    source_.map_samples = part(source_.samples);
    target_.map_samples = part(target_.samples);
    if (auto ok = read_values(); !ok) return ok;
    std::string fails;
    const auto given = given_by_target(fails);
    if (!given) return tl::unexpected(given.error());
    const auto& right = right_.at(region_.source);
    for (std::size_t i = 0; i < last - first; ++i) {
      SeenSample seen{first + i, std::nullopt, fails, {}};
      if (i < given->size()) {
        seen.found = (*given)[i];
        seen.measurement = measured_pair(right[i], *seen.found);
      }
      if (!most || count == 1 || seen.rank() > most->rank()) most = std::move(seen);
    }
    return {};
  }

  [[nodiscard]] Measurement measured_pair(const Tensor& right, const Tensor& found) const {
    const auto brought = brought_to_source(pair_of(output_match(), {&right, 1}, {&found, 1}), {&found, 1});
    if (brought) return measure(right, brought->front(), tools_.tolerance);
    return unlike(right, FormChange::shape,
                  fmt::format("shape {} became {}", to_string(right.shape()), to_string(found.shape())));
  }

  /// What the files take and give on the one sample.
  Result<void> tell_values() {
    const auto sketch = target_.sketches.find(region_.target);
    auto output = border_of(output_match(), sketch == target_.sketches.end() ? nullptr : &sketch->second);
    if (!output) return tl::unexpected(output.error());
    cut_.output = std::move(*output);
    std::set<std::pair<int, int>> told;
    for (const ValueMatch& match : region_.borders) {
      if (!told.emplace(match.source, match.target).second) continue;
      const auto known = target_.sketches.find(match.target);
      auto border = border_of(match, known == target_.sketches.end() ? nullptr : &known->second);
      if (!border) return tl::unexpected(border.error());
      matches_.push_back(match);
      cut_.borders.push_back(std::move(*border));
    }
    return {};
  }

  Result<CutBorder> border_of(const ValueMatch& match, const ValueSketch* sketch) const {
    CutBorder border;
    border.source = source_.network().values[as_index(match.source)].name;
    border.target = target_.network().values[as_index(match.target)].name;
    border.in_source = right_.at(match.source).front();
    const auto like = sketch == nullptr ? std::nullopt : sketch_of_size(*sketch, border.in_source.count());
    auto laid = fed_tensor(border.in_source, match.order, like ? &*like : nullptr);
    if (!laid) return tl::unexpected(laid.error());
    border.in_target = std::move(*laid);
    if (match.order.moves_nothing()) return border;
    border.order = to_string(match.order, border.in_source.shape(), border.in_target.shape());
    if (match.order.channels.empty() && !match.order.axes.of_target) border.axes = match.order.axes.axes;
    return border;
  }

  /// The file of a view on the one sample. `inputs`: by value of the side, what they are called in the file.
  Result<CutFile> cut_file(ReadSide& side, const SideView& view, const std::filesystem::path& folder,
                           std::map<int, std::string>& inputs) const {
    const Network& network = side.network();
    const auto prepared = side.side.prepare(view, side.map_samples, folder);
    if (!prepared) return tl::unexpected(prepared.error());
    const auto pack = read_pack(prepared->job.samples.front());
    if (!pack) return tl::unexpected(pack.error());
    std::set<int> taken;
    for (const int layer : *view.only_layers)
      taken.insert(network.layers[as_index(layer)].inputs.begin(), network.layers[as_index(layer)].inputs.end());
    for (const int input : network.inputs)
      if (taken.contains(input)) inputs[input] = network.values[as_index(input)].name;
    for (std::size_t i = 0; i < view.feeds.size(); ++i)
      if (taken.contains(view.feeds[i].value)) inputs[view.feeds[i].value] = prepared->fed[i];
    CutFile cut{prepared->job.model, network.format, {}, prepared->names.front(), {}, 0};
    std::set<std::string> names;
    for (const auto& [value, name] : inputs) names.insert(name);
    for (const NamedTensor& tensor : *pack)
      if (names.contains(tensor.name)) cut.inputs.push_back(tensor);
    cut.nodes = count_nodes(network, *view.only_layers);
    for (const int layer : *view.only_layers) cut.layers.push_back(layer_in_words(network.layers[as_index(layer)]));
    return cut;
  }

  Result<void> cut_target() {
    if (region_.target_layers.empty()) return {};
    std::map<int, std::string> inputs;
    auto file = cut_file(target_, view_of_target(), tools_.work / "target-file", inputs);
    if (!file) return tl::unexpected(file.error());
    for (std::size_t i = 0; i < matches_.size(); ++i)
      if (const auto name = inputs.find(matches_[i].target); name != inputs.end())
        cut_.borders[i].target_input = name->second;
    cut_.target = std::move(*file);
    return {};
  }

  /// That it cannot be cut is no Error: what is expected is known all the same.
  Result<void> cut_source() {
    if (region_.source_layers.empty()) {
      cut_.no_source = "no layer of the source stands there";
      return {};
    }
    if (source_.network().format == "keras") {
      cut_.no_source = "a model of Keras runs as a whole only";
      return {};
    }
    SideView view{.values = {region_.source}, .feeds = {}, .edits = {}, .only_layers = region_.source_layers};
    std::set<int> fed;
    for (const ValueMatch& border : region_.borders)
      if (!is_network_input(source_.network(), border.source))
        for (const int twin : source_.ways.twins(border.source))
          if (fed.insert(twin).second) view.feeds.push_back({twin, right_.at(border.source)});
    const auto again = source_.runs.run(view, source_.map_samples);
    if (!again) return tl::unexpected(again.error());
    if (!again->has_run) {
      cut_.no_source = again->why;
      return {};
    }
    const Measurement apart =
        measure(cut_.output.in_source, again->values.at(region_.source).front(), tools_.tolerance);
    if (is_structural(apart) || apart.beyond_tolerance > 0) {
      cut_.no_source = "cut out, it gives something else";
      return {};
    }
    std::map<int, std::string> inputs;
    auto file = cut_file(source_, view, tools_.work / "source-file", inputs);
    if (!file) return tl::unexpected(file.error());
    for (std::size_t i = 0; i < matches_.size(); ++i)
      if (const auto name = inputs.find(matches_[i].source); name != inputs.end())
        cut_.borders[i].source_input = name->second;
    cut_.source = std::move(*file);
    return {};
  }

  const FaultRegion& region_;
  const PairReproTools& tools_;
  ReadSide source_, target_;
  std::map<int, std::vector<Tensor>> right_;  // the source's values on the map samples
  std::vector<SideFeed> feeds_;               // of the target
  std::vector<ValueMatch> matches_;           // of cut_.borders
  CutPair cut_;
};

}  // namespace

Result<CutPair> cut_pair(const FaultRegion& region, const PairSide& source, const PairSide& target,
                         const PairReproTools& tools) {
  return PairCutting(region, source, target, tools).cut();
}

}  // namespace culprit
