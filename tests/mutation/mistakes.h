#pragma once
// Mistakes as an optimizer's authors make them, planted on purpose: one kind, one node. What finds such a mistake can
// be tested with faults that are known to be there (mutation testing; DeMillo, Lipton and Sayward, "Hints on Test Data
// Selection", IEEE Computer 11(4), 1978).

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace onnx {
class GraphProto;
class NodeProto;
}  // namespace onnx

namespace culprit::testing {

struct Mistake {
  std::string kind;  ///< "wrong_axis"
  /// Could it be made at this node, so that the mistake is in the arithmetic and not in the types?
  std::function<bool(const onnx::NodeProto&)> fits;
  /// Makes it. Nodes that it needs in front of this one go into `before`.
  std::function<void(onnx::NodeProto& node, std::vector<onnx::NodeProto>& before)> make;
};

/// wrong_axis, dropped_bias, swapped_inputs, off_by_one_pad, epsilon_lost, transposed_weight.
const std::vector<Mistake>& mistakes();
/// nullptr where there is none of that kind.
const Mistake* mistake_of(const std::string& kind);

/// Numbers of the nodes of the main graph where the mistake fits, in order; but where a bias is all zeros, dropping it
/// is none.
std::vector<int> places_of(const Mistake& mistake, const onnx::GraphProto& graph);
/// Which of so many places is the wrong one.
std::size_t chosen_place(const std::string& kind, std::uint64_t seed, std::size_t places);

/// Whether it is right or wrong, each place is rewritten: an Identity comes in front of its first input.
enum class Rewritten { rightly, wrongly };
/// The node, rewritten, and what comes in front of it.
std::vector<onnx::NodeProto> rewritten(const Mistake& mistake, onnx::NodeProto node, Rewritten how);

}  // namespace culprit::testing
