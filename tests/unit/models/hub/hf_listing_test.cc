// What a server tells of a repository, right and wrong, and which of its files is the model.

#include "hub/hf_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string listing_with(const std::string& siblings) {
  return R"({"id": "org/net", "sha": ")" + std::string(40, 'a') + R"(", "siblings": )" + siblings + "}";
}

TEST(HfListings, TellTheHashOfEachFile) {
  const std::string sha256(64, 'b'), git_id(40, 'c');
  const auto listing = hf_listing_of(
      listing_with(R"([{"rfilename": "m.onnx", "size": 9, "blobId": ")" + git_id + R"(", "lfs": {"sha256": ")" +
                   sha256 + R"(", "size": 7}}, {"rfilename": "a/b", "size": 3, "blobId": ")" + git_id +
                   R"("}, {"rfilename": "c", "size": -3, "blobId": "../x", "lfs": null}])"),
      "here");
  ASSERT_TRUE(listing) << listing.error().text();
  EXPECT_EQ(listing->repository, "org/net");
  EXPECT_EQ(listing->commit, std::string(40, 'a'));
  ASSERT_EQ(listing->files.size(), 3U);
  EXPECT_EQ(listing->files[0].sha256, sha256);
  EXPECT_EQ(listing->files[0].git_id, "") << "it is that of a text which stands for the file";
  EXPECT_EQ(listing->files[0].bytes, 7U);
  EXPECT_EQ(listing->files[1].git_id, git_id);
  EXPECT_EQ(listing->files[1].bytes, 3U);
  EXPECT_EQ(listing->files[2].git_id, "");
  EXPECT_FALSE(listing->files[2].bytes);
}

TEST(HfListings, WhatIsNoneIsSaid) {
  for (const std::string text :
       {"", "[", "3", "{}", "<html>", R"({"sha": "main", "siblings": []})", R"({"sha": 3, "siblings": []})"})
    EXPECT_THAT(hf_listing_of(text, "here").error().message, HasSubstr("here does not tell the files")) << text;
  EXPECT_FALSE(hf_listing_of(listing_with("{}"), "here"));
  for (const char* path : {"../evil.onnx", "/etc/passwd", "a/../../b", "a\\\\b", "", "a\\nb"}) {
    const auto listing = hf_listing_of(listing_with(R"([{"rfilename": ")" + std::string(path) + R"("}])"), "here");
    ASSERT_FALSE(listing) << path;
    EXPECT_EQ(listing.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(listing.error().message, HasSubstr("outside of the repository"));
  }
  EXPECT_FALSE(hf_listing_of(listing_with(R"([3, {"rfilename": 3}])"), "here"));
}

TEST(HfListings, TheOnlyModelIsMeantOrTheUsualOne) {
  const HfName name{"org/net"};
  EXPECT_EQ(hf_file_meant(name, {"a.txt", "b/c.onnx"}).value(), "b/c.onnx");
  EXPECT_EQ(hf_file_meant(name, {"a.onnx", "model.onnx"}).value(), "model.onnx");
  EXPECT_EQ(hf_file_meant(name, {"model.onnx", "onnx/model.onnx"}).value(), "onnx/model.onnx");
  const auto several = hf_file_meant(name, {"b.onnx", "a.onnx"});
  EXPECT_EQ(several.error().kind, ErrorKind::usage);
  EXPECT_EQ(several.error().message, "hf:org/net has 2 files that could be meant: a.onnx, b.onnx");
  EXPECT_EQ(several.error().hint, "name one: hf:org/net:a.onnx");
  std::vector<std::string> many;
  for (int i = 10; i < 40; ++i) many.push_back(std::to_string(i) + ".onnx");
  EXPECT_THAT(hf_file_meant(name, many).error().message, HasSubstr("has 30 files"));
  EXPECT_THAT(hf_file_meant(name, many).error().message, HasSubstr("29.onnx, ..."));
  EXPECT_EQ(hf_file_meant(name, {"a.txt"}).error().kind, ErrorKind::not_found);
}

TEST(HfListings, ANamedFileIsThatOneOrNone) {
  const HfName name{"org/net", "main", "onnx/modl.onnx"};
  EXPECT_EQ(hf_file_meant(name, {"onnx/modl.onnx", "model.onnx"}).value(), "onnx/modl.onnx");
  const auto missing = hf_file_meant(name, {"config.json", "onnx/model.onnx"});
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  EXPECT_EQ(missing.error().message, "hf:org/net has no file onnx/modl.onnx; did you mean onnx/model.onnx?");
}

TEST(HfListings, WeightsAreThoseBesideTheModel) {
  EXPECT_THAT(hf_weights_of("onnx/m.onnx",
                            {"m.onnx_data", "onnx/m.onnx", "onnx/m.onnx_data", "onnx/m.onnx_data_12",
                             "onnx/m.onnx_data_", "onnx/m.onnx_data_x", "onnx/m.onnx.data", "onnx/m.data", "onnx/m.bin",
                             "onnx/m.weights", "onnx/m_q4.onnx_data", "onnx/other.bin", "onnx/m.onnx_data/x"}),
              ElementsAre("onnx/m.onnx_data", "onnx/m.onnx_data_12", "onnx/m.onnx.data", "onnx/m.data", "onnx/m.bin",
                          "onnx/m.weights"));
}

}  // namespace
}  // namespace culprit
