// Run jobs: load, feed, write outputs, and tell where it failed.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <set>

#include "pool_fixture.h"
#include "runtime/find_library.h"
#include "tensor/pack_file.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Stage = RunOutcome::Stage;

std::int64_t pid_in(const RunOutcome& outcome) {
  return outcome.outputs.empty() ? -1 : read_pack(outcome.outputs[0]).value().at(0).value.as<std::int64_t>()[0];
}

TEST_F(PoolTest, OutputsComeInPacksByNumber) {
  auto workers = pool();
  RunJob job = run("echo", 3);
  job.session.level = Level::extended;
  const RunOutcome outcome = only_run(*workers, job);
  ASSERT_EQ(outcome.stage, Stage::done) << outcome.failure.message;
  EXPECT_FALSE(outcome.failure.failed());
  EXPECT_THAT(outcome.outputs, ElementsAre(job.folder / "0.pack", job.folder / "1.pack", job.folder / "2.pack"));
  const auto third = read_pack(outcome.outputs[2]).value();
  ASSERT_THAT(third, SizeIs(2));
  EXPECT_EQ(third[0].name, "x");
  EXPECT_THAT(third[0].value.as<float>(), ElementsAre(2, 1));
  EXPECT_THAT(third[1].value.strings(), ElementsAre("text"));
  EXPECT_EQ(outcome.runtime_version, "1.2.3");
  EXPECT_EQ(outcome.level, "extended");
  const Counts counts = workers->counts();
  EXPECT_EQ(counts.sessions, 1);
  EXPECT_EQ(counts.runs, 3);
  EXPECT_EQ(counts.processes, 1);
}

TEST_F(PoolTest, ASessionIsKeptForTheNextChunk) {
  auto workers = pool(1);
  RunJob chunk = run("echo", 2);
  chunk.keeps_session = true;
  EXPECT_EQ(only_run(*workers, chunk).stage, Stage::done);
  const RunOutcome second = only_run(*workers, chunk);
  EXPECT_EQ(second.stage, Stage::done);
  EXPECT_EQ(second.seconds_load, 0);
  EXPECT_EQ(workers->counts().sessions, 1);
  EXPECT_EQ(workers->counts().runs, 4);
  RunJob other = chunk;
  other.session.threads = 2;
  only_run(*workers, other);
  EXPECT_EQ(workers->counts().sessions, 2) << "another session is another one";
  only_run(*workers, chunk);
  EXPECT_EQ(workers->counts().sessions, 3) << "one is kept, not all";
  only_run(*workers, run("echo", 1));
  only_run(*workers, chunk);
  EXPECT_EQ(workers->counts().sessions, 5) << "a job that keeps none drops it";
}

TEST_F(PoolTest, AProfileEndsWithItsJobAndItsFileIsTold) {
  auto workers = pool(1);
  RunJob job = run("echo", 3);
  EXPECT_EQ(only_run(*workers, job).profile, "") << "none was asked for";
  job.session.profile_to = folder() / "profile";
  job.keeps_session = true;
  const RunOutcome outcome = only_run(*workers, job);
  ASSERT_EQ(outcome.stage, Stage::done) << outcome.failure.message;
  EXPECT_EQ(outcome.profile, folder() / "profile_1.json");
  EXPECT_EQ(read_file(outcome.profile).value(), "3") << "it ends after the last sample";
  only_run(*workers, job);
  EXPECT_EQ(workers->counts().sessions, 3) << "a session whose profile has ended is not kept";
}

TEST_F(PoolTest, AProfileThatIsNotWhereItWasAskedForIsNotBelieved) {
  auto workers = pool();
  for (const char* model : {"profile_elsewhere", "profile_missing"}) {
    RunJob job = run(model);
    job.session.profile_to = folder() / "profile";
    const RunOutcome outcome = only_run(*workers, job);
    EXPECT_TRUE(outcome.failure.failed()) << model;
    EXPECT_EQ(outcome.profile, "") << model;
  }
}

TEST_F(PoolTest, ChunksGoToTheWorkerThatHasTheirSession) {
  auto workers = pool(2);
  RunJob one = run("echo", 1), other = run("echo", 1);
  one.keeps_session = other.keeps_session = true;
  other.session.threads = 2;
  for (int chunk = 0; chunk < 3; ++chunk) {
    const RunJob& first = chunk % 2 == 0 ? one : other;
    workers->submit(first);
    workers->submit(&first == &one ? other : one);
    while (workers->next()) {
    }
  }
  EXPECT_EQ(workers->counts().sessions, 2);
}

