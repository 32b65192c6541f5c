// Every element type goes in and comes out, and so does what is no tensor, in parts.
#include "runtime_fixture.h"
#include "tensor/structured_value.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;

std::string identity_of(const std::string& type) {
  return "<ir_version: 10, opset_import: [\"\" : 21]> same (" + type + "[N] x) => (" + type +
         "[N] y) { y = Identity(x) }";
}

struct TypeCase {
  const char* onnx;
  DType type;
};

class Types : public RuntimeTest, public ::testing::WithParamInterface<TypeCase> {};

TEST_P(Types, GoInAndComeOut) {
  constexpr std::int64_t element_total = 5;
  std::vector<std::byte> bytes(bytes_for(GetParam().type, element_total));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(GetParam().type == DType::boolean ? i % 2 : i * 7 % 101);
  if (bits_of(GetParam().type) == 4) bytes.back() = std::byte{3};  // the last half byte is nobody's
  const Tensor fed = Tensor::from_bytes(GetParam().type, {element_total}, bytes).value();
  const auto session = load(identity_of(GetParam().onnx));
  const auto outputs = session->run({{"x", fed}});
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_EQ((*outputs)[0].value.dtype(), GetParam().type);
  EXPECT_TRUE((*outputs)[0].value.identical(fed));
}

INSTANTIATE_TEST_SUITE_P(All, Types,
                         ::testing::Values(TypeCase{"float", DType::f32}, TypeCase{"double", DType::f64},
                                           TypeCase{"float16", DType::f16}, TypeCase{"bfloat16", DType::bf16},
                                           TypeCase{"bool", DType::boolean}, TypeCase{"int8", DType::i8},
                                           TypeCase{"uint8", DType::u8}, TypeCase{"int16", DType::i16},
                                           TypeCase{"uint16", DType::u16}, TypeCase{"int32", DType::i32},
                                           TypeCase{"uint32", DType::u32}, TypeCase{"int64", DType::i64},
                                           TypeCase{"uint64", DType::u64}, TypeCase{"float8e4m3fn", DType::f8e4m3fn},
                                           TypeCase{"float8e5m2", DType::f8e5m2}),
                         [](const auto& tested) { return tested.param.onnx; });

// No kernel copies nibbles, but Cast makes and reads them, two in a byte.
TEST_F(RuntimeTest, NibblesGoInAndComeOut) {
  const auto session = load(R"(
    <ir_version: 10, opset_import: ["" : 21]>
    nibbles (int4[N] x, float[N] f) => (float[N] read, int4[N] made) { read = Cast<to = 1>(x)  made = Cast<to = 22>(f) })");
  const Tensor fed = Tensor::from_bytes(DType::i4, {3}, {std::byte{0xF1}, std::byte{0x07}}).value();
  const auto outputs = session->run({{"x", fed}, {"f", Tensor::of<float>({3}, {1, -1, 7})}});
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT((*outputs)[0].value.as<float>(), ElementsAre(1, -1, 7));
  EXPECT_TRUE((*outputs)[1].value.identical(fed));
}

TEST_F(RuntimeTest, StringsKeepEveryByte) {
  const auto session = load(identity_of("string"));
  const Tensor fed = Tensor::from_strings({4}, {"plain", "", std::string("with\0zero", 9), "\xff\xfe"}).value();
  const auto outputs = session->run({{"x", fed}});
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_TRUE((*outputs)[0].value.identical(fed));
}

TEST_F(RuntimeTest, EmptyTensorsAndScalars) {
  const auto session = load(identity_of("float"));
  const auto empty = session->run({{"x", Tensor::of<float>({0}, {})}});
  ASSERT_TRUE(empty) << empty.error().text();
  EXPECT_THAT((*empty)[0].value.shape(), ElementsAre(0));
  const auto no_strings = load(identity_of("string"))->run({{"x", Tensor::from_strings({0}, {}).value()}});
  ASSERT_TRUE(no_strings) << no_strings.error().text();
  EXPECT_EQ((*no_strings)[0].value.count(), 0);
  const auto scalar = load("<ir_version: 8, opset_import: [\"\" : 13]> s (float x) => (float y) { y = Neg(x) }");
  const auto negated = scalar->run({{"x", Tensor::of<float>({}, {3})}});
  ASSERT_TRUE(negated) << negated.error().text();
  EXPECT_THAT((*negated)[0].value.shape(), ElementsAre());
  EXPECT_THAT((*negated)[0].value.as<float>(), ElementsAre(-3));
}

