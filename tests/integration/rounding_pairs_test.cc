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
  const Ran compared =
      culprit({"compare", model, variant, "--samples", "2", "--no-repro", "--run-dir", folder_.path() / "compared"});
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

/// A recurrent node that is chaotic, of weights that are sixteenths, and the same with its units in another order.
/// `size`: how large the weights are, in sixteenths.
Pairs chaos_inside_a_node() {
  const std::string signature =
      "g (float[4,60,8] x) => (float[60,4,8] y) <int64[16] order = {3, 0, 9, 1, 14, 2, 5, 15, 4, 13, 6, 8, 12, 7, 11, "
      "10}, int64[16] other = {3, 0, 9, 1, 14, 2, 5, 15, 4, 13, 6, 8, 12, 7, 10, 11}, int64[1] first = {1}, int64[2] "
      "of_v = {16, 8}, float zero = {0}, float one = {1}, float sixteenth = {0.0625}, float step = {1.7}, ";
  const auto graph = [](const std::string& node, const std::string& order, const std::string& of_state) {
    const auto weight = [](const std::string& name, const std::string& permuted) {
      return "n" + name + " = Range(zero, count_" + name + ", one) m" + name + " = Mul(n" + name + ", step) s" + name +
             " = Sin(m" + name + ") l" + name + " = Mul(s" + name + ", size) r" + name + " = Round(l" + name + ") d" +
             name + " = Mul(r" + name + ", sixteenth) g" + name + " = Reshape(d" + name + ", gates_" + name + ") " +
             permuted + name + " = Reshape(p" + name + ", of_" + name + ") ";
    };
    const auto in_order = [&](const std::string& name, int axis) {
      const std::string by = "<axis = " + std::to_string(axis) + ">(";
      return order.empty() ? "p" + name + " = Identity(g" + name + ") "
                           : "p" + name + " = Gather" + by + "g" + name + ", " + order + ") ";
    };
    const std::string state = order.empty()
                                  ? "pr = Identity(gr) "
                                  : "hr = Gather<axis = 1>(gr, " + of_state + ") pr = Gather<axis = 2>(hr, order) ";
    return "t = Tanh(x) f = Transpose<perm = [1, 0, 2]>(t) " + weight("w", in_order("w", 1)) + weight("r", state) +
           weight("v", in_order("v", 0)) + "all = " + node + "<hidden_size = 16>(f, w, r) q = Squeeze(all, first) " +
           "y = MatMul(q, v)";
  };
  Pairs pairs;
  const auto add = [&](const std::string& node, int gates, int size) {
    const std::string g = std::to_string(gates), sums = std::to_string(16 * gates);
    const std::string own = signature + "float size = {" + std::to_string(size) + "}, float count_w = {" +
                            std::to_string(128 * gates) + "}, float count_r = {" + std::to_string(256 * gates) +
                            "}, float count_v = {128}, int64[3] gates_w = {" + g + ", 16, 8}, int64[3] gates_r = {" +
                            g + ", 16, 16}, int64[2] gates_v = {16, 8}, int64[3] of_w = {1, " + sums +
                            ", 8}, int64[3] of_r = {1, " + sums + ", 16}>";
    pairs.push_back({node + "_in_another_order", own, graph(node, "", ""), graph(node, "order", "order")});
    pairs.push_back(
        {node + "_of_which_two_units_are_swapped", own, graph(node, "", ""), graph(node, "order", "other"), false});
  };
  add("RNN", 1, 48);
  add("GRU", 3, 48);
  add("LSTM", 4, 160);
  return pairs;
}

/// Operators that quantize inside, and the same in floats between a DequantizeLinear and a QuantizeLinear. The steps
/// are in simple ratios, so that many sums are ties.
Pairs quantized_inside() {
  const std::string signature =
      "g (float[4,2,32,32] x) => (float[4,4,r,c] y) <float s = {0.05}, uint8 z = {128}, int8[4,2,1,1] w = {3, -2, 5, "
      "7, -4, 1, 2, 9}, float[4] ws = {0.02, 0.01, 0.03, 0.05}, int8[4] wz = {0, 0, 0, 0}, float t = {0.004}, uint8 u "
      "= "
      "{120}, uint8 shifted = {121}, float small = {0.002}> ";
  const std::string fed = "q = QuantizeLinear(x, s, z) ", given = " y = DequantizeLinear(p, t, u)";
  const std::string conv = fed + "p = QLinearConv(q, s, z, w, ws, wz, t, u)" + given;
  const auto of_conv = [&](const std::string& zero) {
    return fed + "d = DequantizeLinear(q, s, z) v = DequantizeLinear<axis = 0>(w, ws, wz) f = Conv(d, v) " +
           "p = QuantizeLinear(f, t, " + zero + ")" + given;
  };
  const std::string two = conv.substr(0, conv.find(given)) + " ", opened = "a = DequantizeLinear(p, t, u) ";
  const auto in_floats = [&](const std::string& what, const std::string& step) {
    return two + opened + what + " o = QuantizeLinear(k, " + step + ", u) y = DequantizeLinear(o, " + step + ", u)";
  };
  const auto inside = [&](const std::string& what, const std::string& step) {
    return two + "o = " + what + " y = DequantizeLinear(o, " + step + ", u)";
  };
  const std::string sum = inside("com.microsoft.QLinearAdd(p, t, u, p, t, u, s, u)", "s");
  const std::string pool = inside("com.microsoft.QLinearGlobalAveragePool(p, t, u, small, u)", "small");
  return {
      {"conv", signature, conv, of_conv("u")},
      {"conv_with_another_zero_point", signature, conv, of_conv("shifted"), false},
      {"sum", signature, sum, in_floats("k = Add(a, a)", "s")},
      {"sum_with_a_wrong_sign", signature, sum, in_floats("n = Neg(a) k = Sub(n, a)", "s"), false},
      {"pool", signature, pool, in_floats("k = GlobalAveragePool(a)", "small")},
      {"pool_of_the_largest", signature, pool, in_floats("k = GlobalMaxPool(a)", "small"), false},
  };
}

std::string name_of(const ::testing::TestParamInfo<RoundingPair>& shown) { return shown.param.name; }

INSTANTIATE_TEST_SUITE_P(ChaosInsideANode, RoundingPairs, ::testing::ValuesIn(chaos_inside_a_node()), name_of);
INSTANTIATE_TEST_SUITE_P(QuantizedInside, RoundingPairs, ::testing::ValuesIn(quantized_inside()), name_of);
INSTANTIATE_TEST_SUITE_P(ByOtherOperators, RoundingPairs, ::testing::ValuesIn(by_other_operators()), name_of);

}  // namespace
}  // namespace culprit::testing
