// Words for models of the Hugging Face hub, and what the environment says about it.

#include "hub/hf_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/file.h"
#include "hub/hf_settings.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

TEST(HfNames, HaveARevisionAndAFile) {
  const auto name = hf_name_of("hf:org/net-1.5@refs/pr/3:onnx/model q4.onnx");
  ASSERT_TRUE(name) << name.error().text();
  EXPECT_EQ(name->repository, "org/net-1.5");
  EXPECT_EQ(name->revision, "refs/pr/3");
  EXPECT_EQ(name->file, "onnx/model q4.onnx");
  EXPECT_EQ(hf_name_of("hf:gpt2")->revision, "main");
  EXPECT_EQ(hf_name_of("hf:gpt2")->file, "");
  EXPECT_EQ(hf_name_of("hf:a/b:c@d:e.onnx")->file, "c@d:e.onnx") << "only a name may not have such signs";
  for (const char* word : {"hf:gpt2", "hf:a/b@v1.0", "hf:a/b:c.onnx", "hf:a/b@v/1:c/d.onnx"})
    EXPECT_EQ(word_of(hf_name_of(word).value()), word);
  EXPECT_TRUE(is_hf_word("hf:"));
  EXPECT_FALSE(is_hf_word("hub:a"));
}

TEST(HfNames, WhatWouldLeaveTheFolderIsNone) {
  for (const char* word : {"a/b",
                           "hf:",
                           "hf:/b",
                           "hf:a/",
                           "hf:a/b/c",
                           "hf:../b",
                           "hf:a/..",
                           "hf:a/b--c",
                           "hf:a b/c",
                           "hf:a\\b",
                           "hf:.a/b",
                           "hf:a/b@",
                           "hf:a/b@..",
                           "hf:a/b@/v1",
                           "hf:a/b@v//1",
                           "hf:a/b@../../x",
                           "hf:a/b@v\n",
                           "hf:a/b:",
                           "hf:a/b@v:",
                           "hf:a/b:/etc/passwd",
                           "hf:a/b:../c.onnx",
                           "hf:a/b:c/../../d.onnx",
                           "hf:a/b:c\\d.onnx",
                           "hf:a/b:c\x1b.onnx",
                           "hf:a/b:c//d.onnx",
                           "hf:a/b:c/",
                           "hf:a/b:./c"}) {
    const auto name = hf_name_of(word);
    ASSERT_FALSE(name) << word;
    EXPECT_EQ(name.error().kind, ErrorKind::usage);
    EXPECT_THAT(name.error().hint, HasSubstr("such as hf:org/model"));
    EXPECT_EQ(name.error().message.find_first_of("\n\x1b"), std::string::npos) << word;
  }
}

Result<HfSettings> settings_in(const std::map<std::string, std::string>& environment) {
  return hf_settings_of([&](const std::string& name) {
    const auto at = environment.find(name);
    return at == environment.end() ? "" : at->second;
  });
}

TEST(HfSettingsOfTheEnvironment, AreThoseOfPython) {
  EXPECT_EQ(settings_in({{"HOME", "/home/me"}})->cache, "/home/me/.cache/huggingface/hub");
  EXPECT_EQ(settings_in({{"HOME", "/home/me"}})->endpoint, "https://huggingface.co");
  EXPECT_EQ(settings_in({{"HOME", "/home/me"}, {"XDG_CACHE_HOME", "/x"}})->cache, "/x/huggingface/hub");
  EXPECT_EQ(settings_in({{"HOME", "/home/me"}, {"XDG_CACHE_HOME", "/x"}, {"HF_HOME", "~/hf"}})->cache,
            "/home/me/hf/hub");
  EXPECT_EQ(settings_in({{"HF_HOME", "/hf"}, {"HF_HUB_CACHE", "/models"}})->cache, "/models");
  EXPECT_EQ(settings_in({{"HF_HOME", "/hf"}, {"HF_ENDPOINT", "http://mirror/hf/ "}})->endpoint, "http://mirror/hf");
  EXPECT_EQ(settings_in({{"HF_HOME", "/hf"}, {"HF_ENDPOINT", "mirror"}}).error().kind, ErrorKind::usage);
  EXPECT_EQ(settings_in({}).error().kind, ErrorKind::usage);
  for (const char* yes : {"1", "true", "YES", "on"})
    EXPECT_TRUE(settings_in({{"HF_HOME", "/hf"}, {"HF_HUB_OFFLINE", yes}})->is_offline) << yes;
  for (const char* no : {"", "0", "false", "off", "11"})
    EXPECT_FALSE(settings_in({{"HF_HOME", "/hf"}, {"HF_HUB_OFFLINE", no}})->is_offline) << no;
}

TEST(HfSettingsOfTheEnvironment, ATokenIsNamedOrLiesInAFile) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-hf-").value();
  const std::string home = folder.path().string(), other = (folder.path() / "other").string();
  EXPECT_EQ(settings_in({{"HF_HOME", home}})->token, "");
  ASSERT_TRUE(write_file_atomic(folder.path() / "token", " of_home\r\n"));
  ASSERT_TRUE(write_file_atomic(other, "of_path\nX-Evil: 1\n"));
  EXPECT_EQ(settings_in({{"HF_HOME", home}})->token, "of_home");
  EXPECT_EQ(settings_in({{"HF_HOME", home}, {"HF_TOKEN_PATH", other}})->token, "of_pathX-Evil:1") << "one line";
  EXPECT_EQ(settings_in({{"HF_HOME", home}, {"HF_TOKEN_PATH", other}, {"HF_TOKEN", " named\n"}})->token, "named");
}

}  // namespace
}  // namespace culprit
