// The corpus of conversions: is each mistake named by its class and its layer, and proved, and nothing else blamed?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "conversion_rows.h"
#include "model/model.h"
#include "support/outputs.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

DiagnosedFiles diagnose_row(const ConversionRow& row) {
  const TemporaryFolder folder = scratch();
  const auto source = folder.path() / "source.onnx", target = folder.path() / "target.onnx";
  EXPECT_TRUE(save_model(source_of(row), source));
  EXPECT_TRUE(save_model(target_of(row), target));
  return diagnose_files(source, target);
}

bool is_right(const DiagnosedFiles& found, const ConversionRow& row) {
  const NamedFaults named = named_of(found.report, row.truth);
  return found.exit == (row.truth.empty() ? 0 : 1) && named.classes == std::ssize(row.truth) && named.beyond == 0;
}

class Conversions : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Conversions, AreToldAsTheyAre) {
  CULPRIT_ONE_OF(10);
  const ConversionRow& row = conversion_rows().at(GetParam());
  const DiagnosedFiles found = diagnose_row(row);
  if (row.missed_because.empty()) {
    EXPECT_TRUE(is_right(found, row)) << "told: " << ::testing::PrintToString(told_faults(found.report))
                                      << "\nin truth: " << ::testing::PrintToString(words_of(row.truth)) << "\n"
                                      << found.said;
  } else {
    EXPECT_FALSE(is_right(found, row)) << "it is right now: take the reason off its row: " << row.missed_because;
    EXPECT_NE(found.exit, 0) << "a mistake that is not seen at all";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Conversions, ::testing::Range<std::size_t>(0, conversion_rows().size()),
                         [](const auto& row) { return conversion_rows().at(row.param).name; });

/// Each row above is right, or has a reason: so these shares are those of the whole.
TEST(ConversionCorpus, MissesAreFew) {
  int clean = 0, faulty = 0, missed = 0;
  for (const ConversionRow& row : conversion_rows()) {
    ++(row.truth.empty() ? clean : faulty);
    if (row.missed_because.empty()) continue;
    ++missed;
    EXPECT_FALSE(row.truth.empty()) << row.name << ": an honest conversion that is blamed is no miss, but a bug";
    std::cout << row.name << ": " << row.missed_because << "\n";
  }
  std::cout << clean << " honest conversions, " << faulty << " with mistakes; " << faulty - missed
            << " of these are told as they are\n";
  EXPECT_GE(clean, 40);
  EXPECT_GE(faulty, 60);
  EXPECT_LE(missed, faulty / 20);
}

TEST(ConversionCorpus, HasAllClassesAndNets) {
  std::set<std::string> kinds, clean, faulty, names;
  for (const ConversionRow& row : conversion_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    (row.truth.empty() ? clean : faulty).insert(row.net);
    for (const ConversionTruth& truth : row.truth) kinds.insert(truth.kind);
  }
  EXPECT_THAT(kinds, ::testing::SizeIs(7));
  EXPECT_THAT(clean, ::testing::UnorderedElementsAreArray(corpus_nets()));
  EXPECT_THAT(faulty, ::testing::UnorderedElementsAreArray(corpus_nets()));
}

std::size_t largest_at(const Tensor& tensor) {
  std::size_t at = 0;
  for (std::int64_t i = 1; i < tensor.count(); ++i)
    if (tensor.number(i) > tensor.number(static_cast<std::int64_t>(at))) at = static_cast<std::size_t>(i);
  return at;
}

/// A network whose outputs say the same of everything, or whose Relus are dead, hides mistakes.
TEST(ConversionCorpus, NetsTellSamplesApart) {
  for (const std::string& name : corpus_nets()) {
    onnx::ModelProto net = corpus_net(name);
    std::vector<std::string> relus;
    for (const auto& node : net.graph().node())
      if (node.op_type() == "Relu" || node.op_type() == "Clip") relus.push_back(node.output(0));
    const auto outputs = static_cast<std::size_t>(net.graph().output_size());
    for (const std::string& relu : relus) {
      auto& output = *net.mutable_graph()->add_output();
      output.set_name(relu);
      output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    }
    const TemporaryFolder folder = scratch();
    ASSERT_TRUE(save_model(net, folder.path() / "net.onnx"));
    std::set<std::size_t> labels;
    std::vector<double> dead(relus.size()), all(relus.size());
    for (const auto& sample : outputs_of(folder.path() / "net.onnx", 8)) {
      labels.insert(largest_at(sample.at(0).value));
      for (std::size_t i = 0; i < relus.size(); ++i) {
        const Floats numbers = floats_of(sample.at(outputs + i).value);
        dead[i] += static_cast<double>(std::ranges::count(numbers, 0.0F));
        all[i] += static_cast<double>(numbers.size());
      }
    }
    EXPECT_GT(labels.size(), 1U) << name;
    for (std::size_t i = 0; i < relus.size(); ++i) {
      EXPECT_GT(dead[i] / all[i], 0.05) << name << ", " << relus[i];
      EXPECT_LT(dead[i] / all[i], 0.9) << name << ", " << relus[i];
    }
  }
}

}  // namespace
}  // namespace culprit::testing
