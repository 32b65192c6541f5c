// What culprit.yaml may say of the task, and what it may not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "task/read_task_description.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TaskDescriptions : public ::testing::Test {
 protected:
  Result<TaskDescription> read(const std::string& text) {
    return read_task_description(text, "culprit.yaml", folder_.path());
  }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file_atomic(folder_.path() / name, text));
  }
  std::string complaint(const std::string& text) {
    const auto description = read(text);
    EXPECT_FALSE(description) << text;
    EXPECT_TRUE(description || description.error().kind == ErrorKind::bad_input);
    return description ? "" : description.error().text();
  }
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-task").value();
};

TEST_F(TaskDescriptions, TaskClassesAndDetector) {
  const auto all = read("preprocess: yolo\ntask: detection\nclasses: [cat, dog]\ndetector: yolov8\n");
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->task, "detection");
  EXPECT_THAT(all->classes, ElementsAre("cat", "dog"));
  EXPECT_EQ(all->detector->name, "yolov8");
  const auto none = read("preprocess: yolo\n");
  EXPECT_EQ(none->task, "");
  EXPECT_TRUE(none->classes.empty() && !none->detector);
  EXPECT_TRUE(read("- a list\n"));
  EXPECT_EQ(read("detector: ultraface\n")->task, "detection") << "a detector alone says what the task is";
  EXPECT_EQ(read("task: tensor\ndetector: ultraface\n")->task, "tensor");
}

TEST_F(TaskDescriptions, FilesLieBeside) {
  write("names.txt", "cat\ndog \n\n");
  write("mine.yaml", "name: mine\nform: lists\nbox: corners\n");
  const auto read_them = read("classes: names.txt\ndetector: mine.yaml\n");
  ASSERT_TRUE(read_them) << read_them.error().text();
  EXPECT_THAT(read_them->classes, ElementsAre("cat", "dog"));
  EXPECT_EQ(read_them->detector->name, "mine");
  EXPECT_THAT(complaint("classes: /etc/passwd\n"), HasSubstr("line 1: 'classes'"));
  EXPECT_THAT(complaint("classes: ../names.txt\n"), HasSubstr("line 1: 'classes'"));
  EXPECT_THAT(complaint("classes: nothing.txt\n"), HasSubstr("nothing.txt"));
  EXPECT_THAT(complaint("detector: ../mine.yaml\n"), HasSubstr("line 1: 'detector'"));
  write("broken.yaml", "name: mine\nform: list\n");
  EXPECT_THAT(complaint("detector: broken.yaml\n"), HasSubstr("broken.yaml: line 2"));
}

TEST_F(TaskDescriptions, KeysThatNobodyKnowsAndDoubledOnesAreErrors) {
  EXPECT_THAT(complaint("preprocess: yolo\nclases: [cat]\n"), HasSubstr("line 2: there is no key 'clases'; did you"));
  EXPECT_THAT(complaint("task: tensor\nresize: 224\n"), HasSubstr("line 2: there is no key 'resize'"));
  EXPECT_THAT(complaint("task: tensor\ntask: detection\n"), HasSubstr("line 2: 'task' is there twice"));
  EXPECT_TRUE(read("resize: 224\n")) << "all about images";
}

TEST_F(TaskDescriptions, ItStartsNoProgram) {
  EXPECT_THAT(complaint("task: tensor\ncomparator: ./mine.py\n"), HasSubstr("line 2: 'comparator' cannot stand here"));
  EXPECT_FALSE(describes_task("preprocess: yolo\n"));
}

TEST_F(TaskDescriptions, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(complaint("task: classify\n"), HasSubstr("line 1: there is no task 'classify'"));
  EXPECT_THAT(complaint("task: detecton\n"), HasSubstr("did you mean 'detection'?"));
  EXPECT_THAT(complaint("task: [a, b]\n"), HasSubstr("must be one word or line"));
  EXPECT_THAT(complaint("classes: [[a], b]\n"), HasSubstr("line 1: 'classes' must be a list of names"));
  EXPECT_THAT(complaint("classes: []\n"), HasSubstr("'classes' must be a list"));
  EXPECT_THAT(complaint("detector: yolov9x\n"), HasSubstr("there is no detector 'yolov9x'"));
  EXPECT_THAT(complaint("task: [\n"), HasSubstr("no YAML that makes sense"));
  EXPECT_TRUE(describes_task("classes: [a]\n"));
}

}  // namespace
}  // namespace culprit
