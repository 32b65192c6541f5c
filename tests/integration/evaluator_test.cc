// ONNX's reference evaluator as a second opinion, with a real Python.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <fstream>

#include "base/folder.h"
#include "base/text.h"
#include "process/shell_commands.h"
#include "repro/onnx_evaluator.h"
#include "repro/second_opinion.h"
#include "support/corpus_case.h"
#include "support/peers.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"
#include "tensor/pack_file.h"
#include "unit/jobs/check/fake_executor.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class Evaluating : public ::testing::Test {
 protected:
  void SetUp() override {
    python_ = peers_python();
    if (python_.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
    fs::create_directory(folder_.path() / "host");
    auto made = make_onnx_evaluator({python_, folder_.path() / "host", 2});
    ASSERT_TRUE(made) << made.error().text();
    evaluator_ = std::move(*made);
  }

  fs::path put(const std::string& text, const std::string& name = "net.onnx") {
    onnx::ModelProto model;
    const auto parsed = onnx::OnnxParser::Parse(model, text.c_str());
    EXPECT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
    EXPECT_TRUE(save_model(model, folder_.path() / name));
    return folder_.path() / name;
  }

  EvaluatorOutcome run(const fs::path& model, const std::vector<NamedTensor>& inputs, bool in_float64 = true) {
    const fs::path pack = folder_.path() / "in.pack";
    EXPECT_TRUE(write_pack(pack, inputs));
    const EvaluatorJob job{model, pack, {}, in_float64, folder_.path() / ("run" + std::to_string(runs_++)), {120, 0}};
    return evaluator_->run({&job, 1}).value().at(0);
  }

  static std::vector<NamedTensor> outputs_of(const EvaluatorOutcome& outcome) {
    EXPECT_EQ(outcome.failure, "");
    return outcome.failure.empty() ? read_pack(outcome.outputs).value() : std::vector<NamedTensor>();
  }

  TemporaryFolder folder_ = scratch();
  fs::path python_;
  std::unique_ptr<Evaluator> evaluator_;
  int runs_ = 0;
};

/// y = x + big - big, big made in all the ways in which a model can hold a number: float32 has no room for x beside it.
constexpr const char* large_numbers = R"(
<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
net (float[2] x, float16[2] h) => (float[2] y, float16[2] g)
<float one = {1.0}>
{
  big = Constant <value_float = 1.0e9> ()
  list = Constant <value_floats = [1.0e9]> ()
  tensor = Constant <value = float[1] {1.0e9}> ()
  two = Constant <value = int64[1] {2}> ()
  zeros = ConstantOfShape (two)
  whole = Constant <value_int = 1000000000> ()
  casted = Cast <to = 1> (whole)
  wide = Cast <to = 1> (h)
  g = Cast <to = 10> (wide)
  a = Add (x, big)
  b = Sub (a, list)
  c = Add (b, tensor)
  d = Sub (c, casted)
  yes = Cast <to = 9> (one)
  e = If (yes) <
    then_branch = then_graph () => (float[2] t) { t1 = Constant <value_float = 0.0> () t = Add (d, t1) },
    else_branch = else_graph () => (float[2] f) { f = Identity (zeros) }
  >
  k = Add (e, zeros)
  y = own.same (k)
}
<domain: "own", opset_import: ["" : 17]>
same (p) => (q) { n = Constant <value_float = 1.0> () q = Mul (p, n) }
)";

TEST_F(Evaluating, AllWaysToHoldANumberAreWidened) {
  const std::vector<NamedTensor> inputs{{"x", Tensor::of<float>({2}, {0.25, -3})},
                                        {"h", cast(Tensor::of<float>({2}, {1.5, -2}), DType::f16).value()}};
  const EvaluatorOutcome wide = run(put(large_numbers), inputs);
  EXPECT_TRUE(wide.in_float64) << wide.why;
  const auto outputs = outputs_of(wide);
  ASSERT_THAT(outputs, SizeIs(2));
  EXPECT_THAT(outputs[0].value.as<float>(), ElementsAre(0.25, -3));
  EXPECT_EQ(outputs[1].value.dtype(), DType::f16) << "as it is declared";

  const EvaluatorOutcome own = run(put(large_numbers), inputs, /*in_float64=*/false);
  EXPECT_FALSE(own.in_float64);
  EXPECT_THAT(outputs_of(own).at(0).value.as<float>(), ElementsAre(0, 0));
}

