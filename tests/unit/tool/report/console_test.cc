#include "report/console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/text.h"
#include "golden.h"
#include "report/layout.h"
#include "sample_reports.h"

namespace culprit {
namespace {

using namespace culprit::testing;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string check_run_folder = ".culprit/20260131T235959Z-1a2b";

std::string text_of(const ModelReport& report, ConsoleStyle style = {}) {
  return to_console(report, style, check_run_folder);
}

std::vector<ModelReport> all_reports() { return full_report().models; }

TEST(Console, Ok) { expect_golden("ok.txt", text_of(ok_report())); }
TEST(Console, Faults) { expect_golden("faults.txt", text_of(faulty_report())); }
TEST(Console, OnlyFaults) { expect_golden("only_faults.txt", text_of(faulty_report(), {.only_faults = true})); }
TEST(Console, WhoIsBlamedIsNamedWithItsVersion) {
  Environment environment;
  environment.optimizer = {"onnx_optimizer", "0.4.2", {}};
  environment.onnxruntime = "1.31.1";
  EXPECT_THAT(text_of(faulty_report(), with_products({.width = 200}, environment)),
              HasSubstr("attributed to ONNX Optimizer 0.4.2"));
  environment.optimizer = {"onnxruntime", "1.31.1", {}};
  EXPECT_THAT(text_of(faulty_report(), with_products({.width = 200}, environment)),
              HasSubstr("attributed to ONNX Runtime 1.31.1"));
  environment.optimizer = {"onnxsim", "", {}};
  EXPECT_THAT(text_of(faulty_report(), with_products({.width = 200}, environment)), HasSubstr("attributed to onnxsim"));
}
TEST(Console, VerifiedIsNotSaidAloneWhereTheRuntimeChangesTheModel) {
  ModelReport report = faulty_report();
  ASSERT_TRUE(report.safe_recipe && report.safe_recipe->verified);
  const std::string caution = "though ONNX Runtime 1.31.1 itself changes what this model gives";
  Environment environment;
  environment.onnxruntime = "1.31.1";
  const ConsoleStyle style = with_products({.width = 300}, environment);
  std::erase_if(report.warnings, [](const Warning& one) { return one.code == "runtime_changes_values"; });
  EXPECT_THAT(text_of(report, style), Not(HasSubstr(caution)));
  report.warnings.push_back({"runtime_changes_values", "it does"});
  EXPECT_THAT(text_of(report, style), HasSubstr(caution));
}
TEST(Console, WhatStayedOpenIsSaidAndWhy) {
  ModelReport report = ok_report();
  report.variants = {};
  VariantRecord bundle;
  bundle.id = "V01";
  bundle.is_bundle = true;
  bundle.verdict = Verdict::unchanged;
  bundle.same_as = SameAs::round_trip;
  report.variants.push_back(bundle);
  report.controls = {{ControlName::round_trip, Verdict::inconclusive, "it was not run: the disk is full", {}}};
  for (const bool only_faults : {false, true}) {
    const std::string text = text_of(report, {.only_faults = only_faults});
    EXPECT_THAT(text, HasSubstr("cannot judge: the default pass list could not be judged"));
    EXPECT_THAT(text, HasSubstr("control: round_trip inconclusive: it was not run: the disk is full"));
  }
}

TEST(Console, AVariantThatWasGiven) {
  expect_golden("given.txt", text_of(given_report(), {.repeat_flags = {"--samples", "2"}, .only_faults = true}));
}
TEST(Console, WhatMadeAVariantIsSaid) {
  EXPECT_THAT(text_of(recognised_report(), {.width = 120}),
              HasSubstr("variant: models/broken.onnx (12 nodes): what fuse_bn_into_conv makes of the model\n"));
  ModelReport report = recognised_report();
  report.given->made_by->repeat = Repeat::library;
  report.given->made_by->passes = {"a", "b"};
  EXPECT_THAT(text_of(report, {.width = 120}),
              HasSubstr("what all 2 default passes, run to the library's fixpoint, make of the model\n"));
  report.given->made_by->passes.clear();
  report.given->made_by->repeat = Repeat::once;
  EXPECT_THAT(text_of(report, {.width = 120}), HasSubstr("what import and export alone make of the model\n"));
  report.given->made_by.reset();
  report.given->message = "the time was up";
  EXPECT_THAT(text_of(report, {.width = 120}), HasSubstr("not known what made it: the time was up\n"));
  report.variants = {report.variants.front()};
  report.variants.front().same_as = SameAs::original;
  EXPECT_THAT(text_of(report, {.width = 120}), HasSubstr("the same graph as the model\n"));
}
TEST(Console, CrashWithLastWords) { expect_golden("crash.txt", text_of(crashed_report())); }
TEST(Console, AnErrorInsideIsAnErrorWhereOutputsShowNone) {
  ModelReport report = ok_report();
  report.variants.resize(1);
  VariantRecord& variant = report.variants.front();
  variant.verdict = Verdict::diverged;
  variant.same_as = SameAs::none;
  variant.measurements = {{"y", Measurement{}}};
  EXPECT_THAT(text_of(report), Not(HasSubstr("7.5e-01")));
  variant.inner["conv"].max_abs = 0.75;
  EXPECT_THAT(text_of(report), HasSubstr("7.5e-01"));
}

TEST(Console, WeakData) { expect_golden("weak.txt", text_of(weak_report())); }
TEST(Console, DoesNotLoad) { expect_golden("does_not_load.txt", text_of(rejected_report())); }
TEST(Console, ManyWarnings) { expect_golden("warnings.txt", text_of(warning_report())); }
TEST(Console, Unreadable) { expect_golden("unreadable.txt", text_of(unreadable_report())); }
TEST(Console, VerboseShowsEverything) {
  expect_golden("verbose.txt",
                text_of(warning_report(), {.verbose = true}) + text_of(faulty_report(), {.verbose = true}));
}
TEST(Console, Summary) {
  expect_golden("summary.txt", to_console(full_report().summary, {}, check_run_folder));
  expect_golden("summary_verbose.txt", to_console(full_report().summary, {.verbose = true}, check_run_folder));
}

TEST(Console, ThePathOfTheReportIsWholeHoweverLong) {
  const std::string folder = "/home/somebody/" + std::string(200, 'f') + "/.culprit/run";
  EXPECT_THAT(to_console(full_report().summary, {.width = 80}, folder),
              EndsWith("\nreport: " + folder + "/report.json\n"));
}

TEST(Console, NoLineIsLongerThanTheWidth) {
  for (const int width : {60, 80, 100})
    for (const bool verbose : {false, true})
      for (ModelReport report : all_reports()) {
        report.model.path += "-with-名前-" + std::string(100, 'x') + ".onnx";
        for (auto& variant : report.variants)
          variant.recipe.passes.assign(1, "a_pass_with_a_name_" + std::string(70, 'y'));
        const ConsoleStyle style{
            .width = width, .verbose = verbose, .repeat_flags = {"--data", "a folder/" + std::string(90, 'z')}};
        for (const std::string& line : split(text_of(report, style), '\n'))
          EXPECT_LE(display_width(line), width) << line;
      }
}

TEST(Console, ColourAddsNothingButColour) {
  for (const ModelReport& report : all_reports()) {
    std::string coloured = text_of(report, {.colour = true});
    EXPECT_THAT(coloured, HasSubstr("\x1b["));
    for (auto at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b'))
      coloured.erase(at, coloured.find('m', at) - at + 1);
    EXPECT_EQ(coloured, text_of(report));
  }
}

TEST(Console, HostileTextCannotSteerTheTerminal) {
  ModelReport report = faulty_report();
  const std::string evil = "\x1b[2J\r\n\xff";
  report.model.path = evil;
  report.warnings = {{evil, evil}};
  report.variants[1].message = report.variants[1].last_words = report.variants[1].file =
      report.variants[1].recipe.passes[0] = evil;
  report.variants[1].measurements[evil].note = evil;
  report.faults[0].message = report.faults[0].signature = report.faults[0].workaround = report.faults[0].culprits[0] =
      evil;
  const std::string text = text_of(report, {.verbose = true, .repeat_flags = {evil}});
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
  EXPECT_THAT(text, Not(HasSubstr("\xff")));
}

TEST(Console, TheCommandShownRepeatsWhatItNeeds) {
  const std::string text = text_of(faulty_report(), {.width = 200, .repeat_flags = {"--dim", "batch=7"}});
  EXPECT_THAT(text, HasSubstr("culprit check 'models/my net.onnx' --each fuse_bn_into_conv --dim batch=7 --verbose\n"));
}

TEST(Console, ARecipeOfSeveralPassesIsRepeatedAsOne) {
  ModelReport report = faulty_report();
  report.variants[1].recipe = {"onnx_optimizer", {"a", "b"}, Repeat::stable};
  EXPECT_THAT(text_of(report, {.width = 200}), HasSubstr("--passes a,b --repeat stable --verbose\n"));
  report.variants[1].is_bundle = true;
  EXPECT_THAT(text_of(report, {.width = 200}),
              HasSubstr("culprit check 'models/my net.onnx' --repeat stable --verbose\n"));
}

TEST(Console, AnErrorOfNaNIsNotHiddenByASmallerOne) {
  ModelReport report = ok_report();
  auto& measurements = report.variants[3].measurements;
  measurements["a"].max_abs = std::numeric_limits<double>::quiet_NaN();
  measurements["b"].max_abs = 1;
  EXPECT_THAT(text_of(report), HasSubstr("nan"));
  measurements = {{"s", {}}};
  measurements["s"].mismatched = 2;
  EXPECT_THAT(text_of(report), HasSubstr("differs"));
}

TEST(Console, AFaultIsSaidEvenWhereValuesCannotBeJudged) {
  ModelReport report = faulty_report();
  report.baseline = {BaselineStatus::weak_data, "off", "all outputs are constant"};
  EXPECT_THAT(text_of(report), HasSubstr("FAULT"));
  EXPECT_THAT(text_of(report), HasSubstr("values cannot be judged: the data are too weak: all outputs are constant"));
}

TEST(Console, WhyAVariantIsInconclusiveIsSaidOnce) {
  ModelReport report = ok_report();
  for (const std::size_t i : {3U, 4U}) {
    report.variants[i].verdict = Verdict::inconclusive;
    report.variants[i].message = "the machine failed";
  }
  EXPECT_THAT(text_of(report), HasSubstr("\n  V04, V05 inconclusive: the machine failed\n"));
}

/// Right with the runtime's optimizations off, refused where they are on.
ModelReport refused_at_all() {
  ModelReport report = faulty_report();
  report.variants.resize(2);
  VariantRecord& variant = report.variants[1];
  variant.verdict = Verdict::equivalent;
  variant.measurements["y"] = {};
  variant.message = variant.confirmed = "";
  variant.deployed = {"all", 1, Verdict::rejected, "the runtime refuses it: Bad node", "2/2", {}};
  report.faults.resize(1);
  report.faults[0].verdict = Verdict::rejected;
  report.faults[0].kind = FaultKind::runtime;
  report.faults[0].attribution = Attribution::runtime;
  return report;
}

TEST(Console, AFaultAtTheDeployLevelSaysSo) {
  const std::string text = text_of(refused_at_all());
  EXPECT_THAT(text, HasSubstr("V02  fuse_bn_into_conv  rejected at all  12 -> 11        -  4 ms\n"));
  EXPECT_THAT(text, HasSubstr("cause       the runtime, on what the optimizer leaves; confirmed 2/2\n"));
  EXPECT_THAT(text_of(refused_at_all(), {.verbose = true}),
              HasSubstr("    with ONNX Runtime's optimizations (all) on 1 sample: rejected (confirmed"));
}

TEST(Console, ItsErrorIsThatOfTheDeployedRun) {
  ModelReport report = refused_at_all();
  report.faults[0].verdict = report.variants[1].deployed->verdict = Verdict::diverged;
  report.variants[1].deployed->measurements["y"].max_abs = 7;
  EXPECT_THAT(text_of(report), HasSubstr("wrong at all  12 -> 11  7.0e+00"));
  report.faults.clear();
  EXPECT_THAT(text_of(report), Not(HasSubstr(" at all "))) << "no fault: not confirmed, or the round trip's";
}

TEST(Console, WhatTheRuntimeDoesToTheOriginalIsSaidByWarningsOnly) {
  ModelReport report = ok_report();
  report.controls.push_back({ControlName::runtime_optimized, Verdict::diverged, "moves", {}});
  EXPECT_THAT(text_of(report), Not(HasSubstr("runtime_optimized")));
  EXPECT_THAT(text_of(report, {.verbose = true}), HasSubstr("control: runtime_optimized wrong: moves"));
}

TEST(Console, WhatThereWasNoTimeForIsSaidAndWhatItTookWhereAsked) {
  ModelReport report = ok_report();
  EXPECT_THAT(text_of(report, {.verbose = true}), Not(HasSubstr("skipped")));
  report.skipped = {"fuse_bn_into_conv at all", "inner values"};
  report.memory = {300'000'000, 700'000'000, 500'000'000};
  report.spent = {1.5, 0.5, 3};
  EXPECT_THAT(text_of(report), HasSubstr("  skipped: fuse_bn_into_conv at all, inner values (the time of --budget"));
  EXPECT_THAT(text_of(report), Not(HasSubstr("memory")));
  const std::string verbose = text_of(report, {.verbose = true});
  EXPECT_THAT(verbose, HasSubstr("  memory: 300.0 MB here, 700.0 MB in an optimizer, 500.0 MB in a runtime"));
  EXPECT_THAT(verbose, HasSubstr("  spent: 1.5 s in runs, 500 ms in loading, 3.0 s in optimizing"));
}

TEST(Console, NoVariantAtAllIsNoEmptyTable) {
  ModelReport report = ok_report();
  report.variants.clear();
  EXPECT_THAT(text_of(report), Not(HasSubstr("verdict")));
}

}  // namespace
}  // namespace culprit
