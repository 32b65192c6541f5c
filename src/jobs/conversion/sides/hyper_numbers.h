#pragma once
// Hyper-parameters as numbers, whatever their type is. Private to this folder.

#include <cstdint>
#include <vector>

#include "network/network.h"

namespace culprit {

/// No numbers where it is a word.
inline std::vector<double> numbers_of(const Hyper& hyper) {
  if (const auto* whole = std::get_if<std::int64_t>(&hyper)) return {static_cast<double>(*whole)};
  if (const auto* real = std::get_if<double>(&hyper)) return {*real};
  if (const auto* reals = std::get_if<std::vector<double>>(&hyper)) return *reals;
  if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&hyper)) return {wholes->begin(), wholes->end()};
  return {};
}

inline std::vector<std::int64_t> wholes_of(const Hyper& hyper) {
  if (const auto* whole = std::get_if<std::int64_t>(&hyper)) return {*whole};
  if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&hyper)) return *wholes;
  std::vector<std::int64_t> rounded;
  for (const double number : numbers_of(hyper)) rounded.push_back(static_cast<std::int64_t>(number));
  return rounded;
}

inline bool is_list(const Hyper& hyper) {
  return std::holds_alternative<std::vector<std::int64_t>>(hyper) || std::holds_alternative<std::vector<double>>(hyper);
}

inline bool is_whole(const Hyper& hyper) {
  return std::holds_alternative<std::int64_t>(hyper) || std::holds_alternative<std::vector<std::int64_t>>(hyper);
}

}  // namespace culprit
