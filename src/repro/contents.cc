#include "repro/contents.h"

#include <algorithm>

#include "model/external_data.h"
#include "tensor/pack.h"
#include "tensor/value.h"

namespace culprit {
namespace {

ReproFacts facts_of(const FaultCase& shown, const ReproVersions& versions) {
  const FaultRecord& fault = shown.fault;
  ReproFacts facts;
  facts.fault = fault.id;
  facts.source = shown.model.path.filename().string();
  facts.verdict = fault.verdict;
  facts.kind = fault.kind;
  facts.attribution = fault.attribution;
  facts.culprits = fault.culprits;
  facts.signature = fault.signature;
  facts.message = fault.message;
  facts.evidence = shown.evidence;
  facts.recipe = shown.recipe;
  facts.contract = shown.contract;
  facts.level = std::string(name_of(shown.session.level));
  facts.reference_level = shown.reference_level;
  facts.threads = shown.session.threads;
  facts.tolerance = shown.options.tolerance;
  facts.strict = shown.options.strict;
  facts.cpu_seconds = shown.options.limits.cpu_seconds;
  facts.memory_bytes = shown.options.limits.memory_bytes;
  for (const fs::path& library : shown.session.custom_ops) facts.custom_ops.push_back(library.filename().string());
  facts.measurements = shown.measurements;
  facts.confirmed = shown.confirmed;
  facts.versions = versions;
  facts.versions.onnxruntime = shown.runtime;
  return facts;
}

/// Tolerances scale with the output, so they are those of this very sample: a measurement has the largest of all.
void add_limits(const FaultCase& shown, const std::vector<NamedTensor>& outputs, ReproFacts& facts) {
  const std::vector<std::string> labels = labels_of(outputs);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Measurement own = measure(outputs[i].value, outputs[i].value, shown.options.tolerance);
    ReproLimit& limit = facts.limits[labels[i]];
    limit.atol = own.atol;
    limit.rtol = own.rtol;
    if (const auto floor = shown.floors.find(labels[i]); floor != shown.floors.end()) limit.floor = floor->second;
    if (const auto ties = shown.ties.find(labels[i]); ties != shown.ties.end()) limit.ties = ties->second;
  }
}

}  // namespace

std::uint64_t repro_bytes(const Model& model) {
  return std::max(model.facts.bytes, model.proto == nullptr ? 0 : whole_bytes(*model.proto));
}

Result<ReproContents> contents_of(const FaultCase& shown, const ReproVersions& versions) {
  ReproContents contents;
  contents.facts = facts_of(shown, versions);
  contents.model = shown.model.path;
  contents.variant = shown.variant;
  for (const RewriteRecord& rewrite : shown.fault.rewrites)
    contents.diff.insert(contents.diff.end(), rewrite.diff.begin(), rewrite.diff.end());
  if (shown.inputs.empty()) return contents;
  auto inputs = read_pack(shown.inputs);
  if (!inputs) return tl::unexpected(inputs.error());
  auto outputs = read_pack(shown.expected);
  if (!outputs) return tl::unexpected(outputs.error());
  add_limits(shown, *outputs, contents.facts);
  contents.inputs = std::move(*inputs);
  contents.outputs = std::move(*outputs);
  return contents;
}

}  // namespace culprit
