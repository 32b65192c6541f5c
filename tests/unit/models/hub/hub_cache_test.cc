// A hub on loopback: what it has comes once and is kept; what is wrong is said, and nothing of it is kept.

#include "hub/hub_cache.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/file.h"
#include "base/files_below.h"
#include "base/folder.h"
#include "base/hash.h"
#include "hub/hub_filter.h"
#include "support/loopback_server.h"

namespace culprit {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class Hubs : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& path, const std::string& bytes, const std::string& sha256 = "") {
    files_["/hub/" + path] = bytes;
    models_.push_back({name, {path, sha256.empty() ? sha256_of(bytes) : sha256, bytes.size()}});
  }
  void add_archive(const std::map<std::string, std::string>& entries) {
    const fs::path file = folder_.path() / "packed.tar.gz";
    archive* writer = archive_write_new();
    archive_write_add_filter_gzip(writer);
    archive_write_set_format_pax_restricted(writer);
    archive_write_open_filename(writer, file.c_str());
    for (const auto& [name, bytes] : entries) {
      archive_entry* entry = archive_entry_new();
      archive_entry_set_pathname(entry, name.c_str());
      archive_entry_set_filetype(entry, AE_IFREG);
      archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
      archive_write_header(writer, entry);
      archive_write_data(writer, bytes.data(), bytes.size());
      archive_entry_free(entry);
    }
    archive_write_free(writer);
    const std::string packed = read_file(file).value();
    files_["/hub/packed.tar.gz"] = packed;
    models_.back().with_data = HubFile{"packed.tar.gz", sha256_of(packed), packed.size()};
  }

  RawAnswer answer(const AskedOf& asked) {
    if (is_down_) return {};
    if (asked.path == "/hub/ONNX_HUB_MANIFEST.json") return answer_of("200 OK", as_hub_manifest(models_));
    if (asked.path == "/hub/secret.onnx") return answer_of("401 Unauthorized", "");
    const auto at = files_.find(asked.path);
    return at == files_.end() ? answer_of("404 Not Found", "") : answer_of("200 OK", at->second);
  }

  [[nodiscard]] HubPlace hub() const { return hub_place_of(server_.url("/hub")).value(); }
  [[nodiscard]] HubModel named(const std::string& name) const { return hub_model_named(models_, name).value(); }
  [[nodiscard]] Result<fs::path> model(const std::string& name, NetworkUse network = NetworkUse::allowed) const {
    return cache_.model(hub(), named(name), {network});
  }
  void expect_nothing_kept() const {
    std::error_code error;
    if (!fs::exists(folder_.path() / "cache", error)) return;
    const std::vector<fs::path> files = files_below(folder_.path() / "cache").value();
    for (const fs::path& file : files) EXPECT_EQ(file.extension(), ".lock") << file;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-hub-").value();
  HubCache cache_{folder_.path() / "cache"};
  std::map<std::string, std::string> files_;
  std::vector<HubModel> models_;
  bool is_down_ = false;
  LoopbackServer server_{[this](const AskedOf& asked) { return answer(asked); }};
};

TEST_F(Hubs, AModelComesOnceAndIsKept) {
  add("mnist", "vision/a model.onnx", "bytes");
  files_["/hub/vision/a%20model.onnx"] = "bytes";
  const auto models = cache_.models_of(hub(), {});
  ASSERT_TRUE(models) << models.error().text();
  EXPECT_EQ(models->models.size(), 1U);
  const auto file = model("mnist");
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_THAT(file->string(), EndsWith("/models/" + sha256_of("bytes") + "/a model.onnx"));
  EXPECT_EQ(read_file(*file).value(), "bytes");
  EXPECT_EQ(server_.asked().back().path, "/hub/vision/a%20model.onnx");
}

TEST_F(Hubs, WhatIsInTheCacheNeedsNoNetwork) {
  add("mnist", "mnist.onnx", "bytes");
  EXPECT_THAT(model("mnist", NetworkUse::offline).error().message, HasSubstr("is not in the cache, and --offline"));
  EXPECT_FALSE(cache_.models_of(hub(), {NetworkUse::offline}));
  ASSERT_TRUE(model("mnist"));
  ASSERT_TRUE(cache_.models_of(hub(), {}));
  is_down_ = true;
  const std::size_t before = server_.asked().size();
  EXPECT_TRUE(model("mnist", NetworkUse::offline));
  EXPECT_TRUE(model("mnist"));
  EXPECT_EQ(cache_.models_of(hub(), {NetworkUse::offline})->models.size(), 1U);
  EXPECT_EQ(cache_.models_of(hub(), {})->stale, "") << "it is of today";
  EXPECT_EQ(server_.asked().size(), before);
  HubAccess anew;
  anew.refresh = true;
  EXPECT_THAT(cache_.models_of(hub(), anew)->stale, HasSubstr("no answer from"));
}

