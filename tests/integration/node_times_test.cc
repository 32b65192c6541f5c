// The real runtime's profile: which nodes ran, and which of the given model's nodes they do the work of.
#include "profile/nodes/node_times.h"

#include <onnx/onnx_pb.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "profile/nodes/traced_places.h"
#include "runtime_fixture.h"

namespace culprit::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

onnx::ModelProto model_in(const fs::path& path) {
  onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  if (!model.ParseFromIstream(&file)) throw std::runtime_error("cannot read " + path.string());
  return model;
}

const char* const convolutions_model = R"(
  <ir_version: 8, opset_import: ["" : 13]>
  two (float[1,3,8,8] x) => (float[1,4] y) <float[4,3,1,1] w, float[4,4] m> {
    c = Conv(x, w)
    r = Relu(c)
    n = Neg(r)
    g = GlobalAveragePool(n)
    f = Flatten(g)
    h = MatMul(f, m)
    y = Relu(h)
  })";

const char* const loop_model = R"(
  <ir_version: 8, opset_import: ["" : 13]>
  loop (float[4] x) => (float[4] y) <int64 n = {5}> {
    a = Relu(x)
    y = Loop(n, , a) <body = b (int64 i, bool c, float[4] s) => (bool d, float[4] t)
      { d = Identity(c)  u = Neg(s)  t = Abs(u) }>
  })";

class NodeTimesTest : public RuntimeTest {
 protected:
  struct Profiled {
    RuntimeTrace trace;
    NodeTimes times;
    std::map<std::string, NodeTimeRecord> by_name;
  };

  /// Weights without elements get ones.
  static std::string filled(std::string text) {
    const auto fill = [&](const std::string& of, std::size_t count) {
      const auto at = text.find(of);
      if (at == std::string::npos) return;
      std::string ones;
      for (std::size_t i = 0; i < count; ++i) ones += (i > 0 ? ", " : "") + std::string("0.5");
      text.insert(at + of.size(), " = {" + ones + "}");
    };
    fill("float[4,3,1,1] w", 12);
    fill("float[4,4] m", 16);
    return text;
  }

  Profiled profile(const std::string& text, Level level, const Tensor& x, int runs) {
    SessionOptions options;
    options.level = level;
    options.profile_to = folder() / ("profile-" + std::string(name_of(level)));
    options.save_optimized_to = folder() / "as_run.onnx";
    const auto session = load(text, options);
    for (int run = 0; run < runs; ++run) EXPECT_TRUE(session->run({{"x", x}}));
    const auto file = session->end_profile();
    if (!file) throw std::runtime_error(file.error().text());
    EXPECT_EQ(file->parent_path(), folder());
    EXPECT_EQ(session->end_profile().error().kind, ErrorKind::unsupported) << "it ends once";
    auto trace = read_runtime_trace(*file, 1);
    if (!trace) throw std::runtime_error(trace.error().text());
    const auto original = model_in(folder() / "model.onnx"), optimized = model_in(options.save_optimized_to);
    const FlatModel a(original), b(optimized);
    Profiled made{*trace, node_times(*trace, mapped_nodes(*trace, a, b)), {}};
    for (const NodeTimeRecord& node : made.times.nodes) made.by_name[node.node] = node;
    EXPECT_THAT(traced_places(*trace, b), Each(Ge(0)));
    EXPECT_LE(made.times.nodes_seconds, made.times.run_seconds);
    EXPECT_EQ(made.times.runs, runs - 1);
    EXPECT_FALSE(trace->is_cut);
    return made;
  }
};

TEST_F(NodeTimesTest, WithOptimizationsOffEachNodeIsItself) {
  const auto p =
      profile(filled(convolutions_model), Level::off, Tensor::of<float>({1, 3, 8, 8}, std::vector<float>(192, 1)), 4);
  ASSERT_EQ(p.times.nodes.size(), 7u);
  for (const auto& [name, node] : p.by_name) {
    EXPECT_THAT(node.originals, ElementsAre(name));
    EXPECT_EQ(node.provider, "CPUExecutionProvider");
    EXPECT_FALSE(node.is_inserted);
  }
  EXPECT_EQ(p.by_name.at("c").op, "Conv");
  EXPECT_THAT(p.trace.nodes[0].outputs, ElementsAre(TracedShape{"float", {1, 4, 8, 8}}));
  EXPECT_EQ(p.trace.nodes[0].calls, 3);
}

