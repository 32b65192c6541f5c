// `culprit orders` through the real binary: ONNX Optimizer, whose order matters, and programs of which some orders are
// wrong.
#include "cli_folder.h"
#include "model/model.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two Transposes that undo each other, with an Identity between them: what is left depends on who comes first.
constexpr const char* transposed_model = R"(
<ir_version: 8, opset_import: ["" : 13]>
transposed (float[2,3] x) => (float[2,3] y)
{
  a = Transpose<perm = [1, 0]>(x)
  b = Identity(a)
  c = Transpose<perm = [1, 0]>(b)
  y = Relu(c)
})";

/// tests/corpus/interactions/if-branch-of-constants.onnxtxt: a branch that is one Constant has no node left when the
/// Constant was extracted, and is then inlined through a null pointer.
constexpr const char* branch_of_a_constant = R"(
<ir_version: 7, opset_import: ["" : 14]>
if_constants (float[N,3] x) => (float[N,3] y)
<bool cond = {1}>
{
  w = If (cond) <
    then_branch = yes () => (float[3] a) { a = Constant<value = float[3] {1.0, -2.0, 3.0}>() },
    else_branch = no () => (float[3] b) { b = Constant<value = float[3] {1.5, 2.0, -3.0}>() }
  >
  y = Mul(x, w)
})";

class Orders : public Cli {
 protected:
  /// Its report is then in run/report.json.
  Ran orders(const std::string& more) { return shell("culprit orders model.onnx --run-dir run --quiet " + more); }

  nlohmann::json report() { return nlohmann::json::parse(text_of("run/report.json")); }

  std::vector<std::string> verdicts() {
    std::vector<std::string> verdicts;
    const auto told = report();
    for (const auto& result : told["results"])
      verdicts.push_back(result["verdict"].get<std::string>() + " x " + std::to_string(result["orders"].get<int>()));
    return verdicts;
  }

  void expect_valid_orders() {
    const std::string source = CULPRIT_SOURCE;
    const Ran ran = shell("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                          "/docs/orders.schema.json' run/report.json");
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  }

  std::int64_t nodes_of(const std::string& name) { return load_model(folder_.path() / name)->facts.nodes; }

  /// A program that takes its steps a, b and c in an order: b before a gives another model, c in front a smaller one,
  /// and c, b, a kills it. Each call adds a line to `calls`.
  void write_program() {
    write_model("wrong.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
      wrong (float[2,3] x) => (float[2,3] y) <float[3] w = {1.5, -2.0, 0.5}> { a = Add(x, w)  y = Relu(a) })");
    write_model("small.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
      small (float[2,3] x) => (float[2,3] y) <float[3] w = {1.5, -2.0, 0.25}> { a = Add(x, w)  y = Relu(a) })");
    const std::string here = folder_.path().string();
    std::ofstream(folder_.path() / "program.sh") << "echo \"$3\" >> '" << here << "/calls'\n"
                                                 << "case \"$3\" in\n"
                                                 << "  s=c,b,a) kill -SEGV $$ ;;\n"
                                                 << "  s=c,*) cp '" << here << "/small.onnx' \"$2\" ;;\n"
                                                 << "  s=*b*a*) cp '" << here << "/wrong.onnx' \"$2\" ;;\n"
                                                 << "  *) cp \"$1\" \"$2\" ;;\nesac\n";
    std::ofstream(folder_.path() / "mine.yaml")
        << "name: mine\ncommand: [bash, '" << here << "/program.sh', '{input}', '{output}', '{choice}']\n"
        << "ordered: true\nsteps:\n  - names: [a, b, c]\n    keep: ['s={steps}']\n    keep_none: [none]\n";
  }
};

TEST_F(Orders, TheFewestNodesAreTheBest) {
  write_model("model.onnx", transposed_model);
  const Ran ran =
      orders("--steps fuse_consecutive_transposes,eliminate_nop_transpose,eliminate_identity -o best.onnx --samples 2");
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("all 6 orders of 3 passes, 3 results"), HasSubstr("best.onnx was written")));
  const auto told = report();
  EXPECT_EQ(told["results"][0]["nodes"], 3) << "the Identity was in the way";
  const auto& best = told["results"][std::stoul(told["best"].get<std::string>().substr(1)) - 1];
  EXPECT_EQ(best["nodes"], 1);
  EXPECT_THAT(best["example"].get<std::vector<std::string>>(),
              ElementsAre("eliminate_identity", "fuse_consecutive_transposes", "eliminate_nop_transpose"));
  EXPECT_EQ(best["inversions"], 2);
  EXPECT_EQ(best["same_bits"], true);
  EXPECT_EQ(nodes_of("best.onnx"), 1);
  EXPECT_EQ(told["verified_on"], 2);
  expect_valid_orders();
}

