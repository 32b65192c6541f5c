#include "reduce/reduce.h"

#include "base/random.h"
#include "fakes.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using End = Reduction::End;

bool has_all(const Words& nodes, const Words& needed) { return std::ranges::includes(nodes, needed); }

FakeOracle needing(const Words& needed, std::size_t places = 1) {
  return FakeOracle([needed](const Words& nodes, bool) { return has_all(nodes, needed); }, places);
}

TEST(Reduce, FindsTheOneNodeOfManyInFewChecks) {
  FakeOracle oracle = needing({"n1234"});
  const Reduction reduction = reduced(case_of(1746), oracle);
  EXPECT_THAT(nodes_of(reduction.best), ElementsAre("n1234"));
  EXPECT_EQ(reduction.end, End::done);
  EXPECT_EQ(reduction.before.nodes, 1746);
  EXPECT_EQ(reduction.after.nodes, 1);
  EXPECT_LE(oracle.checks, 40U);
}

TEST(Reduce, KeepsSeveralNodesThatAreNeededTogether) {
  FakeOracle oracle = needing({"n3", "n500", "n999"});
  const Reduction reduction = reduced(case_of(1000), oracle);
  EXPECT_EQ(nodes_of(reduction.best), (Words{"n3", "n500", "n999"}));
  EXPECT_LE(oracle.checks, 120U);
}

TEST(Reduce, LeavesAloneWhatIsNeededAsAWhole) {
  FakeOracle oracle([](const Words& nodes, bool) { return nodes.size() == 9; });
  const Reduction reduction = reduced(case_of(9), oracle);
  EXPECT_EQ(reduction.after.nodes, 9);
  EXPECT_EQ(reduction.deltas.at(0).accepted, 0U);
}

// 7 hides the failure as long as 8 is not there.
TEST(Reduce, EndsWithAFailingCaseWhereThePredicateIsNotMonotone) {
  const auto fails = [](const Words& nodes, bool) {
    return has_all(nodes, {"n2", "n30"}) && (!nodes.contains("n7") || nodes.contains("n8"));
  };
  FakeOracle oracle(fails);
  const Reduction reduction = reduced(case_of(40), oracle);
  EXPECT_EQ(nodes_of(reduction.best), (Words{"n2", "n30"}));
}

TEST(Reduce, AnyRandomPredicateEndsInACaseThatFails) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto fails = [seed](const Words& nodes, bool) {
      std::string all;
      for (const auto& name : nodes) all += name;
      return nodes.size() == 24 || Random(seed, all).uniform() < 0.2;
    };
    FakeOracle oracle(fails, 3);
    const Reduction reduction = reduced(case_of(24), oracle);
    EXPECT_TRUE(fails(nodes_of(reduction.best), false));
    EXPECT_EQ(reduction.end, End::done);
    EXPECT_LT(oracle.checks, 500U);
  }
}

TEST(Reduce, AsksInBatchesWithTheSameResult) {
  for (const std::size_t places : {1U, 2U, 5U}) {
    FakeOracle oracle = needing({"n3", "n60"}, places);
    EXPECT_EQ(nodes_of(reduced(case_of(64), oracle).best), (Words{"n3", "n60"})) << places;
    EXPECT_LE(oracle.batches, oracle.checks);
  }
}

// Both bugs make it fail; the signature tells the second from the first, which is sought.
TEST(Reduce, DoesNotSwapOneBugForAnother) {
  const auto signature = [](const Words& nodes) -> std::string {
    if (has_all(nodes, {"n10", "n11"})) return "first";
    return nodes.contains("n3") ? "second" : "";
  };
  FakeOracle oracle([&](const Words& nodes, bool) { return signature(nodes) == "first"; });
  const Reduction reduction = reduced(case_of(32), oracle);
  EXPECT_EQ(nodes_of(reduction.best), (Words{"n10", "n11"}));
}

TEST(Reduce, SaysThatAFaultThatComesAndGoesDoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    FakeOracle oracle([&](const Words& nodes, bool) { return nodes.contains("n5") && random.uniform() < 0.6; });
    oracle.asks_again = true;
    const Reduction reduction = reduced(case_of(16), oracle);
    if (reduction.end == End::not_shown) continue;  // 3 unlucky runs
    EXPECT_TRUE(nodes_of(reduction.best).contains("n5"));
    EXPECT_GT(reduction.shown, 0U);
    EXPECT_LE(reduction.shown, reduction.asked);
    EXPECT_TRUE(reduction.flickers || (reduction.shown == reduction.asked && reduction.lost == 0)) << seed;
  }
}

