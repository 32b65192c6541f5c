#include "tensor/array_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/file.h"
#include "tensor/npy.h"
#include "unit/values/tensor/bytes.h"
#include "unit/values/tensor/zip_bytes.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ArrayFileTest : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  fs::path work() const {
    fs::create_directories(path("work"));
    return path("work");
  }
  std::vector<std::string> copied() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(work()))
      if (entry.path().extension() != ".checked") names.push_back(entry.path().filename());
    return names;
  }
  std::string bytes_of(const Tensor& tensor) const {
    EXPECT_TRUE(write_npy(path("part.npy"), tensor));
    return read_file(path("part.npy")).value();
  }
  fs::path written(const std::string& name, const std::string& content) const {
    EXPECT_TRUE(write_file_atomic(path(name), content));
    return path(name);
  }
  /// An array of version 1.0 whose header is this dictionary.
  static std::string npy(const std::string& dictionary, const std::string& elements) {
    std::string head = dictionary;
    head.append(128 - 10 - head.size() - 1, ' ');
    head += "\n";
    return std::string("\x93NUMPY\x01\x00", 8) + number(head.size(), 2) + head + elements;
  }
  std::string complaint(const fs::path& file, bool checked = true) const {
    auto opened = ArrayFile::open(file, "x");
    if (!opened) return opened.error().text();
    for (std::size_t i = 0; i < opened->heads().size(); ++i) {
      const auto array = opened->array(i, work(), checked);
      if (!array) return array.error().text();
    }
    return "";
  }
  TemporaryFolder folder_ = temporary_folder();
  Tensor six_ = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
};

TEST_F(ArrayFileTest, RowsOfAnArrayComeInTheShapeThatIsAskedFor) {
  auto file = ArrayFile::open(written("x.npy", bytes_of(six_)), "x").value();
  ASSERT_EQ(file.heads().size(), 1U);
  EXPECT_EQ(file.heads()[0].name, "x");
  EXPECT_EQ(file.heads()[0].dtype, DType::f32);
  EXPECT_EQ(file.heads()[0].shape, (Shape{3, 2}));
  const StoredArray array = file.array(0, work(), true).value();
  const Tensor row = array.row(1, {1, 2, 1}).value();
  EXPECT_EQ(row.shape(), (Shape{1, 2, 1}));
  EXPECT_THAT(numbers(row), ElementsAre(3, 4));
  EXPECT_TRUE(array.all().value().identical(six_));
  EXPECT_EQ(array.row(3, {2}).error().kind, ErrorKind::internal);
  EXPECT_EQ(array.row(-1, {2}).error().kind, ErrorKind::internal);
  EXPECT_EQ(array.row(0, {3}).error().kind, ErrorKind::internal);
  EXPECT_THAT(copied(), IsEmpty()) << "it stays where it is";
}

TEST_F(ArrayFileTest, StoredMembersStayAndDeflatedOnesAreInflatedOnce) {
  const std::string array = bytes_of(six_);
  for (const bool wide : {false, true}) {
    const auto file =
        written("x.npz",
                zip({member("a.npy", array), member("b.npy", array, true), member("c.npy", array)}, wide, "a comment"));
    auto opened = ArrayFile::open(file, "").value();
    ASSERT_EQ(opened.heads().size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      const StoredArray stored = opened.array(i, work(), true).value();
      EXPECT_TRUE(stored.all().value().identical(six_)) << i << wide;
      EXPECT_THAT(numbers(stored.row(2, {2}).value()), ElementsAre(5, 6));
    }
    EXPECT_THAT(copied(), ElementsAre("1.npy")) << wide;
    fs::resize_file(work() / "1.npy", fs::file_size(work() / "1.npy") - 4);
    EXPECT_FALSE(ArrayFile::open(file, "")->array(1, work(), true)->all()) << "it was not inflated again";
    fs::remove(work() / "1.npy");
  }
}

