// What `summary.counts` says, against what was counted outside: sessions and runs by a stub of the runtime, imports and
// processes by the linker's --wrap. And how many runs a check costs: the formula is here, and nowhere else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "record/costs.h"
#include "runtime/find_library.h"
#include "support/small_models.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

std::string numbers(int count) {
  std::string list;
  for (int i = 0; i < count; ++i)
    list += (i == 0 ? "" : ", ") + std::to_string(0.01F * static_cast<float>(i * 37 % 100 - 50));
  return list;
}

/// A small digit digit_classifier as mnist-7 is one, with nodes of choice between its convolution and its end.
std::string digit_classifier(const std::string& nodes, const std::string& output = "float[1,4] y",
                             const std::string& weights = "") {
  return R"(
<ir_version: 8, opset_import: ["" : 13]>
small (float[1,1,8,8] x) => ()" +
         output + ")\n<float[2,1,3,3] W = {" + numbers(18) + "}, float[2] b = {0.1, -0.2}, float[18,4] M = {" +
         numbers(72) + "}" + weights + ">\n{\n  c = Conv<kernel_shape = [3, 3]>(x, W, b)\n" + nodes + "}";
}

const std::string no_pass_fires = digit_classifier(R"(
  p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(c)
  f = Flatten<axis = 1>(p)
  y = MatMul(f, M)
)");

const std::string one_variant = digit_classifier(R"(
  i = Identity(c)
  p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(i)
  f = Flatten<axis = 1>(p)
  y = MatMul(f, M)
)");

/// BatchNormalization into Conv moves bits; the Identity and the two Transposes do not; and all of it is the bundle.
const std::string four_variants =
    digit_classifier(R"(
  n = BatchNormalization(c, scale, shift, mean, variance)
  i = Identity(n)
  t1 = Transpose<perm = [0, 1, 3, 2]>(i)
  t2 = Transpose<perm = [0, 1, 3, 2]>(t1)
  p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(t2)
  f = Flatten<axis = 1>(p)
  y = MatMul(f, M)
)",
                     "float[1,4] y",
                     ", float[2] scale = {1.5, 0.75}, float[2] shift = {0.25, -0.5}, float[2] "
                     "mean = {0.1, 0.2}, float[2] variance = {1.25, 0.8}");

const std::string integers_out = digit_classifier(R"(
  i = Identity(c)
  p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(i)
  f = Flatten<axis = 1>(p)
  m = MatMul(f, M)
  y = ArgMax<axis = 1, keepdims = 0>(m)
)",
                                                  "int64[1] y");

/// Three further samples: above, at and below what a single number is compared with.
const std::string compared = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2,3] x, float level) => (float[2,3] y) <float thirty = {30}> {
  is_high = Greater(level, thirty)
  same = Identity(x)
  turned = Neg(x)
  y = Where(is_high, same, turned)
})";

struct Counted {
  Ran ran;
  std::map<std::string, std::int64_t> outside;  ///< by event
  std::int64_t distinct = 0;                    ///< variants that were run, each counted once

  [[nodiscard]] std::int64_t inside(const std::string& what) const { return ran.report["summary"]["counts"][what]; }
  [[nodiscard]] std::int64_t counted(const std::string& event) const {
    const auto at = outside.find(event);
    return at == outside.end() ? 0 : at->second;
  }
};

class Counts : public ::testing::Test {
 protected:
  Counts() {
    ::setenv("CULPRIT_TEST_COUNTS", (folder_.path() / "counts").c_str(), 1);
    ::setenv("CULPRIT_TEST_REAL_RUNTIME", find_onnxruntime("").value().c_str(), 1);
  }
  ~Counts() override {
    ::unsetenv("CULPRIT_TEST_COUNTS");
    ::unsetenv("CULPRIT_TEST_REAL_RUNTIME");
  }

