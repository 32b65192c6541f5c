#pragma once
// culprit show RUN: what a campaign found, in forms for people and for other programs.

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/campaign_record.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

enum class CampaignForm { text, json, csv, markdown, junit, sarif };

struct ShowArguments {
  std::filesystem::path run;
  RecordFilter filter;
  CampaignForm form = CampaignForm::text;
  std::filesystem::path output;  ///< "": standard output
  bool all_cases = false;
};

/// As typed; "" where not given.
struct ShowFlags {
  std::string run, job, model, optimizer, format, output, atol, rtol;
  std::vector<std::string> status;
  bool all_cases = false, predictions = false;
};

void add_show(CommandParser& parser, ShowFlags& flags);

/// ErrorKind::usage where a value makes no sense.
Result<ShowArguments> resolve(const ShowFlags& flags);

/// Returns the exit code.
int run_show(const ShowArguments& arguments, Terminal& terminal);

}  // namespace culprit
