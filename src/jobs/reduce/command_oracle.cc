#include "reduce/command_oracle.h"

#include <algorithm>

#include "base/folder.h"
#include "base/text.h"
#include "process/shell_commands.h"
#include "reduce/data_set.h"
#include "trial/failure_signature.h"

namespace culprit {
namespace {

constexpr int not_to_be_run = 126, not_found = 127;  // POSIX, Shell Command Language, 2.8.2

/// Outside of quotes, brackets and comments: what ends a pipeline.
bool has_several(std::string_view script) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (c == '\\' && quote != '\'') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"' || c == '`') {
      quote = c;
    } else if (c == '(' || c == '{') {
      ++depth;
    } else if (c == ')' || c == '}') {
      --depth;
    } else if (depth == 0) {
      const std::string_view two = script.substr(i, 2);
      const bool is_redirection = c == '&' && i > 0 && (script[i - 1] == '>' || script[i - 1] == '<');
      if (c == ';' || c == '\n' || two == "||" || (c == '&' && !is_redirection)) return true;
    }
  }
  return false;
}

}  // namespace

std::string keeping_not_found(const std::string& command) {
  const std::string_view text = trim(command);
  if (text.size() < 2 || text[0] != '!' || (text[1] != ' ' && text[1] != '\t')) return command;
  const std::string_view rest = trim(text.substr(1));
  if (rest.empty() || has_several(rest)) return command;
  return "{ " + std::string(rest) + "\n}\ncase $? in 0) exit 1;; 126) exit 126;; 127) exit 127;; *) exit 0;; esac\n";
}

std::string command_line(const std::string& command, const fs::path& folder) {
  return replace_all(replace_all(command, "{model}", quoted_for_shell((folder / "model.onnx").string())), "{data}",
                     quoted_for_shell((folder / "test_data_set_0").string()));
}

CommandOracle::CommandOracle(Executor& executor, CommandOptions options)
    : dispatcher_(executor), options_(std::move(options)) {}

Result<fs::path> CommandOracle::write(const Case& a_case) {
  const fs::path folder = options_.folder / ("command-" + std::to_string(runs_++));
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  auto ok = save_model(*a_case.model, folder / "model.onnx", Durability::buffered);
  if (ok) ok = write_data_sets(a_case, {}, folder, folder);
  if (!ok) return tl::unexpected(ok.error());
  return folder;
}

/// Asks for the checker's complaints, in workers: it may crash, and then has no complaint.
Result<std::vector<CommandOracle::Complaint>> CommandOracle::complaints(const std::vector<fs::path>& folders) {
  std::vector<Complaint> found(folders.size());
  for (std::size_t i = 0; i < folders.size(); ++i) {
    OptimizeJob job;
    job.model = folders[i] / "model.onnx";
    job.limits = options_.limits;
    job.infers_types = !accepted_.is_mistyped;
    dispatcher_.optimize(
        std::move(job),
        [&found, i](const ImportOutcome& outcome) {
          found[i] = {normalized(outcome.checker_complaint), !outcome.types_complaint.empty()};
        },
        [](const VariantOutcome&) {});
  }
  if (auto ok = dispatcher_.drain(); !ok) return tl::unexpected(ok.error());
  return found;
}

Result<void> CommandOracle::accept_complaint_of(const Case& a_case) {
  const auto folder = write(a_case);
  if (!folder) return tl::unexpected(folder.error());
  const auto found = complaints({*folder});
  remove_folder(*folder);
  if (!found) return tl::unexpected(found.error());
  accepted_ = found->front();
  return {};
}

Result<std::vector<Answer>> CommandOracle::ask(std::span<const Case> cases, bool /*fresh*/) {
  std::vector<fs::path> folders;
  for (const Case& a_case : cases) {
    auto folder = write(a_case);
    if (!folder) return tl::unexpected(folder.error());
    folders.push_back(std::move(*folder));
  }
  const auto found = complaints(folders);
  if (!found) return tl::unexpected(found.error());
  std::vector<ShellRun> runs;
  std::vector<std::size_t> asked;
  std::vector<Answer> answers(cases.size(), Answer::no);
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const Complaint& complaint = (*found)[i];
    if (complaint.is_mistyped) answers[i] = Answer::mistyped;
    if (complaint.is_mistyped || (!complaint.text.empty() && complaint.text != accepted_.text)) continue;
    runs.push_back({command_line(keeping_not_found(options_.command), folders[i]), folders[i]});
    asked.push_back(i);
  }
  const auto statuses = run_in_shell(runs, {options_.seconds, options_.jobs, options_.is_interrupted});
  for (const fs::path& folder : folders) remove_folder(folder);
  if (!statuses) return tl::unexpected(statuses.error());
  const auto is_missing = [](int status) { return status == not_to_be_run || status == not_found; };
  if (const auto at = std::ranges::find_if(*statuses, is_missing); !has_run_ && at != statuses->end()) {
    return fail(ErrorKind::usage,
                "--check: the shell does not find a command, or cannot run it (exit code " + std::to_string(*at) +
                    "): " + printable(options_.command, 400),
                "try it by hand; each run starts in a folder of its own, so paths in it must be whole");
  }
  has_run_ = has_run_ || !runs.empty();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if ((*statuses)[i] == 0) answers[asked[i]] = Answer::yes;
  }
  return answers;
}

}  // namespace culprit