TEST_F(Evaluating, WhatGivesFloat32AllTheSameIsRunAsItIs) {
  const std::vector<NamedTensor> inputs{{"x", Tensor::of<float>({4}, {1, 2, 3, 4})}};
  const auto window = [&](const std::string& rest) {
    return run(put("<ir_version: 8, opset_import: [\"\" : 17]> net (float[4] x) => (float[4] y) "
                   "{ four = Constant <value_int = 4> () w = HannWindow (four) " +
                   rest + " }"),
               inputs);
  };
  const EvaluatorOutcome unused = window("y = Identity (x)");
  EXPECT_THAT(outputs_of(unused).at(0).value.as<float>(), ElementsAre(1, 2, 3, 4));
  EXPECT_FALSE(unused.in_float64);
  EXPECT_EQ(unused.why, "'w' is float32 all the same");
  const EvaluatorOutcome added = window("y = Add (x, w)");
  EXPECT_EQ(outputs_of(added).at(0).value.as<float>()[0], 1);
  EXPECT_FALSE(added.in_float64);
  EXPECT_THAT(added.why, HasSubstr("float64 != float32"));
}

TEST_F(Evaluating, AnOperatorThatItDoesNotKnowIsNamed) {
  const EvaluatorOutcome outcome = run(put(R"(
<ir_version: 8, opset_import: ["" : 17, "elsewhere" : 1]>
net (float[2] x) => (float[2] y) { y = elsewhere.Fused (x) })"),
                                       {{"x", Tensor::of<float>({2}, {1, 2})}});
  EXPECT_THAT(outcome.failure, HasSubstr("'Fused'"));
  EXPECT_EQ(outcome.outputs, "");
}

TEST_F(Evaluating, SequencesMapsAndOptionalsGoInAndComeOut) {
  const fs::path model = put(R"(
<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]>
net (seq(float[N]) s, map(int64, float) m, optional(float[2]) o) => (seq(float[N]) t, float[2] v, float[2] p)
{
  first = Constant <value = int64 {0}> ()
  a = SequenceAt (s, first)
  t = SequenceInsert (s, a)
  v = ai.onnx.ml.DictVectorizer <int64_vocabulary = [7, 9]> (m)
  p = OptionalGetElement (o)
})");
  Value list{.kind = Value::Kind::sequence};
  list.items.push_back({.kind = Value::Kind::tensor, .tensor = Tensor::of<float>({2}, {1, 2})});
  auto inputs = flatten("s", list).value();
  const Value map{.kind = Value::Kind::map,
                  .keys = Tensor::of<std::int64_t>({2}, {7, 9}),
                  .values = Tensor::of<float>({2}, {0.25, 0.75})};
  Value something{.kind = Value::Kind::optional};
  something.items.push_back({.kind = Value::Kind::tensor, .tensor = Tensor::of<float>({2}, {5, 6})});
  for (const auto& parts : {flatten("m", map).value(), flatten("o", something).value()})
    inputs.insert(inputs.end(), parts.begin(), parts.end());
  const auto outputs = outputs_of(run(model, inputs));
  std::map<std::string, Tensor> by_label;
  const auto labels = labels_of(outputs);
  for (std::size_t i = 0; i < labels.size(); ++i) by_label[labels[i]] = outputs[i].value;
  EXPECT_THAT(by_label["t.length"].as<std::int64_t>(), ElementsAre(2));
  EXPECT_THAT(by_label["t[1]"].as<float>(), ElementsAre(1, 2));
  EXPECT_THAT(by_label["v"].as<float>(), ElementsAre(0.25, 0.75));
  EXPECT_THAT(by_label["p"].as<float>(), ElementsAre(5, 6));
}

constexpr const char* shifted = R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[2] x) => (float[2] y) <float[2] w = {1.0, 2.0}> { y = Add (x, w) })";

