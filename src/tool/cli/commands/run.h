#pragma once
// culprit run CAMPAIGN: all cases of a campaign, which may be stopped at any time and goes on where it was.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/parser.h"
#include "cli/terminal.h"
#include "store/case_key.h"

namespace culprit {

struct RunArguments {
  std::filesystem::path campaign;
  std::filesystem::path run_dir;     ///< "": .culprit and the name of the campaign
  std::filesystem::path cache = {};  ///< of outcomes (campaign/outcome_cache.h); "": none
  int jobs = 0;                      ///< cases at once; 0: as many as cores
  std::string ray = {};              ///< address of a cluster (campaign/ray_cases.h); "": processes of this machine
  std::optional<Shard> shard = {};
  std::int64_t stop_after_faults = 0;  ///< 0: never
  bool resume = false, try_again = false, list = false, quiet = false;
};

/// As typed; "" where not given.
struct RunCampaignFlags {
  std::string campaign, run_dir, cache, jobs, on, shard, stop_after_faults;
  bool resume = false, try_again = false, list = false, quiet = false;
};

void add_run(CommandParser& parser, RunCampaignFlags& flags);

/// ErrorKind::usage where a value makes no sense.
Result<RunArguments> resolve(const RunCampaignFlags& flags);

/// Returns the exit code.
int run_campaign(const RunArguments& arguments, Terminal& terminal);

}  // namespace culprit
