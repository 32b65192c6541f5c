// culprit reduce as users run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "data/sample.h"
#include "model/model.h"
#include "support/corpus_case.h"
#include "support/host.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"
#include "unit/models/model/parse.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Reduce : public ::testing::Test {
 protected:
  void SetUp() override { CULPRIT_ONE_OF(2); }
  void write(const std::string& text) { ASSERT_TRUE(save_model(parse_model(text), folder_.path() / "model.onnx")); }
  void write_case(const std::string& room, const std::string& name) {
    const auto read = read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests" / "corpus" / room / (name + ".onnxtxt"));
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_TRUE(write_hosted(*read, folder_.path(), 3));
  }
  Ran reduce(std::vector<std::string> arguments) {
    const bool has_budget = std::ranges::find(arguments, "--budget") != arguments.end();
    if (is_sanitized && !has_budget) arguments.insert(arguments.end(), {"--budget", "20m"});
    arguments.insert(arguments.begin(), {"reduce", folder_.path() / "model.onnx", "-o", out()});
    return culprit(arguments);
  }
  /// For --check: what to do from the N-th time on that it is asked. So nothing hangs on how fast the machine is.
  [[nodiscard]] std::string from_question(int number, const std::string& what) const {
    const std::string asked = (folder_.path() / "asked").string();
    return "echo >> " + asked + "; if [ $(wc -l < " + asked + ") -ge " + std::to_string(number) + " ]; then " + what +
           "; fi";
  }
  [[nodiscard]] std::string text(const char* file) const { return read_file(folder_.path() / file).value_or(""); }
  [[nodiscard]] fs::path out() const { return folder_.path() / "small" / "model.onnx"; }
  Model reduced() { return load_model(out()).value(); }
  std::vector<std::string> operators() {
    std::vector<std::string> found;
    const Model model = reduced();
    for (const auto& node : model.proto->graph().node()) found.push_back(node.op_type());
    return found;
  }

  TemporaryFolder folder_ = scratch();
};

