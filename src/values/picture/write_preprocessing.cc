// picture/read_preprocessing.h: to_yaml

#include <fmt/format.h>

#include <cmath>

#include "picture/read_preprocessing.h"

namespace culprit {
namespace {

std::string number_text(double value) {
  const double below = std::nearbyint(1 / value);
  if (value != 0 && std::abs(value) < 1 && std::abs(below) > 10 && 1 / below == value)
    return fmt::format("1/{:.0f}", below);
  return fmt::format("{}", value);
}

std::string numbers_text(const std::vector<double>& numbers) {
  if (numbers.size() == 1) return number_text(numbers.front());
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + number_text(number);
  return "[" + text + "]";
}

std::string side_text(const SideLength& side) {
  if (side.pixels > 0) return std::to_string(side.pixels);
  return side.share == 1 ? "input" : fmt::format("input/{}", side.share);
}

std::string size_text(const PictureStep& step) {
  if (step.height == step.width) return side_text(step.height);
  return "[" + side_text(step.height) + ", " + side_text(step.width) + "]";
}

std::string step_text(const PictureStep& step) {
  const bool is_side = step.kind == PictureStepKind::resize && step.to != ResizeTo::size;
  const char* key = !is_side ? "size" : step.to == ResizeTo::shorter ? "shorter" : "longer";
  std::string text = fmt::format("{{{}: {}", key, is_side ? side_text(step.height) : size_text(step));
  const bool is_resized = step.kind == PictureStepKind::resize || step.kind == PictureStepKind::letterbox;
  if (is_resized) text += fmt::format(", filter: {}", name_of(step.filter));
  if (is_resized && step.antialias) text += ", antialias: true";
  if (step.only != ResizeOnly::any)
    text += fmt::format(", only: {}", step.only == ResizeOnly::enlarge ? "enlarge" : "shrink");
  if (step.multiple != 1) text += fmt::format(", multiple: {}", step.multiple);
  if (step.kind == PictureStepKind::letterbox || step.kind == PictureStepKind::pad) {
    text += fmt::format(", color: [{}, {}, {}]", step.color[0], step.color[1], step.color[2]);
    if (step.in_corner) text += ", place: corner";
  }
  return text + "}";
}

std::string_view key_of(PictureStepKind kind) {
  switch (kind) {
    case PictureStepKind::resize:
      return "resize";
    case PictureStepKind::crop:
      return "crop";
    case PictureStepKind::letterbox:
      return "letterbox";
    default:
      return "pad";
  }
}

/// In double quotes, as YAML has them; what a line of text may hold is printable already.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::string to_yaml(const Preprocessing& preprocessing) {
  std::string text;
  if (!preprocessing.about.empty()) text += "about: " + quoted(preprocessing.about) + "\n";
  text += fmt::format("backend: {}\n", name_of(preprocessing.backend));
  for (const PictureStep& step : preprocessing.steps)
    text += fmt::format("{}: {}\n", key_of(step.kind), step_text(step));
  if (preprocessing.color) text += fmt::format("color: {}\n", name_of(*preprocessing.color));
  text += fmt::format("scale: {}\n", number_text(preprocessing.scale));
  if (!preprocessing.mean.empty()) text += "mean: " + numbers_text(preprocessing.mean) + "\n";
  if (!preprocessing.std.empty()) text += "std: " + numbers_text(preprocessing.std) + "\n";
  if (preprocessing.layout) text += fmt::format("layout: {}\n", name_of(*preprocessing.layout));
  if (preprocessing.dtype) text += fmt::format("dtype: {}\n", name_of(*preprocessing.dtype));
  return text;
}

}  // namespace culprit
