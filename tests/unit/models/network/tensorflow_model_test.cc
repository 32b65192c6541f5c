#include "network/tensorflow/tensorflow_model.h"

#include <gmock/gmock.h>

#include "network/tensorflow/refused_operators.h"
#include "unit/models/network/tensorflow_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TensorflowModel graph_of(const tensorflow::Graph& graph) {
  return TensorflowModel::of_graph(graph.SerializeAsString()).value();
}

TensorflowModel saved(const tensorflow::SavedModel& model) {
  return TensorflowModel::of_saved_model(model.SerializeAsString()).value();
}

TEST(TensorflowModel, OfAGraphPlaceholdersGoInAndWhatNobodyUsesComesOut) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", 1, {-1, 3});
  add_tensorflow_node(*graph.mutable_nodes(), "used", "Relu", {"x"});
  add_tensorflow_node(*graph.mutable_nodes(), "y", "Neg", {"used:0", "^check"});
  add_tensorflow_node(*graph.mutable_nodes(), "check", "Assert");
  add_tensorflow_node(*graph.mutable_nodes(), "awaited", "Abs", {"x"});
  add_tensorflow_node(*graph.mutable_nodes(), "all", "NoOp", {"^awaited"});
  // What is left of a frozen variable that bodies of loops read.
  add_tensorflow_node(*graph.mutable_nodes(), "cell/kernel", "Const");
  add_tensorflow_node(*graph.mutable_nodes(), "cell/MatMul/ReadVariableOp", "Identity", {"call/input"});
  add_tensorflow_node(*graph.mutable_nodes(), "call/input", "Identity", {"cell/kernel"});
  const auto interface = graph_of(graph).interface();
  ASSERT_TRUE(interface);
  ASSERT_EQ(interface->inputs.size(), 1U);
  EXPECT_EQ(interface->inputs[0].name, "x:0");
  EXPECT_EQ(interface->inputs[0].type, 1);
  EXPECT_THAT(interface->inputs[0].shape.value(), ElementsAre(-1, 3));
  ASSERT_EQ(interface->outputs.size(), 2U);
  EXPECT_EQ(interface->outputs[0].tensor, "y:0");
  EXPECT_EQ(interface->outputs[1].tensor, "awaited:0");
}

TEST(TensorflowModel, OfASavedModelTheSignatureForServingCounts) {
  tensorflow::SavedModel model = small_saved_model();
  auto& other = (*model.mutable_graphs(0)->mutable_signatures())["a_other"];
  (*other.mutable_outputs())["z"].set_tensor("serving_default_x:0");
  const auto interface = saved(model).interface();
  ASSERT_TRUE(interface);
  ASSERT_EQ(interface->inputs.size(), 1U);
  EXPECT_EQ(interface->inputs[0].name, "x");
  EXPECT_EQ(interface->inputs[0].tensor, "serving_default_x:0");
  ASSERT_EQ(interface->outputs.size(), 1U);
  EXPECT_EQ(interface->outputs[0].name, "y");
  EXPECT_THAT(saved(model).tags(), ElementsAre("serve"));
}

