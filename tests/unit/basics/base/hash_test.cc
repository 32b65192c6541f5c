#include "base/hash.h"

#include <gtest/gtest.h>

#include <array>

#include "base/file.h"

namespace culprit {
namespace {

TEST(Hash128, IsXxh3WithItsPublishedValues) {
  EXPECT_EQ(hash128("").hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash128("a").hex(), "a96faf705af16834e6c632b61e964e1f");
}

TEST(Hash128, HexGoesBothWays) {
  const Hash128 hash{0x0123456789abcdef, 0xfedcba9876543210};
  EXPECT_EQ(hash.hex(), "0123456789abcdeffedcba9876543210");
  EXPECT_EQ(Hash128::from_hex(hash.hex()).value(), hash);
  EXPECT_EQ(Hash128::from_hex("0123456789ABCDEFFEDCBA9876543210").value(), hash);
  for (const char* bad : {"", "0123", "g123456789abcdeffedcba9876543210", "0123456789abcdeffedcba98765432100"}) {
    EXPECT_FALSE(Hash128::from_hex(bad)) << bad;
  }
}

TEST(Hasher, TellsApartWhereStringsEnd) {
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("").finish(), Hasher().finish());
  EXPECT_NE(Hasher().add("").add("x").finish(), Hasher().add("x").add("").finish());
  EXPECT_EQ(Hasher().add("ab").add("c").finish(), Hasher().add("ab").add("c").finish());
}

TEST(Hasher, TextBytesNumbersAndHashes) {
  const std::array<std::byte, 2> bytes{std::byte{'a'}, std::byte{'b'}};
  EXPECT_EQ(Hasher().add(std::span<const std::byte>(bytes)).finish(), Hasher().add("ab").finish());
  EXPECT_NE(Hasher().add(std::int64_t{1}).finish(), Hasher().add(std::int64_t{-1}).finish());
  EXPECT_NE(Hasher().add(Hash128{1, 2}).finish(), Hasher().add(Hash128{2, 1}).finish());
  EXPECT_EQ(Hasher().add(std::int64_t{0x0807060504030201}).finish(), hash128("\1\2\3\4\5\6\7\10"));
}

TEST(Hasher, FinishMayBeAskedInBetween) {
  Hasher hasher;
  hasher.add("a");
  const Hash128 early = hasher.finish();
  EXPECT_EQ(early, hasher.finish());
  EXPECT_NE(early, hasher.add("b").finish());
}

TEST(Sha256, KnownValues) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-hash-test-").value();
  const std::string content(700'000, 'x');  // more than one piece
  ASSERT_TRUE(write_file_atomic(folder.path() / "x", content));
  EXPECT_EQ(sha256_of_file(folder.path() / "x").value(), sha256_of(content));
  EXPECT_EQ(sha256_of_file(folder.path() / "none").error().kind, ErrorKind::not_found);
  EXPECT_FALSE(sha256_of_file(folder.path()));
}

}  // namespace
}  // namespace culprit
