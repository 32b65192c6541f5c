#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <set>

#include "base/as_index.h"
#include "base/file.h"
#include "base/text.h"
#include "conversion/sides/fed_samples.h"
#include "conversion/sides/side.h"
#include "conversion/sides/tflite_edits.h"
#include "conversion/sides/tflite_plan.h"
#include "conversion/sides/ways.h"
#include "network/tflite/read_tflite_network.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// A view of the network as it is being made.
struct TfliteView {
  TflitePlan plan;
  std::vector<std::int32_t> own;     // tensors of the network's outputs, in their order
  std::vector<std::int32_t> wanted;  // and of the values that are shown
  std::map<std::int32_t, int> fed;   // places among the feeds, by tensor
  std::vector<std::string> names;    // of the feeds, as inputs
  std::vector<bool> kept;            // operators
};

class TfliteSide : public Side {
 public:
  TfliteSide(TfliteFile file, Network network, fs::path folder, SideOptions options)
      : file_(std::move(file)),
        network_(std::move(network)),
        folder_(std::move(folder)),
        options_(std::move(options)),
        constant_(follows_from_constants(network_)) {}

  [[nodiscard]] const Network& network() const override { return network_; }
  [[nodiscard]] bool can_be_drawn() const override { return true; }

  Result<PreparedRun> prepare(const SideView& view, const std::vector<fs::path>& samples,
                              const fs::path& folder) const override {
    TfliteView made{TflitePlan(file_, network_), {}, {}, {}, {}, {}};
    if (view.only_layers) part_at_borders(made.plan, *view.only_layers);
    TfliteEdits edits(made.plan, network_);
    if (auto ok = edits.make(view.edits); !ok) return tl::unexpected(ok.error());
    for (std::size_t at = 0; at < view.feeds.size(); ++at) {
      const SideFeed& feed = view.feeds[at];
      const std::int32_t tensor = made.plan.tensor_of(feed.value);
      if (auto ok = check_feed(made.plan, tensor, feed); !ok) return tl::unexpected(ok.error());
      made.fed[tensor] = static_cast<int>(at);
      made.names.push_back(name_of_fed(feed.value, tensor));
    }
    if (!view.only_layers)
      for (const int output : network_.outputs) made.own.push_back(edits.shown(output));
    for (const int value : view.values) {
      if (!network_.values[as_index(value)].is_visible)
        return fail(ErrorKind::unsupported, "a value before a fused activation cannot be shown");
      made.wanted.push_back(edits.shown(value));
    }
    if (auto ok = choose_operators(made, view); !ok) return tl::unexpected(ok.error());
    return write(made, view, samples, folder);
  }

  Result<fs::path> write_whole(const std::vector<Edit>& all, const std::vector<SeenOutput>& /*seen*/) const override {
    TflitePlan plan(file_, network_);
    TfliteEdits edits(plan, network_);
    if (auto ok = edits.make(all); !ok) return tl::unexpected(ok.error());
    std::map<std::int32_t, std::int32_t> shown;  // by tensor of an output
    std::set<std::int32_t> tensors;
    for (const int output : network_.outputs) {
      const std::int32_t tensor = edits.shown(output);
      shown[static_cast<std::int32_t>(network_.values[as_index(output)].native)] = tensor;
      tensors.insert(tensor);
    }
    const auto numbers = plan.reuse_places(tensors);
    for (auto& [output, tensor] : shown)
      if (const auto other = numbers.find(tensor); other != numbers.end()) tensor = other->second;
    auto edit = plan.written(kept_whole(plan, shown));
    if (!edit) return tl::unexpected(edit.error());
    if (auto ok = show_whole(*edit, shown); !ok) return tl::unexpected(ok.error());
    return save(*edit, "whole");
  }

 private:
  Result<fs::path> save(const TfliteEdit& edit, const char* name) const {
    const auto file = edit.finish();
    if (!file) return tl::unexpected(file.error());
    fs::path path = folder_ / fmt::format("{}-{}.tflite", name, number_++);
    const std::array pieces{file->bytes()};
    if (auto ok = write_pieces_atomic(path, pieces, Durability::buffered, {}); !ok) return tl::unexpected(ok.error());
    return path;
  }

  /// All that is needed, and what nobody needed before.
  [[nodiscard]] std::vector<bool> kept_whole(const TflitePlan& plan,
                                             const std::map<std::int32_t, std::int32_t>& shown) const {
    std::vector<std::int32_t> before, now;
    for (const auto& [output, tensor] : shown) {
      before.push_back(output);
      now.push_back(tensor);
    }
    const std::vector<bool> was_needed = TflitePlan(file_, network_).needed_for(before, {});  // by number in the file
    std::vector<bool> kept = plan.needed_for(now, {});
    for (std::size_t at = 0; at < kept.size(); ++at) {
      const std::int64_t native = plan.operators[at].native;
      if (native >= 0 && !was_needed[static_cast<std::size_t>(native)]) kept[at] = true;
    }
    return kept;
  }

