#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/profile_console_parts.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr std::size_t changes_shown = 5;
constexpr int counted_op_width = 32;

struct ChangeWords {
  std::vector<std::string> gone, added, other;
};

ChangeWords words_of(const std::vector<OpChange>& changes) {
  ChangeWords words;
  for (const OpChange& change : changes) {
    const std::string op = cut_middle(printable(change.op), counted_op_width);
    if (change.after == 0)
      words.gone.push_back(fmt::format("{} {}", change.before, op));
    else if (change.before == 0)
      words.added.push_back(fmt::format("{} {}", change.after, op));
    else
      words.other.push_back(fmt::format("{} {} to {}", op, change.before, change.after));
  }
  return words;
}

/// "gone 36 BatchNormalization, 33 Relu"
std::string list_of(const char* what, std::vector<std::string> items, const ConsoleStyle& style) {
  if (items.empty()) return "";
  if (items.size() > changes_shown && !style.verbose) {
    const std::size_t more = items.size() - changes_shown;
    items.resize(changes_shown);
    items.push_back(counted(static_cast<std::int64_t>(more), "more type"));
  }
  return std::string(what) + " " + join(items, ", ");
}

std::string graph_line(const ProfileEntry& entry, const ProfileEntry& original, const ConsoleStyle& style) {
  const auto changes = op_changes(original.graph, entry.graph);
  if (changes.empty()) return "the same operators";
  const ChangeWords words = words_of(changes);
  std::vector<std::string> said;
  if (const auto change = node_change(entry, original)) said.push_back(fmt::format("{:+.0f} % nodes", *change + 0.0));
  for (const std::string& list :
       {list_of("gone", words.gone, style), list_of("new", words.added, style), list_of("changed", words.other, style)})
    if (!list.empty()) said.push_back(list);
  return join(said, "; ");
}

std::string about(const GraphRecord& graph) {
  std::string text =
      fmt::format("{}, {} {}", counted(graph.nodes, "node"), scaled(static_cast<double>(graph.parameters)),
                  graph.parameters == 1 ? "parameter" : "parameters");
  if (graph.flops) text += ", " + scaled(*graph.flops, "FLOP") + " a run";
  if (graph.moved) text += ", " + scaled(*graph.moved, "B") + " moved";
  if (graph.nodes_uncounted > 0) text += " (+ " + counted(graph.nodes_uncounted, "node") + " not counted)";
  return text + ", file " + human_bytes(graph.file_bytes);
}

}  // namespace

std::string graphs_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::string text;
  for (const ProfileEntry& entry : report.entries) {
    if (!is_there(entry.graph)) continue;
    const ProfileEntry* original = original_of(report, entry);
    if (original == nullptr) continue;
    const std::string line = original == &entry ? about(entry.graph) : graph_line(entry, *original, style);
    text += hanging("    " + entry_head(report, entry), line, style.width);
  }
  return text.empty() ? "" : "\n  graph\n" + text;
}

std::string placement_part(const ProfileReport& report, const ConsoleStyle& style) {
  bool is_told = false;
  std::string text;
  for (const ProfileEntry& entry : report.entries) {
    std::int64_t all = 0;
    std::vector<std::pair<std::string, std::int64_t>> counts;
    for (const auto& [provider, ops] : entry.graph.providers) {
      const std::int64_t nodes = nodes_in(ops);
      counts.emplace_back(provider, nodes);
      all += nodes;
    }
    if (all <= 0) continue;
    is_told = is_told || counts.size() > 1;
    std::vector<std::string> said;
    said.reserve(counts.size());
    for (const auto& [provider, nodes] : counts)
      said.push_back(fmt::format("{} {} ({:.3g} %)", provider_name(provider), nodes,
                                 100 * static_cast<double>(nodes) / static_cast<double>(all)));
    text += hanging("    " + entry_head(report, entry), join(said, ", "), style.width);
  }
  return is_told || (style.verbose && !text.empty()) ? "\n  nodes by provider\n" + text : "";
}

}  // namespace culprit