TEST_F(PoolTest, InputsAreRenamedAndCast) {
  auto workers = pool();
  RunJob job = run("echo", 1);
  job.inputs = {{"y", "words", DType::undefined}, {"x", "numbers", DType::f64}};
  const RunOutcome outcome = only_run(*workers, job);
  ASSERT_EQ(outcome.stage, Stage::done) << outcome.failure.message;
  const auto fed = read_pack(outcome.outputs[0]).value();
  ASSERT_THAT(fed, SizeIs(2));
  EXPECT_EQ(fed[0].name, "words");
  EXPECT_EQ(fed[1].name, "numbers");
  EXPECT_THAT(fed[1].value.as<double>(), ElementsAre(0.0, 1.0));
}

TEST_F(PoolTest, AMissingInputIsNamed) {
  auto workers = pool();
  RunJob job = run("echo", 1);
  job.inputs = {{"z", "data", DType::undefined}};
  const RunOutcome outcome = only_run(*workers, job);
  EXPECT_EQ(outcome.stage, Stage::run);
  EXPECT_THAT(outcome.failure.message, HasSubstr("'z'"));
}

TEST_F(PoolTest, WhatIsEnoughEndsTheRunBehindItsFirstSample) {
  auto workers = pool();
  RunJob job = run("second_sleep", 3);
  job.is_enough = [] { return true; };
  const RunOutcome outcome = only_run(*workers, job);
  EXPECT_TRUE(outcome.failure.skipped) << outcome.failure.message;
  EXPECT_EQ(outcome.stage, Stage::run);
  EXPECT_THAT(outcome.outputs, ElementsAre(job.folder / "0.pack"));
  EXPECT_EQ(only_run(*workers, run("echo", 1)).stage, Stage::done);
}

TEST_F(PoolTest, NoSamplesLoadsOnly) {
  auto workers = pool();
  const RunOutcome outcome = only_run(*workers, run("echo", 0));
  EXPECT_EQ(outcome.stage, Stage::done);
  EXPECT_THAT(outcome.outputs, IsEmpty());
  EXPECT_EQ(workers->counts().runs, 0);
  EXPECT_EQ(workers->counts().sessions, 1);
}

TEST_F(PoolTest, EveryDeathIsToldWithItsStage) {
  struct Death {
    Stage stage;
    Ending ending;
  };
  const std::map<std::string, Death> deaths{{"load_segfault", {Stage::load, Ending::crashed}},
                                            {"load_throw", {Stage::load, Ending::threw}},
                                            {"load_error", {Stage::load, Ending::threw}},
                                            {"load_exit", {Stage::load, Ending::exited}},
                                            {"run_abort", {Stage::run, Ending::crashed}},
                                            {"run_overflow", {Stage::run, Ending::crashed}},
                                            {"run_bad_alloc", {Stage::run, Ending::out_of_memory}},
                                            {"run_oom", {Stage::run, Ending::out_of_memory}},
                                            {"run_error", {Stage::run, Ending::threw}},
                                            {"run_throw_int", {Stage::run, Ending::threw}},
                                            {"run_sigkill", {Stage::run, Ending::out_of_memory}},
                                            {"run_children", {Stage::run, Ending::crashed}},
                                            {"run_close", {Stage::run, Ending::crashed}},
                                            {"run_garbage", {Stage::run, Ending::crashed}}};
  auto workers = pool(3);
  std::map<JobId, std::string> names;
  for (const auto& [name, death] : deaths) names[workers->submit(run(name))] = name;
  const JobId good = workers->submit(run("echo"));
  const auto outcomes = of<RunOutcome>(drain(*workers));
  EXPECT_EQ(outcomes.size(), deaths.size() + 1);
  for (const RunOutcome& outcome : outcomes) {
    if (outcome.job == good) {
      EXPECT_EQ(outcome.stage, Stage::done);
      continue;
    }
    const std::string& name = names.at(outcome.job);
    EXPECT_EQ(outcome.stage, deaths.at(name).stage) << name;
    EXPECT_EQ(outcome.failure.ending, deaths.at(name).ending) << name << ": " << outcome.failure.message;
    EXPECT_FALSE(outcome.failure.machine) << name;
    EXPECT_EQ(outcome.runtime_version, "1.2.3") << name;
  }
}

TEST_F(PoolTest, KeepsTheRuntimesWordsAndLastWords) {
  auto workers = pool();
  EXPECT_EQ(only_run(*workers, run("load_error")).failure.message, "This is an invalid model. try another");
  EXPECT_THAT(only_run(*workers, run("run_print")).failure.last_words, HasSubstr("last words on stderr "));
  EXPECT_THAT(only_run(*workers, run("run_throw")).failure.last_words, IsEmpty());
}

