#include "profile/nodes/earlier_times.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace culprit {
namespace {

/// Of a node that stands for no given one, its own name.
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

  [[nodiscard]] std::optional<double> of(const NodeTimeRecord& node) const {
    const auto wanted = work_of(node);
    const std::set<std::string_view> work(wanted.begin(), wanted.end());
    std::set<std::size_t> earlier;
    for (const std::string_view original : work) {
      const auto found = by_original_.find(original);
      if (found != by_original_.end()) earlier.insert(found->second.begin(), found->second.end());
    }
    double seconds = 0;
    for (const std::size_t index : earlier) {
      const Earlier& before = nodes_[index];
      const bool is_all_here = std::ranges::all_of(before.work, [&](const auto& one) { return work.contains(one); });
      if (!is_all_here) return std::nullopt;
      seconds += before.seconds;
    }
    return earlier.empty() ? std::nullopt : std::optional(seconds);
  }

 private:
  struct Earlier {
    std::vector<std::string> work;
    double seconds = 0;
  };
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
    for (NodeTimeRecord& node : entry.nodes->nodes) node.baseline_seconds = earlier.of(node);
  }
}

}  // namespace culprit
