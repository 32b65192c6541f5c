// The figures of a profile. What they look like is for eyes (CULPRIT_FIGURES=FOLDER keeps them there); here: what is
// in them, that they are XML, and that nothing lies outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "golden.h"
#include "report/profile_figures.h"
#include "sample_profiles.h"

namespace culprit {
namespace {

using namespace culprit::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> files_of(const ProfileReport& report) {
  std::vector<std::string> files;
  for (const Figure& figure : figures_of(report)) files.push_back(figure.file);
  return files;
}

std::string figure_of(const ProfileReport& report, const std::string& file) {
  for (const Figure& figure : figures_of(report))
    if (figure.file == file) return figure.svg;
  return "there is no " + file;
}

std::vector<std::pair<std::string, ProfileReport>> samples() {
  return {{"levels", levels_profile()},
          {"hostile", hostile_profile()},
          {"crowded", crowded_profile()},
          {"single", single_profile()},
          {"timed", timed_profile()}};
}

TEST(ProfileFigures, AreAsTheyWere) {
  for (const Figure& figure : figures_of(levels_profile())) expect_golden("profile_" + figure.file, figure.svg);
}

TEST(ProfileFigures, ThereIsOneForAllThatWasMeasuredAndNoOther) {
  EXPECT_THAT(files_of(levels_profile()), ElementsAre("node_count.svg", "op_types.svg", "ratio.svg", "utilization.svg",
                                                      "power.svg", "op_times.svg", "roofline.svg"));
  EXPECT_THAT(files_of(single_profile()), IsEmpty());
  EXPECT_THAT(files_of(empty_profile()), IsEmpty());
  ProfileReport one = levels_profile();
  one.entries.resize(1);
  EXPECT_THAT(files_of(one), ElementsAre("node_count.svg", "op_types.svg", "utilization.svg", "power.svg",
                                         "op_times.svg", "roofline.svg"));
  one.limits.reset();
  EXPECT_THAT(files_of(one), Not(Contains("roofline.svg")));
}

TEST(ProfileFigures, OfSingleRunsThereIsACurveForEachRow) {
  const std::string svg = figure_of(timed_profile(), "latency.svg");
  expect_golden("profile_latency.svg", svg);
  EXPECT_THAT(svg, HasSubstr(">off, p99 15.3 ms<"));
  EXPECT_THAT(svg, HasSubstr("runs of all 3 samples"));
  const std::regex polyline("<polyline");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), polyline), std::sregex_iterator()), 4)
      << "one of five failed";
}

