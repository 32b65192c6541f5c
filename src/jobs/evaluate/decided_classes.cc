#include "evaluate/decided_classes.h"

#include <utility>

namespace culprit {

void DecidedClasses::add(const ToldSample& sample) {
  const auto& first = sample.models.front().decision;
  for (std::size_t row = 0; row < sample.models.size(); ++row) {
    const auto& decision = sample.models[row].decision;
    if (!decision) continue;
    classes_[row].add(decision->truth, decision->label);
    if (row > 0 && first) became_[row].add(first->label, decision->label);
  }
}

void DecidedClasses::move_to(EvaluatedModel& evaluated, std::size_t row) {
  evaluated.classes = std::move(classes_[row]);
  evaluated.became = std::move(became_[row]);
}

}  // namespace culprit
