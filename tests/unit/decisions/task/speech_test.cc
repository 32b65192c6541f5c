// What a CTC model heard: how frames become text, when two texts differ, and how errors are counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "support/not_numbers.h"
#include "task/best_score.h"
#include "text/error_rate.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using Names = std::vector<std::string>;

const Names letters{"<pad>", "<unk>", "|", "A", "B"};

/// Frames in which these classes have 3, and all others 0: [1,T,classes].
Outputs frames_of_best(const std::vector<std::size_t>& best, std::size_t classes) {
  Floats scores(best.size() * classes);
  for (std::size_t frame = 0; frame < best.size(); ++frame) scores[frame * classes + best[frame]] = 3;
  return output_of("logits", {1, static_cast<std::int64_t>(best.size()), static_cast<std::int64_t>(classes)}, scores);
}

std::string heard_text(const std::vector<std::size_t>& best, std::size_t classes, const Names& names) {
  const Outputs outputs = frames_of_best(best, classes);
  TaskSettings settings;
  settings.class_names = names;
  const auto task = make_task("speech", facts_of(outputs), settings).value();
  return task->tell(**task->decide(outputs), nullptr).label;
}

DecisionChange change_between(const Outputs& reference, const Outputs& variant, const Names& names = letters) {
  TaskSettings settings;
  settings.class_names = names;
  const auto task = make_task("speech", facts_of(reference), settings).value();
  return task->change(**task->decide(reference), **task->decide(variant)).value();
}

TEST(Speech, RepeatsBecomeOneAndBlanksGo) {
  EXPECT_EQ(heard_text({0, 3, 3, 0, 3, 4, 4, 2, 2, 4, 0, 2}, 5, letters), "AAB B");
  EXPECT_EQ(heard_text({0, 0}, 5, letters), "");
  EXPECT_EQ(heard_text({3, 1, 3}, 5, letters), "AA");  // <unk> divides, and is not said
}

TEST(Speech, OfEqualScoresTheSmallerIndexIsHeard) {
  const Outputs outputs = output_of("logits", {1, 5}, {0, 0, 0, 2, 2});
  const auto task = make_task("speech", facts_of(outputs), {.class_names = letters}).value();
  EXPECT_EQ(task->tell(**task->decide(outputs), nullptr).label, "A");
}

TEST(Speech, TheBlankIsKnownByItsNameElseByItsPlace) {
  EXPECT_EQ(heard_text({0, 1, 0, 1, 2}, 3, {"A", "B", "[PAD]"}), "ABAB");
  EXPECT_EQ(heard_text({0, 1, 0, 1, 2}, 3, {"A", "_", "C"}), "AAC");
  EXPECT_EQ(heard_text({0, 1, 0, 1, 2}, 3, {"A", "", "C"}), "AAC");
  EXPECT_EQ(heard_text({0, 1, 2, 1, 0, 2}, 3, {"A", "B"}), "ABBA");  // the last one has no name
  EXPECT_EQ(heard_text({1, 0, 1, 2}, 3, {"", "B"}), "B B");          // a space that a file of names lost
  EXPECT_EQ(heard_text({0, 1, 0, 1, 2}, 3, {"A", "B", "C"}), "BBC");
  EXPECT_EQ(heard_text({1, 2, 0}, 3, {"<blk>", "\xE2\x96\x81to", "\xE2\x96\x81go"}), "to go");
}

TEST(Speech, WithoutNamesNumbersOfClassesStandForWords) {
  EXPECT_EQ(heard_text({0, 3, 3, 0, 12}, 13, {}), "3 12");
  const auto a = frames_of_best({0, 3, 0, 4}, 5), b = frames_of_best({0, 3, 0, 0}, 5);
  MadeSample sample{a, b, {}};
  sample.truth.texts = {"AB"};
  const DecisionRecord record = compared("speech", {sample});
  EXPECT_DOUBLE_EQ(record.metrics.at("wer").value, 0.5);
  EXPECT_FALSE(record.metrics.contains("cer"));
  EXPECT_EQ(record.labelled, 0);
}

TEST(Speech, TheMarginIsThatOfTheFrameWhereTheReferenceWasSurest) {
  const Outputs a = output_of("logits", {3, 5}, {9, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 2, 7});
  const Outputs b = output_of("logits", {3, 5}, {9, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 9, 7});
  const DecisionChange change = change_between(a, b);
  EXPECT_TRUE(change.changed);
  EXPECT_DOUBLE_EQ(change.margin, 5);
  EXPECT_EQ(change.reference, "\"AB\"");
  EXPECT_EQ(change.variant, "\"BA\"");
}

TEST(Speech, OtherFramesOfTheSameTextAreNoChange) {
  const DecisionChange change = change_between(frames_of_best({0, 3, 3, 0}, 5), frames_of_best({0, 0, 3, 3}, 5));
  EXPECT_FALSE(change.changed);
  EXPECT_EQ(change.margin, 0);
}

TEST(Speech, ATextMayTakeAnotherNumberOfFrames) {
  const Outputs two = frames_of_best({0, 3}, 5), three = frames_of_best({0, 3, 3}, 5), other = frames_of_best({4}, 5);
  EXPECT_FALSE(change_between(two, three).changed);
  const DecisionChange change = change_between(two, other);
  EXPECT_TRUE(change.changed);
  EXPECT_EQ(change.margin, lost_decision) << "rounding makes no other number of frames";
  EXPECT_DOUBLE_EQ(compared("speech", {{two, three, {}}}).metrics.at("wer").value, 0);
}

