#pragma once
// A model's graph in numbers (cost/graph_record.h), worked out in a process of its own: shape inference was not written
// for hostile models.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/error.h"
#include "cost/node_costs.h"
#include "process/failure.h"
#include "record/profile.h"

namespace culprit {

struct GraphNumbers {
  GraphRecord graph;
  std::vector<NodeCost> nodes;           ///< what each takes by itself (own_costs); `name` is left out
  std::optional<std::uint64_t> planned;  ///< bytes of values and of what is fed, where most is alive at once
};

/// `data_folder`: of the model's external data; "": beside it. `sample` is a pack of inputs, whose shapes count.
/// `scratch`: for the log of the process; exists. Errors: bad_input (the file cannot be read, or the process ended over
/// it), interrupted.
Result<GraphNumbers> graph_numbers(const std::filesystem::path& model, const std::filesystem::path& data_folder,
                                   const std::filesystem::path& sample, const std::filesystem::path& scratch,
                                   const Limits& limits);

}  // namespace culprit