TEST_F(Evaluating, WeightsBesideTheModelAreBroughtInside) {
  const auto model = load_model(put(shifted));
  ASSERT_TRUE(save_with_data(*model, folder_.path() / "split.onnx"));
  const EvaluatorOutcome outcome = run(folder_.path() / "split.onnx", {{"x", Tensor::of<float>({2}, {1, 1})}});
  EXPECT_THAT(outputs_of(outcome).at(0).value.as<float>(), ElementsAre(2, 3));
}

TEST_F(Evaluating, TheHostReadsNoFileThatAModelNames) {
  run(put(shifted), {{"x", Tensor::of<float>({2}, {1, 1})}});
  onnx::ModelProto model = load_proto(put(shifted)).value();
  onnx::TensorProto* weight = model.mutable_graph()->mutable_initializer(0);
  weight->clear_float_data();
  weight->clear_raw_data();
  weight->set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : std::map<std::string, std::string>{{"location", "secret"}, {"length", "8"}}) {
    auto* entry = weight->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  const fs::path folder = folder_.path() / "run0";
  std::ofstream(folder / "secret") << "12345678";
  ASSERT_TRUE(save_model(model, folder / "model.onnx"));
  fs::remove(folder / "result.json");
  const std::string command = quoted_for_shell(python_.string()) + " -I " +
                              quoted_for_shell((folder_.path() / "host" / "onnx_reference.py").string()) + " . 2>said";
  EXPECT_THAT(run_in_shell({{command, folder}}, {}).value(), ElementsAre(3));
  EXPECT_EQ(read_file(folder / "said").value(), "the model keeps weights outside of its file\n");
  EXPECT_FALSE(fs::exists(folder / "result.json"));
}

TEST_F(Evaluating, ARuntimeWithAWrongKernelIsFoundOut) {
  const fs::path original = put(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[2] x) => (float[2] y, float[2] z) { y = Add (x, x) z = Neg (x) })");
  // The optimizer's rewrite is right: the sum is a product by two now. The runtime's product is off by 0.5.
  const fs::path product = put(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[2] x) => (float[2] y, float[2] z) <float two = {2.0}> { y = Mul (x, two) z = Neg (x) })",
                               "product.onnx");
  FakeExecutor runtime;
  runtime.graph = read_file(product).value();
  runtime.passes["a"].content = "product";
  runtime.passes["a"].shift_y = 0.5;
  OptimizeJob making;
  making.model = original;
  making.recipes = {{"onnx_optimizer", {"a"}, Repeat::once}};
  making.folder = folder_.path();
  runtime.submit(std::move(making));
  while (runtime.next()) {
  }
  const Model model = load_model(original).value();
  const fs::path inputs = folder_.path() / "in.pack", expected = folder_.path() / "out.pack";
  ASSERT_TRUE(write_pack(inputs, std::vector<NamedTensor>{{"x", Tensor::of<float>({2}, {3, -1})}}));
  ASSERT_TRUE(write_pack(expected, std::vector<NamedTensor>{{"y", Tensor::of<float>({2}, {6, -2})},
                                                            {"z", Tensor::of<float>({2}, {-3, 1})}}));
  const CheckOptions options;
  FaultRecord fault;
  fault.culprits = {"a"};
  const FaultCase shown{model,
                        options,
                        fault,
                        {"onnx_optimizer", {"a"}, Repeat::once},
                        Contract::equivalent,
                        {},
                        "off",
                        folder_.path() / (hash128("product").hex() + ".onnx"),
                        inputs,
                        expected,
                        {},
                        {},
                        {},
                        "1.31.1",
                        "2/2"};
  const auto alone = second_opinion(shown, {runtime, nullptr, folder_.path() / "opinion"});
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->attribution, Attribution::optimizer) << "nobody else was asked";
  const auto opinion = second_opinion(shown, {runtime, nullptr, folder_.path() / "opinion", evaluator_.get()});
  ASSERT_TRUE(opinion);
  EXPECT_EQ(opinion->attribution, Attribution::kernel);
  ASSERT_THAT(opinion->cells, SizeIs(8));
  EXPECT_EQ(opinion->cells[5].precision, "float64");
  EXPECT_EQ(opinion->cells[7].outcome, "agrees");
}

