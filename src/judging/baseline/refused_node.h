#pragma once
// The node with which a model stops loading.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "executor/dispatcher.h"
#include "model/model.h"
#include "record/witnesses.h"

namespace culprit {

struct RefusedNode {
  NodeRef node;
  std::vector<DType> types;  ///< of its inputs, as a run of what is before it tells; those that are known
};

/// The nodes before it load as a model of their own, and with it they do not. Searched by halves, so the runtime's
/// words are not read. `as`: the session, limits and the samples, of which one is run for the types. Nothing where the
/// model has more than 4096 nodes, holds more than 256 MiB, or where it is not a node that is refused.
/// ErrorKind::interrupted.
Result<std::optional<RefusedNode>> find_refused_node(Dispatcher& dispatcher, const Model& model, const RunJob& as,
                                                     const std::filesystem::path& folder);

/// "node Add 'b' (bfloat16)"
std::string text_of(const RefusedNode& refused);

}  // namespace culprit
