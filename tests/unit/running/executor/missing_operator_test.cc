// An operator that the runtime does not know: whose doing is it?
#include "executor/missing_operator.h"

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <stdexcept>

namespace culprit {
namespace {

Model model_of(const std::string& node, const std::string& functions = "") {
  auto proto = std::make_shared<onnx::ModelProto>();
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17, \"my.dom\" : 1]> g (float[2] x) => (float[2] y) { " + node + " } " +
      functions;
  const auto parsed = onnx::OnnxParser::Parse(*proto, text.c_str());
  if (!parsed.IsOK()) throw std::runtime_error(parsed.ErrorMessage());
  Model model;
  model.proto = proto;
  return model;
}

RunOutcome refused(const std::string& message) {
  RunOutcome outcome;
  outcome.stage = RunOutcome::Stage::load;
  outcome.failure = {Ending::threw, message, ""};
  return outcome;
}

RunOutcome without(const std::string& op) {
  return refused("Fatal error: " + op + "(-1) is not a registered function/op");
}

TEST(MissingOperator, IsRecognised) {
  const auto missing = [](const char* message) {
    const auto found = missing_operator(message);
    return found ? found->domain + ":" + found->op : "none";
  };
  EXPECT_EQ(missing("Load model from /m.onnx failed:Fatal error: com.microsoft.extensions:DecodeImage(-1) is not a "
                    "registered function/op"),
            "com.microsoft.extensions:DecodeImage");
  EXPECT_EQ(missing("In Node, (\"n1\", Foo, \"\", -1) : (\"x\": tensor(float),) -> (\"y\": tensor(float),) , Error No "
                    "Op registered for "
                    "Foo with domain_version of 13"),
            "ai.onnx:Foo");
  EXPECT_EQ(missing("In Node, (\"n1\", Foo, \"my.dom\", -1) : () -> () , Error No Op registered for Foo with "
                    "domain_version of 1"),
            "my.dom:Foo");
  EXPECT_EQ(missing("Error No opset import for domain 'my.dom'"), "my.dom:");
  EXPECT_EQ(missing("Incompatible dimensions"), "none");
}

TEST(MissingLibrary, IsAskedForWhereTheOriginalHasNothingOfTheDomain) {
  const auto advice = missing_library(without("my.dom:Foo"), model_of("y = Relu(x)"), model_of("y = my.dom.Foo(x)"));
  EXPECT_EQ(advice.value_or(""),
            "the runtime does not know the operator Foo of the domain my.dom, at the node 'y' (opset 1); give the "
            "library that has it with --custom-ops LIB");
}

TEST(MissingOperator, OfOnnxItselfMayNeedANewerRuntime) {
  const Model model = model_of("y = Foo(x)");
  EXPECT_EQ(
      advice_on({"ai.onnx", "Foo"}, model.proto.get()),
      "the runtime does not know the operator Foo of the domain ai.onnx, at the node 'y' (opset 17); a newer ONNX "
      "Runtime may know it (--runtime VERSION), or export the model with an older opset; for an operator of your "
      "own give its library with --custom-ops LIB");
  EXPECT_EQ(advice_on({"my.dom", ""}, nullptr),
            "the runtime does not know operators of the domain my.dom; give the library that has it with --custom-ops "
            "LIB");
}

TEST(MissingLibrary, IsNoExcuseForWhatTheVariantBroke) {
  const Model plain = model_of("y = Relu(x)"), custom = model_of("y = my.dom.Foo(x)");
  EXPECT_FALSE(missing_library(without("my.dom:Fool"), custom, custom)) << "the library is there";
  EXPECT_FALSE(missing_library(without(":Fool"), plain, custom));
  EXPECT_FALSE(missing_library(without("ai.onnx.ml:Fool"), plain, custom));
  EXPECT_FALSE(missing_library(without("com.microsoft:Fool"), plain, custom));
  EXPECT_TRUE(missing_library(without("com.microsoft.extensions:Fool"), plain, custom));
  EXPECT_FALSE(missing_library(refused("No opset import for domain 'my.dom'"), plain, custom));
  EXPECT_FALSE(missing_library(refused("Incompatible dimensions"), plain, custom));
  const Model with_function =
      model_of("y = my.dom.Fool(x)", "<domain: \"my.dom\", opset_import: [\"\" : 17]> Foo (a) => (b) { b = Relu(a) }");
  EXPECT_FALSE(missing_library(without("my.dom:Fool"), plain, with_function)) << "a function that was lost";
  const Model in_branch = model_of(
      "c = Constant<value = bool {1}>() y = If(c) <then_branch = t () => (u) { u = my.dom.Foo(x) }, "
      "else_branch = e () => (v) { v = Relu(x) }>");
  EXPECT_FALSE(missing_library(without("my.dom:Fool"), in_branch, custom));
}

}  // namespace
}  // namespace culprit
