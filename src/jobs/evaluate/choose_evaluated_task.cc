#include "evaluate/choose_evaluated_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/folder.h"
#include "base/text.h"
#include "task/choose_task.h"

namespace culprit {
namespace {

Result<EvaluatedTask> compared_by_program(const ComparatorProgram& program, const SampleOutputs& example) {
  if (auto ok = make_folder(program.scratch); !ok) return tl::unexpected(ok.error());
  auto task = open_comparator(program, example);
  if (!task) return tl::unexpected(task.error());
  return EvaluatedTask{std::move(*task),
                       "as --comparator " + printable(program.path.filename().string(), 200) + " says"};
}

std::string why_named(const TaskWish& wish, const TaskSettings& settings) {
  if (settings.threshold) return fmt::format("what is above {} counts, as --threshold says", *settings.threshold);
  if (settings.detector) return fmt::format("with the detector '{}'", printable(settings.detector->name));
  return wish.task.empty() ? "as culprit.yaml beside the model says" : "as the command says";
}

constexpr std::array<std::string_view, 3> with_threshold{"segmentation", "multi_label", "events"};

struct TaskOfTruth {
  std::string_view name, reason;
};

/// What is known to be right of a sample may tell what is asked; nothing where it does not.
std::optional<TaskOfTruth> task_of_truth(const SampleOutputs& example, const TaskSettings& settings) {
  if (example.truth == nullptr) return std::nullopt;
  if (example.truth->classes)
    return TaskOfTruth{"multi_label", "task multi_label: the labels say that several classes may be right at once"};
  const bool was_heard = example.truth->texts && example.text == nullptr && !settings.class_names.empty();
  if (was_heard && make_task("speech", facts_of(example.reference, settings.fed_back), settings))
    return TaskOfTruth{"speech", "task speech: it is known what was said, and 'classes' names the characters"};
  return std::nullopt;
}

/// Of the tasks that take a threshold the one that the labels tell, or that fits the outputs best. Where none fits, the
/// first says why it does not.
std::string task_of_threshold(const SampleOutputs& example, const TaskSettings& settings) {
  if (const auto known = task_of_truth(example, settings); known && std::ranges::count(with_threshold, known->name) > 0)
    return std::string(known->name);
  const auto facts = facts_of(example.reference, settings.fed_back);
  std::string_view best = with_threshold.front();
  double share = -1;
  for (const std::string_view name : with_threshold) {
    const auto task = make_task(name, facts, settings);
    const double its = task ? (*task)->fits(facts, example.reference).share : -1;
    if (its > share) best = name;
    share = std::max(share, its);
  }
  return std::string(best);
}

/// The task that somebody names; "": nobody does.
Result<std::string> named_task(const TaskWish& wish, const TaskSettings& settings, const SampleOutputs& example) {
  const std::string& name = wish.task.empty() ? wish.described : wish.task;
  if (!settings.threshold) return name;
  if (name.empty() || name == "auto") return task_of_threshold(example, settings);
  return expect_threshold_for(name, "culprit.yaml beside the model", "--task says otherwise").map([&] { return name; });
}

}  // namespace

TaskSettings with_description(TaskSettings settings, const TaskDescription& described) {
  if (settings.class_names.empty()) settings.class_names = described.classes;
  if (!settings.detector) settings.detector = described.detector;
  return settings;
}

Result<void> expect_threshold_for(std::string_view task, const std::string& who, const std::string& hint) {
  if (std::ranges::count(with_threshold, task) > 0) return {};
  const std::string said = who + " says " + printable(std::string(task), 60);
  return fail(ErrorKind::usage, "--threshold is for segmentation, multi_label and events, and " + said, hint);
}

Result<TaskDescription> describe_task(const Model& model) {
  const auto beside = description_beside(model);
  if (!beside) return tl::unexpected(beside.error());
  if (!*beside) return TaskDescription{};
  return read_task_description((*beside)->text, (*beside)->where, (*beside)->folder);
}

Result<std::vector<std::string>> classes_beside(const Model& model, const DataOptions& data) {
  if (data.data.empty()) return std::vector<std::string>{};
  auto described = describe_task(model);
  if (!described) return tl::unexpected(described.error());
  return std::move(described->classes);
}

Result<CheckData> open_described_data(const Model& model, const DataSetOptions& options) {
  auto described = with_data_beside(model, options);
  if (!described) return tl::unexpected(described.error());
  auto classes = classes_beside(model, described->data);
  if (!classes) return tl::unexpected(classes.error());
  described->classes = std::move(*classes);
  return open_check_data(model, *described);
}

Result<EvaluatedTask> choose_evaluated_task(const TaskWish& wish, const TaskSettings& settings,
                                            const SampleOutputs& example) {
  if (!wish.comparator.path.empty()) return compared_by_program(wish.comparator, example);
  const auto named = named_task(wish, settings, example);
  if (!named) return tl::unexpected(named.error());
  const std::string& name = *named;
  const bool is_open = name.empty() || name == "auto";
  const auto known = is_open ? task_of_truth(example, settings) : std::nullopt;
  const auto facts = facts_of(example.reference, settings.fed_back);
  auto choice = task_for(known ? known->name : name, facts, example.reference, settings);
  if (!choice) return tl::unexpected(choice.error());
  if (!is_open) choice->reason = why_named(wish, settings);
  if (known) choice->reason = known->reason;
  return EvaluatedTask{std::move(choice->task), std::move(choice->reason), choice->is_sure};
}

Result<TruthPictures> pictures_right_for(const DecisionTask& task, const std::filesystem::path& labels) {
  if (task.truth_pictures() != TruthPictures::none) return task.truth_pictures();
  return fail(ErrorKind::usage,
              fmt::format("--labels {} is a folder, and {} holds its outputs against no image files",
                          printable(labels.string()), task.name()),
              "a folder has masks for --task segmentation, or images that are right for --task picture");
}

}  // namespace culprit
