#pragma once
// How far rounding alone carries values of A, by the judge's formula (docs/judging.md): abs = 4 x deviation + 8 eps x
// RMS + step, the deviation over draws in which float inputs and weights of A move by one unit in the last place.
// Elements of exact types that flip in a draw are ties, and so are those of outputs off a jump (model/stepped.h).

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "compare/packs.h"
#include "executor/executor.h"
#include "judge/judge.h"
#include "model/model.h"

namespace culprit {

struct ValueNoise {
  NoiseFloor floor;                                  ///< completed
  std::vector<std::vector<std::uint8_t>> ties = {};  ///< by sample, a byte an element; may be empty

  [[nodiscard]] Rounding rounding(std::size_t sample) const {
    Rounding rounding{floor.abs, {}};
    if (sample < ties.size()) rounding.ties = ties[sample];
    return rounding;
  }
};
using Noise = std::map<std::string, ValueNoise>;  ///< by A's value

/// What the reference alone tells: 8 eps x RMS, a grid's own step, the steps of quantized values.
Noise noise_without_draws(const std::vector<std::string>& values, const Packs& found, const onnx::ModelProto& model);

class NoiseDraws {
 public:
  /// `draws` of them; none: floors are those without draws. `folder` must exist.
  NoiseDraws(Executor& executor, const Model& a, std::filesystem::path folder, int draws)
      : executor_(executor), a_(a), folder_(std::move(folder)), draws_(draws) {}

  /// Adds draws to `noise`: runs `job` (A with these values as outputs) with its inputs and weights moved. `found`:
  /// what it gave undisturbed. A draw that fails, or changes a shape or the pattern of NaN and infinities of a value,
  /// does not count for it.
  Result<void> add(const RunJob& job, const Packs& found, Noise& noise);
  [[nodiscard]] std::int64_t runs() const { return runs_; }

 private:
  Result<std::vector<std::filesystem::path>> moved_samples(const RunJob& job, int draw);
  Result<void> add_draw(const RunOutcome& outcome, const Packs& found, Noise& noise) const;

  Executor& executor_;
  const Model& a_;
  std::filesystem::path folder_;
  int draws_;
  std::int64_t runs_ = 0;
  std::map<std::pair<std::filesystem::path, int>, std::filesystem::path> moved_;  // by sample and draw
};

}  // namespace culprit
