#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

#include "base/as_index.h"
#include "base/file.h"
#include "base/text.h"
#include "conversion/sides/fed_samples.h"
#include "conversion/sides/network_natures.h"
#include "conversion/sides/side.h"
#include "conversion/sides/tensorflow_edits.h"
#include "conversion/sides/tensorflow_plan.h"
#include "conversion/sides/ways.h"
#include "network/tensorflow/read_tensorflow_network.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// A view of the graph as it is being made.
struct TensorflowView {
  std::vector<std::string> own, wanted;  ///< tensors: of the network's outputs, and of the values that are shown
  std::vector<std::string> feeds;        ///< under which name each feed is given
  std::vector<std::string> session;      ///< of these, those that the session must be told
};

class TensorflowSide : public Side {
 public:
  TensorflowSide(TensorflowBase base, Network network, fs::path folder, SideOptions options)
      : base_(std::move(base)),
        network_(std::move(network)),
        folder_(std::move(folder)),
        options_(std::move(options)),
        constant_(follows_from_constants(network_)),
        natures_(natures_of(network_)) {}

  /// The file of views that change nothing.
  Result<void> write_base() const { return write_file_atomic(base_file(), base_.graph.SerializeAsString()); }

  [[nodiscard]] const Network& network() const override { return network_; }
  [[nodiscard]] bool can_be_drawn() const override { return true; }
  [[nodiscard]] Nature nature_of(int value) const override { return natures_[as_index(value)]; }

  Result<PreparedRun> prepare(const SideView& view, const std::vector<fs::path>& samples,
                              const fs::path& folder) const override {
    TensorflowPlan plan(base_, network_);
    TensorflowEdits edits(plan, network_);
    if (auto ok = edits.make(view.edits); !ok) return tl::unexpected(ok.error());
    TensorflowView made;
    if (!view.only_layers)
      for (const int output : network_.outputs) made.own.push_back(edits.shown(output));
    for (const int value : view.values) made.wanted.push_back(edits.shown(value));
    const bool is_changed = !view.edits.empty() || view.only_layers || shows_what_is_fed(view, made);
    if (auto ok = place_feeds(plan, view, is_changed, made); !ok) return tl::unexpected(ok.error());
    PreparedRun run;
    run.job.model = folder_ / fmt::format("view-{}.pb", number_++);  // whoever runs it may remove it
    const auto there = is_changed ? write(plan, view, made, run.job.model) : link_base(run.job.model);
    if (!there) return tl::unexpected(there.error());
    run.job.session = options_.session;
    run.job.session.feed = made.session;
    run.job.session.fetch = distinct(made);
    run.job.limits = options_.limits;
    run.names = made.wanted;
    run.fed = made.feeds;
    run.outputs = made.own;
    if (view.only_layers) run.outputs.assign(network_.outputs.size(), "");
    if (auto ok = give_samples(fed_of(view, made), samples, folder, run.job); !ok) return tl::unexpected(ok.error());
    return run;
  }

 private:
  [[nodiscard]] fs::path base_file() const { return folder_ / "base.pb"; }
  /// Another name for it, or a copy where the file system has none.
  [[nodiscard]] Result<void> link_base(const fs::path& file) const {
    std::error_code error;
    fs::create_hard_link(base_file(), file, error);
    return error ? write_file_atomic(file, base_.graph.SerializeAsString()) : Result<void>();
  }
  [[nodiscard]] const NetworkValue& value_of(int value) const { return network_.values[as_index(value)]; }
  [[nodiscard]] bool is_input(int value) const {
    return std::ranges::find(network_.inputs, value) != network_.inputs.end();
  }

  /// A tensor that is fed is what was fed, so a value whose maker's result is wanted is fed under another name.
  [[nodiscard]] bool shows_what_is_fed(const SideView& view, const TensorflowView& made) const {
    return std::ranges::any_of(view.feeds, [&](const SideFeed& feed) {
      const std::string& name = value_of(feed.value).name;
      return !is_input(feed.value) && (std::ranges::find(made.own, name) != made.own.end() ||
                                       std::ranges::find(made.wanted, name) != made.wanted.end());
    });
  }

