// `culprit optimize` through the real binary: what it leaves is right, and nothing is left where it cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "model/fingerprint.h"
#include "model/model.h"
#include "support/corpus_case.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Optimize : public ::testing::Test {
 protected:
  /// model.onnx and its data from tests/corpus/<name>.onnxtxt.
  void use(const std::string& name) {
    const auto read = read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests" / "corpus" / (name + ".onnxtxt"));
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_TRUE(write_corpus_case(*read, folder_.path()));
    if (!read->samples.empty()) data_ = {"--data", at("data")};
  }

  [[nodiscard]] std::string at(const std::string& name) const { return folder_.path() / name; }

  Ran optimize(std::vector<std::string> more = {}, const std::string& out = "out.onnx") {
    more.insert(more.begin(), {"optimize", at("model.onnx"), "-o", at(out), "--run-dir", at("run")});
    more.insert(more.end(), data_.begin(), data_.end());
    return culprit(more);
  }

  /// Is the bundle right for this file? So the passes that were left out, and only they, were the matter.
  Ran check(const std::string& name, std::vector<std::string> more) {
    more.insert(more.begin(), at(name));
    more.insert(more.end(), data_.begin(), data_.end());
    return culprit_check(more);
  }

  Hash128 fingerprint_of(const std::string& name) { return fingerprint(*load_model(at(name))->proto); }

  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  TemporaryFolder folder_ = scratch();
  std::vector<std::string> data_;
};

std::string joined(const nlohmann::json& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ",") + word.get<std::string>();
  return text;
}

nlohmann::json report_in(const fs::path& folder) {
  return nlohmann::json::parse(read_file(folder / "run" / "report.json").value())["models"][0];
}

TEST_F(Optimize, ThePassThatFailsIsLeftOutAndTheRestIsVerified) {
  use("faults/pad-into-maxpool-of-negatives");
  const Ran ran = optimize();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(ran.out, HasSubstr("left out: fuse_pad_into_pool: wrong alone: output 'y' differs by"));
  EXPECT_THAT(ran.out, HasSubstr("(F1)"));
  EXPECT_THAT(ran.out, HasSubstr("nodes 2 -> 2"));
  EXPECT_THAT(ran.out, HasSubstr("warning: ONNX Runtime "));
  EXPECT_EQ(fingerprint_of("out.onnx"), fingerprint_of("model.onnx"))
      << "the rest of the default pass list changes nothing";
  const auto safe = report_in(folder_.path())["safe_recipe"];
  EXPECT_EQ(safe["left_out"].size(), 1U);
  EXPECT_EQ(safe["verified"]["levels"], nlohmann::json::array({"off", "all"}));
}

/// Whatever is written is the model of the safe recipe, and does what the original does.
class OptimizeCorpus : public Optimize, public ::testing::WithParamInterface<std::string> {};