TEST_F(NodeTimesTest, AFusedNodeDoesTheWorkOfSeveral) {
  const auto p = profile(filled(convolutions_model), Level::extended,
                         Tensor::of<float>({1, 3, 8, 8}, std::vector<float>(192, 1)), 3);
  EXPECT_EQ(p.by_name.at("r").op, "com.microsoft.FusedConv");
  EXPECT_THAT(p.by_name.at("r").originals, ElementsAre("c", "r"));
  std::vector<std::string> originals;
  for (const auto& [name, node] : p.by_name)
    originals.insert(originals.end(), node.originals.begin(), node.originals.end());
  EXPECT_THAT(originals, UnorderedElementsAre("c", "r", "n", "g", "f", "h", "y"));
}

TEST_F(NodeTimesTest, AllNodesHaveOriginalsAtEveryLevel) {
  for (const Level level : {Level::off, Level::basic, Level::extended, Level::layout, Level::all}) {
    const auto p =
        profile(filled(convolutions_model), level, Tensor::of<float>({1, 3, 8, 8}, std::vector<float>(192, 1)), 2);
    for (const auto& [name, node] : p.by_name) EXPECT_THAT(node.originals, Not(IsEmpty())) << name_of(level) << name;
  }
}

TEST_F(NodeTimesTest, ALoopAndItsBodyAreCountedOnce) {
  const auto p = profile(loop_model, Level::off, Tensor::of<float>({4}, {1, 2, 3, 4}), 3);
  ASSERT_EQ(p.times.nodes.size(), 5u);
  for (const char* name : {"a", "y", "d", "u", "t"}) EXPECT_THAT(p.by_name.at(name).originals, ElementsAre(name));
  std::map<std::string, std::int64_t> calls;
  for (const TracedNode& node : p.trace.nodes) calls[node.op] = node.calls;
  EXPECT_EQ(calls["Loop"], 2);
  EXPECT_EQ(calls["Abs"], 2 * 5);
}

TEST_F(NodeTimesTest, WithoutProfilingThereIsNoProfile) {
  const auto ended = load(loop_model)->end_profile();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, ErrorKind::unsupported);
}

// The runtime is asked what it makes of real models; they are not run.
TEST_F(NodeTimesTest, OfRealModelsNineteenInTwentyNodesAreKnown) {
  const char* const given = std::getenv("CULPRIT_ZOO");
  const fs::path zoo = fs::path(given != nullptr ? given : CULPRIT_SOURCE "/../shared/zoo") / "models";
  if (!fs::exists(zoo / "ultraface-rfb-320-9.onnx")) GTEST_SKIP() << "no models: set CULPRIT_ZOO to a folder of them";
  for (const char* name : {"ultraface-rfb-320-9", "squeezenet-fp16-7", "candy-7", "silero-vad-16", "basic-pitch-15",
                           "mnist-7", "light-squeezenet-9", "light-inception_v1-9", "light-shufflenet-9"}) {
    const auto original = model_in(zoo / (name + std::string(".onnx")));
    for (const Level level : {Level::off, Level::basic, Level::extended, Level::all}) {
      SessionOptions options;
      options.level = level;
      options.save_optimized_to = folder() / "as_run.onnx";
      ASSERT_TRUE(runner_->load(zoo / (name + std::string(".onnx")), options)) << name;
      const auto optimized = model_in(options.save_optimized_to);
      const FusionCoverage c = coverage_of(fused_nodes(FlatModel(original), FlatModel(optimized)));
      EXPECT_GE(c.running + c.folded + c.unneeded, c.originals - c.originals / 20) << name << " " << name_of(level);
      EXPECT_GE(c.with_originals, c.optimized - c.optimized / 20) << name << " " << name_of(level);
      EXPECT_GT(c.running, 0);
    }
  }
}

}  // namespace
}  // namespace culprit::testing
