#include "conversion/map/named_pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"

namespace culprit {
namespace {

std::string_view first_result(std::string_view name) {
  return name.ends_with(":0") ? name.substr(0, name.size() - 2) : name;
}

int place_of_name(const Network& network, const std::vector<int>& values, std::string_view name) {
  const auto place_where = [&](const auto& fits) {
    const auto found = std::ranges::find_if(
        values, [&](int value) { return value >= 0 && fits(network.values[as_index(value)].name); });
    return found == values.end() ? -1 : static_cast<int>(found - values.begin());
  };
  const int same = place_where([&](const std::string& one) { return one == name; });
  // TensorFlow's "x:0" is the "x" of other formats.
  return same >= 0 ? same
                   : place_where([&](const std::string& one) { return first_result(one) == first_result(name); });
}

bool is_paired(const std::vector<std::pair<int, int>>& pairs, std::pair<int, int> pair) {
  return std::ranges::any_of(
      pairs, [&](const auto& other) { return other.first == pair.first || other.second == pair.second; });
}

std::vector<std::string> names_of(const Network& network) {
  std::vector<std::string> names;
  for (const auto* list : {&network.inputs, &network.outputs})
    for (const int value : *list) names.push_back(printable(network.values[as_index(value)].name, 60));
  return names;
}

}  // namespace

Result<NamedPairs> pairs_of_map(const Network& source, const Network& target, std::span<const std::string> map) {
  NamedPairs pairs;
  for (const std::string& entry : map) {
    bool is_found = false;
    // Names may hold '=' themselves.
    for (auto at = entry.find('='); at != std::string::npos && !is_found; at = entry.find('=', at + 1)) {
      const std::string_view one = std::string_view(entry).substr(0, at),
                             other = std::string_view(entry).substr(at + 1);
      for (const bool is_input : {true, false}) {
        const std::pair pair{place_of_name(source, is_input ? source.inputs : source.outputs, one),
                             place_of_name(target, is_input ? target.inputs : target.outputs, other)};
        if (pair.first < 0 || pair.second < 0) continue;
        auto& list = is_input ? pairs.inputs : pairs.outputs;
        if (is_paired(list, pair))
          return fail(ErrorKind::usage, fmt::format("--map {}: one of them is in another --map already", entry));
        list.push_back(pair);
        is_found = true;
        break;
      }
    }
    if (!is_found)
      return fail(ErrorKind::usage,
                  fmt::format("--map {}: there are no two inputs or outputs of these names", printable(entry, 100)),
                  fmt::format("write SOURCE_NAME=TARGET_NAME; the source has {}, the target has {}",
                              join(names_of(source), ", "), join(names_of(target), ", ")));
  }
  return pairs;
}

std::vector<std::pair<int, int>> pairs_of_names(const Network& source, const std::vector<int>& ours,
                                                const Network& target, const std::vector<int>& theirs,
                                                std::vector<std::pair<int, int>> pairs) {
  for (std::size_t place = 0; place < ours.size(); ++place) {
    const std::pair pair{static_cast<int>(place),
                         place_of_name(target, theirs, source.values[as_index(ours[place])].name)};
    if (pair.second >= 0 && !is_paired(pairs, pair)) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace culprit
