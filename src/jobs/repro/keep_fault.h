#pragma once
// What a check asks and keeps of each fault: whose fault it is by a second opinion, where values part first, and its
// repro, of the smallest model that shows it.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "executor/executor.h"
#include "executor/phase_clock.h"
#include "model/model.h"
#include "optimizer/optimizer.h"
#include "repro/onnx_evaluator.h"
#include "repro/repro_contents.h"
#include "trial/fault_case.h"

namespace culprit {

/// Tells where a repro is written, and what the report calls it.
struct ReproPlace {
  std::filesystem::path folder;
  std::string name;
};

struct KeepTools {
  Executor& executor;
  Executor* second = nullptr;      ///< with a second runtime; null where there is none
  Evaluator* evaluator = nullptr;  ///< null where there is none
  const OptimizerTraits& optimizer;
  ReproVersions versions;
  std::filesystem::path work;  ///< where files may lie until then
  bool explains = true;        ///< asks for opinions, the first wrong value and the smallest model
  /// The place of the fault with this id. Empty: no repro is kept.
  std::function<ReproPlace(const std::string& fault)> place = {};
  /// Keeps a repro of a variant that was given, which no passes make. Returns what the report calls it; "": there is
  /// none. Empty: no repro of it is kept.
  std::function<Result<std::string>()> keep_given = {};
  Stop is_time_up = {};
  std::function<void(const std::string& what)> progress = {};
  PhaseClock* clock = nullptr;  ///< `executor` itself, where what each phase took is to be told
};

/// Writes the repro of each fault it is asked to keep. A reduction takes at most two minutes, looking for the first
/// wrong value one; neither begins when `is_time_up`.
KeepFault keeper_of(const Model& model, KeepTools tools);

}  // namespace culprit
