#include "record/data_facts.h"

namespace culprit {

std::string text_of(const Direction& direction) {
  return "sample " + std::to_string(direction.sample) + ": " + direction.aim;
}

}  // namespace culprit
