#include "cli/exit_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

TEST(ExitCodes, AreThoseOfTheDesign) {
  EXPECT_EQ(exit_code_of(ErrorKind::usage), 2);
  EXPECT_EQ(exit_code_of(ErrorKind::not_found), 2);
  EXPECT_EQ(exit_code_of(ErrorKind::bad_input), 3);
  EXPECT_EQ(exit_code_of(ErrorKind::unsupported), 3);
  EXPECT_EQ(exit_code_of(ErrorKind::io), 3);
  EXPECT_EQ(exit_code_of(ErrorKind::internal), 4);
  EXPECT_EQ(exit_code_of(ErrorKind::interrupted), 130);
}

}  // namespace
}  // namespace culprit
