// The figures of an evaluation. What they look like is for eyes (CULPRIT_FIGURES=FOLDER keeps them there); here: which
// there are, what is in them, that they are XML, and that nothing lies outside.
#include "report/evaluation_figures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "report/evaluation_console.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

ScoreCurve made_curve(double bend) {
  ScoreCurve curve;
  for (std::size_t i = 0; i < curve_points; ++i) {
    const double at = static_cast<double>(i) / static_cast<double>(curve_points - 1);
    curve.hit_rate.push_back(std::pow(at, bend));
    curve.precision.push_back(1 - bend * at * at);
  }
  return curve;
}

EvaluatedModel model_with_scores(const std::string& path, double bend) {
  EvaluatedModel model;
  model.model.path = path;
  model.decisions.samples = model.decisions.labelled = 300;
  ScoreRecord& scores = model.decisions.scores;
  scores.kind = CurveKind::one_class;
  scores.curve_of = "dog";
  scores.curve = made_curve(bend);
  model.decisions.variant_against_labels = {{"auc", {1 - bend / 2, 0, 1}}, {"ap", {0.75, 0, 1}}};
  CalibrationRecord& calibration = scores.calibration.emplace();
  calibration.predictions = 300;
  calibration.ece = bend / 10;
  calibration.bins.resize(15);
  for (std::size_t i = 7; i < 15; ++i) {
    const double at = (static_cast<double>(i) + 0.5) / 15;
    calibration.bins[i] = {static_cast<std::int64_t>(10 * (i - 5)), at, std::pow(at, 1 + bend)};
  }
  return model;
}

/// `classes` classes; of each ten samples, some of which are taken for the next class.
void add_classes(EvaluatedModel& model, int classes) {
  for (int i = 0; i < classes; ++i) {
    const std::string own = fmt::format("class {}", i), next = fmt::format("class {}", (i + 1) % classes);
    for (int sample = 0; sample < 10; ++sample) {
      const std::string& decided = sample < i % 5 ? next : own;
      model.classes.add(own, decided);
      model.became.add(own, sample < 2 ? "class 0" : own);
    }
  }
}

EvaluationReport two_scored(int classes) {
  EvaluationReport report;
  report.task = "classification";
  report.samples = 300;
  report.has_labels = true;
  report.models = {model_with_scores("a.onnx", 0.2), model_with_scores("folder/b.onnx", 0.6)};
  for (EvaluatedModel& model : report.models) add_classes(model, classes);
  report.models[0].became = {};
  return report;
}

EvaluationReport hostile_evaluation() {
  EvaluationReport report = two_scored(4);
  const std::string odd = "</svg><script>&\"\xEF\xBF\xBE \x01 \xED\xA0\x80 ]]> \xFF";
  for (EvaluatedModel& model : report.models) {
    model.model.path = odd;
    model.classes.add(odd, "");
    model.classes.add(odd, std::string(400, 'w'));
    model.decisions.scores.curve_of = odd;
  }
  return report;
}

std::vector<std::string> files_in(const EvaluationReport& report) {
  std::vector<std::string> files;
  for (const Figure& figure : figures_of(report)) files.push_back(figure.file);
  return files;
}

std::string drawn(const EvaluationReport& report, const std::string& file) {
  for (const Figure& figure : figures_of(report))
    if (figure.file == file) return figure.svg;
  return "there is no " + file;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(EvaluationFigures, ThereIsOneForAllThatIsKnownAndNoOther) {
  EvaluationReport report = two_scored(4);
  EXPECT_THAT(files_in(report), ElementsAre("roc.svg", "precision_recall.svg", "reliability.svg", "confusion_M1.svg",
                                            "confusion_M2.svg", "changed_M2.svg"));
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("\nfigures: run/figures\nreport: run/report.json\n"));
  for (EvaluatedModel& model : report.models) model.decisions.scores = {};
  for (EvaluatedModel& model : report.models) model.decisions.labelled = 0;
  EXPECT_THAT(files_in(report), ElementsAre("changed_M2.svg"))
      << "without labels the models are held against each other";
  report.models.pop_back();
  EXPECT_THAT(files_in(report), IsEmpty());
  EXPECT_THAT(to_console(report, {}, "run"), Not(HasSubstr("figures")));
}

