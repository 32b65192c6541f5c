// What the console says of the layers to keep in float.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "golden.h"
#include "report/diagnosis_keep.h"
#include "report/layout.h"

namespace culprit::testing {
namespace {

/// Twelve layers, of which two are kept: the most costly, and one that costs less than those that are shown anyway.
Diagnosis with_keep() {
  KeepRecord keep;
  keep.rounding = "int8 weights and uint8 values";
  keep.samples = 48;
  keep.changed_by_target = 9;
  keep.changed_by_rounding = 10;
  for (int i = 0; i < 12; ++i)
    keep.layers.push_back({{"/features/" + std::to_string(i) + "/conv", "Conv", 3 * i}, 0.05 / (i + 1), 8 - i / 2});
  keep.kept = {keep.layers[9].layer, keep.layers[0].layer};
  keep.option = "nodes_to_exclude";
  keep.is_proven = true;
  keep.runs = 27;
  Diagnosis diagnosis;
  diagnosis.keep = keep;
  return diagnosis;
}

Diagnosis with_names(const std::vector<std::string>& names) {
  Diagnosis diagnosis = with_keep();
  diagnosis.keep->kept.clear();
  for (const std::string& name : names) diagnosis.keep->kept.push_back({name, "Conv", 0});
  return diagnosis;
}

/// With quotes, spaces, two bytes for a letter, a move of the cursor; one that is longer than a line.
Diagnosis with_odd_names() {
  return with_names({"a \"quoted\" na\\me", "größe \x1b[2J", std::string(100, 'l') + "ong", "last"});
}

TEST(DiagnosisKeep, TellsTheSetTheOptionAndTheCosts) {
  expect_golden("keep_80.txt", keep_part(with_keep(), {}));
  expect_golden("keep_60_verbose.txt", keep_part(with_keep(), {.width = 60, .verbose = true}));
}

TEST(DiagnosisKeep, TellsThatNothingOrAllIsKept) {
  Diagnosis nothing = with_keep();
  nothing.keep->changed_by_rounding = 0;
  nothing.keep->layers.clear();
  nothing.keep->kept.clear();
  Diagnosis all = with_keep();
  all.keep->is_proven = false;
  all.keep->changed_left = 2;
  expect_golden("keep_otherwise.txt", keep_part(nothing, {}) + keep_part(all, {}));
}

TEST(DiagnosisKeep, OptionCanBePasted) {
  expect_golden("keep_odd_names.txt", keep_part(with_odd_names(), {}));
  const std::string text = keep_part(with_odd_names(), {});
  const auto begin = text.find("nodes_to_exclude="), end = text.find("]\n", begin);
  const auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path(), "culprit-keep").value();
  std::ofstream(folder.path() / "pasted.py") << text.substr(begin, end + 1 - begin) << R"(
assert nodes_to_exclude[0] == 'a "quoted" na\\me', nodes_to_exclude
assert nodes_to_exclude[1].startswith('größe '), nodes_to_exclude
assert nodes_to_exclude[2] == 100 * 'l' + 'ong', nodes_to_exclude
assert nodes_to_exclude[3:] == ['last'], nodes_to_exclude
)";
  EXPECT_EQ(std::system(("/usr/bin/python3 '" + (folder.path() / "pasted.py").string() + "'").c_str()), 0);
}

TEST(DiagnosisKeep, NoLineIsWiderThanTheTerminal) {
  for (const Diagnosis& one : {with_keep(), with_odd_names()})
    for (const int width : {60, 80, 120})
      for (const std::string& line : split(keep_part(one, {.width = width, .verbose = true}), '\n'))
        EXPECT_LE(display_width(line), width) << line;
}

TEST(DiagnosisKeep, IsSilentWhereNobodyLooked) { EXPECT_EQ(keep_part({}, {}), ""); }

TEST(DiagnosisKeep, NamesNoOptionOfOtherFormats) {
  Diagnosis diagnosis = with_keep();
  diagnosis.keep->option.clear();
  EXPECT_THAT(keep_part(diagnosis, {}), ::testing::Not(::testing::HasSubstr("quantize with")));
}

}  // namespace
}  // namespace culprit::testing
