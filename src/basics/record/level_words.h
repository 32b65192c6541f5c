#pragma once

#include <span>
#include <string>
#include <string_view>

namespace culprit {

/// A level of the runtime in words, for people: "without ONNX Runtime's optimizations (off)", "with ONNX Runtime's
/// optimizations (all)", "with ONNX Runtime's optimizations (extended)".
std::string words_of_level(std::string_view level);

/// Several levels in words: "without and with ONNX Runtime's optimizations (off, all)", or "with ONNX Runtime's
/// optimizations (basic, all)".
std::string words_of_level(std::span<const std::string> levels);

}  // namespace culprit
