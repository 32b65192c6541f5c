#pragma once
// Model number I of a run with seed S. Nothing else decides what it is, so that one can be made again alone.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "fuzz/editable_model.h"

namespace culprit::fuzz {

struct Mutant {
  std::string bytes;               ///< the file
  std::string seed;                ///< name of the model that it was
  std::string original;            ///< that model's file
  std::vector<std::string> kinds;  ///< what was done to it, in order
};

/// The models of the corpus, in the order of their names, and the small ones (at most 300 kB) in `folder`, if it is
/// not "".
Result<std::vector<Seed>> read_seeds(const std::filesystem::path& folder);

/// One to four mutations of fields, of bytes, or both.
Mutant make_mutant(const std::vector<Seed>& seeds, std::uint64_t seed, std::size_t index);

}  // namespace culprit::fuzz
