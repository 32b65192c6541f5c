// A Hugging Face hub on loopback, and its storage on another: what comes lies as Python lays it, a token goes to the
// hub alone, and what is wrong is said.

#include "hub/hf_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "base/files_below.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "hub/hf_cache.h"
#include "support/loopback_server.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

const std::string commit_of_net(40, 'a');

class HfModels : public ::testing::Test {
 protected:
  /// Files of the large storage have the sha256 that is promised; others git's hash.
  void add_large(const std::string& path, const std::string& bytes, const std::string& sha256 = "") {
    const std::string promised = sha256.empty() ? sha256_of(bytes) : sha256;
    siblings_.push_back({{"rfilename", path},
                         {"size", bytes.size()},
                         {"blobId", std::string(40, 'e')},
                         {"lfs", {{"sha256", promised}, {"size", bytes.size()}}}});
    files_["/org/net/resolve/" + commit_of_net + "/" + path] = bytes;
    is_large_["/org/net/resolve/" + commit_of_net + "/" + path] = true;
  }
  void add_small(const std::string& path, const std::string& bytes, const std::string& git_id) {
    siblings_.push_back({{"rfilename", path}, {"size", bytes.size()}, {"blobId", git_id}});
    files_["/org/net/resolve/" + commit_of_net + "/" + path] = bytes;
  }

  RawAnswer answer(const AskedOf& asked) {
    if (is_down_) return {};
    if (const auto at = instead_.find(asked.path); at != instead_.end()) return at->second;
    if (asked.path == "/api/models/org/net/revision/main?blobs=true")
      return answer_of("200 OK", nlohmann::json{{"id", id_}, {"sha", commit_of_net}, {"siblings", siblings_}}.dump());
    const auto at = files_.find(asked.path);
    if (at == files_.end()) return answer_of("404 Not Found", "", "X-Error-Code: RepoNotFound\r\n");
    if (is_large_.contains(asked.path))
      return answer_of("302 Found", "", "Location: " + storage_.url(asked.path) + "\r\n");
    return answer_of("200 OK", at->second);
  }

  RawAnswer answer_of_storage(const AskedOf& asked) {
    RawAnswer whole = answer_of("200 OK", files_.at(asked.path));
    if (breaks_off_) whole.bytes.resize(whole.bytes.size() - 2);
    return whole;
  }

