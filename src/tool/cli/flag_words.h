#pragma once
// What each flag of the tool means: one wording for all commands that have it, with the default at its end.

#include <span>
#include <string_view>

namespace culprit {

struct FlagWords {
  std::string_view name;  ///< "--data"
  std::string_view help;
};

/// All flags of the tool with their words, sorted by name.
std::span<const FlagWords> flag_words();

/// What --help says of the flag of that name ("--data"). Throws std::logic_error for a flag without words.
std::string_view words_of_flag(std::string_view name);

}  // namespace culprit
