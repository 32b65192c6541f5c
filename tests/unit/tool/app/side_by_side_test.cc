// The tool as a library: several requests in one process, on workers that are fakes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "app/check_models.h"
#include "app/profile_models.h"
#include "base/file.h"
#include "model/model.h"
#include "unit/jobs/check/fake_executor.h"
#include "unit/models/model/parse.h"
#include "unit/tool/app/fake_blocks.h"
#include "unit/tool/app/fake_workers.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Counts what it hears.
class CountingListener : public Listener {
 public:
  void progress(std::size_t, std::size_t, const std::string&) override { ++progressed; }
  void progress_ends() override {}
  void finished(const ModelReport& model, const Environment&, const fs::path&) override {
    models.push_back(model.model.path);
  }

  int progressed = 0;
  std::vector<std::string> models;
};

class SideBySide : public ::testing::Test {
 protected:
  SideBySide() {
    // What FakeExecutor computes.
    const auto proto = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
      net (float[2] x) => (float[2] y, float[2] z) { y = Add(x, x)  z = Neg(x) })");
    EXPECT_TRUE(write_file_atomic(model(), proto.SerializeAsString()));
  }

  [[nodiscard]] fs::path model() const { return folder_.path() / "net.onnx"; }

  /// Workers of whom this pass breaks y; "": none does.
  static FakeWorkers workers(const std::string& bad_pass) {
    return {[bad_pass] {
              auto executor = std::make_unique<FakeExecutor>();
              if (!bad_pass.empty()) {
                executor->passes[bad_pass].content = "broken";
                executor->passes[bad_pass].shift_y = 0.5F;
              }
              return executor;
            },
            [] { return std::make_unique<LevelBlocks>(); }};
  }

  [[nodiscard]] CheckRequest check_request(const std::string& name) const {
    CheckRequest request;
    request.models = {model()};
    request.folder.run_dir = folder_.path() / name;
    request.folder.keep_repros = false;
    request.localize = false;
    return request;
  }

  [[nodiscard]] ProfileRequest profile_request() const {
    ProfileRequest request;
    request.models = {model()};
    request.folder.run_dir = folder_.path() / "profile";
    request.levels = {Level::off, Level::all};
    return request;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-").value();
};

std::vector<std::string> culprits_of(const CheckAnswer& answer) {
  std::vector<std::string> culprits;
  for (const FaultRecord& fault : answer.report.models.at(0).faults)
    culprits.insert(culprits.end(), fault.culprits.begin(), fault.culprits.end());
  return culprits;
}

TEST_F(SideBySide, TwoChecksAndAProfileInOneProcess) {
  FakeWorkers breaking = workers("fuse_bn_into_conv"), right = workers("");
  CountingListener first, second, third;
  auto one = std::async(std::launch::async, [&] { return check_models(check_request("one"), {breaking, first}); });
  auto two = std::async(std::launch::async, [&] { return check_models(check_request("two"), {right, second}); });
  auto three = std::async(std::launch::async, [&] { return profile_models(profile_request(), {right, third}); });
  const auto faulty = one.get(), clean = two.get();
  const auto profiled = three.get();
  ASSERT_TRUE(faulty && clean && profiled)
      << (faulty ? "" : faulty.error().text()) << (clean ? "" : clean.error().text())
      << (profiled ? "" : profiled.error().text());
  EXPECT_THAT(culprits_of(*faulty), ElementsAre("fuse_bn_into_conv"));
  EXPECT_THAT(culprits_of(*clean), IsEmpty());
  EXPECT_EQ(clean->report.models.at(0).baseline.status, BaselineStatus::ok);
  const ProfileReport& profile = profiled->report;
  ASSERT_EQ(profile.entries.size(), 2U);
  EXPECT_EQ(profile.entries[0].name, "off");
  EXPECT_EQ(profile.entries[1].verdict, SpeedVerdict::faster);
  EXPECT_THAT(first.models, ElementsAre(model().string()));
  EXPECT_GT(first.progressed, 0);
  EXPECT_GT(third.progressed, 0);
}

TEST_F(SideBySide, NothingIsSeenInTheFolderBeforeItIsFinished) {
  FakeWorkers breaking = workers("fuse_bn_into_conv");
  DeafListener nobody;
  auto answer = check_models(check_request("run"), {breaking, nobody});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_FALSE(fs::exists(folder_.path() / "run" / "report.json"));
  EXPECT_FALSE(fs::exists(folder_.path() / "run" / "variants"));
  ASSERT_TRUE(answer->folder.finish("{}"));
  EXPECT_TRUE(fs::exists(folder_.path() / "run" / "report.json"));
  EXPECT_TRUE(fs::exists(folder_.path() / "run" / "variants"));
}

TEST_F(SideBySide, WhatARequestNamesAndIsNotThereIsWrongUsage) {
  FakeWorkers right = workers("");
  DeafListener nobody;
  CheckRequest request = check_request("run");
  request.running.runtime = "nosuch";
  EXPECT_EQ(check_models(request, {right, nobody}).error().kind, ErrorKind::not_found);
  request = check_request("run");
  request.data.samples.data = folder_.path() / "nosuch";
  EXPECT_THAT(check_models(request, {right, nobody}).error().text(), HasSubstr("--data"));
  request = check_request("run");
  request.models.push_back(folder_.path() / "nosuch.onnx");
  EXPECT_EQ(check_models(request, {right, nobody}).error().kind, ErrorKind::usage);
  request = check_request("run");
  request.known = folder_.path() / "nosuch.json";
  EXPECT_THAT(check_models(request, {right, nobody}).error().text(), HasSubstr("--known"));
  EXPECT_FALSE(fs::exists(folder_.path() / "run"));
}

TEST_F(SideBySide, WhoIsInterruptedBeforeTheFirstModelKeepsNothing) {
  FakeWorkers right = workers("");
  DeafListener nobody;
  const auto answer = check_models(check_request("run"), {right, nobody, {}, [] { return true; }});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::interrupted);
  EXPECT_FALSE(fs::exists(folder_.path() / "run"));
}

}  // namespace
}  // namespace culprit
