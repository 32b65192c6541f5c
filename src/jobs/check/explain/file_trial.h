#pragma once
// What a file shows, run in fresh processes as it lies on the disk.

#include <filesystem>

#include "check/explain/explain_recipe.h"

namespace culprit {

/// Runs it on all samples, at both levels, as this variant would be. Clean, or a failure as answer_of tells
/// it; unclear, with the reason, where it could not be told. What the round trip does is a failure here as well.
Result<RecipeAnswer> show_file(ConfirmedVariants& variants, const Reference& reference, std::size_t variant,
                               const std::filesystem::path& file);

/// The file of its model; "" where none was made.
std::filesystem::path file_of(const JudgedVariants& variants, const Reference& reference, const Variant& variant);

}  // namespace culprit
