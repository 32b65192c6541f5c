// The runtime's profile and two models put together, and drawn.
#include "profile/nodes/node_times.h"

#include <nlohmann/json.hpp>

#include "profile/nodes/trace_out.h"
#include "profile/nodes/traced_places.h"
#include "traces.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TracedNode traced(const std::string& name, const std::string& op, int index, int outer = -1, double seconds = 1) {
  TracedNode node;
  node.name = name;
  node.op = op;
  node.index = index;
  node.outer = outer;
  node.seconds = seconds;
  return node;
}

std::vector<int> places(const std::vector<TracedNode>& nodes, const onnx::ModelProto& model) {
  RuntimeTrace trace;
  trace.nodes = nodes;
  return traced_places(trace, FlatModel(model));
}

const std::string three_nodes = "g (float[2] x) => (float[2] y) { a = Relu(x)  b = Relu(a)  y = Relu(b) }";

TEST(TracedPlaces, NodesWithoutNamesByTheOrderOfRunning) {
  EXPECT_THAT(places({traced("Relu_5", "Relu", 5), traced("Relu_2", "Relu", 2), traced("Relu_9", "Relu", 9)},
                     parsed(three_nodes)),
              ElementsAre(0, 1, 2));
}

TEST(TracedPlaces, OrByTheirIndexesWhereTheRuntimeRanThemInAnotherOrder) {
  const auto model =
      parsed("g (float[2] x) => (float[2] y) { a = Neg(x)  b = Relu(x)  c = Relu(x)  y = Sum(a, b, c) }");
  EXPECT_THAT(places({traced("Relu_2", "Relu", 2), traced("Relu_1", "Relu", 1), traced("Neg_0", "Neg", 0),
                      traced("Sum_3", "Sum", 3)},
                     model),
              ElementsAre(2, 1, 0, 3));
}

TEST(TracedPlaces, ByNameWhereSomeNodesDidNotRun) {
  auto model = parsed(three_nodes);
  maker_of(model, "b").set_name("second");
  EXPECT_THAT(places({traced("second", "Relu", 7)}, model), ElementsAre(1));
  EXPECT_THAT(places({traced("Relu_0", "Relu", 0)}, model), ElementsAre(-1)) << "two nodes have no name";
  EXPECT_THAT(places({traced("second", "Neg", 7)}, model), ElementsAre(-1)) << "another operator";
  EXPECT_THAT(places({traced("other", "Relu", 7)}, model), ElementsAre(-1));
  maker_of(model, "a").set_name("first");
  EXPECT_THAT(places({traced("Relu_3", "Relu", 3)}, model), ElementsAre(2)) << "one has no name";
  EXPECT_THAT(places({traced("Relu_3", "Relu", 3), traced("Relu_4", "Relu", 4)}, model), ElementsAre(-1, -1));
}

TEST(TracedPlaces, ConstantsDoNotRun) {
  EXPECT_THAT(
      places({traced("Add_1", "Add", 1)},
             parsed("g (float[2] x) => (float[2] y) { k = Constant<value = float[2] {1, 2}>()  y = Add(x, k) }")),
      ElementsAre(1));
}

TEST(TracedPlaces, InBodiesByTheNodeAround) {
  const auto model = parsed(
      "g (float[2] x, bool q) => (float[2] y) { b = If(q) <then_branch = t () => (float[2] o) { u = Neg(x)  o = Abs(u) "
      "},"
      " else_branch = e () => (float[2] o) { o = Sqrt(x) }>  y = If(q) <then_branch = t () => (float[2] o) { u = "
      "Neg(b)  "
      "o = Abs(u) }, else_branch = e () => (float[2] o) { o = Sqrt(b) }> }");
  // flat: Neg Abs Sqrt If Neg Abs Sqrt If
  EXPECT_THAT(places({traced("If_0", "If", 0), traced("Sqrt_0", "Sqrt", 0, 0), traced("If_1", "If", 1),
                      traced("Neg_0", "Neg", 0, 2), traced("Abs_1", "Abs", 1, 2)},
                     model),
              ElementsAre(3, 2, 7, 4, 5));
}

struct Profile {
  onnx::ModelProto original = parsed("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Neg(a)  y = Exp(b) }");
  onnx::ModelProto optimized = parsed("g (float[2] x) => (float[2] y) { b = com.microsoft.FusedNeg(x)  y = Exp(b) }");
  RuntimeTrace trace;
  Profile() {
    trace.nodes = {traced("FusedNeg_0", "FusedNeg", 0, -1, 1), traced("Exp_1", "Exp", 1, -1, 3)};
    trace.nodes[0].provider = "CPUExecutionProvider";
    trace.runs = 5;
    trace.run_seconds = 4.5;
    trace.left_out_seconds = 0.4;
    trace.calls = {{0, 2, 10}, {1, 12, 30}};
  }
  [[nodiscard]] std::vector<MappedNode> mapped() const {
    return mapped_nodes(trace, FlatModel(original), FlatModel(optimized));
  }
};