  Result<void> place_feeds(TensorflowPlan& plan, const SideView& view, bool is_changed, TensorflowView& made) const {
    for (const SideFeed& feed : view.feeds) {
      const NetworkValue& value = value_of(feed.value);
      if (feed.by_sample.empty())
        return fail(ErrorKind::unsupported,
                    fmt::format("'{}' cannot be fed: there is no sample of it", printable(value.name)));
      made.feeds.push_back(value.name);
      if (is_input(feed.value)) continue;
      if (is_changed) {
        made.feeds.back() = plan.add_placeholder(feed.by_sample.front().dtype());
        plan.replace_uses(value.name, made.feeds.back());
      } else {
        made.session.push_back(value.name);
      }
    }
    return {};
  }

  Result<void> write(const TensorflowPlan& plan, const SideView& view, const TensorflowView& made,
                     const fs::path& file) const {
    std::vector<std::string> wanted = made.own;
    wanted.insert(wanted.end(), made.wanted.begin(), made.wanted.end());
    const std::size_t computed = wanted.size();
    for (const int input : network_.inputs) wanted.push_back(value_of(input).name);
    wanted.insert(wanted.end(), made.feeds.begin(), made.feeds.end());
    const std::set<std::string> given(made.feeds.begin(), made.feeds.end());
    const auto nodes = plan.needed_for(wanted, given);
    for (std::size_t i = 0; i < computed; ++i)
      if (plan.needed_for({wanted[i]}, given).empty())
        return fail(ErrorKind::unsupported, fmt::format("no node makes '{}'", printable(wanted[i])));
    if (view.only_layers)
      if (auto ok = check_only(nodes, *view.only_layers); !ok) return ok;
    return plan.write(nodes, file);
  }

  /// Is none among the nodes that are needed which the view leaves out?
  Result<void> check_only(const std::vector<TensorflowPlan::NeededNode>& nodes, const std::vector<int>& only) const {
    const std::set<int> kept(only.begin(), only.end());
    for (const TensorflowPlan::NeededNode& needed : nodes) {
      if (needed.layer < 0 || kept.contains(needed.layer)) continue;
      const auto& outputs = network_.layers[as_index(needed.layer)].outputs;
      if (std::ranges::all_of(outputs, [&](int output) { return output < 0 || constant_[as_index(output)]; })) continue;
      return fail(ErrorKind::unsupported,
                  fmt::format("'{}' is needed, which is neither fed nor made by the layers that are left",
                              printable(needed.node->name())));
    }
    return {};
  }

  static std::vector<std::string> distinct(const TensorflowView& made) {
    std::vector<std::string> names;
    for (const auto* list : {&made.own, &made.wanted})
      for (const std::string& name : *list)
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
  }

  static FedSamples fed_of(const SideView& view, const TensorflowView& made) {
    FedSamples fed;
    for (std::size_t at = 0; at < view.feeds.size(); ++at) fed.feeds[made.feeds[at]] = &view.feeds[at];
    return fed;
  }

  TensorflowBase base_;
  Network network_;
  fs::path folder_;
  SideOptions options_;
  std::vector<bool> constant_;
  std::vector<Nature> natures_;
  mutable std::atomic<int> number_ = 0;  // of files: none is written twice
};

}  // namespace

Result<std::unique_ptr<Side>> open_tensorflow_side(const fs::path& frozen_graph, fs::path folder, SideOptions options) {
  const auto bytes = read_file(frozen_graph);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto model = TensorflowModel::of_graph(*bytes);
  if (!model) return tl::unexpected(model.error());
  auto network = read_tensorflow_network(*model);
  if (!network) {
    network.error().message = printable(frozen_graph.string()) + ": " + network.error().message;
    return tl::unexpected(std::move(network.error()));
  }
  TensorflowBase base = tensorflow_base(model->graph(), *network);
  auto side =
      std::make_unique<TensorflowSide>(std::move(base), std::move(*network), std::move(folder), std::move(options));
  if (auto ok = side->write_base(); !ok) return tl::unexpected(ok.error());
  return side;
}

}  // namespace culprit
