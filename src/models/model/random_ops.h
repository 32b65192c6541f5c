#pragma once
// Operators that draw random numbers without a seed: a model that shows them gives other values each time it is loaded.

#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// All that may draw, those in graphs inside and in functions included: "RandomNormal 'noise'", "Dropout 'drop' in
/// training mode" (also where the mode or the ratio is known only when the model runs).
std::vector<std::string> unseeded_random_ops(const onnx::ModelProto& model);

/// The ones that surely draw, and whose numbers an output is made of. One does not count where only its shape is asked
/// for, in the branch of an If that a constant leaves out, or where all that it could draw is one number (a scale of 0,
/// a ratio of 0). Loop, Scan and the like count as a whole: what one of their outputs is made of, all are.
std::vector<std::string> random_ops_behind_outputs(const onnx::ModelProto& model);

}  // namespace culprit
