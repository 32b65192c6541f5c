#pragma once
// What culprit.yaml beside a model says of its task (docs/decisions.md). Other keys are left to other parts.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "task/detector_form.h"

namespace culprit {

struct TaskDescription {
  std::string task;                        ///< its name; "" where nothing is said
  std::vector<std::string> classes;        ///< names of class 0, 1, ...
  std::optional<DetectorSpec> detector{};  ///< of detectors/*.yaml, or of a file beside
};

/// Reads `task`, `classes` (a list, or a file with a name a line) and `detector` (one of detectors/*.yaml, or a file).
/// Files lie in `folder` or below: the description may come with a model from anywhere, and names no other file. A
/// `detector` alone means the task `detection`. What is wrong is ErrorKind::usage, with the line. `comparator` is
/// refused: a program is started only where the command line asks for it.
Result<TaskDescription> read_task_description(const std::string& text, const std::string& where,
                                              const std::filesystem::path& folder);

/// Does the text say something of a task, or name data?
bool describes_task(const std::string& text);

}  // namespace culprit