TEST_F(Hubs, TestDataLiesBesideItsModel) {
  add("mnist", "mnist.onnx", "bytes");
  EXPECT_EQ(cache_.model_with_data(hub(), named("mnist"), {}).error().kind, ErrorKind::not_found);
  add_archive(
      {{"mnist/m.onnx", "bytes"}, {"mnist/test_data_set_0/input_0.pb", "numbers"}, {"mnist/other.onnx.txt", "x"}});
  const auto file = cache_.model_with_data(hub(), named("mnist"), {});
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(file->filename(), "m.onnx");
  EXPECT_EQ(read_file(file->parent_path() / "test_data_set_0/input_0.pb").value(), "numbers");
  const std::size_t before = server_.asked().size();
  EXPECT_EQ(cache_.model_with_data(hub(), named("mnist"), {NetworkUse::offline}).value(), *file);
  EXPECT_EQ(server_.asked().size(), before);
  add_archive({{"a.txt", "bytes"}});
  EXPECT_THAT(cache_.model_with_data(hub(), named("mnist"), {}).error().message, HasSubstr("holds no model"));
}

TEST_F(Hubs, PathsThatLeaveTheHubAreRefusedBeforeAnybodyIsAsked) {
  for (const std::string path : {"../evil.onnx", "/etc/passwd", "a/../../evil.onnx", "a\\..\\evil.onnx", ".."}) {
    models_ = {{"evil", {path, sha256_of("bytes")}}};
    EXPECT_EQ(model("evil").error().kind, ErrorKind::bad_input) << path;
  }
  EXPECT_TRUE(server_.asked().empty());
  expect_nothing_kept();
}

TEST_F(Hubs, WrongBytesAndRefusalsAreSaidAndNothingIsKept) {
  add("liar", "liar.onnx", "bytes", sha256_of("other"));
  EXPECT_THAT(model("liar").error().message, HasSubstr("was promised"));
  add("secret", "secret.onnx", "bytes");
  EXPECT_THAT(model("secret").error().message, HasSubstr("status 401: it is not for everybody"));
  models_.push_back({"gone", {"gone.onnx", ""}});
  EXPECT_EQ(model("gone").error().kind, ErrorKind::not_found);
  expect_nothing_kept();
}

TEST_F(Hubs, AHubMayBeAFolder) {
  const fs::path folder = folder_.path() / "my hub";
  EXPECT_EQ(hub_place_of(folder.string()).error().kind, ErrorKind::usage);
  ASSERT_TRUE(make_folder(folder / "vision"));
  EXPECT_THAT(hub_place_of(folder.string()).error().hint, HasSubstr("culprit hub index"));
  ASSERT_TRUE(write_file_atomic(folder / "vision/m.onnx", "bytes"));
  const HubModel local{"m", {"vision/m.onnx", sha256_of("bytes")}};
  ASSERT_TRUE(write_file_atomic(folder / hub_manifest_name, as_hub_manifest({local})));
  const auto place = hub_place_of(folder.string() + "/");
  ASSERT_TRUE(place) << place.error().text();
  EXPECT_EQ(cache_.models_of(*place, {NetworkUse::offline})->models.size(), 1U);
  EXPECT_EQ(read_file(cache_.model(*place, local, {}).value()).value(), "bytes");
  EXPECT_FALSE(cache_.model(*place, {"up", {"../packed", ""}}, {}));
}

TEST(HubPlaces, RepositoriesAndAddressesAreOnes) {
  EXPECT_EQ(hub_place_of(onnx_hub)->manifest,
            "https://raw.githubusercontent.com/onnx/models/main/ONNX_HUB_MANIFEST.json");
  EXPECT_EQ(place_of_file(hub_place_of("a/b").value(), "c/d.onnx").value(),
            "https://media.githubusercontent.com/media/a/b/main/c/d.onnx");
  EXPECT_EQ(hub_place_of("https://h/x/ONNX_HUB_MANIFEST.json")->files, "https://h/x");
  EXPECT_EQ(hub_place_of("https://h/x/")->manifest, "https://h/x/ONNX_HUB_MANIFEST.json");
  for (const char* wrong : {"", "a", "a/b/c", "../b", "a/b:", "a b/c", "ftp://h/x"})
    EXPECT_EQ(hub_place_of(wrong).error().kind, ErrorKind::usage) << wrong;
}

}  // namespace
}  // namespace culprit