  /// What is shown in the place of an output becomes the output, under its name.
  Result<void> show_whole(TfliteEdit& edit, const std::map<std::int32_t, std::int32_t>& shown) const {
    const TfliteSubgraph& graph = file_.graph().subgraphs.front();
    for (const auto& [output, tensor] : shown) {
      if (output == tensor) continue;
      const std::string& name = graph.tensors[as_index(output)].name;
      if (auto ok = edit.set_name({0, as_index(output)}, name + "_before"); !ok) return ok;
      if (auto ok = edit.set_name({0, as_index(tensor)}, name); !ok) return ok;
    }
    const auto is_moved = [](const auto& one) { return one.first != one.second; };
    if (std::ranges::none_of(shown, is_moved)) return {};
    std::vector<std::int32_t> outputs = graph.outputs;
    for (std::int32_t& output : outputs) output = shown.contains(output) ? shown.at(output) : output;
    if (auto ok = edit.set_graph_outputs(0, outputs); !ok) return ok;
    for (std::size_t at = 0; at < file_.graph().signatures.size(); ++at) {
      if (file_.graph().signatures[at].subgraph != 0) continue;
      auto named = file_.graph().signatures[at].outputs;
      for (auto& [name, tensor] : named)
        if (const auto other = shown.find(static_cast<std::int32_t>(tensor)); other != shown.end())
          tensor = static_cast<std::uint32_t>(other->second);
      if (auto ok = edit.set_signature_outputs(at, named); !ok) return ok;
    }
    return {};
  }

  /// A view may hold an operator without its fused activation, or the activation alone: then the two are parted.
  void part_at_borders(TflitePlan& plan, const std::vector<int>& only) const {
    const std::set<int> kept(only.begin(), only.end());
    for (std::size_t layer = 0; layer < network_.layers.size(); ++layer) {
      const int number = static_cast<int>(layer);
      if (plan.is_fused(number) && kept.contains(number) != kept.contains(number - 1)) plan.part(number);
    }
  }

  Result<void> check_feed(const TflitePlan& plan, std::int32_t tensor, const SideFeed& feed) const {
    const NetworkValue& value = network_.values[as_index(feed.value)];
    const auto bad = [&](const std::string& why) {
      return fail(ErrorKind::unsupported, fmt::format("'{}' cannot be fed: {}", printable(value.name), why));
    };
    if (feed.by_sample.empty()) return bad("there is no sample of it");
    if (plan.is_constant(tensor)) return bad("it is a constant");
    for (const Tensor& given : feed.by_sample)
      if (given.dtype() != value.dtype)
        return bad(
            fmt::format("its elements are of type {}, and not {}", name_of(value.dtype), name_of(given.dtype())));
    return {};
  }

  /// What is needed for the tensors that are wanted, and for what has no result but an effect.
  Result<void> choose_operators(TfliteView& made, const SideView& view) const {
    std::set<std::int32_t> fed;
    for (const auto& [tensor, place] : made.fed) fed.insert(tensor);
    std::vector<std::int32_t> wanted = made.own;
    wanted.insert(wanted.end(), made.wanted.begin(), made.wanted.end());
    const auto& operators = made.plan.operators;
    for (const PlannedOperator& node : operators)
      if (node.outputs.empty() && !view.only_layers)
        wanted.insert(wanted.end(), node.inputs.begin(), node.inputs.end());
    made.kept = made.plan.needed_for(wanted, fed);
    for (std::size_t at = 0; at < operators.size(); ++at)
      if (operators[at].outputs.empty() && !view.only_layers) made.kept[at] = true;
    for (std::size_t i = 0; i < made.wanted.size(); ++i)
      if (!made.plan.maker_of(made.wanted[i]))
        return fail(ErrorKind::unsupported,
                    fmt::format("no operator makes '{}'", printable(network_.values[as_index(view.values[i])].name)));
    return view.only_layers ? check_only(made, *view.only_layers) : Result<void>();
  }

  /// Is none among the operators that are needed which the view leaves out?
  Result<void> check_only(const TfliteView& made, const std::vector<int>& only) const {
    const std::set<int> kept_layers(only.begin(), only.end());
    for (std::size_t at = made.kept.size(); at-- > 0;) {  // the last says most
      const PlannedOperator& node = made.plan.operators[at];
      const bool is_ours = node.layers.empty() || kept_layers.contains(node.layers.front());
      const auto is_of_constants = [&](int layer) {
        return std::ranges::all_of(network_.layers[as_index(layer)].outputs,
                                   [&](int output) { return output < 0 || constant_[as_index(output)]; });
      };
      if (!made.kept[at] || is_ours || std::ranges::all_of(node.layers, is_of_constants)) continue;
      return fail(ErrorKind::unsupported,
                  fmt::format("'{}' is needed, which is neither fed nor made by the layers that are left",
                              printable(network_.layers[as_index(node.layers.front())].name)));
    }
    return {};
  }

