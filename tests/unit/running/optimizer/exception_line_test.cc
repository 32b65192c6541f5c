#include "optimizer/command/exception_line.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

TEST(ExceptionLine, IsTheOneBehindTheFramesOfTheLastTraceback) {
  EXPECT_EQ(exception_line("warming up\nTraceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    "
                           "f()\n    ^^^\nValueError: no such axis\n"),
            "ValueError: no such axis");
  EXPECT_EQ(exception_line("Traceback (most recent call last):\n  File \"a\"\nKeyError: 'x'\n\nDuring handling of the "
                           "above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "
                           "\"b\"\nRuntimeError: twice\nand goodbye\n"),
            "RuntimeError: twice");
}

TEST(ExceptionLine, OfSeveralLinesIsTheFirst) {
  EXPECT_EQ(exception_line("Traceback (most recent call last):\n  File \"a\"\nonnx.ValidationError: bad node\n\n==> "
                           "Context: node 3\n"),
            "onnx.ValidationError: bad node");
}

TEST(ExceptionLine, IsNothingWhereNothingWasRaised) {
  EXPECT_EQ(exception_line(""), "");
  EXPECT_EQ(exception_line("ValueError: said by nobody"), "");
  EXPECT_EQ(exception_line("Traceback (most recent call last):\n  File \"cut off"), "");
}

TEST(ExceptionLine, CanBePrinted) {
  EXPECT_EQ(exception_line("Traceback (most recent call last):\nE: \x1b[31mred").find('\x1b'), std::string::npos);
  EXPECT_LT(exception_line("Traceback (most recent call last):\nE: " + std::string(100000, 'x')).size(), 1000U);
}

}  // namespace
}  // namespace culprit
