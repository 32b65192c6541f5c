#include "task/choose_task.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/meant_word.h"
#include "base/text.h"
#include "task/classification.h"
#include "task/outputs.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

constexpr double sure_from = 0.6, sure_ahead = 0.2;

struct TaskEntry {
  std::string_view name;
  std::unique_ptr<DecisionTask> (*make)(const TaskSettings&, std::span<const OutputFacts>);
};

#define CULPRIT_TASK_ENTRY(name) TaskEntry{#name, make_##name##_task},
constexpr TaskEntry entries[] = {CULPRIT_TASKS(CULPRIT_TASK_ENTRY)};
#undef CULPRIT_TASK_ENTRY

struct Candidate {
  std::unique_ptr<DecisionTask> task;
  TaskFit fit;
};

/// Of outputs of which it is not known, the example says whether they are probabilities: one choice for all samples.
TaskSettings settled(TaskSettings settings, std::span<const NamedTensor> example) {
  for (const NamedTensor& output : example)
    if (is_float(output.value.dtype()) && output.value.shape().size() <= 3 &&
        !settings.probabilities.contains(output.name))
      settings.probabilities[output.name] = may_be_probabilities(numbers_of(output.value));
  return settings;
}

}  // namespace

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskEntry& entry : entries) names.emplace_back(entry.name);
  return names;
}

Result<std::unique_ptr<DecisionTask>> make_task(std::string_view name, std::span<const OutputFacts> outputs,
                                                const TaskSettings& settings) {
  const auto* entry = std::ranges::find(entries, name, &TaskEntry::name);
  if (entry == std::end(entries)) {
    const std::string near = meant_word(name, task_names());
    return fail(ErrorKind::usage, fmt::format("there is no task '{}'", printable(name, 60)),
                near.empty() ? "there are auto, " + join(task_names(), ", ") : "did you mean '" + near + "'?");
  }
  auto task = entry->make(settings, outputs);
  if (const auto reason = task->refuses(outputs))
    return fail(ErrorKind::unsupported, *reason, "take another task, or --task tensor to compare plain numbers");
  return task;
}

TaskChoice choose_task(std::span<const OutputFacts> outputs, std::span<const NamedTensor> example,
                       const TaskSettings& settings) {
  std::vector<Candidate> candidates;
  for (const TaskEntry& entry : entries) {
    auto task = entry.make(settings, outputs);
    TaskFit fit = task->refuses(outputs) ? TaskFit{} : task->fits(outputs, example);
    candidates.push_back({std::move(task), std::move(fit)});
  }
  Candidate tensor = std::move(candidates.back());
  candidates.pop_back();
  std::ranges::stable_sort(candidates, [](const auto& a, const auto& b) { return a.fit.share > b.fit.share; });
  Candidate &best = candidates[0], &second = candidates[1];
  const std::string name = best.task->name();
  if (best.fit.share >= sure_from && best.fit.share >= second.fit.share + sure_ahead)
    return {std::move(best.task), true, fmt::format("task {}: {}", name, best.fit.reason)};
  if (best.fit.share == 0)
    return {std::move(tensor.task), false, "no task fits the outputs: plain numbers are compared"};
  std::string open = fmt::format("it may be {} ({})", name, best.fit.reason);
  if (second.fit.share + sure_ahead > best.fit.share && second.fit.share > 0)
    open += fmt::format(" or {} ({})", second.task->name(), second.fit.reason);
  return {std::move(tensor.task), false, open + ": plain numbers are compared; --task NAME says what it is"};
}

Result<TaskChoice> task_for(std::string_view name, std::span<const OutputFacts> outputs,
                            std::span<const NamedTensor> example, const TaskSettings& settings) {
  const TaskSettings all = settled(settings, example);
  if (name.empty() || name == "auto") return choose_task(outputs, example, all);
  auto task = make_task(name, outputs, all);
  if (!task) return tl::unexpected(task.error());
  return TaskChoice{std::move(*task), true, "as the command says"};
}

}  // namespace culprit
