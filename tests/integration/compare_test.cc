// `culprit compare` with the real runtime: how much of a model the map covers, and whether the layer that was changed
// is the one that is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "model/model.h"
#include "support/corpus_case.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"
#include "support/twin.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

struct Compared {
  Ran ran;
  Json report;
};

/// `culprit compare A B ARGS`, with the report read back; it must follow the schema.
Compared compare(const fs::path& a, const fs::path& b, std::vector<std::string> arguments = {}) {
  const TemporaryFolder folder = scratch();
  const fs::path run = folder.path() / "run";
  std::vector<std::string> all{"compare", a, b, "--run-dir", run};
  all.insert(all.end(), arguments.begin(), arguments.end());
  Compared compared{culprit(all), {}};
  const auto text = read_file(run / "report.json");
  if (!text) return compared;
  compared.report = Json::parse(*text);
  const std::string source = CULPRIT_SOURCE;
  const std::string validate = "/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                               "/docs/compare.schema.json' '" + (run / "report.json").string() + "' >&2";
  EXPECT_EQ(std::system(validate.c_str()), 0);
  return compared;
}

/// The convolutions of a model that have a weight of their own, by number of the node.
std::vector<int> convolutions(const onnx::GraphProto& graph) {
  std::vector<int> found;
  for (int i = 0; i < graph.node_size(); ++i) {
    if (graph.node(i).op_type() == "Conv") found.push_back(i);
  }
  return found;
}

/// Makes the largest element of the weight of that node half as large again.
void change_weight(onnx::ModelProto& model, int node) {
  const std::string weight = model.graph().node(node).input(1);
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    if (tensor.name() != weight) continue;
    const Tensor before = from_proto(tensor).value();
    std::vector<float> values(before.as<float>().begin(), before.as<float>().end());
    *std::ranges::max_element(values, {}, [](float value) { return std::abs(value); }) *= 1.5F;
    tensor = to_proto(Tensor::of<float>(before.shape(), values), weight);
  }
}

/// Of the nodes that the first divergence names in that model, is it one?
bool names(const Json& report, const std::string& nodes, const std::string& output) {
  const Json& first = report["first_divergence"];
  return !first.is_null() &&
         std::ranges::any_of(first[nodes], [&](const Json& node) { return node["output"] == output; });
}

class CompareUltraface : public ::testing::Test {
 protected:
  void SetUp() override {
    if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
    twin_ = make_twin(zoo() / "models" / "ultraface-rfb-320-9.onnx", folder_.path(), {"--frozen"});
  }

