#include "profile/gate/check_kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "base/text.h"
#include "profile/named_rows.h"

namespace culprit {
namespace {

constexpr const char* hint = "the file was changed or is damaged; give a report.json as culprit profile wrote it";

/// Digits that a file leaves out move no value out of its interval.
bool is_in_order(double low, double value, double high) {
  const double play = 1e-9 * std::abs(value);
  return std::isfinite(value) && low <= value + play && value - play <= high;
}

bool is_ratio(const RatioRecord& ratio) {
  if (ratio == RatioRecord()) return true;  // nobody measured
  const bool is_of_few_blocks = ratio.low == 0 && std::isinf(ratio.high);
  return ratio.value > 0 && is_in_order(ratio.low, ratio.value, ratio.high) &&
         (is_of_few_blocks || (ratio.low > 0 && std::isfinite(ratio.high)));
}

Result<void> check_ratio(const ProfileEntry& entry) {
  const RatioRecord& ratio = entry.ratio;
  if (!is_ratio(ratio))
    return fail(ErrorKind::bad_input,
                fmt::format("the ratio of {} is {:g} ({:g} to {:g}), and one time over another is a number above 0, in "
                            "an interval from a lower end to an upper one",
                            quoted_row(entry.name), ratio.value, ratio.low, ratio.high),
                hint);
  for (const double block : entry.block_ratios)
    if (!std::isfinite(block) || block <= 0)
      return fail(ErrorKind::bad_input,
                  fmt::format("a block ratio of {} is {:g}, and one time over another is a number above 0",
                              quoted_row(entry.name), block),
                  hint);
  return {};
}

Result<void> check_metrics(const ProfileEntry& entry, const std::map<std::string, MetricRecord>& metrics) {
  for (const auto& [name, metric] : metrics)
    if (!is_in_order(metric.low, metric.value, metric.high))
      return fail(ErrorKind::bad_input,
                  fmt::format("{} of {} is {:g} ({:g} to {:g}), and there is no such interval", printable(name, 60),
                              quoted_row(entry.name), metric.value, metric.low, metric.high),
                  hint);
  return {};
}

}  // namespace

Result<void> check_kept(const ProfileReport& kept) {
  if (kept.entries.empty())
    return fail(ErrorKind::bad_input, "it has no rows, so nothing can be held against it", hint);
  std::set<std::string> names;
  for (const ProfileEntry& entry : kept.entries) {
    if (!names.insert(entry.name).second)
      return fail(ErrorKind::bad_input, "two of its rows have the name " + quoted_row(entry.name), hint);
    if (entry.baseline >= kept.entries.size())
      return fail(ErrorKind::bad_input,
                  fmt::format("{} is held against entry {}, and there are {}", quoted_row(entry.name), entry.baseline,
                              kept.entries.size()),
                  hint);
    if (auto ok = check_ratio(entry); !ok) return ok;
    if (!entry.quality) continue;
    if (auto ok = check_metrics(entry, entry.quality->metrics); !ok) return ok;
    if (auto ok = check_metrics(entry, entry.quality->variant_against_labels); !ok) return ok;
  }
  return {};
}

}  // namespace culprit