  fs::path write(const std::string& name, const std::string& text) {
    onnx::ModelProto model;
    const auto parsed = onnx::OnnxParser::Parse(model, text.c_str());
    EXPECT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
    const fs::path file = folder_.path() / (name + ".onnx");
    std::ofstream(file, std::ios::binary) << model.SerializeAsString();
    return file;
  }

  Counted check(std::vector<std::string> arguments) {
    fs::remove(folder_.path() / "counts");
    arguments.insert(arguments.end(), {"--runtime", CULPRIT_TEST_COUNTING_RUNTIME});
    Counted counted;
    counted.ran = culprit_check(std::move(arguments), CULPRIT_TEST_COUNTING_BINARY);
    std::ifstream lines(folder_.path() / "counts");
    for (std::string event, process; lines >> event >> process;) ++counted.outside[event];
    EXPECT_FALSE(counted.ran.report.is_null()) << counted.ran.out << counted.ran.err;
    if (!counted.ran.report.is_null()) counted.distinct = counted.ran.report["summary"]["distinct_variants"];
    return counted;
  }

  Counted check(const std::string& name, const std::string& text, int samples) {
    return check({write(name, text), "--samples", std::to_string(samples)});
  }

  static void expect_the_same(const Counted& counted) {
    EXPECT_EQ(counted.inside("sessions"), counted.counted("session"));
    EXPECT_EQ(counted.inside("runs"), counted.counted("run"));
    EXPECT_EQ(counted.inside("imports"), counted.counted("import"));
    EXPECT_EQ(counted.inside("processes"), counted.counted("process"));
    EXPECT_GT(
        counted.counted("session") * counted.counted("run") * counted.counted("import") * counted.counted("process"),
        0);
    EXPECT_EQ(counted.counted("probe"), 1) << "the library that was named is looked at once";
  }

  TemporaryFolder folder_ = scratch();
};

/// What decides, beside their number, what variants cost.
struct Kind {
  std::int64_t distinct = 0;
  bool moves_bits = false;    ///< some variant does, in every sample, by no more than one draw of it explains
  std::int64_t directed = 0;  ///< samples that were kept of those aimed at the places of passes; -1: none was tried
  bool exposes = true;        ///< values inside say more of them than the outputs do
};

/// Runs of a small model with `samples` samples whose variants are all right, where the runtime has a deploy level of
/// its own and the values can be moved.
std::int64_t expected_runs(std::int64_t samples, const Kind& kind) {
  const std::int64_t distinct = kind.distinct;
  const std::int64_t some = std::min<std::int64_t>(samples, 8), few = std::min<std::int64_t>(samples, 4);
  const std::int64_t reference = samples;
  const std::int64_t variants = distinct * samples;
  const std::int64_t repeat = some;                          // the reference once more, in a fresh process
  const std::int64_t draws = kind.moves_bits ? samples : 0;  // of every sample that differs
  const std::int64_t plain = kind.exposes ? 1 : 0;  // with inner values exposed, for candidates to be held against
  const std::int64_t candidates = kind.directed < 0 ? 0 : some + plain + kind.directed;  // those kept run once more
  const std::int64_t original_deployed = samples;                                        // control runtime_optimized
  // What users run, the bundle, runs there on all samples, when it is right on the few that are run of every variant.
  const std::int64_t deployed = distinct * few + (distinct > 0 && samples > few ? samples : 0);
  const std::int64_t round_trip = 0;  // changes nothing in models of IR 4 and later
  const std::int64_t capture = 0;     // only where outputs say nothing
  const std::int64_t confirmations = 0;
  return reference + variants + repeat + draws + candidates + original_deployed + deployed + round_trip + capture +
         confirmations;
}

/// A session for each of the jobs in expected_runs.
std::int64_t expected_sessions(std::int64_t samples, const Kind& kind) {
  const std::int64_t draws = !kind.moves_bits ? 0 : samples > 4 ? 2 : 1;  // of four samples, then of the rest
  const std::int64_t candidates = kind.directed < 0 ? 0 : kind.directed > 0 ? 2 : 1;
  const std::int64_t bundle_on_all = kind.distinct > 0 && samples > 4 ? 1 : 0;
  return 1 + kind.distinct + 1 + draws + candidates + 1 + kind.distinct + bundle_on_all;
}

