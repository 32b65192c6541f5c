#include "runtime/find_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/file.h"
#include "runtime/open_runner.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FindRuntime : public ::testing::Test {
 protected:
  FindRuntime() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-find").value()) {
    ::setenv("CULPRIT_CACHE", folder_.path().c_str(), 1);
    ::unsetenv("CULPRIT_RUNTIME");
    ::setenv("LD_LIBRARY_PATH", (folder_.path() / "system").c_str(), 1);
  }

  fs::path put(const fs::path& relative) {
    const fs::path path = folder_.path() / relative;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "not really a library";
    return path;
  }

  TemporaryFolder folder_;
};

TEST_F(FindRuntime, AFileIsItself) {
  const auto file = put("somewhere/any-name");
  EXPECT_EQ(find_onnxruntime(file.string()).value(), file);
}

TEST_F(FindRuntime, AFolderThatHoldsOne) {
  const auto file = put("somewhere/libonnxruntime.so.1.21.0");
  put("somewhere/libonnxruntime_providers_shared.so");
  EXPECT_EQ(find_onnxruntime((folder_.path() / "somewhere").string()).value(), file);
}

TEST_F(FindRuntime, AFolderWithoutItSaysWhatItHoldsAndWhatToDo) {
  for (const char* name : {"a.so", "b.so.1", "c.so", "d.so", "e.so", "__init__.py"}) put(fs::path("capi") / name);
  const auto found = find_onnxruntime((folder_.path() / "capi").string());
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text(), AllOf(HasSubstr("capi holds no libonnxruntime.so.*"),
                                          HasSubstr("(it holds a.so, b.so.1, c.so, d.so and 1 more)"),
                                          HasSubstr("scripts/setup runtime 1.19.2")));
}

TEST_F(FindRuntime, AVersionIsInTheCache) {
  const auto file = put("runtimes/1.22.1/libonnxruntime.so.1.22.1");
  EXPECT_EQ(find_onnxruntime("1.22.1").value(), file);
}

TEST_F(FindRuntime, AMissingVersionTellsHowToGetIt) {
  const auto found = find_onnxruntime("1.19.2");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::not_found);
  EXPECT_THAT(found.error().text(), AllOf(HasSubstr("runtimes/1.19.2"), HasSubstr("scripts/setup runtime 1.19.2")));
}

TEST_F(FindRuntime, WhatOnlyLooksLikeAVersionIsAFile) {
  for (const char* name : {"1.", "1.22.", "1.22.1.so", "v1.22", ".1", "1"})
    EXPECT_THAT(find_onnxruntime(name).error().message, HasSubstr("no ONNX Runtime library at")) << name;
}

TEST_F(FindRuntime, TheEnvironmentComesBeforeTheCacheBeforeTheSystem) {
  const auto system = put("system/libonnxruntime.so.1");
  EXPECT_EQ(find_onnxruntime("").value(), system);
  const auto cached = put("runtimes/1.31.1/libonnxruntime.so.1.31.1");
  fs::create_directory_symlink("1.31.1", folder_.path() / "runtimes/default");
  EXPECT_EQ(fs::canonical(find_onnxruntime("").value()), cached);
  const auto named = put("runtimes/1.22.1/libonnxruntime.so.1.22.1");
  ::setenv("CULPRIT_RUNTIME", "1.22.1", 1);
  EXPECT_EQ(find_onnxruntime("").value(), named);
  ::setenv("CULPRIT_RUNTIME", "/no/such/file", 1);
  EXPECT_THAT(find_onnxruntime("").error().message, AllOf(HasSubstr("CULPRIT_RUNTIME"), HasSubstr("/no/such/file")));
}

TEST_F(FindRuntime, NothingAnywhereNamesEveryPlace) {
  const auto found = find_onnxruntime("");
  if (found) GTEST_SKIP() << "this system has " << *found;
  EXPECT_THAT(found.error().text(),
              AllOf(HasSubstr((folder_.path() / "runtimes/default").string()), HasSubstr("CULPRIT_RUNTIME"),
                    HasSubstr("/usr/lib"), HasSubstr("scripts/setup")));
}

TEST_F(FindRuntime, AWrongFileIsAClearError) {
  const auto text = open_onnxruntime(put("text.so"));
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, AllOf(HasSubstr("cannot load"), HasSubstr("text.so")));
  const auto other = open_onnxruntime("libm.so.6");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("OrtGetApiBase"));
  EXPECT_FALSE(open_onnxruntime(folder_.path() / "missing.so"));
}

}  // namespace
}  // namespace culprit
