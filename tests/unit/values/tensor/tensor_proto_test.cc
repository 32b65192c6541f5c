#include "tensor/tensor_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "unit/values/tensor/bytes.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

onnx::TensorProto proto_of(DType type, std::initializer_list<std::int64_t> dims) {
  onnx::TensorProto proto;
  proto.set_name("W");
  proto.set_data_type(static_cast<int>(type));
  for (const auto dim : dims) proto.add_dims(dim);
  return proto;
}

onnx::TensorProto with_int32(DType type, std::initializer_list<std::int64_t> dims, std::initializer_list<int> values) {
  auto proto = proto_of(type, dims);
  for (const int value : values) proto.add_int32_data(value);
  return proto;
}

std::string complaint(const onnx::TensorProto& proto) {
  const auto tensor = from_proto(proto);
  return tensor ? "" : tensor.error().message;
}

TEST(FromProto, EveryTypeInInt32Data) {
  const auto read = [](DType type, std::initializer_list<int> values) {
    const std::int64_t count = static_cast<std::int64_t>(values.size()) * (bits_of(type) == 4 ? 2 : 1);
    return numbers(from_proto(with_int32(type, {count}, values)).value());
  };
  EXPECT_THAT(read(DType::i32, {-70000, 5}), ElementsAre(-70000, 5));
  EXPECT_THAT(read(DType::i16, {-300}), ElementsAre(-300));
  EXPECT_THAT(read(DType::u16, {65535}), ElementsAre(65535));
  EXPECT_THAT(read(DType::i8, {-128, 127}), ElementsAre(-128, 127));
  EXPECT_THAT(read(DType::u8, {255}), ElementsAre(255));
  EXPECT_THAT(read(DType::boolean, {1, 0, 7}), ElementsAre(1, 0, 1));
  EXPECT_THAT(read(DType::f16, {0x3c00, 0xc000}), ElementsAre(1, -2));
  EXPECT_THAT(read(DType::bf16, {0x3f80}), ElementsAre(1));
  EXPECT_THAT(read(DType::f8e4m3fn, {0x38}), ElementsAre(1));
  EXPECT_THAT(read(DType::f8e4m3fnuz, {0x40}), ElementsAre(1));
  EXPECT_THAT(read(DType::f8e5m2, {0x3c}), ElementsAre(1));
  EXPECT_THAT(read(DType::f8e5m2fnuz, {0x40}), ElementsAre(1));
  EXPECT_THAT(read(DType::u4, {0xf1}), ElementsAre(1, 15));
  EXPECT_THAT(read(DType::i4, {0x8f}), ElementsAre(-1, -8));
  EXPECT_THAT(read(DType::f4e2m1, {0x72}), ElementsAre(1, 6));
}

TEST(FromProto, OddNibblesTakeHalfAByteMore) {
  EXPECT_THAT(numbers(from_proto(with_int32(DType::u4, {3}, {0x21, 0x03})).value()), ElementsAre(1, 2, 3));
  EXPECT_NE(complaint(with_int32(DType::u4, {3}, {0x21})), "");
  EXPECT_NE(complaint(with_int32(DType::u4, {3}, {1, 2, 3})), "");
}

TEST(FromProto, TheOtherTypedFields) {
  auto floats = proto_of(DType::f32, {2});
  floats.add_float_data(1.5F);
  floats.add_float_data(-2);
  EXPECT_THAT(numbers(from_proto(floats).value()), ElementsAre(1.5, -2));
  auto doubles = proto_of(DType::f64, {});
  doubles.add_double_data(2.5);
  EXPECT_THAT(numbers(from_proto(doubles).value()), ElementsAre(2.5));
  auto longs = proto_of(DType::i64, {1});
  longs.add_int64_data(INT64_MIN);
  EXPECT_EQ(from_proto(longs)->as<std::int64_t>()[0], INT64_MIN);
  auto unsigned_longs = proto_of(DType::u64, {1});
  unsigned_longs.add_uint64_data(UINT64_MAX);
  EXPECT_EQ(from_proto(unsigned_longs)->as<std::uint64_t>()[0], UINT64_MAX);
  auto words = proto_of(DType::u32, {1});
  words.add_uint64_data(4000000000);
  EXPECT_THAT(numbers(from_proto(words).value()), ElementsAre(4e9));
  auto complex = proto_of(DType::c64, {1});
  complex.add_float_data(1);
  EXPECT_NE(complaint(complex), "");  // half of it
  complex.add_float_data(2);
  EXPECT_THAT(from_proto(complex)->bytes().size(), 8U);
  auto wide = proto_of(DType::c128, {1});
  wide.add_double_data(1);
  wide.add_double_data(2);
  EXPECT_THAT(from_proto(wide)->bytes().size(), 16U);
  auto texts = proto_of(DType::string, {2});
  texts.add_string_data("a");
  texts.add_string_data(std::string("b\0", 2));
  EXPECT_THAT(from_proto(texts)->strings(), ElementsAre("a", std::string("b\0", 2)));
}

