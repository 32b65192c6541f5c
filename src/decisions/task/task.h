#pragma once
// A task says what a user reads off the outputs of a model - a label, boxes, a picture -, whether two models decide
// alike on a sample, and how alike they are over all samples (docs/decisions.md). Two questions are kept apart: does
// the variant decide as the reference does, and how good is each against the truth?

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "record/decisions.h"
#include "record/told_decision.h"
#include "task/boxes.h"
#include "task/outputs.h"
#include "task/sample_text.h"
#include "task/spill.h"

namespace culprit {

/// What is known to be right of one sample.
struct Truth {
  std::string label;                           ///< a name of a class, or its number; "" where it is not known
  std::string name;                            ///< of a label that is a number: as the data spell it, "cat"; or ""
  std::vector<NamedTensor> values;             ///< outputs that would be right
  std::optional<std::vector<TruthBox>> boxes;  ///< in the frame of the found ones: pixels of the model's input
  /// The numbers of all classes that are right, ascending, where several may be so at once; empty: none is.
  std::optional<std::vector<std::int64_t>> classes;
  /// Texts of which any is right; none of them: it is right to say nothing. Absent: nobody knows.
  std::optional<std::vector<std::string>> texts;
};

struct SampleOutputs {
  std::int64_t number = 0;       ///< of the sample, never negative
  const Truth* truth = nullptr;  ///< may be
  std::span<const NamedTensor> reference, variant;
  std::string name = {};  ///< of the sample, for people
  /// A comparator that decides says here what the variant decided, where somebody wants to know.
  std::optional<ToldModel>* told = nullptr;
  const SampleText* text = nullptr;  ///< that the sample was made of; may be
};

/// What was decided on one sample. Only the task that made it knows what is inside.
class Decision {
 public:
  virtual ~Decision() = default;
};

/// How two decisions on one sample differ.
struct DecisionChange {
  bool changed = false;
  double margin = 0;  ///< how sure the reference was of what is different, in the task's unit; 0: nothing is different
  std::string reference, variant;  ///< in words: "label 7", "3 boxes"
  bool is_undecided = false;       ///< neither decides anything, for both gave NaN there
  bool is_empty = false;           ///< both looked for something, and neither found any: no boxes
};

struct ComparatorOptions {
  std::uint64_t seed = 1;  ///< of the intervals
  SpillMaker spill = {};   ///< for what does not fit 64 bytes a sample; empty: it stays in memory
  /// Curves of scores and calibration, too, against labels. All comparators that are merged are asked alike.
  bool with_scores = false;
};

/// Compares outputs sample by sample and forgets them; at most 64 bytes of a sample stay in memory, and beyond that a
/// fixed amount. Comparators of the same task whose samples follow each other can be merged, in order: the result is
/// that of one comparator which saw all, to the bit. What fails leaves it in no usable state, but for `unsupported`.
class Comparator {
 public:
  virtual ~Comparator() = default;
  /// ErrorKind::unsupported where the outputs do not fit the task, or reference and variant have other sizes: the
  /// sample is not counted, and the next one may come.
  virtual Result<void> add(const SampleOutputs& sample) = 0;
  [[nodiscard]] virtual Result<std::string> state() const = 0;
  /// ErrorKind::bad_input for bytes that are no state of such a comparator.
  virtual Result<void> merge(std::string_view later) = 0;
  [[nodiscard]] virtual Result<DecisionRecord> result() const = 0;
  /// Numbers of the samples whose decision is another one, in the order in which they came.
  [[nodiscard]] virtual std::vector<std::int64_t> changed() const = 0;
};

/// What of a picture file can be right of a sample (data/sets/truth_pictures.h).
enum class TruthPictures : std::uint8_t {
  none,     ///< the task reads no pictures
  classes,  ///< a class for each pixel
  colours,  ///< the picture that is right
};

/// How well a task fits a model's outputs.
struct TaskFit {
  double share = 0;    ///< 0: not at all, 1: certainly
  std::string reason;  ///< "the rows of 'prob' add up to 1"
};

class DecisionTask {
 public:
  virtual ~DecisionTask() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual TaskTraits traits() const { return {}; }
  /// Why outputs of this kind cannot be read: which output was wanted, and what is there. Nothing where they can.
  [[nodiscard]] virtual std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const = 0;
  /// `example`: outputs of a sample, where there are any.
  [[nodiscard]] virtual TaskFit fits(std::span<const OutputFacts> outputs,
                                     std::span<const NamedTensor> example) const = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const = 0;
  /// What `decide` gives, for a sample that was made of this text (nullptr: of none that is known).
  [[nodiscard]] virtual Result<std::unique_ptr<Decision>> decide_of(std::span<const NamedTensor> outputs,
                                                                    const SampleText* text) const;
  /// Both were made by this task, of outputs of the same sizes.
  [[nodiscard]] virtual Result<DecisionChange> change(const Decision& reference, const Decision& variant) const = 0;
  /// Does `draw`, which rounding alone made, change the reference's decision as the variant does? It decides as the
  /// variant does, or changes something of which the reference was as sure.
  [[nodiscard]] virtual Result<bool> changes_alike(const Decision& reference, const Decision& variant,
                                                   const Decision& draw) const;
  /// Is what a folder of samples says of the outputs (Truth::values) of use to it?
  [[nodiscard]] virtual bool reads_values() const { return false; }
  /// What picture files may say is right, as Truth::values.
  [[nodiscard]] virtual TruthPictures truth_pictures() const { return TruthPictures::none; }
  /// By which rules decisions are counted, for people, a line each: "boxes with a score above 0.5 count".
  [[nodiscard]] virtual std::vector<std::string> about() const { return {}; }
  /// For people and for files. `truth` may be nullptr.
  [[nodiscard]] virtual ToldDecision tell(const Decision& decision, const Truth* truth) const;
  /// What a decision found on a picture, to be drawn; nothing for tasks that find nothing.
  [[nodiscard]] virtual std::vector<Detection> found(const Decision& /*decision*/) const { return {}; }
  /// The task must outlive it.
  [[nodiscard]] virtual Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const = 0;
};

}  // namespace culprit