  Result<PreparedRun> write(const TfliteView& made, const SideView& view, const std::vector<fs::path>& samples,
                            const fs::path& folder) const {
    auto edit = made.plan.written(made.kept);
    if (!edit) return tl::unexpected(edit.error());
    std::vector<std::int32_t> fed;
    for (const auto& [tensor, place] : made.fed) fed.push_back(tensor);
    const auto elsewhere = edit->feed_tensors(0, fed);
    if (!elsewhere) return tl::unexpected(elsewhere.error());
    std::map<std::int32_t, std::int32_t> given;  // what the maker of a fed tensor gives; -1: it has none here
    for (std::size_t i = 0; i < fed.size(); ++i) given[fed[i]] = (*elsewhere)[i];
    PreparedRun run;
    if (auto ok = set_outputs(*edit, made, given, run); !ok) return tl::unexpected(ok.error());
    auto file = save(*edit, "view");
    if (!file) return tl::unexpected(file.error());
    run.job.model = std::move(*file);
    run.job.session = options_.session;
    run.job.limits = options_.limits;
    run.fed = made.names;
    if (auto ok = give_samples(fed_of(made, view), samples, folder, run.job); !ok) return tl::unexpected(ok.error());
    return run;
  }

  /// The network's own outputs keep their names; what is shown beside them is called as show_tensors does.
  Result<void> set_outputs(TfliteEdit& edit, const TfliteView& made, const std::map<std::int32_t, std::int32_t>& given,
                           PreparedRun& run) const {
    const auto place_of = [&](std::int32_t tensor) {
      const auto other = given.find(tensor);
      return other == given.end() ? tensor : other->second;
    };
    std::vector<std::int32_t> outputs, inner;
    std::map<std::int32_t, std::string> names;
    std::vector<std::pair<std::string, std::uint32_t>> named;
    run.outputs.assign(network_.outputs.size(), "");
    for (std::size_t i = 0; i < made.own.size(); ++i) {
      const std::int32_t tensor = place_of(made.own[i]);
      if (tensor < 0) continue;
      run.outputs[i] = network_.values[as_index(network_.outputs[i])].name;
      outputs.push_back(tensor);
      named.emplace_back(run.outputs[i], static_cast<std::uint32_t>(tensor));
      names.emplace(tensor, run.outputs[i]);
    }
    for (const std::int32_t wanted : made.wanted) {
      const std::int32_t tensor = place_of(wanted);
      if (names.emplace(tensor, fmt::format("inner_{}", tensor)).second) inner.push_back(tensor);
      run.names.push_back(names.at(tensor));
    }
    if (auto ok = edit.set_graph_outputs(0, outputs); !ok) return ok;
    for (std::size_t at = 0; at < file_.graph().signatures.size(); ++at)
      if (file_.graph().signatures[at].subgraph == 0)
        if (auto ok = edit.set_signature_outputs(at, named); !ok) return ok;
    return edit.show_tensors(0, inner);
  }

  [[nodiscard]] FedSamples fed_of(const TfliteView& made, const SideView& view) const {
    FedSamples fed;
    for (const auto& [tensor, place] : made.fed) {
      const SideFeed& feed = view.feeds[as_index(place)];
      fed.feeds[name_of_fed(feed.value, tensor)] = &feed;
    }
    return fed;
  }

  [[nodiscard]] std::string name_of_fed(int value, std::int32_t tensor) const {
    const bool is_input = std::ranges::find(network_.inputs, value) != network_.inputs.end();
    return is_input ? network_.values[as_index(value)].name : fmt::format("fed_{}", tensor);
  }

  TfliteFile file_;
  Network network_;
  fs::path folder_;
  SideOptions options_;
  std::vector<bool> constant_;
  mutable std::atomic<int> number_ = 0;  // of files: none is written twice
};

/// Inputs and outputs as the first signature names them.
Result<void> name_by_signature(const TfliteGraph& graph, Network& network) {
  if (graph.signatures.empty()) return {};
  const TfliteSignature& first = graph.signatures.front();
  if (first.subgraph != 0)
    return fail(ErrorKind::unsupported, fmt::format("its first signature '{}' is of subgraph {}, not of the main one",
                                                    printable(first.key), first.subgraph));
  for (const auto* names : {&first.outputs, &first.inputs})
    for (const auto& [name, tensor] : *names) network.values[tensor].name = name;
  return {};
}

}  // namespace

Result<std::unique_ptr<Side>> open_tflite_side(TfliteFile file, fs::path folder, SideOptions options) {
  auto network = read_tflite_network(file);
  if (!network) return tl::unexpected(network.error());
  if (auto ok = name_by_signature(file.graph(), *network); !ok) return tl::unexpected(ok.error());
  return std::make_unique<TfliteSide>(std::move(file), std::move(*network), std::move(folder), std::move(options));
}

}  // namespace culprit
