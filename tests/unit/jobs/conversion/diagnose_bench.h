#pragma once
// Diagnoses of small networks, run by a fake executor.

#include "conversion/diagnose.h"
#include "side_bench.h"
#include "support/conversion_faults.h"

namespace culprit::testing {

class DiagnoseBench : public SideBench {
 protected:
  /// The net as it is, and what a converter with these habits and these mistakes makes of it. Names are never kept.
  Diagnosis diagnose_net(const onnx::ModelProto& net, const std::vector<Fault>& rewritings, const Fault& mistake = {}) {
    onnx::ModelProto target = net;
    if (mistake) mistake(target);
    for (const Fault& rewriting : rewritings) rewriting(target);
    rename_all(target);
    return diagnose_models(net, target);
  }

  Diagnosis diagnose_models(const onnx::ModelProto& source, const onnx::ModelProto& target) {
    const std::filesystem::path work = folder() / ("work-" + std::to_string(runs_++));
    for (const char* name : {"one", "other", "work"}) std::filesystem::create_directories(work / name);
    const auto one = open_onnx_side({source, work / "one"}, read_onnx_network(source).value(), {});
    const auto other = open_onnx_side({target, work / "other"}, read_onnx_network(target).value(), {});
    samples.clear();
    for (auto& sample : samples_for(source, sample_count)) {
      if (std::ssize(samples) < small_samples)
        sample[0].value = each_number(sample[0].value, [](float number) { return number / 100; });
      add_sample(sample);
    }
    auto found = diagnose(*one, *other, {samples}, options, {executor, work / "work"});
    if (!found) throw std::runtime_error(found.error().text());
    return std::move(*found);
  }

  /// "parameter Conv_4", "graph Relu_6 (not confirmed)", in their order. Of what is added: "graph + Sigmoid".
  static std::vector<std::string> told(const Diagnosis& diagnosis) {
    std::vector<std::string> words;
    for (const ConversionFault& fault : diagnosis.faults) {
      std::string word = std::string(name_of(fault.kind)) + " ";
      word += fault.source.number >= 0 ? fault.source.name : "+ " + fault.target.node.type;
      if (fault.kind == FaultClass::hyperparameter) word += "." + fault.target.attribute;
      words.push_back(word + (fault.confirmed ? "" : " (not confirmed)"));
    }
    return words;
  }

  DiagnoseOptions options = [] {
    DiagnoseOptions made;
    made.draws = 1;
    return made;
  }();
  int sample_count = 2;
  int small_samples = 0;  ///< so many of the first have numbers a hundred times smaller

 private:
  int runs_ = 0;
};

}  // namespace culprit::testing
