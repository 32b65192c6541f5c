// Boxes with a class and a score.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "task/average_precision.h"
#include "task/best_score.h"
#include "task/class_name.h"
#include "task/likely_detector.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

using Found = std::vector<Detection>;

constexpr std::size_t most_classes_told = 3;

struct BoxDecision : Decision {
  Found found;
  bool is_lost = false;  ///< there is none, and the outputs hold NaN
};

bool output_holds_nan(const NamedTensor& output) {
  if (!is_float(output.value.dtype())) return false;
  return std::ranges::any_of(numbers_of(output.value), [](double x) { return std::isnan(x); });
}

const Found& found_in(const Decision& decision) { return dynamic_cast<const BoxDecision&>(decision).found; }

/// The boxes above this score. What has no class is of no class of the model.
Result<Found> boxes_above(double least_score, DetectorSpec detector, const FrameSize& frame,
                          std::span<const NamedTensor> outputs) {
  detector.least_score = least_score;
  auto found = decode_detections(detector, outputs, frame);
  if (!found) return found;
  for (Detection& one : *found)
    if (!is_class(one.label)) one.label = no_class_of_model;
  return found;
}

/// Hits, found boxes and boxes that are there, of each sample: precision, recall and F1.
struct MatchCounts {
  SampleValues hits, found, there;
  void add(const SampleMatches& matches, std::size_t threshold) {
    hits.add(static_cast<double>(matches.hits(threshold)));
    found.add(static_cast<double>(matches.found(threshold)));
    there.add(static_cast<double>(matches.there()));
  }
};

/// 2 hits / (found + there) and so on (C. van Rijsbergen, "Information Retrieval", 1979, chapter 7); 1 where neither
/// has a box.
MetricRecord f1_of(const SampleValues& hits, const SampleValues& found, const SampleValues& there, std::uint64_t seed) {
  return record_of(hits.ratio(found.plus(there), 2, 1, seed));
}
MetricRecord share_of(const SampleValues& hits, const SampleValues& of, const SampleValues& others,
                      std::uint64_t seed) {
  return record_of(hits.ratio(of, 1, others.sum() == 0 ? 1 : 0, seed));
}

/// Fills in the precision; where no box is there, all is right if none was found.
void fill_precision(const PrecisionResult& result, const SampleValues& found,
                    std::map<std::string, MetricRecord>& into) {
  const double without = found.sum() == 0 ? 1 : 0;
  const auto put = [&](const char* name, const std::optional<Estimate>& estimate) {
    into[name] = record_of(estimate.value_or(Estimate{without, 0, 1}));
  };
  put("map_50", result.ap_50);
  put("map_75", result.ap_75);
  put("map_90", result.ap_90);
  put("map_50_95", result.ap_50_95);
  put("ar", result.recall);
}

/// Average precision of each class.
MetricsByClass precision_by_class(const PrecisionResult& result, const std::vector<std::string>& names) {
  MetricsByClass by_class{"ap_50_95", {}};
  by_class.classes.reserve(result.classes.size());
  for (const ClassPrecision& one : result.classes)
    by_class.classes.push_back(
        {is_class(one.label) ? class_name(one.label, names) : "no class",
         one.there,
         {{"ap_50", one.ap_50}, {"ap_75", one.ap_75}, {"ap_50_95", one.ap_50_95}, {"ar", one.recall}}});
  return by_class;
}

/// Labels as the detector numbers its classes.
std::vector<TruthBox> numbered(std::vector<TruthBox> there, ClassNumbering numbering) {
  for (TruthBox& box : there) {
    if (box.category_id >= 0 && numbering == ClassNumbering::from_1) ++box.label;
    if (box.category_id >= 0 && numbering == ClassNumbering::ids) box.label = box.category_id;
    if (!is_class(box.label)) box.label = no_class_of_label;
  }
  return there;
}

class BoxComparator : public TaskComparator {
 public:
  /// Precision of the variant against the reference, and of both against labels.
  using Precisions = std::array<AveragePrecision, 3>;

  BoxComparator(const DecisionTask& task, const TaskSettings& settings, std::uint64_t seed, Precisions precisions)
      : TaskComparator(task, seed), settings_(settings), precisions_(std::move(precisions)) {}

 private:
  struct Right {
    SampleValues hits, found;
  };

