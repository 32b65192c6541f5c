#include "base/base64.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

std::vector<std::byte> bytes_in(std::string_view text) {
  std::vector<std::byte> bytes;
  for (const char one : text) bytes.push_back(static_cast<std::byte>(one));
  return bytes;
}

TEST(Base64, IsThatOfTheStandardAndIsReadBack) {
  const std::pair<const char*, const char*> known[]{{"", ""},
                                                    {"f", "Zg=="},
                                                    {"fo", "Zm8="},
                                                    {"foo", "Zm9v"},
                                                    {"foob", "Zm9vYg=="},
                                                    {"fooba", "Zm9vYmE="},
                                                    {"\xFF\xFE", "//4="},
                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : known) {
    EXPECT_EQ(base64_of(bytes_in(plain)), text);
    EXPECT_EQ(bytes_of_base64(text), bytes_in(plain)) << text;
  }
}

TEST(Base64, AnythingElseIsNone) {
  for (const char* text : {"Zg", "Zg=", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "Z===", "====", "Zg==Zg==", "Zm-_", "=Zm9"})
    EXPECT_FALSE(bytes_of_base64(text)) << text;
}

}  // namespace
}  // namespace culprit