TEST(NodeTimes, TheSlowestFirstWithTheirOriginals) {
  const Profile p;
  const NodeTimes times = node_times(p.trace, p.mapped());
  ASSERT_EQ(times.nodes.size(), 2u);
  EXPECT_EQ(times.nodes[0].node, "y");
  EXPECT_EQ(times.nodes[1].op, "com.microsoft.FusedNeg");
  EXPECT_THAT(times.nodes[1].originals, ElementsAre("a", "b"));
  EXPECT_EQ(times.nodes[1].provider, "CPUExecutionProvider");
  EXPECT_DOUBLE_EQ(times.nodes[0].share, 0.75);
  EXPECT_DOUBLE_EQ(times.nodes_seconds, 4);
  EXPECT_DOUBLE_EQ(times.run_seconds, 4.5);
  EXPECT_DOUBLE_EQ(times.left_out_seconds, 0.4);
  EXPECT_EQ(times.runs, 5);
}

TEST(NodeTimes, CostsAreToldByTheFirstOutput) {
  const Profile p;
  const auto flops_of = [&](const std::vector<NodeCost>& costs) {
    const NodeTimes times =
        node_times(p.trace, mapped_nodes(p.trace, FlatModel(p.original), FlatModel(p.optimized), costs));
    return std::vector{times.nodes[0].flops, times.nodes[1].flops};
  };
  const NodeCost exp{"", "Exp", "y", 2, 16}, fused{"", "com.microsoft.FusedNeg", "b", 4, 16};
  EXPECT_THAT(flops_of({fused, exp}), ElementsAre(2, 4));
  EXPECT_THAT(flops_of({exp}), ElementsAre(2, std::nullopt));
  EXPECT_THAT(flops_of({exp, exp, fused}), ElementsAre(std::nullopt, 4)) << "of two bodies: nothing tells which";
  EXPECT_THAT(flops_of({{"", "Neg", "y", 2, 16}}), ElementsAre(std::nullopt, std::nullopt)) << "another operator";
}

TEST(NodeTimes, ANodeThatTheModelDoesNotHaveKeepsItsName) {
  Profile p;
  p.trace.nodes.push_back(traced("other", "Abs", 7, -1, 2));
  const NodeTimes times = node_times(p.trace, p.mapped());
  EXPECT_EQ(times.nodes[1].node, "other");
  EXPECT_THAT(times.nodes[1].originals, IsEmpty());
  EXPECT_DOUBLE_EQ(times.nodes_seconds, 6);
}

TEST_F(TraceTest, EntriesAreDrawnAsThreads) {
  Profile p;
  auto mapped = p.mapped();
  mapped[1].name = "bad \xff \x1b[31m";
  mapped[1].is_inserted = true;
  const fs::path file = folder() / "out.json";
  ASSERT_TRUE(write_trace(file, {{"off", p.trace, mapped}, {"all", p.trace, p.mapped()}}));
  const auto json = nlohmann::json::parse(read_file(file).value());
  const auto& events = json.at("traceEvents");
  ASSERT_EQ(events.size(), 7u);
  EXPECT_EQ(events[0].at("name"), "process_name");
  EXPECT_EQ(events[1].at("args").at("name"), "off");
  EXPECT_EQ(events[4].at("args").at("name"), "all");
  EXPECT_EQ(events[2].at("ph"), "X");
  EXPECT_EQ(events[2].at("name"), "b");
  EXPECT_EQ(events[2].at("ts"), 2);
  EXPECT_EQ(events[2].at("dur"), 10);
  EXPECT_EQ(events[2].at("tid"), 1);
  EXPECT_EQ(events[5].at("tid"), 2);
  EXPECT_EQ(events[2].at("args").at("does the work of"), nlohmann::json({"a", "b"}));
  EXPECT_EQ(events[3].at("args").at("inserted for"), nlohmann::json::array({"y"}));
  EXPECT_EQ(events[3].at("name"), "bad ? ");
  ASSERT_TRUE(write_trace(file, {})) << "nothing to draw is a trace, too";
  EXPECT_EQ(nlohmann::json::parse(read_file(file).value()).at("traceEvents").size(), 1u);
  EXPECT_FALSE(write_trace(folder() / "missing" / "out.json", {}));
}

}  // namespace
}  // namespace culprit::testing
