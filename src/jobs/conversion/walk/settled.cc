#include "conversion/walk/settled.h"

#include <algorithm>

namespace culprit {
namespace {

bool is_output(const Ways& source, int value) {
  return std::ranges::find(source.network().outputs, value) != source.network().outputs.end();
}

}  // namespace

double settled_share(const Ways& source, int cut, const ValueMatches& found, int most) {
  double share = 0;
  int ways = 0;
  for (const int layer : source.users(cut)) {
    const NetworkLayer& user = source.network().layers[static_cast<std::size_t>(layer)];
    for (const int output : user.outputs) {
      if (output < 0 || source.is_constant(output)) continue;
      const bool ends = source.users(output).empty();
      if (ends && !is_output(source, output)) continue;
      ++ways;
      if (found.contains(output) && (ends || !is_mover(user)))
        share += 1;
      else if (most > 1)
        share += settled_share(source, output, found, most - 1);
    }
  }
  return ways == 0 ? 0 : share / ways;
}

bool is_settled(const Ways& source, int cut, const ValueMatches& found, bool is_bound_output, int most) {
  if (is_bound_output) return true;
  return !is_output(source, cut) && settled_share(source, cut, found, most) >= 1;
}

double found_share(const Ways& source, int cut, const ValueMatches& found, int most) {
  int all = 0, known = 0;
  for (const auto& [value, distance] : source.behind(cut, most)) {
    if (value == cut) continue;
    ++all;
    if (found.contains(value)) ++known;
  }
  return all == 0 ? 0 : static_cast<double>(known) / all;
}

}  // namespace culprit