TEST_F(ArrayFileTest, AnArchiveBehindOtherBytesIsCopied) {
  const auto file = written("x.npz", "#!/bin/sh\n" + zip({member("a.npy", bytes_of(six_))}));
  auto opened = ArrayFile::open(file, "");
  if (!opened) return;  // libzip of some versions refuses it
  EXPECT_TRUE(opened->array(0, work(), true).value().all().value().identical(six_));
  EXPECT_THAT(copied(), ElementsAre("0.npy"));
}

TEST_F(ArrayFileTest, WhatLiesColumnByColumnIsTurned) {
  const Tensor columns = Tensor::of<float>({2, 3}, {1, 3, 5, 2, 4, 6});
  const std::string elements(reinterpret_cast<const char*>(columns.bytes().data()), columns.bytes().size());
  const auto file = written("x.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }", elements));
  auto opened = ArrayFile::open(file, "x").value();
  const StoredArray array = opened.array(0, work(), true).value();
  EXPECT_THAT(numbers(array.row(1, {1, 2}).value()), ElementsAre(3, 4));
  const auto texts = written("t.npy", npy("{'descr': '|S1', 'fortran_order': True, 'shape': (3, 2), }", "acebdf"));
  auto text = ArrayFile::open(texts, "t").value();
  EXPECT_THAT(text.array(0, work(), true).value().row(1, {1, 2}).value().strings(), ElementsAre("c", "d"));
}

TEST_F(ArrayFileTest, OtherOrdersOfBytesAndBooleansAreReadRowByRow) {
  const auto big = written(
      "b.npy", npy("{'descr': '>i2', 'fortran_order': False, 'shape': (2, 2), }", std::string("\0\1\0\2\0\3\1\0", 8)));
  EXPECT_THAT(numbers(ArrayFile::open(big, "x")->array(0, work(), true)->row(1, {2}).value()), ElementsAre(3, 256));
  const auto truth =
      written("t.npy", npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }", std::string("\0\7\1\0", 4)));
  EXPECT_THAT(numbers(ArrayFile::open(truth, "x")->array(0, work(), true)->row(0, {2}).value()), ElementsAre(0, 1));
  EXPECT_THAT(copied(), IsEmpty());
}

TEST_F(ArrayFileTest, DamageIsTold) {
  const std::string array = bytes_of(six_);
  Member wrong = member("a.npy", array);
  wrong.crc ^= 1;
  const auto file = written("x.npz", zip({wrong}));
  EXPECT_THAT(complaint(file), HasSubstr("checksum is wrong"));
  EXPECT_THAT(complaint(file), HasSubstr("checksum is wrong")) << "nor is it forgotten";
  EXPECT_EQ(complaint(file, false), "") << "a few rows are read without it";
  const auto once = written("once.npz", zip({member("a.npy", array)}));
  EXPECT_EQ(complaint(once), "");
  written("once.npz", read_file(file).value());
  EXPECT_EQ(complaint(once), "") << "it was compared when the file was opened first";
  EXPECT_THAT(complaint(written("y.npy", array.substr(0, array.size() - 4))),
              HasSubstr("bytes, but 20 follow the header"));
  EXPECT_THAT(complaint(written("z.npz", zip({member("a.txt", array)}))), HasSubstr("is not an array (.npy)"));
  EXPECT_THAT(complaint(written("o.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "12345678"))),
              HasSubstr("pickles"));
  EXPECT_THAT(complaint(path("nowhere.npy")), HasSubstr("No such file"));
}

TEST_F(ArrayFileTest, AFileThatIsCutShortLaterIsAnError) {
  const auto file = written("x.npy", bytes_of(six_));
  auto opened = ArrayFile::open(file, "x").value();
  const StoredArray array = opened.array(0, work(), true).value();
  fs::resize_file(file, fs::file_size(file) - 8);
  EXPECT_THAT(array.row(2, {2}).error().message, HasSubstr("cut short"));
  EXPECT_TRUE(array.row(1, {2}));
}

TEST_F(ArrayFileTest, CutShortAtEveryByteItIsAnError) {
  const std::string whole = zip({member("a.npy", bytes_of(six_)), member("b.npy", bytes_of(six_), true)});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(complaint(written("x.npz", whole.substr(0, size))), "") << size;
}

}  // namespace
}  // namespace culprit