TEST_P(OptimizeCorpus, WhatIsWrittenIsTheSafeRecipesModel) {
  CULPRIT_ONE_OF(2);
  use(GetParam());
  const Ran ran = optimize({"--keep-variants"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  const auto report = report_in(folder_.path());
  const auto& safe = report["safe_recipe"];
  EXPECT_FALSE(safe["left_out"].empty());
  EXPECT_FALSE(safe["verified"].is_null());
  EXPECT_EQ(safe["passes"].size() + safe["left_out"].size(), 39U) << "the default pass list";
  bool found = false;
  for (const auto& variant : report["variants"]) {
    if (variant["recipe"]["passes"] != safe["passes"]) continue;
    found = true;
    EXPECT_THAT((std::vector<std::string>{"unchanged", "equivalent", "deviates"}),
                ::testing::Contains(variant["verdict"]));
    const bool is_changed = variant["verdict"] != "unchanged";
    EXPECT_EQ(fingerprint_of("out.onnx").hex(),
              is_changed ? variant["fingerprint"].get<std::string>() : fingerprint_of("model.onnx").hex());
  }
  EXPECT_TRUE(found) << "the safe list is among the variants";
  const Ran again = check("model.onnx", {"--passes", joined(safe["passes"])});
  EXPECT_EQ(again.exit, 0) << again.out;
}

INSTANTIATE_TEST_SUITE_P(Faults, OptimizeCorpus,
                         ::testing::Values("faults/pad-axes-into-conv", "faults/pad-value-attribute-into-conv",
                                           "faults/nonspatial-batchnorm-into-conv", "faults/gemm-of-integers",
                                           "interactions/if-branch-of-constants",
                                           "interactions/inlined-branch-uses-a-duplicate",
                                           "interactions/inlined-branch-uses-a-weight"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
                           return name;
                         });

TEST_F(Optimize, AnOutputThatSaysNothingIsVerifiedByNobody) {
  onnx::ModelProto model;
  ASSERT_TRUE(onnx::OnnxParser::Parse(model, R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1,4,6,6] x) => (float[1,4,6,6] y, float[1,4,6,6] flat) <int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}> {
        y = Relu(x)  below = Neg(y)  padded = Pad(below, pads)
        largest = MaxPool<kernel_shape = [3, 3]>(padded)  flat = Relu(largest) })")
                  .IsOK());
  ASSERT_TRUE(save_model(model, at("model.onnx")));
  const Ran ran = optimize();
  EXPECT_THAT(ran.out, HasSubstr("left out: fuse_pad_into_pool: wrong alone: inner value 'largest'"));
  EXPECT_EQ(ran.exit, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("nobody verified an output: 'flat' is 0 in all elements of all samples"));
  EXPECT_THAT(ran.err, HasSubstr("--accept-weak flat"));
  EXPECT_FALSE(fs::exists(folder_.path() / "out.onnx"));
  const Ran accepted = optimize({"--accept-weak", "flat"});
  EXPECT_EQ(accepted.exit, 0) << accepted.err;
  EXPECT_THAT(accepted.out, HasSubstr("but for flat, which nobody verified"));
  EXPECT_EQ(optimize({"--accept-weak", "round"}).exit, 2);
}

TEST_F(Optimize, RequireAllWritesNothingIfAPassMustGo) {
  use("faults/pad-into-maxpool-of-negatives");
  const Ran ran = optimize({"--require-all"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("out.onnx was not written"), HasSubstr("fuse_pad_into_pool")));
  EXPECT_THAT(names(), Not(::testing::Contains("out.onnx")));
}

TEST_F(Optimize, OnePassThatFailsLeavesNothing) {
  use("faults/pad-into-maxpool-of-negatives");
  std::ofstream(at("out.onnx"));
  const Ran ran = optimize({"--passes", "fuse_pad_into_pool"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.err, HasSubstr("nothing safe was found"));
  EXPECT_EQ(fs::file_size(at("out.onnx")), 0U) << "as it was";
  EXPECT_THAT(names(), ElementsAre("model.onnx", "out.onnx", "run")) << "nothing half-written";
}

TEST_F(Optimize, TheModelItselfIsNeverTheOutput) {
  use("faults/pad-into-maxpool-of-negatives");
  const auto before = read_file(at("model.onnx")).value();
  EXPECT_EQ(optimize({}, "model.onnx").exit, 2);
  fs::create_hard_link(at("model.onnx"), at("link.onnx"));
  const Ran ran = optimize({}, "link.onnx");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("that is the model itself"));
  EXPECT_EQ(read_file(at("model.onnx")).value(), before);
}

TEST_F(Optimize, AnOutputThatCannotBeIsUsage) {
  use("faults/pad-into-maxpool-of-negatives");
  EXPECT_THAT(optimize({}, "nowhere/out.onnx").err, HasSubstr("its folder is not there"));
  fs::create_directory(at("folder"));
  EXPECT_EQ(optimize({}, "folder").exit, 2);
  std::ofstream(at("weights.bin")) << "not a model";
  const Ran ran = optimize({}, "weights.bin");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("no model, and it is not replaced"));
  EXPECT_EQ(read_file(at("weights.bin")).value(), "not a model");
}

