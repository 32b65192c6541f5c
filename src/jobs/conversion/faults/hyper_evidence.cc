#include "conversion/faults/hyper_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "base/text.h"
#include "conversion/walk/kernel_mates.h"

namespace culprit {
namespace {

using Wholes = std::vector<std::int64_t>;

const NetworkLayer& layer_in(const Ways& ways, int layer) {
  return ways.network().layers[static_cast<std::size_t>(layer)];
}

int first_computed(const Ways& ways, int layer) {
  for (const int input : layer_in(ways, layer).inputs)
    if (input >= 0 && !ways.is_constant(input)) return input;
  return -1;
}

/// The only constant that a layer works with that is one number; nullptr where there is none, or more.
const Parameter* single_number(const Ways& ways, int layer) {
  const Parameter* found = nullptr;
  for (const Parameter& parameter : layer_in(ways, layer).parameters) {
    const auto& constant = ways.network().values[static_cast<std::size_t>(parameter.value)].constant;
    if (!constant || constant->count() != 1) continue;
    if (found != nullptr) return nullptr;
    found = &parameter;
  }
  return found;
}

class HyperSearch {
 public:
  explicit HyperSearch(const EvidenceTask& task) : task_(task) {}

  void add(const LayerPair& pair) {
    const HyperTask one = of_side(task_.source, task_.sketches_source, pair.source);
    HyperTask other = of_side(task_.target, task_.sketches_target, pair.target);
    other.order = order_of_pair(task_, pair);
    const HyperMap right = in_so_many_axes(canonical_hyper(one), other), found = canonical_hyper(other);
    std::set<std::string> names;
    for (const auto& [name, value] : right) names.insert(name);
    for (const auto& [name, value] : found) names.insert(name);
    for (const std::string& name : names) {
      const auto should = right.find(name), is = found.find(name);
      if (should == right.end()) continue;  // the target says more than the source: nothing to set it to
      const bool is_given = is != found.end();
      if (is_given && same_hyper(should->second, is->second)) continue;
      if (!is_given && one.network.format != other.network.format && !is_common(name)) continue;
      EditProposal made = proposal(pair, name);
      add_edits(pair, name, should->second, other, made.edits);
      made.repair.right = hyper_words(in_places_of(name, should->second, other));
      made.repair.wrong = is_given ? hyper_words(in_places_of(name, is->second, other)) : "not given";
      made.evidence.message = fmt::format("{} is {}, should be {}", name, made.repair.wrong, made.repair.right);
      if (is_given)
        made.hint = fmt::format("{} of '{}' is {} in the target, {} in the source", name,
                                printable(layer_in(task_.target, pair.target).name, 60), made.repair.wrong,
                                hyper_words(should->second));
      proposals_.push_back(std::move(made));
    }
    add_single_number(pair);
  }

  std::vector<EditProposal> take() { return std::move(proposals_); }

 private:
  /// A word of both formats. Others are what one of them alone can say, and no evidence.
  static bool is_common(const std::string& name) {
    constexpr std::array<std::string_view, 22> words{"strides", "dilations",      "pads",      "kernel_shape",
                                                     "group",   "output_padding", "ceil_mode", "count_include_pad",
                                                     "axis",    "axes",           "perm",      "epsilon",
                                                     "alpha",   "beta",           "gamma",     "min",
                                                     "max",     "mode",           "blocksize", "starts",
                                                     "ends",    "steps"};
    return std::ranges::find(words, name) != words.end();
  }

  /// A hyper-parameter that names axes names the target's.
  static Hyper in_places_of(const std::string& name, const Hyper& hyper, const HyperTask& target) {
    Hyper turned = hyper_in_target(name, hyper, target);
    if (auto* axes = std::get_if<Wholes>(&turned); axes != nullptr && name == "axes") std::ranges::sort(*axes);
    return turned;
  }

  static HyperTask of_side(const Ways& ways, const std::map<int, ValueSketch>& sketches, int layer) {
    const auto& outputs = layer_in(ways, layer).outputs;
    return {ways.network(), layer, shape_in(sketches, first_computed(ways, layer)),
            outputs.empty() ? Shape{} : shape_in(sketches, outputs[0])};
  }

  [[nodiscard]] static EditProposal proposal(const LayerPair& pair, const std::string& name) {
    EditProposal made;
    made.kind = FaultClass::hyperparameter;
    made.source_layer = pair.source;
    made.target_layer = pair.target;
    made.attribute = name;
    made.evidence.kind = "hyper";
    made.strength = EditProposal::Strength::hyper;
    return made;
  }

  /// Does it say how to pad, and not by how much?
  static bool pads_itself(const NetworkLayer& layer) {
    const auto how = layer.hyper.find("auto_pad");
    return how != layer.hyper.end() && how->second != Hyper(std::string("NOTSET")) &&
           how->second != Hyper(std::string());
  }

  /// What the source says of one axis, for a target that has a second one of a single element there.
  static HyperMap in_so_many_axes(HyperMap right, const HyperTask& target) {
    const NetworkLayer& layer = target.network.layers[static_cast<std::size_t>(target.layer)];
    const auto strides = right.find("strides");
    const auto* along = strides == right.end() ? nullptr : std::get_if<std::vector<std::int64_t>>(&strides->second);
    if (along == nullptr || along->size() != 1 || target.input.size() != 4) return right;
    const std::size_t first = layer.is_channels_last ? 1 : 2;
    const std::ptrdiff_t single = target.input[first] == 1 ? 0 : 1;
    if (target.input[first + static_cast<std::size_t>(single)] != 1) return right;
    for (const auto& [name, filling] : {std::pair("strides", 1), std::pair("dilations", 1), std::pair("pads", 0),
                                        std::pair("kernel_shape", 1), std::pair("output_padding", 0)}) {
      const auto given = right.find(name);
      auto* list = given == right.end() ? nullptr : std::get_if<std::vector<std::int64_t>>(&given->second);
      if (list == nullptr) continue;
      for (std::size_t part = list->size(); part-- > 0;)
        list->insert(list->begin() + static_cast<std::ptrdiff_t>(part) + single, filling);
    }
    return right;
  }

