#include "report/diagnosis_keep.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t costs_shown = 8;
constexpr int cost_width = 9;

bool is_kept(const KeepRecord& keep, const LayerRef& layer) {
  return std::ranges::find(keep.kept, layer) != keep.kept.end();
}

std::string words_of_kept(const KeepRecord& keep) {
  std::vector<std::string> names;
  names.reserve(keep.kept.size());
  for (const LayerRef& layer : keep.kept)
    names.push_back(printable(layer.type, 40) + " '" + printable(layer.name, 80) + "'");
  return join(names, ", ");
}

std::string proof_words(const KeepRecord& keep) {
  const std::string sets = keep.runs == 1 ? "one set of layers" : fmt::format("{} sets of layers", keep.runs);
  return fmt::format(
      "then none of {} is decided otherwise, where the target changes {}; seen by running the source with all other "
      "layers rounded to {}; {} tried",
      counted(keep.samples, "sample"), keep.changed_by_target, printable(keep.rounding), sets);
}

bool begins_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

/// As Python writes a text. What is longer than `room` is several texts, which Python takes for one.
std::vector<std::string> quoted_pieces(const std::string& name, int room) {
  std::vector<std::string> pieces{"\""};
  const std::string text = printable(name, 1000);
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    for (end = begin + 1; end < text.size() && !begins_letter(text[end]);) ++end;
    const std::string letter = text.substr(begin, end - begin);
    const bool is_escaped = letter == "\"" || letter == "\\";
    if (display_width(pieces.back()) + display_width(letter) + 2 > room) {
      pieces.back() += '"';
      pieces.emplace_back("\"");
    }
    pieces.back() += (is_escaped ? "\\" : "") + letter;
  }
  pieces.back() += '"';
  return pieces;
}

/// To be pasted into Python, in lines as wide as the terminal: these are broken only where Python allows it.
std::string option_part(const KeepRecord& keep, int width) {
  std::string text = "  quantize with  ";
  const int margin = display_width(text);
  text += keep.option + "=[";
  int column = display_width(text);
  bool is_first = true;
  for (std::size_t i = 0; i < keep.kept.size(); ++i) {
    std::vector<std::string> pieces = quoted_pieces(keep.kept[i].name, width - margin - 1);
    pieces.back() += i + 1 < keep.kept.size() ? "," : "]";
    for (const std::string& piece : pieces) {
      const int needed = display_width(piece) + (is_first ? 0 : 1);
      const bool fits = column + needed <= width;
      text += fits ? (is_first ? "" : " ") : "\n" + std::string(static_cast<std::size_t>(margin), ' ');
      text += piece;
      column = fits ? column + needed : margin + display_width(piece);
      is_first = false;
    }
  }
  return text + "\n";
}

std::string found_part(const KeepRecord& keep, const ConsoleStyle& style) {
  if (keep.changed_by_rounding == 0)
    return hanging("  keep in float  ",
                   fmt::format("nothing: the source with all layers rounded to {} decides every sample as it did. The "
                               "target is rounded in another way: by ranges of other samples, or in more places",
                               printable(keep.rounding)),
                   style.width);
  if (!keep.is_proven)
    return hanging(
        "  keep in float  ",
        fmt::format("no set of layers is enough: {} of {} still decided otherwise with all {} in float",
                    keep.changed_left, counted(keep.samples, "sample"), counted(std::ssize(keep.kept), "layer")),
        style.width);
  std::string text = hanging("  keep in float  ", words_of_kept(keep), style.width);
  text += hanging("                 ", proof_words(keep), style.width);
  if (!keep.option.empty()) text += option_part(keep, style.width);
  return text;
}

std::vector<std::size_t> costs_to_show(const KeepRecord& keep, bool all) {
  std::vector<std::size_t> shown;
  shown.reserve(keep.layers.size());
  for (std::size_t i = 0; i < keep.layers.size(); ++i)
    if (all || i < costs_shown || (keep.is_proven && is_kept(keep, keep.layers[i].layer))) shown.push_back(i);
  return shown;
}

std::string cost_line(const std::string& name, const std::string& error, const std::string& changed,
                      const std::string& mark, int name_width) {
  std::string text = "    " + pad_right(cut_middle(name, name_width), name_width) + pad_left(error, cost_width) +
                     pad_left(changed, cost_width) + "  " + mark;
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string costs_table(const KeepRecord& keep, const ConsoleStyle& style) {
  if (keep.layers.empty()) return "";
  const auto shown = costs_to_show(keep, style.verbose);
  const std::string head = "rounded alone";
  int width = display_width(head);
  std::vector<std::string> names;
  names.reserve(shown.size());
  for (const std::size_t i : shown) {
    const LayerRef& layer = keep.layers[i].layer;
    names.push_back(printable(layer.type, 40) + " " + printable(layer.name, 80));
    width = std::max(width, display_width(names.back()));
  }
  width = std::min(width, std::max(8, style.width - 4 - 2 * cost_width - 6));
  std::string text = "\n" + cost_line(head, "error", "changed", "", width);
  for (std::size_t row = 0; row < shown.size(); ++row) {
    const LayerCost& cost = keep.layers[shown[row]];
    if (shown[row] != (row == 0 ? 0 : shown[row - 1] + 1)) text += "    ...\n";
    const bool is_marked = keep.is_proven && is_kept(keep, cost.layer);
    const std::string line = cost_line(names[row], fmt::format("{:.1e}", cost.error), std::to_string(cost.changed),
                                       is_marked ? "keep" : "", width);
    text += is_marked ? painted(line.substr(0, line.size() - 1), Ink::strong, style.colour) + "\n" : line;
  }
  if (!shown.empty() && shown.back() + 1 < keep.layers.size())
    text += fmt::format("    and {} more\n", counted(std::ssize(keep.layers) - std::ssize(shown), "layer"));
  return text;
}

}  // namespace

std::string keep_part(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  if (!diagnosis.keep) return "";
  return "\n" + found_part(*diagnosis.keep, style) + costs_table(*diagnosis.keep, style);
}

}  // namespace culprit
