#pragma once
// Tasks by name, and the one that fits a model's outputs.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "task/task.h"
#include "task/task_settings.h"

namespace culprit {

/// "classification", "detection", ...
std::vector<std::string> task_names();

/// ErrorKind::usage for an unknown name, ErrorKind::unsupported where the task does not fit: which output it wanted and
/// what is there.
Result<std::unique_ptr<DecisionTask>> make_task(std::string_view name, std::span<const OutputFacts> outputs,
                                                const TaskSettings& settings = {});

struct TaskChoice {
  std::unique_ptr<DecisionTask> task;
  bool is_sure = false;  ///< false: no task stands out, and plain numbers are compared
  std::string reason;    ///< one sentence
};

/// `example`: outputs of a sample, where there are any.
TaskChoice choose_task(std::span<const OutputFacts> outputs, std::span<const NamedTensor> example = {},
                       const TaskSettings& settings = {});

/// The task of that name, as --task says; with "" or "auto" the one that fits. Errors: make_task's.
Result<TaskChoice> task_for(std::string_view name, std::span<const OutputFacts> outputs,
                            std::span<const NamedTensor> example, const TaskSettings& settings = {});

}  // namespace culprit