TEST_F(Orders, AnOrderThatCrashesTheOptimizerEndsNothing) {
  write_model("model.onnx", branch_of_a_constant);
  const Ran ran = orders("--steps extract_constant_to_initializer,eliminate_if_with_const_cond -o best.onnx");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(verdicts(), ElementsAre("optimizer_crashed x 1", "equivalent x 1"));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("1 of 2 orders is WRONG"), HasSubstr("culprit localize model.onnx --passes")));
  const auto told = report();
  EXPECT_EQ(told["best"], "R2") << "the other order is right";
  EXPECT_EQ(told["swaps"][0]["changed"], 1);
  EXPECT_TRUE(there("best.onnx"));
  expect_valid_orders();
}

TEST_F(Orders, OfTheWholeBundleByDefault) {
  const Ran ran = orders("--count 50 --seed 3 --format json");
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.out, text_of("run/report.json"));
  const auto told = report();
  EXPECT_EQ(told["orders"], 50);
  EXPECT_EQ(told["steps"].size(), 39U);
  EXPECT_EQ(told["is_bundle"], true);
  EXPECT_GE(told["swaps"].size(), 38U) << "each two neighbours";
  EXPECT_EQ(told["all_orders"], false);
  expect_valid_orders();
}

TEST_F(Orders, OfAProgramThatIsWrongInSome) {
  write_program();
  const Ran ran = orders("--optimizer mine.yaml -o best.onnx");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  std::vector<std::string> found = verdicts();
  std::ranges::sort(found);
  EXPECT_THAT(found, ElementsAre("diverged x 2", "equivalent x 1", "optimizer_crashed x 1", "unchanged x 2"));
  EXPECT_EQ(nodes_of("best.onnx"), 2) << "that of c, a, b";
  expect_valid_orders();
}

TEST_F(Orders, NothingIsWrittenWhereNoOrderIsRight) {
  write_model("model.onnx", faulty_model);
  const Ran ran = orders("--steps fuse_pad_into_conv,nop -o best.onnx");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(verdicts(), ElementsAre("diverged x 2")) << "one result, for the order does not matter";
  EXPECT_TRUE(there("run/" + report()["results"][0]["file"].get<std::string>())) << "the wrong model is kept";
  EXPECT_THAT(ran.err, HasSubstr("best.onnx was not written: no order was found to be right"));
  EXPECT_FALSE(there("best.onnx"));
}

TEST_F(Orders, WhatCannotBeJudgedIsNotRight) {
  write_model("model.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
    weak (float[2,3] x) => (float[2,3] y) { a = Identity(x)  b = Relu(a)  c = Neg(b)  y = Relu(c) })");
  const Ran ran = orders("--steps nop,eliminate_identity -o best.onnx");
  EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
  EXPECT_FALSE(there("best.onnx"));
  std::ofstream(folder_.path() / "model.onnx") << "garbage";
  EXPECT_EQ(shell("culprit orders model.onnx --quiet").exit, 3);
}

TEST_F(Orders, WhatHasNoOrderIsUsage) {
  const auto complaint = [&](const std::string& more) {
    const Ran ran = orders(more);
    EXPECT_EQ(ran.exit, 2) << more << ran.out;
    return ran.err;
  };
  write_program();
  shell("sed -i '/ordered/d' mine.yaml");
  EXPECT_THAT(complaint("--optimizer mine.yaml"), HasSubstr("it takes no order of its steps"));
  EXPECT_THAT(complaint("--optimizer onnxruntime"), HasSubstr("it takes no order of its steps"));
  EXPECT_THAT(complaint("--steps nop"), HasSubstr("one pass has no order"));
  EXPECT_THAT(complaint("--steps nopp"), HasSubstr("there is no pass 'nopp'"));
  EXPECT_THAT(complaint("--steps nop,nop"), HasSubstr("'nop' is named twice"));
  EXPECT_THAT(complaint("--steps nop,eliminate_identiti"), HasSubstr("did you mean 'eliminate_identity'"));
  EXPECT_THAT(complaint("--count 0"), HasSubstr("--count 0"));
  EXPECT_THAT(complaint("-o model.onnx"), HasSubstr("model.onnx"));
}

}  // namespace
}  // namespace culprit::testing
