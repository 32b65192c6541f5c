// Two models against each other, on an executor that computes.
#include <algorithm>
#include <fstream>

#include "evaluator.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

/// Four layers: each a weight and a sign, and a value that skips over two of them.
std::string net(const std::string& third = "0.75, 1.25, 0.5", const std::string& nodes = "") {
  return "g (float[3] x) => (float[3] y) <float[3] v = {1.5, 2, 0.25}, float[3] w = {0.5, 3, 1.5}, float[3] u = {" +
         third + "}> {" +
         (nodes.empty()
              ? "a = Mul(x, v)  b = Abs(a)  c = Mul(b, w)  d = Neg(c)  e = Mul(d, u)  f = Add(e, b)  y = Abs(f)"
              : nodes) +
         " }";
}

class CompareModels : public CompareBench {};

TEST_F(CompareModels, EqualModelsAreTheSameAndNoFloorIsMeasured) {
  const CompareReport report = compare(net(), net());
  EXPECT_EQ(report.status, CompareStatus::same);
  EXPECT_EQ(exit_code_of(report), 0);
  EXPECT_EQ(report.verdict, Verdict::equivalent);
  EXPECT_EQ(report.coverage.mapped, 7);
  EXPECT_EQ(report.capture.values, 7);
  EXPECT_FALSE(report.first_divergence);
  for (const ComparedValue& one : report.values) EXPECT_EQ(one.state, ValueState::equal) << one.a;
  for (const RunJob& job : evaluator.ran) EXPECT_FALSE(job.perturbation);
}

TEST_F(CompareModels, AnOutputThatIsLostIsNoSameness) {
  const std::string two = "g (float[3] x) => (float[3] y, float[3] z) { y = Neg(x)  z = Abs(x) }";
  const std::string one = "g (float[3] x) => (float[3] y) { y = Neg(x) }";
  const CompareReport lost = compare(two, one);
  EXPECT_EQ(exit_code_of(lost), 1);
  EXPECT_EQ(lost.verdict, Verdict::interface_changed);
  EXPECT_THAT(lost.message, HasSubstr("B lacks an output of A: output 'z' of A"));
  EXPECT_EQ(exit_code_of(compare(one, two)), 0) << "one more is none less";
}

TEST_F(CompareModels, AChangedWeightIsFoundAndWhatFollowsIsInherited) {
  const CompareReport report = compare(net(), net("0.75, 1.5, 0.5"));
  EXPECT_EQ(report.status, CompareStatus::part);
  EXPECT_EQ(exit_code_of(report), 1);
  ASSERT_TRUE(report.first_divergence);
  EXPECT_EQ(report.first_divergence->a, "e");
  EXPECT_EQ(report.first_divergence->nodes_b.front().op, "Mul");
  EXPECT_EQ(report.first_divergence->nodes_b.front().index, 4);
  EXPECT_THAT(report.first_divergence->nodes_a, SizeIs(1));
  EXPECT_THAT(report.message, HasSubstr("first mismatch at 'e', made by Mul of 'e' in A, by Mul of 'e' in B"));
  EXPECT_EQ(state(report, "d"), "equal");
  EXPECT_EQ(state(report, "e"), "made_here");
  EXPECT_EQ(state(report, "f"), "inherited");
  EXPECT_EQ(value(report, "f").alone, 0);
}

TEST_F(CompareModels, OfTwoFaultsBothAreMadeWhereTheyAreAndTheFirstIsNamed) {
  const std::string wrong =
      "a = Mul(x, v)  b = Abs(a)  c = Mul(b, v)  d = Neg(c)  e = Mul(d, v)  f = Add(e, b)  y = Abs(f)";
  const CompareReport report = compare(net(), net("0.75, 1.25, 0.5", wrong));
  EXPECT_EQ(report.first_divergence->a, "c");
  EXPECT_EQ(state(report, "c"), "made_here");
  EXPECT_EQ(state(report, "d"), "inherited");
  EXPECT_EQ(state(report, "e"), "made_here");
}

