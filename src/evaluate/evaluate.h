#pragma once
// `culprit eval`: what one or many models decide on a data set, how good that is against the truth, and how far they
// agree with the first of them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "data/data_set.h"
#include "executor/dispatcher.h"
#include "model/model.h"
#include "record/evaluation.h"
#include "task/task_settings.h"

namespace culprit {

struct EvaluateOptions {
  DataSetOptions data;
  /// Its name; "": what culprit.yaml beside the first model says; nothing there, or "auto": the one that fits its
  /// outputs.
  std::string task;
  std::filesystem::path comparator;  ///< a program that is the task (comparator/comparator_program.h); "": none
  TaskSettings settings;
  std::int64_t samples = 0;  ///< at most, in the order of the data set, or shuffled; 0: all
  bool shuffle = false;      ///< by data.data.seed
  SessionOptions session;    ///< of every model
  Limits limits;             ///< of a step of a run, and of reading a sample
  std::size_t places = 2;    ///< runs at once
  /// Stop when it is sure that so many agree with the first model, or only so many less the delta; (0, 0): never.
  std::pair<double, double> sure_of = {0, 0};
  /// Where pictures with the boxes of all models are written: of the samples that differ most, and of the first; ""
  /// draws none.
  std::filesystem::path draw = {};
};

struct EvaluateTools {
  Dispatcher& dispatcher;
  std::filesystem::path folder;  ///< exists; all in it may go afterwards
  std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Errors: usage (an unknown task; data that are not there), bad_input (no sample can be read; the first model does not
/// take it, with its message), unsupported (a task that does not fit the outputs of the first model: which one it
/// wanted and what is there), interrupted, io. What a comparator does wrong is bad_input. Another model that cannot be
/// fed or loaded, or has other outputs, is `unfit` in the report, and the others go on.
Result<EvaluationReport> evaluate(const std::vector<Model>& models, const EvaluateOptions& options,
                                  const EvaluateTools& tools);

}  // namespace culprit
