// The small commands: what they print, given what they found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/doctor.h"
#include "cli/exit_code.h"
#include "cli/machine_facts.h"
#include "cli/passes.h"
#include "cli/twin.h"
#include "cli/version.h"
#include "report/layout.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using State = MachineFinding::State;

const std::vector<PassInfo> two_passes{
    {"fuse_bn_into_conv", "fuse", Contract::equivalent, true, true,
     "Folds a BatchNormalization into the Conv before it, which changes its weights, and so may change the last bits"},
    {"split_init", "other", Contract::partition, false, false, "Keeps the part of the model that needs no input"}};

TEST(Passes, AsATable) {
  EXPECT_EQ(passes_as_text(two_passes, 80),
            "pass               kind       contract    in bundle\n"
            "fuse_bn_into_conv  fuse       equivalent  yes\n"
            "    Folds a BatchNormalization into the Conv before it, which changes its\n"
            "    weights, and so may change the last bits\n"
            "split_init         other      partition   no\n"
            "    Keeps the part of the model that needs no input\n"
            "2 passes, 1 in the bundle. Contracts: equivalent (same interface, same values),\n"
            "interface (may rename or cast inputs and outputs), partition (half a model by\n"
            "design).\n");
}

TEST(Passes, AsJson) {
  const auto array = nlohmann::json::parse(passes_as_json(two_passes));
  ASSERT_EQ(array.size(), 2U);
  EXPECT_EQ(array[1], (nlohmann::json{{"name", "split_init"},
                                      {"kind", "other"},
                                      {"contract", "partition"},
                                      {"in_bundle", false},
                                      {"help", two_passes[1].help}}));
  EXPECT_EQ(passes_as_names(two_passes), "fuse_bn_into_conv\nsplit_init\n");
}

TEST(Twin, SaysWhatWasDone) {
  TwinFacts facts;
  facts.kind = TwinKind::reweighted;
  facts.made = 239, facts.replaced = 28, facts.elements = 25'608'360, facts.left_alone = 1;
  facts.frozen = 269, facts.ir_before = 3, facts.ir_version = 4, facts.bytes = 102'500'000;
  facts.calibration = {107, 2, 1, 3, 0.934, 1.081};
  EXPECT_EQ(twin_text({"resnet.onnx", "twin.onnx", {}, ""}, facts, 80),
            "twin.onnx: re-weighted twin of resnet.onnx, 102.5 MB\n"
            "  frozen: 269 initializers no longer among the inputs, IR 3 -> 4\n"
            "  weights by seed 0: 239 made, 28 replaced, 25.6 M elements; 1 constant left\n"
            "  alone\n"
            "  calibrated: 107 layers in 1 round on 3 samples, variance 0.93 to 1.08; 2\n"
            "  layers of one value or not finite\n");
  facts.calibration = {};
  EXPECT_THAT(twin_text({"a.onnx", "b.onnx", {}, ""}, facts, 80), HasSubstr("  not calibrated: no layer in reach\n"));
  facts.kind = TwinKind::frozen;
  facts.ir_before = 4;
  EXPECT_EQ(twin_text({"a.onnx", "b.onnx", {}, ""}, facts, 80),
            "b.onnx: frozen twin of a.onnx, 102.5 MB\n"
            "  frozen: 269 initializers no longer among the inputs\n"
            "  weights as they were\n");
}

TEST(Doctor, SaysWhatToDo) {
  const std::vector<MachineFinding> findings{
      {State::ok, "cores", "2", ""},
      {State::note, "free disk", "1.0 MB", "make room"},
      {State::missing, "ONNX Runtime", "not \x1b[2Jfound in a, b, c and many other places that make this line long",
       "run scripts/setup"}};
  EXPECT_EQ(findings_as_text(findings, {}),
            "ok      cores          2\n"
            "note    free disk      1.0 MB\n"
            "                       -> make room\n"
            "missing ONNX Runtime   not found in a, b, c and many other places that make this\n"
            "                       line long\n"
            "                       -> run scripts/setup\n");
  EXPECT_EQ(exit_code_of(findings), exit_code::cannot_judge);
  EXPECT_EQ(exit_code_of({findings[0], findings[1]}), exit_code::nothing_wrong);
  Look colour;
  colour.colour = true;
  EXPECT_THAT(findings_as_text(findings, colour), HasSubstr("\x1b[1;31mmissing\x1b[0m ONNX"));
}

TEST(Version, NamesEveryLibrary) {
  const auto versions = library_versions();
  EXPECT_EQ(versions.size(), 11U);
  for (const auto& [name, version] : versions)
    EXPECT_THAT(version, ::testing::MatchesRegex("[0-9]+\\.[0-9]+(\\.[0-9]+.*)?")) << name;
}

TEST(MachineTest, IsKnown) {
  const Machine machine = this_machine();
  EXPECT_GE(machine.cores, 1);
  EXPECT_GT(machine.memory, 100'000'000U);
  EXPECT_FALSE(machine.os.empty() || machine.cpu.empty());
  EXPECT_TRUE(free_disk("/tmp/not/there/yet").has_value());
  EXPECT_TRUE(std::filesystem::exists(own_program()));
}

TEST(ExitCodes, AreThoseOfTheDesign) {
  EXPECT_EQ(exit_code_of(ErrorKind::usage), 2);
  EXPECT_EQ(exit_code_of(ErrorKind::not_found), 2);
  EXPECT_EQ(exit_code_of(ErrorKind::bad_input), 3);
  EXPECT_EQ(exit_code_of(ErrorKind::unsupported), 3);
  EXPECT_EQ(exit_code_of(ErrorKind::io), 3);
  EXPECT_EQ(exit_code_of(ErrorKind::internal), 4);
  EXPECT_EQ(exit_code_of(ErrorKind::interrupted), 130);
}

}  // namespace
}  // namespace culprit
