// On real models: the session does what the library does, byte for byte, and what the scan rules out indeed changes
// nothing.

#include "unit/running/optimizer/zoo.h"

#include <gtest/gtest.h>

#include "model/fingerprint.h"
#include "optimizer/optimizer.h"

namespace onnx::optimization {
ModelProto Optimize(const ModelProto& model, const std::vector<std::string>& names);
ModelProto OptimizeFixed(const ModelProto& model, const std::vector<std::string>& names);
}  // namespace onnx::optimization

namespace culprit {
namespace {

/// Small enough for a unit test; all of the zoo with CULPRIT_ZOO_ALL in the environment.
bool is_quick(const std::string& name) {
  return std::getenv("CULPRIT_ZOO_ALL") != nullptr || name == "mnist-7" || name == "squeezenet-fp16-7" ||
         name == "silero-vad-16" || name == "ultraface-rfb-320-9" || name == "basic-pitch-15" ||
         name == "light-squeezenet-9";
}

class Zoo : public testing::Test {
 protected:
  void SetUp() override {
    if (zoo_models().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
  }
  template <class Visit>
  void for_each_model(const Visit& visit) {
    for (const auto& path : zoo_models()) {
      if (!is_quick(path.stem().string())) continue;
      SCOPED_TRACE(path.filename().string());
      visit(read_zoo_model(path));
    }
  }
  onnx::ModelProto apply(const onnx::ModelProto& model, const std::vector<std::string>& passes, Repeat repeat) {
    return optimizer_->import(model, {})->apply({"onnx_optimizer", passes, repeat});
  }
  std::vector<std::string> bundle() {
    std::vector<std::string> names;
    for (const auto& pass : optimizer_->passes()) {
      if (pass.in_bundle) names.push_back(pass.name);
    }
    return names;
  }

  std::unique_ptr<Optimizer> optimizer_ = make_onnx_optimizer();
};

TEST_F(Zoo, RoundTripIsTheLibrarys) {
  for_each_model([&](const onnx::ModelProto& model) {
    EXPECT_EQ(apply(model, {}, Repeat::once).SerializeAsString(),
              onnx::optimization::Optimize(model, {}).SerializeAsString());
  });
}

TEST_F(Zoo, BundleOnceIsTheLibrarys) {
  for_each_model([&](const onnx::ModelProto& model) {
    EXPECT_EQ(apply(model, bundle(), Repeat::once).SerializeAsString(),
              onnx::optimization::Optimize(model, bundle()).SerializeAsString());
  });
}

TEST_F(Zoo, BundleToTheLibrarysFixpointIsTheLibrarys) {
  for_each_model([&](const onnx::ModelProto& model) {
    EXPECT_EQ(apply(model, bundle(), Repeat::library).SerializeAsString(),
              onnx::optimization::OptimizeFixed(model, bundle()).SerializeAsString());
  });
}

TEST_F(Zoo, StableBundleIsStable) {
  for_each_model([&](const onnx::ModelProto& model) {
    const auto stable = apply(model, bundle(), Repeat::stable);
    EXPECT_EQ(fingerprint(apply(stable, bundle(), Repeat::once)), fingerprint(stable));
  });
}

/// What check relies on when it calls such passes `unchanged` without running them.
TEST_F(Zoo, PassesThatMatchNothingChangeNothing) {
  int ruled_out = 0;
  for_each_model([&](const onnx::ModelProto& model) {
    const Hash128 round_trip = fingerprint(apply(model, {}, Repeat::once));
    const auto scan = optimizer_->import(model, {});
    for (const auto& pass : optimizer_->passes()) {
      if (!pass.by_predicate || scan->may_match(pass.name)) continue;
      ++ruled_out;
      EXPECT_EQ(fingerprint(apply(model, {pass.name}, Repeat::once)), round_trip) << pass.name;
    }
    EXPECT_EQ(fingerprint(scan->apply({})), round_trip) << "the scan changed the model";
  });
  EXPECT_GT(ruled_out, 100);
}

/// The round trip renames nothing and moves nothing, so that models of IR 4 and later keep their fingerprint, but for
/// what it is known to lose.
TEST_F(Zoo, ScanIsDeterministic) {
  for_each_model([&](const onnx::ModelProto& model) {
    const auto one = optimizer_->import(model, {});
    const auto two = optimizer_->import(model, {});
    for (const auto& pass : optimizer_->passes()) {
      EXPECT_EQ(one->may_match(pass.name), two->may_match(pass.name)) << pass.name;
      EXPECT_EQ(one->may_match(pass.name), two->may_match(pass.name)) << pass.name << ", asked twice";
    }
  });
}

}  // namespace
}  // namespace culprit
