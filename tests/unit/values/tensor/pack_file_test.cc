#include "tensor/pack_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "unit/values/tensor/bytes.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class PackTest : public ::testing::Test {
 protected:
  fs::path file() const { return folder_.path() / "x.pack"; }
  std::string packed(const std::vector<NamedTensor>& tensors) const {
    EXPECT_TRUE(write_pack(file(), tensors));
    return read_file(file()).value();
  }
  /// What reading these bytes says; every tensor that it gives is read to its end.
  std::string complaint(const std::string& content) {
    const auto owner = std::make_shared<const std::string>(content);
    const auto read = parse_pack(std::as_bytes(std::span(*owner)), owner, "x.pack");
    if (!read) {
      EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
      return read.error().message;
    }
    for (const auto& tensor : *read) touch(tensor.value);
    return "";
  }
  void touch(const Tensor& tensor) {
    EXPECT_EQ(tensor.identical(tensor), true);
    EXPECT_EQ(tensor.strings().size(), tensor.dtype() == DType::string ? static_cast<std::size_t>(tensor.count()) : 0);
    if (tensor.count() > 0) last_ = tensor.number(tensor.count() - 1);
  }
  TemporaryFolder folder_ = temporary_folder();
  double last_ = 0;  ///< keeps the reading from being optimized away
};

/// Overwrites 8 bytes at a place with a number.
std::string with_number(std::string content, std::size_t at, std::uint64_t number) {
  std::memcpy(content.data() + at, &number, 8);
  return content;
}

TEST_F(PackTest, EveryTypeComesBackAsItWas) {
  auto tensors = one_of_each();
  tensors.push_back({"scalar", Tensor::of<float>({}, {3})});
  tensors.push_back({"empty", Tensor::of<std::int64_t>({0, 4}, {})});
  tensors.push_back({"no texts", Tensor::from_strings({0}, {}).value()});
  tensors.push_back({"", Tensor::of<float>({1}, {3})});
  tensors.push_back({"list", Tensor::of<float>({1}, {3}), "[0]"});
  ASSERT_TRUE(write_pack(file(), tensors));
  const auto read = read_pack(file()).value();
  ASSERT_EQ(read.size(), tensors.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, tensors[i].name);
    EXPECT_EQ(read[i].part, tensors[i].part);
    EXPECT_TRUE(read[i].value.identical(tensors[i].value)) << read[i].name;
    if (!read[i].value.bytes().empty()) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read[i].value.bytes().data()) % 64, 0U);
    }
  }
}

TEST_F(PackTest, ValuesInAnotherOrderKeepTheirParts) {
  const auto one = [](float value) { return Tensor::of<float>({1}, {value}); };
  const Tensor two = Tensor::of<std::int64_t>({}, {2});
  packed({{"y", one(1)}, {"s", two, ".length"}, {"s", one(2), "[0]"}, {"s", one(3), "[1]"}, {"z", one(4)}});
  const auto in_order = [&](const std::vector<std::size_t>& places) {
    std::string text;
    const auto tensors = read_pack_in_order(file(), places).value();
    for (const NamedTensor& tensor : tensors) text += tensor.name + tensor.part + " ";
    return text;
  };
  EXPECT_EQ(in_order({1, 2, 0}), "s.length s[0] s[1] z y ");
  EXPECT_EQ(in_order({0, 2}), "y z ");
  EXPECT_EQ(in_order({0, 1}), "y s.length s[0] s[1] ") << "and what is after them stays away";
  EXPECT_EQ(in_order({}), "y s.length s[0] s[1] z ");
  EXPECT_FALSE(read_pack_in_order(file(), {3}));
}

TEST_F(PackTest, NoTensorsAreAPackToo) {
  EXPECT_EQ(complaint(packed({})), "");
  EXPECT_TRUE(read_pack(file())->empty());
}

TEST_F(PackTest, TensorsOutliveTheFile) {
  packed({{"x", Tensor::of<float>({2}, {1, 2})}});
  const auto read = read_pack(file()).value();
  fs::remove(file());
  EXPECT_EQ(read[0].value.number(1), 2);
}

TEST_F(PackTest, CutShortAtEveryByteItIsAnError) {
  const std::string whole =
      packed({{"ab", Tensor::of<float>({2}, {1, 2})}, {"t", Tensor::from_strings({2}, {"x", "yz"}).value()}});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_NE(complaint(whole.substr(0, size)), "") << size << " of " << whole.size();
  }
  EXPECT_EQ(complaint(whole), "");
  EXPECT_NE(complaint(whole + "x"), "");
  EXPECT_NE(complaint(whole + whole), "");
}

