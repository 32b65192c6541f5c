#pragma once
// Flags of data: what models are fed, and what is decided on it.

#include <cstdint>
#include <string>
#include <vector>

#include "app/requests.h"
#include "base/error.h"
#include "cli/flags.h"

namespace culprit {

/// --generate asks for no more tokens than these.
inline constexpr std::int64_t most_generated = 4'096;

/// As typed; "" where not given.
struct SampleFlags {
  std::vector<std::string> inputs, dims;
  std::string data, samples, seed, preprocess, generate, labels, task;
  bool undirected = false;
};

/// "auto|classification|..."
std::string task_choices();

void add_data_flags(const Flags& command, SampleFlags& flags);
/// What is decided on the data set: --labels, --task.
void add_decision_flags(const Flags& command, SampleFlags& flags);

/// Errors: usage, for nonsense.
Result<DataRequest> read_samples(const SampleFlags& flags);

}  // namespace culprit
