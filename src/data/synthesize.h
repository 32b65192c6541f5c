#pragma once
// Seeded input values from what the interface alone tells. Deliberately simple; the same on every machine.

#include <cstdint>
#include <map>
#include <string>

#include "base/error.h"
#include "data/sample.h"

namespace culprit {

/// How the synthesizer fills in what the interface leaves open.
struct SynthesisPlan {
  std::map<std::string, std::int64_t> dims;  ///< sizes of named dimensions; one name has one size
  std::int64_t unnamed_dim = 1;              ///< size of a dimension without value and name
  std::int64_t integer_low = 0;              ///< integers are drawn from here
  std::int64_t integer_high = 1;             ///< to here, both included
};

/// Floats: standard normal (Irwin-Hall). Integers: uniform in the plan's range. Bools: fair. Strings: short words.
/// Unknown rank, sequences, maps and optionals: ErrorKind::unsupported, naming the input and --input.
Result<Sample> synthesize(const Interface& interface, const SynthesisPlan& plan, std::uint64_t seed, std::int64_t index);

}  // namespace culprit
