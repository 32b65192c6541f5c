#pragma once
// `reduce` as a library: a model that shows a fault is made as small as it can be, and still shows it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/caller.h"
#include "app/requests.h"
#include "reduce/reduce.h"

namespace culprit {

struct ReduceAnswer {
  /// Why there is nothing to reduce: the fault does not show. Then what is below `warnings` is empty.
  std::string why_not;
  std::size_t samples = 0;            ///< that were looked at
  std::string data;                   ///< where they are from, in words
  std::vector<std::string> warnings;  ///< about them
  bool is_weak = false;               ///< the outputs say nothing on them
  std::string sought;                 ///< the fault's signature, or the command
  std::int64_t bytes_before = 0;      ///< of the model as it was given
  Reduction reduction;
  std::uint64_t bytes = 0;  ///< of the model at `out`
  std::filesystem::path data_folder;
  bool has_data = false;     ///< test_data_set_0 is beside the model
  bool has_outputs = false;  ///< with the reference's outputs
};

/// The best so far is always at `out`. Errors: usage, bad_input (the model cannot be read or does not run),
/// interrupted, io; the message says where the best so far is, if there is one.
Result<ReduceAnswer> reduce_fault(const ReduceRequest& request, const Caller& caller);

}  // namespace culprit
