// Inputs on which `culprit eval` went wrong, with the values that are right: the folder shared/cases beside the
// sources.
#include <map>
#include <sstream>

#include "eval_folder.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;

struct EvalCase {
  std::string folder;
  std::vector<std::string> words;
  std::map<std::string, double> against_labels;  // of the first model
  std::vector<std::string> said;                 // on the console
};

void PrintTo(const EvalCase& one, std::ostream* out) { *out << one.folder << " " << one.words.at(2); }

fs::path cases_folder() { return fs::path(CULPRIT_SOURCE) / "../shared/cases/eval"; }

/// Without the breaks and spaces that the width of a terminal asks for.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line, word;
  while (words >> word) line += (line.empty() ? "" : " ") + word;
  return line;
}

class EvalCases : public Eval, public ::testing::WithParamInterface<EvalCase> {};

TEST_P(EvalCases, GiveTheRightValues) {
  const EvalCase& one = GetParam();
  const fs::path folder = cases_folder() / one.folder;
  if (!fs::exists(folder)) GTEST_SKIP() << "the folder shared/cases is not beside the sources";
  std::vector<std::string> words = one.words;
  for (std::string& word : words)
    if (fs::exists(folder / word)) word = (folder / word).string();
  const Ran ran = eval(words);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  for (const std::string& part : one.said) EXPECT_THAT(in_one_line(ran.out), HasSubstr(part));
  const json metrics = ran.report["models"][0]["against_labels"];
  for (const auto& [name, value] : one.against_labels) {
    ASSERT_TRUE(metrics.contains(name)) << name;
    EXPECT_NEAR(metrics[name]["value"], value, 5e-5) << name;
  }
}

const std::vector<std::string> lists{"a.onnx", "--data",       "p",  "--labels", "l.json", "--detector",
                                     "lists",  "--preprocess", "raw"};

INSTANTIATE_TEST_SUITE_P(
    Shared, EvalCases,
    ::testing::Values(
        EvalCase{"zipmap-keys", {"s_1based.onnx", "--data", "s_1based_12.npz"}, {{"top1", 0.97}}, {}},
        EvalCase{"zipmap-keys", {"s_1based.onnx", "--data", "s_1based.npz"}, {{"top1", 0.97333}}, {}},
        EvalCase{"map-truncated", lists, {{"map_50", 0.7878}, {"map_50_95", 0.5082}, {"ar", 0.7172}}, {}},
        EvalCase{"seg-truth",
                 {"a.onnx", "--data", "ds", "--task", "segmentation"},
                 {{"pixel_accuracy", 0.2422}, {"miou", 0.1379}},
                 {}},
        EvalCase{"uint8-classifier", {"a.onnx", "--data", "d.npz", "--task", "classification"}, {{"top1", 1}}, {}},
        EvalCase{"nan-single", {"a.onnx", "--data", "d.npz"}, {{"top1", 0.8}}, {"on 4 of 20 samples M1 gives NaN"}},
        EvalCase{"labels-csv-absent",
                 {"clf.onnx", "--data", "p4", "--labels", "lab.csv", "--preprocess", "raw"},
                 {{"top1", 0}},
                 {"1 class on 1 of 10 images", "names 3 images that are not in the folder: IM3.PNG, gone.png"}},
        EvalCase{
            "coco-size", lists, {{"map_50", 0.505}}, {"picture_sizes_differ", "64x64, and 640x640", "boxes_outside"}},
        EvalCase{"npz-arrays", {"m.onnx", "--data", "d.npz"}, {}, {"the array 'Y' int64[20] is not used"}},
        EvalCase{"npz-arrays", {"m.onnx", "--data", "two.npz"}, {}, {"'labels' int64[20] is not used", "in 20 rows"}}));

}  // namespace
}  // namespace culprit::testing
