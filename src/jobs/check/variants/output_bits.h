#pragma once
// Which variants give bit by bit the same outputs, after the outputs themselves are gone.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace culprit {

/// A hash of types, shapes and elements in these packs, one for each sample: of the outputs at these places, all as
/// they stand where no place is named. "" where there is no pack, or one cannot be read.
std::string bits_of_outputs(std::span<const std::filesystem::path> packs, const std::vector<std::size_t>& places);

}  // namespace culprit