TEST(Speech, NanIsNoText) {
  const Outputs a = frames_of_best({3, 0}, 5);
  Floats lost(10);
  lost[7] = nan_f;
  const Outputs b = output_of("logits", {1, 2, 5}, lost);
  EXPECT_TRUE(change_between(a, b).changed);
  EXPECT_EQ(change_between(a, b).margin, infinity_f);
  EXPECT_EQ(change_between(a, b).variant, "no text can be read (NaN)");
  EXPECT_TRUE(change_between(b, b).is_undecided);
  EXPECT_FALSE(change_between(b, b).changed);
  MadeSample sample{a, b, {}};
  sample.truth.texts.emplace();  // it is right to say nothing, but the variant says no such thing
  const DecisionRecord record = compared("speech", {sample}, {.class_names = letters});
  EXPECT_EQ(record.variant_against_labels.at("exact_match").value, 0);
  EXPECT_EQ(record.metrics.at("wer").value, 1);
}

TEST(Speech, ErrorsAreThoseOfAllSamplesOverTheirWords) {
  Random random(5);
  std::vector<MadeSample> samples;
  std::array<ErrorCount, 3> words, characters;
  TaskSettings settings;
  settings.class_names = letters;
  for (int i = 0; i < 40; ++i) {
    std::vector<std::size_t> one(30), other;
    for (auto& best : one) best = static_cast<std::size_t>(random.between(0, 4));
    other = one;
    for (auto& best : other)
      if (random.uniform() < 0.2) best = static_cast<std::size_t>(random.between(0, 4));
    const std::string a = heard_text(one, 5, letters), b = heard_text(other, 5, letters), said = "A" + b + " BA";
    const std::array<std::pair<std::string, std::string>, 3> pairs{{{a, b}, {said, a}, {said, b}}};
    for (std::size_t k = 0; k < 3; ++k) {
      words[k] += word_errors(pairs[k].first, pairs[k].second);
      characters[k] += character_errors(pairs[k].first, pairs[k].second);
    }
    samples.push_back({frames_of_best(one, 5), frames_of_best(other, 5), {}});
    samples.back().truth.label = said;
  }
  const DecisionRecord record = compared("speech", samples, settings);
  const std::array all{&record.metrics, &record.reference_against_labels, &record.variant_against_labels};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(all[k]->at("wer").value, words[k].rate(), 1e-12) << k;
    EXPECT_NEAR(all[k]->at("cer").value, characters[k].rate(), 1e-12) << k;
  }
  EXPECT_EQ(record.labelled, 40);
  EXPECT_EQ(record.label_changes.both_wrong, record.changed);
}

TEST(Speech, WhereNothingWasSaidTheRateIsTheNumberOfErrors) {
  const DecisionRecord record =
      compared("speech", {{frames_of_best({0, 0, 0}, 5), frames_of_best({3, 2, 4}, 5), {}}}, {.class_names = letters});
  EXPECT_EQ(record.metrics.at("wer").value, 2);
  EXPECT_GE(record.metrics.at("wer").high, 2);
}

TEST(Speech, TellsWhichClassIsTheBlank) {
  const auto about = [](std::int64_t classes, const Names& names) {
    const Outputs outputs = frames_of_best({0}, static_cast<std::size_t>(classes));
    return make_task("speech", facts_of(outputs), {.class_names = names}).value()->about()[0];
  };
  EXPECT_THAT(about(5, letters), HasSubstr("; blank: <pad>"));
  EXPECT_THAT(about(6, {"A", "B", "C", "D", "E"}), HasSubstr("; blank: class 5"));
  EXPECT_THAT(about(2, {"A", "B"}), HasSubstr("; blank: A"));
  EXPECT_THAT(about(2, {"A", ""}), HasSubstr("; blank: class 1"));
  EXPECT_THAT(about(2, {}), HasSubstr("; blank: class 0"));
}

TEST(Speech, IsChosenWhereTheClassesHaveNamesAndTheFramesAreOpen) {
  const auto chosen_for = [](const std::string& name, const Shape& shape, const Names& names) {
    const TaskChoice choice =
        choose_task(std::vector<OutputFacts>{{name, DType::f32, shape}}, {}, {.class_names = names});
    return choice.is_sure ? choice.task->name() : "unsure";
  };
  EXPECT_EQ(chosen_for("logits", {1, -1, 5}, letters), "speech");
  EXPECT_EQ(chosen_for("log_probs", {-1, -1, 6}, letters), "speech");
  EXPECT_NE(chosen_for("logits", {1, 20, 5}, letters), "speech");
  EXPECT_NE(chosen_for("logits", {1, -1, 5}, {}), "speech");
  EXPECT_NE(chosen_for("logits", {1, -1, 7}, letters), "speech");
  EXPECT_NE(chosen_for("out", {1, -1, 5}, letters), "speech");
}

TEST(Speech, RefusesWhatItCannotRead) {
  const auto refusal = [](const Outputs& outputs, const Names& names) {
    const auto task = make_task("speech", facts_of(outputs), {.class_names = names});
    return task ? std::string() : task.error().text();
  };
  EXPECT_THAT(refusal(output_of("out", {2, 2, 5}, Floats(20)), letters), HasSubstr("'out' float32[2,2,5]"));
  EXPECT_THAT(refusal(output_of("out", {2, 9}, Floats(18)), letters),
              HasSubstr("has 9 classes, and 'classes' names 5"));
  EXPECT_THAT(refusal(output_of("out", {2, 4}, Floats(8)), letters), HasSubstr("has 4 classes, and 'classes' names 5"));
  EXPECT_THAT(refusal(output_of("out", {2, 0}, {}), {}), HasSubstr("speech wants"));
  EXPECT_EQ(refusal(output_of("out", {0, 5}, {}), letters), "");
}

}  // namespace
}  // namespace culprit
