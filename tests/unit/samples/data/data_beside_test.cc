// Data that culprit.yaml beside a model names: they lie in its folder, whatever the file and the links in it say.
#include "data/data_beside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"

namespace culprit {
namespace {

using testing::HasSubstr;

class DataBeside : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder() / "pictures/a");
    fs::create_directories(outside() / "more");
    for (const fs::path& file : {folder() / "labels.csv", folder() / "pictures/a/1.png", outside() / "more/secret.png"})
      ASSERT_TRUE(write_file_atomic(file, "x"));
  }

  [[nodiscard]] fs::path folder() const { return all_.path() / "model"; }
  [[nodiscard]] fs::path outside() const { return all_.path() / "elsewhere"; }

  [[nodiscard]] Result<DataSetOptions> read(const std::string& yaml, const DataSetOptions& given = {}) const {
    EXPECT_TRUE(write_file_atomic(folder() / "culprit.yaml", yaml));
    Model model;
    model.path = folder() / "model.onnx";
    return with_data_beside(model, given);
  }

  [[nodiscard]] std::string refusal(const std::string& yaml) const {
    const auto found = read(yaml);
    if (found) return "taken: " + found->data.data.string();
    EXPECT_EQ(found.error().kind, ErrorKind::bad_input);
    return found.error().text();
  }

  TemporaryFolder all_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-").value();
};

TEST_F(DataBeside, LieInTheFolderOfTheModel) {
  const auto found = read("task: classification\ndata: pictures\nlabels: labels.csv\n");
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->data.data, folder() / "pictures");
  EXPECT_EQ(found->labels, folder() / "labels.csv");
  EXPECT_EQ(read("task: classification\n")->data.data, "");
}

TEST_F(DataBeside, WhatTheCommandNamesCounts) {
  DataSetOptions given;
  given.data.data = outside();
  const auto found = read("data: pictures\nlabels: labels.csv\n", given);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->data.data, outside());
  EXPECT_EQ(found->labels, "") << "labels of other data";
  given.data.data.clear();
  given.labels = outside() / "labels.csv";
  EXPECT_EQ(read("data: pictures\nlabels: labels.csv\n", given)->labels, given.labels);
}

TEST_F(DataBeside, NoPathLeavesTheFolder) {
  EXPECT_THAT(refusal("data: ../elsewhere\n"), HasSubstr("line 1: 'data'"));
  EXPECT_THAT(refusal("data: pictures/../../elsewhere\n"), HasSubstr("line 1: 'data'"));
  EXPECT_THAT(refusal("data: " + outside().string() + "\n"), HasSubstr("line 1: 'data'"));
  EXPECT_THAT(refusal("data: pictures\nlabels: ../elsewhere/more/secret.png\n"), HasSubstr("line 2: 'labels'"));
  fs::create_directory_symlink(outside(), folder() / "away");
  EXPECT_THAT(refusal("data: away\n"), HasSubstr("line 1: 'data'"));
  EXPECT_THAT(refusal("data: away/more\n"), HasSubstr("line 1: 'data'"));
}

TEST_F(DataBeside, NoLinkInTheDataLeadsOut) {
  fs::create_symlink(outside() / "more/secret.png", folder() / "pictures/a/2.png");
  EXPECT_THAT(refusal("data: pictures\n"), HasSubstr("2.png is a link that leads out of the model's folder"));
  fs::remove(folder() / "pictures/a/2.png");
  fs::create_directory_symlink("../../../elsewhere", folder() / "pictures/a/up");
  EXPECT_THAT(refusal("data: pictures\n"), HasSubstr("up is a link that leads out"));
}

/// The picture walk follows links, and so one inside may lead to another that leads out.
TEST_F(DataBeside, LinksInsideAreFollowedAndMayGoRound) {
  fs::create_directory(folder() / "others");
  fs::create_directory_symlink("../others", folder() / "pictures/b");
  fs::create_directory_symlink("..", folder() / "pictures/round");
  EXPECT_TRUE(read("data: pictures\n"));
  fs::create_symlink(outside() / "more/secret.png", folder() / "others/3.png");
  EXPECT_THAT(refusal("data: pictures\n"), HasSubstr("3.png is a link that leads out"));
}

TEST_F(DataBeside, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(refusal("task: classification\ndata: photos\n"), HasSubstr("line 2: 'data': there is no "));
  EXPECT_THAT(refusal("labels: labels.csv\n"), HasSubstr("'labels' without 'data'"));
  EXPECT_THAT(refusal("data: [pictures]\n"), HasSubstr("line 1: 'data' must be one word"));
  EXPECT_THAT(refusal("dat: pictures\ntask: x\n"), HasSubstr("did you mean 'data'?"));
}

}  // namespace
}  // namespace culprit
