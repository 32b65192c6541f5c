// What stands around the graph: versions, opsets, texts, training.
#include "fuzz/mutation.h"

namespace culprit::fuzz {
namespace {

bool change_ir_version(const EditableModel& work) {
  constexpr int newest = 14;
  work.model.set_ir_version(work.chance(0.8) ? work.below(newest) : edge_number(work));
  return true;
}

bool change_opset(const EditableModel& work) {
  auto* opset = pick(work.model.mutable_opset_import(), work);
  if (opset == nullptr) return false;
  constexpr int newest = 26;
  opset->set_version(work.chance(0.8) ? work.below(newest) : edge_number(work));
  return true;
}

bool change_opset_domain(const EditableModel& work) {
  static const std::vector<std::string> domains{"", "ai.onnx", "ai.onnx.ml", "com.microsoft", "nowhere"};
  auto* opset = pick(work.model.mutable_opset_import(), work);
  if (opset == nullptr) return false;
  opset->set_domain(work.chance(0.8) ? one_of(domains, work) : edge_name(work));
  return true;
}

bool change_opsets(const EditableModel& work) {
  auto& opsets = *work.model.mutable_opset_import();
  switch (work.below(3)) {
    case 0:
      opsets.Clear();
      break;
    case 1:
      if (!opsets.empty()) *opsets.Add() = onnx::OperatorSetIdProto(opsets.Get(0));
      break;
    default:
      opsets.Add()->set_domain(work.chance(0.5) ? "" : edge_name(work));
      opsets.Mutable(opsets.size() - 1)->set_version(edge_number(work));
  }
  return true;
}

bool train(const EditableModel& work) {
  auto* training = work.model.add_training_info();
  *training->mutable_algorithm() = work.chance(0.5) ? work.model.graph() : work.borrowed();
  if (work.chance(0.5)) *training->mutable_initialization() = work.borrowed();
  auto* binding = training->add_update_binding();
  binding->set_key(work.name_in(work.model.graph()));
  binding->set_value(edge_name(work));
  return true;
}

bool add_metadata(const EditableModel& work) {
  for (int i = work.chance(0.1) ? 20'000 : 2; i > 0; --i) {
    auto* entry = work.chance(0.5) ? work.model.add_metadata_props() : work.graph().add_metadata_props();
    entry->set_key(edge_name(work).substr(0, 300));
    entry->set_value(edge_name(work).substr(0, 300));
  }
  return true;
}

bool change_texts(const EditableModel& work) {
  constexpr std::size_t huge = 2'000'000;
  auto& model = work.model;
  auto* text = one_of(
      std::vector<std::string*>{model.mutable_producer_name(), model.mutable_producer_version(), model.mutable_domain(),
                                model.mutable_doc_string(), model.mutable_graph()->mutable_doc_string()},
      work);
  *text = work.chance(0.2) ? std::string(huge, '\x80') : edge_name(work);
  return true;
}

bool rename_graph(const EditableModel& work) {
  work.graph().set_name(edge_name(work));
  return true;
}

bool change_model_version(const EditableModel& work) {
  work.model.set_model_version(edge_number(work));
  return true;
}

bool lose_graph(const EditableModel& work) {
  if (!work.chance(0.2)) return false;
  work.model.clear_graph();
  return true;
}

bool configure_devices(const EditableModel& work) {
  auto* device = work.model.add_configuration();
  device->set_name(edge_name(work));
  device->set_num_devices(static_cast<std::int32_t>(edge_number(work)));
  return true;
}

}  // namespace

std::vector<Mutation> header_mutations() {
  return {{"IR version", change_ir_version},
          {"opset version", change_opset},
          {"opset domain", change_opset_domain},
          {"opsets lost or twice", change_opsets},
          {"training info", train},
          {"metadata", add_metadata},
          {"texts", change_texts},
          {"name of a graph", rename_graph},
          {"model version", change_model_version},
          {"no graph", lose_graph},
          {"devices", configure_devices}};
}

}  // namespace culprit::fuzz
