// Pairs that real converters made (scripts/conversions/make.py): is each told as it is?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/cache_folder.h"
#include "base/hash.h"
#include "runtime/find_library.h"
#include "support/diagnosed.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

namespace fs = std::filesystem;

struct ConvertedPair {
  const char* name;
  const char* missed_because = "";  ///< as of ConversionRow
};

constexpr ConvertedPair converted_pairs[]{
    {"attention_newer"},
    {"attention_softmax"},
    {"attention_tflite"},
    {"cnn_channels_first"},
    {"cnn_one_element"},
    {"cnn_relu_lost"},
    {"cnn_tflite"},
    {"cnn_tflite_kernel"},
    {"cnn_tflite_pool"},
    {"embedding_late"},
    {"embedding_tflite"},
    {"embedding_tflite_late",
     "a Mul by 1 takes the place of the Add of 0 after it, which gives the same: so the table's index is not found"},
    {"gru_newer"},
    {"lstm_gates",
     "the second Loop takes what the first gives inside its body, and networks do not know what bodies take"},
    {"lstm_newer"},
    {"lstm_tflite"},
    {"residual_half"},
    {"residual_slope"},
    {"residual_tflite"},
    {"residual_tflite_half"},
    {"residual_tflite_slope"},
    {"separable_older"},
    {"separable_pads"},
    {"separable_tflite"},
    {"separable_tflite_dilation"},
    {"two_nothing_turned"},
    {"two_tanh"},
    {"two_tflite"},
    {"two_tflite_rows"},
    {"two_tflite_tanh"},
};

/// As scripts/setup names it: after what makes the pairs, and what that is run with.
fs::path folder_of_pairs() {
  const auto script = read_file(fs::path(CULPRIT_SOURCE) / "scripts" / "conversions" / "make.py");
  const auto versions = read_file(cache_folder() / "frameworks" / "tensorflow" / "versions");
  if (!script || !versions) return {};
  return cache_folder() / "conversions" / sha256_of(*script + *versions).substr(0, 16);
}

std::vector<ConversionTruth> truth_in(const fs::path& file) {
  std::vector<ConversionTruth> truth;
  for (const auto& fault : nlohmann::json::parse(read_file(file).value()))
    truth.push_back({fault.at("class"), fault.at("layer"), fault.at("attribute")});
  return truth;
}

class ConvertedPairs : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ConvertedPairs, AreToldAsTheyAre) {
  CULPRIT_ONE_OF(10);
  const ConvertedPair& pair = converted_pairs[GetParam()];
  const fs::path folder = folder_of_pairs() / pair.name;
  if (!fs::exists(folder)) GTEST_SKIP() << "no pairs of converted networks: scripts/setup conversions";
  const bool is_onnx = fs::exists(folder / "target.onnx");
  if (const auto library = find_tflite(); !is_onnx && !library) GTEST_SKIP() << library.error().text();
  const auto truth = truth_in(folder / "truth.json");
  const DiagnosedFiles found =
      diagnose_files(folder / "source.onnx", folder / (is_onnx ? "target.onnx" : "target.tflite"));
  const NamedFaults named = named_of(found.report, truth);
  const bool is_right =
      found.exit == (truth.empty() ? 0 : 1) && named.classes == std::ssize(truth) && named.beyond == 0;
  if (*pair.missed_because == '\0')
    EXPECT_TRUE(is_right) << "told: " << ::testing::PrintToString(told_faults(found.report))
                          << "\nin truth: " << ::testing::PrintToString(words_of(truth)) << "\n"
                          << found.said;
  else
    EXPECT_FALSE(is_right) << "it is right now: take the reason off its row: " << pair.missed_because;
}

/// A pair that is told as it is can be mended, too; what is missed stays as it was.
TEST_P(ConvertedPairs, AreMended) {
  CULPRIT_ONE_OF(10);
  const ConvertedPair& pair = converted_pairs[GetParam()];
  const fs::path folder = folder_of_pairs() / pair.name;
  if (!fs::exists(folder)) GTEST_SKIP() << "no pairs of converted networks: scripts/setup conversions";
  const std::string target = fs::exists(folder / "target.onnx") ? "target.onnx" : "target.tflite";
  if (const auto library = find_tflite(); target == "target.tflite" && !library) GTEST_SKIP() << library.error().text();
  const TemporaryFolder made = scratch();
  const fs::path out = made.path() / target;
  const Ran ran =
      culprit({"repair", folder / "source.onnx", folder / target, "-o", out, "--run-dir", made.path() / "run"});
  const bool is_missed = *pair.missed_because != '\0';
  EXPECT_EQ(ran.exit, is_missed ? 1 : 0) << ran.out << ran.err;
  EXPECT_EQ(fs::exists(out), !is_missed);
  if (is_missed) return;
  EXPECT_EQ(diagnose_files(folder / "source.onnx", out).exit, 0);
  const bool is_same = read_file(out).value() == read_file(folder / target).value();
  EXPECT_EQ(is_same, truth_in(folder / "truth.json").empty());
}

INSTANTIATE_TEST_SUITE_P(All, ConvertedPairs, ::testing::Range<std::size_t>(0, std::size(converted_pairs)),
                         [](const auto& pair) { return std::string(converted_pairs[pair.param].name); });

}  // namespace
}  // namespace culprit::testing
