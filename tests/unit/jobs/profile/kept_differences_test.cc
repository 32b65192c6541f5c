#include "profile/gate/kept_differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "gate_rows.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ProfileReport two_rows() {
  auto report = measured_against(0, {{"off", {1}}, {"all", {2}}});
  report.data = "3 samples, made up (seed 0)";
  report.samples = 3;
  report.environment.cpu = "AMD EPYC";
  for (ProfileEntry& entry : report.entries) entry.model = "model.onnx";
  return report;
}

auto tells(const std::string& what, const std::string& kept, const std::string& now) {
  return AllOf(Field(&Warning::code, "kept_differs"),
               Field(&Warning::message,
                     AllOf(HasSubstr(what), HasSubstr(kept + " in the kept report"), HasSubstr(now + " here"))));
}

TEST(KeptDiffers, SaysNothingOfTheSame) { EXPECT_THAT(kept_differs(two_rows(), two_rows()), IsEmpty()); }

TEST(KeptDiffers, NamesWhatDiffersAndBothValues) {
  struct Case {
    const char *what, *kept, *now;
    std::function<void(ProfileReport&)> change;
  };
  const std::vector<Case> cases{
      {"threads", "1", "4", [](ProfileReport& now) { now.environment.threads = 4; }},
      {"processor", "AMD EPYC", "Xeon", [](ProfileReport& now) { now.environment.cpu = "Xeon"; }},
      {"cores", "1", "8", [](ProfileReport& now) { now.environment.cores = 8; }},
      {"system", "nothing", "Debian", [](ProfileReport& now) { now.environment.os = "Debian"; }},
      {"samples", "3 samples, made up (seed 0)", "3 samples, a.npz",
       [](ProfileReport& now) { now.data = "3 samples, a.npz"; }},
      {"samples", "3 (3 samples, made up (seed 0))", "10 (3 samples, made up (seed 0))",
       [](ProfileReport& now) { now.samples = 10; }},
      {"protocol", "blocks", "otx", [](ProfileReport& now) { now.protocol = "otx"; }},
      {"culprit's version", "nothing", "2", [](ProfileReport& now) { now.tool_version = "2"; }},
      {"runtime", "1.31.1", "1.22.1", [](ProfileReport& now) { now.entries[1].runtime = "1.22.1"; }},
      {"provider", "nothing", "CUDA", [](ProfileReport& now) { now.entries[1].provider = "CUDA"; }},
      {"optimizer", "none", "mine", [](ProfileReport& now) { now.entries[1].optimizer = "mine"; }},
      {"steps left out", "none", "A (1)", [](ProfileReport& now) { now.entries[1].disabled = {"A"}; }},
      {"model", "model.onnx", "other.onnx", [](ProfileReport& now) { now.entries[1].model = "other.onnx"; }},
  };
  for (const Case& one : cases) {
    auto now = two_rows();
    one.change(now);
    EXPECT_THAT(kept_differs(two_rows(), now), ElementsAre(tells(one.what, one.kept, one.now))) << one.what;
  }
}

TEST(KeptDiffers, IsToldOnceForAllRows) {
  auto now = two_rows();
  for (ProfileEntry& entry : now.entries) entry.runtime = "1.22.1";
  EXPECT_THAT(kept_differs(two_rows(), now), ElementsAre(Field(&Warning::message, HasSubstr("('off', 'all')"))));
}

TEST(KeptDiffers, TheSameModelElsewhereIsTheSame) {
  auto kept = two_rows(), now = two_rows();
  kept.entries[1].model_sha256 = now.entries[1].model_sha256 = std::string(64, 'a');
  now.entries[1].model = "elsewhere/model.onnx";
  EXPECT_THAT(kept_differs(kept, now), IsEmpty());
  now.entries[1].model = "model.onnx";
  now.entries[1].model_sha256 = std::string(64, 'b');
  EXPECT_THAT(kept_differs(kept, now), ElementsAre(tells("model", "sha256 aaaaaaaaaaaa", "sha256 bbbbbbbbbbbb")));
}

}  // namespace
}  // namespace culprit
