// Fingerprints of what is rare: large, broken, sparse, external.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "fingerprint_changes.h"
#include "model/fingerprint.h"

namespace culprit {
namespace {

TEST(Fingerprint, IsTheSameAcrossRuns) {
  EXPECT_EQ(fingerprint(base()), fingerprint(base()));
  EXPECT_EQ(fingerprint(base()).hex(), fingerprint(parse_model(model_text)).hex());
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

/// ONNX Runtime refuses such a model, whatever the names are.
TEST(Fingerprint, ThatNodesShareANameCounts) {
  const auto named = [](const std::string& mul, const std::string& selu, const std::string& neg = "") {
    ModelProto model = base();
    node(model, "Mul")->set_name(mul);
    node(model, "Selu")->set_name(selu);
    branch(model, 1)->mutable_node(0)->set_name(neg);
    return fingerprint(model);
  };
  EXPECT_EQ(named("a", "b"), named("", ""));
  EXPECT_NE(named("a", "a"), named("a", "b"));
  EXPECT_EQ(named("a", "a"), named("b", "b"));
  EXPECT_EQ(named("a", "b", "a"), named("a", "b")) << "bodies have names of their own";
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
