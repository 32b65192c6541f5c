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
#include "record/told_decision.h"
#include "task/task_settings.h"

namespace culprit {

/// One of those that are evaluated: a model, or what an optimizer made of it, in a session of its own.
struct EvaluatedRow {
  std::size_t model = 0;            ///< index of the given ones: it is fed as that one is
  std::filesystem::path file = {};  ///< what runs in the model's place; "": itself
  SessionOptions session = {};
  std::string name = {};  ///< in messages
  /// The dispatcher of the executor that has its library of the runtime, or null for that of the tools; it outlives the
  /// evaluation.
  Dispatcher* dispatcher = nullptr;
};

struct EvaluateOptions {
  DataSetOptions data;
  /// Its name; "": what culprit.yaml beside the first model says; nothing there, or "auto": the one that fits its
  /// outputs.
  std::string task;
  std::filesystem::path comparator;  ///< a program that is the task (comparator/comparator_program.h); "": none
  TaskSettings settings;
  std::filesystem::path pairs = {};  ///< of samples that show the same, or not (evaluate/sample_pairs.h); "": none
  std::int64_t samples = 0;          ///< at most, in the order of the data set, or shuffled; 0: all
  bool shuffle = false;              ///< by data.data.seed
  bool spread = false;     ///< where there are more samples than these: spread over all of them, not the first
  SessionOptions session;  ///< of every model
  /// What is evaluated, the first of them is what the others are held against; empty: each model once, as M1, M2, ...
  std::vector<EvaluatedRow> rows = {};
  bool with_scores = false;  ///< curves of scores and calibration against labels, too
  Limits limits;             ///< of a step of a run, and of reading a sample
  std::size_t places = 2;    ///< runs at once
  /// Stop when it is sure that so many agree with the first model, or only so many less the delta; (0, 0): never.
  std::pair<double, double> sure_of = {0, 0};
  /// The folder in which pictures with the boxes of all models are written: of the samples that differ most, and of the
  /// first; "" draws none.
  std::filesystem::path draw = {};
};

struct EvaluateTools {
  Dispatcher& dispatcher;
  std::filesystem::path folder;  ///< exists; all in it may go afterwards
  std::function<void(std::int64_t done, std::int64_t total)> progress = {};
  /// Told of each sample that ran, in their order, what every model decided on it. An error ends the evaluation.
  std::function<Result<void>(const ToldSample& sample)> told = {};
};

/// Errors: usage (an unknown task; data that are not there), bad_input (no sample can be read; the first model does not
/// take it, with its message), unsupported (a task that does not fit the outputs of the first model: which one it
/// wanted and what is there), interrupted (before any sample counts), io. What a comparator does wrong is bad_input.
/// Another model that cannot be fed or loaded, or has other outputs, is `unfit` in the report, and the others go on. Of
/// rows: the first one's model is the first of the models.
Result<EvaluationReport> evaluate(const std::vector<Model>& models, const EvaluateOptions& options,
                                  const EvaluateTools& tools);

}  // namespace culprit
