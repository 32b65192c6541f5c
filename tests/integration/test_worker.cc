// The worker of the tests: what `culprit worker` is, with the real optimizer and runtime, and with optimizers and
// runners that crash, hang and lie. Started under the name "liar-<how>" it misuses the protocol instead.
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "fakes.h"
#include "runtime/open_runner.h"
#include "worker/worker_main.h"

// Crashes are the subject here: they end the process by their signal also where a sanitizer would report them instead.
// The leaks are those of killed processes.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_abort=0:handle_sigbus=0:detect_leaks=0:detect_stack_use_after_return=0";
}

namespace {

using namespace culprit;

WorkerSkills skills() {
  WorkerSkills skills;
  skills.optimizers.push_back(make_onnx_optimizer());
  for (const char* name : {"fake", "import_segfault", "import_throw", "import_sleep", "import_busy", "import_exit",
                           "import_hog", "import_killed_once"})
    skills.optimizers.push_back(testing::make_fake_optimizer(name));
  skills.open_runner = [](const RunnerSpec& spec) -> Result<std::unique_ptr<Runner>> {
    if (spec.library == "fake") return testing::make_fake_runner();
    return open_runner(spec);
  };
  return skills;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  if (argc != 4 || std::strcmp(argv[1], "worker") != 0 || std::strcmp(argv[2], "--fd") != 0) return 2;
  const int fd = std::atoi(argv[3]);
  if (name.starts_with("liar-")) culprit::testing::lie(fd, name.substr(5));
  return worker_main(fd, skills());
}
