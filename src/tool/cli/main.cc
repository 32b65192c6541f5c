// The program `culprit`: which command, and how it ends. Exceptions come no further than this.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include "cli/bring_models.h"
#include "cli/command_line.h"
#include "cli/commands/run_case.h"
#include "cli/commands/version.h"
#include "cli/commands/worker.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "process/end_with_stdin.h"

namespace culprit {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

int show(const std::string& text, Terminal& terminal) {
  const auto printed = terminal.print(text);
  if (printed) return exit_code::nothing_wrong;
  terminal.complain(printed.error().text());
  return exit_code_of(printed.error().kind);
}

int run(const std::vector<std::string>& arguments, Terminal& terminal) {
  std::error_code error;
  if (!std::filesystem::exists(".", error)) {
    terminal.complain("the current folder is not there any more; change into another one");
    return exit_code::usage;
  }
  auto command = parse_command_line(arguments, terminal.look().width);
  if (command)
    if (auto ok = bring_models(*command, terminal); !ok) command = tl::unexpected(ok.error());
  if (!command) {
    terminal.complain(command.error().text());
    return exit_code_of(command.error().kind);
  }
  return std::visit(Overloaded{
                        [&](const ShowHelp& help) { return show(help.text, terminal); },
                        [&](const ShowVersion&) { return run_version(terminal); },
                        [&](const CheckArguments& check) { return run_check(check, terminal); },
                        [&](const OptimizeArguments& optimize) { return run_optimize(optimize, terminal); },
                        [&](const OrdersArguments& orders) { return run_orders(orders, terminal); },
                        [&](const CompareArguments& compare) { return run_compare(compare, terminal); },
                        [&](const DiagnoseArguments& diagnose) { return run_diagnose(diagnose, terminal); },
                        [&](const RepairArguments& repair) { return run_repair(repair, terminal); },
                        [&](const DataArguments& data) { return run_data(data, terminal); },
                        [&](const EvalArguments& eval) { return run_eval(eval, terminal); },
                        [&](const ProfileArguments& profile) { return run_profile(profile, terminal); },
                        [&](const ReduceArguments& reduce) { return run_reduce(reduce, terminal); },
                        [&](const TwinArguments& twin) { return run_twin(twin, terminal); },
                        [&](const ReplayArguments& replay) { return run_replay(replay, terminal); },
                        [&](const KnownArguments& known) { return run_known(known, terminal); },
                        [&](const RunArguments& campaign) { return run_campaign(campaign, terminal); },
                        [&](const ShowArguments& shown) { return run_show(shown, terminal); },
                        [&](const MergeArguments& merge) { return run_merge(merge, terminal); },
                        [&](const HubArguments& hub) { return run_hub(hub, terminal); },
                        [&](const PassesArguments& passes) { return run_passes(passes, terminal); },
                        [&](const OptimizersArguments& optimizers) { return run_optimizers(optimizers, terminal); },
                        [&](const DoctorArguments& doctor) { return run_doctor(doctor, terminal); },
                        [&](const CompletionArguments& completion) {
                          return run_completion(completion, outline_of_commands(), terminal);
                        },
                    },
                    *command);
}

/// Where a stream was closed by whoever started us, the next file we open would take its place, and get its output. So
/// the place is taken by something that refuses to be written to.
void fill_closed_streams() {
  for (int fd = open("/dev/null", O_RDONLY); fd >= 0; fd = open("/dev/null", O_RDONLY)) {
    if (fd <= STDERR_FILENO) continue;
    close(fd);
    return;
  }
}

int guarded(const std::vector<std::string>& arguments) {
  fill_closed_streams();
  end_with_stdin_if_asked();
  // A reader that leaves, or a worker that dies, is then an error of write(), not the end of us.
  std::signal(SIGPIPE, SIG_IGN);
  if (!arguments.empty() && arguments[0] == "worker") return run_worker({arguments.begin() + 1, arguments.end()});
  Terminal terminal(stdout, stderr, look_of_standard_streams());
  try {
    if (!arguments.empty() && arguments[0] == "case")
      return run_case({arguments.begin() + 1, arguments.end()},
                      [&](const std::vector<std::string>& words) { return run(words, terminal); });
    return run(arguments, terminal);
  } catch (const std::exception& error) {
    terminal.complain(std::string("internal error: ") + error.what() + ". Please report it with the command line");
  } catch (...) {
    terminal.complain("internal error: an exception without a name. Please report it with the command line");
  }
  return exit_code::internal;
}

}  // namespace
}  // namespace culprit

int main(int argc, char** argv) {
  try {
    return culprit::guarded({argv + 1, argv + argc});
  } catch (...) {  // no memory even for the words of the command line
    return culprit::exit_code::internal;
  }
}
