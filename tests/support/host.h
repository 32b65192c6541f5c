#pragma once
// A corpus case inside a larger graph, so that finding it means something: seeded nodes around it, values that flow
// into its inputs through nodes of the host, and out of it into others.

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>

#include "support/corpus_case.h"

namespace culprit::testing {

/// How the case and the host hang together. Some faults need the inputs or outputs of the model themselves.
struct Hosting {
  bool feeds = true;     ///< the case's inputs are made by nodes of the host
  bool consumes = true;  ///< the case's outputs go through nodes of the host, and are none of the model
};

/// The whole: 20 to 60 nodes more than the case has, by the seed. Values reach the case as they are (Neg twice, Not
/// twice); what comes out of it is cast to float, flattened and joined with what the host computes.
onnx::ModelProto hosted(const onnx::ModelProto& inner, const Hosting& hosting, std::uint64_t seed);

/// Writes the case in its host, less what its file says that a host must leave alone: `<folder>/model.onnx` and, for
/// stated inputs, `<folder>/data/test_data_set_N`. A case that no host may surround at all is written as it is.
Result<void> write_hosted(const CorpusCase& corpus_case, const std::filesystem::path& folder, std::uint64_t seed = 7);

/// Is there a host around it?
bool has_host(const CorpusCase& corpus_case);

}  // namespace culprit::testing