  /// 48 bytes a sample, of which 20 are for labels.
  template <class Self>
  static auto all_values(Self& self) {
    return std::array{&self.agreement_.hits, &self.agreement_.found, &self.agreement_.there, &self.hits_75_,
                      &self.hits_90_,        &self.best_iou_,        &self.ranks_,           &self.there_,
                      &self.right_[0].hits,  &self.right_[0].found,  &self.right_[1].hits,   &self.right_[1].found};
  }

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const Found &a = found_in(reference), &b = found_in(variant);
    const auto truth = as_truth(a);
    const SampleMatches matches = match_boxes(b, truth);
    if (auto added = precisions_[0].add(sample.number, matches); !added) return added;
    agreement_.add(matches, at_50);
    hits_75_.add(static_cast<double>(matches.hits(at_75)));
    hits_90_.add(static_cast<double>(matches.hits(at_90)));
    best_iou_.add(mean_best_iou(b, truth));
    ranks_.add(score_rank_agreement(a, b));
    if (!sample.truth || !sample.truth->boxes) return {};
    ++labelled_;
    const std::array<const Found*, 2> models{&a, &b};
    const std::array outputs{sample.reference, sample.variant};
    const auto there = numbered(*sample.truth->boxes, settings_.detector->numbering);
    outside_ += std::ranges::count(there, no_class_of_label, &TruthBox::label);
    for (std::size_t model = 0; model < models.size(); ++model) {
      const auto all = boxes_above(least_score_of_precision(*settings_.detector), *settings_.detector, settings_.frame,
                                   outputs[model]);
      if (!all) return tl::unexpected(all.error());
      const SampleMatches of_all = match_boxes(*all, there, settings_.match);
      if (auto added = precisions_[1 + model].add(sample.number, of_all); !added) return added;
      const SampleMatches right = match_boxes(*models[model], there, settings_.match);
      right_[model].hits.add(static_cast<double>(right.hits(at_50)));
      right_[model].found.add(static_cast<double>(right.found(at_50)));
      if (model == 0) there_.add(static_cast<double>(right.there()));
    }
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    for (const SampleValues* values : all_values(*this)) values->write(state);
    state.add(labelled_);
    state.add(outside_);
    for (const AveragePrecision& precision : precisions_)
      if (auto written = precision.write(state); !written) return written;
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    for (SampleValues* values : all_values(*this)) values->merge(SampleValues::read(state));
    labelled_ += state.count();
    outside_ += state.count();
    for (AveragePrecision& precision : precisions_)
      if (auto merged = precision.merge(state); !merged) return merged;
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    const SampleValues &found = agreement_.found, &there = agreement_.there;
    record.labelled = labelled_;
    record.labels_outside = outside_;
    record.classes = outside_ > 0 ? end_of_classes : 0;
    if (labelled_ > 0) {
      if (auto done = fill_labels(0, record.reference_against_labels, record.reference_by_class); !done) return done;
      if (auto done = fill_labels(1, record.variant_against_labels, record.variant_by_class); !done) return done;
    }
    // That neither finds a box anywhere is no perfect agreement: most likely the outputs are read by the wrong
    // detector.
    if (record.samples > 0 && record.empty == record.samples) return {};
    auto& metrics = record.metrics;
    metrics["precision_iou50"] = share_of(agreement_.hits, found, there, seed());
    metrics["recall_iou50"] = share_of(agreement_.hits, there, found, seed());
    metrics["f1_iou50"] = f1_of(agreement_.hits, found, there, seed());
    metrics["f1_iou75"] = f1_of(hits_75_, found, there, seed());
    metrics["f1_iou90"] = f1_of(hits_90_, found, there, seed());
    metrics["mean_best_iou"] = record_of(best_iou_.share(seed()));
    metrics["score_rank_tau"] = record_of(ranks_.mean_within(-1, 1, seed()));
    const auto precision = precisions_[0].result(seed());
    if (!precision) return tl::unexpected(precision.error());
    fill_precision(*precision, found, metrics);
    record.by_class = precision_by_class(*precision, settings_.class_names);
    return {};
  }

 private:
  Result<void> fill_labels(std::size_t model, std::map<std::string, MetricRecord>& into,
                           MetricsByClass& by_class) const {
    const Right& right = right_[model];
    into["precision_iou50"] = share_of(right.hits, right.found, there_, seed());
    into["recall_iou50"] = share_of(right.hits, there_, right.found, seed());
    into["f1_iou50"] = f1_of(right.hits, right.found, there_, seed());
    const auto precision = precisions_[1 + model].result(seed());
    if (!precision) return tl::unexpected(precision.error());
    fill_precision(*precision, right.found, into);
    by_class = precision_by_class(*precision, settings_.class_names);
    return {};
  }

  const TaskSettings& settings_;
  Precisions precisions_;
  MatchCounts agreement_;
  SampleValues hits_75_, hits_90_, best_iou_, ranks_, there_;
  std::array<Right, 2> right_;
  std::int64_t labelled_ = 0;
  std::int64_t outside_ = 0;  ///< boxes of labels whose class is none
};

/// "no boxes", "3 boxes: 2 of class 1 (cat), 1 of class 7".
std::string words_of(const Found& found, const std::vector<std::string>& class_names) {
  if (found.empty()) return "no boxes";
  std::map<std::int64_t, std::int64_t> classes;
  for (const Detection& one : found) ++classes[one.label];
  std::string text = fmt::format("{} box{}:", found.size(), found.size() == 1 ? "" : "es");
  std::size_t told = 0;
  for (const auto& [label, count] : classes) {
    if (told++ == most_classes_told) return text + " ...";
    text += fmt::format("{} {} of {}", told == 1 ? "" : ",", count,
                        is_class(label) ? fmt::format("class {}", label) : "no class");
    if (label >= 0 && label < std::ssize(class_names))
      text += fmt::format(" ({})", class_names[static_cast<std::size_t>(label)]);
  }
  return text;
}

