#pragma once
// Which task reads the outputs: the user's program, the one that the command line names, the one that culprit.yaml
// beside the model names, or the one that fits them.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "comparator/comparator_program.h"
#include "data/data_beside.h"
#include "model/model.h"
#include "task/read_task_description.h"
#include "task/task.h"
#include "task/task_settings.h"

namespace culprit {

/// What culprit.yaml beside the model says; nothing where there is none. Errors as of read_task_description.
Result<TaskDescription> describe_task(const Model& model);

/// The names of classes in it, for the labels of a data set; none where --data names no data.
Result<std::vector<std::string>> classes_beside(const Model& model, const DataOptions& data);

/// open_check_data, with what culprit.yaml beside the model says of data and classes. Errors: those of
/// with_data_beside, describe_task and open_check_data.
Result<CheckData> open_described_data(const Model& model, const DataSetOptions& options);

/// These settings, with what the description says where they say nothing.
TaskSettings with_description(TaskSettings settings, const TaskDescription& described);

/// Refuses --threshold where `who` ("--task", "culprit.yaml beside the model") names a task that takes none:
/// ErrorKind::usage with this hint.
Result<void> expect_threshold_for(std::string_view task, const std::string& who, const std::string& hint = "");

struct TaskWish {
  std::string task;              ///< of the command line; "": none
  ComparatorProgram comparator;  ///< without a path: none
  std::string described;         ///< of culprit.yaml; "": none
};

struct EvaluatedTask {
  std::unique_ptr<DecisionTask> task;
  std::string reason;  ///< why this one
  bool is_sure = true;
};

/// `example`: what the first model made of a sample, as reference and as variant; where nothing is named, its truth may
/// say that several classes are right at once. Errors: what open_comparator and
/// make_task say.
Result<EvaluatedTask> choose_evaluated_task(const TaskWish& wish, const TaskSettings& settings,
                                            const SampleOutputs& example);

/// What the picture files in a folder of labels are to this task. ErrorKind::usage where it reads none.
Result<TruthPictures> pictures_right_for(const DecisionTask& task, const std::filesystem::path& labels);

}  // namespace culprit
