#pragma once
// All that variants are judged by. It is made when the original has run on the final samples: before that, variants can
// be made, but none can be run or judged.

#include <utility>

#include "trial/deploy_level.h"
#include "trial/drawn_judge.h"
#include "trial/reference.h"

namespace culprit {

struct Judging {
  const Reference reference;
  DrawnJudge judge;          ///< at the reference's level
  DeployLevel deploy_level;  ///< the same variants as users run them

  Judging(Dispatcher& dispatcher, Reference made)
      : reference(std::move(made)), judge(dispatcher, reference), deploy_level(dispatcher, reference, judge) {}
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;
};

}  // namespace culprit
