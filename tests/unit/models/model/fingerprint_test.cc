#include "model/fingerprint.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "fingerprint_changes.h"

namespace culprit {
namespace {

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
                             for (auto& n : *m.mutable_graph()->mutable_node()) n.set_name("n" + n.output(0));
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

}  // namespace
}  // namespace culprit
