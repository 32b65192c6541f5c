// `culprit repair`: what is mended, what is left as it was, and what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include <nlohmann/json.hpp>
#include <random>

#include "model/model.h"
#include "support/conversion_faults.h"
#include "support/conversion_rewrites.h"
#include "support/diagnosed.h"
#include "support/fed_otherwise.h"
#include "support/tool.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using Json = nlohmann::json;

class Repair : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }

  void write(const Fault& mistake, const std::string& name = "target.onnx") {
    const onnx::ModelProto net = cnn_net();
    onnx::ModelProto target = net;
    if (mistake) mistake(target);
    rename_all(target);
    ASSERT_TRUE(save_model(net, at("source.onnx")));
    ASSERT_TRUE(save_model(target, at(name)));
  }

  Ran repair(const std::vector<std::string>& flags = {}, const std::string& target = "target.onnx") {
    std::vector<std::string> words{"repair",       at("source.onnx"), at(target), "-o",
                                   at("out.onnx"), "--run-dir",       at("run")};
    words.insert(words.end(), flags.begin(), flags.end());
    return culprit(words);
  }

  /// The largest error of the outputs of a file, as `diagnose` tells it.
  [[nodiscard]] double error_of(const std::string& file) const {
    const auto found = diagnose_files(at("source.onnx"), at(file));
    return found.report.at("outputs").at(0).at("measurement").at("max_abs").get<double>();
  }

  [[nodiscard]] Json report() const {
    const auto file = at("run") / "report.json";
    EXPECT_TRUE(follows_schema(file, "repair.schema.json"));
    Json read = Json::parse(read_file(file).value());
    for (const char* part : {"before", "after"}) {
      if (read.at(part).is_null()) continue;
      EXPECT_TRUE(write_file_atomic(at(part), read.at(part).dump()));
      EXPECT_TRUE(follows_schema(at(part)));
    }
    return read;
  }

  TemporaryFolder folder_ = scratch();
};

const Fault kernel_too_large = wrong_weight("Conv", 1, 1, [](const Tensor& tensor) { return scaled(tensor, 1.5F); });
const Fault dense_too_small = wrong_weight("Gemm", 0, 1, [](const Tensor& tensor) { return scaled(tensor, 0.7F); });

TEST_F(Repair, AWrongTargetIsMendedAndTheFileIsRight) {
  write(both(kernel_too_large, lost_operator("Relu", 0)));
  const std::string given = read_file(at("target.onnx")).value();
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("MENDED: 2 faults"));
  EXPECT_EQ(diagnose_files(at("source.onnx"), at("out.onnx")).exit, 0);
  EXPECT_TRUE(read_file(at("target.onnx")).value() == given);
  const Json told = report();
  EXPECT_EQ(told.at("status"), "mended");
  EXPECT_THAT(told.at("rounds").at(0).at("faults"), SizeIs(2));
  EXPECT_THAT(told.at("checks"), SizeIs(2))
      << "with the runtime's optimizations off, and at the level that is deployed";
  EXPECT_TRUE(fs::exists(at("run") / "figures" / "error_before_and_after.svg"));
}

/// Mending the first alone makes the end worse, so whoever mends greedily by the end mends neither.
TEST_F(Repair, FaultsThatCancelInPartAreBothMended) {
  write(both(kernel_too_large, dense_too_small));
  write(dense_too_small, "one_left.onnx");
  EXPECT_GT(error_of("one_left.onnx"), error_of("target.onnx"));
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(report().at("status"), "mended");
  EXPECT_EQ(diagnose_files(at("source.onnx"), at("out.onnx")).exit, 0);
}

/// The first step made the mistake, and the second rewrote the file around it.
TEST_F(Repair, AFaultOfTheFirstOfTwoStepsIsMendedInTheLastFile) {
  write(both(kernel_too_large, both(fold_normalizations, split_gemms)));
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(diagnose_files(at("source.onnx"), at("out.onnx")).exit, 0);
}

TEST_F(Repair, AFileThatDoesNotLoadIsMended) {
  write(renamed_operator("Relu", 1, "Nobodys"));
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(diagnose_files(at("source.onnx"), at("out.onnx")).exit, 0);
}

TEST_F(Repair, WhatNobodyCanMendIsLeftAsItWas) {
  write(renamed_operator("Conv", 1, "Nobodys"));
  ASSERT_TRUE(write_file_atomic(at("kept.onnx"), read_file(at("source.onnx")).value()));
  fs::copy_file(at("source.onnx"), at("out.onnx"));
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("NOT MENDED"));
  EXPECT_THAT(ran.err, HasSubstr("was not written: "));
  EXPECT_TRUE(read_file(at("out.onnx")).value() == read_file(at("kept.onnx")).value());
  EXPECT_EQ(report().at("status"), "not_mended");
}