  fs::path optimized(const fs::path& model) const {
    const fs::path out = folder_.path() / ("optimized-" + model.filename().string());
    const Ran ran = culprit({"optimize", model, "-o", out, "--samples", "1", "--deploy-level", "off"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return out;
  }

  TemporaryFolder folder_ = scratch();
  fs::path twin_;
};

TEST_F(CompareUltraface, ItsOptimizedVariantIsTheSameAndNearlyAllValuesAreFound) {
  const auto [ran, report] = compare(twin_, optimized(twin_));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(report["status"], "same");
  EXPECT_GE(report["coverage"]["percent"], 95);
  EXPECT_GE(report["coverage"]["mapped"], 170) << "the rest are convolutions whose normalization was folded into them";
  EXPECT_EQ(report["capture"]["not_read"], 0);
  for (const Json& value : report["values"]) {
    EXPECT_TRUE(value["state"] == "equal" || value["state"] == "fused") << value;
    EXPECT_TRUE(value["state"] == "equal" || value["node_b"]["op"] == "Conv") << value;
  }
}

TEST_F(CompareUltraface, AChangedWeightNamesTheNodeOfItsLayerAndOfNoOther) {
  const auto original = load_proto(twin_).value();
  const auto layers = convolutions(original.graph());
  ASSERT_GT(layers.size(), 50U);
  for (const std::size_t layer : {std::size_t{0}, std::size_t{7}, std::size_t{40}, layers.size() - 1}) {
    onnx::ModelProto model = original;
    change_weight(model, layers[layer]);
    const fs::path changed = folder_.path() / ("changed-" + std::to_string(layer) + ".onnx");
    ASSERT_TRUE(save_model(model, changed));
    const std::string output = original.graph().node(layers[layer]).output(0);
    const Json plain = compare(twin_, changed, {"--samples", "1"}).report;
    EXPECT_EQ(plain["status"], "part") << layer;
    ASSERT_FALSE(plain["first_divergence"].is_null()) << layer;
    EXPECT_EQ(plain["first_divergence"]["a"], output);
    EXPECT_EQ(plain["first_divergence"]["nodes_a"].size(), 1U);
    EXPECT_EQ(plain["first_divergence"]["nodes_b"][0]["index"], layers[layer]);
    const auto made_here =
        std::ranges::count_if(plain["values"], [](const Json& value) { return value["state"] == "made_here"; });
    EXPECT_EQ(made_here, 1) << "all else is inherited";
    const Json fused = compare(twin_, optimized(changed), {"--samples", "1"}).report;
    EXPECT_EQ(fused["status"], "part") << layer;
    EXPECT_TRUE(names(fused, "nodes_a", output)) << layer << fused["first_divergence"];
    EXPECT_EQ(fused["first_divergence"]["nodes_b"][0]["op"], "Conv");
    EXPECT_EQ(fused["first_divergence"]["nodes_b"].size(), 1U);
  }
}

// --- faults of the corpus ------------------------------------------------------------------------------------------

/// Of a model, by what they make: what each node is, but for its name.
std::map<std::string, std::string> nodes_of(const onnx::ModelProto& model) {
  std::map<std::string, std::string> nodes;
  for (onnx::NodeProto node : model.graph().node()) {
    node.clear_name();
    node.clear_doc_string();
    nodes[node.output(0)] = node.SerializeAsString();
  }
  return nodes;
}

/// Does the first divergence name a node that is another one in the other model, or is not there?
bool names_what_was_rewritten(const Json& report, const onnx::ModelProto& a, const onnx::ModelProto& b) {
  const Json& first = report["first_divergence"];
  if (first.is_null()) return false;
  const auto nodes_a = nodes_of(a), nodes_b = nodes_of(b);
  const auto is_other = [](const Json& node, const auto& here, const auto& there) {
    const auto at = here.find(node["output"].get<std::string>());
    const auto other = there.find(node["output"].get<std::string>());
    return at != here.end() && (other == there.end() || other->second != at->second);
  };
  return std::ranges::any_of(first["nodes_a"], [&](const Json& n) { return is_other(n, nodes_a, nodes_b); }) ||
         std::ranges::any_of(first["nodes_b"], [&](const Json& n) { return is_other(n, nodes_b, nodes_a); });
}

/// Those with wrong values; the others are refused, or fail to run.
std::vector<fs::path> wrong_values() {
  std::vector<fs::path> files = corpus_files("faults");
  std::erase_if(files, [](const fs::path& file) {
    const auto corpus_case = read_corpus_case(file);
    return corpus_case && corpus_case->verdict != "diverged";
  });
  return files;
}

class CompareFaults : public ::testing::TestWithParam<fs::path> {};

TEST_P(CompareFaults, TheFirstDivergenceNamesANodeOfTheRewrite) {
  CULPRIT_ONE_OF(8);
  const auto corpus_case = read_corpus_case(GetParam());
  ASSERT_TRUE(corpus_case) << corpus_case.error().message;
  const TemporaryFolder folder = scratch();
  ASSERT_TRUE(write_corpus_case(*corpus_case, folder.path()));
  const fs::path model = folder.path() / "model.onnx", run = folder.path() / "run";
  std::vector<std::string> data;
  if (fs::exists(folder.path() / "data")) data = {"--data", folder.path() / "data"};
  std::vector<std::string> check{"check", model, "--each", corpus_case->culprits.front(), "--run-dir", run};
  check.insert(check.end(), data.begin(), data.end());
  ASSERT_EQ(culprit(check).exit, 1);
  const Json checked = Json::parse(read_file(run / "report.json").value());
  const auto variant =
      std::ranges::find_if(checked["models"][0]["variants"], [](const Json& v) { return v["verdict"] == "diverged"; });
  const fs::path file = run / (*variant)["file"].get<std::string>();
  const auto [ran, report] = compare(model, file, data);
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_TRUE(names_what_was_rewritten(report, load_proto(model).value(), load_proto(file).value()))
      << report["message"];
}

INSTANTIATE_TEST_SUITE_P(Corpus, CompareFaults, ::testing::ValuesIn(thinned(wrong_values(), 5)),
                         [](const auto& file) { return test_name_of(file.param); });

// --- the command ---------------------------------------------------------------------------------------------------

class CompareCommand : public ::testing::Test {
 protected:
  fs::path model(const std::string& name, const std::string& graph, const std::string& more_opsets = "") {
    onnx::ModelProto proto;
    const auto status = onnx::OnnxParser::Parse(
        proto, (R"(<ir_version: 8, opset_import: ["" : 17)" + more_opsets + "]> " + graph).c_str());
    EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
    EXPECT_TRUE(save_model(proto, folder_.path() / name));
    return folder_.path() / name;
  }

  TemporaryFolder folder_ = scratch();
  const fs::path a_ = model("a.onnx", "g (float[2,3] x) => (float[2,3] y) { t = Relu(x)  y = Sigmoid(t) }");
};

TEST_F(CompareCommand, PrintsTheAnswerAndWhereTheyPart) {
  const fs::path b = model("b.onnx", "g (float[2,3] in) => (float[2,3] out) { t = Abs(in)  out = Sigmoid(t) }");
  const auto [ran, report] = compare(a_, b);
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(ran.out, ::testing::StartsWith("MISMATCH\n"));
  EXPECT_THAT(ran.out, HasSubstr("first mismatch at 't', made by Relu of 't' in A, by Abs of 't' in B"));
  EXPECT_THAT(ran.err, ::testing::IsEmpty());
  const auto json = compare(a_, b, {"--format", "json", "--map", "x=in", "--map", "y=out"}).ran;
  EXPECT_EQ(Json::parse(json.out)["schema"], "culprit.compare/1");
}

TEST_F(CompareCommand, WhatCannotBeComparedIs3AndWrongUsage2) {
  const fs::path other =
      model("other.onnx", "g (int64[7] i, string[2] s) => (float[2,3] y) { t = Cast<to = 1>(i) y = Identity(t) }");
  const auto nothing = compare(a_, other);
  EXPECT_EQ(nothing.ran.exit, 3);
  EXPECT_EQ(nothing.report["status"], "nothing_in_common");
  EXPECT_THAT(nothing.ran.out, HasSubstr("have nothing in common"));
  EXPECT_EQ(culprit({"compare", a_, folder_.path() / "not-there.onnx"}).exit, 2);
  const Ran wrong = culprit({"compare", a_, a_, "--map", "x=nowhere"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--map x=nowhere"));
}

/// Whichever of the two needs it, nothing can be said without it.
TEST_F(CompareCommand, ALibraryThatWasNotGivenIsAskedFor) {
  const fs::path custom =
      model("custom.onnx", "g (float[2,3] x) => (float[2,3] y) { y = my.dom.Foo(x) }", R"(, "my.dom" : 1)");
  for (const auto& [one, other] : {std::pair{a_, custom}, std::pair{custom, a_}}) {
    const auto [ran, report] = compare(one, other);
    EXPECT_EQ(ran.exit, 3) << ran.out;
    EXPECT_EQ(report["status"], "cannot_judge");
    EXPECT_EQ(report["message"], std::string(one == a_ ? "B" : "A") +
                                     " cannot be judged: the runtime does not know the operator Foo of the domain "
                                     "my.dom, at the node 'y' (opset 1); give the library that has it with "
                                     "--custom-ops LIB");
  }
  const auto broken = compare(a_, model("broken.onnx", "g (float[2,3] x) => (float[2,3] y) { y = Reluu(x) }"));
  EXPECT_EQ(broken.ran.exit, 1) << "no library brings that one: " << broken.ran.out;
}

TEST_F(CompareCommand, AValueInsideABranchNamesItsNode) {
  const auto branch = [&](const std::string& name, const std::string& op) {
    return model(
        name,
        "g (bool c, float[3] x) => (float[3] y) { a = Relu(x)  b = If (c) <then_branch = t () => (float[3] p) { p = " +
            op + "(a) }, else_branch = e () => (float[3] q) { q = " + op + "(a) }>  y = Sigmoid(b) }");
  };
  const Json report = compare(branch("one.onnx", "Exp"), branch("two.onnx", "Sin")).report;
  EXPECT_EQ(report["coverage"]["in_subgraphs"], 0);
  EXPECT_EQ(report["first_divergence"]["nodes_b"][0]["op"], "Sin") << report["message"];
}

TEST_F(CompareCommand, SizesThatOnlyTheSecondFixesAreThoseOfTheSamples) {
  const fs::path open = model("open.onnx", "g (float[1,2,H,W] x) => (float[1,2,H,W] y) { y = Relu(x) }");
  const fs::path fixed = model("fixed.onnx", "g (float[1,2,5,7] x) => (float[1,2,5,7] y) { y = Relu(x) }");
  const auto compared = compare(open, fixed);
  EXPECT_EQ(compared.report["status"], "same") << compared.report["message"];
  EXPECT_EQ(compared.report["data"]["dims"], nlohmann::json({{"H", 5}, {"W", 7}}));
}

/// What two models have otherwise says what to feed: none of these differences shows on ordinary numbers.
class Differences : public CompareCommand, public ::testing::WithParamInterface<std::array<std::string, 4>> {};

TEST_P(Differences, AreReached) {
  const auto& [name, one, other, status] = GetParam();
  const auto compared = compare(model("a.onnx", one), model("b.onnx", other));
  EXPECT_EQ(compared.report["status"], status) << compared.report["message"];
}

std::array<std::string, 4> of_limits(const std::string& name, const std::string& graph, const std::string& one,
                                     const std::string& other, const std::string& status = "part") {
  const auto with = [&](const std::string& limit) { return std::string(graph).replace(graph.find('@'), 1, limit); };
  return {name, with(one), with(other), status};
}

std::vector<std::array<std::string, 4>> all_differences() {
  const std::string add = "y = Add(x, one) }", whole = "g (int64[b,4] x) => (int64[b,4] y) <int64 one = {1}> { ";
  const std::string cut =
      "g (float[b,s] x) => (float[b,t] y) <int64[1] st = {0}, int64[1] en = {@}, int64[1] ax = {1}> "
      "{ k = Slice(x, st, en, ax) y = Neg(k) }";
  const std::string boxes =
      "g (float[1,6,4] b, float[1,1,6] s) => (int64[n,3] y) <int64 m = {3}, float iou = {@}> "
      "{ y = NonMaxSuppression(b, s, m, iou) }";
  const std::string filled =
      "g (float[b,4] x) => (float[b,4] y) <float c = {1}> { k = IsNaN(x) w = Where(k, c, x) y = Add(w, c) }";
  const std::string leaky = "g (float[1,4] x) => (float[1,4] y) { y = LeakyRelu@(x) }";
  return {
      of_limits("positions",
                "g (int64[b,s] x) => (float[b,s] y) <int64 c = {@}> { k = Less(x, c) y = Cast<to = 1>(k) }", "128",
                "127"),
      of_limits("lengths", cut, "512", "500"),
      of_limits("a_clip", "g (float[b,4] x) => (float[b,4] y) <float l = {-9}, float h = {@}> { y = Clip(x, l, h) }",
                "90", "100"),
      of_limits("repeated_indices",
                "g (int64[3] i, float[3] u) => (float[4] y) <float[4] d = {0, 0, 0, 0}> "
                "{ y = ScatterElements<reduction = \"@\">(d, i, u) }",
                "add", "none"),
      of_limits("stop_words",
                "g (string[3] x) => (string[n] y) { y = StringNormalizer<is_case_sensitive = 1, stopwords = [@]>(x) }",
                "\"the\"", "\"the\", \"of\""),
      {"through_float32", whole + add, whole + "f = Cast<to = 1>(x) i = Cast<to = 7>(f) y = Add(i, one) }", "part"},
      {"through_int32", whole + add, whole + "f = Cast<to = 6>(x) i = Cast<to = 7>(f) y = Add(i, one) }", "part"},
      {"no_more_nan", filled, "g (float[b,4] x) => (float[b,4] y) <float c = {1}> { y = Add(x, c) }", "part"},
      {"a_third_of_a_batch", "g (float[batch,4] x) => (float[batch,4] y) { y = Neg(x) }",
       "g (float[batch,4] x) => (float[c,4] y) <int64[1] st = {0}, int64[1] en = {2}> { k = Slice(x, st, en) y = "
       "Neg(k) }",
       "part"},
      {"signs_of_a_division", "g (int64[n] x) => (int64[n] y) <int64 two = {2}> { y = Div(x, two) }",
       "g (int64[n] x) => (int64[n] y) <float two = {2}> "
       "{ f = Cast<to = 1>(x) d = Div(f, two) l = Floor(d) y = Cast<to = 7>(l) }",
       "part"},
      {"ties_of_round", "g (float[n] x) => (float[n] y) { y = Round(x) }",
       "g (float[n] x) => (float[n] y) <float half = {0.5}> { h = Add(x, half) y = Floor(h) }", "part"},
      of_limits("no_box_between", boxes, "0.5", "0.45", "not_reached"),
      of_limits("a_default", leaky, "", "<alpha = 0.01>", "same"),
      of_limits("to_the_end", cut, "9223372036854775807", "2000000", "same"),
  };
}

INSTANTIATE_TEST_SUITE_P(All, Differences, ::testing::ValuesIn(all_differences()),
                         [](const auto& shown) { return shown.param[0]; });

// --- rows of tables ---

/// What one model stores otherwise, and in one row wrongly: positions that a length cuts off, and a table of tokens
/// with a factor multiplied in.
class TablesDiffer : public CompareCommand {
 protected:
  /// 800 rows of two numbers, times `factor`; row 700 has another sign if it is bad.
  static Tensor table(bool is_bad, float factor) {
    std::vector<float> numbers;
    for (int i = 0; i < 1600; ++i) numbers.push_back(factor * std::sin(static_cast<float>(i * i)));
    if (is_bad) numbers[1400] *= -1;
    return Tensor::of<float>({800, 2}, numbers);
  }

  fs::path with_table(const std::string& name, const std::string& graph, bool is_bad, float factor = 1) {
    const fs::path file = model(name, graph);
    auto proto = load_proto(file).value();
    *proto.mutable_graph()->add_initializer() = to_proto(table(is_bad, factor), "table");
    EXPECT_TRUE(save_model(proto, file));
    return file;
  }
};

TEST_F(TablesDiffer, PositionsBehindTheLongestSample) {
  const std::string graph =
      "g (float[b,len,2] x) => (float[b,len,2] y) <int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}> "
      "{ s = Shape(x) e = Slice(s, one, two) p = Slice(table, zero, e, zero) y = Add(x, p) }";
  const auto bad = compare(with_table("a.onnx", graph, false), with_table("b.onnx", graph, true));
  EXPECT_EQ(bad.report["status"], "part") << bad.report["message"];
  const auto fixed = compare(with_table("a.onnx", graph, false), with_table("b.onnx", graph, true),
                             {"--dim", "len=20", "--dim", "b=2"});
  EXPECT_EQ(fixed.report["status"], "not_reached") << "row 700 is there, and these lengths never read it";
}

TEST_F(TablesDiffer, ARowOfATableWithAFactorMultipliedIn) {
  const std::string head = "g (int64[b,n] ids) => (float[b,n,2] y) <float k = {8}> { ";
  const fs::path one = with_table("a.onnx", head + "e = Gather(table, ids) y = Mul(e, k) }", false);
  const std::string folded = head + "y = Gather(table, ids) }";
  EXPECT_EQ(compare(one, with_table("b.onnx", folded, true, 8)).report["status"], "part");
  EXPECT_EQ(compare(one, with_table("c.onnx", folded, false, 8)).report["status"], "same");
}

/// 1,700 nodes and 200 MB of values in each, read in bounded memory.
TEST_F(CompareCommand, DeepModelsAreReadInChunks) {
  std::string nodes = "v0 = Relu(x) ", other;
  for (int i = 1; i <= 1700; ++i) {
    nodes += "v" + std::to_string(i) + " = " + (i % 2 == 0 ? "Sin" : "Tanh") + "(v" + std::to_string(i - 1) + ") ";
    if (i == 1200) other = nodes.substr(0, nodes.rfind("Sin")) + "Neg(v1199) ";
    if (i > 1200)
      other += "v" + std::to_string(i) + " = " + (i % 2 == 0 ? "Sin" : "Tanh") + "(v" + std::to_string(i - 1) + ") ";
  }
  const auto deep = [&](const std::string& name, const std::string& body) {
    return model(name, "g (float[100,300] x) => (float[100,300] y) { " + body + "y = Neg(v1700) }");
  };
  const Json report = compare(deep("a.onnx", nodes), deep("b.onnx", other), {"--samples", "1", "--no-repro"}).report;
  EXPECT_EQ(report["first_divergence"]["a"], "v1200");
  EXPECT_EQ(report["capture"]["values"], 1702);
  EXPECT_LT(report["peak_bytes"], 700'000'000);
}

}  // namespace
}  // namespace culprit::testing
