#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/random.h"
#include "tensor/npy.h"
#include "unit/values/tensor/bytes.h"
#include "unit/values/tensor/zip_bytes.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// numpy 2.4.6: savez_compressed(x=arange(6, '<f4').reshape(2, 3), names=array(['ä', 'bc']), e=zeros((0, 3), '<i8'))
constexpr std::string_view from_numpy =
    "504b03042d0000000800000021004fe9002affffffffffffffff05001400782e6e707901001000980000000000000055000000000000"
    "009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416"
    "a402f91a463a0ac69a3a0ab50a64032e063068b007120e4004c40d40bcc00100504b03042d0000000800000021009277c9b0ffffffff"
    "ffffffff090014006e616d65732e6e70790100100090000000000000004d000000000000009bec17ea1b10c9c850c650ad9e925a9c5c"
    "a46ea5a06e136aa4aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a463a9a3a0ab50a1400ae270c1090"
    "04c4c9400c00504b03042d000000080000002100ae265c43ffffffffffffffff05001400652e6e707901001000800000000000000046"
    "000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a1aea3a09e965f54529498179f5f94920a12774bcc294e"
    "058a17672416a402f91a063a0ac69a3a0ab50a64032e00504b01022d032d0000000800000021004fe9002a5500000098000000050000"
    "000000000000000000800100000000782e6e7079504b01022d032d0000000800000021009277c9b04d00000090000000090000000000"
    "00000000000080018c0000006e616d65732e6e7079504b01022d032d000000080000002100ae265c4346000000800000000500000000"
    "00000000000000800114010000652e6e7079504b050600000000030003009d000000910100000000";

std::string unhex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

class NpzTest : public ::testing::Test {
 protected:
  static Result<std::vector<NamedTensor>> read(const std::string& content) { return parse_npz(content, "x.npz"); }
  static std::string complaint(const std::string& content) {
    const auto tensors = read(content);
    return tensors ? "" : tensors.error().text();
  }
  std::string array(const Tensor& tensor) const {
    EXPECT_TRUE(write_npy(folder_.path() / "part.npy", tensor));
    return read_file(folder_.path() / "part.npy").value();
  }
  TemporaryFolder folder_ = temporary_folder();
  std::string three_ = array(Tensor::of<float>({3}, {1, 2, 3}));
};

TEST_F(NpzTest, WhatNumpyWrote) {
  const auto tensors = read(unhex(from_numpy)).value();
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].name, "x");
  EXPECT_EQ(tensors[0].value.shape(), (Shape{2, 3}));
  EXPECT_THAT(numbers(tensors[0].value), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(tensors[1].name, "names");
  EXPECT_THAT(tensors[1].value.strings(), ElementsAre("ä", "bc"));
  EXPECT_EQ(tensors[2].value.shape(), (Shape{0, 3}));
}

TEST_F(NpzTest, StoredAndDeflatedMembersInOrder) {
  const auto members = std::vector{member("b.npy", three_), member("a.npy", three_, true)};
  for (const bool wide : {false, true}) {
    const auto tensors = read(zip(members, wide, "a comment")).value();
    ASSERT_EQ(tensors.size(), 2U);
    EXPECT_EQ(tensors[0].name, "b");
    EXPECT_EQ(tensors[1].name, "a");
    EXPECT_TRUE(tensors[0].value.identical(tensors[1].value));
  }
  EXPECT_TRUE(read(zip({}))->empty());
}

TEST_F(NpzTest, FilesAreReadAsTheirBytes) {
  const auto file = folder_.path() / "x.npz";
  ASSERT_TRUE(write_file_atomic(file, zip({member("b.npy", three_)})));
  EXPECT_EQ(read_npz(file)->at(0).name, "b");
  EXPECT_EQ(read_npz(folder_.path() / "none.npz").error().kind, ErrorKind::not_found);
}

TEST_F(NpzTest, CompressibleArraysAreNotBombs) {
  const auto zeros = array(Tensor::from_bytes(DType::f32, {1000, 1000}, std::vector<std::byte>(4'000'000)).value());
  EXPECT_EQ(read(zip({member("z.npy", zeros, true)}))->at(0).value.count(), 1'000'000);
}

TEST_F(NpzTest, ClaimedSizesMustBeTrue) {
  for (const std::uint64_t lie :
       {UINT64_C(0), UINT64_C(1), three_.size() - 1, three_.size() + 1, UINT64_C(0xfffffffe)}) {
    auto stored = member("a.npy", three_);
    stored.size = lie;
    EXPECT_NE(complaint(zip({stored})), "") << lie;
    auto packed = member("a.npy", three_, true);
    packed.size = lie;
    EXPECT_NE(complaint(zip({packed})), "") << lie;
  }
}

TEST_F(NpzTest, ClaimedSizesMustBeTrueEvenWhereTheChecksumAgrees) {
  for (const std::string& other : {three_ + '\0', three_.substr(0, three_.size() - 1)}) {
    auto packed = member("a.npy", three_, true);
    packed.size = other.size();
    packed.crc = crc32_z(0, reinterpret_cast<const Bytef*>(other.data()), other.size());
    EXPECT_THAT(complaint(zip({packed})), HasSubstr("does not inflate to the size"));
  }
}

