// A variant that was given as a file: recognised, or judged by itself.
#include "check/external/external_variant.h"

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include "bench.h"
#include "check/external/external_diff.h"
#include "model/fingerprint.h"
#include "trial/fault_case.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const onnx::ModelProto> graph(const std::string& body) {
  auto made = std::make_shared<onnx::ModelProto>();
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 13]> g (float[2] x) => (float[2] y, float[2] z) " + body;
  const auto parsed = onnx::OnnxParser::Parse(*made, text.c_str());
  if (!parsed.IsOK()) throw std::runtime_error(parsed.ErrorMessage());
  return made;
}

class Given : public Bench {
 protected:
  Given() {
    model.proto = graph("{ y = Add(x, x) z = Neg(x) }");
    variant.path = "/models/broken.onnx";
    variant.proto = graph("{ y = Mul(x, x) z = Neg(x) }");
    variant.interface = FakeExecutor::interface();
    variant.facts.nodes = 2;
    executor.passes["a"] = breaks("by a");
    executor.passes["b"] = changes("by b");
  }

  Result<ModelReport> checked_with(const Behaviour& what) {
    executor.give(variant.path, what);
    return check_external(model, variant, proposals, options,
                          {executor, optimizer, folder(), progress, is_time_up, {}, keep});
  }

  ModelReport check(const Behaviour& what) {
    auto report = checked_with(what);
    if (!report) throw std::runtime_error(report.error().text());
    return std::move(*report);
  }

  Model variant;
  Stop is_time_up;
  KeepFault keep;
};

TEST_F(Given, WhatIsWrongInsideIsItsVerdict) {
  executor.give(variant.path, changes("by hand"));
  int asked = 0;
  CompareReport inside;
  inside.warnings = {{"same_bits_of_other_nodes", "1 node"}, {"floor_hides", "said by check itself"}};
  bool shows_again = true;
  const LookInside look = [&](const Reference&, const fs::path& file,
                              bool is_fresh) -> Result<std::optional<CompareReport>> {
    EXPECT_EQ(file, variant.path);
    EXPECT_EQ(is_fresh, asked > 1) << "only what confirms is asked in fresh processes";
    ++asked;
    CompareReport found = inside;
    if (is_fresh && !shows_again) found.status = CompareStatus::same;
    return found;
  };
  const auto report = [&] {
    return check_external(model, variant, proposals, options,
                          {executor, optimizer, folder(), progress, is_time_up, {}, keep, look})
        .value();
  };
  const ModelReport right = report();
  EXPECT_TRUE(right.faults.empty());
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(right.warnings, ElementsAre(testing::Field(&Warning::code, "same_bits_of_other_nodes")));
  inside.status = CompareStatus::part;
  inside.verdict = Verdict::diverged;
  inside.inner_samples = {1, 0};
  Measurement& y = inside.remade["y"];
  y.max_abs = y.worst = 2, y.elements = y.mismatched = y.beyond_floor = y.beyond_tolerance = 4;
  const ModelReport wrong = report();
  ASSERT_EQ(wrong.faults.size(), 1U);
  EXPECT_EQ(wrong.faults[0].kind, FaultKind::given);
  EXPECT_THAT(wrong.faults[0].message, HasSubstr("where its nodes are given the model's own values"));
  EXPECT_EQ(wrong.variants.at(0).confirmed, "2/2");
  EXPECT_EQ(asked, 4) << "asked twice again before it is blamed";
  shows_again = false, asked = 1;
  const ModelReport open = report();
  EXPECT_TRUE(open.faults.empty()) << "nobody is blamed for what does not show again";
  EXPECT_EQ(open.variants.at(0).verdict, Verdict::inconclusive);
  EXPECT_EQ(open.variants.at(0).confirmed, "0/2");
  EXPECT_THAT(open.variants.at(0).message, HasSubstr("not seen again in a fresh process"));
}

TEST_F(Given, WhatIsMadeByAPassIsNotLookedInto) {
  executor.give(variant.path, changes("by b"));
  const LookInside look = [](const Reference&, const fs::path&, bool) -> Result<std::optional<CompareReport>> {
    ADD_FAILURE() << "a recipe's variant is judged by its outputs";
    return std::nullopt;
  };
  const auto report = check_external(model, variant, proposals, options,
                                     {executor, optimizer, folder(), progress, is_time_up, {}, keep, look});
  ASSERT_TRUE(report && report->given && report->given->made_by);
  EXPECT_THAT(report->given->made_by->passes, ElementsAre("b"));
}

