#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "fakes.h"
#include "misdeeds.h"

namespace culprit::testing {
namespace {

std::vector<NamedTensor> descriptors() {
  constexpr int many_times = 1000;
  std::vector<std::int64_t> open;
  for (int fd = 0; fd < many_times; ++fd)
    if (::fcntl(fd, F_GETFD) >= 0) open.push_back(fd);
  return {{"descriptors", Tensor::of<std::int64_t>({static_cast<std::int64_t>(open.size())}, open)}};
}

/// Uses a fifth of a second of CPU time.
void work() {
  constexpr std::clock_t busy_time = CLOCKS_PER_SEC / 5;
  for (const std::clock_t start = std::clock(); std::clock() - start < busy_time;) {
  }
}

/// How many processes are in here at once, beside this one; stays a while.
std::vector<NamedTensor> neighbours(const std::filesystem::path& model) {
  constexpr useconds_t a_while = 100'000;
  const auto folder = model.parent_path() / "neighbours";
  std::filesystem::create_directories(folder);
  const auto own = folder / std::to_string(::getpid());
  std::ofstream(own) << "here";
  std::int64_t most = 0;
  for (int i = 0; i < 2; ++i) {
    const auto count = std::distance(std::filesystem::directory_iterator(folder), {});
    most = std::max<std::int64_t>(most, count - 1);
    if (i == 0) ::usleep(a_while);
  }
  std::filesystem::remove(own);
  return {{"neighbours", Tensor::of<std::int64_t>({}, {most})}};
}

class FakeRunnerSession : public RunnerSession {
 public:
  FakeRunnerSession(const std::filesystem::path& model, const SessionOptions& options)
      : model_(model), deed_(model.stem().string()), level_(options.level), profile_to_(options.profile_to) {}
  [[nodiscard]] Level level() const override { return level_; }

  Result<std::vector<NamedTensor>> run(const std::vector<NamedTensor>& inputs) override {
    const bool second = runs_++ > 0;
    if (deed_ == "pid") return std::vector{NamedTensor{"pid", Tensor::of<std::int64_t>({}, {::getpid()})}};
    if (deed_ == "neighbours") return neighbours(model_);
    if (deed_ == "work") work();
    if (deed_ == "speak") std::puts("chatter");
    if (deed_ == "descriptors") return descriptors();
    if (deed_ == "run_error")
      return fail(ErrorKind::bad_input, "Non-zero status code returned while running Conv node");
    if (deed_ == "run_oom")
      return fail(ErrorKind::bad_input, "Failed to allocate memory for requested buffer of size 17");
    if (deed_.starts_with("run_")) misbehave(deed_.substr(4));
    if (deed_.starts_with("second_") && second) misbehave(deed_.substr(7));
    return inputs;
  }

  /// Tells how many runs went before; where the model says so, at another place than it was told.
  Result<std::filesystem::path> end_profile() override {
    if (profile_to_.empty()) return RunnerSession::end_profile();
    const auto file = deed_ == "profile_elsewhere" ? profile_to_.parent_path() / "elsewhere.json"
                                                   : std::filesystem::path(profile_to_.string() + "_1.json");
    if (deed_ != "profile_missing") std::ofstream(file) << runs_;
    return file;
  }

 private:
  std::filesystem::path model_;
  std::string deed_;
  Level level_;
  std::filesystem::path profile_to_;
  int runs_ = 0;
};

class FakeRunner : public Runner {
 public:
  [[nodiscard]] std::string name() const override { return "fake"; }
  [[nodiscard]] std::string version() const override { return "1.2.3"; }

  Result<std::unique_ptr<RunnerSession>> load(const std::filesystem::path& model,
                                              const SessionOptions& options) override {
    const std::string deed = model.stem().string();
    if (deed == "load_error") return fail(ErrorKind::bad_input, "This is an invalid model", "try another");
    if (deed.starts_with("load_")) misbehave(deed.substr(5));
    if (deed == "cold" && !warm_.contains(options.provider))
      return fail(ErrorKind::bad_input, "the first session of '" + options.provider + "'");
    return std::make_unique<FakeRunnerSession>(model, options);
  }

  Result<std::unique_ptr<RunnerSession>> load(ModelInMemory model, const SessionOptions& options) override {
    const bool leaves_nothing = options.save_optimized_to.empty() && options.profile_to.empty();
    if (leaves_nothing && !model.bytes.empty()) warm_.insert(options.provider);
    return std::make_unique<FakeRunnerSession>("echo", options);
  }

 private:
  std::set<std::string> warm_;
};

}  // namespace

std::unique_ptr<Runner> make_fake_runner() { return std::make_unique<FakeRunner>(); }

}  // namespace culprit::testing
