#include "cli/commands/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/exit_code.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using State = MachineFinding::State;

TEST(Doctor, SaysWhatToDo) {
  const std::vector<MachineFinding> findings{
      {State::ok, "cores", "2", ""},
      {State::note, "free disk", "1.0 MB", "make room"},
      {State::missing, "ONNX Runtime", "not \x1b[2Jfound in a, b, c and many other places that make this line long",
       "run scripts/setup"}};
  EXPECT_EQ(findings_as_text(findings, {}),
            "ok      cores          2\n"
            "note    free disk      1.0 MB\n"
            "                       -> make room\n"
            "missing ONNX Runtime   not found in a, b, c and many other places that make this\n"
            "                       line long\n"
            "                       -> run scripts/setup\n");
  EXPECT_EQ(exit_code_of(findings), exit_code::cannot_judge);
  EXPECT_EQ(exit_code_of({findings[0], findings[1]}), exit_code::nothing_wrong);
  Look colour;
  colour.colour = true;
  EXPECT_THAT(findings_as_text(findings, colour), HasSubstr("\x1b[1;31mmissing\x1b[0m ONNX"));
}

}  // namespace
}  // namespace culprit
