#include "conversion/readings/show_values.h"

#include <gmock/gmock.h>

#include "side_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// v1 = Relu(x), v2 = Relu(v1), ...
std::string relus(int count) {
  std::string graph = "g (float[4] x) => (float[4] y)\n{\n";
  std::string last = "x";
  for (int i = 1; i < count; ++i) {
    graph += "  v" + std::to_string(i) + " = Relu(" + last + ")\n";
    last = "v" + std::to_string(i);
  }
  return graph + "  y = Relu(" + last + ")\n}";
}

class ShowValuesTest : public SideBench {
 protected:
  ShowValuesTest() {
    add_sample({{"x", Tensor::of<float>({4}, {1, 2, 3, 4})}});
    add_sample({{"x", Tensor::of<float>({4}, {-1, 2, -3, 4})}});
    task.samples = samples;
  }

  void open(const std::string& graph) {
    side = side_of(graph);
    runs.emplace(*side, executor, folder() / "work");
  }
  [[nodiscard]] int value(const std::string& name) const { return value_named(side->network(), name); }
  [[nodiscard]] std::vector<int> computed() const {
    std::vector<int> values;
    for (const auto& layer : side->network().layers) values.push_back(layer.outputs.front());
    return values;
  }

  std::unique_ptr<Side> side;
  std::optional<ViewRuns> runs;
  ShowTask task;
};

TEST_F(ShowValuesTest, AllInChunksThatFitTheMemory) {
  open(relus(12));
  task.bytes_per_run = 4 * 2 * 4 * sizeof(float);  // four values over two samples
  const auto shown = show_values(*runs, computed(), task).value();
  EXPECT_THAT(shown.sketches, SizeIs(12));
  EXPECT_THAT(shown.not_read, IsEmpty());
  EXPECT_LE(executor.most_outputs, 5U) << "the output, and four values";
  EXPECT_GE(executor.jobs.size(), 4U) << "nothing, and three chunks";
  EXPECT_EQ(shown.sketches.at(value("v3")).by_sample.at(1).largest, 4);
  EXPECT_EQ(shown.outputs.size(), 2U);
  EXPECT_EQ(runs->facts().runs, 2 * static_cast<std::int64_t>(executor.jobs.size()));
}

TEST_F(ShowValuesTest, SamplesAreSharedOutAndStayInTheirOrder) {
  open(relus(3));
  for (const float number : {5.0F, 6.0F, 7.0F}) add_sample({{"x", Tensor::of<float>({4}, {number, 0, 0, 0})}});
  executor.at_once = 2;
  const ViewOutcome outcome = runs->run({.values = {value("v1")}}, samples).value();
  ASSERT_THAT(executor.jobs, SizeIs(2));
  EXPECT_THAT(executor.jobs[0].samples, SizeIs(2));
  EXPECT_THAT(executor.jobs[1].samples, SizeIs(3));
  ASSERT_THAT(outcome.values.at(value("v1")), SizeIs(5));
  for (const std::size_t at : {2, 3, 4})
    EXPECT_EQ(outcome.values.at(value("v1"))[at].number(0), 3.0 + static_cast<double>(at));
  EXPECT_THAT(outcome.outputs, SizeIs(5));
  EXPECT_EQ(runs->facts().runs, 5);
}

TEST_F(ShowValuesTest, OnePartThatDoesNotRunIsEnough) {
  open(relus(3));
  executor.at_once = 8;
  executor.failing_ops = {"Relu"};
  const ViewOutcome outcome = runs->run({.values = {value("v1")}}, samples).value();
  EXPECT_THAT(executor.jobs, SizeIs(2)) << "no more than samples";
  EXPECT_FALSE(outcome.has_run);
  EXPECT_THAT(outcome.why, HasSubstr("Relu fails"));
}