TEST_F(Repair, ARightTargetIsCopiedByteForByte) {
  write({});
  EXPECT_EQ(repair().exit, 0);
  EXPECT_TRUE(read_file(at("out.onnx")).value() == read_file(at("target.onnx")).value());
  EXPECT_EQ(report().at("status"), "clean");
}

/// An output that is a stored tensor, and one that is an input.
TEST_F(Repair, OutputsThatNoNodeMakesAreRight) {
  onnx::ModelProto net;
  const auto parsed = onnx::OnnxParser::Parse(net, R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2,4] x, float[2,4] u) => (float[2,4] y, float[4] w, float[2,4] u) <float[4] w = {1,2,3,4}> { y = Mul(x, w) })");
  ASSERT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
  ASSERT_TRUE(save_model(net, at("source.onnx")));
  ASSERT_TRUE(save_model(net, at("target.onnx")));
  EXPECT_EQ(repair().exit, 0);
  EXPECT_EQ(report().at("status"), "clean");
}

TEST_F(Repair, HowToFeedItIsWrittenWhereThatIsAllThatIsWrong) {
  write(normalized_inside("x", {0}, {255}));
  const Ran without = repair();
  EXPECT_EQ(without.exit, 1);
  EXPECT_THAT(on_one_line(without.err), HasSubstr("--feeding FILE.yaml writes that down"));
  EXPECT_FALSE(fs::exists(at("out.onnx")));
  const Ran ran = repair({"--feeding", at("culprit.yaml")});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(read_file(at("out.onnx")).value() == read_file(at("target.onnx")).value());
  EXPECT_THAT(read_file(at("culprit.yaml")).value(), HasSubstr("preprocess:\n"));
  EXPECT_THAT(read_file(at("culprit.yaml")).value(), HasSubstr("scale: 1\n"));
  EXPECT_EQ(report().at("status"), "fed_right");
  EXPECT_THAT(repair({"--feeding", at("culprit.yaml")}).err, HasSubstr("it is there already"));
}

/// An operator of another framework that was left in the target, and the source's words for it.
struct UnknownCase {
  std::string name, source, target;
};

class UnknownOperators : public Repair, public ::testing::WithParamInterface<UnknownCase> {};

/// The same net, wired otherwise.
class CrossedWires : public UnknownOperators {};

onnx::ModelProto net_around(const std::string& words) {
  onnx::ModelProto model;
  const std::string text =
      R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2,8] x) => (float[2,4] y)
         <float one = {1}> {
           a = MatMul(x, w) p = Abs(a) b = MatMul(x, u) q = Abs(b) )" +
      words + " y = MatMul(f, v) }";
  const auto status = onnx::OnnxParser::Parse(model, text.c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  std::mt19937 random;
  std::normal_distribution<float> normal(0, 0.3F);
  for (const auto& [name, columns] : {std::pair{"w", 8}, std::pair{"u", 8}, std::pair{"v", 4}}) {
    Floats numbers(static_cast<std::size_t>(8 * columns));
    for (float& number : numbers) number = normal(random);
    *model.mutable_graph()->add_initializer() = to_proto(Tensor::of<float>({8, columns}, numbers), name);
  }
  return model;
}

TEST_P(UnknownOperators, AreWrittenInKnownOnes) {
  ASSERT_TRUE(save_model(net_around(GetParam().source), at("source.onnx")));
  ASSERT_TRUE(save_model(net_around(GetParam().target), at("target.onnx")));
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(diagnose_files(at("source.onnx"), at("out.onnx")).exit, 0);
}

INSTANTIATE_TEST_SUITE_P(All, UnknownOperators,
                         ::testing::Values(UnknownCase{"Erfc", "e = Erf(p) n = Neg(e) f = Add(n, one)", "f = Erfc(p)"},
                                           UnknownCase{"Expm1", "e = Exp(p) f = Sub(e, one)", "f = Expm1(p)"},
                                           UnknownCase{"Log1p", "e = Add(p, one) f = Log(e)", "f = Log1p(p)"},
                                           UnknownCase{"Rsqrt", "e = Sqrt(p) f = Reciprocal(e)", "f = Rsqrt(p)"},
                                           UnknownCase{"Square", "f = Mul(p, p)", "f = Square(p)"},
                                           UnknownCase{"Xdivy", "f = Div(p, q)", "f = Xdivy(p, q)"},
                                           UnknownCase{"Xlogy", "e = Log(q) f = Mul(p, e)", "f = Xlogy(p, q)"}),
                         [](const auto& one) { return one.param.name; });

