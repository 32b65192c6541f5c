// Pairs of models in which the two round otherwise, as `localize --variant` and `compare` judge them: clean ones in
// which rounding is all that differs, and faulty ones beside them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "model/model.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

struct RoundingPair {
  std::string name;
  std::string signature;  ///< of both graphs, with their constants
  std::string model, variant;
  bool is_clean = true;
};

class RoundingPairs : public ::testing::TestWithParam<RoundingPair> {
 protected:
  fs::path write(const std::string& name, const std::string& nodes) {
    const std::string text = R"(<ir_version: 9, opset_import: ["" : 20, "com.microsoft" : 1]> )" +
                             GetParam().signature + " { " + nodes + " }";
    onnx::ModelProto proto;
    const auto status = onnx::OnnxParser::Parse(proto, text.c_str());
    EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
    EXPECT_TRUE(save_model(proto, folder_.path() / name));
    return folder_.path() / name;
  }

  TemporaryFolder folder_ = scratch();
};

TEST_P(RoundingPairs, AreJudgedRight) {
  const fs::path model = write("model.onnx", GetParam().model), variant = write("variant.onnx", GetParam().variant);
  const int expected = GetParam().is_clean ? 0 : 1;
  const Ran localized = culprit({"localize", model, "--variant", variant, "--samples", "2", "--no-repro", "--confirm",
                                 "1", "--run-dir", folder_.path() / "localized"});
  EXPECT_EQ(localized.exit, expected) << localized.out << localized.err;
  const auto report = read_file(folder_.path() / "localized" / "report.json");
  ASSERT_TRUE(report);
  EXPECT_EQ(recompute(nlohmann::json::parse(*report)), "");
  const Ran compared = culprit({"compare", model, variant, "--samples", "2", "--run-dir", folder_.path() / "compared"});
  EXPECT_EQ(compared.exit, expected) << compared.out << compared.err;
}

using Pairs = std::vector<RoundingPair>;

/// Accurate operators, and the forms of textbooks.
Pairs by_other_operators() {
  const std::string signature =
      "g (float[64,64] x) => (float[64,64] y) <float one = {1}, float wrong = {1.001}, float two = {2}, float half = "
      "{0.5}, float seven = {7}, float hundred = {100}, float zero = {0}, float millionth = {0.000001}, float low = "
      "{-25}, float high = {25}>";
  const std::string wide = "w = Mul(x, seven) v = Clip(w, low, high) ",
                    tiny = "q = Mul(x, x) r = Mul(q, x) v = Clip(r, low, high) ";
  const auto softplus = [&](const std::string& one) { return wide + "e = Exp(v) p = Add(e, " + one + ") y = Log(p)"; };
  const auto tanh = [&](const std::string& before, const std::string& one) {
    return before + "d = Mul(v, two) s = Sigmoid(d) t = Mul(s, two) y = Sub(t, " + one + ")";
  };
  const auto mish = [&](const std::string& one) {
    return wide + "e = Exp(v) p = Add(e, " + one + ") l = Log(p) t = Tanh(l) y = Mul(v, t)";
  };
  const auto elu = [&](const std::string& before, const std::string& one) {
    return before + "e = Exp(v) m = Sub(e, " + one + ") c = Less(v, zero) y = Where(c, m, v)";
  };
  const std::string small = "c = Clip(x, low, high) v = Mul(c, millionth) ";
  return {
      {"softplus", signature, wide + "y = Softplus(v)", softplus("one")},
      {"softplus_with_another_one", signature, wide + "y = Softplus(v)", softplus("wrong"), false},
      {"softplus_that_overflows", signature, "v = Mul(x, hundred) y = Softplus(v)",
       "v = Mul(x, hundred) e = Exp(v) p = Add(e, one) y = Log(p)", false},
      {"tanh", signature, tiny + "y = Tanh(v)", tanh(tiny, "one")},
      {"tanh_with_another_one", signature, tiny + "y = Tanh(v)", tanh(tiny, "wrong"), false},
      {"sinh", signature, tiny + "y = Sinh(v)",
       tiny + "e = Exp(v) n = Neg(v) f = Exp(n) d = Sub(e, f) y = Mul(d, half)"},
      {"mish", signature, wide + "y = Mish(v)", mish("one")},
      {"mish_with_another_one", signature, wide + "y = Mish(v)", mish("wrong"), false},
      {"elu", signature, tiny + "y = Elu(v)", elu(tiny, "one")},
      {"tanh_of_which_nothing_is_left", signature, small + "y = Tanh(v)", tanh(small, "one"), false},
  };
}

std::string name_of(const ::testing::TestParamInfo<RoundingPair>& shown) { return shown.param.name; }

INSTANTIATE_TEST_SUITE_P(ByOtherOperators, RoundingPairs, ::testing::ValuesIn(by_other_operators()), name_of);

}  // namespace
}  // namespace culprit::testing