TEST_F(ShowValuesTest, WhatAnEarlierRunGaveIsNotRunAgain) {
  open(relus(2));
  const auto file = folder() / "earlier.pack";
  const auto write = [&](const std::vector<NamedTensor>& tensors) { ASSERT_TRUE(write_pack(file, tensors)); };
  write({{"beside", Tensor::of<float>({1}, {3})}, {"y", Tensor::of<float>({1}, {4})}});
  const ViewOutcome known = run_unless_known(*runs, samples, {file, file}).value();
  EXPECT_TRUE(known.has_run);
  ASSERT_THAT(known.outputs, SizeIs(2));
  ASSERT_THAT(known.outputs.back(), SizeIs(1));
  EXPECT_EQ(known.outputs.back()[0].value.number(0), 4);
  EXPECT_THAT(executor.jobs, IsEmpty());
  write({{"another", Tensor::of<float>({1}, {3})}});
  for (const auto& other : {std::vector{file, file}, std::vector{file}, {}})
    EXPECT_EQ(run_unless_known(*runs, samples, other).value().outputs.back()[0].value.count(), 4);
  EXPECT_THAT(executor.jobs, SizeIs(3));
}

TEST_F(ShowValuesTest, HalvesWhereOutputsMove) {
  open(relus(8));
  executor.disturbing = {"v3"};
  const auto shown = show_values(*runs, computed(), task).value();
  EXPECT_THAT(shown.not_read, ElementsAre(Pair(value("v3"), HasSubstr("changes what the network gives"))));
  EXPECT_THAT(shown.sketches, SizeIs(7));
  EXPECT_GE(runs->facts().halved, 1);
  EXPECT_EQ(runs->facts().not_read, 1);
}

TEST_F(ShowValuesTest, MayBeToldNotToLookAtTheOutputs) {
  open(relus(8));
  executor.disturbing = {"v3"};
  task.is_controlled = false;
  EXPECT_THAT(show_values(*runs, computed(), task).value().sketches, SizeIs(8));
}

TEST_F(ShowValuesTest, HalvesWhereARunFails) {
  open(relus(8));
  executor.unreadable = {"v5"};
  const auto shown = show_values(*runs, computed(), task).value();
  EXPECT_THAT(shown.not_read, ElementsAre(Pair(value("v5"), HasSubstr("does not load"))));
  EXPECT_THAT(shown.sketches, SizeIs(7));
}

TEST_F(ShowValuesTest, ANetworkThatDoesNotRunSaysWhy) {
  open(relus(3));
  executor.failing_ops = {"Relu"};
  const auto shown = show_values(*runs, computed(), task).value();
  EXPECT_THAT(shown.outputs, IsEmpty());
  EXPECT_THAT(shown.why, HasSubstr("Relu fails"));
  EXPECT_EQ(executor.jobs.size(), 1U);
}

TEST_F(ShowValuesTest, UnderFeedsAndEdits) {
  open(relus(3));
  task.feeds = {{value("v1"), {Tensor::of<float>({4}, {9, 9, 9, 9}), Tensor::of<float>({4}, {9, 9, 9, 7})}}};
  task.edits = {SetType{layer_making(side->network(), "v2"), "Neg", {}}};
  const auto shown = show_values(*runs, {value("v2")}, task).value();
  EXPECT_EQ(shown.sketches.at(value("v2")).by_sample.at(1).some.front(), -9);
  EXPECT_EQ(shown.sketches.at(value("v2")).by_sample.at(1).some.back(), -7);
}

TEST_F(ShowValuesTest, NothingIsLeftOnTheDisk) {
  open(relus(5));
  ASSERT_TRUE(show_values(*runs, computed(), task));
  EXPECT_TRUE(std::filesystem::is_empty(folder() / "work"));
  for (const auto& file : std::filesystem::directory_iterator(folder())) EXPECT_NE(file.path().extension(), ".onnx");
}

TEST_F(ShowValuesTest, ConstantsThatNodesMake) {
  open(
      "g (float[4] x) => (float[4] y)\n<float[4] w = {1, -2, 3, -4}>\n"
      "{\n  a = Neg(w)\n  b = Relu(a)\n  y = Add(x, b)\n}");
  const auto found = show_constants(*runs, samples).value();
  ASSERT_THAT(found, UnorderedElementsAre(Pair(value("a"), ::testing::_), Pair(value("b"), ::testing::_)));
  EXPECT_THAT(testing::floats_of(found.at(value("b"))), ElementsAre(0, 2, 0, 4));
  EXPECT_EQ(executor.jobs.size(), 1U);
  EXPECT_EQ(executor.jobs.front().samples.size(), 1U);
}

