// Values inside of bodies, read through ONNX Runtime: they tell whether a run came there.
#include "model/expose_inside.h"

#include "model/model.h"
#include "runtime_fixture.h"
#include "unit/models/model/parse.h"

namespace culprit::testing {
namespace {

class ExposeInsideTest : public RuntimeTest {
 protected:
  /// What `value` is for these inputs; the model's own output stands before it.
  std::vector<double> read(const std::string& text, const std::string& value, const std::vector<NamedTensor>& inputs) {
    const std::vector<std::string> values = {value};
    const Exposed exposed = expose_inside(parse_model(text), values);
    const fs::path file = folder() / "exposed.onnx";
    EXPECT_TRUE(save_model(exposed.model, file));
    const auto session = runner_->load(file, SessionOptions());
    EXPECT_TRUE(session) << session.error().text();
    if (!session) return {-1};
    const auto outputs = (*session)->run(inputs);
    EXPECT_TRUE(outputs) << outputs.error().text();
    if (!outputs) return {-1};
    EXPECT_EQ(outputs->front().name, "y");
    EXPECT_EQ(outputs->back().name, exposed.outputs.at(0));
    std::vector<double> found;
    for (std::int64_t i = 0; i < outputs->back().value.count(); ++i) found.push_back(outputs->back().value.number(i));
    return found;
  }

  static NamedTensor flag(const std::string& name, bool is_set) {
    return {name, *cast(Tensor::of<double>({}, {is_set ? 1.0 : 0.0}), DType::boolean)};
  }
  static NamedTensor number(const std::string& name, std::int64_t number) {
    return {name, Tensor::of<std::int64_t>({}, {number})};
  }

  const NamedTensor x_{"x", Tensor::of<float>({2}, {1, -2})};
};

using Values = std::vector<double>;

TEST_F(ExposeInsideTest, ABranchThatIsNotTakenGivesNothing) {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 13]> g (bool c, float[2] x) => (float[2] y) {
      y = If(c) <then_branch = a () => (float[2] p) { inside_0 = Neg(x) p = Exp(inside_0) },
                 else_branch = b () => (float[2] q) { q = Exp(x) }> })";
  EXPECT_EQ(read(text, "inside_0", {flag("c", true), x_}), (Values{-1, 2})) << "of a name that looks made up, too";
  EXPECT_EQ(read(text, "inside_0", {flag("c", false), x_}), Values());
}

TEST_F(ExposeInsideTest, ALoopGivesWhatItsFirstTurnMakes) {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 13]>
      g (int64 n, float[2] x) => (float[2] y, float[m,2] all) {
      y, all = Loop(n, "", x) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t, float[2] u) {
          d = Identity(c) v = Neg(s) t = Add(v, v) u = Exp(v) }> })";
  EXPECT_EQ(read(text, "v", {number("n", 3), x_}), (Values{-1, 2}));
  EXPECT_EQ(read(text, "s", {number("n", 2), x_}), (Values{1, -2}));
  EXPECT_EQ(read(text, "v", {number("n", 0), x_}), Values());
}

TEST_F(ExposeInsideTest, ABranchInALoopGivesWhatItMakesInTheFirstTurnThatTakesIt) {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 13]>
      g (int64 n, float[2] x) => (float[2] y) <int64 two = {2}> {
      y = Loop(n, "", x) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t) {
          d = Identity(c) late = Equal(i, two)
          t = If(late) <then_branch = p () => (float[2] o) { v = Neg(s) o = Identity(v) },
                        else_branch = q () => (float[2] r) { r = Add(s, s) }> }> })";
  EXPECT_EQ(read(text, "v", {number("n", 5), x_}), (Values{-4, 8}));
  EXPECT_EQ(read(text, "v", {number("n", 2), x_}), Values());
}

TEST_F(ExposeInsideTest, AScanGivesTheFirstOfAll) {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float y) {
      y = Scan<num_scan_inputs = 1, body = b (float s, float e) => (float t) { v = Neg(e) t = Add(s, v) }>(zero, x) }
      )";
  std::string with_zero = text;
  with_zero.replace(with_zero.find(") {"), 3, ") <float zero = {0}> {");
  EXPECT_EQ(read(with_zero, "v", {x_}), (Values{-1}));
}

TEST_F(ExposeInsideTest, WhatIsNowhereIsNotRead) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) {
      a = Neg(x) y = Exp(a) })");
  const std::vector<std::string> values = {"a", "nowhere"};
  const Exposed exposed = expose_inside(model, values);
  EXPECT_EQ(exposed.outputs, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(exposed.model.graph().output_size(), 2);
}

}  // namespace
}  // namespace culprit::testing