TEST_F(NpzTest, BombsAreRefusedBeforeMemoryIsTaken) {
  auto bomb = member("a.npy", three_, true);
  bomb.size = UINT64_C(1) << 50;
  EXPECT_THAT(complaint(zip({bomb}, true)), HasSubstr("can inflate to"));
  // Fits the ratio, but not the limit: 5 MB of deflated bytes that claim 5 GiB.
  bomb.data = std::string(5'300'000, 'x');
  bomb.size = UINT64_C(5) << 30;
  EXPECT_THAT(complaint(zip({bomb}, true)), HasSubstr("limit"));
}

TEST_F(NpzTest, OverlappingMembersAreRefused) {
  // The same bytes named a hundred times, as quines and bombs do.
  const std::string one = zip({member("a.npy", std::string(1000, 'x'))});
  const std::size_t directory_size = 46 + 5;
  const std::string entry = one.substr(one.size() - 22 - directory_size, directory_size);
  std::string many = one.substr(0, one.size() - 22 - directory_size);
  const std::size_t at = many.size();
  for (int i = 0; i < 100; ++i) many += entry;
  many += number(0x06054b50, 4) + number(0, 4) + number(100, 2) + number(100, 2) + number(100 * directory_size, 4) +
          number(at, 4) + number(0, 2);
  EXPECT_THAT(complaint(many), HasSubstr("overlap"));
}

TEST_F(NpzTest, WhatCannotBeReadSaysWhy) {
  auto encrypted = member("a.npy", three_);
  encrypted.flags = 1;
  EXPECT_THAT(complaint(zip({encrypted})), HasSubstr("encrypted"));
  auto other = member("a.npy", three_);
  other.method = 14;
  EXPECT_THAT(complaint(zip({other})), HasSubstr("method 14"));
  auto damaged = member("a.npy", three_);
  damaged.data.back() = 'x';
  EXPECT_THAT(complaint(zip({damaged})), HasSubstr("checksum"));
  EXPECT_THAT(complaint(zip({member("readme.txt", "hello")})), HasSubstr("\"readme.txt\" is not an array"));
  EXPECT_THAT(complaint(zip({member("a.npy", three_), member("a.npy", three_)})), HasSubstr("two members"));
  EXPECT_THAT(complaint(zip({member("a.npy", "garbage")})), HasSubstr("a.npy"));
  EXPECT_THAT(complaint("not a zip"), ::testing::AllOf(HasSubstr("x.npz"), HasSubstr("not a zip archive")));
}

TEST_F(NpzTest, CutShortAtEveryByteItIsAnError) {
  const std::string real = unhex(from_numpy);
  for (std::size_t size = 0; size < real.size(); ++size) ASSERT_NE(complaint(real.substr(0, size)), "") << size;
}

TEST_F(NpzTest, RandomDamageNeverCrashes) {
  Random random(5);
  for (const std::string& whole :
       {unhex(from_numpy), zip({member("b.npy", three_), member("a.npy", three_, true)}, true)}) {
    for (int round = 0; round < 1500; ++round) {
      std::string changed = whole;
      for (auto flips = random.between(1, 4); flips > 0; --flips) {
        const auto at = random.between(0, static_cast<std::int64_t>(whole.size()) - 1);
        changed[static_cast<std::size_t>(at)] = static_cast<char>(random.between(0, 255));
      }
      complaint(changed);
    }
  }
}

TEST(NpzWriting, KeepsOrderTypesAndShapes) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-npz-").value();
  const std::vector<NamedTensor> arrays{{"x", Tensor::of<float>({2, 1}, {1.5F, -2})},
                                        {"a", Tensor::of<std::int64_t>({}, {7})},
                                        {"none", Tensor::of<float>({0, 3}, {})}};
  for (const char* name : {"one.npz", "other.npz"}) ASSERT_TRUE(write_npz(folder.path() / name, arrays));
  const auto back = read_npz(folder.path() / "one.npz").value();
  ASSERT_EQ(back.size(), arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_EQ(back[i].name, arrays[i].name);
    EXPECT_TRUE(back[i].value.identical(arrays[i].value)) << arrays[i].name;
  }
  EXPECT_EQ(read_file(folder.path() / "one.npz").value(), read_file(folder.path() / "other.npz").value());
}

TEST(NpzWriting, RefusesWhatNumpyLacksAndFoldersThatAreNotThere) {
  const auto half = cast(Tensor::of<float>({1}, {1}), DType::bf16).value();
  const std::vector<NamedTensor> arrays{{"x", half}};
  EXPECT_EQ(write_npz("/nowhere/x.npz", arrays).error().kind, ErrorKind::unsupported);
  const std::vector<NamedTensor> plain{{"x", Tensor::of<float>({1}, {1})}};
  EXPECT_EQ(write_npz("/nowhere/x.npz", plain).error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace culprit
