// The runtime's profile, read.
#include "traces.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> one_run(int start, int conv, int relu) {
  return {node_event("c", "Conv", start + 2, conv, 4), node_event("r", "Relu", start + 2 + conv, relu, 1),
          graph_event(start + 1, conv + relu + 4), run_event(start, conv + relu + 10)};
}

std::string several_runs(const std::vector<std::pair<int, int>>& runs) {
  std::vector<std::string> events = {session_event("model_loading_uri", 0, 3),
                                     session_event("session_initialization", 3, 9)};
  int start = 100;
  for (const auto& [conv, relu] : runs) {
    for (const std::string& event : one_run(start, conv, relu)) events.push_back(event);
    start += 1000;
  }
  return as_array(events);
}

std::vector<std::string> names(const RuntimeTrace& trace) {
  std::vector<std::string> found;
  for (const TracedNode& node : trace.nodes) found.push_back(node.name);
  return found;
}

const TracedNode& named(const RuntimeTrace& trace, const std::string& name) {
  for (const TracedNode& node : trace.nodes)
    if (node.name == name) return node;
  throw std::runtime_error("no node " + name);
}

TEST_F(TraceTest, MediansOverRunsBehindTheWarmUp) {
  const auto trace = read(several_runs({{900, 900}, {30, 5}, {10, 7}, {20, 6}}), 1);
  ASSERT_TRUE(trace) << trace.error().text();
  EXPECT_EQ(trace->runs, 3);
  EXPECT_FALSE(trace->is_cut);
  ASSERT_THAT(names(*trace), ElementsAre("c", "r"));
  EXPECT_DOUBLE_EQ(trace->nodes[0].seconds, 20e-6);
  EXPECT_DOUBLE_EQ(trace->nodes[1].seconds, 6e-6);
  EXPECT_DOUBLE_EQ(trace->run_seconds, 36e-6);
  EXPECT_EQ(trace->nodes[0].calls, 3);
  EXPECT_EQ(trace->nodes[0].index, 4);
  EXPECT_EQ(trace->nodes[0].op, "Conv");
  EXPECT_EQ(trace->nodes[0].provider, "CPUExecutionProvider");
  EXPECT_THAT(trace->nodes[0].inputs, ElementsAre(TracedShape{"float", {1, 3}}, TracedShape{"int64", {}}));
  EXPECT_THAT(trace->nodes[0].outputs, ElementsAre(TracedShape{"float", {1, 7}}));
}

TEST_F(TraceTest, WhatNoNodeTookIsLeftOutWhateverSingleCallsTook) {
  const auto trace = read(several_runs({{900, 5}, {10, 800}, {20, 6}}));
  EXPECT_DOUBLE_EQ(trace->left_out_seconds, 10e-6);
  EXPECT_DOUBLE_EQ(trace->run_seconds - trace->nodes[0].seconds - trace->nodes[1].seconds, 794e-6);
}

TEST_F(TraceTest, ARunThatIsNotKeptIsInNothing) {
  const std::string text = as_array({node_event("a", "Relu", 0, 1), run_event(0, 1), node_event("a", "Relu", 100, 10),
                                     run_event(100, 10), node_event("a", "Relu", 200, 50), run_event(200, 50),
                                     node_event("a", "Relu", 300, 12), run_event(300, 12)});
  const auto trace = read_runtime_trace(write(text), 1, {true, false});
  ASSERT_TRUE(trace) << trace.error().text();
  EXPECT_EQ(trace->runs, 2);
  EXPECT_EQ(trace->nodes.front().calls, 2);
  EXPECT_DOUBLE_EQ(trace->nodes.front().seconds, 11e-6);
  EXPECT_FALSE(read_runtime_trace(write(text), 1, {false, false, false})) << "no run is left";
}

TEST_F(TraceTest, OfTwoRunsTheMedianLiesBetween) {
  EXPECT_DOUBLE_EQ(read(several_runs({{10, 1}, {20, 3}}))->nodes[0].seconds, 15e-6);
}