TEST_F(RuntimeTest, BitsDoNotDependOnAlignment) {
  const auto session = load(R"(
    <ir_version: 8, opset_import: ["" : 13]>
    sum (float[N] x) => (float[1] y) { y = ReduceSum(x) })");
  std::vector<std::byte> room(4096 + 64);
  std::vector<float> sums;
  for (const std::size_t offset : {0u, 4u, 8u, 16u, 20u, 36u}) {
    auto* first = reinterpret_cast<float*>(room.data() + offset);
    for (int i = 0; i < 1000; ++i) first[i] = 1.0f / static_cast<float>(i + 1);
    const std::span<const std::byte> bytes(room.data() + offset, 4000);
    const auto outputs = session->run({{"x", Tensor::view(DType::f32, {1000}, bytes, nullptr).value()}});
    ASSERT_TRUE(outputs) << outputs.error().text();
    sums.push_back((*outputs)[0].value.as<float>()[0]);
  }
  EXPECT_THAT(sums, ::testing::Each(sums[0]));
}

std::vector<std::string> parts_of(const std::vector<NamedTensor>& outputs) {
  std::vector<std::string> parts;
  for (const auto& output : outputs) parts.push_back(output.name + output.part + to_string(output.value.shape()));
  return parts;
}

/// Sequences in and out.
TEST_F(RuntimeTest, SequencesGoInAndComeOut) {
  const auto session = load(R"(
    <ir_version: 8, opset_import: ["" : 13]>
    s (seq(float[N]) x, float[2] t) => (seq(float[N]) y, int64 n) { y = SequenceInsert(x, t)  n = SequenceLength(x) })");
  const Tensor two = Tensor::of<float>({2}, {1, 2});
  const auto one =
      flatten("x", {.kind = Value::Kind::sequence, .items = {{.kind = Value::Kind::tensor, .tensor = two}}});
  auto inputs = one.value();
  inputs.push_back({"t", two});
  const auto outputs = session->run(inputs);
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(parts_of(*outputs), ElementsAre("y.length[]", "y[0][2]", "y[1][2]", "n[]"));
  inputs = flatten("x", {.kind = Value::Kind::sequence}).value();
  inputs.push_back({"t", two});
  const auto from_none = session->run(inputs);
  ASSERT_TRUE(from_none) << from_none.error().text();
  EXPECT_THAT(parts_of(*from_none), ElementsAre("y.length[]", "y[0][2]", "n[]"));
}

TEST_F(RuntimeTest, OptionalsGoInAndComeOut) {
  const auto session = load(R"(
    <ir_version: 8, opset_import: ["" : 18]>
    o (optional(float[2]) x, float[2] t) => (bool has, optional(float[2]) y, optional(float[2]) none) {
      has = OptionalHasElement(x)  y = Optional(t)  none = Optional <type = float[2]> () })");
  const NamedTensor two{"t", Tensor::of<float>({2}, {1, 2})};
  const Value there{.kind = Value::Kind::optional, .items = {{.kind = Value::Kind::tensor, .tensor = two.value}}};
  for (const Value& fed : {there, Value{.kind = Value::Kind::optional}}) {
    auto inputs = flatten("x", fed).value();
    inputs.push_back(two);
    const auto outputs = session->run(inputs);
    ASSERT_TRUE(outputs) << outputs.error().text();
    EXPECT_THAT(parts_of(*outputs), ElementsAre("has[]", "y.present[]", "y[2]", "none.present[]"));
    EXPECT_EQ((*outputs)[0].value.number(0), fed.items.empty() ? 0 : 1);
  }
}

TEST_F(RuntimeTest, MapsGoInAndComeOut) {
  const auto session = load(R"(
    <ir_version: 8, opset_import: ["" : 13, "ai.onnx.ml" : 1]>
    m (map(string, float) x, float[2,2] p) => (float[1,3] y, seq(map(int64, float)) z) {
      y = ai.onnx.ml.DictVectorizer <string_vocabulary = ["red", "green", "blue"]> (x)
      z = ai.onnx.ml.ZipMap <classlabels_int64s = [4, 2]> (p) })");
  Value map{.kind = Value::Kind::map};
  map.keys = Tensor::from_strings({2}, {"blue", "red"}).value();
  map.values = Tensor::of<float>({2}, {5, 7});
  auto inputs = flatten("x", map).value();
  inputs.push_back({"p", Tensor::of<float>({2, 2}, {1, 2, 3, 4})});
  const auto outputs = session->run(inputs);
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(parts_of(*outputs), ElementsAre("y[1,3]", "z.length[]", "z.keys[2]", "z.values[2,2]"));
  EXPECT_THAT((*outputs)[0].value.as<float>(), ElementsAre(7, 0, 5));
  EXPECT_THAT((*outputs)[2].value.as<std::int64_t>(), ElementsAre(2, 4));
  EXPECT_THAT((*outputs)[3].value.as<float>(), ElementsAre(2, 1, 4, 3));
}

}  // namespace
}  // namespace culprit::testing
