#include "repro/issue_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "repro/markdown.h"
#include "repro_samples.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Markdown, FencesAreLongerThanWhatIsInside) {
  EXPECT_EQ(code_span("plain"), "`plain`");
  EXPECT_EQ(code_span("a`b``c"), "```a`b``c```");
  EXPECT_EQ(code_span("`x"), "`` `x ``");
  EXPECT_EQ(code_span("two\nlines"), "`two lines`");
  EXPECT_EQ(code_block("x", "diff"), "```diff\nx\n```\n");
  EXPECT_EQ(code_block("````\nx"), "`````\n````\nx\n`````\n");
}

TEST(IssueText, SaysWhatIsWrongAndHowToSeeIt) {
  const std::string text = issue_text(sample_facts(), {"- y = BatchNormalization(c)", "+ y = Conv(x, w)"});
  EXPECT_THAT(text, StartsWith("# `a` changes what a model computes\n"));
  for (const char* part :
       {"| ONNX Optimizer | `0.4.2` |", "## Expected", "Applying `a` to `model.onnx`, once,", "## What happens",
        "output 'y' differs by 0.5", "| `y` | 0.5 | 2 of 4 | 0.0001 + 0.001 x value; rounding: 1e-07 |",
        "again in 2/2 fresh processes", "`model.onnx` has 3 nodes", "```diff\n- y = BatchNormalization(c)\n",
        "python3 repro.py"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(issue_text(sample_facts(), {}), Not(HasSubstr("## The rewrite")));
}

TEST(IssueText, TheTitleFitsTheVerdict) {
  const auto title = [](Verdict verdict, FaultKind kind) {
    ReproFacts facts = sample_facts();
    facts.verdict = verdict;
    facts.kind = kind;
    facts.level = kind == FaultKind::runtime ? "all" : "off";
    return std::string(split(issue_text(facts, {}), '\n').front());
  };
  EXPECT_EQ(title(Verdict::optimizer_crashed, FaultKind::single), "# `a` fails on a valid model");
  EXPECT_EQ(title(Verdict::rejected, FaultKind::single), "# `a` makes an invalid model out of a valid one");
  EXPECT_EQ(title(Verdict::diverged, FaultKind::runtime),
            "# `a` changes what a model computes at ONNX Runtime's level all");
  ReproFacts trip = sample_facts();
  trip.recipe.passes.clear();
  EXPECT_THAT(issue_text(trip, {}), StartsWith("# Import and export alone changes what a model computes\n"));
}

TEST(IssueText, NamesOfModelsStayText) {
  ReproFacts facts = sample_facts();
  facts.culprits = facts.recipe.passes = {"a`b"};
  facts.message = "output '```\n# You won\n<script>' differs";
  facts.measurements["|`\n"] = facts.measurements["y"];
  const std::string text = issue_text(facts, {});
  EXPECT_THAT(text, StartsWith("# ``a`b`` changes"));
  EXPECT_THAT(text, HasSubstr("````\noutput '```\n# You won\n<script>' differs\n````\n")) << "all of it inside a fence";
  EXPECT_THAT(text, HasSubstr("\\|"));
}

}  // namespace
}  // namespace culprit