TEST_F(TraceTest, TheCallsAreOfTheShortestRun) {
  const auto trace = read(several_runs({{30, 5}, {10, 7}, {20, 6}}));
  EXPECT_EQ(trace->call_run_time, 27);
  ASSERT_EQ(trace->calls.size(), 2u);
  EXPECT_EQ(trace->calls[0].duration, 10);
  EXPECT_EQ(trace->calls[0].start, 2) << "of the run";
  EXPECT_EQ(trace->nodes[static_cast<std::size_t>(trace->calls[1].node)].name, "r");
}

/// A Loop of 100 us, whose body runs twice: 2 * (30 + 10).
std::vector<std::string> with_a_loop(int start, const std::string& loop, const std::string& inside) {
  return {node_event(inside, "Add", start + 10, 30, 0),
          node_event("n", "Neg", start + 41, 10, 1),
          graph_event(start + 9, 43),
          node_event(inside, "Add", start + 55, 30, 0),
          node_event("n", "Neg", start + 86, 10, 1),
          graph_event(start + 54, 43),
          node_event(loop, "Loop", start, 100, 1)};
}

TEST_F(TraceTest, ALoopCountsWithoutItsBody) {
  std::vector<std::string> events = {node_event("before", "Relu", 1, 4)};
  for (const auto& event : with_a_loop(6, "loop", "a")) events.push_back(event);
  events.push_back(graph_event(0, 110));
  events.push_back(run_event(0, 120));
  const auto trace = read(as_array(events));
  ASSERT_TRUE(trace) << trace.error().text();
  EXPECT_THAT(names(*trace), ElementsAre("before", "loop", "a", "n"));
  EXPECT_DOUBLE_EQ(named(*trace, "loop").seconds, 20e-6);
  EXPECT_DOUBLE_EQ(named(*trace, "a").seconds, 60e-6) << "both calls of the run";
  EXPECT_EQ(named(*trace, "a").calls, 2);
  EXPECT_EQ(named(*trace, "a").outer, 1);
  EXPECT_EQ(named(*trace, "loop").outer, -1);
}

TEST_F(TraceTest, NodesOfTwoBodiesAreToldApart) {
  std::vector<std::string> events = with_a_loop(6, "one", "a");
  for (const auto& event : with_a_loop(206, "two", "a")) events.push_back(event);
  events.push_back(graph_event(0, 310));
  events.push_back(run_event(0, 320));
  const auto trace = read(as_array(events));
  ASSERT_THAT(names(*trace), ElementsAre("one", "a", "n", "two", "a", "n"));
  EXPECT_EQ(trace->nodes[1].outer, 0);
  EXPECT_EQ(trace->nodes[4].outer, 3);
}

TEST_F(TraceTest, BodiesInBodies) {
  std::vector<std::string> events = with_a_loop(12, "inner", "a");  // 12 to 112
  events.push_back(graph_event(11, 103));
  events.push_back(node_event("outer", "If", 10, 110, 0));
  events.push_back(graph_event(5, 120));
  events.push_back(run_event(0, 130));
  const auto trace = read(as_array(events));
  ASSERT_THAT(names(*trace), ElementsAre("outer", "inner", "a", "n"));
  EXPECT_DOUBLE_EQ(named(*trace, "outer").seconds, 10e-6);
  EXPECT_DOUBLE_EQ(named(*trace, "inner").seconds, 20e-6);
  double sum = 0;
  for (const TracedNode& node : trace->nodes) sum += node.seconds;
  EXPECT_DOUBLE_EQ(sum, 110e-6) << "what the node of the top graph took";
}

TEST_F(TraceTest, NeighboursOfTheSameMicrosecondAreNoBody) {
  const auto trace =
      read(as_array({node_event("a", "Relu", 5, 0), node_event("b", "Neg", 5, 3), graph_event(4, 6), run_event(3, 8)}));
  EXPECT_EQ(named(*trace, "a").outer, -1);
  EXPECT_DOUBLE_EQ(named(*trace, "b").seconds, 3e-6);
}

