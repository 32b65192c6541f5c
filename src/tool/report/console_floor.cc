#include <fmt/format.h>

#include "base/text.h"
#include "report/console_parts.h"

namespace culprit {
namespace {

/// "1.6e-05 (4 x 2.9e-06 + 8 eps x 4.8, 3 draws of 2 samples)"
std::string floor_text(const NoiseFloor& floor) {
  std::string sum;
  const auto add = [&](const std::string& part) { sum += (sum.empty() ? "" : " + ") + part; };
  if (floor.deviation > 0) add(fmt::format("{} x {:.2g}", floor.stepped ? 1.5 : 4, floor.deviation));
  if (floor.eps > 0) add(fmt::format("8 eps x {:.2g}", floor.rms));
  std::string text = fmt::format("{:.2g} (", floor.abs) + (sum.empty() ? "exact" : sum);
  text += floor.draws == 0 ? ", no draws" : ", " + counted(floor.draws, "draw");
  text += " of " + counted(floor.samples, "sample");
  if (floor.scales > 1) text += fmt::format(", the widest of {} scales", floor.scales);
  if (floor.discarded > 0) text += fmt::format(", {} discarded", floor.discarded);
  if (floor.stepped) text += ", jumps";
  if (floor.ties > 0) text += ", " + counted(floor.ties, "tie");
  return text + ")";
}

}  // namespace

std::string directions_part(const ModelReport& report, const ConsoleStyle& style) {
  if (!style.verbose) return "";
  std::string text;
  for (const Direction& direction : report.data.directions) {
    text += hanging("  directed: ", printable(text_of(direction), 200), style.width);
  }
  return text;
}

std::string floors_part(const ModelReport& report, const ConsoleStyle& style) {
  if (!style.verbose) return "";
  std::string text;
  for (const auto& [output, floor] : report.noise_floor) {
    text += hanging("  expected rounding error: ", printable(output, 100) + " " + floor_text(floor), style.width);
  }
  return text;
}

}  // namespace culprit
