#include "conversion/faults/unknown_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/as_index.h"

namespace culprit {
namespace {

/// One more operator, with a number as its second input where it takes one.
struct KnownStep {
  std::string_view type;
  std::optional<float> number = {};
};

struct UnknownWord {
  std::string_view type;
  std::optional<KnownStep> before;       ///< on the last input
  std::string_view known;                ///< in its place
  std::array<KnownStep, 2> behind = {};  ///< type "": none
};

constexpr std::array<UnknownWord, 7> unknown_words = {{{"Erfc", {}, "Erf", {{{"Neg"}, {"Add", 1.0F}}}},
                                                       {"Expm1", {}, "Exp", {{{"Sub", 1.0F}}}},
                                                       {"Log1p", KnownStep{"Add", 1.0F}, "Log"},
                                                       {"Rsqrt", {}, "Sqrt", {{{"Reciprocal"}}}},
                                                       {"Square", {}, "Identity", {{{"Pow", 2.0F}}}},
                                                       {"Xdivy", {}, "Div"},
                                                       {"Xlogy", KnownStep{"Log"}, "Mul"}}};

/// Without its domain.
std::string_view last_word(std::string_view type) {
  const auto dot = type.rfind('.');
  return dot == std::string_view::npos ? type : type.substr(dot + 1);
}

class KnownWords {
 public:
  explicit KnownWords(const EvidenceTask& task) : task_(task), target_(task.target.network()) {}

  std::vector<EditProposal> proposals() {
    std::vector<EditProposal> made;
    if (target_.format != "onnx") return made;
    for (const int layer : task_.region.target_layers) {
      const std::string_view type = last_word(target_.layers[as_index(layer)].type);
      const auto word = std::ranges::find(unknown_words, type, &UnknownWord::type);
      if (word != unknown_words.end()) made.push_back(proposal(layer, *word));
    }
    return made;
  }

 private:
  [[nodiscard]] EditProposal proposal(int layer, const UnknownWord& word) const {
    const NetworkLayer& unknown = target_.layers[as_index(layer)];
    EditProposal made;
    made.kind = FaultClass::graph;
    made.source_layer = task_.region.source_layers.empty() ? -1 : task_.region.source_layers.back();
    made.target_layer = layer;
    made.evidence.kind = "operator_exchanged";
    made.evidence.message = fmt::format("ONNX has no {}", word.type);
    made.repair.right = word.known;
    made.repair.wrong = unknown.type;
    if (word.before && !unknown.inputs.empty())
      made.edits.emplace_back(step(unknown.inputs.back(), *word.before, {layer}));
    made.edits.emplace_back(SetType{layer, std::string(word.known), {}});
    for (const KnownStep& one : word.behind)
      if (!one.type.empty() && !unknown.outputs.empty())
        made.edits.emplace_back(step(unknown.outputs.front(), one, {}));
    return made;
  }

  [[nodiscard]] InsertBehind step(int value, const KnownStep& known, std::vector<int> users) const {
    InsertBehind edit;
    edit.value = value;
    edit.users = std::move(users);
    edit.layer.type = known.type;
    if (!known.number) return edit;
    const DType type = target_.values[as_index(value)].dtype;
    const Tensor number = Tensor::of<float>({}, {*known.number});
    const auto typed = is_float(type) ? cast(number, type) : Result<Tensor>(number);
    edit.constants.push_back(typed ? *typed : number);
    return edit;
  }

  const EvidenceTask& task_;
  const Network& target_;
};

}  // namespace

std::vector<EditProposal> words_for_unknown(const EvidenceTask& task) { return KnownWords(task).proposals(); }

}  // namespace culprit
