#include "tensor/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/values/tensor/bytes.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string npy(std::string_view dictionary, std::string_view data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>((dictionary.size() + 1) >> (8 * i));
  return file.append(dictionary).append("\n").append(data);
}

std::string header(std::string_view descr, std::string_view shape, std::string_view fortran = "False") {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + std::string(fortran) +
         ", 'shape': " + std::string(shape) + ", }   ";
}

Tensor parsed(const std::string& file) {
  auto tensor = parse_npy(file, "x.npy");
  EXPECT_TRUE(tensor) << tensor.error().text();
  return tensor ? *tensor : Tensor();
}

std::string complaint(const std::string& file) {
  const auto tensor = parse_npy(file, "x.npy");
  return tensor ? "" : tensor.error().text();
}

template <class T>
std::string data(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

TEST(Npy, ThreeVersions) {
  for (const int version : {1, 2, 3}) {
    const auto tensor = parsed(npy(header("<f4", "(2, 1)"), data<float>({1.5F, -2}), version));
    EXPECT_EQ(tensor.dtype(), DType::f32);
    EXPECT_EQ(tensor.shape(), (Shape{2, 1}));
    EXPECT_THAT(numbers(tensor), ElementsAre(1.5, -2));
  }
  EXPECT_THAT(complaint(npy(header("<f4", "(1,)"), data<float>({1}), 4)), HasSubstr("version 4"));
}

TEST(Npy, ShapesOfScalarsVectorsAndNothing) {
  EXPECT_EQ(parsed(npy(header("<i8", "()"), data<std::int64_t>({7}))).shape(), Shape{});
  EXPECT_EQ(parsed(npy(header("<i8", "(1,)"), data<std::int64_t>({7}))).shape(), Shape{1});
  EXPECT_EQ(parsed(npy(header("<i8", "(1L, 1L)"), data<std::int64_t>({7}))).shape(), (Shape{1, 1}));
  EXPECT_EQ(parsed(npy(header("<i8", "(0, 3)"), "")).count(), 0);
  EXPECT_EQ(parsed(npy(header("<U4", "(0,)"), "")).dtype(), DType::string);
}

TEST(Npy, EveryNumericType) {
  EXPECT_THAT(numbers(parsed(npy(header("|b1", "(3,)"), std::string("\0\1\2", 3)))), ElementsAre(0, 1, 1));
  EXPECT_THAT(numbers(parsed(npy(header("|i1", "(1,)"), "\xff"))), ElementsAre(-1));
  EXPECT_THAT(numbers(parsed(npy(header("|u1", "(1,)"), "\xff"))), ElementsAre(255));
  EXPECT_THAT(numbers(parsed(npy(header("<u2", "(1,)"), data<std::uint16_t>({65535})))), ElementsAre(65535));
  EXPECT_THAT(numbers(parsed(npy(header("=i4", "(1,)"), data<std::int32_t>({-5})))), ElementsAre(-5));
  EXPECT_THAT(numbers(parsed(npy(header("<u8", "(1,)"), data<std::uint64_t>({5})))), ElementsAre(5));
  EXPECT_THAT(numbers(parsed(npy(header("<f2", "(1,)"), data<std::uint16_t>({0x3c00})))), ElementsAre(1));
  EXPECT_THAT(numbers(parsed(npy(header("<f8", "(1,)"), data<double>({1e300})))), ElementsAre(1e300));
  EXPECT_EQ(parsed(npy(header("<c8", "(1,)"), data<float>({1, 2}))).dtype(), DType::c64);
}

TEST(Npy, BigEndianIsTurned) {
  EXPECT_THAT(numbers(parsed(npy(header(">i2", "(2,)"), std::string("\1\2\xff\xfe", 4)))), ElementsAre(258, -2));
  EXPECT_THAT(numbers(parsed(npy(header(">f8", "()"), std::string("\x3f\xf8\0\0\0\0\0\0", 8)))), ElementsAre(1.5));
  const auto complex = parsed(npy(header(">c8", "()"), std::string("\x3f\x80\0\0\x40\0\0\0", 8)));
  const auto* parts = reinterpret_cast<const float*>(complex.bytes().data());
  EXPECT_EQ(parts[0], 1);  // each half on its own
  EXPECT_EQ(parts[1], 2);
  EXPECT_THAT(parsed(npy(header(">U1", "(1,)"), std::string("\0\0\0x", 4))).strings(), ElementsAre("x"));
}

TEST(Npy, FortranOrderIsTurned) {
  const auto matrix = parsed(npy(header("<i2", "(2, 3)", "True"), data<std::int16_t>({1, 4, 2, 5, 3, 6})));
  EXPECT_THAT(numbers(matrix), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(matrix.shape(), (Shape{2, 3}));
  const auto cube = parsed(npy(header("|u1", "(2, 2, 2)", "True"), std::string("\0\4\2\6\1\5\3\7", 8)));
  EXPECT_THAT(numbers(cube), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(parsed(npy(header("<i2", "(2, 0)", "True"), "")).count(), 0);
  const auto texts = parsed(npy(header("|S1", "(2, 2)", "True"), "acbd"));
  EXPECT_THAT(texts.strings(), ElementsAre("a", "b", "c", "d"));
}

TEST(Npy, UnicodeBecomesUtf8) {
  const auto texts = parsed(npy(header("<U2", "(3,)"), data<std::uint32_t>({'a', 0, 0xe4, 0x1f642, 0, 0})));
  EXPECT_THAT(texts.strings(), ElementsAre("a", "ä🙂", ""));
  EXPECT_THAT(complaint(npy(header("<U1", "(1,)"), data<std::uint32_t>({0xd800}))), HasSubstr("not valid Unicode"));
  EXPECT_NE(complaint(npy(header("<U1", "(1,)"), data<std::uint32_t>({0x110000}))), "");
  EXPECT_THAT(parsed(npy(header("|S3", "(2,)"), std::string("ab\0cde", 6))).strings(), ElementsAre("ab", "cde"));
}

TEST(Npy, WhatIsNotNumbersIsRefusedWithItsReason) {
  EXPECT_THAT(complaint(npy(header("|O", "(1,)"), "x")),
              ::testing::AllOf(HasSubstr("Python objects"), HasSubstr("x.npy")));
  EXPECT_THAT(
      complaint(npy("{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }", "12345678")),
      HasSubstr("structured records"));
  EXPECT_THAT(complaint(npy(header("<f16", "(1,)"), std::string(16, 'x'))), HasSubstr("no counterpart"));
  EXPECT_NE(complaint(npy(header("<M8[ns]", "(1,)"), "12345678")), "");
  EXPECT_NE(complaint(npy(header("|V2", "(1,)"), "12")), "");
  EXPECT_NE(complaint(npy(header("", "(1,)"), "12")), "");
  EXPECT_NE(complaint(npy(header("<f99999999999999999999", "(1,)"), "12")), "");
}

TEST(Npy, SizesMustAgree) {
  EXPECT_THAT(complaint(npy(header("<f4", "(3,)"), data<float>({1, 2}))),
              ::testing::AllOf(HasSubstr("takes 12 bytes"), HasSubstr("8 follow")));
  EXPECT_NE(complaint(npy(header("<f4", "(1,)"), data<float>({1, 2}))), "");
  EXPECT_NE(complaint(npy(header("<f4", "(4611686018427387904, 4)"), "")), "");
  EXPECT_NE(complaint(npy(header("<f8", "(9223372036854775807,)"), "")), "");
  EXPECT_NE(complaint(npy(header("<f4", "(99999999999999999999,)"), "")), "");
  EXPECT_NE(complaint(npy(header("<f4", "(-1,)"), "")), "");
  EXPECT_THAT(complaint(npy(header("<U0", "(1000000000000,)"), "")), HasSubstr("have no size"));  // but take memory
  EXPECT_NE(complaint(npy(header("<U4611686018427387904", "(1,)"), "")), "");
}

TEST(Npy, BrokenHeadersAreErrors) {
  for (const char* text :
       {"", "{", "{}", "x", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1, }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } + 1",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (1,), }"}) {
    EXPECT_NE(complaint(npy(text, data<float>({1}))), "") << text;
  }
  EXPECT_THAT(complaint("not numpy"), HasSubstr("does not begin as NumPy"));
  std::string too_long = npy(header("<f4", "(0,)"), "");
  too_long[8] = static_cast<char>(too_long[8] + 1);  // one more than the file holds
  EXPECT_THAT(complaint(too_long), HasSubstr("ends inside its header"));
}

TEST(Npy, CutShortAtEveryByteItIsAnError) {
  for (const int version : {1, 2}) {
    const std::string whole = npy(header("<U2", "(2,)"), data<std::uint32_t>({'a', 'b', 'c', 'd'}), version);
    for (std::size_t size = 0; size < whole.size(); ++size) ASSERT_NE(complaint(whole.substr(0, size)), "") << size;
  }
}

TEST(Npy, EveryFlippedBitIsAnErrorOrOtherValues) {
  const std::string whole = npy(header("<f4", "(2, 2)", "True"), data<float>({1, 2, 3, 4}));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    const auto tensor = parse_npy(changed, "x.npy");
    if (tensor) numbers(*tensor);
  }
}

