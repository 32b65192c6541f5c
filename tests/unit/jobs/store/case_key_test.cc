#include "store/case_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace culprit {
namespace {

CaseParts a_check() { return std::move(CaseParts().add(KeyPart::job, "check").add(KeyPart::model, "ab12")); }

TEST(CaseKeys, SayNothingOfTheOrderInWhichPartsCame) {
  const std::vector<std::pair<KeyPart, std::string>> parts = {
      {KeyPart::job, "check"}, {KeyPart::model, "ab12"}, {KeyPart::optimizer, "onnxsim"}, {KeyPart::data, "seed 0"}};
  std::vector<int> order = {0, 1, 2, 3};
  std::set<std::string> keys;
  do {
    CaseParts mixed;
    for (const int i : order) {
      mixed.add(parts[static_cast<std::size_t>(i)].first, parts[static_cast<std::size_t>(i)].second);
      mixed.add_setting("s" + std::to_string(i), "x");
    }
    keys.insert(CaseKey::of(mixed).value().hex());
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(keys.size(), 1U);
}

// Every set of at most three parts and settings of short texts, in which names, lengths and marks stand themselves.
TEST(CaseKeys, OfTwoDifferentSetsOfPartsHaveDifferentBytes) {
  const std::vector<std::string> texts = {"", "a", "1:a", "a1:", "p3:job5:check", "s1:a1:b", ":", "1", "0:", "job"};
  const std::vector<KeyPart> names = {KeyPart::optimizer, KeyPart::data};
  std::set<std::string> bytes;
  std::size_t sets = 0;
  const auto take = [&](const CaseParts& parts) {
    ++sets;
    bytes.insert(parts.bytes());
  };
  for (const std::string& a : texts) {
    for (const KeyPart name : names) take(a_check().add(name, a));
    for (const std::string& b : texts) {
      take(a_check().add(names[0], a).add(names[1], b));
      take(a_check().add_setting(a, b));
      for (const std::string& c : texts) take(a_check().add(names[0], a).add_setting(b, c));
    }
  }
  EXPECT_EQ(bytes.size(), sets);
}

TEST(CaseKeys, TellAnAbsentPartFromAnEmptyOne) {
  EXPECT_NE(CaseKey::of(a_check()).value(), CaseKey::of(a_check().add(KeyPart::data, "")).value());
}

TEST(CaseKeys, TellASettingFromAPartOfItsName) {
  EXPECT_NE(a_check().add_setting("data", "x").bytes(), a_check().add(KeyPart::data, "x").bytes());
}

// Keys stand in files that others made: another rule for bytes needs another first line in them.
TEST(CaseKeys, StayTheSameFromVersionToVersion) {
  EXPECT_EQ(a_check().add_setting("atol", "1e-3").bytes(),
            "culprit.case/1\n3\np3:job5:checkp5:model4:ab12s4:atol4:1e-3");
  EXPECT_EQ(CaseKey::of(a_check()).value().hex(), "c1fc479c0ccdcf70a067df4a36ba554a");
}

TEST(CaseKeys, AreReadAsTheyAreWritten) {
  const CaseKey key = CaseKey::of(a_check()).value();
  EXPECT_EQ(CaseKey::from_hex(key.hex()).value(), key);
  for (const std::string& wrong : {std::string(), std::string(31, 'a'), std::string(33, 'a'), std::string(32, 'A'),
                                   std::string(32, 'g'), key.hex() + " "}) {
    const auto read = CaseKey::from_hex(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
  }
}

TEST(CaseKeys, NeedAJobAndAModelAndOneValueOfEach) {
  EXPECT_FALSE(CaseKey::of(CaseParts().add(KeyPart::job, "check")));
  EXPECT_FALSE(CaseKey::of(CaseParts().add(KeyPart::model, "ab12")));
  EXPECT_TRUE(CaseKey::of(a_check().add(KeyPart::model, "ab12")));
  const auto twice = CaseKey::of(a_check().add(KeyPart::model, "cd34"));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "the part model of a case was given two different values");
  EXPECT_FALSE(CaseKey::of(a_check().add_setting("atol", "1").add_setting("atol", "2")));
}

TEST(CaseKeys, AreInExactlyOneOfSoManyShards) {
  std::vector<int> sizes(3);
  for (int i = 0; i < 300; ++i) {
    const CaseKey key = CaseKey::of(a_check().add(KeyPart::data, std::to_string(i))).value();
    int in = 0;
    for (int shard = 1; shard <= 3; ++shard)
      if (is_in({shard, 3}, key)) {
        ++in;
        ++sizes[static_cast<std::size_t>(shard - 1)];
      }
    EXPECT_EQ(in, 1);
    EXPECT_TRUE(is_in({}, key));
  }
  for (const int size : sizes) EXPECT_GT(size, 70);
}

}  // namespace
}  // namespace culprit
