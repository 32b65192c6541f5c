#include "stream/told_bytes.h"

namespace culprit {
namespace {

std::string text_of(StateReader& bytes) { return std::string(bytes.text()); }

void write(StateWriter& bytes, const ToldDecision& decision) {
  for (const std::string* text : {&decision.words, &decision.label, &decision.truth})
    bytes.add(std::string_view(*text));
  bytes.add(decision.is_right.has_value()).add(decision.is_right.value_or(false));
  bytes.add(static_cast<std::uint64_t>(decision.best.size()));
  for (const RankedClass& one : decision.best) bytes.add(std::string_view(one.name)).add(one.score);
  bytes.add(static_cast<std::uint64_t>(decision.boxes.size()));
  for (const ToldBox& box : decision.boxes)
    bytes.add(box.x0).add(box.y0).add(box.x1).add(box.y1).add(std::string_view(box.name)).add(box.score);
}

ToldDecision read(StateReader& bytes) {
  ToldDecision decision;
  for (std::string* text : {&decision.words, &decision.label, &decision.truth}) *text = text_of(bytes);
  const bool is_known = bytes.next<bool>(), is_right = bytes.next<bool>();
  if (is_known) decision.is_right = is_right;
  const auto ranked = bytes.next<std::uint64_t>();
  for (std::uint64_t i = 0; i < ranked && bytes.is_good(); ++i) {
    RankedClass& one = decision.best.emplace_back();
    one.name = text_of(bytes);
    one.score = bytes.next<double>();
  }
  const auto boxes = bytes.next<std::uint64_t>();
  for (std::uint64_t i = 0; i < boxes && bytes.is_good(); ++i) {
    ToldBox& box = decision.boxes.emplace_back();
    for (double* edge : {&box.x0, &box.y0, &box.x1, &box.y1}) *edge = bytes.next<double>();
    box.name = text_of(bytes);
    box.score = bytes.next<double>();
  }
  return decision;
}

}  // namespace

void write_told(StateWriter& bytes, const ToldModel& told) {
  bytes.add(told.decision.has_value()).add(told.is_changed).add(told.margin);
  if (told.decision) write(bytes, *told.decision);
}

ToldModel read_told(StateReader& bytes) {
  ToldModel told;
  const bool has_decided = bytes.next<bool>();
  told.is_changed = bytes.next<bool>();
  told.margin = bytes.next<double>();
  if (has_decided) told.decision = read(bytes);
  return told;
}

}  // namespace culprit
