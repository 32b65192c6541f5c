#include "cli/commands/worker.h"

#include <unistd.h>

#include <charconv>
#include <cstdio>

#include "app/ask_for_steps.h"
#include "app/limits_probe.h"
#include "app/runtime_probe.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "device/machine_limits.h"
#include "optimizer/optimizer.h"
#include "process/limit_itself.h"
#include "runtime/open_runner.h"
#include "worker/lone_run.h"
#include "worker/worker_main.h"

namespace culprit {
namespace {

int probe(const std::string& kind, const std::string& library) {
  tie_to_parent(::getppid());
  const auto runner = open_runner({library, kind});
  if (!runner) {
    std::fprintf(stderr, "%s\n", runner.error().text().c_str());
    return exit_code::cannot_judge;
  }
  std::printf("%s%s\n", probe_providers_mark, join((*runner)->providers(), ",").c_str());
  std::printf("%s%s\n", probe_mark, (*runner)->version().c_str());
  return std::fflush(stdout) == 0 ? exit_code::nothing_wrong : exit_code::internal;
}

int tell_steps(const std::string& library, const std::string& folder) {
  tie_to_parent(::getppid());
  const auto written = write_steps(library, folder);
  if (written) return exit_code::nothing_wrong;
  std::fprintf(stderr, "%s\n", written.error().text().c_str());
  return exit_code::cannot_judge;
}

WorkerSkills all_skills() {
  WorkerSkills skills;
  skills.optimizers.push_back(make_onnx_optimizer());
  skills.optimizers.push_back(make_onnxruntime_optimizer());
  skills.optimizers.push_back(make_command_optimizer());
  skills.open_runner = open_runner;
  return skills;
}

int tell_limits(const std::string& threads) {
  tie_to_parent(::getppid());
  const auto count = whole_number("--limits", threads, 1, 4096);
  if (!count) return exit_code::usage;
  std::fputs(words_of_limits(measure_limits(*count)).c_str(), stdout);
  return std::fflush(stdout) == 0 ? exit_code::nothing_wrong : exit_code::internal;
}

int run_one(const std::string& file) {
  const auto ran = run_alone(file, all_skills());
  if (ran) return exit_code::nothing_wrong;
  std::fprintf(stderr, "%s\n", ran.error().text().c_str());
  return exit_code::cannot_judge;
}

int serve(const std::string& descriptor) {
  int fd = -1;
  const char* const end = descriptor.data() + descriptor.size();
  const auto [stopped, error] = std::from_chars(descriptor.data(), end, fd);
  if (error != std::errc() || stopped != end || fd < 0) return exit_code::usage;
  return worker_main(fd, all_skills());
}

}  // namespace

int run_worker(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "--fd") return serve(arguments[1]);
  if (arguments.size() == 3 && arguments[0] == "--probe") return probe(arguments[1], arguments[2]);
  if (arguments.size() == 2 && arguments[0] == "--limits") return tell_limits(arguments[1]);
  if (arguments.size() == 2 && arguments[0] == "--run") return run_one(arguments[1]);
  if (arguments.size() == 3 && arguments[0] == "--steps") return tell_steps(arguments[1], arguments[2]);
  std::fputs("culprit: worker is started by culprit itself, and is of no use by hand\n", stderr);
  return exit_code::usage;
}

}  // namespace culprit
