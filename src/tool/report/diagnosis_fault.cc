#include "report/diagnosis_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t elements_shown = 3;

std::string layer_words(const LayerRef& layer) {
  if (layer.number < 0 && layer.name.empty()) return "nothing";
  const std::string name = printable(layer.name, 60), type = printable(layer.type, 40);
  return name.empty() || name == type ? type : type + " '" + name + "'";
}

std::string group_words(const ConversionFault& fault) {
  constexpr std::size_t most_names = 3;
  std::vector<std::string> others;
  for (const LayerRef& layer : fault.group)
    if (!(layer == fault.source)) others.push_back(layer_words(layer));
  if (others.size() > most_names + 1) {
    const std::size_t more = others.size() - most_names;
    others.resize(most_names);
    others.push_back(fmt::format("{} more layers", more));
  }
  return others.empty() ? "" : " (with " + join(others, ", ") + ")";
}

std::string target_words(const TargetRef& target) {
  std::string text = layer_words(target.node);
  if (!target.tensor.empty()) text += ", tensor '" + printable(target.tensor, 60) + "'";
  if (!target.attribute.empty()) text += ", " + printable(target.attribute, 60);
  return text;
}

std::string place_words(const std::vector<std::int64_t>& place) {
  std::vector<std::string> numbers;
  numbers.reserve(place.size());
  for (const std::int64_t one : place) numbers.push_back(std::to_string(one));
  return "[" + join(numbers, ",") + "]";
}

/// At least 4, and as many as it takes until the two do not look the same.
int digits_that_tell(double one, double other) {
  int digits = 4;
  while (digits < 17 && one != other && fmt::format("{:.{}g}", one, digits) == fmt::format("{:.{}g}", other, digits))
    ++digits;
  return digits;
}

std::string elements_words(const FaultEvidence& evidence) {
  std::vector<std::string> parts;
  for (const WrongElement& element : evidence.elements) {
    if (parts.size() == elements_shown) break;
    const auto& place = element.target.empty() ? element.source : element.target;
    const int digits = digits_that_tell(element.wrong, element.right);
    parts.push_back(fmt::format("{} is {:.{}g}, should be {:.{}g}", place_words(place), element.wrong, digits,
                                element.right, digits));
  }
  return join(parts, "; ");
}

std::string proof_line(const ConversionFault& fault) {
  if (!fault.confirmed) return "not confirmed: " + printable(fault.not_confirmed_because);
  std::string line =
      fmt::format("fixed by {}: the error of {} goes from {:.2g} to {:.2g}", printable(fault.repair.edit, 300),
                  fault.repair.of == RepairRecord::Of::outputs ? "the outputs" : "this layer",
                  fault.repair.error_before, fault.repair.error_after);
  if (!fault.is_reached) line += "; none of the samples comes there, random inputs of the layer do";
  return line;
}

}  // namespace

std::string network_line(const char* side, const NetworkFacts& facts, const ConsoleStyle& style) {
  const std::string about = fmt::format("  {} ({})", counted(facts.layers, "layer"), printable(facts.format, 40));
  const std::string first = std::string("  ") + side + "  ";
  const int room = style.width - display_width(first) - display_width(about);
  return first + painted(cut_path(printable(facts.path), room), Ink::strong, style.colour) + about + "\n";
}

std::string fault_part(const ConversionFault& fault, const ConsoleStyle& style) {
  const std::string stage = fault.stage.empty() ? "" : " in " + printable(fault.stage, 60) + ":";
  const std::string head = painted(fault.id, Ink::bad, style.colour) + " " + std::string(name_of(fault.kind)) + stage +
                           "  " + layer_words(fault.source) + group_words(fault) + "  ->  " +
                           target_words(fault.target);
  std::string text = "\n" + hanging("  ", head, style.width);
  text += hanging("     ", printable(fault.evidence.message), style.width);
  if (fault.evidence.elements.size() > 1)  // of one the message tells
    text += hanging("     ", elements_words(fault.evidence), style.width);
  return text + hanging("     ", proof_line(fault), style.width);
}

}  // namespace culprit