TEST_P(CrossedWires, AreMended) {
  ASSERT_TRUE(save_model(net_around(GetParam().source), at("source.onnx")));
  ASSERT_TRUE(save_model(net_around(GetParam().target), at("target.onnx")));
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(report().at("status"), "mended");
  EXPECT_EQ(diagnose_files(at("source.onnx"), at("out.onnx")).exit, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, CrossedWires,
    ::testing::Values(
        UnknownCase{"ResidualLost", "e = Add(p, q) f = Tanh(e)", "f = Tanh(q)"},
        UnknownCase{"ResidualLostAroundALayer", "e = Sin(p) s = Add(e, p) f = Tanh(s)", "s = Sin(p) f = Tanh(s)"},
        UnknownCase{"LayerOfAResidualLost", "e = Sin(p) s = Add(e, p) f = Tanh(s)", "e = Sin(p) f = Tanh(p)"},
        UnknownCase{"SubLost", "e = Sub(p, q) f = Tanh(e)", "f = Tanh(p)"},
        UnknownCase{"SubOfWhatIsLeft", "e = Sub(p, q) f = Tanh(e)", "f = Tanh(q)"},
        UnknownCase{"ConstantOfSubFirst", "e = Sub(p, one) f = Tanh(e)", "e = Sub(one, p) f = Tanh(e)"}),
    [](const auto& one) { return one.param.name; });

TEST_F(Repair, OutputsGetTheirNamesBack) {
  const auto write_net = [&](const std::string& words, const std::string& file) {
    onnx::ModelProto net = net_around(words);
    onnx::ValueInfoProto& z = *net.mutable_graph()->add_output();
    z = net.graph().output(0);
    z.set_name("z");
    ASSERT_TRUE(save_model(net, at(file)));
  };
  write_net("f = Tanh(p) z = MatMul(q, v)", "source.onnx");
  write_net("r = Sin(p) z = MatMul(r, v) f = Identity(q)", "two.onnx");
  EXPECT_EQ(repair({}, "two.onnx").exit, 0) << "a wrong operator that shows more when the names are right";
  write_net("r = Tanh(p) z = MatMul(r, v) f = Identity(q)", "target.onnx");
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  const Json told = report();
  const Json& fault = told.at("rounds").at(0).at("faults").at(0);
  EXPECT_EQ(fault.at("evidence").at("kind"), "outputs_exchanged");
  EXPECT_EQ(diagnose_files(at("source.onnx"), at("out.onnx")).exit, 0);
  const auto mended = load_model(at("out.onnx"));
  ASSERT_TRUE(mended);
  EXPECT_EQ(mended->proto->graph().node_size(), 8) << "names are exchanged, and nothing is copied";
}

/// The body of a function of the model is where the mistake is.
TEST_F(Repair, AFaultInAFunctionIsMended) {
  const auto write_net = [&](const std::string& body, const std::string& file) {
    onnx::ModelProto net;
    const std::string text = R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
        g (float[2,4] x) => (float[2,4] y) { h = Abs(x) m = own.act(h) y = Sin(m) }
        <domain: "own", opset_import: ["" : 17]> act (a) => (b) { )" +
                             body + " b = Mul(a, s) }";
    const auto parsed = onnx::OnnxParser::Parse(net, text.c_str());
    ASSERT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
    ASSERT_TRUE(save_model(net, at(file)));
  };
  write_net("s = Sigmoid(a)", "source.onnx");
  write_net("s = Tanh(a)", "target.onnx");
  const Ran ran = repair();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Tanh stands in the place of Sigmoid"));
  EXPECT_EQ(diagnose_files(at("source.onnx"), at("out.onnx")).exit, 0);
}

TEST_F(Repair, NothingIsConverted) {
  write(kernel_too_large);
  const Ran ran = culprit({"repair", at("source.onnx"), at("target.onnx"), "-o", at("out.tflite")});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(on_one_line(ran.err), HasSubstr("TARGET is in the format ONNX"));
  EXPECT_FALSE(fs::exists(at("out.tflite")));
  EXPECT_THAT(on_one_line(culprit({"repair", at("source.onnx"), at("gone"), "-o", at("out.onnx")}).err),
              HasSubstr("TARGET " + (at("gone")).string() + ": there is no such file"));
}

TEST_F(Repair, PlacesThatCannotBeAreRefused) {
  write(kernel_too_large);
  EXPECT_EQ(repair({"--feeding", at("out.onnx")}).exit, 2);
  EXPECT_EQ(culprit({"repair", at("source.onnx"), at("target.onnx"), "-o", at("target.onnx")}).exit, 2);
  EXPECT_EQ(culprit({"repair", at("source.onnx"), at("target.onnx"), "-o", at("none") / "out.onnx"}).exit, 2);
  ASSERT_TRUE(write_file_atomic(at("words.txt"), "mine"));
  EXPECT_EQ(culprit({"repair", at("source.onnx"), at("target.onnx"), "-o", at("words.txt")}).exit, 2);
  EXPECT_EQ(read_file(at("words.txt")).value(), "mine");
  EXPECT_EQ(culprit({"repair", at("source.onnx"), at("target.onnx")}).exit, 2);
}

}  // namespace
}  // namespace culprit::testing
