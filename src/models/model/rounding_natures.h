#pragma once
// What rounding does to the elements of a value: move them a little, make them jump, or make them name another thing.

#include <map>
#include <string>

namespace onnx {
class ModelProto;
}

namespace culprit {

enum class Nature {
  smooth,   ///< rounding moves it a little: nothing on the way from the inputs jumps
  stepped,  ///< a number behind something that jumps (Round, QuantizeLinear, a comparison): it may move by a step
  named,    ///< it says which and not how much (a class, an index, a text): another one is no nearer than a third
};

/// The nature of every value that a node of the main graph makes. A value is as the last of its inputs, in the order
/// above, unless the operator says more: Round, Floor, Sign, QuantizeLinear and the like, trees of decisions, a Cast
/// from floats to whole numbers jump; ArgMax, TopK's indices, NonZero, comparisons, classifiers and what makes texts
/// name. What a subgraph or a function of the model holds counts for the node. Operators that are not known here pass
/// on what they get; what is made of weights alone stays where it is. Types are not looked at: `named` floats are
/// numbers that were picked (see `nature_for`).
std::map<std::string, Nature> natures_of(const onnx::ModelProto& model);

}  // namespace culprit
