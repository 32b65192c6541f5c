#pragma once
// A model, samples and a fake executor, ready to be checked.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "check/check.h"
#include "fake_executor.h"

namespace culprit {

class Bench : public ::testing::Test {
 protected:
  Bench() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-check").value()) {
    model.path = "/models/net.onnx";
    model.interface = FakeExecutor::interface();
    model.facts.nodes = 12;
    for (const char* name : {"a", "b", "c"}) passes.push_back({name, "fuse", Contract::equivalent, true, true, ""});
    passes.push_back({"outside", "other", Contract::equivalent, false, false, ""});
    passes.push_back({"renames", "other", Contract::interface, false, false, ""});
    passes.push_back({"halves", "other", Contract::partition, false, false, ""});
    proposals = {proposal("synthesized", {1, 2, 3})};
    options.draws = 0;                  // what is asked for is easier to count; values_test.cc draws
    options.deploy_level = Level::off;  // has tests of its own
    options.localize = false;           // bad_rewrites_test.cc does it
  }

  static Proposal proposal(const std::string& description, const std::vector<float>& firsts) {
    Proposal made;
    made.description = description;
    made.facts.source = DataSource::synthesized;
    made.facts.samples = static_cast<std::int64_t>(firsts.size());
    for (const float first : firsts) made.samples.push_back({"s", {{"x", Tensor::of<float>({2}, {first, -1})}}});
    return made;
  }

  Result<ModelReport> try_check() {
    return check_model(model, proposals, options, {executor, optimizer, folder_.path(), progress});
  }

  ModelReport check() {
    auto report = try_check();
    if (!report) throw std::runtime_error(report.error().text());
    return std::move(*report);
  }

  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

  Model model;
  OptimizerTraits optimizer;
  std::vector<PassInfo>& passes = optimizer.steps;
  std::vector<Proposal> proposals;
  CheckOptions options;
  FakeExecutor executor;
  Progress progress;

 private:
  TemporaryFolder folder_;
};

/// The record of the recipe "a,b".
inline const VariantRecord& variant(const ModelReport& report, const std::string& passes) {
  for (const VariantRecord& record : report.variants) {
    if (join(record.recipe.passes, ",") == passes) return record;
  }
  throw std::runtime_error("no variant " + passes);
}

inline const ControlRecord& control(const ModelReport& report, const std::string& name) {
  for (const ControlRecord& record : report.controls) {
    if (name_of(record.name) == name) return record;
  }
  throw std::runtime_error("no control " + name);
}

inline std::vector<std::string> codes(const std::vector<Warning>& warnings) {
  std::vector<std::string> found;
  for (const Warning& warning : warnings) found.push_back(warning.code);
  return found;
}

/// A pass that makes another model with the same values.
inline Behaviour changes(const std::string& content) {
  Behaviour behaviour;
  behaviour.content = content;
  return behaviour;
}

/// A pass that makes a model with wrong values of y.
inline Behaviour breaks(const std::string& content, float shift = 0.5F) {
  Behaviour behaviour = changes(content);
  behaviour.shift_y = shift;
  behaviour.ops = {{"BatchNormalization", -1}};
  return behaviour;
}

}  // namespace culprit
