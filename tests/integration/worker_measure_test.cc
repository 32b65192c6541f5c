// Measuring: sessions that stay in one process and run when they are told to.
#include <sched.h>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "pool_fixture.h"
#include "worker/measuring_blocks.h"

namespace culprit::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class MeasureTest : public PoolTest {
 protected:
  std::unique_ptr<MeasuringBlocks> blocks(const std::string& liar = "") {
    const PoolOptions pool = options();
    fs::path program = pool.program;
    if (!liar.empty()) {
      program = folder() / ("liar-" + liar);
      fs::create_symlink(pool.program, program);
    }
    return make_measuring_blocks({program, pool.runner.library, pool.scratch});
  }

  MeasuredModel model(const std::string& deed, std::size_t samples = 2) { return {run(deed, samples), {}}; }
};

TEST_F(MeasureTest, SeveralSessionsLiveInOneProcess) {
  const auto made = blocks();
  {
    const auto block = made->open({model("echo"), model("work")});
    const Loaded loaded = block->load(1);
    EXPECT_FALSE(loaded.failure.failed()) << loaded.failure.message;
    EXPECT_EQ(loaded.runtime_version, "1.2.3");
    EXPECT_FALSE(block->load(0).failure.failed());
    EXPECT_THAT(block->run(0, 3).seconds, SizeIs(3));
    const Turn slow = block->run(1, 2);
    ASSERT_THAT(slow.seconds, SizeIs(2));
    EXPECT_GT(slow.seconds[0], 0.1) << "it uses a fifth of a second of CPU time";
    EXPECT_THAT(block->run(0, 1).seconds, SizeIs(1));
    EXPECT_THAT(marked_processes(), SizeIs(1));
  }
  EXPECT_TRUE(wait_for_no_processes());
}

TEST_F(MeasureTest, ATurnCanBeOfOneSampleAlone) {
  const auto block = blocks()->open({model("echo", 2)});
  block->load(0);
  EXPECT_THAT(block->run_sample(0, 3, 1).seconds, SizeIs(3));
  EXPECT_THAT(block->run_sample(0, 2, 7).seconds, SizeIs(2)) << "counted round";
}

TEST_F(MeasureTest, ASessionGivesItsProfileAndTellsWhatEachRunWaited) {
  MeasuredModel echo = model("echo");
  echo.job.session.profile_to = folder() / "profile";
  const auto block = blocks()->open({echo, model("work")});
  block->load(0);
  block->load(1);
  EXPECT_THAT(block->run(0, 3).waited, SizeIs(3));
  const auto file = block->end_profile(0);
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(*file, folder() / "profile_1.json");
  EXPECT_FALSE(block->end_profile(1)) << "it makes none";
}

TEST_F(MeasureTest, AProfileThatLiesElsewhereIsNotBelieved) {
  MeasuredModel liar = model("profile_elsewhere");
  liar.job.session.profile_to = folder() / "profile";
  const auto block = blocks()->open({liar});
  block->load(0);
  const auto file = block->end_profile(0);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::bad_input);
}

/// Another thread wants the CPU on which the run is: then the clock goes on while the run stands still.
TEST_F(MeasureTest, WaitingForACpuIsNoTimeOfTheRun) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);  // its processes and threads, too
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (!is_over) {
    }
  });
  const auto block = blocks()->open({model("work")});
  block->load(0);
  const auto start = std::chrono::steady_clock::now();
  const Turn turn = block->run(0, 2);
  const double by_clock = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  is_over = true;
  other.join();
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  ASSERT_THAT(turn.seconds, SizeIs(2));
  EXPECT_LT(turn.seconds[0] + turn.seconds[1], 0.8 * by_clock) << "half of it, or less";
}

