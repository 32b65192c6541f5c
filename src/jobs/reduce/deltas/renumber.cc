#include "reduce/renumber.h"

#include <utility>

#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

/// So few nodes are easily read, whatever their names: nothing more is tried.
constexpr int few = 3;

bool is_worth_it(const onnx::ModelProto& model) { return model.graph().node_size() > few && has_numbers(model); }

}  // namespace

Delta and_renumber(const Delta& delta, Renumbering way) {
  Delta both = delta;
  both.name += way == Renumbering::together ? "+renumber" : "+number_anew";
  both.to_the_letter = true;  // a fingerprint does not see names
  both.count = [delta](const View& view) { return is_worth_it(view.model) ? delta.count(view) : 0; };
  both.apply = [delta, way](const View& view, std::size_t first, std::size_t last) -> std::optional<Case> {
    const auto made = delta.apply(view, first, last);
    return made ? renumbered(*made, values_in(view.model), way) : std::nullopt;
  };
  both.wants = [delta](const onnx::ModelProto& model) {
    return delta.wants && is_worth_it(model) ? delta.wants(model) : std::vector<std::string>();
  };
  return both;
}

}  // namespace culprit
