// `culprit diagnose --target-data`: the target is fed other data than the source. Is it right on them?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/model.h"
#include "support/diagnosed.h"
#include "support/fed_otherwise.h"
#include "support/tool.h"
#include "tensor/npy.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr std::int64_t samples = 4;

class DiagnoseFeeding : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }

  /// The net, and a copy with other names that wants its input otherwise.
  void write_pair(const Fault& wants) {
    const onnx::ModelProto net = cnn_net();
    onnx::ModelProto target = net;
    wants(target);
    rename_all(target);
    ASSERT_TRUE(save_model(net, at("source.onnx")));
    ASSERT_TRUE(save_model(target, at("target.onnx")));
  }

  /// A row for each sample.
  void write_data(const std::string& name, std::int64_t rows, float size) {
    onnx::ModelProto net = cnn_net();
    Floats numbers;
    for (const auto& sample : samples_for(net, static_cast<int>(rows)))
      for (const float number : sample[0].value.as<float>()) numbers.push_back(size * number);
    ASSERT_TRUE(write_npy(at(name), Tensor::of<float>({rows, 3, 16, 16}, numbers)));
  }

  Ran diagnose(const std::vector<std::string>& flags) {
    std::vector<std::string> words{"diagnose", at("source.onnx"), at("target.onnx"), "--run-dir", at("run")};
    words.insert(words.end(), flags.begin(), flags.end());
    return culprit(words);
  }

  [[nodiscard]] Json report() const {
    EXPECT_TRUE(follows_schema(at("run") / "report.json"));
    return Json::parse(read_file(at("run") / "report.json").value());
  }

  TemporaryFolder folder_ = scratch();
};

const Fault wants_bytes = normalized_inside("x", {0}, {255});

TEST_F(DiagnoseFeeding, WhatTheTargetWants) {
  write_pair(wants_bytes);
  write_data("ones.npy", samples, 1);
  write_data("bytes.npy", samples, 255);
  const Ran fed = diagnose({"--data", at("ones.npy"), "--target-data", at("bytes.npy")});
  EXPECT_EQ(fed.exit, 0) << fed.out << fed.err;
  EXPECT_THAT(on_one_line(fed.out), HasSubstr("right on its own data"));
  const Json feeding = report().at("feeding");
  EXPECT_EQ(feeding.at("own_data"), true);
  EXPECT_EQ(feeding.at("data").at(0).at("way"), "0 to 255 in place of 0 to 1");
  EXPECT_EQ(feeding.at("data").at(0).at("same"), true);
}

TEST_F(DiagnoseFeeding, WhatItDoesNotWant) {
  write_pair(wants_bytes);
  write_data("ones.npy", samples, 1);
  const Ran unfed = diagnose({"--data", at("ones.npy"), "--target-data", at("ones.npy")});
  EXPECT_EQ(unfed.exit, 1) << unfed.out << unfed.err;
  EXPECT_THAT(on_one_line(unfed.out), HasSubstr("the target wants 0 to 255 in place of 0 to 1"));
  EXPECT_THAT(on_one_line(unfed.out), HasSubstr("the error of the outputs goes from"));
  EXPECT_EQ(report().at("faults").at(0).at("class"), "preprocessing");
}

/// The target is right, and what prepares its data is not.
TEST_F(DiagnoseFeeding, DataThatWerePreparedWrongly) {
  write_pair([](onnx::ModelProto&) {});
  write_data("ones.npy", samples, 1);
  write_data("bytes.npy", samples, 255);
  const Ran ran = diagnose({"--data", at("ones.npy"), "--target-data", at("bytes.npy")});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(on_one_line(ran.out), HasSubstr("which are the source's with 0 to 255 in place of 0 to 1"));
  EXPECT_EQ(report().at("feeding").at("tried").size(), 0U);
}

/// A and B have one form, and the target takes them the other way round.
TEST_F(DiagnoseFeeding, TwoInputsExchanged) {
  const auto of = [&](const std::string& file, const std::string& first, const std::string& second) {
    NetBuilder net(3);
    const std::string sum = net.op("Sub", {net.dense(first, 6, 8), net.op("Tanh", {net.dense(second, 6, 8)})});
    ASSERT_TRUE(save_model(net.model({{"a", {1, 6}}, {"b", {1, 6}}}, {{sum, {1, 8}}}), at(file)));
  };
  of("source.onnx", "a", "b");
  of("target.onnx", "b", "a");
  const Ran ran = diagnose({});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(on_one_line(ran.out), HasSubstr("the target wants 'a' and 'b' exchanged"));
}

TEST_F(DiagnoseFeeding, WrongUses) {
  write_pair(wants_bytes);
  write_data("ones.npy", samples, 1);
  write_data("more.npy", samples + 1, 1);
  const Ran more = diagnose({"--data", at("ones.npy"), "--target-data", at("more.npy")});
  EXPECT_EQ(more.exit, 2);
  EXPECT_THAT(on_one_line(more.err), HasSubstr("--target-data: 5 samples, and 4 in the data of the source"));
  const Ran made_up = diagnose({"--target-data", at("ones.npy")});
  EXPECT_EQ(made_up.exit, 2);
  EXPECT_THAT(on_one_line(made_up.err), HasSubstr("the source has no data of its own"));
  const Ran nowhere = diagnose({"--data", at("ones.npy"), "--target-data", at("none.npy")});
  EXPECT_EQ(nowhere.exit, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("there is no such file"));
}

}  // namespace
}  // namespace culprit::testing
