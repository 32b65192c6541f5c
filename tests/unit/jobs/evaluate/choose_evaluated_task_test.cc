// Which task is taken where nobody names one, and the data tell what is right.
#include "evaluate/choose_evaluated_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TaskOfData : public ::testing::Test {
 protected:
  /// "speech: why".
  std::string chosen(const std::string& named = "") {
    SampleOutputs example{.truth = &truth_, .reference = outputs_, .variant = outputs_};
    example.text = text_;
    const auto task = choose_evaluated_task({named, {}, described_}, settings_, example);
    return task ? task->task->name() + ": " + task->reason : task.error().text();
  }

  std::vector<NamedTensor> outputs_{
      {"out", Tensor::of<float>({1, 4, 3}, {5, 0, 0, 0, 9, 0, 0, 0, 7, -2, 0, 0})}};  // of no name that tells
  TaskSettings settings_{.class_names = {"<pad>", "a", "b"}};
  std::string described_;
  Truth truth_;
  SampleText* text_ = nullptr;
};

TEST_F(TaskOfData, WordsThatWereSaidAreSpeech) {
  EXPECT_THAT(chosen(), Not(HasSubstr("speech")));
  truth_.texts = std::vector<std::string>{"ab"};
  EXPECT_EQ(chosen(), "speech: task speech: it is known what was said, and 'classes' names the characters");
  EXPECT_EQ(chosen("tensor"), "tensor: as the command says");
}

TEST_F(TaskOfData, WithoutNamesOfCharactersNothingIsHeard) {
  truth_.texts = std::vector<std::string>{"ab"};
  settings_.class_names.clear();
  EXPECT_THAT(chosen(), Not(HasSubstr("speech")));
}

TEST_F(TaskOfData, TheAnswerToATextIsNotHeard) {
  truth_.texts = std::vector<std::string>{"ab"};
  SampleText text;
  text_ = &text;
  EXPECT_THAT(chosen(), Not(HasSubstr("speech")));
}

TEST_F(TaskOfData, SeveralClassesAtOnceAreAskedOneByOne) {
  truth_.classes = std::vector<std::int64_t>{0, 2};
  outputs_ = {{"out", Tensor::of<float>({1, 3}, {1, 0, 1})}};
  EXPECT_THAT(chosen(), HasSubstr("multi_label: task multi_label: the labels say"));
}

TEST_F(TaskOfData, AThresholdIsForTheTaskThatFitsAndTakesOne) {
  settings_.threshold = 0.3;
  outputs_ = {{"mask", Tensor::of<float>({1, 1, 8, 8}, std::vector<float>(64, 0.5F))}};
  EXPECT_EQ(chosen(), "segmentation: what is above 0.3 counts, as --threshold says");
  outputs_ = {{"output", Tensor::of<float>({59, 1, 1}, std::vector<float>(59, 0.5F))}};
  EXPECT_EQ(chosen("auto"), "events: what is above 0.3 counts, as --threshold says");
  truth_.classes = std::vector<std::int64_t>{0, 2};
  outputs_ = {{"out", Tensor::of<float>({1, 3}, {1, 0, 1})}};
  EXPECT_EQ(chosen(), "multi_label: what is above 0.3 counts, as --threshold says");
  described_ = "classification";
  EXPECT_THAT(chosen(), HasSubstr("and culprit.yaml beside the model says classification"));
}

TEST_F(TaskOfData, NoTaskReadsAState) {
  outputs_ = {{"y", Tensor::of<float>({2, 1, 3}, {1, 2, 3, 4, 5, 6})}, {"memory", Tensor::of<float>({1, 2}, {8, 9})}};
  EXPECT_THAT(chosen(), HasSubstr("'memory' has rows of numbers"));
  settings_.fed_back = {"memory"};
  EXPECT_THAT(chosen(), Not(HasSubstr("memory")));
  EXPECT_THAT(chosen("classification"), HasSubstr("'memory' (fed back)"));
}

}  // namespace
}  // namespace culprit
