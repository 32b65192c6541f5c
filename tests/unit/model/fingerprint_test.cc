#include "model/fingerprint.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "unit/model/parse.h"

namespace culprit {
namespace {

using onnx::ModelProto;

// Inputs with and without default, a shared initializer, an unused one, value_info, attributes of several types, an If
// whose branches read values of the graph around them, and a function.
const char* const kModel = R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
  g (float[N,4] x, float[4] d, bool c) => (float[N,4] y, float[M] z)
  <float[4] d = {1, 1, 1, 1}, float[4] w = {1, 2, 3, 4}, float[2] unused = {5, 6}, float[N,4] t>
  {
    t = Add(x, w)
    u = Mul(t, w)
    v = If (c) <then_branch = th () => (float[N,4] a) { a = Clip(u, , w) },
                else_branch = el () => (float[N,4] b) <float[4] k = {9, 8, 7, 6}> { e = Neg(u) b = Add(e, k) }>
    y = Selu <gamma = 1.5, alpha = 0.5> (v)
    f = local.twice(t)
    p = Transpose <perm = [1, 0]> (f)
    q = Cast <to = 1> (p)
    z = ReduceMax <axes = [1], keepdims = 0> (q)
  }
  <domain: "local", opset_import: ["" : 17]>
  twice (i) => (o) { h = Add(i, i) o = Identity(h) })";

ModelProto base() { return parse_model(kModel); }

onnx::NodeProto* node(ModelProto& model, const std::string& op) {
  for (auto& candidate : *model.mutable_graph()->mutable_node()) {
    if (candidate.op_type() == op) return &candidate;
  }
  ADD_FAILURE() << "no " << op;
  return model.mutable_graph()->mutable_node(0);
}

onnx::GraphProto* branch(ModelProto& model, int which) {
  return node(model, "If")->mutable_attribute(which)->mutable_g();
}

onnx::TensorProto* initializer(ModelProto& model, const std::string& name) {
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    if (tensor.name() == name) return &tensor;
  }
  ADD_FAILURE() << "no " << name;
  return model.mutable_graph()->mutable_initializer(0);
}

/// Renames a value everywhere in a graph and the graphs inside.
void rename(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  const auto change = [&](std::string* name) {
    if (*name == from) *name = to;
  };
  for (auto& n : *graph.mutable_node()) {
    for (auto& name : *n.mutable_input()) change(&name);
    for (auto& name : *n.mutable_output()) change(&name);
    for (auto& attribute : *n.mutable_attribute()) {
      if (attribute.has_g()) rename(*attribute.mutable_g(), from, to);
    }
  }
  for (auto& t : *graph.mutable_initializer()) change(t.mutable_name());
  for (auto& v : *graph.mutable_value_info()) change(v.mutable_name());
  for (auto& v : *graph.mutable_input()) change(v.mutable_name());
  for (auto& v : *graph.mutable_output()) change(v.mutable_name());
}

struct Change {
  const char* name;
  std::function<void(ModelProto&)> apply;
};
void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }
std::string name_of_case(const testing::TestParamInfo<Change>& info) { return info.param.name; }

class Same : public testing::TestWithParam<Change> {};
class Different : public testing::TestWithParam<Change> {};

TEST_P(Same, ForOneMeaning) {
  ModelProto changed = base();
  GetParam().apply(changed);
  EXPECT_NE(changed.SerializeAsString(), base().SerializeAsString()) << "the change does nothing";
  EXPECT_EQ(fingerprint(changed), fingerprint(base()));
}

TEST_P(Different, ForTwoMeanings) {
  ModelProto changed = base();
  GetParam().apply(changed);
  EXPECT_NE(changed.SerializeAsString(), base().SerializeAsString()) << "the change does nothing";
  EXPECT_NE(fingerprint(changed), fingerprint(base()));
}

