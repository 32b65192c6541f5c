#include "profile/nodes/earlier_times.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

namespace culprit {
namespace {

/// The work of a node that stands for no given one is its own name.
std::vector<std::string> work_of(const NodeTimeRecord& node) {
  return node.originals.empty() ? std::vector<std::string>{node.node} : node.originals;
}

class EarlierTimes {
 public:
  explicit EarlierTimes(const NodeTimes& baseline) {
    for (const NodeTimeRecord& node : baseline.nodes) {
      for (const std::string& original : work_of(node))
        if (!original.empty()) by_original_[original].push_back(nodes_.size());
      nodes_.push_back({work_of(node), node.seconds});
    }
  }

  void tell(NodeTimes& times) const {
    std::vector<bool> is_told(nodes_.size(), false);
    for (NodeTimeRecord* node : slowest_first(times)) node->baseline_seconds = of(*node, is_told);
    double others = 0;
    for (std::size_t index = 0; index < nodes_.size(); ++index)
      if (!is_told[index]) others += nodes_[index].seconds;
    times.baseline_other_seconds = others;
  }

 private:
  struct Earlier {
    std::vector<std::string> work;
    double seconds = 0;
  };

  /// Without those that do nothing of the work.
  static std::vector<NodeTimeRecord*> slowest_first(NodeTimes& times) {
    std::vector<NodeTimeRecord*> nodes;
    for (NodeTimeRecord& node : times.nodes)
      if (!node.is_inserted) nodes.push_back(&node);
    std::ranges::stable_sort(nodes, std::ranges::greater(), &NodeTimeRecord::seconds);
    return nodes;
  }

  /// The nodes of the baseline that do some of this work.
  [[nodiscard]] std::set<std::size_t> earlier_of(const std::set<std::string_view>& work) const {
    std::set<std::size_t> earlier;
    for (const std::string_view original : work) {
      const auto found = by_original_.find(original);
      if (found != by_original_.end()) earlier.insert(found->second.begin(), found->second.end());
    }
    return earlier;
  }

  std::optional<double> of(const NodeTimeRecord& node, std::vector<bool>& is_told) const {
    const auto wanted = work_of(node);
    const std::set<std::string_view> work(wanted.begin(), wanted.end());
    auto earlier = earlier_of(work);
    const auto is_all_here = [&](std::size_t index) {
      return std::ranges::all_of(nodes_[index].work, [&](const auto& one) { return work.contains(one); });
    };
    if (!std::ranges::all_of(earlier, is_all_here)) return std::nullopt;
    std::erase_if(earlier, [&](std::size_t index) { return is_told[index]; });
    double seconds = 0;
    for (const std::size_t index : earlier) {
      seconds += nodes_[index].seconds;
      is_told[index] = true;
    }
    return earlier.empty() ? std::nullopt : std::optional(seconds);
  }

  std::vector<Earlier> nodes_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_original_;
};

}  // namespace

void tell_earlier_times(ProfileReport& report) {
  std::map<std::size_t, EarlierTimes> of_baselines;
  for (std::size_t i = 0; i < report.entries.size(); ++i) {
    ProfileEntry& entry = report.entries[i];
    if (entry.baseline == i || entry.baseline >= report.entries.size() || !entry.nodes) continue;
    const ProfileEntry& baseline = report.entries[entry.baseline];
    if (!baseline.nodes || entry.model != baseline.model) continue;
    const EarlierTimes& earlier = of_baselines.try_emplace(entry.baseline, *baseline.nodes).first->second;
    earlier.tell(*entry.nodes);
  }
}

}  // namespace culprit
