// The tool as a library, on real processes: several requests in one process that is not `culprit`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "app/check_models.h"
#include "app/profile_models.h"
#include "support/corpus_case.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

/// The model of tests/corpus/<name>.onnxtxt, in `folder`.
fs::path corpus_model(const std::string& name, const fs::path& folder) {
  const auto read = read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests" / "corpus" / (name + ".onnxtxt"));
  EXPECT_TRUE(read) << (read ? "" : read.error().text());
  fs::create_directories(folder);
  EXPECT_TRUE(read && write_corpus_case(*read, folder));
  return folder / "model.onnx";
}

CheckRequest check_of(const fs::path& model) {
  CheckRequest request;
  request.models = {model};
  request.running.jobs = 1;
  request.folder.run_dir = model.parent_path() / "run";
  request.folder.keep_repros = false;
  request.localize = false;
  return request;
}

TEST(Library, TwoChecksAndAProfileSideBySideOnRealWorkers) {
  const TemporaryFolder folder = scratch();
  const auto workers = make_process_workers(CULPRIT_BINARY);
  DeafListener nobody;
  const CheckRequest faulty = check_of(corpus_model("faults/plus-zero-drops-the-sign", folder.path() / "faulty"));
  const CheckRequest clean = check_of(corpus_model("clean/identities", folder.path() / "clean"));
  ProfileRequest timed;
  timed.models = {clean.models.front()};
  timed.folder.run_dir = folder.path() / "profile";
  timed.levels = {Level::off, Level::all};
  timed.blocks = 2;
  auto first = std::async(std::launch::async, [&] { return check_models(faulty, {*workers, nobody}); });
  auto second = std::async(std::launch::async, [&] { return check_models(clean, {*workers, nobody}); });
  auto third = std::async(std::launch::async, [&] { return profile_models(timed, {*workers, nobody}); });
  const auto one = first.get(), two = second.get();
  const auto three = third.get();
  ASSERT_TRUE(one && two && three) << (one ? "" : one.error().text()) << (two ? "" : two.error().text())
                                   << (three ? "" : three.error().text());
  ASSERT_FALSE(one->report.models.at(0).faults.empty());
  EXPECT_THAT(one->report.models[0].faults[0].culprits, Contains("eliminate_nop_with_unit"));
  EXPECT_THAT(two->report.models.at(0).faults, IsEmpty());
  EXPECT_EQ(two->report.models[0].baseline.status, BaselineStatus::ok);
  ASSERT_EQ(three->report.entries.size(), 2U);
  for (const ProfileEntry& entry : three->report.entries) EXPECT_NE(entry.verdict, SpeedVerdict::failed) << entry.name;
}

}  // namespace
}  // namespace culprit::testing
