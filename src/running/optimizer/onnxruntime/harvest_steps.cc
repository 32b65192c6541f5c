#include "optimizer/onnxruntime/harvest_steps.h"

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/word_names.h"
#include "model/fingerprint.h"
#include "model/model.h"
#include "optimizer/onnxruntime/step_names.h"
#include "runtime/optimize_by_loading.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr WordNames<StepKind, 3> kinds{
    {{StepKind::transformer, "transformer"}, {StepKind::container, "container"}, {StepKind::rule, "rule"}}};
constexpr WordNames<StepProof, 4> proofs{{{StepProof::by_log, "by_log"},
                                          {StepProof::by_model, "by_model"},
                                          {StepProof::always_runs, "always_runs"},
                                          {StepProof::none, "none"}}};
constexpr std::array below_all{Level::layout, Level::extended, Level::basic, Level::off};
constexpr const char* smallest_model =
    R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) { y = Relu(x) })";
constexpr std::uint64_t largest_library = std::uint64_t{4} << 30;  // with CUDA about 1 GiB

std::string bytes_of(const char* text) {
  onnx::ModelProto model;
  if (!onnx::OnnxParser::Parse(model, text).IsOK()) return "";
  return model.SerializeAsString();
}

using Runs = std::vector<TransformerRun>;

bool has_run(const Runs& runs, const std::string& name) {
  return std::ranges::find(runs, name, &TransformerRun::name) != runs.end();
}

class Harvester {
 public:
  Harvester(const fs::path& library, const fs::path& folder) : library_(library), folder_(folder) {}

  Result<Harvest> harvest() {
    auto version = version_of_onnxruntime(library_);
    if (!version) return tl::unexpected(version.error());
    harvest_.version = *version;
    if (auto ok = transformers(); !ok) return tl::unexpected(ok.error());
    if (auto ok = rules(); !ok) return tl::unexpected(ok.error());
    return std::move(harvest_);
  }

 private:
  Result<Runs> smallest_at(Level level, std::vector<std::string> disabled = {}) {
    return optimize_by_loading(library_, {bytes_of(smallest_model), level, std::move(disabled), {}});
  }

  Result<void> transformers() {
    const auto all = smallest_at(Level::all);
    if (!all) return tl::unexpected(all.error());
    for (const TransformerRun& run : *all) {
      const auto containers = rule_containers();
      const bool contains = std::ranges::find(containers, run.name) != containers.end();
      harvest_.steps.push_back(
          {run.name, contains ? StepKind::container : StepKind::transformer, Level::all, StepProof::none});
    }
    return find_levels().and_then([this] { return prove_transformers(); });
  }

  /// A library that does not have a level refuses it: then its steps are found at the next.
  Result<void> find_levels() {
    for (const Level level : below_all) {
      const auto runs = smallest_at(level);
      if (!runs) continue;
      for (HarvestedStep& step : harvest_.steps)
        if (has_run(*runs, step.name)) step.level = level;
    }
    return {};
  }

  Result<void> prove_transformers() {
    std::vector<std::string> names;
    for (const HarvestedStep& step : harvest_.steps) names.push_back(step.name);
    const auto left = smallest_at(Level::all, names);
    if (!left) return tl::unexpected(left.error());
    for (HarvestedStep& step : harvest_.steps)
      step.proof = has_run(*left, step.name) ? StepProof::always_runs : StepProof::by_log;
    return {};
  }

  Result<void> rules() {
    const auto library = read_file(library_, largest_library);
    if (!library) return tl::unexpected(library.error());
    for (const RuleName& rule : known_rules()) {
      const std::string whole = '\0' + std::string(rule.name) + '\0';
      const bool is_named = library->find(whole) != std::string::npos;
      HarvestedStep step{rule.name, StepKind::rule, rule.level, StepProof::none};
      if (*rule.probe != '\0' && is_proven(rule)) step.proof = StepProof::by_model;
      if (is_named || step.proof == StepProof::by_model) harvest_.steps.push_back(std::move(step));
    }
    return {};
  }

  /// Its model is another with it than without, all else but its container left out both times.
  bool is_proven(const RuleName& rule) {
    std::vector<std::string> disabled;
    for (const HarvestedStep& step : harvest_.steps)
      if (step.name != rule.container) disabled.push_back(step.name);
    for (const RuleName& other : known_rules())
      if (std::string_view(other.name) != rule.name) disabled.emplace_back(other.name);
    const auto with = saved(rule.probe, disabled);
    disabled.emplace_back(rule.name);
    const auto without = saved(rule.probe, disabled);
    return with && without && *with != *without;
  }

  /// The fingerprint of what the library saves; nothing where it refuses the model (an opset that it does not know).
  std::optional<Hash128> saved(const char* text, const std::vector<std::string>& disabled) {
    const fs::path file = folder_ / "probe.onnx";
    const auto runs = optimize_by_loading(library_, {bytes_of(text), Level::all, disabled, file});
    const auto model = runs ? load_proto(file) : tl::unexpected(runs.error());
    std::error_code ignored;
    fs::remove(file, ignored);
    return model ? std::optional(fingerprint(*model)) : std::nullopt;
  }

  const fs::path& library_;
  const fs::path& folder_;
  Harvest harvest_;
};

}  // namespace

std::string_view name_of(StepKind kind) { return name_in(kinds, kind); }
std::string_view name_of(StepProof proof) { return name_in(proofs, proof); }
std::optional<StepKind> step_kind_named(std::string_view name) { return word_in(kinds, name); }
std::optional<StepProof> step_proof_named(std::string_view name) { return word_in(proofs, name); }

Result<Harvest> harvest_steps(const fs::path& library, const fs::path& folder) {
  return Harvester(library, folder).harvest();
}

}  // namespace culprit
