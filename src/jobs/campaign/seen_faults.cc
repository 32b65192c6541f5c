#include "campaign/seen_faults.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "record/enum_names.h"

namespace culprit {
namespace {

using SeenJson = nlohmann::ordered_json;

std::vector<std::string> texts_in(const SeenJson& json, const char* key) {
  std::vector<std::string> texts;
  for (const SeenJson& entry : list_in(json, key))
    if (entry.is_string()) texts.push_back(entry.get<std::string>());
  return texts;
}

/// Where the first wrong value is made, or else where the rewrite was.
std::string place_in(const SeenJson& fault) {
  if (const SeenJson& first = object_in(fault, "first_divergence"); !first.empty()) return text_in(first, "original");
  for (const SeenJson& rewrite : list_in(fault, "rewrites"))
    if (std::string output = text_in(rewrite, "output"); !output.empty()) return output;
  return "";
}

SeenFault checked_fault(const SeenJson& json) {
  SeenFault fault;
  fault.id = text_in(json, "id");
  fault.key = {texts_in(json, "culprits"), verdict_named(text_in(json, "verdict")).value_or(Verdict::diverged),
               text_in(json, "signature"), text_in(json, "reduced_fingerprint")};
  fault.message = text_in(json, "message");
  fault.place = place_in(json);
  fault.repro = text_in(json, "repro");
  fault.known_id = text_in(object_in(json, "known"), "id");
  fault.note = text_in(object_in(json, "known"), "note");
  return fault;
}

/// Two models share the kind of the fault, the kind of the layer and its attribute; names and numbers they do not.
SeenFault diagnosed_fault(const SeenJson& json) {
  const SeenJson& target = object_in(json, "target");
  const SeenJson& node = object_in(target, "node");
  const std::string type = text_in(node, "type");
  SeenFault fault;
  fault.id = text_in(json, "id");
  fault.key.culprits = {text_in(json, "class") + (type.empty() ? "" : " of " + type)};
  fault.key.signature = text_in(target, "attribute");
  fault.message = text_in(object_in(json, "evidence"), "message");
  fault.place = text_in(node, "name");
  fault.repro = text_in(json, "repro");
  return fault;
}

}  // namespace

std::vector<SeenFault> faults_in(const CaseOrder& order, std::string_view report) {
  std::vector<SeenFault> faults;
  const SeenJson json = SeenJson::parse(report, nullptr, false);
  if (!json.is_object()) return faults;
  if (order.job == CampaignJob::diagnose)
    for (const SeenJson& fault : list_in(json, "faults")) faults.push_back(diagnosed_fault(fault));
  for (const SeenJson& model : list_in(json, "models"))
    for (const SeenJson& fault : list_in(model, "faults")) faults.push_back(checked_fault(fault));
  return faults;
}

void DistinctFaults::add(const CaseKey& key, const CaseOrder& order, const std::vector<SeenFault>& faults) {
  for (const SeenFault& seen : faults) {
    auto at = std::ranges::find_if(faults_, [&](const DistinctFault& one) { return is_same(one.first.key, seen.key); });
    if (at == faults_.end()) at = faults_.insert(faults_.end(), DistinctFault{seen, key, order, {}, {}, 0});
    at->models.insert(order.model);
    if (!order.optimizer.empty()) at->optimizers.insert(order.optimizer);
    ++at->cases;
  }
}

std::vector<DistinctFault> DistinctFaults::list() const {
  std::vector<DistinctFault> sorted = faults_;
  std::ranges::stable_sort(sorted, [](const DistinctFault& one, const DistinctFault& other) {
    return one.models.size() > other.models.size();
  });
  return sorted;
}

}  // namespace culprit
