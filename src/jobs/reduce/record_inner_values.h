#pragma once
// Inner values of cases, read by running them once with these values as outputs (optimizations off). Of values inside
// of bodies the first that was made, as doubles (model/expose_inside.h).

#include <filesystem>

#include "executor/dispatcher.h"
#include "reduce/reduce.h"

namespace culprit {

class RunRecorder : public Recorder {
 public:
  /// `folder` exists.
  RunRecorder(Executor& executor, SessionOptions session, Limits limits, std::filesystem::path folder);

  /// Captures fewer where the model does not run with all of them as outputs: a value that cannot be one is left out,
  /// as is what is no plain tensor.
  Result<Captured> capture(const Case& a_case, std::span<const std::string> names) override;

 private:
  Result<void> read(const Case& a_case, std::span<const std::string> names, Captured& captured);

  Dispatcher dispatcher_;
  SessionOptions session_;
  Limits limits_;
  std::filesystem::path folder_;
  std::size_t runs_ = 0;       ///< so far, for names of folders
  std::size_t runs_left_ = 0;  ///< for one capture
};

/// The outputs of a case on its samples; ErrorKind::bad_input where it does not run. `folder` is made, and goes again.
Result<std::vector<Inputs>> outputs_of(const Case& a_case, const SessionOptions& session, const Limits& limits,
                                       Executor& executor, const std::filesystem::path& folder);

}  // namespace culprit
