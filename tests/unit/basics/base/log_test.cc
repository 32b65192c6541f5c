#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace culprit {
namespace {

std::string stderr_of(Verbosity verbosity) {
  ::testing::internal::CaptureStderr();
  set_up_logging(verbosity);
  spdlog::debug("detail");
  spdlog::info("news");
  spdlog::error("trouble");
  return ::testing::internal::GetCapturedStderr();
}

TEST(Log, VerbosityChoosesWhatIsSaidOnStderr) {
  using ::testing::HasSubstr;
  using ::testing::Not;
  EXPECT_THAT(stderr_of(Verbosity::quiet), ::testing::AllOf(Not(HasSubstr("news")), HasSubstr("trouble")));
  EXPECT_THAT(stderr_of(Verbosity::normal), ::testing::AllOf(Not(HasSubstr("detail")), HasSubstr("news")));
  EXPECT_THAT(stderr_of(Verbosity::verbose), ::testing::AllOf(HasSubstr("detail"), HasSubstr("news")));
}

TEST(Log, NoColourOutsideATerminal) {
  EXPECT_THAT(stderr_of(Verbosity::normal), ::testing::Not(::testing::HasSubstr("\x1b")));
}

}  // namespace
}  // namespace culprit