TEST_F(Optimize, AModelThatIsThereIsReplaced) {
  use("interactions/inlined-branch-uses-a-weight");
  fs::copy_file(at("model.onnx"), at("old.onnx"));
  fs::create_symlink("old.onnx", at("out.onnx"));
  EXPECT_EQ(optimize().exit, 0);
  EXPECT_TRUE(fs::is_symlink(at("out.onnx")));
  EXPECT_NE(fingerprint_of("old.onnx"), fingerprint_of("model.onnx"));
}

/// Moves the values of the first large initializer into weights.bin.
void make_external(const fs::path& path) {
  onnx::ModelProto model = *load_model(path)->proto;
  auto& weight = *std::ranges::max_element(*model.mutable_graph()->mutable_initializer(), {},
                                           [](const auto& tensor) { return tensor.float_data_size(); });
  std::ofstream(path.parent_path() / "weights.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(weight.float_data().data()),
             static_cast<std::streamsize>(weight.float_data_size() * sizeof(float)));
  weight.clear_float_data();
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& entry = *weight.add_external_data();
  entry.set_key("location");
  entry.set_value("weights.bin");
  std::ofstream(path, std::ios::binary) << model.SerializeAsString();
}

TEST_F(Optimize, ExternalDataAreBroughtInside) {
  use("interactions/inlined-branch-uses-a-weight");
  const Hash128 whole = fingerprint_of("model.onnx");
  make_external(at("model.onnx"));
  ASSERT_TRUE(load_model(at("model.onnx"))->has_external_data);
  EXPECT_EQ(optimize({}, "weights.bin").exit, 2) << "the weights are no model, and stay";
  ASSERT_EQ(optimize().exit, 0);
  EXPECT_FALSE(load_model(at("out.onnx"))->has_external_data);
  const Ran ran = optimize({"--passes", "nop,eliminate_identity"}, "copy.onnx");
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(load_model(at("copy.onnx"))->has_external_data);
  EXPECT_EQ(fingerprint_of("copy.onnx"), whole);
}

TEST_F(Optimize, WhatCannotBeJudgedIsNotWritten) {
  use("faults/pad-into-maxpool-of-negatives");
  std::ofstream(at("model.onnx")) << "garbage";
  const Ran ran = optimize();
  EXPECT_EQ(ran.exit, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("out.onnx was not written"));
  EXPECT_THAT(names(), Not(::testing::Contains("out.onnx")));
}

TEST_F(Optimize, AnInterruptionLeavesNothing) {
  use("interactions/inlined-branch-uses-a-weight");
  std::ofstream(at("out.onnx"));
  const std::string command = "cd '" + folder_.path().string() +
                              "' && timeout -s INT 0.4 '" CULPRIT_BINARY
                              "' optimize model.onnx -o out.onnx --samples 10000 --run-dir run > said 2>&1";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 124) << "timeout had to interrupt it: " << read_file(at("said")).value();
  EXPECT_THAT(read_file(at("said")).value(), HasSubstr("interrupted"));
  EXPECT_THAT(names(), ElementsAre("model.onnx", "out.onnx", "said"));
  EXPECT_EQ(fs::file_size(at("out.onnx")), 0U) << "as it was";
}

TEST_F(Optimize, JsonIsTheReport) {
  use("faults/pad-into-maxpool-of-negatives");
  const Ran ran = optimize({"--format", "json"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, read_file(folder_.path() / "run" / "report.json").value());
}

TEST_F(Optimize, ARealModelLosesNodesAndNothingElse) {
  if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
  fs::copy_file(zoo() / "models" / "basic-pitch-15.onnx", at("model.onnx"));
  const Ran ran = optimize({"--samples", "1", "--require-all"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("nodes 248 -> 241"));
  EXPECT_THAT(ran.out, HasSubstr("verified on 1 sample without and with ONNX Runtime's optimizations (off, all)"));
  EXPECT_EQ(load_model(at("out.onnx"))->facts.nodes, 241);
}

TEST_F(Optimize, AModelThatNoPassChangesIsCopied) {
  use("faults/pad-into-maxpool-of-negatives");
  const Ran ran = optimize({"--passes", "nop,eliminate_identity"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("a copy of"));
  EXPECT_EQ(read_file(at("out.onnx")).value(), read_file(at("model.onnx")).value());
}

}  // namespace
}  // namespace culprit::testing
