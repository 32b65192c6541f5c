#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/node_rates.h"
#include "report/profile_console_parts.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr std::size_t shown_each = 5;
constexpr std::size_t entries_with_nodes = 4;  // of more, only --verbose tells nodes

std::size_t how_many(std::size_t count, const ConsoleStyle& style) {
  return style.verbose ? count : std::min(count, shown_each);
}

std::string share_of(double share) { return std::isfinite(share) ? fmt::format("{:.0f} %", 100 * share) : "?"; }

std::string ops_line(const NodeTimes& times, const ConsoleStyle& style) {
  const auto ops = op_times(times);
  std::vector<std::string> said;
  for (std::size_t i = 0; i < how_many(ops.size(), style); ++i)
    said.push_back(fmt::format("{} {} ({})", cut_middle(printable(ops[i].op), 40), short_seconds(ops[i].seconds),
                               share_of(ops[i].share)));
  if (said.size() < ops.size())
    said.push_back(counted(static_cast<std::int64_t>(ops.size() - said.size()), "other type"));
  return join(said, ", ");
}

/// The time of the baseline; whether the node is slower than that shows in its colour.
ConsoleCell before_cell(const std::optional<double>& before, double seconds) {
  if (!before || !std::isfinite(*before) || *before <= 0 || !std::isfinite(seconds)) return {};
  const double ratio = seconds / *before;
  const Ink ink = ratio > 1 + same_within ? Ink::bad : ratio < 1 - same_within ? Ink::good : Ink::plain;
  return {short_seconds(*before), ink};
}

ConsoleCell rate_cell(const std::optional<double>& rate) { return {rate ? scaled(*rate) : ""}; }

/// Without those that are the node itself.
std::string work_of(const NodeTimeRecord& node) {
  std::vector<std::string> others;
  for (const std::string& original : node.originals)
    if (original != node.node) others.push_back(printable(original, 60));
  return join(others, ", ");
}

std::string nodes_table(const ProfileEntry& entry, const ConsoleStyle& style) {
  const auto& nodes = entry.nodes->nodes;
  const bool is_in_many_places = entry.graph.providers.size() > 1;
  const int name_width = 3 * style.width / 10, op_width = name_width - (is_in_many_places ? 6 : 0);
  ConsoleColumn name{"    slowest nodes", {}, true}, op{"type", {}, true}, time{"time", {}}, share{"share", {}},
      before{"baseline", {}}, provider{"on", {}, true}, flops{"FLOP/s", {}, false, true}, bytes{"B/s", {}, false, true},
      work{"does the work of", {}, true};
  for (std::size_t i = 0; i < how_many(nodes.size(), style); ++i) {
    const NodeTimeRecord& node = nodes[i];
    name.cells.push_back({"    " + cut_middle(node.node.empty() ? "(no name)" : printable(node.node), name_width - 4)});
    op.cells.push_back({cut_path(printable(node.op), op_width)});
    time.cells.push_back({short_seconds(node.seconds)});
    share.cells.push_back({share_of(node.share)});
    before.cells.push_back(before_cell(node.baseline_seconds, node.seconds));
    provider.cells.push_back({is_in_many_places ? provider_name(node.provider) : ""});
    flops.cells.push_back(rate_cell(flops_per_second(node)));
    bytes.cells.push_back(rate_cell(bytes_per_second(node)));
    work.cells.push_back({style.verbose || style.width >= 110 ? cut_middle(work_of(node), style.width / 3) : ""});
  }
  return name.cells.empty() ? "" : wide_table({name, op, time, share, before, provider, flops, bytes, work}, style);
}

std::string about(const NodeTimes& times) {
  std::string text = fmt::format("nodes {}", short_seconds(times.nodes_seconds));
  if (times.run_seconds > 0) text += fmt::format(" of {} a run", short_seconds(times.run_seconds));
  if (times.left_out_seconds > 0) text += fmt::format(" ({} between them)", short_seconds(times.left_out_seconds));
  text += ", " + counted(times.runs, "run");
  if (times.runs_dropped > 0) text += fmt::format(" ({} more waited for a CPU)", times.runs_dropped);
  if (times.waited_seconds > 0)
    text += "; with " + short_seconds(times.waited_seconds) + " of waiting for a CPU in each";
  const std::string elsewhere = baseline_elsewhere(times);
  return elsewhere.empty() ? text : text + "; " + elsewhere;
}

std::string limits_line(const MachineLimits& limits, const ConsoleStyle& style) {
  return hanging("    the machine's limits  ",
                 fmt::format("{} ({}) and {} with {}, measured; figures/roofline.svg", scaled(limits.flops, "FLOP/s"),
                             printable(limits.instructions, 20), scaled(limits.bandwidth, "B/s"),
                             counted(limits.threads, "thread")),
                 style.width);
}

}  // namespace

std::string slowest_part(const ProfileReport& report, const ConsoleStyle& style) {
  const auto profiled =
      std::ranges::count_if(report.entries, [](const ProfileEntry& e) { return e.nodes.has_value(); });
  if (profiled == 0) return "";
  const bool with_nodes = style.verbose || static_cast<std::size_t>(profiled) <= entries_with_nodes;
  std::string text = "\n  slowest operators\n";
  for (const ProfileEntry& entry : report.entries) {
    if (!entry.nodes) continue;
    text += hanging("    " + entry_head(report, entry),
                    about(*entry.nodes) + (entry.nodes->nodes.empty() ? "" : ": ") + ops_line(*entry.nodes, style),
                    style.width);
    if (with_nodes) text += nodes_table(entry, style);
  }
  if (report.limits) text += limits_line(*report.limits, style);
  return with_nodes ? text : text + "    --verbose shows nodes, too\n";
}

}  // namespace culprit