TEST_F(Reduce, WhatIsLeftFailsOnItsOwnOnItsOwnData) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  const Ran ran = reduce({"--passes", "fuse_pad_into_pool"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_LE(reduced().facts.nodes, 2);
  EXPECT_THAT(ran.out, HasSubstr("kept: diverged | fuse_pad_into_pool | Pad ->"));
  EXPECT_THAT(ran.out, HasSubstr("showed in 3 of 3 fresh runs"));
  EXPECT_TRUE(read_test_data_set(out().parent_path() / "test_data_set_0", reduced().interface));
  EXPECT_TRUE(fs::exists(out().parent_path() / "test_data_set_0" / "output_0.pb"));
  const Ran again = culprit_check({out(), "--passes", "fuse_pad_into_pool"});
  EXPECT_EQ(again.exit, 1) << again.out;
  EXPECT_EQ(again.report["models"][0]["faults"][0]["verdict"], "diverged");
  EXPECT_EQ(again.report["models"][0]["baseline"]["status"], "ok");
  for (const auto& entry : fs::directory_iterator(out().parent_path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << "left behind: " << entry.path();
}

// In the same graph one pass drops a sign and another leaves a graph that does not load.
TEST_F(Reduce, DoesNotSwapOneBugForAnother) {
  write(R"(<ir_version: 8, opset_import: ["" : 13]>
agraph (float[1,2,4,4] x, float[2,3] z) => (float[1,2,4,4] y, int64[1] d, float[2,3] t)
<int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}, float zero = {0}>
{
  n = Neg(x)
  p = Pad<mode = "constant">(n, pads, zero)
  m = MaxPool<kernel_shape = [3, 3], strides = [1, 1]>(p)
  y = Neg(m)
  u = Tanh(z)
  dims = Shape(z)
  index = Constant<value = int64[1] {1}>()
  g = Gather(dims, index)
  d = Concat<axis = 0>(g)
  t = Neg(u)
})");
  const Ran pool = reduce({"--passes", "fuse_pad_into_pool"});
  ASSERT_EQ(pool.exit, 0) << pool.out << pool.err;
  EXPECT_THAT(pool.out, HasSubstr("kept: diverged"));
  EXPECT_THAT(operators(), ::testing::ElementsAre("Pad", "MaxPool"));
  const Ran both = reduce({"--passes", "fuse_pad_into_pool,eliminate_shape_gather"});
  ASSERT_EQ(both.exit, 0) << both.out << both.err;
  EXPECT_THAT(both.out, HasSubstr("kept: rejected")) << "what the two of them do first is not to load";
  EXPECT_THAT(operators(), ::testing::Contains("Gather"));
  EXPECT_THAT(operators(), Not(::testing::Contains("MaxPool")));
}

/// As old PyTorch named values: a Conv and a BatchNormalization at three places of a chain.
std::string numbered_chain() {
  std::string weights, nodes;
  int last = 57;
  const auto value = [](int number) { return "\"" + std::to_string(number) + "\""; };
  const auto node = [&](const std::string& op, const std::string& more = "") {
    nodes += value(last + 1) + " = " + op + "(" + value(last) + more + ") ";
    ++last;
  };
  for (int block = 0; block < 12; ++block) {
    const std::string its = std::to_string(block);
    if (block == 2 || block == 5 || block == 8) {
      weights += (weights.empty() ? "" : ", ") + ("float[2,2,1,1] w" + its) + " = {0.5, 1, -1, 0.25}";
      for (const std::string name : {"s", "b", "m", "v"}) weights += ", float[2] " + name + its + " = {1, 2}";
      node("Conv", ", w" + its);
      node("BatchNormalization", ", s" + its + ", b" + its + ", m" + its + ", v" + its);
    }
    for (const char* op : {"Relu", "Sigmoid", "Neg"}) node(op);
  }
  return "<ir_version: 7, opset_import: [\"\" : 13]> chain (float[1,2,4,4] \"57\") => (float[1,2,4,4] " + value(last) +
         ") <" + weights + "> { " + nodes + "}";
}

// The pass names what it adds by counting the values, so the name that is there twice moves with each value that goes.
TEST_F(Reduce, NamesThatAreMadeByCountingMoveWithTheNodesThatGo) {
  write(numbered_chain());
  const Ran ran = reduce({"--passes", "fuse_bn_into_conv"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("kept: rejected | fuse_bn_into_conv"));
  EXPECT_THAT(ran.out, HasSubstr("nodes 42 -> "));
  EXPECT_LE(reduced().facts.nodes, 3);
  EXPECT_THAT(operators(), ::testing::IsSupersetOf({"Conv", "BatchNormalization"}));
  EXPECT_EQ(culprit_check({out(), "--passes", "fuse_bn_into_conv"}).exit, 1);
}

TEST_F(Reduce, AnyCommandCanSayWhatFails) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  std::ofstream(folder_.path() / "ask.sh") << "test -f \"$2/input_0.pb\" && grep -q MaxPool \"$1\"\n";
  const Ran ran = reduce({"--check", "sh " + (folder_.path() / "ask.sh").string() + " {model} {data}"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(operators(), ::testing::ElementsAre("MaxPool"));
}

TEST_F(Reduce, ACommandThatFailsWhereTheFaultIsIsTurnedRound) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  const Ran ran = reduce({"--check", "! (! grep -q MaxPool {model})"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(reduced().facts.nodes, 1);
}

TEST_F(Reduce, SaysWhatToDoWhereTheFaultDoesNotShow) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  Ran ran = reduce({"--passes", "fuse_bn_into_conv"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.err, HasSubstr("does not show"));
  EXPECT_THAT(ran.err, HasSubstr("--data"));
  EXPECT_FALSE(fs::exists(out()));
  ran = reduce({"--check", "false {model}"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.err, HasSubstr("none of 3 runs"));
  EXPECT_FALSE(fs::exists(out().parent_path())) << "a folder was made for nothing";
}

TEST_F(Reduce, TheBestSoFarIsLeftWhenTheTimeIsSpent) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  const std::string check = from_question(12, "sleep 12") + "; grep -q MaxPool {model}";
  const Ran ran = reduce({"--check", check, "--budget", "10s"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("the time of --budget was spent"));
  EXPECT_LT(reduced().facts.nodes, 30);
}

TEST_F(Reduce, DataOfOthersAreNotReplaced) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  const fs::path theirs = out().parent_path() / "test_data_set_0";
  fs::create_directories(theirs);
  const Ran ran = reduce({"--passes", "fuse_pad_into_pool"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("model.onnx.data_sets/test_data_set_0"));
  EXPECT_TRUE(fs::is_empty(theirs));
  EXPECT_TRUE(fs::exists(out().string() + ".data_sets/test_data_set_0/output_0.pb"));
  fs::remove(out());
  EXPECT_EQ(reduce({"--passes", "fuse_pad_into_pool"}).exit, 2) << "data without their model are somebody else's";
  fs::remove_all(out().parent_path());
  EXPECT_EQ(reduce({"--passes", "fuse_pad_into_pool"}).exit, 0);
  EXPECT_EQ(reduce({"--passes", "fuse_pad_into_pool"}).exit, 0) << "one's own are";
}

TEST_F(Reduce, OtherModelsBesideItDoNotGetItsData) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  const fs::path small = folder_.path() / "small.onnx";
  const Ran ran = culprit({"reduce", folder_.path() / "model.onnx", "-o", small, "--passes", "fuse_pad_into_pool"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("small.onnx.data_sets/test_data_set_0"));
  EXPECT_FALSE(fs::exists(folder_.path() / "test_data_set_0"));
  const Ran again = culprit_check({small, "--passes", "fuse_pad_into_pool"});
  EXPECT_EQ(again.exit, 1) << again.out;
  EXPECT_EQ(again.report["models"][0]["data"]["source"], "test_data_set");
}

// What is fused lies in the branch of an If in a Loop; one turn of it is enough.
TEST_F(Reduce, AFaultInABodyIsLiftedOutOfIt) {
  write(R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1,2,4,4] x) => (float[1,2,4,4] y, float[k,1,2,3,3] ys)
<bool c = {1}, int64 n = {6}>
{
  y, ys = Loop(n, c, x) <body = b (int64 i, bool ci, float[1,2,4,4] v) => (bool co, float[1,2,4,4] vo, float[1,2,3,3] o)
                         <int64 five = {5}>
  {
    co = Identity(ci)
    r = Relu(v)
    is5 = Equal(i, five)
    o = If(is5) <then_branch = tb () => (float[1,2,3,3] t2) <int64[8] pd = {0,0,1,1,0,0,1,1}, float zr = {0}>
                 { t1 = Pad<mode = "constant">(v, pd, zr) t2 = MaxPool<kernel_shape = [2,2], strides = [2,2]>(t1) },
                 else_branch = eb () => (float[1,2,3,3] e2) <int64[8] pd = {0,0,1,1,0,0,1,1}, float zr = {0}>
                 { e1 = Pad<mode = "constant">(r, pd, zr) e2 = MaxPool<kernel_shape = [2,2], strides = [2,2]>(e1) }>
    vo = Neg(v)
  }>
})");
  for (const char* seed : {"0", "1", "2"}) {
    const Ran ran = reduce({"--passes", "fuse_pad_into_pool", "--seed", seed});
    ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
    EXPECT_THAT(operators(), ::testing::ElementsAre("Pad", "MaxPool")) << seed;
    EXPECT_EQ(declared_types_complaint(*reduced().proto), "");
  }
}

// The body of a Scan keeps a state that feeds the next turn, and the sizes that it declares.
TEST_F(Reduce, WhatIsLeftDeclaresTypesThatAreTrue) {
  write(R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[5,1,2,4,4] xs) => (float[1,2,3,3] y, float[5,1,2,3,3] ys)
<float[1] z = {0}, int64[4] sh = {1,2,3,3}>
{
  z0 = Expand(z, sh)
  y, ys = Scan(z0, xs) <num_scan_inputs = 1,
      body = b (float[1,2,3,3] s, float[1,2,4,4] v) => (float[1,2,3,3] so, float[1,2,3,3] o)
      <int64[8] pd = {0,0,1,1,0,0,1,1}, float zr = {0}>
  {
    t1 = Pad<mode = "constant">(v, pd, zr)
    o = MaxPool<kernel_shape = [2,2], strides = [2,2]>(t1)
    so = Add(s, o)
  }>
})");
  const Ran by_passes = reduce({"--passes", "fuse_pad_into_pool"});
  ASSERT_EQ(by_passes.exit, 0) << by_passes.out << by_passes.err;
  EXPECT_THAT(operators(), ::testing::ElementsAre("Pad", "MaxPool"));
  EXPECT_EQ(declared_types_complaint(*reduced().proto), "");
  const Ran by_command = reduce({"--check", "grep -q Scan {model} && grep -q MaxPool {model}"});
  ASSERT_EQ(by_command.exit, 0) << by_command.out << by_command.err;
  EXPECT_EQ(declared_types_complaint(*reduced().proto), "");
}

TEST_F(Reduce, TheBestSoFarIsLeftWhenTheUserStops) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  const std::string once = "mkdir " + (folder_.path() / "told").string() + " 2>&1 >/dev/null && ";
  const std::string stop = once + "kill -INT $(cat " + (folder_.path() / "pid").string() + ")";
  const std::string check = from_question(12, stop) + "; grep -q MaxPool {model}";
  std::ofstream(folder_.path() / "check") << check;
  const std::string command = "cd " + folder_.path().string() + " && sh -c 'echo $$ > pid; exec \"" + CULPRIT_BINARY +
                              "\" reduce model.onnx -o small/model.onnx --check \"$(cat check)\"' > said 2>&1; " +
                              "echo $? > code";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(text("code"), HasSubstr("130")) << text("said");
  EXPECT_THAT(text("said"), HasSubstr("stopped"));
  EXPECT_LT(reduced().facts.nodes, 36);
  EXPECT_FALSE(fs::exists(folder_.path() / ".culprit")) << "the work folder is gone";
}

TEST_F(Reduce, TheExampleOfTheHelpWorks) {
  write_case("faults", "pad-into-maxpool-of-negatives");
  std::string example = culprit({"reduce", "--help"}).out;
  example = example.substr(example.find("Examples:\n  culprit ") + 20);
  const std::string command =
      "cd " + folder_.path().string() + " && \"" + CULPRIT_BINARY + "\" " + example.substr(0, example.find('\n'));
  EXPECT_EQ(std::system((command + " > said").c_str()), 0) << text("said");
  EXPECT_TRUE(fs::exists(folder_.path() / "reduced" / "model.onnx"));
}

TEST_F(Reduce, AFileThatIsNoModelCannotBeReduced) {
  std::ofstream(folder_.path() / "model.onnx") << "no model";
  const Ran ran = reduce({"--passes", "fuse_pad_into_pool"});
  EXPECT_EQ(ran.exit, 3) << ran.err;
  EXPECT_FALSE(fs::exists(out().parent_path()));
  fs::create_directories(out().parent_path());
  EXPECT_EQ(reduce({"--passes", "fuse_pad_into_pool"}).exit, 3);
  EXPECT_TRUE(fs::exists(out().parent_path())) << "it was there before";
}

}  // namespace
}  // namespace culprit::testing
