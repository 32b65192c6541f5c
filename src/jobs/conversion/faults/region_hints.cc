#include "conversion/faults/region_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/as_index.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t most_hints = 3;

std::multiset<std::string> operators_of(const Ways& ways, const std::vector<int>& layers) {
  std::multiset<std::string> types;
  for (const int layer : layers)
    if (const NetworkLayer& one = ways.network().layers[as_index(layer)]; !is_mover(one)) types.insert(one.type);
  return types;
}

bool says_of_numbers(const EditProposal& proposal) { return proposal.strength == EditProposal::Strength::parameter; }

class RegionHints {
 public:
  RegionHints(const EvidenceTask& task, const std::vector<EditProposal>& proposals)
      : proposals_(proposals),
        source_(operators_of(task.source, task.region.source_layers)),
        target_(operators_of(task.target, task.region.target_layers)) {}

  std::vector<std::string> make() {
    std::vector<std::string> hints;
    std::set<std::string> told;
    for (const EditProposal& proposal : proposals_) {
      if (hints.size() == most_hints) break;
      std::string hint = says_of_numbers(proposal) ? of_numbers(proposal) : of_hyper(proposal);
      if (!hint.empty() && told.insert(hint).second) hints.push_back(std::move(hint));
    }
    return hints;
  }

 private:
  [[nodiscard]] std::string of_hyper(const EditProposal& proposal) const {
    const bool is_single_number = !proposal.tensor.empty();
    if (is_single_number && source_ != target_) return "";
    if (!is_single_number && source_.contains("SPACE_TO_BATCH_ND") != target_.contains("SPACE_TO_BATCH_ND")) return "";
    return proposal.hint;
  }

  [[nodiscard]] std::string of_numbers(const EditProposal& proposal) const {
    const std::string tensor = printable(proposal.tensor, 60);
    const auto of_it = [&](const EditProposal& other) {
      return says_of_numbers(other) && other.target_layer == proposal.target_layer && other.tensor == proposal.tensor;
    };
    if (std::ranges::count_if(proposals_, of_it) > 1)
      return fmt::format("'{}' has other numbers than the source", tensor);
    const FaultEvidence& evidence = proposal.evidence;
    if (evidence.elements.empty() || (evidence.kind != "elements" && evidence.kind != "factor"))
      return evidence.message;
    const auto number = [&](const char* name) { return std::llround(evidence.number(name).value_or(0)); };
    const WrongElement& first = evidence.elements.front();
    return fmt::format("{} of {} numbers of '{}' differ: {} is {:.6g} in the target, {:.6g} in the source",
                       number("wrong"), number("of"), tensor, to_string(first.target), first.wrong, first.right);
  }

  const std::vector<EditProposal>& proposals_;
  std::multiset<std::string> source_, target_;
};

}  // namespace

std::vector<std::string> region_hints(const EvidenceTask& task, const std::vector<EditProposal>& proposals) {
  return RegionHints(task, proposals).make();
}

}  // namespace culprit
