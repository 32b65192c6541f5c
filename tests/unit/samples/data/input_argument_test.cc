#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interfaces.h"
#include "tensor/npy.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Interface an_interface() {
  Interface interface = model_with({value("x", DType::f32, {open("N"), fixed(3)}), value("sr", DType::i64, {}),
                                    value("mask", DType::boolean, {fixed(2)}), value("text", DType::string, {fixed(1)}),
                                    value("small", DType::u8, {fixed(1)})})
                            .interface;
  interface.optional_inputs = {value("alpha", DType::f32, {})};
  return interface;
}

Result<NamedTensor> parse(const std::string& argument, const std::map<std::string, std::int64_t>& dims = {}) {
  return parse_input(argument, an_interface(), dims);
}

std::string complaint(const std::string& argument, const std::map<std::string, std::int64_t>& dims = {}) {
  const auto parsed = parse(argument, dims);
  if (parsed) return "parsed";
  EXPECT_TRUE(parsed.error().kind == ErrorKind::usage || parsed.error().kind == ErrorKind::bad_input)
      << parsed.error().message;
  return parsed.error().text();
}

TEST(ParseInput, ANumberIsAScalarOrFillsTheShape) {
  EXPECT_THAT(parse("sr=16000")->value.as<std::int64_t>(), ElementsAre(16000));
  EXPECT_TRUE(parse("sr=16000")->value.shape().empty());
  EXPECT_EQ(parse("x=0.5")->value.shape(), (Shape{1, 3}));
  EXPECT_EQ(parse("x=0.5", {{"N", 2}})->value.shape(), (Shape{2, 3}));
  EXPECT_THAT(parse("x=-2e-1")->value.as<float>(), ElementsAre(-0.2F, -0.2F, -0.2F));
  EXPECT_EQ(parse("alpha=1")->name, "alpha") << "inputs with a default may be given";
}

TEST(ParseInput, ListsAreNestedOrFlat) {
  const auto nested = parse("x=[[1, 2, 3], [4, 5, 6]]");
  ASSERT_TRUE(nested) << nested.error().message;
  EXPECT_EQ(nested->value.shape(), (Shape{2, 3}));
  const auto flat = parse("x=[1,2,3,4,5,6]");
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(flat->value.shape(), (Shape{2, 3})) << "the open dimension follows from the count";
  EXPECT_THAT(flat->value.as<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(ParseInput, BoolsAndText) {
  EXPECT_THAT(parse("mask=[true,false]")->value.number(0), 1);
  EXPECT_EQ(parse("text=a, b=c")->value.strings()[0], "a, b=c");
}

TEST(ParseInput, WhatDoesNotFitIsSaid) {
  EXPECT_THAT(complaint("x=[1,2]"), HasSubstr("2 values do not fit x: float32[N,3]"));
  EXPECT_THAT(complaint("x=[[1,2]]"), HasSubstr("float32[1,2], but the model wants x: float32[N,3]"));
  EXPECT_THAT(complaint("x=[[1,2,3],[4]]"), HasSubstr("neither a number"));
  EXPECT_THAT(complaint("x=[1,[2],3]"), HasSubstr("neither a number"));
  EXPECT_THAT(complaint("x=[1,2,3"), HasSubstr("neither a number"));
  EXPECT_THAT(complaint("x=one"), HasSubstr("'one' is no float32"));
  EXPECT_THAT(complaint("sr=1.5"), HasSubstr("'1.5' is no int64"));
  EXPECT_THAT(complaint("small=256"), HasSubstr("does not fit uint8"));
  EXPECT_THAT(complaint("mask=[1,2]"), HasSubstr("'2' is no bool"));
  EXPECT_THAT(complaint("x=[[1,2,3]]", {{"N", 2}}), HasSubstr("--dim N=2"));
  EXPECT_THAT(complaint("x"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(complaint("=3"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(complaint("x=" + std::string(100, '[')), HasSubstr("neither a number"));
  EXPECT_THAT(complaint("x=1", {{"N", 1LL << 40}}), HasSubstr("too large"));
}

TEST(ParseInput, AnUnknownNameGetsTheClosest) {
  EXPECT_THAT(complaint("maks=1"), HasSubstr("did you mean 'mask'?"));
  EXPECT_THAT(complaint("zzzzzzz=1"), HasSubstr("it has: x, sr, mask, text, small"));
}

TEST(ParseInput, Files) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-data").value();
  const Tensor good = Tensor::of<float>({1, 3}, {1, 2, 3});
  const auto npy = (folder.path() / "x.npy").string();
  const auto pb = (folder.path() / "x.pb").string();
  ASSERT_TRUE(write_npy(npy, good));
  ASSERT_TRUE(write_tensor_proto(pb, {"whatever", good}));
  EXPECT_TRUE(parse("x=" + npy)->value.identical(good));
  EXPECT_TRUE(parse("x=" + pb)->value.identical(good));
  ASSERT_TRUE(write_npy(npy, Tensor::of<double>({3}, {1, 2, 3})));
  EXPECT_THAT(complaint("x=" + npy), HasSubstr("float64[3], but the model wants x: float32[N,3]"));
  EXPECT_FALSE(parse("x=/nowhere/x.npy"));
}

}  // namespace
}  // namespace culprit
