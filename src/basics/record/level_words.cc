#include "record/level_words.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr std::string_view unoptimized = "off";

}  // namespace

std::string words_of_level(std::string_view level) {
  return (level == unoptimized ? "without ONNX Runtime's optimizations (" : "with ONNX Runtime's optimizations (") +
         std::string(level) + ")";
}

std::string words_of_level(std::span<const std::string> levels) {
  if (levels.size() == 1) return words_of_level(levels.front());
  const bool is_with_off = std::ranges::find(levels, unoptimized) != levels.end();
  std::string named;
  for (const std::string& level : levels) named += (named.empty() ? "" : ", ") + level;
  return (is_with_off ? "without and with ONNX Runtime's optimizations (" : "with ONNX Runtime's optimizations (") +
         named + ")";
}

}  // namespace culprit
