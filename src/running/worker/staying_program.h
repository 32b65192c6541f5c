#pragma once
// A program that an optimize worker keeps from job to job, so that a search of eighty questions starts one Python.

#include <optional>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "process/line_program.h"

namespace culprit {

class StayingProgram {
 public:
  /// The one of this job, started where it is not there (any more). Null: the job names none, or it cannot be started;
  /// then each question starts a program of its own.
  LineProgram* of(const OptimizeJob& job, const std::filesystem::path& scratch);
  /// One that was asked did not say that it is done: what it says next may be of that question.
  void drop() {
    if (program_) program_->give_up();
    program_.reset();
  }

 private:
  std::optional<LineProgram> program_;
  std::vector<std::string> words_;
};

}  // namespace culprit
