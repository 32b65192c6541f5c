#include "task/decision_warnings.h"

#include <fmt/format.h>

namespace culprit {

namespace {

/// Vectors of zeros have no direction that could be another one.
std::vector<Warning> empty_warnings(const DecisionRecord& record, const std::string& models, const char* gives) {
  if (record.traits.empty != TaskTraits::Empty::zero_vectors || record.empty == 0) return {};
  return {
      {"zero_vectors", fmt::format("on {} of {} sample{} {} {} a vector of zeros, which points nowhere; these count "
                                   "as unchanged, and prove nothing",
                                   record.empty, record.samples, record.samples == 1 ? "" : "s", models, gives)}};
}

}  // namespace

std::vector<Warning> decision_warnings(const DecisionRecord& record, const std::string& reference,
                                       const std::string& variant) {
  std::vector<Warning> warnings = empty_warnings(record, reference + " and " + variant, "both give");
  if (record.undecided > 0)
    warnings.push_back({"undecided", fmt::format("on {} of {} samples {} and {} both give NaN, so that neither decides "
                                                 "anything there; these count as unchanged, and prove nothing",
                                                 record.undecided, record.samples, reference, variant)});
  if (record.traits.empty == TaskTraits::Empty::no_boxes && record.samples > 0 && record.empty == record.samples)
    warnings.push_back({"no_boxes", fmt::format("neither {} nor {} finds a box on any of {} sample{}, so how far they "
                                                "agree was not measured; is this the right detector (--detector), and "
                                                "are the images prepared as the models want them (--preprocess)?",
                                                reference, variant, record.samples, record.samples == 1 ? "" : "s")});
  return warnings;
}

std::vector<Warning> own_warnings(const DecisionRecord& record, const std::string& model) {
  std::vector<Warning> warnings = empty_warnings(record, model, "gives");
  if (record.undecided > 0)
    warnings.push_back({"undecided", fmt::format("on {} of {} samples {} gives NaN, so that it decides nothing there; "
                                                 "with labels these count as wrong",
                                                 record.undecided, record.samples, model)});
  return warnings;
}

std::vector<Warning> label_warnings(const DecisionRecord& record) {
  if (record.labels_outside == 0) return {};
  if (record.traits.labelled == TaskTraits::Labelled::boxes)
    return {
        {"labels_outside", fmt::format("{} box{} of the labels {} a class that is none (below 0, or {} and more), so "
                                       "no model can find {}; the detector's `numbering` says how the categories of "
                                       "labels are numbered",
                                       record.labels_outside, record.labels_outside == 1 ? "" : "es",
                                       record.labels_outside == 1 ? "has" : "have", record.classes,
                                       record.labels_outside == 1 ? "it" : "them")}};
  if (record.traits.labelled == TaskTraits::Labelled::pixels)
    return {{"labels_outside", fmt::format("what is right of {} of {} samples has pixels of class {} or more, and the "
                                           "outputs have {} classes; these pixels count as wrong",
                                           record.labels_outside, record.labelled, record.classes, record.classes)}};
  return {{"labels_outside",
           fmt::format("{} of {} labels are {} or more, and the outputs have {} classes; these count as wrong",
                       record.labels_outside, record.labelled, record.classes, record.classes)}};
}

}  // namespace culprit
