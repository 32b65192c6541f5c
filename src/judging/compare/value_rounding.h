#pragma once
// What rounding alone does to values of A, by the judge's rule (docs/judging.md): draws of A, in which float inputs and
// weights move by units in the last place, and each element is held against what they gave it.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "compare/labelled_tensors.h"
#include "executor/executor.h"
#include "judge/judge.h"
#include "model/model.h"

namespace culprit {

struct ValueNoise {
  std::vector<Explained> by_sample;

  [[nodiscard]] Rounding rounding(std::size_t sample) const {
    return {.explained = sample < by_sample.size() ? &by_sample[sample] : nullptr, .forgives = true};
  }
};
using Noise = std::map<std::string, ValueNoise>;  ///< by A's value

/// What the reference alone tells: a few units in the last place of elements of one scale.
Result<Noise> noise_without_draws(const std::vector<std::string>& values, const PackSequence& found,
                                  const onnx::ModelProto& model);
/// noise_without_draws for a model that may be no ONNX: then nothing is known of how its values come about.
Result<Noise> noise_without_draws(const std::vector<std::string>& values, const PackSequence& found,
                                  const Model& model);

class NoiseDraws {
 public:
  /// `draws` of them; none: floors are those without draws. `folder` must exist.
  NoiseDraws(Executor& executor, std::filesystem::path folder, int draws)
      : executor_(executor), folder_(std::move(folder)), draws_(draws) {}

  /// Adds draws to `noise`: runs `job` (A with these values as outputs) with rounding imitated. `found`:
  /// what it gave undisturbed. A draw that fails, or changes a shape, does not count for a value.
  Result<void> add(const RunJob& job, const PackSequence& found, Noise& noise) {
    return add(job, found, noise, 0, draws_);
  }
  /// The draws from number `from` to before `to`, added to those that are in `noise`; none where there are to be none.
  Result<void> add(const RunJob& job, const PackSequence& found, Noise& noise, int from, int to);
  [[nodiscard]] std::int64_t runs() const { return runs_; }

 private:
  Executor& executor_;
  std::filesystem::path folder_;
  int draws_;
  std::int64_t runs_ = 0;
};

}  // namespace culprit