TEST(Reduce, AFaultThatFlickersIsStillReduced) {
  int run = 0;
  FakeOracle oracle([&](const Words& nodes, bool) { return nodes.contains("n5") && ++run % 2 == 0; });
  oracle.asks_again = true;
  const Reduction reduction = reduced(case_of(16), oracle);
  EXPECT_THAT(nodes_of(reduction.best), ElementsAre("n5"));
  EXPECT_TRUE(reduction.flickers);
  EXPECT_LT(reduction.shown, reduction.asked) << "no certainty is claimed";
}

// Processes that ran something before say yes to everything.
TEST(Reduce, TakesBackStepsThatLostTheFault) {
  FakeOracle oracle([](const Words& nodes, bool fresh) { return !fresh || nodes.size() >= 8; });
  oracle.asks_again = true;
  ReduceTools tools{oracle};
  std::vector<std::string> told;
  std::int64_t left = 0;
  tools.on_better = [&](const Case&, const CaseSize& size, const std::string& delta) -> Result<void> {
    told.push_back(delta);
    left = size.nodes;
    return {};
  };
  const Reduction reduction = reduced(case_of(8), oracle, tools);
  EXPECT_GE(reduction.lost, 1U);
  EXPECT_EQ(reduction.after.nodes, 8) << "the last good step";
  EXPECT_EQ(told.back(), "lost");
  EXPECT_EQ(left, 8) << "what is left on the disk";
  EXPECT_EQ(reduction.shown, reduction.asked);
}

TEST(Reduce, TheBestSoFarIsWhatIsLeftWhenTimeIsUp) {
  FakeOracle oracle = needing({"n100"});
  ReduceTools tools{oracle};
  tools.is_time_up = [&] { return oracle.checks >= 10; };
  std::int64_t left = 1000;
  tools.on_better = [&](const Case& best, const CaseSize& size, const std::string&) -> Result<void> {
    EXPECT_LT(size.nodes, left);
    EXPECT_TRUE(nodes_of(best).contains("n100"));
    left = size.nodes;
    return {};
  };
  const Reduction reduction = reduced(case_of(1000), oracle, tools);
  EXPECT_EQ(reduction.end, End::time_up);
  EXPECT_EQ(reduction.after.nodes, left);
  EXPECT_LT(left, 1000);
  EXPECT_GT(left, 1);
  EXPECT_LE(oracle.checks, 12U);
}

TEST(Reduce, TheBestSoFarIsWhatIsLeftWhenTheUserStops) {
  FakeOracle oracle = needing({"n100"});
  oracle.error_at = 9;
  oracle.error = {ErrorKind::interrupted, "interrupted", ""};
  const Reduction reduction = reduced(case_of(1000), oracle);
  EXPECT_EQ(reduction.end, End::interrupted);
  EXPECT_TRUE(nodes_of(reduction.best).contains("n100"));
  EXPECT_LT(reduction.after.nodes, 1000);
}

TEST(Reduce, OtherErrorsArePassedOn) {
  FakeOracle oracle = needing({"n1"});
  oracle.error_at = 5;
  oracle.error = {ErrorKind::io, "the disk is full", ""};
  const std::vector<Delta> deltas{taking_nodes()};
  const auto reduction = reduce(case_of(10), deltas, {oracle});
  ASSERT_FALSE(reduction);
  EXPECT_THAT(reduction.error().message, HasSubstr("full"));
}

TEST(Reduce, AFileThatCannotBeWrittenEndsIt) {
  FakeOracle oracle = needing({"n1"});
  ReduceTools tools{oracle};
  tools.on_better = [](const Case&, const CaseSize&, const std::string&) -> Result<void> {
    return fail(ErrorKind::io, "the disk is full");
  };
  const std::vector<Delta> deltas{taking_nodes()};
  EXPECT_FALSE(reduce(case_of(10), deltas, tools));
}

