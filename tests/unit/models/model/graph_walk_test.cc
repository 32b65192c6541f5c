#include "model/graph_walk.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

void import(onnx::ModelProto& model, const char* domain, int version) {
  auto& opset = *model.add_opset_import();
  opset.set_domain(domain);
  opset.set_version(version);
}

TEST(OpsetOf, IsOfOnnxItself) {
  onnx::ModelProto model;
  import(model, "com.microsoft", 3);
  import(model, "", 17);
  import(model, "ai.onnx.ml", 2);
  EXPECT_EQ(opset_of(model), 17);
}

TEST(OpsetOf, KnowsBothNamesOfTheDomain) {
  onnx::ModelProto model;
  import(model, "ai.onnx", 13);
  EXPECT_EQ(opset_of(model), 13);
}

TEST(OpsetOf, IsTheFirstOneWhereNoneIsImported) {
  onnx::ModelProto model;
  import(model, "ai.onnx.ml", 2);
  EXPECT_EQ(opset_of(model), 1);
}

TEST(OpsetOf, IsTheLastOneOfSeveral) {
  onnx::ModelProto model;
  import(model, "", 12);
  import(model, "ai.onnx", 11);
  EXPECT_EQ(opset_of(model), 11);
}

}  // namespace
}  // namespace culprit