class DetectionTask : public DecisionTask {
 public:
  explicit DetectionTask(TaskSettings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string name() const override { return "detection"; }
  [[nodiscard]] TaskTraits traits() const override {
    return {.finds_boxes = true, .empty = TaskTraits::Empty::no_boxes, .labelled = TaskTraits::Labelled::boxes};
  }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (settings_.detector) {
      const auto readable = can_read(*settings_.detector, outputs);
      return readable ? std::nullopt : std::optional(readable.error().message);
    }
    return fmt::format(
        "detection wants boxes [N,4] with scores [N] and classes [N], or with scores [N,C], or the cells, rows "
        "[1,N,5+C] "
        "or columns [1,4+C,N] of YOLO, or rows [1,N,6], of one image; there are: {}",
        text_of(outputs));
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs,
                             std::span<const NamedTensor> example) const override {
    if (!settings_.detector) return {};
    TaskFit fit = fit_of(*settings_.detector, outputs, settings_.frame);
    return example.empty() ? fit : fit_of_example(*settings_.detector, std::move(fit), example, settings_.frame);
  }

  [[nodiscard]] std::vector<Detection> found(const Decision& decision) const override { return found_in(decision); }

  [[nodiscard]] std::vector<std::string> about() const override {
    if (!settings_.detector) return {};
    const double least = least_score_of_precision(*settings_.detector);
    const std::string whose = settings_.score ? "--score" : fmt::format("the detector '{}'", settings_.detector->name);
    return {fmt::format(
        "boxes with a score above {:g} count ({}); average precision and recall against labels look at "
        "all{}",
        settings_.detector->least_score, whose, std::isfinite(least) ? fmt::format(" above {:g}", least) : "")};
  }

  [[nodiscard]] ToldDecision tell(const Decision& decision, const Truth* truth) const override {
    const auto& boxes = dynamic_cast<const BoxDecision&>(decision);
    ToldDecision told{boxes.is_lost ? "no boxes (NaN)" : words_of(boxes.found, settings_.class_names)};
    for (const Detection& one : boxes.found)
      told.boxes.push_back({one.box.x0, one.box.y0, one.box.x1, one.box.y1,
                            is_class(one.label) ? class_name(one.label, settings_.class_names) : "", one.score});
    std::ranges::stable_sort(told.boxes, std::greater(), &ToldBox::score);
    if (truth != nullptr && truth->boxes) told.truth = fmt::format("{} boxes", truth->boxes->size());
    return told;
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    if (!settings_.detector) return fail(ErrorKind::unsupported, *refuses(facts_of(outputs)));
    auto found = boxes_above(settings_.detector->least_score, *settings_.detector, settings_.frame, outputs);
    if (!found) return tl::unexpected(found.error());
    auto decision = std::make_unique<BoxDecision>();
    decision->found = std::move(*found);
    decision->is_lost = decision->found.empty() && std::ranges::any_of(outputs, output_holds_nan);
    return decision;
  }

  /// Changed where a box has no partner at 0.5. The margin is how far the surest of those is above the least score.
  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const Found &a = found_in(reference), &b = found_in(variant);
    const Found sorted = by_ascending_score(a);
    std::vector<bool> has_partner(a.size());
    const bool is_lost = dynamic_cast<const BoxDecision&>(variant).is_lost;
    DecisionChange change{false, 0, words_of(a, settings_.class_names),
                          is_lost ? "no boxes (NaN)" : words_of(b, settings_.class_names)};
    change.is_empty = a.empty() && b.empty();
    change.is_undecided = is_lost && dynamic_cast<const BoxDecision&>(reference).is_lost;
    const double least = settings_.detector ? settings_.detector->least_score : 0;
    const auto note = [&](double score) {
      change.changed = true;
      change.margin = std::max(change.margin, score - least);
    };
    for (const BoxMatch& box : match_boxes(b, as_truth(a)).boxes) {
      if (box.truth[at_50] >= 0)
        has_partner[static_cast<std::size_t>(box.truth[at_50])] = true;
      else
        note(box.score);
    }
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (!has_partner[i]) note(sorted[i].score);
    if (is_lost && change.changed) change.margin = lost_decision;
    return change;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    auto spills = three_spills(options);
    if (!spills) return tl::unexpected(spills.error());
    auto& [first, second, third] = *spills;
    BoxComparator::Precisions precisions{AveragePrecision(std::move(first)), AveragePrecision(std::move(second)),
                                         AveragePrecision(std::move(third))};
    return std::make_unique<BoxComparator>(*this, settings_, options.seed, std::move(precisions));
  }

 private:
  TaskSettings settings_;
};

}  // namespace

std::unique_ptr<DecisionTask> make_detection_task(const TaskSettings& settings, std::span<const OutputFacts> outputs) {
  TaskSettings settled = settings;
  if (auto likely = settled.detector ? std::nullopt : likely_detector(outputs, settings.frame))
    settled.detector = std::move(likely->spec);
  if (settled.detector && settled.score) settled.detector->least_score = *settled.score;
  return std::make_unique<DetectionTask>(std::move(settled));
}

}  // namespace culprit
