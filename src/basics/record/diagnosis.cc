#include "record/diagnosis.h"

#include "base/word_names.h"

namespace culprit {
namespace {

constexpr WordNames<FaultClass, 7> fault_classes{{{FaultClass::parameter, "parameter"},
                                                  {FaultClass::layout, "layout"},
                                                  {FaultClass::precision, "precision"},
                                                  {FaultClass::hyperparameter, "hyperparameter"},
                                                  {FaultClass::graph, "graph"},
                                                  {FaultClass::quantization, "quantization"},
                                                  {FaultClass::preprocessing, "preprocessing"}}};
constexpr WordNames<DiagnosisStatus, 6> diagnosis_statuses{{{DiagnosisStatus::same, "same"},
                                                            {DiagnosisStatus::faulty, "faulty"},
                                                            {DiagnosisStatus::not_judged, "not_judged"},
                                                            {DiagnosisStatus::weak_data, "weak_data"},
                                                            {DiagnosisStatus::nothing_in_common, "nothing_in_common"},
                                                            {DiagnosisStatus::cannot_judge, "cannot_judge"}}};
constexpr WordNames<StageStep, 5> stage_steps{{{StageStep::right, "right"},
                                               {StageStep::inherited, "inherited"},
                                               {StageStep::added, "added"},
                                               {StageStep::mended, "mended"},
                                               {StageStep::unknown, "unknown"}}};
constexpr WordNames<LayerFound, 3> ways_to_find{
    {{LayerFound::itself, "itself"}, {LayerFound::by_consumer, "by_consumer"}, {LayerFound::no, "no"}}};

}  // namespace

std::string_view name_of(FaultClass kind) { return name_in(fault_classes, kind); }
std::string_view name_of(DiagnosisStatus status) { return name_in(diagnosis_statuses, status); }
std::string_view name_of(LayerFound found) { return name_in(ways_to_find, found); }
std::string_view name_of(StageStep step) { return name_in(stage_steps, step); }

int exit_code_of(DiagnosisStatus status) {
  if (status == DiagnosisStatus::same) return 0;
  return status == DiagnosisStatus::faulty ? 1 : 3;
}

double MapCounts::percent() const {
  if (with_parameters == 0) return 100;
  return 100.0 * static_cast<double>(found + by_consumer) / static_cast<double>(with_parameters);
}

}  // namespace culprit