TEST_F(TraceTest, ANodeThatMostRunsDoNotReachTakesNoTimeInTheMedian) {
  std::vector<std::string> events;
  for (int run = 0; run < 3; ++run) {
    events.push_back(node_event("a", "Relu", run * 100 + 2, 5));
    if (run == 1) events.push_back(node_event("b", "Neg", run * 100 + 8, 50));
    events.push_back(graph_event(run * 100 + 1, 60));
    events.push_back(run_event(run * 100, 62));
  }
  const auto trace = read(as_array(events));
  EXPECT_DOUBLE_EQ(named(*trace, "b").seconds, 0);
  EXPECT_EQ(named(*trace, "b").calls, 1);
}

TEST_F(TraceTest, AFileThatIsCutTellsOfTheWholeRuns) {
  const std::string whole = several_runs({{30, 5}, {10, 7}});
  const auto second = whole.rfind("model_run");
  for (const std::size_t end : {second, second - 200, second + 4}) {
    const auto trace = read(whole.substr(0, end));
    ASSERT_TRUE(trace) << trace.error().text();
    EXPECT_EQ(trace->runs, 1);
    EXPECT_TRUE(trace->is_cut);
    EXPECT_DOUBLE_EQ(trace->nodes[0].seconds, 30e-6);
  }
  EXPECT_FALSE(read(several_runs({{30, 5}}).substr(0, 500))) << "no whole run";
}

TEST_F(TraceTest, ARunWhoseEndTheRuntimeWroteNoMoreDoesNotCount) {
  auto events = one_run(0, 30, 5);
  events.push_back(node_event("c", "Conv", 100, 999, 4));
  const auto trace = read(as_array(events));
  EXPECT_EQ(trace->runs, 1);
  EXPECT_TRUE(trace->is_cut);
  EXPECT_DOUBLE_EQ(trace->nodes[0].seconds, 30e-6);
}

TEST_F(TraceTest, NoRunIsLeftBehindTheWarmUp) {
  const auto trace = read(several_runs({{30, 5}}), 1);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(trace.error().message, HasSubstr("no whole run"));
  EXPECT_FALSE(read("[]"));
}

TEST_F(TraceTest, WhatIsNoProfileIsRefused) {
  for (const char* text : {"", "7", "\"text\"", "null", "{}", "{\"traceEvents\": []}", "[1, 2", "[[[[[[", "\xff\xfe",
                           "[7]", "[{\"cat\": 1, \"name\": []}]"}) {
    const auto trace = read(text);
    EXPECT_FALSE(trace) << text;
  }
  EXPECT_EQ(read_runtime_trace(folder() / "missing.json", 0).error().kind, ErrorKind::io);
}

TEST_F(TraceTest, AnEventOfAnotherTypeIsNamed) {
  const std::string good = several_runs({{30, 5}});
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from, text.find("\"Node\""));
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const auto trace = read(text);
    return trace ? "read" : trace.error().message;
  };
  EXPECT_THAT(broken("\"dur\": 30", "\"dur\": \"long\""), HasSubstr("event 3"));
  EXPECT_THAT(broken("\"dur\": 30", "\"dur\": -3"), HasSubstr("has no time"));
  EXPECT_THAT(broken("\"dur\": 30", "\"dur\": 1e300"), HasSubstr("has no time"));
  EXPECT_THAT(broken("\"dur\": 30", "\"dur\": 18446744073709551615"), HasSubstr("has no time"));
  EXPECT_THAT(broken("\"ts\": 102", "\"ts\": {}"), HasSubstr("has no time"));
  EXPECT_THAT(broken("\"op_name\": \"Conv\"", "\"op_name\": 5"), HasSubstr("names no operator"));
  EXPECT_EQ(broken("\"node_index\": \"4\"", "\"node_index\": \"four\""), "read") << "an index may be missing";
  EXPECT_EQ(broken("[{\"float\": [1, 3]}", "[[[[{\"float\": [[1], \"3\"]}]]]"), "read") << "and so may shapes";
}

TEST_F(TraceTest, AnyByteMayBeWrong) {
  const std::string good = several_runs({{30, 5}, {10, 7}});
  for (std::size_t at = 0; at < good.size(); at += 7) {
    std::string text = good;
    text[at] = static_cast<char>(text[at] ^ (1 << (at % 7)));
    const auto trace = read(text);
    EXPECT_LE(trace ? trace->runs : 0, 2);
  }
}

}  // namespace
}  // namespace culprit::testing
