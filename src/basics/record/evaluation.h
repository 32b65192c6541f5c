#pragma once
// What models decide on a data set: the report of `culprit eval`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/class_results.h"
#include "record/decisions.h"
#include "record/model_facts.h"
#include "record/warning.h"

namespace culprit {

/// A sample of which nothing can be said: its file is bad, or a model failed on it.
struct LeftOutSample {
  std::int64_t number = 0;
  std::string name;
  std::string reason;
};

enum class SureAnswer { undecided, holds, fails };
std::string_view name_of(SureAnswer answer);

/// Enough samples to be sure that a share of the decisions agree, or that fewer do (statistics/sequential_ratio.h).
struct SureEnough {
  double share = 0, delta = 0;  ///< asked: `share`, or only `share` - `delta`?
  SureAnswer answer = SureAnswer::undecided;
  std::int64_t samples = 0;  ///< after which the answer stood
};

struct EvaluatedModel {
  ModelFacts model;
  /// Why nothing can be said of it: it does not load, its outputs are others than the first model's; "": it ran.
  std::string unfit = {};
  DecisionRecord decisions;             ///< against the first model; of the first itself, against its own outputs
  std::vector<WorstSample> worst;       ///< decisions.worst with their names
  std::int64_t ran = 0;                 ///< samples
  std::int64_t failures = 0;            ///< samples on which it failed, or gave what cannot be compared
  std::vector<LeftOutSample> failed;    ///< the first of them
  double seconds = 0;                   ///< of its runs
  std::optional<SureEnough> sure = {};  ///< absent where nobody asked, and of the first model
  ClassResults classes = {};            ///< of classification
  ClassResults became = {};             ///< of classification: what the first model decides stands for what is right
};

struct EvaluationReport {
  std::string tool_version;
  std::vector<std::string> command;
  std::string onnxruntime;  ///< its version
  std::string task;
  std::string task_reason;              ///< why this one
  std::vector<std::string> task_about;  ///< by which rules decisions are counted, a line each
  bool is_task_sure = true;             ///< false: chosen for want of a better one
  std::vector<std::string> data;        ///< what it is and how it is fed, a line each
  std::vector<Warning> warnings;        ///< where models seem to agree, and that says nothing
  bool has_labels = false;
  std::int64_t samples = 0;  ///< that could be read
  std::int64_t unreadable = 0;
  std::int64_t not_reached = 0;  ///< samples that nobody looked at: it was sure before, or interrupted
  bool is_interrupted = false;   ///< by the user, when some samples were evaluated: the warning `interrupted` says so
  std::vector<LeftOutSample> skipped;  ///< the first of the unreadable ones
  std::vector<EvaluatedModel> models;  ///< in the order of the command line
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< resident, of this process
  std::int64_t drawn = 0;        ///< pictures that boxes were drawn on (--draw)
  std::string drawn_into;        ///< their folder; "" where none was asked for
  bool is_drawn = true;          ///< false: drawing failed or was interrupted, as the warning `not_drawn` says
};

}  // namespace culprit