TEST_F(PoolTest, LastWordsAreOfThisJob) {
  auto workers = pool(1);
  EXPECT_EQ(only_run(*workers, run("speak")).stage, Stage::done);
  EXPECT_THAT(only_run(*workers, run("run_throw")).failure.last_words, IsEmpty());
  EXPECT_EQ(workers->counts().processes, 1);
}

TEST_F(PoolTest, OutputsBeforeACrashAreKept) {
  auto workers = pool();
  const RunJob job = run("second_segfault", 3);
  const RunOutcome outcome = only_run(*workers, job);
  EXPECT_EQ(outcome.stage, Stage::run);
  EXPECT_THAT(outcome.outputs, ElementsAre(job.folder / "0.pack"));
  EXPECT_EQ(workers->counts().runs, 2);
}

TEST_F(PoolTest, AWorkerServesManyJobs) {
  auto workers = pool(1);
  const auto first = pid_in(only_run(*workers, run("pid", 1)));
  EXPECT_EQ(pid_in(only_run(*workers, run("pid", 1))), first);
  EXPECT_EQ(workers->counts().processes, 1);
}

TEST_F(PoolTest, AFreshProcessIsFresh) {
  auto workers = pool(1);
  std::set<std::int64_t> pids{pid_in(only_run(*workers, run("pid", 1)))};
  RunJob fresh = run("pid", 1);
  fresh.fresh_process = true;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(pids.insert(pid_in(only_run(*workers, fresh))).second);
  EXPECT_EQ(workers->counts().processes, 4);
  EXPECT_LE(marked_processes().size(), 2u);  // the spare ones were retired
}

TEST_F(PoolTest, AWorkerIsRetiredAfterAnException) {
  auto workers = pool(1);
  const auto first = pid_in(only_run(*workers, run("pid", 1)));
  only_run(*workers, run("run_error"));
  EXPECT_NE(pid_in(only_run(*workers, run("pid", 1))), first);
  EXPECT_EQ(workers->counts().processes, 2);
}

TEST_F(PoolTest, AnIdleWorkerThatDiedIsReplaced) {
  auto workers = pool(1);
  const auto first = pid_in(only_run(*workers, run("pid", 1)));
  ::kill(static_cast<pid_t>(first), SIGKILL);
  siginfo_t info{};  // its environment, and so its mark, goes a moment before it has ended
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(first), &info, WEXITED | WNOWAIT), 0);
  const RunOutcome second = only_run(*workers, run("pid", 1));
  EXPECT_EQ(second.stage, Stage::done) << second.failure.message;
}

TEST_F(PoolTest, OutputsThatCannotBeWrittenAreTheMachinesFault) {
  auto workers = pool();
  RunJob job = run("echo", 1);
  job.folder = "/proc/no/such/folder";
  const RunOutcome outcome = only_run(*workers, job);
  EXPECT_EQ(outcome.stage, Stage::run);
  EXPECT_TRUE(outcome.failure.machine);
  EXPECT_THAT(outcome.failure.message, HasSubstr("/proc/no/such/folder"));
}

TEST_F(PoolTest, ASampleThatIsGoneIsTheMachinesFault) {
  auto workers = pool();
  RunJob job = run("echo", 2);
  fs::remove(job.samples[1]);
  const RunOutcome outcome = only_run(*workers, job);
  EXPECT_EQ(outcome.stage, Stage::run);
  EXPECT_TRUE(outcome.failure.machine);
  EXPECT_THAT(outcome.outputs, SizeIs(1));
}

TEST_F(PoolTest, MoreJobsThanWorkers) {
  auto workers = pool(2);
  std::set<JobId> waiting;
  for (int i = 0; i < 20; ++i) waiting.insert(workers->submit(run("echo", 1)));
  for (const RunOutcome& outcome : of<RunOutcome>(drain(*workers))) {
    EXPECT_EQ(outcome.stage, Stage::done);
    EXPECT_EQ(waiting.erase(outcome.job), 1u);
  }
  EXPECT_THAT(waiting, IsEmpty());
  EXPECT_EQ(workers->counts().processes, 2);
}

TEST_F(PoolTest, RunsWhileOptimizing) {
  auto workers = pool(2);
  workers->submit(optimize({"full_sleep", "grow"}));
  const JobId running = workers->submit(run("echo", 1));
  while (const auto outcome = workers->next()) {  // comes although the sleeping pass is not over
    if (const auto* ran = std::get_if<RunOutcome>(&*outcome)) {
      EXPECT_EQ(ran->job, running);
      return;
    }
  }
  FAIL() << "the run never came";
}