TEST_F(PackTest, EveryFlippedBitIsAnErrorOrOtherValuesButNoCrash) {
  const std::string whole =
      packed({{"ab", Tensor::of<float>({2}, {1, 2})}, {"t", Tensor::from_strings({2}, {"x", "yz"}).value()}});
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    complaint(changed);
  }
}

TEST_F(PackTest, RandomDamageNeverCrashes) {
  const std::string whole = packed(one_of_each());
  Random random(11);
  for (int round = 0; round < 2000; ++round) {
    std::string changed = whole;
    for (auto flips = random.between(1, 8); flips > 0; --flips) {
      const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(whole.size()) - 1));
      changed[at] = static_cast<char>(random.between(0, 255));
    }
    if (random.between(0, 3) == 0)
      changed.resize(static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(whole.size()))));
    complaint(changed);
  }
}

TEST_F(PackTest, LiesAboutSizesAreErrors) {
  // 64: length of the name, 72 "ab", 74 type, 82 rank, 90 dim, 98 bytes; 128 elements; 192 index, 200 footer.
  const std::string whole = packed({{"ab", Tensor::of<float>({2}, {1, 2})}});
  ASSERT_EQ(whole.size(), 224U);
  for (const std::uint64_t lie :
       {UINT64_C(0), UINT64_C(1), UINT64_C(3), UINT64_C(1) << 31, UINT64_C(1) << 62, UINT64_MAX, UINT64_MAX - 63}) {
    for (const std::size_t at : {64U, 74U, 82U, 90U, 98U, 192U, 200U, 208U}) {
      if (with_number(whole, at, lie) == whole) continue;  // true by chance
      EXPECT_NE(complaint(with_number(whole, at, lie)), "") << lie << " at " << at;
    }
  }
  EXPECT_THAT(complaint(with_number(whole, 90, UINT64_C(1) << 62)), HasSubstr("has 8"));
  EXPECT_THAT(complaint(with_number(whole, 90, UINT64_MAX)), HasSubstr("negative dimension"));
  EXPECT_THAT(complaint(with_number(whole, 74, 99)), HasSubstr("unknown element type 99"));
}

TEST_F(PackTest, TensorsCannotOverlap) {
  const std::string whole = packed({{"a", Tensor::of<float>({2}, {1, 2})}, {"b", Tensor::of<float>({2}, {3, 4})}});
  const std::size_t index = whole.size() - 24 - 16;
  EXPECT_THAT(complaint(with_number(whole, index + 8, 64)), HasSubstr("does not point to tensor 1"));
}

TEST_F(PackTest, LiesAboutStringsAreErrors) {
  const std::string whole = packed({{"t", Tensor::from_strings({2}, {"x", "yz"}).value()}});
  EXPECT_NE(complaint(with_number(whole, 128, 2)), "");
  EXPECT_NE(complaint(with_number(whole, 128, UINT64_MAX)), "");
  EXPECT_NE(complaint(with_number(whole, 89, 1)), "");                  // one string that fills less than there is
  EXPECT_NE(complaint(with_number(whole, 89, UINT64_C(1) << 60)), "");  // more than memory
}

TEST_F(PackTest, OtherFilesAreNamed) {
  EXPECT_THAT(complaint("GIF89a"), HasSubstr("x.pack is not a whole pack"));
  ASSERT_TRUE(write_file_atomic(file(), "GIF89a"));
  EXPECT_THAT(read_pack(file()).error().message, HasSubstr("x.pack is not a whole pack"));
  EXPECT_EQ(read_pack(folder_.path() / "none").error().kind, ErrorKind::not_found);
}

TEST_F(PackTest, FullDiskIsAnError) {
  fs::create_symlink("/dev/full", folder_.path() / "full");
  const std::vector<NamedTensor> tensors{{"x", Tensor::of<float>({2}, {1, 2})}};
  EXPECT_THAT(write_pack(folder_.path() / "full", tensors).error().message, HasSubstr("No space left"));
  EXPECT_FALSE(write_pack(file(), std::vector<NamedTensor>{{"nothing", Tensor()}}));
}

}  // namespace
}  // namespace culprit