TEST(TensorflowModel, WithoutOneForServingTheOnlySignatureCounts) {
  tensorflow::SavedModel model = small_saved_model();
  auto& signatures = *model.mutable_graphs(0)->mutable_signatures();
  const tensorflow::Signature signature = signatures["serving_default"];
  signatures.erase("serving_default");
  EXPECT_FALSE(saved(model).interface());
  signatures["mine"] = signature;
  signatures["__saved_model_init_op"];
  EXPECT_TRUE(saved(model).interface());
  signatures["yours"] = signature;
  const auto unclear = saved(model).interface();
  ASSERT_FALSE(unclear);
  EXPECT_EQ(unclear.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(unclear.error().message, HasSubstr("mine, yours"));
}

TEST(TensorflowModel, AValueThatIsNoTensorIsNamed) {
  tensorflow::SavedModel model = small_saved_model();
  (*(*model.mutable_graphs(0)->mutable_signatures())["serving_default"].mutable_inputs())["ragged"].set_type(1);
  const auto interface = saved(model).interface();
  ASSERT_FALSE(interface);
  EXPECT_THAT(interface.error().message, HasSubstr("'ragged'"));
}

TEST(TensorflowModel, OfSeveralGraphsTheOneForServingCounts) {
  tensorflow::SavedModel model = small_saved_model();
  tensorflow::SavedModel both;
  both.add_graphs()->mutable_facts()->add_tags("train");
  both.add_graphs()->CopyFrom(model.graphs(0));
  EXPECT_TRUE(saved(both).interface());
  both.mutable_graphs(1)->mutable_facts()->set_tags(0, "other");
  EXPECT_FALSE(TensorflowModel::of_saved_model(both.SerializeAsString()));
}

TEST(TensorflowModel, OtherBytesAreRefused) {
  EXPECT_FALSE(TensorflowModel::of_graph(""));
  EXPECT_FALSE(TensorflowModel::of_graph("no model at all"));
  EXPECT_FALSE(TensorflowModel::of_saved_model(""));
  const std::string whole = small_saved_model().SerializeAsString();
  const auto look_at = [](const Result<TensorflowModel>& model) {
    if (!model) return;
    EXPECT_LE(model->refused_operators({}).size(), 10U);
    static_cast<void>(model->interface());
  };
  for (std::size_t size = 0; size < whole.size(); ++size) {  // no crash, whatever is missing
    std::string changed = whole;
    changed[size] = static_cast<char>(~changed[size]);
    for (const std::string& bytes : {whole.substr(0, size), changed}) {
      look_at(TensorflowModel::of_saved_model(bytes));
      look_at(TensorflowModel::of_graph(bytes));
    }
  }
}

TEST(RefusedOperators, ASaverAloneIsFine) {
  EXPECT_THAT(saved(small_saved_model()).refused_operators(std::vector<std::string>{"call:0"}), IsEmpty());
}

TEST(RefusedOperators, WhatTouchesFilesIsFoundInGraphsAndBodies) {
  tensorflow::SavedModel model = small_saved_model();
  tensorflow::Graph& graph = *model.mutable_graphs(0)->mutable_graph();
  add_tensorflow_node(*graph.mutable_nodes(), "read", "ReadFile");
  add_tensorflow_node(*graph.mutable_library()->mutable_functions(2)->mutable_nodes(), "run", "EagerPyFunc");
  EXPECT_THAT(saved(model).refused_operators({}), ElementsAre("ReadFile (node 'read')", "EagerPyFunc (node 'run')"));
}

TEST(RefusedOperators, CheckpointsCountWhereTheyAreReached) {
  tensorflow::SavedModel model = small_saved_model();
  tensorflow::MetaGraph& meta = *model.mutable_graphs(0);
  const std::vector<std::string> outputs{"call:0"};
  // The function that the output calls calls the saving one, by an attribute of a function in a list.
  auto& relu = *meta.mutable_graph()->mutable_library()->mutable_functions(2)->mutable_nodes(0);
  auto& outer = *(*relu.mutable_attributes())["branches"].mutable_list()->add_functions();
  outer.set_name("none");
  (*outer.mutable_attributes())["inner"].mutable_function()->set_name("traced_save");
  EXPECT_THAT(saved(model).refused_operators(outputs), ElementsAre("SaveV2 (node 'go')"));
  relu.clear_attributes();
  EXPECT_THAT(saved(model).refused_operators(outputs), IsEmpty());

  meta.mutable_saver()->set_restore_op("save");  // loading it would write
  EXPECT_THAT(saved(model).refused_operators(outputs), ElementsAre("SaveV2 (node 'go')"));
  meta.mutable_saver()->set_restore_op("restore");
  auto& init = (*meta.mutable_signatures())["__saved_model_init_op"];
  (*init.mutable_outputs())["__saved_model_init_op"].set_tensor("restore");
  EXPECT_THAT(saved(model).refused_operators(outputs), ElementsAre("RestoreV2 (node 'go')"));
  meta.mutable_signatures()->erase("__saved_model_init_op");
  (*meta.mutable_collections())["legacy_init_op"].mutable_nodes()->add_names("save");
  EXPECT_THAT(saved(model).refused_operators(outputs), ElementsAre("SaveV2 (node 'go')"));
}

TEST(RefusedOperators, ControlInputsReach) {
  tensorflow::Graph graph;
  add_tensorflow_node(*graph.mutable_nodes(), "save", "SaveV2");
  add_tensorflow_node(*graph.mutable_nodes(), "y", "Neg", {"^save"});
  add_tensorflow_node(*graph.mutable_nodes(), "z", "Neg");
  EXPECT_THAT(graph_of(graph).refused_operators(std::vector<std::string>{"y:0"}), ElementsAre("SaveV2 (node 'save')"));
  EXPECT_THAT(graph_of(graph).refused_operators(std::vector<std::string>{"z:0"}), IsEmpty());
}

TEST(RefusedOperators, ByTheirNames) {
  for (const char* name : {"PyFunc", "PyFuncStateless", "EagerPyFunc", "ReadFile", "WriteFile", "MatchingFiles",
                           "PrintV2", "TFRecordDataset", "GeneratorDataset", "LMDBReader", "CreateSummaryDbWriter",
                           "DebugIdentityV3", "ImmutableConst", "RpcCall", "XlaCustomCallV2", "DumpTensor"})
    EXPECT_EQ(risk_of_operator(name), OperatorRisk::outside) << name;
  for (const char* name : {"SaveV2", "RestoreV2", "MergeV2Checkpoints"})
    EXPECT_EQ(risk_of_operator(name), OperatorRisk::checkpoint) << name;
  for (const char* name : {"ReadVariableOp", "Conv2D", "While", "StatefulPartitionedCall", "ShardedFilename",
                           "HashTableV2", "LookupTableFindV2", "DecodeJpeg", "StringFormat", "Assert", "VarHandleOp"})
    EXPECT_EQ(risk_of_operator(name), OperatorRisk::none) << name;
}

}  // namespace
}  // namespace culprit