TEST(EvaluationFigures, ACurveHasALineAndANameForEachModel) {
  EvaluationReport report = two_scored(4);
  const std::string roc = drawn(report, "roc.svg");
  EXPECT_EQ(count_of(roc, "<polyline"), 2U);
  EXPECT_THAT(roc, HasSubstr("M1 a.onnx, auc 0.9000"));
  EXPECT_THAT(roc, HasSubstr("M2 folder/b.onnx, auc 0.7000"));
  EXPECT_THAT(roc, HasSubstr("class dog against the other"));
  EXPECT_THAT(drawn(report, "precision_recall.svg"), HasSubstr("M1 a.onnx, ap 0.7500"));
  EXPECT_THAT(drawn(report, "reliability.svg"), HasSubstr("M2 folder/b.onnx, ECE 0.0600"));
  EXPECT_EQ(count_of(drawn(report, "reliability.svg"), "<circle"), 16U) << "eight bins of two models have predictions";
  for (int i = 0; i < 7; ++i) report.models.push_back(report.models.back());
  EXPECT_EQ(count_of(drawn(report, "roc.svg"), "<polyline"), 6U);
  EXPECT_THAT(drawn(report, "roc.svg"), HasSubstr("the first 6 of 9 models"));
}

TEST(EvaluationFigures, AMatrixHasASquareForEachPairThatOccurs) {
  const EvaluationReport report = two_scored(4);
  const std::string confusion = drawn(report, "confusion_M1.svg");
  EXPECT_EQ(count_of(confusion, "fill-opacity"), 7U) << "four classes, of which three are taken for another";
  EXPECT_EQ(count_of(confusion, ">10<"), 1U) << "only class 0 is always right";
  EXPECT_EQ(count_of(drawn(report, "changed_M2.svg"), "fill-opacity"), 7U);
  EXPECT_THAT(drawn(report, "changed_M2.svg"), HasSubstr("predicted by M1"));
}

/// Classes 5, 10, ... are never confused, and neither are they taken for others more than once.
TEST(EvaluationFigures, OfManyClassesThoseThatAreMostOftenConfused) {
  const std::string matrix = drawn(two_scored(40), "confusion_M1.svg");
  EXPECT_THAT(matrix, HasSubstr("the 30 of 40 classes that are most often confused"));
  EXPECT_THAT(matrix, HasSubstr(">class 4<"));
  EXPECT_THAT(matrix, Not(HasSubstr(">class 1<"))) << "one sample of it is taken for another, and none for it";
  EXPECT_THAT(drawn(two_scored(30), "confusion_M1.svg"), Not(HasSubstr("most often")));
}

TEST(EvaluationFigures, AreXmlWithoutScriptsAndNothingLiesOutside) {
  const char* const kept = std::getenv("CULPRIT_FIGURES");
  const auto folder = kept != nullptr ? std::filesystem::path(kept)
                                      : std::filesystem::path(::testing::TempDir()) / "culprit_evaluation_figures";
  std::filesystem::create_directories(folder);
  const std::regex attribute(R"re( (x|x1|x2|cx|y|y1|y2|cy|width|height)="([^"]*)")re");
  const std::regex view(R"re(viewBox="0 0 (\d+) (\d+)")re");
  const std::vector<std::pair<std::string, EvaluationReport>> all{
      {"few", two_scored(4)}, {"many", two_scored(40)}, {"odd", hostile_evaluation()}};
  for (const auto& [name, report] : all) {
    for (const Figure& figure : figures_of(report)) {
      EXPECT_THAT(figure.svg, Not(HasSubstr("<script")));
      std::ofstream(folder / (name + "_" + figure.file)) << figure.svg;
      std::smatch size;
      ASSERT_TRUE(std::regex_search(figure.svg, size, view));
      for (auto i = std::sregex_iterator(figure.svg.begin(), figure.svg.end(), attribute); i != std::sregex_iterator();
           ++i) {
        const std::string key = (*i)[1];
        const double value = std::stod((*i)[2]);
        const double most = std::stod(key.find('y') == std::string::npos && key != "height" ? size[1] : size[2]);
        EXPECT_TRUE(std::isfinite(value) && value >= 0 && value <= most) << name << figure.file << i->str();
      }
    }
  }
  const std::string parse =
      "/usr/bin/python3 -c 'import glob, sys, xml.dom.minidom\n"
      "for file in glob.glob(sys.argv[1] + \"/*.svg\"): xml.dom.minidom.parse(file)' '";
  EXPECT_EQ(std::system((parse + folder.string() + "'").c_str()), 0);
  if (kept == nullptr) std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace culprit
