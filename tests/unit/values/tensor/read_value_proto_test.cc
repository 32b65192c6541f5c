#include "tensor/read_value_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-data.pb.h>

#include <array>

#include "base/random.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Kind = Value::Kind;
using Form = std::vector<Kind>;

const Form tensors = {Kind::sequence, Kind::tensor};
const Form maps = {Kind::sequence, Kind::map};
const Form perhaps = {Kind::optional, Kind::sequence, Kind::tensor};

onnx::TensorProto tensor(std::vector<float> values) {
  return to_proto(Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values), "");
}

onnx::SequenceProto two_tensors() {
  onnx::SequenceProto sequence;
  sequence.set_elem_type(onnx::SequenceProto::TENSOR);
  *sequence.add_tensor_values() = tensor({1, 2});
  *sequence.add_tensor_values() = tensor({3});
  return sequence;
}

onnx::MapProto a_map() {
  onnx::MapProto map;
  map.set_key_type(onnx::TensorProto::INT64);
  for (const int key : {7, -3}) map.add_keys(key);
  for (const float value : {0.5F, 0.25F}) *map.mutable_values()->add_tensor_values() = tensor({value});
  return map;
}

std::string complaint(const std::string& bytes, const Form& form) {
  const auto value = parse_value_proto(bytes, form, "x.pb");
  return value ? "read" : value.error().message;
}

TEST(ValueProto, ReadsSequencesMapsAndOptionals) {
  const auto sequence = parse_value_proto(two_tensors().SerializeAsString(), tensors, "").value();
  ASSERT_EQ(sequence.items.size(), 2U);
  EXPECT_EQ(sequence.items[1].tensor.number(0), 3);
  onnx::SequenceProto rows;
  *rows.add_map_values() = a_map();
  const auto map = parse_value_proto(rows.SerializeAsString(), maps, "").value().items.at(0);
  EXPECT_EQ(map.keys.as<std::int64_t>()[1], -3);
  EXPECT_EQ(map.values.number(1), 0.25);
  onnx::OptionalProto optional;
  EXPECT_TRUE(parse_value_proto(optional.SerializeAsString(), perhaps, "")->items.empty());
  *optional.mutable_sequence_value() = two_tensors();
  EXPECT_EQ(parse_value_proto(optional.SerializeAsString(), perhaps, "")->items.at(0).items.size(), 2U);
}

TEST(ValueProto, ReadsKeysOfText) {
  onnx::MapProto map;
  map.add_string_keys("red");
  *map.mutable_values()->add_tensor_values() = tensor({2});
  const auto read = parse_value_proto(map.SerializeAsString(), Form{Kind::map}, "").value();
  EXPECT_EQ(read.keys.strings()[0], "red");
}

TEST(ValueProto, SaysWhatIsWrong) {
  EXPECT_THAT(complaint(tensor({1, 2}).SerializeAsString(), tensors), HasSubstr("what no sequence has"));
  EXPECT_THAT(complaint("garbage", tensors), AllOf(HasSubstr("x.pb is no ONNX sequence"), HasSubstr("7 B")));
  EXPECT_THAT(complaint(two_tensors().SerializeAsString(), maps), HasSubstr("a tensor where a map should be"));
  onnx::SequenceProto nested;
  *nested.add_sequence_values() = two_tensors();
  EXPECT_THAT(complaint(nested.SerializeAsString(), tensors), HasSubstr("a sequence where a tensor should be"));
  onnx::MapProto map = a_map();
  map.add_keys(5);
  EXPECT_THAT(complaint(map.SerializeAsString(), {Kind::map}), HasSubstr("3 keys and 2 values"));
  map.mutable_values()->mutable_tensor_values(1)->CopyFrom(to_proto(Tensor::of<double>({}, {1}), ""));
  EXPECT_THAT(complaint(map.SerializeAsString(), {Kind::map}), HasSubstr("different types"));
  map.add_string_keys("red");
  EXPECT_THAT(complaint(map.SerializeAsString(), {Kind::map}), HasSubstr("two types"));
}

Value sequence_value(std::vector<Value> items) { return {.kind = Kind::sequence, .items = std::move(items)}; }

Value map_value() {
  return {.kind = Kind::map,
          .keys = Tensor::from_strings({2}, {"a", "b"}).value(),
          .values = Tensor::of<float>({2}, {0.5F, -2})};
}