TEST_F(Evaluating, AFaultOfTheOptimizerIsConfirmed) {
  const auto read = read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests/corpus/faults/pad-axes-into-conv.onnxtxt");
  ASSERT_TRUE(read);
  ASSERT_TRUE(write_corpus_case(*read, folder_.path()));
  const Ran ran = culprit_check({folder_.path() / "model.onnx", "--python", python_});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  const auto& fault = ran.report["models"][0]["faults"][0];
  EXPECT_EQ(fault["attribution"], "optimizer");
  const auto& cells = fault["attribution_evidence"];
  ASSERT_EQ(cells.size(), 6U) << ran.out;
  for (std::size_t i = 4; i < 6; ++i) {
    EXPECT_EQ(cells[i]["runner"], "onnx.reference");
    EXPECT_EQ(cells[i]["precision"], "float64");
    EXPECT_EQ(cells[i]["level"], nullptr);
    EXPECT_EQ(cells[i]["outcome"], i == 4 ? "agrees" : "differs");
  }
  EXPECT_EQ(ran.does_not_follow, "");
  EXPECT_THAT(ran.out, HasSubstr("in float64:"));
}

TEST(PythonThatCannotEvaluate, IsToldBeforeAnythingIsChecked) {
  const TemporaryFolder folder = scratch();
  const auto read = read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests/corpus/faults/pad-axes-into-conv.onnxtxt");
  ASSERT_TRUE(read);
  ASSERT_TRUE(write_corpus_case(*read, folder.path()));
  const fs::path run_dir = folder.path() / "run";
  const auto check = [&](const std::string& python) {
    const Ran ran = culprit({"check", folder.path() / "model.onnx", "--run-dir", run_dir, "--python", python});
    EXPECT_EQ(ran.exit, 2) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_FALSE(fs::exists(run_dir)) << "nothing is left";
    return ran.err;
  };
  EXPECT_THAT(check("/nowhere/python"), HasSubstr("--python /nowhere/python: "));
  const fs::path bare = folder.path() / "bare";
  std::ofstream(bare) << "#!/bin/sh\nexec python3 -S \"$@\"\n";
  fs::permissions(bare, fs::perms::owner_all);
  EXPECT_THAT(check(bare), HasSubstr("No module named"));
}

/// The faults of values of the corpus, whose attribution is known.
std::vector<fs::path> faults_of_values() {
  std::vector<fs::path> files;
  for (const fs::path& file : corpus_files("faults")) {
    const auto read = read_corpus_case(file);
    if (read && read->verdict == "diverged") files.push_back(file);
  }
  return thinned(files, 8);
}

class Attributed : public ::testing::TestWithParam<fs::path> {};

TEST_P(Attributed, AsTheCorpusSaysWithTheEvaluatorToo) {
  CULPRIT_ONE_OF(5);
  const fs::path python = peers_python();
  if (python.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
  const auto read = read_corpus_case(GetParam());
  ASSERT_TRUE(read);
  const TemporaryFolder folder = scratch();
  ASSERT_TRUE(write_corpus_case(*read, folder.path()));
  std::vector<std::string> words{folder.path() / "model.onnx", "--python", python};
  if (!read->samples.empty()) words.insert(words.end(), {"--data", folder.path() / "data"});
  for (const std::string& pass : read->each) words.insert(words.end(), {"--each", pass});
  const Ran ran = culprit_check(words);
  EXPECT_EQ(ran.exit, 1) << ran.err;
  bool has_evidence = false;
  for (const auto& fault : ran.report["models"][0]["faults"]) {
    if (fault["verdict"] != "diverged") continue;
    EXPECT_EQ(fault["attribution"], read->attribution) << ran.out;
    for (const auto& cell : fault["attribution_evidence"])
      has_evidence = has_evidence || cell["runner"] == "onnx.reference";
  }
  EXPECT_TRUE(has_evidence) << ran.out;
  RecordProperty("evidence", ran.out.substr(std::min(ran.out.find("evidence"), ran.out.size()), 400));
}

INSTANTIATE_TEST_SUITE_P(Faults, Attributed, ::testing::ValuesIn(faults_of_values()),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

}  // namespace
}  // namespace culprit::testing