TEST(Npy, WrittenFilesComeBack) {
  const auto folder = temporary_folder();
  const auto file = folder.path() / "x.npy";
  for (const auto& tensor : one_of_each()) {
    const auto written = write_npy(file, tensor.value);
    if (!written) {
      EXPECT_EQ(written.error().kind, ErrorKind::unsupported) << tensor.name;
      continue;
    }
    const auto back = read_npy(file);
    ASSERT_TRUE(back) << tensor.name << back.error().message;
    EXPECT_TRUE(back->identical(tensor.value)) << tensor.name;
  }
  ASSERT_TRUE(write_npy(file, Tensor::of<float>({}, {2})));
  EXPECT_EQ(read_npy(file)->shape(), Shape{});
  const auto header_size = read_file(file)->size() - sizeof(float);
  EXPECT_EQ(header_size % 64, 0U);
  for (const DType type : {DType::string, DType::i4, DType::bf16, DType::f8e5m2}) {
    const auto tensor =
        type == DType::string ? Tensor::from_strings({0}, {}).value() : Tensor::from_bytes(type, {0}, {}).value();
    EXPECT_FALSE(write_npy(file, tensor)) << name_of(type);
  }
  EXPECT_EQ(read_npy(folder.path() / "none.npy").error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace culprit
