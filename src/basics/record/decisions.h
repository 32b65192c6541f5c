#pragma once
// What models decide on samples, counted and measured: what a report says of the decisions of one variant.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/class_metrics.h"
#include "record/metric.h"
#include "record/score_record.h"

namespace culprit {

/// A sample on which the two differ most.
struct WorstDecision {
  std::int64_t sample = 0;         ///< its number
  std::string reference, variant;  ///< in words: "label 7", "3 boxes"
  double margin = 0;               ///< how sure the reference was of what is different; the task tells in what unit
  bool operator==(const WorstDecision&) const = default;
};

/// What decisions of a task are like, for whoever counts them and tells of them. A report does not hold it.
struct TaskTraits {
  bool counts_decisions = true;      ///< false: plain numbers are compared, of which none can change
  bool margins_are_sureness = true;  ///< false: a margin is how far two decisions are apart
  bool gives_one_label = false;      ///< one class for each sample
  bool finds_boxes = false;          ///< they can be drawn on a picture
  /// The kind of sample that DecisionRecord::empty counts, where such samples make a verdict worth little.
  enum class Empty { nothing, no_boxes, zero_vectors } empty = Empty::nothing;
  /// The thing that each label is given for.
  enum class Labelled { samples, boxes, pixels } labelled = Labelled::samples;
  bool operator==(const TaskTraits&) const = default;
};

/// Samples with one label on which the variant gives another one than the reference, by who is right.
struct LabelChanges {
  std::int64_t gained = 0;      ///< the variant is right
  std::int64_t lost = 0;        ///< the reference is right
  std::int64_t both_wrong = 0;  ///< neither is
  bool operator==(const LabelChanges&) const = default;
};

struct DecisionRecord {
  std::string task;
  TaskTraits traits = {};
  std::int64_t samples = 0;
  std::int64_t changed = 0;                     ///< samples on which the decision is another one
  std::int64_t ties = 0;                        ///< of those, the ones that rounding alone changes likewise
  std::map<std::string, MetricRecord> metrics;  ///< the variant against the reference
  std::int64_t labelled = 0;                    ///< samples whose truth is known
  std::int64_t labels_outside = 0;              ///< of those, labels that are no class of the outputs
  std::int64_t classes = 0;                     ///< of the outputs; counted where a label lies outside
  std::map<std::string, MetricRecord> reference_against_labels, variant_against_labels;
  LabelChanges label_changes = {};   ///< of classification, where samples have labels
  std::vector<WorstDecision> worst;  ///< at most ten, the largest margin first
  /// Samples on which both gave NaN where a decision should be, so that neither decides; they count as unchanged.
  std::int64_t undecided = 0;
  /// Samples on which neither found what the task looks for: no boxes, a vector of zeros.
  std::int64_t empty = 0;
  MetricsByClass by_class = {};                                   ///< the variant against the reference
  MetricsByClass reference_by_class = {}, variant_by_class = {};  ///< against the labels
  ScoreRecord scores = {};  ///< of the variant; where that was asked (ComparatorOptions)
  bool operator==(const DecisionRecord&) const = default;
};

struct WorstSample {
  WorstDecision decision;
  std::string name;  ///< of the sample
  bool operator==(const WorstSample&) const = default;
};

/// What one variant of a check decides on a whole data set, held against the original.
struct VariantDecisions {
  std::string level;         ///< of the runtime, at which both ran: "all"
  DecisionRecord decisions;  ///< `worst` stands in this one's
  std::vector<WorstSample> worst;
  std::int64_t failures = 0;     ///< samples on which it fails, or cannot be held against the original
  std::int64_t not_reached = 0;  ///< samples that nobody looked at, for the time was spent: nothing is known of them
  std::int64_t by_draw = 0;      ///< samples on which one draw of rounding decides otherwise; 0 where nobody asked
  bool is_more_than_rounding = false;  ///< it changes significantly more than that draw (McNemar, 1 %)
  std::string message;                 ///< one line for people
  bool operator==(const VariantDecisions&) const = default;
};

}  // namespace culprit