TEST_F(CompareModels, WhatALaterNodeHidesIsNotWhereTheyPart) {
  const auto two = [](const std::string& hidden, const std::string& seen, const std::string& nodes) {
    return "g (float[3] x) => (float[3] y, float[3] z) <float[3] v = {" + hidden + "}, float[3] w = {" + seen + "}> {" +
           nodes + " }";
  };
  const std::string chain = "s = Abs(x)  n = Mul(s, v)  r = Relu(n)  m = Mul(s, w)  y = Add(r, m)  z = Neg(s)";
  const CompareReport report = compare(two("-1, -2, -3", "1, 2, 3", chain), two("-4, -5, -6", "1, 2.5, 3", chain));
  EXPECT_EQ(report.status, CompareStatus::part);
  EXPECT_EQ(state(report, "n"), "made_here");
  EXPECT_EQ(state(report, "r"), "equal");
  ASSERT_TRUE(report.first_divergence);
  EXPECT_EQ(report.first_divergence->a, "m") << report.message;
  // Towards an output that is the same.
  const std::string apart = "s = Abs(x)  n = Mul(s, v)  y = Relu(n)  m = Mul(s, w)  z = Neg(m)";
  const CompareReport other = compare(two("-1, -2, -3", "1, 2, 3", apart), two("-4, -5, -6", "1, 2.5, 3", apart));
  ASSERT_TRUE(other.first_divergence);
  EXPECT_EQ(other.first_divergence->a, "m") << other.message;
}

TEST_F(CompareModels, OtherNodesThatGaveTheSameBitsAreNamed) {
  const auto sign = [](const std::string& node, const std::string& weight = "2, 3, 4") {
    return "g (float[3] x) => (float[3] y) <float[3] v = {" + weight + "}> { s = Abs(x)  r = " + node +
           "(s)  m = Mul(r, v)  y = Neg(m) }";
  };
  CompareReport report = compare(sign("Relu"), sign("Abs"));
  EXPECT_EQ(report.status, CompareStatus::same);
  ASSERT_THAT(report.warnings, SizeIs(1));
  EXPECT_EQ(report.warnings[0].code, "same_bits_of_other_nodes");
  EXPECT_THAT(report.warnings[0].message,
              HasSubstr("1 node is written otherwise in B and gave the same bits: Relu 'r' (Abs in B)"));
  EXPECT_THAT(compare(sign("Relu"), sign("Relu")).warnings, IsEmpty());
  EXPECT_THAT(compare(sign("Relu"), sign("Relu", "2, 3, 5")).warnings, IsEmpty()) << "a sample shows it";
  EXPECT_THAT(compare(sign("Relu"), sign("Neg")).warnings, IsEmpty()) << "they part";
  // Another constant where nothing is made of it.
  const auto shifted = [](const std::string& by) {
    return "g (float[3] x) => (float[3] y) <float[3] zero = {0, 0, 0}, float[3] v = {" + by +
           "}> { n = Mul(x, zero)  m = Mul(n, v)  s = Abs(m)  a = Abs(x)  y = Add(s, a) }";
  };
  report = compare(shifted("1, 2, 3"), shifted("1, 2, 4"));
  ASSERT_THAT(report.warnings, SizeIs(1));
  EXPECT_THAT(report.warnings[0].message, HasSubstr("gave the same bits: Mul 'm'. If they do not"));
}

TEST_F(CompareModels, RoundingIsNoDifference) {
  // (x * v) * w in another order: c is equal but for its last bits.
  const CompareReport report = compare(
      "g (float[3] x) => (float[3] y) <float[3] v = {1.1, 1.3, 1.7}, float[3] w = {0.7, 0.9, 0.3}>"
      "{ a = Mul(x, v)  c = Mul(a, w)  y = Neg(c) }",
      "g (float[3] x) => (float[3] y) <float[3] v = {1.1, 1.3, 1.7}, float[3] w = {0.7, 0.9, 0.3}>"
      "{ a = Mul(x, w)  c = Mul(a, v)  y = Neg(c) }");
  EXPECT_EQ(report.status, CompareStatus::same);
  EXPECT_EQ(state(report, "y"), "equal");
}

