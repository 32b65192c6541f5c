#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "unit/jobs/store/store_place.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using testing::key_of;

class FullDisk : public testing::StorePlace {};

const std::string& long_report() {
  static const std::string text(50'000, 'x');
  return text;
}

/// Runs case after case, until one fails: its number, or -1.
int first_that_fails(CaseStore& store, int from, int count, Error& error) {
  for (int number = from; number < count; ++number) {
    auto attempt = store.begin(key_of(number));
    auto finished = attempt ? store.finish(*attempt, testing::outcome_of(OutcomeStatus::ok, long_report()))
                            : Result<void>(tl::unexpected(attempt.error()));
    if (finished) continue;
    error = finished.error();
    return number;
  }
  return -1;
}

TEST_F(FullDisk, IsOneErrorAndWithRoomItGoesOn) {
  store_with(40);
  int failed = -1;
  {
    CaseStore store = CaseStore::open(at("run.sqlite"), {.most_pages = 100}).value();
    Error error;
    failed = first_that_fails(store, 0, 40, error);
    ASSERT_GT(failed, 0);
    EXPECT_EQ(error.kind, ErrorKind::io);
    EXPECT_EQ(error.text(), "cannot use " + at("run.sqlite").string() +
                                ": the disk is full. make room there and run it again: all that was finished before is "
                                "kept");
    EXPECT_EQ(store.counts().value().in(CaseState::finished), failed);  // it can still be asked
  }
  EXPECT_EQ(testing::integrity_of(at("run.sqlite")), "ok\n");
  CaseStore store = CaseStore::open(at("run.sqlite")).value();
  Error error;
  EXPECT_EQ(first_that_fails(store, failed, 40, error), -1) << error.text();
  EXPECT_EQ(store.counts().value().in(CaseState::finished), 40);
}

TEST_F(FullDisk, LeavesNothingOfAMergeThatDidNotFit) {
  {
    CaseStore large = store_with(40, "large");
    Error error;
    ASSERT_EQ(first_that_fails(large, 0, 40, error), -1);
  }
  store_with(1);
  const std::string before = testing::content_of(at("run.sqlite"));
  {
    CaseStore store = CaseStore::open(at("run.sqlite"), {.most_pages = 100}).value();
    const auto merged = store.merge(at("large"));
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().kind, ErrorKind::io);
    EXPECT_EQ(testing::content_of(at("run.sqlite")), before);
  }
  EXPECT_EQ(CaseStore::open(at("run.sqlite")).value().merge(at("large")).value().new_outcomes, 40);
}

/// What a child says in its exit code.
enum class SmallDisk { ok, not_allowed, no_room_at_first, never_full, other_error, no_going_on, lost_a_case, damaged };

/// On a disk of 2 MiB that nobody else sees: fills it with a store, makes room, and goes on with the same open store.
SmallDisk on_a_small_disk(const fs::path& folder) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return SmallDisk::not_allowed;
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=2m") != 0)
    return SmallDisk::not_allowed;
  const fs::path ballast = folder / "ballast", file = folder / "run.sqlite";
  if (!write_file_atomic(ballast, std::string(1 << 20, 'b'))) return SmallDisk::no_room_at_first;
  auto store = CaseStore::open(file);
  if (!store || !store->plan(testing::cases_up_to(12))) return SmallDisk::no_room_at_first;
  Error error;
  const int failed = first_that_fails(*store, 0, 12, error);
  if (failed < 0) return SmallDisk::never_full;
  std::fprintf(stderr, "%s\n", error.text().c_str());
  if (error.kind != ErrorKind::io || error.message != "cannot use " + file.string() + ": the disk is full")
    return SmallDisk::other_error;
  fs::remove(ballast);
  const auto state = store->find(key_of(failed)).value()->state;
  if (first_that_fails(*store, state == CaseState::waiting ? failed : failed + 1, 12, error) >= 0) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return SmallDisk::no_going_on;
  }
  if (store->counts().value().in(CaseState::finished) < 11) return SmallDisk::lost_a_case;
  return testing::integrity_of(file) == "ok\n" ? SmallDisk::ok : SmallDisk::damaged;
}

TEST_F(FullDisk, OfTheSystemIsTheSameErrorAndTheOpenStoreGoesOn) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(static_cast<int>(on_a_small_disk(folder_.path())));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  const auto answer = static_cast<SmallDisk>(WEXITSTATUS(status));
  if (answer == SmallDisk::not_allowed)
    GTEST_SKIP() << "no small disk: a user who may mount (root, or user namespaces)";
  EXPECT_EQ(answer, SmallDisk::ok);
}

}  // namespace
}  // namespace culprit
