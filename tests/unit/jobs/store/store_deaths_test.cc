#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <future>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "unit/jobs/store/store_place.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::key_of;

/// A child that runs `work`, which tells the number of each finished case into a pipe.
class Writer {
 public:
  template <class Work>
  explicit Writer(const Work& work) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(pipe[0]);
      work(pipe[1]);
      ::_exit(0);
    }
    ::close(pipe[1]);
    told_ = pipe[0];
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    kill_and_read();
    ::close(told_);
  }
  /// The next number, or -1 at the end.
  [[nodiscard]] int next() const {
    int number = -1;
    return ::read(told_, &number, sizeof number) == sizeof number ? number : -1;
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  std::vector<int> kill_and_read() {
    std::vector<int> numbers;
    kill();
    for (int number = next(); number >= 0; number = next()) numbers.push_back(number);
    return numbers;
  }

 private:
  pid_t pid_ = -1;
  int told_ = -1;
};

void tell(int pipe, int number) {
  if (::write(pipe, &number, sizeof number) != sizeof number) ::_exit(1);
}

class StoreDeaths : public testing::StorePlace {};

/// Runs what waits and tells each case that is finished.
void run_all(const fs::path& file, int pipe, int count) {
  auto store = CaseStore::open(file, {.most_lost_attempts = 1000});
  if (!store) ::_exit(2);
  if (!store->plan(testing::cases_up_to(count))) ::_exit(3);
  for (int number = 0; number < count; ++number) {
    auto attempt = store->begin(key_of(number));
    if (!attempt) continue;
    const std::string report(static_cast<std::size_t>(number % 7) * 3000, 'r');
    if (!store->finish(*attempt, testing::outcome_of(OutcomeStatus::ok, report))) ::_exit(4);
    tell(pipe, number);
  }
}

// The first of these kills fall into the making of the file.
TEST_F(StoreDeaths, LoseNoCaseThatWasFinishedInFiftyKills) {
  constexpr int cases = 2000;
  const fs::path file = at("run.sqlite");
  Random random(50);
  std::set<int> told;
  for (int death = 0; death < 50; ++death) {
    Writer writer([&](int pipe) { run_all(file, pipe, cases); });
    // The others fall behind the first case that it finishes, however slow the machine is.
    if (const int first = death < 10 ? -1 : writer.next(); first >= 0) told.insert(first);
    ::usleep(static_cast<useconds_t>(random.between(0, death < 10 ? 30'000 : 150'000)));
    for (const int number : writer.kill_and_read()) told.insert(number);
    if (!fs::exists(file)) continue;
    ASSERT_EQ(testing::integrity_of(file), "ok\n") << death;
    const CaseReader reader = CaseReader::open(file).value();
    std::int64_t finished = 0;
    ASSERT_TRUE(reader.for_each({.states = {CaseState::finished}}, [&](const CaseEntry&) {
      ++finished;
      return Looking::on;
    }));
    // The last one may be finished, and its process dead before it could tell.
    EXPECT_GE(finished, static_cast<std::int64_t>(told.size()));
    EXPECT_LE(finished, static_cast<std::int64_t>(told.size()) + death + 1);
    for (const int number : told) ASSERT_TRUE(reader.outcome_of(key_of(number)).value()) << death << " " << number;
  }
  EXPECT_GT(told.size(), 20U);
  CaseStore store = CaseStore::open(file).value();
  EXPECT_EQ(store.counts().value().in(CaseState::running), 0);
}

TEST_F(StoreDeaths, WhatADeadProcessWasStartingIsWaitedFor) {
  store_with(2);
  const fs::path file = at("run.sqlite");
  std::array<int, 2> go_on{};
  ASSERT_EQ(::pipe(go_on.data()), 0);
  Writer writer([&](int pipe) {
    auto store = CaseStore::open(file);
    if (::fork() == 0) {  // as between fork and exec: it has all that its parent had
      tell(pipe, 1);
      char byte = 0;
      (void)!::read(go_on[0], &byte, 1);
      ::_exit(0);
    }
    ::pause();
  });
  ASSERT_EQ(writer.next(), 1);
  ASSERT_FALSE(CaseStore::open(file)) << "its owner lives";
  writer.kill();
  auto opened = std::async(std::launch::async, [&] { return CaseStore::open(file); });
  EXPECT_EQ(opened.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  ASSERT_EQ(::write(go_on[1], "x", 1), 1);
  EXPECT_TRUE(opened.get());
  ::close(go_on[0]);
  ::close(go_on[1]);
}

TEST_F(StoreDeaths, GiveTheLockBackAndTellWhatWasBegun) {
  store_with(2);
  const fs::path file = at("run.sqlite");
  Writer writer([&](int pipe) {
    auto store = CaseStore::open(file);
    if (store && store->begin(key_of(1))) tell(pipe, 1);
    ::pause();
  });
  ASSERT_EQ(writer.next(), 1);
  const auto second = CaseStore::open(file);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::usage);
  EXPECT_THAT(second.error().text(),
              AllOf(HasSubstr("run.sqlite is in use by another run (process "), HasSubstr("another folder")));
  const CaseReader reader = CaseReader::open(file).value();  // who reads is never refused
  EXPECT_EQ(reader.find(key_of(1)).value()->state, CaseState::running);
  EXPECT_TRUE(CaseStore::open(at("other.sqlite")));  // and other stores are free
  writer.kill_and_read();
  EXPECT_EQ(reader.find(key_of(1)).value()->state, CaseState::waiting);
  EXPECT_EQ(reader.find(key_of(1)).value()->lost_attempts, 1);
  CaseStore store = CaseStore::open(file).value();
  EXPECT_EQ(store.find(key_of(1)).value()->lost_attempts, 1);
  EXPECT_EQ(reader.counts().value().in(CaseState::waiting), 2);
}

TEST_F(StoreDeaths, OneProcessOpensAStoreForWritingOnce) {
  const CaseStore store = store_with(1);
  EXPECT_EQ(CaseStore::open(at("run.sqlite")).error().kind, ErrorKind::usage);
}

TEST_F(StoreDeaths, ReadersSeeWhatIsFinishedWhileOthersWrite) {
  CaseStore store = store_with(50);
  const CaseReader reader = CaseReader::open(at("run.sqlite")).value();
  int seen = 0;
  // A row is open in the reader all the time, and the writer goes on.
  ASSERT_TRUE(reader.for_each({}, [&](const CaseEntry& entry) {
    ++seen;
    EXPECT_EQ(entry.state, CaseState::waiting);  // as it was when the call began
    auto attempt = store.begin(entry.planned.key);
    EXPECT_TRUE(attempt && store.finish(*attempt, testing::outcome_of(OutcomeStatus::ok)));
    return Looking::on;
  }));
  EXPECT_EQ(seen, 50);
  EXPECT_EQ(reader.counts().value().in(CaseState::finished), 50);
}

}  // namespace
}  // namespace culprit