INSTANTIATE_TEST_SUITE_P(
    Fingerprint, Same,
    testing::Values(Change{"inner_value_names",
                           [](ModelProto& m) {
                             for (const char* name : {"t", "u", "v", "f", "p", "q", "a", "e", "b"}) {
                               rename(*m.mutable_graph(), name, std::string("inner_") + name);
                             }
                           }},
                    Change{"initializer_names",
                           [](ModelProto& m) {
                             rename(*m.mutable_graph(), "w", "zz");
                             rename(*m.mutable_graph(), "k", "kk");
                             rename(*m.mutable_graph(), "unused", "a_first");
                           }},
                    Change{"node_and_graph_names",
                           [](ModelProto& m) {
                             m.mutable_graph()->set_name("another");
                             branch(m, 0)->set_name("another");
                             for (auto& n : *m.mutable_graph()->mutable_node()) n.set_name("n");
                           }},
                    Change{"docs",
                           [](ModelProto& m) {
                             m.set_doc_string("d");
                             m.mutable_graph()->set_doc_string("d");
                             node(m, "Add")->set_doc_string("d");
                             node(m, "Cast")->mutable_attribute(0)->set_doc_string("d");
                             initializer(m, "w")->set_doc_string("d");
                             m.mutable_graph()->mutable_input(0)->set_doc_string("d");
                             m.mutable_functions(0)->set_doc_string("d");
                           }},
                    Change{"metadata",
                           [](ModelProto& m) {
                             m.add_metadata_props()->set_key("k");
                             m.mutable_graph()->add_metadata_props()->set_key("k");
                             node(m, "Add")->add_metadata_props()->set_key("k");
                             m.set_producer_name("p");
                             m.set_producer_version("p");
                             m.set_domain("p");
                             m.set_model_version(3);
                           }},
                    Change{"order_of_attributes",
                           [](ModelProto& m) {
                             node(m, "Selu")->mutable_attribute()->SwapElements(0, 1);
                             node(m, "If")->mutable_attribute()->SwapElements(0, 1);
                           }},
                    Change{"order_of_opsets", [](ModelProto& m) { m.mutable_opset_import()->SwapElements(0, 1); }},
                    Change{"order_of_initializers",
                           [](ModelProto& m) { m.mutable_graph()->mutable_initializer()->SwapElements(0, 2); }},
                    Change{"spelling_of_the_domain",
                           [](ModelProto& m) {
                             node(m, "Add")->set_domain("ai.onnx");
                             for (auto& opset : *m.mutable_opset_import()) {
                               if (opset.domain().empty()) opset.set_domain("ai.onnx");
                             }
                           }},
                    Change{"storage_of_elements",
                           [](ModelProto& m) {
                             for (const char* name : {"w", "d", "unused"}) {
                               auto* tensor = initializer(m, name);
                               std::string raw;
                               for (const float value : tensor->float_data()) {
                                 raw.append(reinterpret_cast<const char*>(&value), sizeof(value));
                               }
                               ASSERT_FALSE(raw.empty());
                               tensor->clear_float_data();
                               tensor->set_raw_data(raw);
                             }
                           }},
                    Change{"names_inside_functions",
                           [](ModelProto& m) {
                             auto* function = m.mutable_functions(0);
                             function->set_input(0, "other");
                             function->mutable_node(0)->set_input(0, "other");
                             function->mutable_node(0)->set_input(1, "other");
                             function->mutable_node(0)->set_output(0, "hh");
                             function->mutable_node(1)->set_input(0, "hh");
                           }},
                    Change{"value_info_of_nothing",
                           [](ModelProto& m) {
                             auto* stale = m.mutable_graph()->add_value_info();
                             *stale = m.graph().value_info(0);
                             stale->set_name("long_gone");
                           }},
                    Change{"value_info_that_repeats",
                           [](ModelProto& m) { *m.mutable_graph()->add_value_info() = m.graph().output(0); }}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Fingerprint, Different,
    testing::Values(
        Change{"ir_version", [](ModelProto& m) { m.set_ir_version(9); }},
        Change{"opset", [](ModelProto& m) { m.mutable_opset_import(0)->set_version(18); }},
        Change{"opset_added", [](ModelProto& m) { m.add_opset_import()->set_domain("third"); }},
        Change{"input_name", [](ModelProto& m) { rename(*m.mutable_graph(), "x", "xx"); }},
        Change{"output_name", [](ModelProto& m) { rename(*m.mutable_graph(), "y", "yy"); }},
        Change{"input_type",
               [](ModelProto& m) {
                 m.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(11);
               }},
        Change{"input_dimension_name",
               [](ModelProto& m) {
                 auto* type = m.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
                 type->mutable_shape()->mutable_dim(0)->set_dim_param("batch");
               }},
        Change{"input_dimension_value",
               [](ModelProto& m) {
                 auto* type = m.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
                 type->mutable_shape()->mutable_dim(0)->set_dim_value(1);
               }},
        Change{"input_rank_forgotten",
               [](ModelProto& m) {
                 m.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
               }},
        Change{"input_order", [](ModelProto& m) { m.mutable_graph()->mutable_input()->SwapElements(0, 1); }},
        Change{"output_order", [](ModelProto& m) { m.mutable_graph()->mutable_output()->SwapElements(0, 1); }},
        Change{"output_type",
               [](ModelProto& m) {
                 m.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(11);
               }},
        Change{"output_moved_to_another_value", [](ModelProto& m) { node(m, "Selu")->set_input(0, "u"); }},
        Change{"default_lost",
               [](ModelProto& m) {
                 auto* list = m.mutable_graph()->mutable_initializer();
                 for (int i = 0; i < list->size(); ++i) {
                   if (list->Get(i).name() == "d") {
                     list->DeleteSubrange(i, 1);
                     return;
                   }
                 }
                 ADD_FAILURE();
               }},
        Change{"default_changed", [](ModelProto& m) { initializer(m, "d")->set_float_data(0, 2); }},
        Change{"constant_made_an_input",
               [](ModelProto& m) {
                 auto* input = m.mutable_graph()->add_input();
                 input->set_name("w");
                 auto* type = input->mutable_type()->mutable_tensor_type();
                 type->set_elem_type(1);
                 type->mutable_shape()->add_dim()->set_dim_value(4);
               }},
        Change{"initializer_value", [](ModelProto& m) { initializer(m, "w")->set_float_data(3, 4.0000005F); }},
        Change{"initializer_sign_of_zero", [](ModelProto& m) { initializer(m, "w")->set_float_data(3, -0.0F); }},
        Change{"initializer_shape",
               [](ModelProto& m) {
                 initializer(m, "w")->set_dims(0, 1);
                 initializer(m, "w")->add_dims(4);
               }},
        Change{"initializer_type",
               [](ModelProto& m) {
                 auto* tensor = initializer(m, "w");
                 tensor->clear_float_data();
                 tensor->set_data_type(onnx::TensorProto::INT32);
                 for (const float value : {1.0F, 2.0F, 3.0F, 4.0F}) tensor->add_int32_data(std::bit_cast<int>(value));
               }},
        Change{"initializer_of_a_branch",
               [](ModelProto& m) { branch(m, 1)->mutable_initializer(0)->set_float_data(0, 9.5F); }},
        Change{"unused_initializer_removed",
               [](ModelProto& m) {
                 auto* list = m.mutable_graph()->mutable_initializer();
                 for (int i = 0; i < list->size(); ++i) {
                   if (list->Get(i).name() == "unused") {
                     list->DeleteSubrange(i, 1);
                     return;
                   }
                 }
                 ADD_FAILURE();
               }},
        Change{"unused_initializer_value", [](ModelProto& m) { initializer(m, "unused")->set_float_data(0, 7); }},
        Change{"shared_initializer_split",
               [](ModelProto& m) {
                 *m.mutable_graph()->add_initializer() = *initializer(m, "w");
                 m.mutable_graph()->mutable_initializer()->rbegin()->set_name("w2");
                 node(m, "Mul")->set_input(1, "w2");
               }},
        Change{"edge", [](ModelProto& m) { node(m, "Mul")->set_input(0, "x"); }},
        Change{"edges_swapped", [](ModelProto& m) { node(m, "Add")->mutable_input()->SwapElements(0, 1); }},
        Change{"optional_input_given", [](ModelProto& m) { branch(m, 0)->mutable_node(0)->set_input(1, "w"); }},
        Change{"op_type", [](ModelProto& m) { node(m, "Mul")->set_op_type("Sub"); }},
        Change{"op_domain", [](ModelProto& m) { node(m, "Mul")->set_domain("mine"); }},
        Change{"op_overload", [](ModelProto& m) { node(m, "twice")->set_overload("o"); }},
        Change{"output_left_out", [](ModelProto& m) { node(m, "Add")->add_output(""); }},
        Change{"node_order",
               [](ModelProto& m) {
                 auto* nodes = m.mutable_graph()->mutable_node();  // If, Selu, twice: the last two are independent
                 nodes->SwapElements(3, 4);
               }},
        Change{"dead_node",
               [](ModelProto& m) {
                 auto* dead = m.mutable_graph()->add_node();
                 dead->set_op_type("Neg");
                 dead->add_input("x");
                 dead->add_output("dead");
               }},
        Change{"attribute_float",
               [](ModelProto& m) { node(m, "Selu")->mutable_attribute(0)->set_f(std::nextafter(1.5F, 2.0F)); }},
        Change{"attribute_int", [](ModelProto& m) { node(m, "Cast")->mutable_attribute(0)->set_i(10); }},
        Change{"attribute_ints", [](ModelProto& m) { node(m, "Transpose")->mutable_attribute(0)->set_ints(0, 0); }},
        Change{"attribute_ints_longer", [](ModelProto& m) { node(m, "Transpose")->mutable_attribute(0)->add_ints(2); }},
        Change{"attribute_name", [](ModelProto& m) { node(m, "Selu")->mutable_attribute(0)->set_name("delta"); }},
        Change{"attribute_dropped", [](ModelProto& m) { node(m, "Selu")->mutable_attribute()->RemoveLast(); }},
        Change{"attribute_reference",
               [](ModelProto& m) { node(m, "Selu")->mutable_attribute(0)->set_ref_attr_name("r"); }},
        Change{"value_info_type",
               [](ModelProto& m) {
                 m.mutable_graph()->mutable_value_info(0)->mutable_type()->mutable_tensor_type()->set_elem_type(11);
               }},
        Change{"value_info_shape",
               [](ModelProto& m) {
                 auto* type = m.mutable_graph()->mutable_value_info(0)->mutable_type()->mutable_tensor_type();
                 type->mutable_shape()->mutable_dim(1)->set_dim_value(5);
               }},
        Change{"value_info_of_another_value",
               [](ModelProto& m) { m.mutable_graph()->mutable_value_info(0)->set_name("u"); }},
        Change{"value_info_dropped", [](ModelProto& m) { m.mutable_graph()->clear_value_info(); }},
        Change{"value_info_against_the_output",
               [](ModelProto& m) {
                 *m.mutable_graph()->add_value_info() = m.graph().output(0);
                 m.mutable_graph()->mutable_value_info(1)->mutable_type()->mutable_tensor_type()->set_elem_type(11);
               }},
        Change{"branch_body", [](ModelProto& m) { branch(m, 1)->mutable_node(0)->set_op_type("Abs"); }},
        Change{"branch_reads_another_value", [](ModelProto& m) { branch(m, 1)->mutable_node(0)->set_input(0, "t"); }},
        Change{"branches_swapped", [](ModelProto& m) { branch(m, 0)->Swap(branch(m, 1)); }},
        Change{"function_body", [](ModelProto& m) { m.mutable_functions(0)->mutable_node(0)->set_op_type("Mul"); }},
        Change{"function_edge", [](ModelProto& m) { m.mutable_functions(0)->mutable_node(1)->set_input(0, "i"); }},
        Change{"function_opset",
               [](ModelProto& m) { m.mutable_functions(0)->mutable_opset_import(0)->set_version(16); }},
        Change{"function_name", [](ModelProto& m) { m.mutable_functions(0)->set_name("thrice"); }},
        Change{"function_attribute", [](ModelProto& m) { m.mutable_functions(0)->add_attribute("alpha"); }},
        Change{"function_dropped", [](ModelProto& m) { m.clear_functions(); }},
        Change{"training_added", [](ModelProto& m) { m.add_training_info()->mutable_algorithm()->set_name("sgd"); }}),
    name_of_case);

TEST(Fingerprint, IsTheSameAcrossRuns) {
  EXPECT_EQ(fingerprint(base()), fingerprint(base()));
  EXPECT_EQ(fingerprint(base()).hex(), fingerprint(parse_model(kModel)).hex());
}

TEST(Fingerprint, AttributeFloatsCountBitForBit) {
  auto with = [](float value) {
    ModelProto model = base();
    node(model, "Selu")->mutable_attribute(0)->set_f(value);
    return fingerprint(model);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(with(nan), with(nan));
  EXPECT_NE(with(nan), with(std::bit_cast<float>(std::bit_cast<std::uint32_t>(nan) | 1U)));
  EXPECT_NE(with(0.0F), with(-0.0F));
}

/// Each of these takes the meaning away; names then count, as the bytes do.
TEST(Fingerprint, HashesBytesWhereMeaningIsNotDefined) {
  const Change broken[] = {
      {"input used that nothing defines", [](ModelProto& m) { node(m, "Mul")->set_input(0, "nowhere"); }},
      {"used before it is defined", [](ModelProto& m) { m.mutable_graph()->mutable_node()->SwapElements(0, 1); }},
      {"output that nothing defines", [](ModelProto& m) { m.mutable_graph()->mutable_output(0)->set_name("nowhere"); }},
      {"value defined twice", [](ModelProto& m) { node(m, "Mul")->set_output(0, "t"); }},
      {"two initializers of a name", [](ModelProto& m) { initializer(m, "unused")->set_name("w"); }},
      {"initializer and value of a name", [](ModelProto& m) { initializer(m, "unused")->set_name("p"); }},
      {"two inputs of a name", [](ModelProto& m) { m.mutable_graph()->mutable_input(1)->set_name("x"); }},
      {"inner name hides an outer one",
       [](ModelProto& m) {
         branch(m, 1)->mutable_node(0)->set_output(0, "t");
         branch(m, 1)->mutable_node(1)->set_input(0, "t");
       }},
      {"inner initializer hides an outer value",
       [](ModelProto& m) {
         branch(m, 1)->mutable_initializer(0)->set_name("t");
         branch(m, 1)->mutable_node(1)->set_input(1, "t");
       }},
      {"branch reads what is not there", [](ModelProto& m) { branch(m, 1)->mutable_node(0)->set_input(0, "y"); }},
      {"function reads what is not there",
       [](ModelProto& m) { m.mutable_functions(0)->mutable_node(0)->set_input(0, "x"); }},
      {"two functions of a name", [](ModelProto& m) { *m.add_functions() = m.functions(0); }},
      {"two types for a value", [](ModelProto& m) { *m.mutable_graph()->add_value_info() = m.graph().value_info(0); }},
  };
  std::set<Hash128> seen;
  for (const auto& change : broken) {
    ModelProto one = base();
    change.apply(one);
    ModelProto two = one;
    two.mutable_graph()->set_doc_string("only the bytes differ");
    EXPECT_NE(fingerprint(one), fingerprint(two)) << change.name;
    EXPECT_EQ(fingerprint(one), fingerprint(ModelProto(one))) << change.name;
    EXPECT_TRUE(seen.insert(fingerprint(one)).second) << change.name;
  }
}

TEST(Fingerprint, HashesBytesOfLargeModelsInPieces) {
  ModelProto model = base();
  node(model, "Mul")->set_output(0, "t");
  auto* tensor = initializer(model, "unused");
  tensor->clear_float_data();
  tensor->set_raw_data(std::string(std::size_t{65} << 20, '\1'));
  const Hash128 one = fingerprint(model);
  EXPECT_EQ(fingerprint(model), one);
  (*tensor->mutable_raw_data())[1000] = '\2';
  EXPECT_NE(fingerprint(model), one);
  (*tensor->mutable_raw_data())[1000] = '\1';
  EXPECT_EQ(fingerprint(model), one);
  node(model, "Selu")->mutable_attribute(0)->set_f(9);
  EXPECT_NE(fingerprint(model), one);
}

TEST(Fingerprint, BranchesMayUseTheSameNames) {
  ModelProto model = base();
  branch(model, 0)->mutable_node(0)->set_output(0, "b");
  branch(model, 0)->mutable_output(0)->set_name("b");
  EXPECT_EQ(fingerprint(model), fingerprint(base()));
}

TEST(Fingerprint, InputsOfBodiesCountByPosition) {
  auto with = [](const std::string& carried, const std::string& other, const std::string& type) {
    return fingerprint(parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64 n, bool c, float[2] x, float[2] z) => (float[2] y, float[2] v) {
        y, v = Loop <body = b (int64 i, bool go, )" +
                                   type + " " + carried + ", float[2] " + other + R"()
                              => (bool on, float[2] r, float[2] s) {
          on = Identity(go) r = Neg()" +
                                   carried + ") s = Identity(" + other + ") }> (n, c, x, z) }"));
  };
  EXPECT_EQ(with("p", "q", "float[2]"), with("q", "p", "float[2]"));
  EXPECT_NE(with("p", "q", "float[2]"), with("p", "q", "float"));
}

TEST(Fingerprint, InnerValueInfoMayNameOuterValues) {
  ModelProto model = base();
  auto* info = branch(model, 1)->add_value_info();
  *info = model.graph().value_info(0);
  const Hash128 with = fingerprint(model);
  EXPECT_NE(with, fingerprint(base()));
  info->mutable_type()->mutable_tensor_type()->set_elem_type(11);
  EXPECT_NE(fingerprint(model), with);
}

TEST(Fingerprint, ExternalDataCountByTheirPlace) {
  auto with = [](const char* location, const char* name = "w") {
    ModelProto model = base();
    rename(*model.mutable_graph(), "w", name);
    auto* tensor = initializer(model, name);
    tensor->clear_float_data();
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    auto* entry = tensor->add_external_data();
    entry->set_key("location");
    entry->set_value(location);
    return fingerprint(model);
  };
  EXPECT_EQ(with("a.bin"), with("a.bin"));
  EXPECT_EQ(with("a.bin"), with("a.bin", "another"));
  EXPECT_NE(with("a.bin"), with("b.bin"));
}

TEST(Fingerprint, SparseInitializersCountByContent) {
  auto with = [](const std::string& name, float value) {
    ModelProto model = base();
    auto* sparse = model.mutable_graph()->add_sparse_initializer();
    sparse->add_dims(8);
    sparse->mutable_values()->set_name(name);
    sparse->mutable_values()->set_data_type(1);
    sparse->mutable_values()->add_dims(1);
    sparse->mutable_values()->add_float_data(value);
    sparse->mutable_indices()->set_data_type(7);
    sparse->mutable_indices()->add_dims(1);
    sparse->mutable_indices()->add_int64_data(3);
    node(model, "Mul")->set_input(1, name);
    return fingerprint(model);
  };
  EXPECT_EQ(with("s1", 2), with("s2", 2));
  EXPECT_NE(with("s1", 2), with("s1", 3));
}

TEST(Fingerprint, ShapesOfOneSizeDiffer) {
  std::set<Hash128> seen;
  for (const auto& shape : {std::pair{2, 2}, {4, 1}, {1, 4}}) {
    ModelProto model = base();
    auto* tensor = initializer(model, "w");
    tensor->clear_dims();
    tensor->add_dims(shape.first);
    tensor->add_dims(shape.second);
    EXPECT_TRUE(seen.insert(fingerprint(model)).second);
  }
}

TEST(Fingerprint, OrderOfUnusedInitializersDoesNotCount) {
  auto with = [](float first, float second) {
    ModelProto model = base();
    for (const float value : {first, second}) {
      auto* tensor = model.mutable_graph()->add_initializer();
      tensor->set_name(value == first ? "left1" : "left2");
      tensor->set_data_type(1);
      tensor->add_float_data(value);
    }
    return fingerprint(model);
  };
  EXPECT_EQ(with(1, 2), with(2, 1));
  EXPECT_NE(with(1, 2), with(1, 3));
}

TEST(Fingerprint, WhichOutputIsLeftOutCounts) {
  auto with = [](const char* first, const char* second) {
    ModelProto model = base();
    auto* dropout = model.mutable_graph()->add_node();
    dropout->set_op_type("Dropout");
    dropout->add_input("x");
    dropout->add_output(first);
    dropout->add_output(second);
    return fingerprint(model);
  };
  EXPECT_EQ(with("one", ""), with("other", ""));
  EXPECT_NE(with("one", ""), with("", "one"));
}

TEST(Fingerprint, AllAttributeTypesCount) {
  using Attribute = onnx::AttributeProto;
  const std::function<void(Attribute&, int)> setters[] = {
      [](Attribute& a, int v) { a.set_type(Attribute::FLOATS), a.add_floats(static_cast<float>(v)); },
      [](Attribute& a, int v) { a.set_type(Attribute::STRING), a.set_s(std::to_string(v)); },
      [](Attribute& a, int v) { a.set_type(Attribute::STRINGS), a.add_strings(std::to_string(v)); },
      [](Attribute& a, int v) {
        a.set_type(Attribute::TENSOR), a.mutable_t()->set_data_type(7), a.mutable_t()->add_int64_data(v);
      },
      [](Attribute& a, int v) {
        a.set_type(Attribute::TENSORS), a.add_tensors()->set_data_type(7), a.mutable_tensors(0)->add_int64_data(v);
      },
      [](Attribute& a, int v) { a.set_type(Attribute::SPARSE_TENSOR), a.mutable_sparse_tensor()->add_dims(v); },
      [](Attribute& a, int v) { a.set_type(Attribute::SPARSE_TENSORS), a.add_sparse_tensors()->add_dims(v); },
      [](Attribute& a, int v) {
        a.set_type(Attribute::TYPE_PROTO), a.mutable_tp()->mutable_tensor_type()->set_elem_type(v);
      },
      [](Attribute& a, int v) {
        a.set_type(Attribute::TYPE_PROTOS),
            a.add_type_protos()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(v);
      },
      [](Attribute& a, int v) {
        a.set_type(Attribute::GRAPHS), a.add_graphs()->add_node()->set_op_type(std::to_string(v));
      },
      [](Attribute& a, int v) { a.set_i(v); },  // no type, as in IR 1
  };
  std::set<Hash128> seen;
  for (const auto& set : setters) {
    for (const int value : {1, 2}) {
      ModelProto model = base();
      auto* attribute = node(model, "Mul")->add_attribute();
      attribute->set_name("extra");
      set(*attribute, value);
      EXPECT_TRUE(seen.insert(fingerprint(model)).second) << attribute->ShortDebugString();
    }
  }
}

TEST(Fingerprint, ManyNodesTakeLinearTime) {
  ModelProto model =
      parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] v0) { v0 = Relu(x) })");
  for (int i = 1; i < 200000; ++i) {
    auto* added = model.mutable_graph()->add_node();
    added->set_op_type("Relu");
    added->add_input("v" + std::to_string(i - 1));
    added->add_output("v" + std::to_string(i));
  }
  EXPECT_EQ(fingerprint(model), fingerprint(model));  // would not end in a test's time were it quadratic
}

}  // namespace
}  // namespace culprit