TEST(ValueProto, WhatIsWrittenIsReadBack) {
  const Value one = {.kind = Kind::tensor, .tensor = Tensor::of<std::int64_t>({3}, {1, -2, 3})};
  const Value numbers = {.kind = Kind::map,
                         .keys = Tensor::of<std::int64_t>({1}, {-7}),
                         .values = Tensor::from_strings({1}, {"x"}).value()};
  const Value optional = {.kind = Kind::optional, .items = {sequence_value({one})}};
  const std::vector<std::pair<Value, Form>> all = {
      {one, {Kind::tensor}},
      {map_value(), {Kind::map}},
      {numbers, {Kind::map}},
      {sequence_value({one, one}), tensors},
      {sequence_value({map_value(), map_value()}), maps},
      {sequence_value({}), tensors},
      {{.kind = Kind::optional}, perhaps},
      {optional, perhaps},
      {{.kind = Kind::optional, .items = {one}}, {Kind::optional, Kind::tensor}},
      {{.kind = Kind::optional, .items = {map_value()}}, {Kind::optional, Kind::map}}};
  for (const auto& [value, form] : all) {
    const auto read = parse_value_proto(value_proto_bytes("v", value), form, "v.pb");
    ASSERT_TRUE(read) << read.error().message;
    const auto expected = flatten("v", value);
    const auto found = flatten("v", *read);
    if (form.size() == 2 && form[1] == Kind::map && form[0] == Kind::optional) continue;  // no parts for these
    ASSERT_TRUE(expected && found);
    ASSERT_EQ(found->size(), expected->size());
    for (std::size_t i = 0; i < found->size(); ++i) {
      EXPECT_EQ((*found)[i].part, (*expected)[i].part);
      EXPECT_TRUE((*found)[i].value.identical((*expected)[i].value)) << (*found)[i].part;
    }
  }
}

TEST(ValueProto, WrittenFilesBearTheName) {
  onnx::SequenceProto sequence;
  ASSERT_TRUE(sequence.ParseFromString(value_proto_bytes("rows", sequence_value({map_value()}))));
  EXPECT_EQ(sequence.name(), "rows");
  EXPECT_EQ(sequence.elem_type(), onnx::SequenceProto::MAP);
}

TEST(ValueProto, AMillionEntriesAreCountedBeforeTheyAreHeld) {
  std::string many;
  for (int i = 0; i < 1'000'000; ++i) many += std::string("\x1a\x08\x10\x01\x4a\x04\0\0\0\0", 10);  // float32[] 0
  EXPECT_THAT(complaint(many, tensors), HasSubstr("more than 65536 entries"));
  std::string keys;
  for (int i = 0; i < 1'000'000; ++i) keys += std::string("\x22\x00", 2);
  EXPECT_THAT(complaint(keys, {Kind::map}), HasSubstr("more than 65536 entries"));
}

TEST(ValueProto, ClaimedLengthsAreNotBelieved) {
  EXPECT_NE(complaint("\x1a\xff\xff\xff\xff\x0f", tensors), "read");                      // 4 GB to come
  EXPECT_NE(complaint("\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", tensors), "read");  // 2^64 - 1
  EXPECT_NE(complaint("\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", tensors), "read");
  EXPECT_NE(complaint("\x1b", tensors), "read");  // a group
}

TEST(ValueProto, DamageIsAnErrorOrOtherValuesButNoCrash) {
  onnx::SequenceProto rows;
  for (int i = 0; i < 3; ++i) *rows.add_map_values() = a_map();
  const std::array<std::pair<std::string, Form>, 2> wholes = {
      {{two_tensors().SerializeAsString(), tensors}, {rows.SerializeAsString(), maps}}};
  Random random(5);
  for (const auto& [whole, form] : wholes) {
    for (std::size_t size = 0; size < whole.size(); ++size) complaint(whole.substr(0, size), form);
    for (int round = 0; round < 3000; ++round) {
      std::string changed = whole;
      const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(whole.size()) - 1));
      changed[at] = static_cast<char>(random.between(0, 255));
      if (const auto value = parse_value_proto(changed, form, "x.pb")) flatten("x", *value);
    }
  }
}

}  // namespace
}  // namespace culprit
