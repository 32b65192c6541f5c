#pragma once
// All tasks, a file here for each: NAME_task.cc defines make_NAME_task. Private to this room.

#include <memory>
#include <span>

#include "task/task.h"
#include "task/task_settings.h"

/// The table: a new task is its file and a line here. `tensor` is the last one, for when no other fits.
#define CULPRIT_TASKS(TASK) \
  TASK(classification)      \
  TASK(multi_label)         \
  TASK(detection)           \
  TASK(segmentation)        \
  TASK(picture)             \
  TASK(embedding)           \
  TASK(question_answering)  \
  TASK(speech)              \
  TASK(events)              \
  TASK(generation)          \
  TASK(tensor)

namespace culprit {

#define CULPRIT_DECLARE_TASK(name) \
  std::unique_ptr<DecisionTask> make_##name##_task(const TaskSettings& settings, std::span<const OutputFacts> outputs);
CULPRIT_TASKS(CULPRIT_DECLARE_TASK)
#undef CULPRIT_DECLARE_TASK

}  // namespace culprit
