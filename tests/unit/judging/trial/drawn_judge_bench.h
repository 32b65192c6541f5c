#pragma once
// Variants that gave these outputs, judged by draws.

#include <memory>
#include <vector>

#include "computer.h"
#include "tensor/pack_file.h"
#include "trial/drawn_judge.h"
#include "trial/rounding_records.h"

namespace culprit {

/// Judges variants that gave these outputs in place of the first one.
class DrawnJudgeBench : public ComputerBench {
 protected:
  Judgement judged(const std::vector<Tensor>& outputs) {
    const RunOutcome outcome = variant(outputs);
    Judgement judgement;
    judge().judge(outcome, binding, Contract::equivalent, [&](Judgement made) { judgement = std::move(made); });
    EXPECT_TRUE(dispatcher.drain());
    return judgement;
  }

  RunOutcome variant(const std::vector<Tensor>& outputs) {
    RunOutcome outcome;
    const fs::path made = folder() / ("variant" + std::to_string(variants_++));
    fs::create_directories(made);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      auto pack = read_pack(reference.outputs[i]).value();
      pack[0].value = outputs[i];
      outcome.outputs.push_back(made / (std::to_string(i) + ".pack"));
      EXPECT_TRUE(write_pack(outcome.outputs.back(), pack));
    }
    return outcome;
  }

  NoiseFloor floor_of(const std::string& output) { return noise_floors(judge().known()).at(output); }

  Binding binding{{}, {0, 1}, true};
  /// Made when it is first asked for: by then the samples are the final ones.
  DrawnJudge& judge() {
    if (judge_ == nullptr) judge_ = std::make_unique<DrawnJudge>(dispatcher, reference);
    return *judge_;
  }

 private:
  std::unique_ptr<DrawnJudge> judge_;
  int variants_ = 0;
};

}  // namespace culprit
