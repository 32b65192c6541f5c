#include "cli/commands/worker.h"

#include <unistd.h>

#include <charconv>
#include <cstdio>

#include "cli/exit_code.h"
#include "optimizer/optimizer.h"
#include "process/limit_itself.h"
#include "runtime/runner.h"
#include "worker/worker_main.h"

namespace culprit {
namespace {

int probe(const std::string& library) {
  tie_to_parent(::getppid());
  const auto runner = open_onnxruntime(library);
  if (!runner) {
    std::fprintf(stderr, "%s\n", runner.error().text().c_str());
    return exit_code::cannot_judge;
  }
  std::printf("%s%s\n", probe_mark, (*runner)->version().c_str());
  return std::fflush(stdout) == 0 ? exit_code::nothing_wrong : exit_code::internal;
}

int serve(const std::string& descriptor) {
  int fd = -1;
  const char* const end = descriptor.data() + descriptor.size();
  const auto [stopped, error] = std::from_chars(descriptor.data(), end, fd);
  if (error != std::errc() || stopped != end || fd < 0) return exit_code::usage;
  WorkerSkills skills;
  skills.optimizers.push_back(make_onnx_optimizer());
  skills.open_runner = open_onnxruntime;
  return worker_main(fd, skills);
}

}  // namespace

int run_worker(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "--fd") return serve(arguments[1]);
  if (arguments.size() == 2 && arguments[0] == "--probe") return probe(arguments[1]);
  std::fputs("culprit: worker is started by culprit itself, and is of no use by hand\n", stderr);
  return exit_code::usage;
}

}  // namespace culprit
