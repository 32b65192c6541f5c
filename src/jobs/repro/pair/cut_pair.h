#pragma once
// The region of a fault cut out of both files, run alone on the source's values.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "record/measurement.h"
#include "repro/pair/pair_repro.h"
#include "tensor/tensor.h"

namespace culprit {

/// What is left of one of the two files.
struct CutFile {
  std::filesystem::path model;  ///< in the folder where it was cut
  std::string format;           ///< Network::format
  std::vector<NamedTensor> inputs;
  std::string output;
  std::vector<std::string> layers;  ///< "Conv 'conv1'"
  std::int64_t nodes = 0;
};

/// A value at the border of the region, as the two files call it.
struct CutBorder {
  std::string source, target;
  std::string order;                       ///< how the target has the source's axes, in words; "" where nothing moves
  std::vector<int> axes;                   ///< the same as numbers, where these say it all
  std::string source_input, target_input;  ///< of the files that were cut; "" where these need it not
  Tensor in_source, in_target;             ///< what the source gives, in the layout of each
};

/// On the sample on which the two differ most.
struct CutPair {
  std::optional<CutFile> source, target;  ///< no target: none of its layers stands there, and it hands on what it gets
  std::string no_source;                  ///< why there is none; "" where there is
  std::vector<CutBorder> borders;
  CutBorder output;             ///< in_source, in_target: what is right
  std::size_t sample = 0;       ///< from 0
  std::optional<Tensor> found;  ///< what the target gives, in its own layout; nothing where it does not run
  std::string fails;            ///< then: why
  Measurement measurement;      ///< of what was found, against the source
};

/// `work` exists. Errors: unsupported, interrupted, io.
Result<CutPair> cut_pair(const FaultRegion& region, const PairSide& source, const PairSide& target,
                         const PairReproTools& tools);

}  // namespace culprit
