#pragma once
// What a file shows, run in fresh processes as it lies on the disk.

#include <filesystem>

#include "check/recipe_search.h"

namespace culprit {

/// Runs it on all samples, at both levels, as this attempt's variant would be. Clean, or a failure as showing_of tells
/// it; unclear, with the reason, where it could not be told. What the round trip does is a failure here as well.
Result<Showing> show_file(Study& study, Desk& desk, const Basis& basis, std::size_t attempt,
                          const std::filesystem::path& file);

/// The model that an attempt stands for; "" where none was made.
std::filesystem::path file_of(const Study& study, const Basis& basis, const Attempt& attempt);

}  // namespace culprit
