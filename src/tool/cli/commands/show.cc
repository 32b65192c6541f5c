#include "cli/commands/show.h"

#include <array>

#include "app/tool_version.h"
#include "base/file.h"
#include "base/text.h"
#include "base/word_names.h"
#include "cli/exit_code.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"
#include "cli/output_file.h"
#include "report/campaign_report.h"

namespace culprit {
namespace {

constexpr WordNames<CampaignForm, 6> form_names{{{CampaignForm::text, "text"},
                                                 {CampaignForm::json, "json"},
                                                 {CampaignForm::csv, "csv"},
                                                 {CampaignForm::markdown, "markdown"},
                                                 {CampaignForm::junit, "junit"},
                                                 {CampaignForm::sarif, "sarif"}}};

/// A status, or a state of cases that have none.
Result<void> add_status(const std::string& word, CaseFilter& filter) {
  const std::vector<std::string> words{"fault", "known", "ok", "inconclusive", "failed", "waiting", "set_aside"};
  const auto known = choice("--status", word, words);
  if (!known) return tl::unexpected(known.error());
  if (const auto status = outcome_status_named(*known))
    filter.statuses.insert(*status);
  else
    filter.states.insert(*known == "waiting" ? CaseState::waiting : CaseState::set_aside);
  return {};
}

/// Says so where nothing is chosen, for a form of other programs does not.
Result<CampaignRecord> chosen_in(const CaseReader& reader, const RecordFilter& filter, Terminal& terminal) {
  auto record = read_record(reader, filter);
  if (record && filter.with_predictions && record->predictions.empty())
    terminal.complain("no case has predictions: those of checks with data that have a task, and ran to their end, do");
  if (!record || !record->cases.empty()) return record;
  if (auto ok = expect_named(reader, filter); !ok) return tl::unexpected(ok.error());
  terminal.complain("no case has all that is asked for");
  return record;
}

std::string shown_as(const ShowArguments& arguments, const CampaignRecord& record, const Look& look) {
  const bool to_file = !arguments.output.empty();
  const CampaignStyle style{look.colour && !to_file, to_file ? 80 : look.width, arguments.all_cases, arguments.run};
  switch (arguments.form) {
    case CampaignForm::text:
      return campaign_as_text(record, style);
    case CampaignForm::json:
      return campaign_as_json(record, tool_version());
    case CampaignForm::csv:
      return campaign_as_csv(record);
    case CampaignForm::markdown:
      return campaign_as_markdown(record, style);
    case CampaignForm::junit:
      return campaign_as_junit(record, arguments.run);
    case CampaignForm::sarif:
      return campaign_as_sarif(record, tool_version());
  }
  return "";
}

}  // namespace

void add_show(CommandParser& parser, ShowFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "show",
       .heading = heading_report,
       .about = "Show what a campaign found: its distinct faults first, then what could not be judged",
       .examples = {"culprit show .culprit/campaign", "culprit show .culprit/campaign --format junit -o junit.xml",
                    "culprit show .culprit/campaign --status fault --model 'zoo/**/*.onnx' --all-cases",
                    "culprit show .culprit/campaign --atol 0.01 --rtol 0.01"},
       .exit_codes = exit_codes_of_facts});
  command.word("RUN", flags.run, type_folder, "The folder of a campaign, that culprit run names").required();
  command.values("--status", flags.status, "fault|known|ok|inconclusive|failed|waiting|set_aside");
  command.value("--model", flags.model, "PATTERN");
  command.value("--optimizer", flags.optimizer, "NAME").with_default("all");
  command.value("--job", flags.job, join(campaign_job_names(), "|"));
  command.toggle("--all-cases", flags.all_cases);
  command.toggle("--predictions", flags.predictions);
  command.value("--atol", flags.atol, "X");
  command.value("--rtol", flags.rtol, "X");
  command.value("--format", flags.format, "text|json|csv|markdown|junit|sarif");
  command.value("-o,--output", flags.output, type_file);
}

namespace {

/// Nothing where neither is given.
Result<std::optional<OtherTolerance>> other_tolerance(const ShowFlags& flags) {
  if (flags.atol.empty() && flags.rtol.empty()) return std::nullopt;
  if (flags.atol.empty() || flags.rtol.empty())
    return fail(ErrorKind::usage, "--atol and --rtol go together: the record does not tell the default of each number",
                "give both, for example --atol 0.01 --rtol 0.01");
  OtherTolerance tolerance;
  FlagReader reader;
  reader.read(tolerance.atol, tolerance_number, "--atol", flags.atol);
  reader.read(tolerance.rtol, tolerance_number, "--rtol", flags.rtol);
  return reader.result(std::optional(tolerance));
}

}  // namespace

Result<ShowArguments> resolve(const ShowFlags& flags) {
  ShowArguments arguments;
  arguments.run = flags.run;
  for (const std::string& word : flags.status)
    if (auto ok = add_status(word, arguments.filter.cases); !ok) return tl::unexpected(ok.error());
  if (!arguments.filter.cases.states.empty() && !arguments.filter.cases.statuses.empty())
    return fail(ErrorKind::usage, "--status: waiting and set_aside do not go with the others",
                "ask for them in a call of their own");
  if (!flags.job.empty()) {
    const auto job = choice("--job", flags.job, campaign_job_names());
    if (!job) return tl::unexpected(job.error());
    arguments.filter.job = campaign_job_named(*job);
  }
  const auto tolerance = other_tolerance(flags);
  if (!tolerance) return tl::unexpected(tolerance.error());
  arguments.filter.tolerance = *tolerance;
  arguments.filter.with_predictions = flags.predictions;
  arguments.filter.model = flags.model;
  arguments.filter.optimizer = flags.optimizer;
  std::vector<std::string> forms;
  for (const auto& [form, name] : form_names) forms.emplace_back(name);
  const auto form = choice("--format", flags.format.empty() ? "text" : flags.format, forms);
  if (!form) return tl::unexpected(form.error());
  arguments.form = word_in(form_names, *form).value_or(CampaignForm::text);
  arguments.output = flags.output;
  arguments.all_cases = flags.all_cases;
  return arguments;
}

int run_show(const ShowArguments& arguments, Terminal& terminal) {
  const auto fine = arguments.output.empty() ? Result<void>() : output_folder_must_be_there(arguments.output);
  const auto done =
      fine.and_then([&] { return CaseReader::open(arguments.run / campaign_store_name); })
          .and_then([&](const CaseReader& reader) { return chosen_in(reader, arguments.filter, terminal); })
          .and_then([&](const CampaignRecord& record) {
            const std::string text = shown_as(arguments, record, terminal.look());
            return arguments.output.empty() ? terminal.print(text) : write_file_atomic(arguments.output, text);
          });
  if (done) return exit_code::nothing_wrong;
  terminal.complain(done.error().text());
  return exit_code_of(done.error().kind);
}

}  // namespace culprit