TEST(ProfileFigures, ManyRunsTakeNoMoreRoomThanThePictureHas) {
  ProfileReport report = timed_profile();
  report.entries.resize(1);
  report.entries[0].samples = {{1, {}}};
  for (int i = 0; i < 300'000; ++i) report.entries[0].samples[0].seconds.push_back(0.001 * (1 + i / 3e5));
  EXPECT_LT(figure_of(report, "latency.svg").size(), 60'000U);
}

TEST(ProfileFigures, AreXmlWithoutScriptsWhateverNamesAre) {
  const char* const kept = std::getenv("CULPRIT_FIGURES");
  const auto folder =
      kept != nullptr ? std::filesystem::path(kept) : std::filesystem::path(::testing::TempDir()) / "culprit_figures";
  std::filesystem::create_directories(folder);
  ProfileReport odd = hostile_profile();
  odd.entries[0].name = "\xEF\xBF\xBE \xEF\xBF\xBF \x01 \xED\xA0\x80 ]]> \xFF";
  auto reports = samples();
  reports.emplace_back("odd", odd);
  for (const auto& [name, report] : reports) {
    for (const Figure& figure : figures_of(report)) {
      EXPECT_THAT(figure.svg, Not(HasSubstr("<script")));
      EXPECT_THAT(figure.svg, Not(HasSubstr("href")));
      EXPECT_THAT(figure.svg, Not(HasSubstr("url(")));
      std::ofstream(folder / (name + "_" + figure.file)) << figure.svg;
    }
  }
  const std::string parse =
      "/usr/bin/python3 -c 'import glob, sys, xml.dom.minidom\n"
      "for file in glob.glob(sys.argv[1] + \"/*.svg\"): xml.dom.minidom.parse(file)' '";
  EXPECT_EQ(std::system((parse + folder.string() + "'").c_str()), 0);
  if (kept == nullptr) std::filesystem::remove_all(folder);
}

TEST(ProfileFigures, NoCoordinateIsNoNumberAndNoneLiesOutside) {
  const std::regex attribute(R"re( (x|x1|x2|cx|y|y1|y2|cy|width|height)="([^"]*)")re");
  const std::regex view(R"re(viewBox="0 0 (\d+) (\d+)")re");
  for (const auto& [name, report] : samples()) {
    for (const Figure& figure : figures_of(report)) {
      std::smatch size;
      ASSERT_TRUE(std::regex_search(figure.svg, size, view));
      const double width = std::stod(size[1]), height = std::stod(size[2]);
      for (auto i = std::sregex_iterator(figure.svg.begin(), figure.svg.end(), attribute); i != std::sregex_iterator();
           ++i) {
        const std::string key = (*i)[1];
        const double value = std::stod((*i)[2]),
                     most = key.find('y') == std::string::npos && key != "height" ? width : height;
        EXPECT_TRUE(std::isfinite(value) && value >= 0 && value <= most) << name << figure.file << i->str();
      }
    }
  }
}

TEST(ProfileFigures, NodesStandUnderTheLimitsThatWereMeasured) {
  const std::string svg = figure_of(levels_profile(), "roofline.svg");
  EXPECT_THAT(svg, HasSubstr(">96.0 GFLOP/s, AVX2<"));
  EXPECT_THAT(svg, HasSubstr(">memory: 11.0 GB/s<"));
  EXPECT_THAT(svg, HasSubstr(">Conv_0, 40 %<"));
  EXPECT_THAT(svg, HasSubstr("1 thread"));
  const std::regex bubble("fill-opacity");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), bubble), std::sregex_iterator()), 10)
      << "7 nodes of the baseline, 3 of the other row with nodes";
  ProfileReport elsewhere = levels_profile();
  for (ProfileEntry& entry : elsewhere.entries)
    if (entry.nodes)
      for (NodeTimeRecord& node : entry.nodes->nodes) node.provider = "CUDAExecutionProvider";
  EXPECT_THAT(files_of(elsewhere), Not(Contains("roofline.svg"))) << "the limits are the CPU's";
}

TEST(ProfileFigures, OfASweepThereIsALineForEachRowAndNumberOfThreads) {
  const std::string svg = figure_of(timed_profile(), "sweep.svg");
  expect_golden("profile_sweep.svg", svg);
  for (const char* said : {">off, 1 thread<", ">off, 2 threads<", ">all, 2 threads<", ">Samples a second by batch<"})
    EXPECT_THAT(svg, HasSubstr(said));
  ProfileReport threads = timed_profile();
  threads.sweep->settings.batches.clear();
  std::erase_if(threads.sweep->points, [](const SweepPoint& point) { return point.batch != 4; });
  const std::string over_threads = figure_of(threads, "sweep.svg");
  EXPECT_THAT(over_threads, HasSubstr(">Samples a second by threads<"));
  EXPECT_THAT(over_threads, HasSubstr(">off<"));
  threads.sweep->settings.threads = {1};
  EXPECT_THAT(files_of(threads), Not(Contains("sweep.svg"))) << "one setting is no line";
}

TEST(ProfileFigures, TellValuesInWords) {
  const std::string ratio = figure_of(levels_profile(), "ratio.svg");
  EXPECT_THAT(ratio, HasSubstr("1.24 x (1.21 to 1.27), SLOWER"));
  EXPECT_THAT(ratio, HasSubstr("FAILED at load"));
  EXPECT_THAT(ratio, HasSubstr("\u00B13 %: the same"));
  EXPECT_THAT(figure_of(levels_profile(), "node_count.svg"), HasSubstr("-45 %, 64 nodes"));
  EXPECT_THAT(figure_of(levels_profile(), "op_types.svg"), HasSubstr(">56 %<"));
  EXPECT_THAT(figure_of(levels_profile(), "op_times.svg"), HasSubstr(">11.9 ms<"));
  EXPECT_THAT(figure_of(levels_profile(), "utilization.svg"), HasSubstr("10.3 % (most 13.4)"));
  EXPECT_THAT(figure_of(levels_profile(), "power.svg"), HasSubstr("96 W (most 115)"));
  EXPECT_THAT(figure_of(crowded_profile(), "ratio.svg"), HasSubstr("no number, FASTER"));
}

}  // namespace
}  // namespace culprit