TEST_F(CompareModels, WhatCancelsHasTheFloorThatDrawsGiveIt) {
  const auto sum = [](const std::string& nodes) {
    return "g (float[3] x) => (float[3] y) <float[3] v = {1000.1, 2000.3, 3000.7}, float[3] w = {7000.2, 500.9, 40.3},"
           "float[3] s = {8000.3, 2501.2, 3041.0}> { " +
           nodes + " r = Sub(q, s)  y = Neg(r) }";
  };
  const CompareReport report = compare(sum("p = Add(x, v)  q = Add(p, w)"), sum("p = Add(x, w)  q = Add(p, v)"));
  EXPECT_EQ(report.status, CompareStatus::same);
  const Measurement& r = value(report, "r").measurement;
  EXPECT_GT(r.max_abs, 1e-5) << "far more than 8 eps of it";
  EXPECT_EQ(state(report, "r"), "equal");
  EXPECT_GT(r.floor, r.max_abs);
}

TEST_F(CompareModels, AFusedValueSaysIntoWhichNodeAndTheFaultNamesThat) {
  const std::string a =
      "g (float[3] x) => (float[3] y) <float[3] v = {2, 2, 2}, float[3] w = {3, 3, 3}>"
      "{ r = Relu(x)  a = Mul(r, v)  b = Mul(a, w)  c = Abs(b)  y = Neg(c) }";
  const auto b = [](const std::string& weight) {
    return "g (float[3] x) => (float[3] y) <float[3] vw = {" + weight +
           "}> { r = Relu(x)  a = Mul(r, vw)  c = Abs(a)  y = Neg(c) }";
  };
  const CompareReport right = compare(a, b("6, 6, 6"));
  EXPECT_EQ(right.status, CompareStatus::same);
  EXPECT_EQ(state(right, "a"), "fused");
  EXPECT_EQ(value(right, "a").node_b.output, "a");
  EXPECT_EQ(value(right, "b").b, "a");
  EXPECT_EQ(right.coverage.fused, 1);
  const CompareReport wrong = compare(a, b("6, 7, 6"));
  ASSERT_TRUE(wrong.first_divergence);
  EXPECT_EQ(wrong.first_divergence->a, "b");
  EXPECT_THAT(wrong.first_divergence->nodes_a, SizeIs(2)) << "both nodes of A are what B's one does";
  EXPECT_THAT(wrong.message, HasSubstr("Mul of 'b' after Mul of 'a' in A, by Mul of 'a' in B"));
}

TEST_F(CompareModels, ValuesThatWereWronglyHeldAgainstEachOtherAreNoDivergence) {
  // The name a is used by Mul at the same place in both, and means something else in B.
  const CompareReport report = compare(
      "g (float[3] x) => (float[3] y) <float[3] two = {2, 2, 2}, float[3] three = {3, 3, 3}>"
      "{ a = Neg(x)  b = Mul(a, two)  c = Mul(b, three)  y = Abs(c) }",
      "g (float[3] x) => (float[3] y) <float[3] minus = {-2, -2, -2}, float[3] three = {3, 3, 3}>"
      "{ b = Mul(x, minus)  c = Mul(b, three)  y = Abs(c) }");
  EXPECT_EQ(report.status, CompareStatus::same);
  for (const ComparedValue& one : report.values)
    EXPECT_THAT((std::vector{ValueState::equal, ValueState::unlike, ValueState::fused, ValueState::gone}),
                Contains(one.state))
        << one.a;
  EXPECT_EQ(state(report, "c"), "equal");
}