/// What a process pays once is paid before the first session that is timed, for each provider.
TEST_F(MeasureTest, NoSessionThatIsTimedIsTheFirstOfItsProcess) {
  MeasuredModel saving = model("cold"), other = model("cold");
  saving.job.session.save_optimized_to = folder() / "saved.onnx";
  other.job.session.provider = "Other";
  for (const std::vector<MeasuredModel>& models : {std::vector{saving}, {other, model("cold")}}) {
    const auto block = blocks()->open(models);
    for (std::size_t i = 0; i < models.size(); ++i) {
      const Loaded loaded = block->load(i);
      EXPECT_FALSE(loaded.failure.failed()) << loaded.failure.message;
    }
  }
}

TEST_F(MeasureTest, AnotherLibraryHasAProcessOfItsOwn) {
  const auto made = blocks();
  MeasuredModel other = model("echo");
  other.library = "no/such/library.so";
  const auto block = made->open({model("echo"), other});
  EXPECT_FALSE(block->load(0).failure.failed());
  const Loaded loaded = block->load(1);
  EXPECT_THAT(loaded.failure.message, HasSubstr("no/such/library.so"));
  EXPECT_THAT(marked_processes(), SizeIs(2));
}

TEST_F(MeasureTest, MemoryIsToldOfOneStepAfterTheOther) {
  const auto block = blocks()->open({model("echo")});
  const Resident before = block->resident(0);
  EXPECT_GT(before.now, 0u);
  block->load(0);
  const Resident after = block->resident(0);
  EXPECT_GE(after.largest, after.now / 2);
  EXPECT_EQ(after.arena, 0u) << "this runner cannot tell";
}

TEST_F(MeasureTest, AFailureIsToldAndStays) {
  const std::map<std::string, Ending> deeds{
      {"load_error", Ending::threw}, {"load_segfault", Ending::crashed}, {"load_exit", Ending::exited}};
  for (const auto& [deed, ending] : deeds) {
    const auto block = blocks()->open({model("echo"), model(deed)});
    EXPECT_FALSE(block->load(0).failure.failed());
    const Loaded loaded = block->load(1);
    EXPECT_EQ(loaded.failure.ending, ending) << deed << ": " << loaded.failure.message;
    EXPECT_EQ(block->run(0, 1).failure.message, loaded.failure.message) << "the block is over";
  }
}

TEST_F(MeasureTest, ARunThatDiesEndsTheBlock) {
  for (const std::string deed : {"run_error", "run_segfault", "second_abort"}) {
    const auto block = blocks()->open({model(deed)});
    EXPECT_FALSE(block->load(0).failure.failed());
    const Turn turn = block->run(0, 2);
    EXPECT_TRUE(turn.failure.failed()) << deed;
    EXPECT_THAT(turn.seconds, SizeIs(0));
  }
}

TEST_F(MeasureTest, WhatHangsIsTimedOut) {
  for (const std::string deed : {"load_sleep", "run_busy"}) {
    MeasuredModel hanging = model(deed);
    hanging.job.limits.cpu_seconds = 0.3;
    const auto block = blocks()->open({hanging});
    Failure failure = block->load(0).failure;
    if (!failure.failed()) failure = block->run(0, 1).failure;
    EXPECT_EQ(failure.ending, Ending::timed_out) << deed << ": " << failure.message;
  }
}

TEST_F(MeasureTest, AMissingSampleIsTheMachinesFault) {
  MeasuredModel without = model("echo");
  without.job.samples.push_back(folder() / "gone.pack");
  const auto block = blocks()->open({without});
  EXPECT_TRUE(block->load(0).failure.machine);
}

TEST_F(MeasureTest, NonsenseIsNotBelieved) {
  for (const std::string how : {"garbage", "length", "empty", "ran_first", "quit"}) {
    const auto block = blocks(how)->open({model("echo")});
    const Loaded loaded = block->load(0);
    EXPECT_THAT(loaded.failure.ending, AnyOf(Ending::crashed, Ending::exited)) << how << loaded.failure.message;
  }
}

}  // namespace
}  // namespace culprit::testing