TEST_F(PoolTest, JobsLongerThanASocketTakesAtOnce) {
  auto workers = pool(2);
  RunJob job = run("load_error", 1);
  job.samples.resize(100'000, job.samples[0]);
  workers->submit(job);
  workers->submit(job);
  const auto outcomes = of<RunOutcome>(drain(*workers));
  ASSERT_THAT(outcomes, SizeIs(2));
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.stage, Stage::load) << outcome.failure.message;
}

TEST_F(PoolTest, AWorkerInheritsNothing) {
  const int leaked = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  auto workers = pool(1);
  const RunOutcome outcome = only_run(*workers, run("descriptors", 1));
  ASSERT_EQ(outcome.stage, Stage::done) << outcome.failure.message;
  const Tensor descriptors = read_pack(outcome.outputs[0]).value().at(0).value;
  EXPECT_THAT(descriptors.as<std::int64_t>(), ElementsAre(0, 1, 2, 3));
  ::close(leaked);
}

// The pool's own sockets then stand where the worker's streams must come.
TEST_F(PoolTest, WorksWithClosedStreamsAndForgottenChildren) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    ::signal(SIGCHLD, SIG_IGN);
    const bool echoed = only_run(*pool(1), run("echo")).stage == Stage::done;
    const bool crashed = only_run(*pool(1), run("run_abort")).failure.message == "killed by SIGABRT";
    ::_exit(echoed && crashed ? 0 : 1);
  }
  int status = -1;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
}

/// A file that is TFLite by its first bytes; the fake runner does what its name says.
fs::path tflite_file(const fs::path& path) {
  std::ofstream(path, std::ios::binary) << std::string("\x1c\0\0\0TFL3", 8);
  return path;
}

TEST_F(PoolTest, TheFormatOfAModelTellsWhoRunsIt) {
  PoolOptions two = options(1);
  two.others.emplace(ModelFormat::tflite, RunnerSpec{"fake", std::string(tflite_kind)});
  auto workers = made(two);
  RunJob other = run("pid", 1);
  other.model = tflite_file(folder() / "pid.tflite");
  std::set<std::int64_t> of_onnx, of_tflite;
  for (int i = 0; i < 2; ++i) {
    of_onnx.insert(pid_in(only_run(*workers, run("pid", 1))));
    of_tflite.insert(pid_in(only_run(*workers, other)));
  }
  EXPECT_THAT(of_onnx, SizeIs(1));  // each kind has a worker of its own, and keeps it
  EXPECT_THAT(of_tflite, SizeIs(1));
  EXPECT_NE(of_onnx, of_tflite);
  EXPECT_EQ(workers->counts().processes, 2);
}

TEST_F(PoolTest, AJobThatNobodyRunsFailsAtTheStart) {
  PoolOptions none = options(1);
  none.others.emplace(ModelFormat::tflite, fail(ErrorKind::not_found, "no LiteRT", "scripts/setup tflite brings it"));
  for (const PoolOptions& pool : {none, options(1)}) {
    auto workers = made(pool);
    RunJob job = run("pid", 1);
    job.model = tflite_file(folder() / "pid.tflite");
    const RunOutcome outcome = only_run(*workers, job);
    EXPECT_EQ(outcome.stage, Stage::start);
    EXPECT_TRUE(outcome.failure.machine);
    EXPECT_EQ(outcome.failure.message, pool.others.empty() ? "nobody here runs a model of the format TFLite"
                                                           : "no LiteRT. scripts/setup tflite brings it");
    EXPECT_EQ(workers->counts().processes, 0);
  }
}

TEST_F(PoolTest, RunsTheRealRuntime) {
  PoolOptions real = options();
  real.runner.library = find_onnxruntime("").value();
  auto workers = made(real);
  RunJob job = run("model", 2);
  job.inputs = {{"x", "x", DType::undefined}};
  const RunOutcome outcome = only_run(*workers, job);
  ASSERT_EQ(outcome.stage, Stage::done) << outcome.failure.message;
  EXPECT_THAT(read_pack(outcome.outputs[1]).value().at(0).value.as<float>(), ElementsAre(-1, -1));
  EXPECT_EQ(outcome.level, "off");
  job.inputs = {{"y", "x", DType::undefined}};
  const RunOutcome refused = only_run(*workers, job);
  EXPECT_EQ(refused.stage, Stage::run);
  EXPECT_EQ(refused.failure.ending, Ending::threw);
  EXPECT_THAT(refused.failure.message, HasSubstr("INVALID_ARGUMENT"));
}

}  // namespace
}  // namespace culprit::testing
