#include "repro/contents.h"

#include <algorithm>

#include "model/external_data.h"
#include "tensor/pack.h"

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

void add_limits(const FaultCase& shown, ReproFacts& facts) {
  for (const auto& [label, measurement] : shown.measurements) {
    if (is_structural(measurement)) continue;  // nothing was compared, so there was no limit
    ReproLimit& limit = facts.limits[label];
    limit.atol = measurement.atol;
    limit.rtol = measurement.rtol;
    if (const auto floor = shown.floors.find(label); floor != shown.floors.end()) limit.floor = floor->second;
    if (const auto ties = shown.ties.find(label); ties != shown.ties.end()) limit.ties = ties->second;
  }
}

}  // namespace

std::uint64_t repro_bytes(const Model& model) {
  return std::max(model.facts.bytes, model.proto == nullptr ? 0 : whole_bytes(*model.proto));
}

Result<ReproContents> contents_of(const FaultCase& shown, const ReproVersions& versions) {
  ReproContents contents;
  contents.facts = facts_of(shown, versions);
  add_limits(shown, contents.facts);
  contents.model = shown.model.path;
  contents.variant = shown.variant;
  if (shown.inputs.empty()) return contents;
  auto inputs = read_pack(shown.inputs);
  if (!inputs) return tl::unexpected(inputs.error());
  auto outputs = read_pack(shown.expected);
  if (!outputs) return tl::unexpected(outputs.error());
  contents.inputs = std::move(*inputs);
  contents.outputs = std::move(*outputs);
  return contents;
}

}  // namespace culprit
