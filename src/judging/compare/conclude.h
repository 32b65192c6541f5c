#pragma once
// What a comparison comes to, when outputs and inner values are known.

#include <string>
#include <vector>

#include "compare/compare_models.h"
#include "compare/rewritten_nodes.h"

namespace culprit {

struct ComparedFacts {
  bool are_onnx = true;                         ///< else nobody looks inside
  bool has_common = true;                       ///< the two share more than inputs and outputs
  bool has_lost_outputs = false;                ///< B lacks some of A's
  bool strict = false;                          ///< beyond the noise floor is a difference, also within the tolerance
  const std::string& weak;                      ///< why A's outputs say nothing; "": they do
  const std::vector<OtherNode>& beside_limits;  ///< nodes whose limits differ, on no sample
};

/// Sets the status and the message; of lost outputs the verdict, too.
void conclude(CompareReport& report, const ComparedFacts& facts);

}  // namespace culprit