TEST_F(Given, WhatAPassMakesIsCheckedAsItsRecipe) {
  const ModelReport report = check(breaks("by a"));
  ASSERT_TRUE(report.given && report.given->made_by);
  EXPECT_THAT(report.given->made_by->passes, ElementsAre("a"));
  EXPECT_EQ(report.given->tried, 1 + 6 + 2)
      << "the round trip, each pass, the default pass list once and to its fixpoint";
  ASSERT_EQ(report.faults.size(), 1U);
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("a"));
  EXPECT_EQ(report.faults[0].kind, FaultKind::single);
  EXPECT_EQ(report.variants.at(0).recipe.optimizer, "onnx_optimizer");
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(Given, WhatTheBundleMakesIsItsRecipe) {
  const ModelReport report = check(breaks("by a+by b"));
  ASSERT_TRUE(report.given->made_by);
  EXPECT_THAT(report.given->made_by->passes, ElementsAre("a", "b", "c"));
  EXPECT_EQ(report.given->made_by->repeat, Repeat::once);
}

TEST_F(Given, WhatNoPassMakesIsJudgedByItself) {
  const ModelReport report = check(breaks("by hand"));
  EXPECT_FALSE(report.given->made_by);
  ASSERT_EQ(report.faults.size(), 1U);
  const FaultRecord& fault = report.faults[0];
  EXPECT_EQ(fault.kind, FaultKind::given);
  EXPECT_EQ(fault.verdict, Verdict::diverged);
  EXPECT_THAT(fault.culprits, ElementsAre("broken.onnx"));
  EXPECT_THAT(fault.message, HasSubstr("broken.onnx: output 'y' differs by 0.5"));
  ASSERT_EQ(report.variants.size(), 1U);
  EXPECT_EQ(report.variants[0].recipe, (Recipe{external_optimizer, {}, Repeat::once}));
  EXPECT_EQ(report.variants[0].confirmed, "2/2");
  EXPECT_EQ(report.variants[0].file, "") << "the user's own file is not moved into the run folder";
  EXPECT_FALSE(report.safe_recipe);
  for (const ControlRecord& control : report.controls) EXPECT_EQ(control.name, ControlName::repeat);
  EXPECT_THAT(report.given->diff, ElementsAre("- y = Add(x, x)", "+ y = Mul(x, x)"));
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(Given, WhoeverKeepsFaultsSeesTheFile) {
  fs::path seen;
  keep = [&](const FaultCase& shown) {
    seen = shown.variant;
    EXPECT_EQ(shown.recipe.optimizer, external_optimizer);
    return KeptFault{};
  };
  check(breaks("by hand"));
  EXPECT_EQ(seen, variant.path);
}

TEST_F(Given, ARightVariantIsRight) { EXPECT_EQ(exit_code_of(check(changes("by hand")), false), 0); }

TEST_F(Given, TheModelItselfIsUnchangedAndNotRun) {
  const ModelReport report = check(changes("original"));
  EXPECT_EQ(report.variants.at(0).same_as, SameAs::original);
  EXPECT_FALSE(report.given->made_by);
  EXPECT_EQ(exit_code_of(report, false), 0);
  for (const RunJob& job : executor.ran) EXPECT_EQ(job.model, model.path);
}

TEST_F(Given, WhatTheCheckerRefusesIsRejected) {
  Behaviour refused = changes("by hand");
  refused.complaint = "no such operator";
  const ModelReport report = check(refused);
  EXPECT_EQ(report.variants.at(0).verdict, Verdict::rejected);
  EXPECT_THAT(report.faults.at(0).message, HasSubstr("no such operator"));
  EXPECT_EQ(report.variants.at(0).confirmed, "2/2");
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(Given, NodesInNoOrderAreAWarning) {
  variant.proto = graph("{ y = Mul(a, x) z = Neg(x) a = Abs(x) }");
  const ModelReport report = check(changes("by hand"));
  EXPECT_TRUE(report.faults.empty());
  EXPECT_THAT(report.variants.at(0).warnings, ElementsAre(testing::Field(&Warning::code, "not_sorted")));
}

TEST_F(Given, WhatKillsTheCheckerIsRejectedToo) {
  Behaviour deadly;
  deadly.making = failure(Ending::crashed, "killed by SIGSEGV (while checking the model as given)");
  const ModelReport report = check(deadly);
  EXPECT_EQ(report.variants.at(0).verdict, Verdict::rejected);
  EXPECT_THAT(report.faults.at(0).message, HasSubstr("SIGSEGV"));
  EXPECT_EQ(report.given->fingerprint, fingerprint(*variant.proto).hex());
}

TEST_F(Given, ThatTheOptimizerCannotImportItSaysNothing) {
  Behaviour strange = changes("by hand");
  strange.making = failure(Ending::threw, "no such IR");
  EXPECT_EQ(exit_code_of(check(strange), false), 0);
}

TEST_F(Given, ThatTheOptimizerCannotImportTheOriginalSaysNothing) {
  executor.import = failure(Ending::threw, "no such IR");
  const ModelReport report = check(breaks("by hand"));
  EXPECT_EQ(report.faults.at(0).kind, FaultKind::given);
  EXPECT_THAT(report.given->message, HasSubstr("the optimizer does not import the model"));
  EXPECT_EQ(report.given->tried, 0);
}

TEST_F(Given, WhatDoesNotRunOrHasOtherInputsIsAFault) {
  Behaviour dead = changes("by hand");
  dead.running = failure(Ending::threw, "not implemented");
  EXPECT_EQ(check(dead).faults.at(0).verdict, Verdict::run_failed);
  variant.interface.inputs.push_back(variant.interface.inputs.front());
  variant.interface.inputs.back().name = "more";
  EXPECT_EQ(check(changes("by hand")).faults.at(0).verdict, Verdict::interface_changed);
}

TEST_F(Given, AnotherModelIsNoVariant) {
  for (ValueInfo& input : variant.interface.inputs) {
    input.name = "other";
    input.tensor.clear();
    input.dims.emplace_back();
  }
  const auto checked = checked_with(changes("by hand"));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(checked.error().text(), HasSubstr("the two models have nothing in common"));
}

TEST_F(Given, ALibraryThatWasNotGivenIsNoFault) {
  Behaviour needy = changes("by hand");
  needy.running = failure(Ending::threw, "Fatal error: my.dom:Foo(-1) is not a registered function/op");
  needy.stage = RunOutcome::Stage::load;
  const ModelReport report = check(needy);
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(report.variants.at(0).verdict, Verdict::inconclusive);
  EXPECT_THAT(report.variants.at(0).message, HasSubstr("give the library that has it with --custom-ops LIB"));
  EXPECT_EQ(exit_code_of(report, false), 3);
  needy.running.message = "Fatal error: ai.onnx.ml:Foo(-1) is not a registered function/op";
  EXPECT_EQ(check(needy).faults.at(0).verdict, Verdict::rejected) << "no library brings that";
}

TEST_F(Given, WhereTheTimeIsUpNoPassIsAsked) {
  is_time_up = [] { return true; };
  const ModelReport report = check(breaks("by a"));
  EXPECT_FALSE(report.given->made_by);
  EXPECT_EQ(report.given->message, "the time was up");
  EXPECT_THAT(executor.optimized.front().recipes, IsEmpty());
}

// --- the diff ------------------------------------------------------------------------------------------------------

DivergenceRecord at(const std::string& value, std::int64_t original, std::int64_t variant) {
  DivergenceRecord first;
  first.original = first.variant = value;
  first.nodes_original = {{"", "Mul", original, value}};
  first.nodes_variant = {{"", "Mul", variant, value}};
  return first;
}

Model of(const std::string& body) {
  Model model;
  model.proto = graph(body);
  return model;
}

TEST(GivenDiff, ShowsTheWeightOfTheNodeAndCountsWhatDiffersElsewhere) {
  const std::string nodes = "{ a = Mul(x, w) b = Mul(a, v) y = Neg(b) z = Abs(b) }";
  const NodeDiff diff = external_diff(of("<float[2] w = {1, 2}, float[2] v = {1, 1}> " + nodes),
                                      of("<float[2] w = {1, 3}, float[2] v = {1, 2}> " + nodes), at("a", 0, 0));
  EXPECT_THAT(diff.lines, ElementsAre("  a = Mul(x, w)", "~ w: float32[2], other values"));
  EXPECT_EQ(diff.more, 1U);
}

TEST(GivenDiff, ShowsTheWeightThatABodyTakesFromAroundIt) {
  const std::string nodes =
      "{ c = Cast<to = 9>(x) y = If(c) <then_branch = t () => (float[2] p) { p = Mul(x, w) },"
      " else_branch = e () => (float[2] q) { q = Neg(x) }> z = Abs(x) }";
  const NodeDiff diff =
      external_diff(of("<float[2] w = {1, 2}> " + nodes), of("<float[2] w = {1, 3}> " + nodes), at("y", 1, 1));
  EXPECT_THAT(diff.lines, Contains("~ w: float32[2], other values"));
  EXPECT_EQ(diff.more, 0U);
}

TEST(GivenDiff, ConstantsThatMoveWithTheirNodesAreShown) {
  const NodeDiff diff = external_diff(
      of("{ c = Constant<value_floats = [1.0, 2.0]>() a = Mul(x, c) y = Neg(a) z = Abs(a) }"),
      of("{ c = Constant<value_floats = [1.0, 3.0]>() a = Mul(x, c) y = Neg(a) z = Abs(a) }"), at("a", 1, 1));
  EXPECT_THAT(diff.lines, Contains(HasSubstr("+ c = Constant()")));
  EXPECT_EQ(diff.more, 0U);
}

TEST(GivenDiff, WithoutAFirstDivergenceAllIsShown) {
  const NodeDiff diff = external_diff(of("{ a = Neg(x) y = Neg(a) z = Abs(a) }"),
                                      of("{ a = Abs(x) y = Neg(a) z = Neg(a) }"), std::nullopt);
  EXPECT_EQ(diff.lines.size(), 4U);
}

}  // namespace
}  // namespace culprit
