#include "worker/session_key.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace culprit {
namespace {

RunJob kept_job() {
  RunJob job;
  job.model = "m";
  job.keeps_session = true;
  return job;
}

TEST(SessionKey, EachOptionMakesAnotherSession) {
  const std::vector<std::function<void(RunJob&)>> changes = {
      [](RunJob&) {},
      [](RunJob& job) { job.model = "n"; },
      [](RunJob& job) { job.session.level = Level::all; },
      [](RunJob& job) { job.session.threads = 2; },
      [](RunJob& job) { job.session.provider = "CUDA"; },
      [](RunJob& job) { job.session.custom_ops = {"a"}; },
      [](RunJob& job) { job.session.disabled_steps = {"a"}; },
      [](RunJob& job) { job.session.fetch = {"a"}; },
      [](RunJob& job) {
        job.session.fetch = {"a", "b"};
      },
      [](RunJob& job) { job.session.feed = {"a"}; },
      [](RunJob& job) { job.session.trusted = true; },
      [](RunJob& job) {
        job.perturbation = Perturbation{1, 2};
      },
  };
  std::set<std::string> keys;
  for (const auto& change : changes) {
    RunJob job = kept_job();
    change(job);
    keys.insert(session_key(job));
  }
  EXPECT_EQ(keys.size(), changes.size());
  EXPECT_FALSE(keys.contains(""));
}

TEST(SessionKey, OfTheSameJobIsTheSame) { EXPECT_EQ(session_key(kept_job()), session_key(kept_job())); }

TEST(SessionKey, WhoKeepsNoneHasNone) {
  RunJob job = kept_job();
  job.session.profile_to = "p";
  EXPECT_EQ(session_key(job), "");
  job = kept_job();
  job.keeps_session = false;
  EXPECT_EQ(session_key(job), "");
}

}  // namespace
}  // namespace culprit
