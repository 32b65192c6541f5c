#include "worker/filled_memory.h"

#include <malloc.h>

namespace culprit {
namespace {

constexpr int pattern = 0x3f;
constexpr int inverted = pattern ^ 0xff;  // mallopt(3): "initialized to the complement of the value"

}  // namespace

FilledMemory::FilledMemory(bool fills) : fills_(fills) {
  if (fills_) mallopt(M_PERTURB, inverted);
}

FilledMemory::~FilledMemory() {
  if (fills_) mallopt(M_PERTURB, 0);
}

}  // namespace culprit