TEST_F(CompareModels, AValueThatMeansSomethingElseUnderItsNameIsUnlike) {
  // In B, n1 and n2 were folded into the first Mul; the second Mul takes the name and the place of A's first one.
  const CompareReport report = compare(
      "g (float[3] x) => (float[3] y) <float[3] two = {2, 2, 2}, float[3] three = {3, 3, 3}>"
      "{ r = Relu(x)  a = Mul(r, two)  b = Mul(a, three)  c = Mul(b, three)  y = Neg(c) }",
      "g (float[3] x) => (float[3] y) <float[3] six = {6, 6, 6}, float[3] three = {3, 3, 3}>"
      "{ r = Relu(x)  a = Mul(r, six)  c = Mul(a, three)  y = Neg(c) }");
  EXPECT_EQ(report.status, CompareStatus::same);
  EXPECT_EQ(value(report, "a").b, "a") << "both are used by Mul, with the same weight";
  EXPECT_EQ(state(report, "a"), "unlike");
  EXPECT_EQ(state(report, "c"), "equal");
}

TEST_F(CompareModels, OtherNamesAreBoundByPositionOrByMap) {
  const std::string other =
      "g (float[3] p) => (float[3] q) <float[3] v = {1.5, 2, 0.25}, float[3] w = {0.5, 3, 1.5}, float[3] u = {0.75, "
      "1.25, 0.5}>"
      "{ a = Mul(p, v)  b = Abs(a)  c = Mul(b, w)  d = Neg(c)  e = Mul(d, u)  f = Add(e, b)  q = Abs(f) }";
  EXPECT_EQ(compare(net(), other).status, CompareStatus::same);
  options.map = {"x=p", "y=q"};
  const CompareReport report = compare(net(), other);
  EXPECT_EQ(report.status, CompareStatus::same);
  EXPECT_THAT(report.inputs, ElementsAre(Pair("x", "p")));
  EXPECT_THAT(report.outputs, ElementsAre(Pair("y", "q")));
  options.map = {"x=nothing"};
  const auto wrong = try_compare(net(), other);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::usage);
}

TEST_F(CompareModels, NamesThatDifferAreSaidUnlessTheyAreBoundByMap) {
  const std::string one = "g (float[3] x) => (float[3] y) { y = Neg(x) }";
  const std::string other = "g (float[3] p) => (float[3] q) { q = Neg(p) }";
  const CompareReport report = compare(one, other);
  ASSERT_THAT(report.warnings, SizeIs(1));
  EXPECT_EQ(report.warnings[0].code, "names_differ");
  EXPECT_THAT(report.warnings[0].message, HasSubstr("in B input 'x' is 'p', output 'y' is 'q'"));
  options.map = {"x=p", "y=q"};
  EXPECT_THAT(compare(one, other).warnings, IsEmpty());
}

TEST_F(CompareModels, ModelsWithoutACommonInterfaceHaveNothingInCommon) {
  const CompareReport report = compare(net(), "g (float[5] p, float[3] r) => (float[3] q) { q = Relu(r) }");
  EXPECT_EQ(report.status, CompareStatus::nothing_in_common);
  EXPECT_EQ(exit_code_of(report), 3);
  EXPECT_THAT(report.message, HasSubstr("nothing in common"));
  EXPECT_THAT(report.message, HasSubstr("--map"));
  EXPECT_THAT(evaluator.ran, IsEmpty());
}

TEST_F(CompareModels, WhatNeedsMoreThanAIsGivenCannotBeJudged) {
  const CompareReport report = compare("g (float[3] x) => (float[3] y) { y = Neg(x) }",
                                       "g (float[3] x, float[3] k) => (float[3] y) { y = Mul(x, k) }");
  EXPECT_EQ(report.status, CompareStatus::cannot_judge);
  EXPECT_EQ(exit_code_of(report), 3);
  EXPECT_THAT(report.message, HasSubstr("B needs an input that A does not have: k"));
}

TEST_F(CompareModels, ModelsThatShareTheirInterfaceAloneAreToldSo) {
  const CompareReport report = compare("g (float[3] x) => (float[3] y) { a = Abs(x)  b = Neg(a)  y = Relu(b) }",
                                       "g (float[3] x) => (float[3] y) { p = Relu(x)  q = Abs(p)  y = Neg(q) }");
  EXPECT_EQ(report.status, CompareStatus::part);
  EXPECT_THAT(report.message, HasSubstr("nothing in common"));
}

