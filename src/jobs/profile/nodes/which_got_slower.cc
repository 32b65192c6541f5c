#include "profile/nodes/which_got_slower.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace culprit {
namespace {

/// Sets that grow together; number 0 is the one for what is not known.
class Parts {
 public:
  Parts() : parents_{0} {}

  int number_of(std::string_view original) {
    const auto [found, is_new] = numbers_.try_emplace(original, static_cast<int>(parents_.size()));
    if (is_new) parents_.push_back(found->second);
    return found->second;
  }

  int part_of(int number) {
    while (parent(number) != number) number = parent(number) = parent(parent(number));
    return number;
  }

  void join(const NodeTimeRecord& node) {
    for (const std::string& original : node.originals) {
      const int one = part_of(number_of(original)), first = part_of(number_of(node.originals.front()));
      parent(std::max(one, first)) = std::min(one, first);
    }
  }

 private:
  int& parent(int number) { return parents_[static_cast<std::size_t>(number)]; }

  std::map<std::string_view, int> numbers_;
  std::vector<int> parents_;
};

}  // namespace

std::vector<PartTimes> which_got_slower(const NodeTimes& before, const NodeTimes& after) {
  Parts parts;
  for (const NodeTimes* side : {&before, &after})
    for (const NodeTimeRecord& node : side->nodes) parts.join(node);
  std::map<int, PartTimes> made;
  std::set<std::string_view> told;  // an original is in one part only
  for (const NodeTimes* side : {&before, &after}) {
    for (const NodeTimeRecord& node : side->nodes) {
      PartTimes& part = made[node.originals.empty() ? 0 : parts.part_of(parts.number_of(node.originals.front()))];
      (side == &before ? part.before : part.after).push_back(node.node);
      (side == &before ? part.seconds_before : part.seconds_after) += node.seconds;
      for (const std::string& original : node.originals)
        if (told.insert(original).second) part.originals.push_back(original);
    }
  }
  std::vector<PartTimes> sorted;
  sorted.reserve(made.size());
  for (auto& [number, part] : made) sorted.push_back(std::move(part));
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           [](const PartTimes& part) { return std::abs(part.change()); });
  return sorted;
}

}  // namespace culprit
