#pragma once
// A process for each case: `culprit case FOLDER RUN-FOLDER WORD...`, which ends with us.

#include <filesystem>
#include <map>

#include "base/stopwatch.h"
#include "campaign/case_runner.h"
#include "process/child.h"

namespace culprit {

/// The message by which a case says its exit code: these words, and the number.
inline constexpr const char* case_exit_mark = "exit ";

struct CasePlaces {
  std::filesystem::path program;          ///< culprit itself
  std::filesystem::path campaign_folder;  ///< where cases start
  std::filesystem::path cases;            ///< in it each case has a folder, named by its key; exists
};

/// Where the report of a case lies, and what it kept.
std::filesystem::path folder_of_case(const std::filesystem::path& cases, const CaseKey& key);

/// Stays in one thread, which lives as long as it (process/limit_itself.h).
class CaseProcesses : public CaseRunner {
 public:
  explicit CaseProcesses(CasePlaces places) : places_(std::move(places)) {}
  Result<void> start(const CaseKey& key, const CaseOrder& order) override;
  Result<std::vector<CaseEnd>> wait() override;
  void kill_all() override { running_.clear(); }

 private:
  struct Running {
    Child child;
    Stopwatch watch;
  };
  CasePlaces places_;
  std::map<CaseKey, Running> running_;
};

}  // namespace culprit