/// As the report says it of its only model.
std::int64_t directed_in(const Counted& counted) { return counted.ran.report["models"][0]["data"]["directed"]; }

struct Case {
  const char* name;
  const std::string& text;
  Kind kind;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class CountsOf : public Counts, public ::testing::WithParamInterface<Case> {};

TEST_P(CountsOf, AreThoseThatWereCountedOutside) {
  const Counted counted = check(GetParam().name, GetParam().text, 3);
  EXPECT_EQ(counted.ran.exit, 0) << counted.ran.out << counted.ran.err;
  EXPECT_EQ(counted.distinct, GetParam().kind.distinct) << counted.ran.out;
  EXPECT_EQ(directed_in(counted), std::max<std::int64_t>(GetParam().kind.directed, 0));
  expect_the_same(counted);
  EXPECT_EQ(counted.counted("run"), expected_runs(3, GetParam().kind));
  EXPECT_EQ(counted.counted("session"), expected_sessions(3, GetParam().kind));
  EXPECT_EQ(counted.counted("import"), 2) << "one serves every pass, and one the control optimizer_repeat";
}

INSTANTIATE_TEST_SUITE_P(All, CountsOf,
                         ::testing::Values(Case{"no_pass_fires", no_pass_fires, {0, false, -1}},
                                           Case{"one_variant", one_variant, {1, false, -1}},
                                           Case{"four_variants", four_variants, {4, true, 1}},
                                           Case{"integers_out", integers_out, {1, false, 0, false}}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// They cost what others do, and a session in which they are tried.
TEST_F(Counts, FurtherSamplesCostWhatOthersDo) {
  const Counted counted = check("compared", compared, 3);
  expect_the_same(counted);
  EXPECT_EQ(counted.ran.report["models"][0]["data"]["samples"], 6);
  EXPECT_EQ(counted.distinct, 1);
  EXPECT_EQ(counted.counted("run"), expected_runs(6, {1, false, -1}));
  EXPECT_EQ(counted.counted("session"), expected_sessions(6, {1, false, -1}) + 1);
}

/// Samples cost runs of the reference and of distinct variants, and a draw where bits differ; at the deploy level runs
/// of the original and of the bundle. Controls stop at 8 samples (directed ones at as many candidates), other variants
/// at the deploy level at 4. Imports do not follow the samples, nor do sessions, but for a second one of draws.
TEST_F(Counts, ControlsDoNotGrowWithTheSamples) {
  std::map<int, Counted> of;
  for (const int samples : {3, 8, 10, 20}) {
    of[samples] = check("four_variants", four_variants, samples);
    expect_the_same(of[samples]);
    ASSERT_EQ(of[samples].distinct, 4);
    const std::int64_t directed = directed_in(of[samples]);
    EXPECT_THAT(directed, AllOf(Ge(1), Le(std::min(samples / 2, 8))));
    EXPECT_EQ(of[samples].counted("run"), expected_runs(samples, {4, true, directed})) << samples << " samples";
    EXPECT_EQ(of[samples].counted("session"), expected_sessions(samples, {4, true, directed}));
    EXPECT_EQ(of[samples].counted("import"), of[3].counted("import"));
    EXPECT_EQ(of[samples].counted("process"), of[3].counted("process"));
  }
  const std::int64_t more_kept = directed_in(of[20]) - directed_in(of[10]);
  EXPECT_EQ(of[20].counted("run") - of[10].counted("run"), 10 * (1 + 4 + 1 + 2) + more_kept)
      << "the reference, the distinct variants, a draw, and at the deploy level the original and the default pass list";
}

TEST_F(Counts, AddUpOverModels) {
  const Counted counted = check(
      {write("first", one_variant), write("second", no_pass_fires), write("third", four_variants), "--samples", "2"});
  EXPECT_EQ(counted.ran.exit, 0) << counted.ran.out << counted.ran.err;
  expect_the_same(counted);
  EXPECT_EQ(counted.counted("run"),
            expected_runs(2, {1, false, -1}) + expected_runs(2, {0, false, -1}) + expected_runs(2, {4, true, 1}));
}

/// A pass that aborts the optimizer, and confirmations in fresh processes: what ends badly is counted as well.
TEST_F(Counts, AreRightWhereProcessesDie) {
  const Counted counted = check("crashing", crashing_model, 3);
  EXPECT_EQ(counted.ran.report["models"][0]["baseline"]["status"], "ok");
  expect_the_same(counted);
}

/// A pad of zeros before the first of two pools, where values are negative: fuse_pad_into_pool is wrong.
std::string padded_classifier() {
  return digit_classifier(R"(
  r = Relu(c)
  m = Neg(r)
  q = Pad(m, pads)
  s = MaxPool<kernel_shape = [3, 3], strides = [1, 1]>(q)
  p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(s)
  f = Flatten<axis = 1>(p)
  y = MatMul(f, M)
)",
                          "float[1,4] y", ", int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}");
}

/// Behind a fault the rewrites are looked for: each question but the first, which is the round trip, makes its model
/// anew. None is asked where nothing fails: see the imports above.
TEST_F(Counts, EachQuestionForARewriteIsAnImport) {
  const fs::path file = write("padded", padded_classifier());
  const Counted with = check({file, "--samples", "2"});
  const Counted without = check({file, "--samples", "2", "--no-localize"});
  expect_the_same(with);
  expect_the_same(without);
  const auto& fault = with.ran.report["models"][0]["faults"].at(0);
  ASSERT_EQ(fault["rewrites"].size(), 1u) << fault;
  EXPECT_EQ(with.counted("import") - without.counted("import"), fault["rewrites_asked"].get<std::int64_t>() - 1);
  EXPECT_EQ(without.ran.report["models"][0]["faults"][0]["rewrites_asked"], 0);
  for (const Counted* counted : {&with, &without}) {
    EXPECT_EQ(counted->ran.report["summary"]["variants"], without.ran.report["summary"]["variants"])
        << "what is tried is in no report";
  }
}

/// Its runs: the variant, the original again, the original moved for the floors of its outputs. Then for each chunk
/// both with its values, and where some differ, the original moved for their floors, and the variant's regions alone.
TEST_F(Counts, WhereTheValuesPartFirstHasItsPrice) {
  const fs::path file = write("padded", padded_classifier());
  const Counted counted = check({file, "--samples", "2", "--each", "fuse_pad_into_pool"});
  expect_the_same(counted);
  const auto& fault = counted.ran.report["models"][0]["faults"].at(0);
  ASSERT_FALSE(fault["first_divergence"].is_null()) << fault;
  EXPECT_EQ(fault["first_divergence"]["original"], "s");
  constexpr int draws = 3;
  constexpr int chunks = 2;  // nothing declares how large values are: four of them, then the rest
  EXPECT_EQ(fault["first_divergence"]["runs"], 2 + draws + chunks * (2 + draws + 1));
}

TEST_F(Counts, OfAModelThatDoesNotLoad) {
  const Counted counted = check("unknown", R"(
<ir_version: 8, opset_import: ["" : 13, "nowhere" : 1]>
unknown (float[2] x) => (float[2] y) { y = nowhere.Nothing(x) })",
                                3);
  EXPECT_EQ(counted.ran.exit, 3);
  EXPECT_EQ(counted.inside("sessions"), counted.counted("session"));
  EXPECT_EQ(counted.inside("processes"), counted.counted("process"));
  EXPECT_EQ(counted.counted("run"), 0);
  EXPECT_EQ(counted.counted("import"), 0);
}

}  // namespace
}  // namespace culprit::testing
