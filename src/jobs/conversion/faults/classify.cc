#include "conversion/faults/classify.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "conversion/faults/graph_evidence.h"
#include "conversion/faults/region_hints.h"
#include "conversion/faults/unknown_words.h"
#include "conversion/walk/cut_orders.h"

namespace culprit {
namespace {

/// What is proposed for a region, and what confirming says of it.
struct Attempted {
  std::vector<EditProposal> proposals;
  Confirmation confirmation;
};

class Classifying {
 public:
  explicit Classifying(const ClassifyTask& task)
      : task_(task), source_(task.evidence.source.network()), target_(task.evidence.target.network()) {}

  Result<Classified> classify() {
    EvidenceTask evidence = task_.evidence;
    evidence.channel_orders.clear();
    auto plain = attempt(evidence);
    if (!plain) return tl::unexpected(plain.error());
    found_.tries = plain->confirmation.tries;
    found_.is_right_as_it_is = plain->confirmation.is_right_as_it_is;
    if (found_.is_right_as_it_is) return std::move(found_);
    if (plain->confirmation.proposals.empty()) {
      evidence.channel_orders = orders_by_kernels();
      if (!evidence.channel_orders.empty()) {
        auto turned = attempt(evidence);
        if (!turned) return tl::unexpected(turned.error());
        found_.tries += turned->confirmation.tries;
        if (!turned->confirmation.proposals.empty()) plain = std::move(turned);
      }
    }
    if (plain->confirmation.proposals.empty())
      tell_region(*plain);
    else
      tell(*plain);
    return std::move(found_);
  }

 private:
  Result<Attempted> attempt(const EvidenceTask& evidence) {
    Attempted made;
    made.proposals = parameter_evidence(evidence);
    const auto pairs = paired_layers(evidence);
    for (auto& list : {words_for_unknown(evidence), hyper_evidence(evidence, pairs), graph_evidence(evidence, pairs)})
      made.proposals.insert(made.proposals.end(), list.begin(), list.end());
    auto confirmation = confirm(made.proposals, task_.attempt);
    if (!confirmation) return tl::unexpected(confirmation.error());
    made.confirmation = std::move(*confirmation);
    return made;
  }

  [[nodiscard]] std::map<int, std::vector<std::int64_t>> orders_by_kernels() const {
    const auto& evidence = task_.evidence;
    const auto& layers = evidence.region.source_layers;
    return channel_orders_of(
        evidence.map, evidence.known, evidence.source,
        kernel_mates(evidence.map.derived, evidence.map.target_parameters, evidence.map.parameters),
        {layers.begin(), layers.end()});
  }

  [[nodiscard]] std::string words_of(const std::vector<Edit>& edits) const {
    std::vector<std::string> words;
    words.reserve(edits.size());
    for (const Edit& edit : edits) words.push_back(to_string(edit, target_));
    return join(words, "; ");
  }

  /// Edits of one class on one layer are one fault with several changes.
  void tell(const Attempted& attempted) {
    const Confirmation& confirmation = attempted.confirmation;
    std::vector<const EditProposal*> parts;
    for (const std::size_t one : confirmation.proposals) {
      const EditProposal& proposal = attempted.proposals[one];
      const auto same = std::ranges::find_if(parts, [&](const EditProposal* part) {
        return part->kind == proposal.kind && part->target_layer == proposal.target_layer &&
               part->source_layer == proposal.source_layer && proposal.target_layer >= 0;
      });
      if (same != parts.end()) {
        MendableFault& told = found_.faults[static_cast<std::size_t>(same - parts.begin())];
        add_change(told.fault, proposal);
        told.edits.insert(told.edits.end(), proposal.edits.begin(), proposal.edits.end());
        continue;
      }
      parts.push_back(&proposal);
      found_.faults.push_back({fault_of(proposal, confirmation), proposal.edits});
    }
    for (MendableFault& one : found_.faults) one.fault.repair.edit = words_of(one.edits);
  }

