#include "pool_fixture.h"

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "tensor/pack_file.h"

namespace culprit::testing {
namespace {

constexpr const char* mark_name = "CULPRIT_TEST_MARK";

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_marked(const fs::path& process, const std::string& mark) {
  const std::string stat = slurp(process / "stat");
  const auto state = stat.rfind(')');
  if (state == std::string::npos || stat.compare(state + 1, 2, " Z") == 0) return false;
  return slurp(process / "environ").find(mark) != std::string::npos;
}

bool eventually(const std::function<bool()>& holds) {
  constexpr int most_tries = 3000;  // of 10 ms: nothing here takes so long, unless it is broken
  for (int i = 0; i < most_tries; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

const char* const small_model = R"(
  <ir_version: 8, opset_import: ["" : 13]>
  small (float[2] x) => (float[2] y) {
    a = Identity(x)
    b = Neg(a)
    y = Identity(b)
  })";

std::vector<pid_t> marked_processes() {
  std::vector<pid_t> found;
  const std::string mark = std::string(mark_name) + "=" + std::getenv(mark_name);
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 1 && pid != ::getpid() && is_marked(entry.path(), mark)) found.push_back(pid);
  }
  return found;
}

bool wait_for_processes(std::size_t at_least) {
  return eventually([&] { return marked_processes().size() >= at_least; });
}

bool wait_for_no_processes() {
  return eventually([] { return marked_processes().empty(); });
}

PoolTest::PoolTest() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-pool").value()) {
  ::setenv(mark_name, folder_.path().c_str(), 1);
  ::setenv("CULPRIT_TEST_FLICKER", (folder_.path() / "flicker").c_str(), 1);
  fs::create_directory(folder() / "scratch");
  write_model(small_model, folder() / "model.onnx");
}

void PoolTest::TearDown() {
  EXPECT_TRUE(wait_for_no_processes()) << marked_processes().size() << " processes are left";
  EXPECT_TRUE(fs::is_empty(folder() / "scratch")) << "logs are left";
}

PoolOptions PoolTest::options(int jobs) const { return {CULPRIT_TEST_WORKER, {"fake"}, jobs, folder() / "scratch"}; }

std::unique_ptr<Executor> PoolTest::liars(const std::string& how) {
  PoolOptions lying = options();
  lying.program = folder() / ("liar-" + how);
  fs::create_symlink(CULPRIT_TEST_WORKER, lying.program);
  return made(lying);
}

std::unique_ptr<Executor> PoolTest::made(PoolOptions options) {
  return std::move(make_pool(std::move(options)).value());
}

OptimizeJob PoolTest::optimize(const std::vector<std::string>& recipes) {
  OptimizeJob job;
  job.model = folder() / "model.onnx";
  job.optimizer = "fake";
  for (const std::string& recipe : recipes) {
    std::istringstream passes(recipe);
    Recipe made{"fake", {}, Repeat::once};
    for (std::string pass; std::getline(passes, pass, ',');) made.passes.push_back(pass);
    job.recipes.push_back(made);
  }
  job.folder = folder() / "variants";
  return job;
}

RunJob PoolTest::run(const std::string& model, std::size_t samples) {
  RunJob job;
  job.model = folder() / (model + ".onnx");
  job.folder = folder() / ("outputs-" + model);
  for (std::size_t i = 0; i < samples; ++i) {
    job.samples.push_back(folder() / ("sample-" + std::to_string(i)));
    const std::vector<NamedTensor> tensors{{"x", Tensor::of<float>({2}, {static_cast<float>(i), 1})},
                                           {"y", Tensor::from_strings({1}, {"text"}).value()}};
    EXPECT_TRUE(write_pack(job.samples.back(), tensors));
  }
  return job;
}

std::vector<Outcome> drain(Executor& executor) {
  std::vector<Outcome> outcomes;
  while (auto outcome = executor.next()) outcomes.push_back(std::move(*outcome));
  return outcomes;
}

RunOutcome only_run(Executor& executor, RunJob job) {
  const JobId id = executor.submit(std::move(job));
  const auto outcomes = of<RunOutcome>(drain(executor));
  EXPECT_EQ(outcomes.size(), 1u);
  if (outcomes.empty()) return {};
  EXPECT_EQ(outcomes.front().job, id);
  return outcomes.front();
}

std::vector<VariantOutcome> variants_of(Executor& executor, OptimizeJob job) {
  std::vector<VariantOutcome> by_recipe(job.recipes.size());
  const JobId id = executor.submit(std::move(job));
  const auto outcomes = drain(executor);
  EXPECT_EQ(outcomes.size(), by_recipe.size() + 1);
  const auto* imported = outcomes.empty() ? nullptr : std::get_if<ImportOutcome>(&outcomes.front());
  EXPECT_TRUE(imported != nullptr && imported->job == id && !imported->failure.failed());
  std::vector<int> seen(by_recipe.size());
  for (const auto& variant : of<VariantOutcome>(outcomes)) {
    EXPECT_EQ(variant.job, id);
    ++seen.at(variant.recipe);
    by_recipe.at(variant.recipe) = variant;
  }
  EXPECT_THAT(seen, ::testing::Each(1));
  return by_recipe;
}

void write_model(const std::string& text, const fs::path& path) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, text.c_str());
  ASSERT_TRUE(status.IsOK()) << status.ErrorMessage();
  std::ofstream file(path, std::ios::binary);
  ASSERT_TRUE(model.SerializeToOstream(&file));
}

}  // namespace culprit::testing
