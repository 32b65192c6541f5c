#include "worker/task.h"

namespace culprit {

Limits Task::within_grant(Limits limits) const {
  const bool is_less = granted_ > 0 && (limits.memory_bytes == 0 || granted_ < limits.memory_bytes);
  if (is_less) limits.memory_bytes = granted_;
  return limits;
}

bool Task::has_a_part() const { return granted_ > 0 && limits().memory_bytes == granted_; }

bool Task::in_doubt(const Failure& failure) const {
  if (alone_ || failure.machine || failure.skipped) return false;
  if (failure.ending == Ending::out_of_memory && has_a_part()) return true;  // else the limit was its own
  return failure.doubtful || (failure.ending == Ending::timed_out && pressed_);
}

void Task::do_again(std::unique_ptr<Task> alone, const Failure& failure) {
  alone->lacked_memory_ = failure.ending == Ending::out_of_memory && has_a_part();
  again_.push_back(std::move(alone));
}

}  // namespace culprit
