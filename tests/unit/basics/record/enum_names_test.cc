#include "record/enum_names.h"

#include <gtest/gtest.h>

#include "record/costs.h"
#include "record/level_words.h"

namespace culprit {
namespace {

TEST(Words, VerdictsAreSpelledAsInReports) {
  EXPECT_EQ(name_of(Verdict::unchanged), "unchanged");
  EXPECT_EQ(name_of(Verdict::interface_changed), "interface_changed");
  EXPECT_EQ(name_of(Verdict::optimizer_crashed), "optimizer_crashed");
  EXPECT_EQ(name_of(Verdict::timed_out), "timed_out");
  EXPECT_EQ(name_of(Verdict::out_of_memory), "out_of_memory");
  EXPECT_EQ(name_of(Verdict::inconclusive), "inconclusive");
}

TEST(Words, PeopleReadOthersThanMachines) {
  EXPECT_EQ(reader_word(Verdict::equivalent), "ok");
  EXPECT_EQ(reader_word(Verdict::deviates), "small difference");
  EXPECT_EQ(reader_word(Verdict::diverged), "wrong");
  for (int i = 0; i <= static_cast<int>(Verdict::inconclusive); ++i)
    EXPECT_EQ(reader_word(static_cast<Verdict>(i)).find('_'), std::string_view::npos);
  EXPECT_EQ(reader_word(DataSource::synthesized), "random inputs");
  EXPECT_EQ(reader_word(DataSource::pictures), "images");
}

TEST(Words, LevelsAreSaidInWords) {
  const std::vector<std::string> both{"off", "all"}, with{"basic", "all"}, off{"off"};
  EXPECT_EQ(words_of_level("off"), "without ONNX Runtime's optimizations (off)");
  EXPECT_EQ(words_of_level("extended"), "with ONNX Runtime's optimizations (extended)");
  EXPECT_EQ(words_of_level(both), "without and with ONNX Runtime's optimizations (off, all)");
  EXPECT_EQ(words_of_level(with), "with ONNX Runtime's optimizations (basic, all)");
  EXPECT_EQ(words_of_level(off), words_of_level("off"));
}

TEST(Words, NamesGoBothWays) {
  for (int i = 0; i <= static_cast<int>(Verdict::inconclusive); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    EXPECT_EQ(verdict_named(name_of(verdict)), verdict) << name_of(verdict);
  }
  for (const Repeat repeat : {Repeat::once, Repeat::library, Repeat::stable}) {
    EXPECT_EQ(repeat_named(name_of(repeat)), repeat);
  }
  EXPECT_EQ(verdict_named("Diverged"), std::nullopt);
  EXPECT_EQ(verdict_named(""), std::nullopt);
  EXPECT_EQ(repeat_named("twice"), std::nullopt);
}

TEST(Words, TheOthersHaveTheirNames) {
  EXPECT_EQ(name_of(Contract::equivalent), "equivalent");
  EXPECT_EQ(name_of(Contract::interface), "interface");
  EXPECT_EQ(name_of(Contract::partition), "partition");
  EXPECT_EQ(name_of(BaselineStatus::ok), "ok");
  EXPECT_EQ(name_of(BaselineStatus::weak_data), "weak_data");
  EXPECT_EQ(name_of(BaselineStatus::does_not_load), "does_not_load");
  EXPECT_EQ(name_of(BaselineStatus::does_not_run), "does_not_run");
  EXPECT_EQ(name_of(BaselineStatus::nondeterministic), "nondeterministic");
  EXPECT_EQ(name_of(BaselineStatus::machine_failed), "machine_failed");
  EXPECT_EQ(name_of(FaultKind::single), "single");
  EXPECT_EQ(name_of(FaultKind::interaction), "interaction");
  EXPECT_EQ(name_of(FaultKind::control), "control");
  EXPECT_EQ(name_of(FaultKind::runtime), "runtime");
  EXPECT_EQ(name_of(FaultKind::given), "given");
  EXPECT_EQ(name_of(Attribution::optimizer), "optimizer");
  EXPECT_EQ(name_of(Attribution::kernel), "kernel");
  EXPECT_EQ(name_of(Attribution::runtime), "runtime");
  EXPECT_EQ(name_of(Attribution::model), "model");
}

TEST(Words, FaultsAreAsInTheTableOfTheDesign) {
  for (const Verdict fine : {Verdict::unchanged, Verdict::equivalent, Verdict::inconclusive}) {
    EXPECT_FALSE(is_fault(fine, false));
    EXPECT_FALSE(is_fault(fine, true));
  }
  for (const Verdict fault : {Verdict::diverged, Verdict::interface_changed, Verdict::optimizer_crashed,
                              Verdict::rejected, Verdict::run_failed, Verdict::timed_out, Verdict::out_of_memory}) {
    EXPECT_TRUE(is_fault(fault, false)) << name_of(fault);
    EXPECT_TRUE(is_fault(fault, true)) << name_of(fault);
  }
  EXPECT_FALSE(is_fault(Verdict::deviates, false));
  EXPECT_TRUE(is_fault(Verdict::deviates, true));
}

TEST(Record, CountsAdd) {
  Counts sum{1, 2, 3, 4};
  sum += Counts{10, 20, 30, 40};
  EXPECT_EQ(sum.imports, 11);
  EXPECT_EQ(sum.sessions, 22);
  EXPECT_EQ(sum.runs, 33);
  EXPECT_EQ(sum.processes, 44);
}

}  // namespace
}  // namespace culprit
