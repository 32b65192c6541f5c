#include "trial/directed_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

/// "large values into 's' (fuse_x)"; "" where nothing was said of this sample.
std::string reason_for(std::size_t sample, const Reference& reference) {
  const auto at = std::ranges::find(reference.directions, sample, &Direction::sample);
  return at == reference.directions.end() ? "" : printable(at->aim, 200);
}

}  // namespace

std::string aimed_at(const std::vector<std::size_t>& samples, const Reference& reference) {
  const bool all_directed =
      std::ranges::all_of(samples, [&](std::size_t sample) { return reference.is_directed(sample); });
  if (samples.empty() || !all_directed) return "";
  const std::string reason = reason_for(samples.front(), reference);
  std::string text = fmt::format("sample {}, aimed at {}", samples.front(), reason.empty() ? "a place" : reason);
  if (samples.size() > 1) text += fmt::format("; and {} more such", samples.size() - 1);
  return text;
}

std::string finite_instead_text(const Comparison& comparison, const Reference& reference) {
  const auto most = std::ranges::max_element(comparison.measurements, {},
                                             [](const auto& entry) { return entry.second.finite_instead; });
  if (most == comparison.measurements.end() || most->second.finite_instead == 0) return "";
  const Measurement& m = most->second;
  return fmt::format("output '{}': {} in {} of {} elements, {}; random extreme values only show it, so it is no fault",
                     printable(most->first, 100), m.note.empty() ? "finite where the model itself is not" : m.note,
                     m.finite_instead, m.elements, aimed_at(comparison.finite_instead, reference));
}

}  // namespace culprit