  [[nodiscard]] HfSettings settings() const { return {hub_.url(""), "secret", folder_.path() / "hub", is_offline_}; }
  [[nodiscard]] Result<HfModel> model(const std::string& word, const HubAccess& access = {}) const {
    return hf_model(hf_name_of(word).value(), settings(), access);
  }
  [[nodiscard]] fs::path repository() const { return folder_.path() / "hub/models--org--net"; }
  [[nodiscard]] fs::path snapshot() const { return repository() / "snapshots" / commit_of_net; }
  /// No file of the model is there, nor a link to one.
  void expect_nothing_kept() const {
    std::error_code error;
    EXPECT_TRUE(!fs::exists(snapshot(), error) || fs::is_empty(snapshot(), error));
    EXPECT_FALSE(fs::exists(repository() / "refs/main", error));
    if (!fs::exists(repository() / "blobs", error)) return;
    const std::vector<fs::path> blobs = files_below(repository() / "blobs").value();
    for (const fs::path& file : blobs) EXPECT_EQ(file.extension(), ".lock") << file;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-hf-").value();
  std::map<std::string, std::string> files_;
  std::map<std::string, bool> is_large_;
  std::map<std::string, RawAnswer> instead_;
  nlohmann::json siblings_ = nlohmann::json::array();
  std::string id_ = "org/net";
  bool is_down_ = false, is_offline_ = false, breaks_off_ = false;
  LoopbackServer storage_{[this](const AskedOf& asked) { return answer_of_storage(asked); }};
  LoopbackServer hub_{[this](const AskedOf& asked) { return answer(asked); }};
};

TEST_F(HfModels, LieAsPythonLaysThem) {
  add_large("onnx/model.onnx", "model");
  add_small("onnx/model.onnx_data", "weights", "3ab313fff6f41bb35969cd359e9ddfb8033b3ac2");
  add_small("config.json", "config", std::string(40, 'd'));
  const auto brought = model("hf:org/net");
  ASSERT_TRUE(brought) << brought.error().text();
  EXPECT_EQ(brought->file, snapshot() / "onnx/model.onnx");
  EXPECT_EQ(brought->moved_to + brought->stale, "");
  EXPECT_EQ(read_file(brought->file).value(), "model");
  EXPECT_EQ(fs::read_symlink(brought->file), "../../../blobs/" + sha256_of("model"));
  EXPECT_EQ(fs::read_symlink(snapshot() / "onnx/model.onnx_data"),
            "../../../blobs/3ab313fff6f41bb35969cd359e9ddfb8033b3ac2");
  EXPECT_EQ(read_file(snapshot() / "onnx/model.onnx_data").value(), "weights");
  EXPECT_EQ(read_file(repository() / "refs/main").value(), commit_of_net);
  EXPECT_FALSE(fs::exists(snapshot() / "config.json"));
  EXPECT_TRUE(path_inside(snapshot() / "onnx", "model.onnx_data")) << "a model may name it";
}

TEST_F(HfModels, BringTheWeightsThatTheModelNames) {
  add_large("onnx/model.onnx", "model");
  add_large("onnx/w.pb", "near");
  add_large("far.pb", "far");
  add_large("onnx/other.pb", "other");
  fs::path asked;
  const WeightNames names = [&](const fs::path& file) {
    asked = file;
    EXPECT_EQ(read_file(file).value(), "model");
    EXPECT_FALSE(fs::exists(snapshot() / "onnx/model.onnx")) << "it has its weights before it has its place";
    return std::vector<std::string>{"w.pb", "../far.pb", "../../leaves.pb", "gone.pb", "model.onnx", ""};
  };
  const auto brought = hf_model(hf_name_of("hf:org/net").value(), settings(), {}, names);
  ASSERT_TRUE(brought) << brought.error().text();
  EXPECT_FALSE(asked.empty());
  EXPECT_EQ(read_file(snapshot() / "onnx/w.pb").value(), "near");
  EXPECT_EQ(read_file(snapshot() / "far.pb").value(), "far");
  EXPECT_FALSE(fs::exists(snapshot() / "onnx/other.pb"));
}

TEST_F(HfModels, WhatPythonBroughtIsFound) {
  ASSERT_TRUE(make_folder(snapshot()));
  ASSERT_TRUE(make_folder(repository() / "blobs"));
  ASSERT_TRUE(make_folder(repository() / "refs/refs/pr"));
  ASSERT_TRUE(write_file_atomic(repository() / "blobs/x", "model"));
  ASSERT_TRUE(write_file_atomic(repository() / "refs/refs/pr/3", commit_of_net));
  fs::create_symlink("../../blobs/x", snapshot() / "m.onnx");
  fs::create_symlink("../../blobs/y", snapshot() / "dangling.onnx");
  is_offline_ = true;
  EXPECT_EQ(model("hf:org/net@refs/pr/3")->file, snapshot() / "m.onnx");
  EXPECT_EQ(model("hf:org/net@refs/pr/3")->stale, "") << "nobody should have been asked";
  EXPECT_THAT(model("hf:org/net@refs/pr/3:dangling.onnx").error().message, HasSubstr("dangling.onnx"));
  is_offline_ = false;
  EXPECT_EQ(model("hf:org/net@" + commit_of_net + ":m.onnx")->file, snapshot() / "m.onnx");
  EXPECT_TRUE(hub_.asked().empty());
}

TEST_F(HfModels, ComeOnceAndTheirTokenGoesToTheHubAlone) {
  add_large("a model.onnx", "model");
  files_["/org/net/resolve/" + commit_of_net + "/a%20model.onnx"] = "model";
  is_large_["/org/net/resolve/" + commit_of_net + "/a%20model.onnx"] = true;
  const auto brought = model("hf:org/net");
  ASSERT_TRUE(brought) << brought.error().text();
  for (const AskedOf& asked : hub_.asked()) EXPECT_EQ(asked.headers.at("authorization"), "Bearer secret") << asked.path;
  ASSERT_EQ(storage_.asked().size(), 1U);
  EXPECT_FALSE(storage_.asked().front().headers.contains("authorization"));
  ASSERT_TRUE(model("hf:org/net"));
  EXPECT_EQ(storage_.asked().size(), 1U);
  EXPECT_EQ(hub_.asked().size(), 3U) << "a branch may be elsewhere now";
}

TEST_F(HfModels, WhereNobodyAnswersTheOlderOneStands) {
  add_large("m.onnx", "model");
  ASSERT_TRUE(model("hf:org/net"));
  is_down_ = true;
  EXPECT_EQ(model("hf:org/net")->file, snapshot() / "m.onnx");
  EXPECT_THAT(model("hf:org/net")->stale, HasSubstr("no answer from"));
  EXPECT_THAT(model("hf:org/net@other").error().message, HasSubstr("no answer from"));
  is_down_ = false;
  const std::string place = "/api/models/org/net/revision/main?blobs=true";
  instead_[place] = answer_of("503 Service Unavailable", "");
  EXPECT_THAT(model("hf:org/net")->stale, HasSubstr("status 503"));
  instead_[place] = answer_of("403 Forbidden", "", "X-Error-Code: GatedRepo\r\n");
  EXPECT_FALSE(model("hf:org/net")) << "that is an answer";
}

TEST_F(HfModels, OfflineNobodyIsAsked) {
  add_large("m.onnx", "model");
  const auto missing = model("hf:org/net:m.onnx", {NetworkUse::offline});
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  EXPECT_THAT(missing.error().message, HasSubstr((repository() / "refs/main").string()));
  EXPECT_THAT(missing.error().message, HasSubstr("hf:org/net:m.onnx is not in the cache"));
  EXPECT_TRUE(hub_.asked().empty());
  ASSERT_TRUE(model("hf:org/net"));
  const std::size_t before = hub_.asked().size();
  EXPECT_TRUE(model("hf:org/net", {NetworkUse::offline}));
  EXPECT_THAT(model("hf:org/net:n.onnx", {NetworkUse::offline}).error().message,
              HasSubstr((snapshot() / "n.onnx").string()));
  EXPECT_EQ(hub_.asked().size(), before);
}

TEST_F(HfModels, RefusalsSayWhatToDo) {
  const std::string place = "/api/models/org/net/revision/main?blobs=true";
  instead_[place] = answer_of("401 Unauthorized", "", "X-Error-Code: GatedRepo\r\n");
  EXPECT_EQ(model("hf:org/net").error().text(),
            "org/net is gated. accept its terms at " + hub_.url("/org/net") + ", then set HF_TOKEN");
  instead_[place] = answer_of("401 Unauthorized", "", "X-Error-Code: RepoNotFound\r\n");
  EXPECT_THAT(model("hf:org/net").error().message,
              HasSubstr("there is no model org/net at " + hub_.url("") + ", or it is private"));
  EXPECT_EQ(model("hf:org/net").error().kind, ErrorKind::not_found);
  instead_[place] = answer_of("401 Unauthorized", "");
  EXPECT_THAT(model("hf:org/net").error().message, HasSubstr("refuses the token"));
  instead_[place] = answer_of("404 Not Found", "", "X-Error-Code: RevisionNotFound\r\n");
  EXPECT_EQ(model("hf:org/net").error().message, "org/net has no revision 'main'");
  instead_.clear();
  add_large("m.onnx", "model");
  instead_["/org/net/resolve/" + commit_of_net + "/m.onnx"] =
      answer_of("403 Forbidden", "", "X-Error-Code: GatedRepo\r\n");
  EXPECT_EQ(model("hf:org/net").error().message, "org/net is gated");
  EXPECT_EQ(model("hf:org/net@a/b").error().kind, ErrorKind::not_found);
  EXPECT_EQ(hub_.asked().back().path, "/api/models/org/net/revision/a%2Fb?blobs=true");
  expect_nothing_kept();
}

TEST_F(HfModels, OneThatMovedIsFoundAndItsNewNameTold) {
  add_large("m.onnx", "model");
  instead_["/api/models/old/revision/main?blobs=true"] =
      answer_of("307 Temporary Redirect", "", "Location: /api/models/org/net/revision/main?blobs=true\r\n");
  const std::string file = "/resolve/" + commit_of_net + "/m.onnx";
  instead_["/old" + file] = answer_of("307 Temporary Redirect", "", "Location: /org/net" + file + "\r\n");
  const auto brought = model("hf:old");
  ASSERT_TRUE(brought) << brought.error().text();
  EXPECT_EQ(brought->moved_to, "org/net");
  EXPECT_EQ(brought->file, folder_.path() / "hub/models--old/snapshots" / commit_of_net / "m.onnx");
  id_ = "../evil";
  EXPECT_EQ(model("hf:org/net")->moved_to, "") << "that is no name";
}

TEST_F(HfModels, OfWrongBytesNothingIsKept) {
  add_large("m.onnx", "model", sha256_of("other"));
  EXPECT_THAT(model("hf:org/net").error().message, HasSubstr("was promised"));
  expect_nothing_kept();
  siblings_ = nlohmann::json::array();
  add_small("n.onnx", "config", std::string(40, 'd'));
  EXPECT_THAT(model("hf:org/net").error().message, HasSubstr("with the git hash"));
  expect_nothing_kept();
  siblings_ = nlohmann::json::array();
  add_large("../evil.onnx", "model");
  EXPECT_EQ(model("hf:org/net").error().kind, ErrorKind::bad_input);
  siblings_ = nlohmann::json::array();
  siblings_.push_back({{"rfilename", "o.onnx"}, {"size", 5}});
  EXPECT_THAT(model("hf:org/net").error().message, HasSubstr("tells no hash"));
  expect_nothing_kept();
}

TEST_F(HfModels, WhatBreaksOffComesAnotherTime) {
  add_large("m.onnx", "model");
  breaks_off_ = true;
  EXPECT_THAT(model("hf:org/net").error().message, HasSubstr("broke off"));
  EXPECT_FALSE(fs::exists(snapshot() / "m.onnx"));
  breaks_off_ = false;
  HubAccess stopped;
  stopped.stop = [] { return true; };
  EXPECT_EQ(model("hf:org/net", stopped).error().kind, ErrorKind::interrupted);
  EXPECT_EQ(read_file(model("hf:org/net")->file).value(), "model");
}

TEST(HfBlobs, HaveTheNamesThatGitGivesThem) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-hf-").value();
  const fs::path file = folder.path() / "file";
  ASSERT_TRUE(write_file_atomic(file, "hello\n"));
  EXPECT_EQ(git_blob_name(file).value(), "ce013625030ba8dba906f756967f9e9ca394464a");
  ASSERT_TRUE(write_file_atomic(file, ""));
  EXPECT_EQ(git_blob_name(file).value(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
}

}  // namespace
}  // namespace culprit
