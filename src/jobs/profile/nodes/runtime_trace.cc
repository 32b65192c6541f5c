#include "profile/nodes/runtime_trace.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/as_index.h"
#include "profile/nodes/traced_run.h"
#include "statistics/quantile.h"

namespace culprit {
namespace {

constexpr double second = 1e6;  // microseconds

/// Runs one after the other; of each only the tree of its events is kept, and of all the sums by node.
class Summing {
 public:
  Summing(std::int64_t warm_up, const std::vector<bool>& keep) : warm_up_(warm_up), keep_(keep) {}

  void take(const TraceEvent& event) {
    switch (event.kind) {
      case TraceEvent::Kind::node:
        run_.add_node(event, label_of(event));
        break;
      case TraceEvent::Kind::graph:
        run_.add_graph(event);
        break;
      case TraceEvent::Kind::run:
        if (warm_up_ > 0)
          --warm_up_;
        else if (is_next_kept())
          add_run(event);
        run_.clear();
        break;
      case TraceEvent::Kind::other:
        break;
    }
  }

  RuntimeTrace finish(TraceEnd end) {
    made_.is_cut = end == TraceEnd::cut || !run_.items().empty();
    made_.runs = static_cast<std::int64_t>(runs_.size());
    made_.run_seconds = median(std::move(runs_)) / second;
    made_.left_out_seconds = median(std::move(left_out_)) / second;
    for (std::size_t node = 0; node < made_.nodes.size(); ++node) {
      times_[node].resize(static_cast<std::size_t>(made_.runs), 0);
      made_.nodes[node].seconds = median(std::move(times_[node])) / second;
    }
    sort();
    return std::move(made_);
  }

 private:
  bool is_next_kept() {
    const std::size_t run = behind_warm_up_++;
    return run >= keep_.size() || keep_[run];
  }

  /// Name, operator, provider and index: what an event tells of its node. Not in which body it is.
  int label_of(const TraceEvent& event) {
    const auto [found, is_new] =
        labels_.try_emplace({event.name, event.op, event.provider, event.index}, static_cast<int>(label_facts_.size()));
    if (is_new)
      label_facts_.push_back(
          {event.name, event.op, event.provider, event.index, -1, 0, 0, event.inputs, event.outputs});
    return found->second;
  }

  /// What is around comes behind in the file: from the end, so that it is known first.
  void add_run(const TraceEvent& event) {
    std::vector<int> nodes(run_.items().size(), -1);
    std::int64_t nodes_time = 0;
    for (int item = static_cast<int>(nodes.size()) - 1; item >= 0; --item) {
      if (run_.items()[as_index(item)].is_graph) continue;
      const int outer = run_.outer_node(item);
      const int node = node_of(run_.items()[as_index(item)].label, outer < 0 ? -1 : nodes[as_index(outer)]);
      nodes[as_index(item)] = node;
      seen_at_[as_index(node)] =
          std::min(seen_at_[as_index(node)], {static_cast<std::int64_t>(runs_.size()), start_of(item)});
      ++made_.nodes[as_index(node)].calls;
      times_[as_index(node)].resize(runs_.size() + 1, 0);
      times_[as_index(node)].back() += static_cast<double>(run_.own_time(item));
      nodes_time += run_.own_time(item);
    }
    left_out_.push_back(static_cast<double>(event.duration - nodes_time));
    if (runs_.empty() || event.duration < made_.call_run_time) keep_calls(event, nodes);
    runs_.push_back(static_cast<double>(event.duration));
  }

  /// By start, and what is around before what is inside.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> start_of(int item) const {
    return {run_.items()[as_index(item)].start, -item};
  }

  int node_of(int label, int outer) {
    const auto [found, is_new] = nodes_.try_emplace({label, outer}, static_cast<int>(made_.nodes.size()));
    if (is_new) {
      made_.nodes.push_back(label_facts_[as_index(label)]);
      made_.nodes.back().outer = outer;
      times_.emplace_back();
      seen_at_.push_back({INT64_MAX, {INT64_MAX, INT64_MAX}});
    }
    return found->second;
  }

  void keep_calls(const TraceEvent& event, const std::vector<int>& nodes) {
    made_.calls.clear();
    made_.call_run_time = event.duration;
    for (std::size_t item = 0; item < nodes.size(); ++item) {
      const auto& one = run_.items()[item];
      if (!one.is_graph)
        made_.calls.push_back({nodes[item], std::max<std::int64_t>(one.start - event.start, 0), one.duration});
    }
  }

  /// Nodes by when they were first seen; numbers of them everywhere else follow.
  void sort() {
    std::vector<int> order(made_.nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](int a, int b) { return seen_at_[as_index(a)] < seen_at_[as_index(b)]; });
    std::vector<int> number(order.size());
    std::vector<TracedNode> sorted;
    for (const int node : order) {
      number[as_index(node)] = static_cast<int>(sorted.size());
      sorted.push_back(std::move(made_.nodes[as_index(node)]));
    }
    for (TracedNode& node : sorted) node.outer = node.outer < 0 ? -1 : number[as_index(node.outer)];
    for (TracedCall& call : made_.calls) call.node = number[as_index(call.node)];
    std::ranges::stable_sort(made_.calls, {}, &TracedCall::start);
    made_.nodes = std::move(sorted);
  }

  std::int64_t warm_up_;
  const std::vector<bool>& keep_;
  std::size_t behind_warm_up_ = 0;  ///< runs
  TracedRun run_;
  RuntimeTrace made_;
  std::vector<double> runs_, left_out_;     // microseconds
  std::vector<std::vector<double>> times_;  // by node, by run; shorter: no call since
  std::vector<std::pair<std::int64_t, std::pair<std::int64_t, std::int64_t>>> seen_at_;
  std::map<std::tuple<std::string, std::string, std::string, std::int64_t>, int> labels_;
  std::vector<TracedNode> label_facts_;
  std::map<std::pair<int, int>, int> nodes_;  // label, outer node
};

}  // namespace

Result<RuntimeTrace> read_runtime_trace(const std::filesystem::path& file, std::int64_t warm_up,
                                        const std::vector<bool>& keep) {
  Summing summing(warm_up, keep);
  const auto end = read_trace_events(file, [&](const TraceEvent& event) { summing.take(event); });
  if (!end) return tl::unexpected(end.error());
  RuntimeTrace trace = summing.finish(*end);
  if (trace.runs == 0) {
    return fail(ErrorKind::bad_input, "the profile " + file.string() + " has no whole run after the warm-up",
                "run more samples than are left out");
  }
  return trace;
}

}  // namespace culprit