  /// Pads that a layer before it adds stay there. Where these alone are too many, they are set.
  static void add_edits(const LayerPair& pair, const std::string& name, const Hyper& right, const HyperTask& target,
                        std::vector<Edit>& edits) {
    const auto* wanted = std::get_if<Wholes>(&right);
    const auto front = name == "pads" && wanted != nullptr ? pad_in_front(target) : std::nullopt;
    Wholes own = wanted == nullptr ? Wholes() : *wanted;
    if (front && front->around.size() == own.size())
      for (std::size_t i = 0; i < own.size(); ++i) own[i] -= front->around[i];
    if (std::ranges::any_of(own, [](std::int64_t pad) { return pad < 0; }) && front) {
      Wholes pads = front->pads;
      const std::size_t half = own.size() / 2;
      for (std::size_t i = 0; i < own.size(); ++i)
        pads[i % half + front->first_axis + (i < half ? 0 : pads.size() / 2)] = (*wanted)[i];
      edits.emplace_back(SetHyper{front->layer, "pads", pads});
      own.assign(own.size(), 0);
    }
    const NetworkLayer& layer = target.network.layers[static_cast<std::size_t>(target.layer)];
    if (name == "pads" && pads_itself(layer))
      edits.emplace_back(SetHyper{pair.target, "auto_pad", std::string("NOTSET")});
    edits.emplace_back(
        SetHyper{pair.target, name, front ? Hyper(std::move(own)) : hyper_in_target(name, right, target)});
  }

  void add_single_number(const LayerPair& pair) {
    const Parameter* one = single_number(task_.source, pair.source);
    const Parameter* other = single_number(task_.target, pair.target);
    if (one == nullptr || other == nullptr) return;
    const auto& right = task_.source.network().values[static_cast<std::size_t>(one->value)];
    const auto& found = task_.target.network().values[static_cast<std::size_t>(other->value)];
    const double should = right.constant->number(0), is = found.constant->number(0);
    if (std::isnan(should) || same_hyper(should, is)) return;
    const auto typed = cast(*right.constant, found.constant->dtype());
    if (!typed) return;
    const auto shaped = laid_out(*typed, ValueOrder{}, found.constant->shape());
    if (!shaped) return;
    EditProposal made = proposal(pair, other->role);
    made.tensor = found.name;
    made.edits.emplace_back(SetConstant{other->value, *shaped, pair.target, other->at});
    made.repair.right = hyper_words(should);
    made.repair.wrong = hyper_words(is);
    made.evidence.message = fmt::format("its number is {}, should be {}", made.repair.wrong, made.repair.right);
    made.hint =
        fmt::format("the number of '{}' is {} in the target, {} in the source",
                    printable(layer_in(task_.target, pair.target).name, 60), made.repair.wrong, made.repair.right);
    proposals_.push_back(std::move(made));
  }

  const EvidenceTask& task_;
  std::vector<EditProposal> proposals_;
};

}  // namespace

ValueOrder order_of_pair(const EvidenceTask& task, const LayerPair& pair) {
  const int input = first_computed(task.source, pair.source);
  const auto known = task.known.find(input);
  if (known != task.known.end()) return known->second.order;
  // Within the region axes are as they come out of it, or as they went in.
  const std::size_t rank = shape_in(task.sketches_source, input).size();
  if (shape_in(task.sketches_source, task.region.source).size() == rank) return task.region.order;
  for (const ValueMatch& border : task.region.borders)
    if (shape_in(task.sketches_source, border.source).size() == rank) return border.order;
  return {};
}

std::vector<LayerPair> paired_layers(const EvidenceTask& task) {
  std::vector<LayerPair> pairs;
  std::set<int> paired_source, paired_target;
  const auto pair_up = [&](int source, int target) {
    if (paired_source.contains(source) || paired_target.contains(target)) return;
    if (layer_in(task.source, source).type != layer_in(task.target, target).type) return;
    paired_source.insert(source);
    paired_target.insert(target);
    pairs.push_back({source, target});
  };
  const auto& sources = task.region.source_layers;
  const auto& targets = task.region.target_layers;
  for (const KernelMate& mate : kernel_mates(task.map.derived, task.map.target_parameters, task.map.parameters)) {
    if (!std::ranges::binary_search(targets, mate.target)) continue;
    for (const int source : mate.sources)
      if (std::ranges::binary_search(sources, source)) pair_up(source, mate.target);
  }
  for (const int source : sources) {
    if (is_mover(layer_in(task.source, source)) || paired_source.contains(source)) continue;
    for (const int target : targets)
      if (!paired_source.contains(source) && !is_mover(layer_in(task.target, target))) pair_up(source, target);
  }
  std::ranges::sort(pairs, {}, &LayerPair::source);
  return pairs;
}

std::vector<EditProposal> hyper_evidence(const EvidenceTask& task, const std::vector<LayerPair>& pairs) {
  HyperSearch search(task);
  for (const LayerPair& pair : pairs) search.add(pair);
  return search.take();
}

}  // namespace culprit
