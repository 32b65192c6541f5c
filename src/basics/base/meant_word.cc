#include "base/meant_word.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace culprit {
namespace {

/// "fuse", "bn", "conv" of "fuse_bn_conv".
std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const auto end = std::min(name.find_first_of("_-"), name.size());
    if (end > 0) parts.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return parts;
}

/// Does each part of the word begin a part of the candidate, in their order? So "fuse_bn_conv" stands for
/// "fuse_bn_into_conv", and "detect" for "detection".
bool is_short_for(std::string_view word, std::string_view candidate) {
  const auto wanted = parts_of(word);
  std::size_t met = 0;
  for (const std::string_view part : parts_of(candidate))
    if (met < wanted.size() && part.starts_with(wanted[met])) ++met;
  return met == wanted.size();
}

/// The shortest candidate that the word is short for; "" where there is none, or the word is too short to tell.
std::string shortest_meant(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t telling = 4, longest = 200;  // characters
  std::string best;
  if (word.size() < telling || word.size() > longest) return best;
  for (const std::string& candidate : candidates)
    if (is_short_for(word, candidate) && (best.empty() || candidate.size() < best.size())) best = candidate;
  return best;
}

}  // namespace

std::string meant_word(std::string_view word, std::span<const std::string> candidates) {
  std::string near = closest(word, candidates);
  return near.empty() ? shortest_meant(word, candidates) : near;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string meant = meant_word(word, candidates);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace culprit