TEST(FromProto, RawDataOfEveryTypeComesBack) {
  for (const auto& tensor : one_of_each()) {
    const auto back = from_proto(to_proto(tensor.value, tensor.name));
    ASSERT_TRUE(back) << tensor.name << back.error().message;
    EXPECT_TRUE(back->identical(tensor.value)) << tensor.name;
  }
}

TEST(FromProto, EmptyTensorsNeedNoData) {
  EXPECT_EQ(from_proto(proto_of(DType::f32, {0}))->count(), 0);
  EXPECT_EQ(from_proto(proto_of(DType::string, {2, 0}))->count(), 0);
}

TEST(FromProto, WrongCountsAreErrors) {
  EXPECT_THAT(complaint(with_int32(DType::i32, {3}, {1, 2})),
              ::testing::AllOf(HasSubstr("\"W\""), HasSubstr("12 bytes")));
  EXPECT_NE(complaint(with_int32(DType::i32, {1}, {1, 2})), "");
  EXPECT_NE(complaint(with_int32(DType::f32, {1}, {1})), "");  // the wrong field
  EXPECT_NE(complaint(proto_of(DType::f32, {})), "");
  EXPECT_NE(complaint(proto_of(DType::string, {1})), "");
  EXPECT_NE(complaint(proto_of(DType::f32, {-1})), "");
  EXPECT_NE(complaint(proto_of(DType::f32, {INT64_MAX, INT64_MAX})), "");
  auto raw = proto_of(DType::f32, {2});
  raw.set_raw_data("1234567");
  EXPECT_NE(complaint(raw), "");
}

TEST(FromProto, ContradictionsAreErrors) {
  auto twice = with_int32(DType::i32, {1}, {1});
  twice.set_raw_data("1234");
  EXPECT_THAT(complaint(twice), HasSubstr("twice"));
  auto texts = proto_of(DType::string, {1});
  texts.set_raw_data("a");
  EXPECT_THAT(complaint(texts), HasSubstr("strings in raw_data"));
  EXPECT_THAT(complaint(proto_of(DType::undefined, {0})), HasSubstr("does not say"));
  EXPECT_THAT(complaint(proto_of(static_cast<DType>(77), {0})), HasSubstr("77"));
}

TEST(FromProto, OtherFilesAndSegmentsAreNotFollowed) {
  auto external = proto_of(DType::f32, {1});
  external.set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(from_proto(external).error().kind, ErrorKind::unsupported);
  auto sly = proto_of(DType::f32, {1});  // a location, but not marked
  sly.add_external_data()->set_key("location");
  EXPECT_EQ(from_proto(sly).error().kind, ErrorKind::unsupported);
  auto segment = proto_of(DType::f32, {0});
  segment.mutable_segment()->set_begin(1);
  EXPECT_EQ(from_proto(segment).error().kind, ErrorKind::unsupported);
}

TEST(TensorProtoFile, ComesBackWithItsName) {
  const auto folder = temporary_folder();
  for (const auto& tensor : one_of_each()) {
    ASSERT_TRUE(write_tensor_proto(folder.path() / "x.pb", tensor));
    const auto back = read_tensor_proto(folder.path() / "x.pb").value();
    EXPECT_EQ(back.name, tensor.name);
    EXPECT_TRUE(back.value.identical(tensor.value));
  }
}

TEST(TensorProtoFile, GarbageIsNamed) {
  const auto folder = temporary_folder();
  ASSERT_TRUE(write_file_atomic(folder.path() / "x.pb", "\xff\xff\xff not protobuf"));
  EXPECT_THAT(read_tensor_proto(folder.path() / "x.pb").error().message, HasSubstr("x.pb is not an ONNX tensor"));
  ASSERT_TRUE(write_file_atomic(folder.path() / "empty.pb", ""));
  EXPECT_THAT(read_tensor_proto(folder.path() / "empty.pb").error().message, HasSubstr("empty.pb"));
  EXPECT_EQ(read_tensor_proto(folder.path() / "none.pb").error().kind, ErrorKind::not_found);
}

TEST(TensorProtoFile, CutShortAtEveryByteItNeverCrashes) {
  const std::string whole = to_proto(Tensor::of<float>({2, 2}, {1, 2, 3, 4}), "x").SerializeAsString();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    onnx::TensorProto proto;
    if (proto.ParseFromString(whole.substr(0, size))) {
      EXPECT_FALSE(from_proto(proto)) << size;
    }
  }
}

}  // namespace
}  // namespace culprit