TEST(Reduce, WhatDoesNotShowIsNotReduced) {
  FakeOracle oracle([](const Words&, bool) { return false; });
  const Reduction reduction = reduced(case_of(10), oracle);
  EXPECT_EQ(reduction.end, End::not_shown);
  EXPECT_EQ(reduction.shown, 0U);
  EXPECT_EQ(reduction.after.nodes, 10);
  EXPECT_EQ(oracle.checks, 3U);
}

TEST(Reduce, InnerValuesAreAskedForAgainAfterEveryStep) {
  class Counting : public Recorder {
   public:
    Result<Captured> capture(const Case& a_case, std::span<const std::string> names) override {
      sizes.push_back(a_case.model->graph().node_size());
      EXPECT_THAT(std::vector<std::string>(names.begin(), names.end()), ElementsAre("v3"));
      return Captured{{{"v3", Tensor::of<float>({1}, {1})}}};
    }
    std::vector<int> sizes;
  } recorder;
  FakeOracle oracle = needing({"n3"});
  ReduceTools tools{oracle};
  tools.recorder = &recorder;
  Case start = case_of(8);
  start.samples.resize(1);
  std::vector<Delta> deltas{taking_nodes()};
  deltas[0].wants = [](const onnx::ModelProto&) { return std::vector<std::string>{"v3"}; };
  ASSERT_TRUE(reduce(start, deltas, tools));
  EXPECT_GT(recorder.sizes.size(), 1U);
  EXPECT_TRUE(std::ranges::is_sorted(recorder.sizes, std::greater<>()));
  EXPECT_EQ(std::ranges::adjacent_find(recorder.sizes), recorder.sizes.end()) << "once for each case";
}

TEST(Reduce, AListedDeltaBeginsAgainAfterAStep) {
  std::vector<std::size_t> tried;
  Delta halves = taking_nodes();
  const auto take = halves.apply;
  halves.way = Delta::Way::listed;
  halves.count = [](const View& view) { return view.model.graph().node_size() > 1 ? 2U : 0U; };
  halves.apply = [&](const View& view, std::size_t number, std::size_t) {
    const auto nodes = static_cast<std::size_t>(view.model.graph().node_size());
    tried.push_back(number);
    return number == 0 ? take(view, nodes / 2, nodes) : take(view, 0, nodes / 2);
  };
  FakeOracle oracle = needing({"n5"});
  const std::vector<Delta> deltas{halves};
  const auto reduction = reduce(case_of(8), deltas, {oracle});
  ASSERT_TRUE(reduction);
  EXPECT_THAT(nodes_of(reduction->best), ElementsAre("n5"));
  EXPECT_THAT(tried, ElementsAre(0, 1, 0, 0, 1));
}

/// The same, with a size declared of an output.
Case with_declared_size(Case a_case) {
  auto model = std::make_shared<onnx::ModelProto>(*a_case.model);
  auto& output = *model->mutable_graph()->add_output();
  output.set_name("v0");
  output.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(7);
  return {std::move(model), {}};
}

bool declares_size(const Case& a_case) {
  return a_case.model->graph().output(0).type().tensor_type().shape().dim(0).has_dim_value();
}

// As where an attribute goes and with it the size that was true.
TEST(Reduce, AStepThatMakesDeclaredSizesUntrueIsTakenWithThemOpen) {
  FakeOracle oracle([](const Words& nodes, bool) { return nodes.contains("n3"); });
  oracle.is_mistyped = [](const Case& a_case) { return nodes_of(a_case).size() < 5 && declares_size(a_case); };
  oracle.asks_again = true;  // with the sizes open it is another model
  const Reduction reduction = reduced(with_declared_size(case_of(8)), oracle);
  EXPECT_EQ(nodes_of(reduction.best), Words{"n3"});
  EXPECT_FALSE(declares_size(reduction.best));
}

TEST(Reduce, WhereDeclaredSizesStayTrueTheyStay) {
  FakeOracle oracle([](const Words& nodes, bool) { return nodes.contains("n3"); });
  EXPECT_TRUE(declares_size(reduced(with_declared_size(case_of(8)), oracle).best));
}

TEST(Reduce, AStepThatStaysMistypedIsNone) {
  FakeOracle oracle([](const Words&, bool) { return true; });
  oracle.is_mistyped = [](const Case& a_case) { return nodes_of(a_case).size() < 5; };
  EXPECT_EQ(nodes_of(reduced(with_declared_size(case_of(8)), oracle).best).size(), 5U);
}

}  // namespace
}  // namespace culprit