TEST_F(ShowValuesTest, ConstantsThatCannotBeShownAreLeftOut) {
  open(
      "g (float[4] x) => (float[4] y)\n<float[4] w = {1, -2, 3, -4}>\n"
      "{\n  a = Neg(w)\n  b = Relu(a)\n  y = Add(x, b)\n}");
  executor.unreadable = {"a"};
  EXPECT_THAT(show_constants(*runs, samples).value(), UnorderedElementsAre(Pair(value("b"), ::testing::_)));
}

class ReadAheadTest : public ShowValuesTest {
 protected:
  ReadAheadTest() {
    open(relus(12));
    shown = show_values(*runs, computed(), task).value();
    executor.jobs.clear();
  }

  ShownValues shown;
};

TEST_F(ReadAheadTest, OneRunForManyValuesInOrder) {
  ReadAhead elements(*runs, computed(), shown.sketches, task);
  for (const int at : computed()) {
    const auto tensors = elements.of(at).value();
    ASSERT_THAT(tensors, SizeIs(2));
    EXPECT_THAT(testing::floats_of(tensors[1]), ElementsAre(0, 2, 0, 4));
  }
  EXPECT_EQ(executor.jobs.size(), 1U);
}

TEST_F(ReadAheadTest, InputsNeedNoRun) {
  open(relus(2));
  ReadAhead elements(*runs, computed(), {}, task);
  EXPECT_THAT(testing::floats_of(elements.of(value("x")).value().at(1)), ElementsAre(-1, 2, -3, 4));
  task.feeds = {{value("x"), {Tensor::of<float>({4}, {5, 6, 7, 8}), Tensor::of<float>({4}, {9, 9, 9, 9})}}};
  ReadAhead fed(*runs, computed(), {}, task);
  EXPECT_THAT(testing::floats_of(fed.of(value("x")).value().at(0)), ElementsAre(5, 6, 7, 8));
  EXPECT_EQ(runs->facts().runs, 0);
}

TEST_F(ReadAheadTest, ForgetsTheOldestAndReadsItAgain) {
  task.bytes_per_run = 2 * 2 * 4 * sizeof(float);  // two values over two samples
  ReadAhead elements(*runs, computed(), shown.sketches, task);
  for (const int at : computed()) ASSERT_THAT(elements.of(at).value(), SizeIs(2));
  EXPECT_EQ(executor.jobs.size(), 6U);
  ASSERT_THAT(elements.of(computed().back()).value(), SizeIs(2));
  EXPECT_EQ(executor.jobs.size(), 6U) << "the last are kept";
  ASSERT_THAT(elements.of(computed().front()).value(), SizeIs(2));
  EXPECT_EQ(executor.jobs.size(), 7U) << "the first are not";
}

TEST_F(ReadAheadTest, WhatIsReadAheadMayFail) {
  executor.unreadable = {"v4"};
  ReadAhead elements(*runs, computed(), shown.sketches, task);
  EXPECT_THAT(elements.of(value("v1")).value(), SizeIs(2));
  EXPECT_THAT(elements.of(value("v4")).value(), IsEmpty());
  EXPECT_THAT(elements.of(value("v5")).value(), SizeIs(2));
  EXPECT_THAT(elements.of(-1).value(), IsEmpty()) << "is no part of what is read";
}

TEST_F(ReadAheadTest, DrawsMoveNumbers) {
  open("g (float[4] x) => (float[4] y)\n<float[4] w = {0.1, 0.2, 0.3, 0.4}>\n{\n  y = Add(x, w)\n}");
  ShowTask drawn = task;
  drawn.perturbation = Perturbation{1, 1};
  ReadAhead plain(*runs, {value("y")}, {}, task), moved(*runs, {value("y")}, {}, drawn);
  EXPECT_FALSE(plain.of(value("y")).value()[0].identical(moved.of(value("y")).value()[0]));
}

}  // namespace
}  // namespace culprit
