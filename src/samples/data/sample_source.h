#pragma once
// Samples that are made when they are asked for, so that a hundred thousand of them need no room. Who reads them ahead,
// in processes of their own: stream/chunk_reader.h.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "data/sample.h"
#include "record/data_facts.h"
#include "record/warning.h"
#include "task/task.h"

namespace culprit {

/// Samples by number, from 0. The same number gives the same bytes, in any process that was forked from this one.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  [[nodiscard]] virtual DataFacts facts() const = 0;
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// For people: "cats/0001.jpg", "samples.npz #17". No sample is read for it.
  [[nodiscard]] virtual std::string name(std::int64_t number) const = 0;
  /// ErrorKind::bad_input: this sample is of no use, and the message says why; the others are as good as before.
  /// ErrorKind::interrupted where it was stopped. Anything else ends the whole reading.
  [[nodiscard]] virtual Result<Sample> at(std::int64_t number, const Stop& stop) const = 0;
  /// Does the other give the same inputs, under the same names, for each number? False where that is not known.
  [[nodiscard]] virtual bool gives_the_same_as(const SampleSource& /*other*/) const { return false; }
  /// How its samples are prepared, told or guessed, as a file of --preprocess says it, so that another model can be fed
  /// alike: sizes that are this model's own are left to that one. Empty where files are taken as they are.
  [[nodiscard]] virtual std::string preparation() const { return {}; }
  /// What is known to be right of it; empty where nothing is.
  [[nodiscard]] virtual Truth truth(std::int64_t /*number*/) const { return {}; }
  /// The samples have a truth, or some of them.
  [[nodiscard]] virtual bool has_truth() const { return false; }
  /// The text that it was made of; nothing where that is no text, or is not known.
  [[nodiscard]] virtual std::optional<SampleText> text(std::int64_t /*number*/) const { return std::nullopt; }
  /// What in the truth of these samples contradicts them, or may be meant otherwise. Reads no more of files than their
  /// headers.
  [[nodiscard]] virtual std::vector<Warning> warnings(const std::vector<std::int64_t>& /*numbers*/) const { return {}; }
  /// What it is and how it is fed, a line each: "128 images", "labels from the names of folders: 10 classes".
  [[nodiscard]] virtual std::vector<std::string> description() const { return {}; }
};

/// So many samples of a data set a check judges by their numbers, where nobody says how many.
inline constexpr std::int64_t samples_of_a_check = 10;

/// At most `samples` of them (0: 10, and the warning `samples_left_out` if there are more) as samples of a check,
/// spread over all. `description`: the proposal's.
Proposal spread_over(std::shared_ptr<const SampleSource> source, std::int64_t samples, std::string description);

/// The samples of a proposal, given or drawn.
std::unique_ptr<SampleSource> source_of(Proposal proposal);

}  // namespace culprit
