#include "tensor/pack_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tensor/pack_file.h"
#include "unit/values/tensor/bytes.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class BundleTest : public ::testing::Test {
 protected:
  fs::path file() const { return folder_.path() / "x.packs"; }
  /// Three packs, and none behind the first.
  void write() const {
    auto writer = BundleWriter::create(file()).value();
    ASSERT_TRUE(writer.add(one_of_each()));
    ASSERT_TRUE(writer.add_none());
    ASSERT_TRUE(writer.add(std::vector<NamedTensor>{{"x", Tensor::of<float>({2}, {1, 2})}}));
    ASSERT_TRUE(writer.add(std::vector<NamedTensor>{}));
    EXPECT_EQ(writer.size(), fs::file_size(file()));
  }
  PackPlace in_bundle(std::uint64_t at) const { return PackPlace(std::make_shared<const fs::path>(file()), at); }
  void cut(std::uintmax_t bytes) const { fs::resize_file(file(), bytes); }
  TemporaryFolder folder_ = temporary_folder();
};

TEST_F(BundleTest, PacksComeBackAsTheyWere) {
  write();
  const auto places = packs_in_bundle(file()).value();
  ASSERT_EQ(places.size(), 4U);
  EXPECT_FALSE(places[1]) << "none was written there";
  PackReader reader;
  EXPECT_TRUE(reader.read(*places[3]).value().empty());
  EXPECT_EQ(reader.read(*places[2]).value().at(0).value.as<float>()[1], 2.0F);
  const auto expected = one_of_each();
  const auto read = reader.read(*places[0]).value();
  ASSERT_EQ(read.size(), expected.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_TRUE(read[i].value.identical(expected[i].value)) << read[i].name;
    if (read[i].value.bytes().empty()) continue;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read[i].value.bytes().data()) % 64, 0U);
  }
}

TEST_F(BundleTest, ReadsFilesOfOnePackAsWell) {
  write();
  const fs::path own = folder_.path() / "x.pack";
  ASSERT_TRUE(write_pack(
      own, std::vector<NamedTensor>{{"x", Tensor::of<float>({1}, {3})}, {"y", Tensor::of<float>({1}, {4})}}));
  PackReader reader;
  EXPECT_EQ(reader.read(PackPlace(own)).value().at(0).name, "x");
  EXPECT_EQ(reader.read(*packs_in_bundle(file()).value()[2]).value().at(0).value.count(), 2);
  EXPECT_EQ(reader.read_in_order(PackPlace(own), {1}).value().at(0).name, "y");
}

TEST_F(BundleTest, OfAFileThatWasCutShortTheWholePacksAreThere) {
  write();
  const std::uintmax_t size = fs::file_size(file());
  for (std::uintmax_t bytes = 0; bytes < size; bytes += 8) {
    cut(bytes);
    const auto places = packs_in_bundle(file()).value();
    EXPECT_LT(places.size(), 4U) << bytes;
    for (const auto& place : places) EXPECT_TRUE(!place || PackReader().read(*place)) << bytes;
    fs::remove(file());
    write();
  }
  fs::remove(file());
  EXPECT_TRUE(packs_in_bundle(file()).value().empty()) << "nothing was written at all";
}

TEST_F(BundleTest, NoSizeAndNoPlaceIsBelieved) {
  write();
  PackReader reader;
  for (const std::uint64_t at : {0, 8, 65, 1 << 20})
    EXPECT_THAT(reader.read(in_bundle(at)).error().message, HasSubstr("holds no pack at byte")) << at;
  std::string content = read_file(file()).value();
  for (std::size_t i = 8; i < 16; ++i) content[i] = '\xff';
  ASSERT_TRUE(write_file_atomic(file(), content));
  EXPECT_TRUE(packs_in_bundle(file()).value().empty()) << "it claims to be larger than the file";
  EXPECT_FALSE(PackReader().read(in_bundle(64)));
  content[0] = 'X';
  ASSERT_TRUE(write_file_atomic(file(), content));
  EXPECT_THAT(packs_in_bundle(file()).error().message, HasSubstr("is not a bundle of packs"));
}

}  // namespace
}  // namespace culprit