TEST_F(CompareModels, ValuesWhoseReadingChangesTheOutputsAreLeftOutAndSaid) {
  evaluator.disturbing = {"c"};
  const CompareReport report = compare(net(), net("0.75, 1.5, 0.5"));
  EXPECT_EQ(state(report, "c"), "not_read");
  EXPECT_EQ(state(report, "b"), "equal");
  EXPECT_EQ(state(report, "e"), "made_here");
  EXPECT_EQ(report.first_divergence->a, "e");
  EXPECT_EQ(report.capture.not_read, 1);
  EXPECT_GT(report.capture.halved, 0);
  EXPECT_THAT(report.capture.message, HasSubstr("'c': reading it changes the model's own outputs"));
}

TEST_F(CompareModels, NeitherModelMayBeChangedByReading) {
  const std::string other =
      "a = Mul(x, v)  b = Abs(a)  k = Mul(b, w)  d = Neg(k)  e = Mul(d, u)  f = Add(e, b)  y = Abs(f)";
  for (const char* disturbing : {"c", "k"}) {  // c is A's, k is B's
    evaluator.disturbing = {disturbing};
    const CompareReport report = compare(net(), net("0.75, 1.25, 0.5", other));
    EXPECT_EQ(value(report, "c").b, "k");
    EXPECT_EQ(state(report, "c"), "not_read") << disturbing;
    EXPECT_EQ(state(report, "d"), "equal") << disturbing;
  }
}

TEST_F(CompareModels, ValuesThatNoRunBringsOutAreLeftOutAndTheRegionGrows) {
  evaluator.unreadable = {"d"};
  const CompareReport report = compare(net(), net("0.75, 1.5, 0.5"));
  EXPECT_EQ(state(report, "d"), "not_read");
  ASSERT_TRUE(report.first_divergence);
  EXPECT_EQ(report.first_divergence->a, "e");
  EXPECT_THAT(report.first_divergence->nodes_b, SizeIs(2)) << "from c on";
}

TEST_F(CompareModels, WhereBCannotBeRunInPartsNobodyIsBlamed) {
  evaluator.failing_files = {"region.onnx"};
  const CompareReport report = compare(net(), net("0.75, 1.5, 0.5"));
  EXPECT_EQ(report.status, CompareStatus::part);
  EXPECT_EQ(state(report, "e"), "unclear");
  EXPECT_FALSE(report.first_divergence);
  EXPECT_THAT(report.message, HasSubstr("no first mismatch was found"));
}

TEST_F(CompareModels, AModelThatDoesNotRepeatIsNotJudged) {
  evaluator.wanders = [](int run) { return 0.25F * static_cast<float>(run); };
  const CompareReport report = compare(net(), net());
  EXPECT_EQ(report.status, CompareStatus::cannot_judge);
  EXPECT_EQ(exit_code_of(report), 3);
  EXPECT_THAT(report.message, HasSubstr("run again"));
}

TEST_F(CompareModels, AModelThatFailsWhereTheOtherRunsPartsFromIt) {
  evaluator.failing_ops = {"Identity"};
  const CompareReport report = compare("g (float[3] x) => (float[3] y) { y = Relu(x) }",
                                       "g (float[3] x) => (float[3] y) { a = Identity(x)  y = Relu(a) }");
  EXPECT_EQ(report.status, CompareStatus::part);
  EXPECT_THAT(report.message, HasSubstr("B does not do what A does: it does not run: Identity fails"));
  const CompareReport other = compare("g (float[3] x) => (float[3] y) { a = Identity(x)  y = Relu(a) }",
                                      "g (float[3] x) => (float[3] y) { y = Relu(x) }");
  EXPECT_EQ(other.status, CompareStatus::cannot_judge);
}

TEST_F(CompareModels, WhereOutputsSayNothingValuesInsideCanOnlyAddFaults) {
  weak = "its outputs say nothing";
  const auto deaf = [](const std::string& weight) {
    return "g (float[3] x) => (float[3] y) <float[3] w = {" + weight +
           "}, float[3] o = {0, 0, 0}> { a = Mul(x, w)  b = Mul(a, o)  y = Abs(b) }";
  };
  EXPECT_EQ(compare(deaf("1, 2, 3"), deaf("1, 2, 3")).status, CompareStatus::weak_data);
  const CompareReport report = compare(deaf("1, 2, 3"), deaf("1, 2, 4"));
  EXPECT_EQ(report.verdict, Verdict::equivalent);
  EXPECT_EQ(report.status, CompareStatus::part);
  EXPECT_EQ(report.first_divergence->a, "a");
}