  static void add_change(ConversionFault& fault, const EditProposal& proposal) {
    const auto append = [](std::string& to, const std::string& more, std::string_view between) {
      if (!more.empty()) to += (to.empty() ? "" : std::string(between)) + more;
    };
    append(fault.evidence.message, proposal.evidence.message, "; ");
    append(fault.repair.right, proposal.repair.right, "; ");
    append(fault.repair.wrong, proposal.repair.wrong, "; ");
    append(fault.target.attribute, proposal.attribute, ", ");
    append(fault.target.tensor, proposal.tensor, ", ");
  }

  [[nodiscard]] ConversionFault fault_of(const EditProposal& proposal, const Confirmation& confirmation) const {
    ConversionFault fault;
    fault.kind = proposal.kind;
    fault.source = layer_ref(source_, proposal.source_layer);
    fault.group.reserve(proposal.group.size());
    for (const int layer : proposal.group) fault.group.push_back(layer_ref(source_, layer));
    fault.target = {layer_ref(target_, proposal.target_layer), proposal.tensor, proposal.attribute};
    if (proposal.target_layer < 0) fault.target.tensor = place_of(proposal);
    fault.evidence = proposal.evidence;
    fault.repair = proposal.repair;
    fault.repair.error_before = confirmation.before.max_abs;
    fault.repair.error_after = confirmation.after.max_abs;
    fault.confirmed = confirmation.on_all_samples;
    fault.not_confirmed_because = confirmation.why;
    return fault;
  }

  /// The value behind which a lost operator belongs.
  [[nodiscard]] std::string place_of(const EditProposal& proposal) const {
    for (const Edit& edit : proposal.edits)
      if (const auto* insert = std::get_if<InsertBehind>(&edit); insert != nullptr && insert->value >= 0)
        return target_.values[static_cast<std::size_t>(insert->value)].name;
    return "";
  }

  /// Nothing mends it: all that is known is where it is.
  void tell_region(const Attempted& attempted) {
    const FaultRegion& region = task_.evidence.region;
    const auto value = [](const Network& network, int number) {
      return number < 0 ? std::string("nothing")
                        : "'" + printable(network.values[static_cast<std::size_t>(number)].name) + "'";
    };
    ConversionFault fault;
    fault.kind = FaultClass::graph;
    if (!region.source_layers.empty()) fault.source = layer_ref(source_, region.source_layers.back());
    for (const int layer : task_.step.group) fault.group.push_back(layer_ref(source_, layer));
    if (!region.target_layers.empty()) fault.target.node = layer_ref(target_, region.target_layers.back());
    std::vector<std::string> borders;
    for (const ValueMatch& border : region.borders) borders.push_back(value(target_, border.target));
    const auto hints = region_hints(task_.evidence, attempted.proposals);
    fault.evidence.kind = "region";
    fault.evidence.message = fmt::format("what is wrong lies between {} and {} of the target", join(borders, ", "),
                                         value(target_, region.target));
    if (!hints.empty()) fault.evidence.message += "; there " + join(hints, "; ");
    fault.evidence.numbers["tries"] = attempted.confirmation.tries;
    fault.repair.error_before = fault.repair.error_after = attempted.confirmation.before.max_abs;
    fault.not_confirmed_because = "no change that was tried makes the region right";
    found_.faults.push_back({std::move(fault), {}});
  }

  const ClassifyTask& task_;
  const Network& source_;
  const Network& target_;
  Classified found_;
};

}  // namespace

Result<Classified> classify(const ClassifyTask& task) { return Classifying(task).classify(); }

LayerRef layer_ref(const Network& network, int layer) {
  if (layer < 0) return {};
  const NetworkLayer& found = network.layers[static_cast<std::size_t>(layer)];
  return {found.name, found.type, layer};
}

}  // namespace culprit
