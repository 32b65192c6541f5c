#include "repro/repro_contents.h"

#include <algorithm>
#include <cmath>

#include "judge/tolerance.h"
#include "model/external_data.h"
#include "tensor/pack_file.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

ReproFacts facts_of(const FaultCase& shown, const ReproVersions& versions) {
  const FaultRecord& fault = shown.fault;
  ReproFacts facts;
  facts.fault = fault.id;
  facts.source = shown.model.path.filename().string();
  facts.verdict = fault.verdict;
  facts.kind = fault.kind;
  facts.control = fault.control;
  facts.attribution = fault.attribution;
  facts.culprits = fault.culprits;
  facts.signature = facts.found_signature = fault.signature;
  facts.message = fault.message;
  facts.evidence = shown.evidence;
  facts.recipe = shown.recipe;
  if (const CommandSpecPtr& program = shown.options.program) {
    facts.recipe.command = portable(*program, facts.recipe.command).words;
    facts.packages = packages_of(*program);
  }
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
  if (shown.options.program != nullptr) facts.versions.program = shown.options.program->found_version;
  return facts;
}

/// The scale that the worst element is of: tolerances tell scales apart.
const Scale& scale_of(const Explained& explained, double atol, const std::vector<Bounds>& bounds) {
  std::size_t nearest = 0;
  const auto apart = [&](std::size_t i) { return std::abs(bounds[i].atol - atol) / std::max(bounds[i].atol, atol); };
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    if (apart(i) < apart(nearest)) nearest = i;
  }
  return explained.scales[nearest];
}

/// The limit of whole numbers: all but these are left out.
ReproLimit limit_of_whole(const Tensor& reference, const Explained& explained, double unit) {
  ReproLimit limit{0, 0, unit / 2};
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    if (!explained.units.empty() && explained.unit_at(static_cast<std::size_t>(i)) != unit) limit.ties.push_back(i);
  }
  return limit;
}

/// One pair of numbers for the whole output, those of the scale that the failure shows in: whoever tries the bundle has
/// no draws. Elements that rounding may move further are left out of the comparison, as ties are.
ReproLimit limit_of(const Tensor& reference, const Explained& explained, const Measurement& shown,
                    const Tolerance& tolerance) {
  std::vector<Bounds> bounds;
  for (const Scale& scale : explained.scales) bounds.push_back(bounds_for(reference.dtype(), scale.rms, tolerance));
  const Scale& scale = scale_of(explained, shown.atol, bounds);
  const Bounds own = bounds_for(reference.dtype(), scale.rms, tolerance);
  ReproLimit limit{own.atol, own.rtol, scale.limit};
  if (shown.beyond_floor > 0) {  // a small element of the scale has smaller ones
    limit.atol = std::min(limit.atol, shown.atol);
    limit.floor = std::min(limit.floor, shown.floor);
  }
  if (shown.unit > 0) return limit_of_whole(reference, explained, shown.unit);
  const double allowed = 1.01 * std::max({limit.floor, limit.atol, explained.least});
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double further = std::max(explained.limit_at(at, 0), limit.atol);
    const bool is_tie = further > allowed && shown.shared.kind == SharedError::Kind::none;
    if (explained.drawn.flips.contains(i) || is_tie) limit.ties.push_back(i);
  }
  return limit;
}

/// Tolerances scale with the output, so they are those of this very sample: a measurement has the largest of all.
void add_limits(const FaultCase& shown, const std::vector<NamedTensor>& outputs, ReproFacts& facts) {
  const std::vector<std::string> labels = labels_of(outputs);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Tensor& reference = outputs[i].value;
    const auto measured = shown.measurements.find(labels[i]);
    const auto known = shown.explained.find(labels[i]);
    const Explained explained = known != shown.explained.end() ? known->second : explain(reference, {});
    const Measurement none, &seen = measured == shown.measurements.end() ? none : measured->second;
    facts.limits[labels[i]] = limit_of(reference, explained, seen, shown.options.tolerance);
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
  if (const CommandSpecPtr& program = shown.options.program)
    contents.scripts = portable(*program, shown.recipe.command).files;
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