TEST_F(CompareModels, WithinTheToleranceTheyAreTheSameUnlessStrict) {
  const CompareReport report = compare(net(), net("0.75, 1.25002, 0.5"));
  EXPECT_EQ(report.verdict, Verdict::deviates);
  EXPECT_EQ(report.status, CompareStatus::same);
  EXPECT_THAT(report.message, HasSubstr("within the tolerance: first mismatch at 'e'"));
  options.strict = true;
  EXPECT_EQ(compare(net(), net("0.75, 1.25002, 0.5")).status, CompareStatus::part);
}

TEST_F(CompareModels, ChunksKeepWithinTheBytesThatARunMayBringOut) {
  std::string nodes = "v0 = Abs(x) ";
  for (int i = 1; i <= 200; ++i) nodes += "v" + std::to_string(i) + " = Neg(v" + std::to_string(i - 1) + ") ";
  options.bytes_per_run = 10 * 2 * 12;  // ten values of three floats on two samples
  const std::string graph = "g (float[3] x) => (float[3] y) { " + nodes + " y = Relu(v200) }";
  const CompareReport report = compare(graph, graph);
  EXPECT_EQ(report.capture.values, 202);
  EXPECT_LE(evaluator.most_outputs, 13U) << "ten, what the chunk begins with, and the model's own";
}

TEST_F(CompareModels, ALibraryThatBAloneNeedsLeavesItUnjudged) {
  evaluator.missing_ops = {"Foo"};
  const auto of = [](const std::string& op) { return "g (float[3] x) => (float[3] y) { y = " + op + "(x) }"; };
  const CompareReport report = compare(of("Relu"), of("Foo"));
  EXPECT_EQ(report.status, CompareStatus::cannot_judge);
  EXPECT_EQ(exit_code_of(report), 3);
  EXPECT_THAT(report.message, HasSubstr("the operator Foo of the domain my.dom; give the library"));
}

TEST_F(CompareModels, TheUserMayStopIt) {
  class Stopped : public Executor {
    JobId submit(OptimizeJob) override { return 1; }
    JobId submit(RunJob) override { return 1; }
    std::optional<Outcome> next() override { return InterruptedOutcome{}; }
    [[nodiscard]] Counts counts() const override { return {}; }
  } stopped;
  const Model a = model("A", net());
  const auto report = compare_models(a, a, {{"s.pack"}, {}, {}}, options, {stopped, fs::temp_directory_path(), {}});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::interrupted);
}

/// Files of packs that this process has mapped.
std::size_t mapped_packs() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find(".pack") == std::string::npos ? 0 : 1;
  return count;
}

// Linux allows a process 65,530 mappings (vm.max_map_count).
TEST_F(CompareModels, SamplesAreNotMappedAllAtOnce) {
  constexpr std::size_t many = 150;
  inputs.clear();
  for (std::size_t i = 0; i < many; ++i) inputs.push_back({{"x", vector_of({1, 2, static_cast<float>(i)})}});
  std::size_t most = 0, runs_of_draws = 0;
  evaluator.wanders = [&](int number) {
    most = std::max(most, mapped_packs());
    runs_of_draws += evaluator.ran[static_cast<std::size_t>(number) - 1].perturbation ? 1 : 0;
    return 0.0F;
  };
  EXPECT_EQ(compare(net(), net("0.75, 1.5, 0.5")).status, CompareStatus::part);
  EXPECT_GT(runs_of_draws, many) << "all samples were drawn, while the outputs were looked at";
  EXPECT_GT(most, 0U);
  EXPECT_LT(most, 40U) << "of " << many << " samples";
}

}  // namespace
}  // namespace culprit
