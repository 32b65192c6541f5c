#include "compare/compare_outputs.h"

#include <algorithm>
#include <numeric>

#include "compare/rerun_regions.h"
#include "executor/feed_as_bound.h"
#include "judge/paired_parts.h"
#include "tensor/structured_value.h"
#include "tensor/ulp.h"
#include "trial/variant_draws.h"

namespace culprit {
namespace {

std::vector<NamedTensor> parts_named(const Pack& pack, const std::string& name) {
  std::vector<NamedTensor> parts;
  for (const NamedTensor& part : pack.tensors()) {
    if (part.name == name) parts.push_back(part);
  }
  return parts;
}

void add(std::vector<NamedTensor>& to, std::vector<NamedTensor> parts) {
  for (NamedTensor& part : parts) to.push_back(std::move(part));
}

/// The bound outputs of both, in one order. Numbers of B get A's type, where each has one.
struct Sides {
  std::vector<NamedTensor> a, b;
};

Sides sides_of(const Pack& a, const Pack& b, const ModelBinding& binding) {
  Sides sides;
  for (const auto& [one, other] : binding.outputs) {
    auto parts_a = parts_named(a, one);
    auto parts_b = parts_named(b, other);
    if (parts_a.size() == 1 && parts_b.size() == 1) {
      auto casted = as_type(parts_b[0].value, parts_a[0].value.dtype());
      if (casted) parts_b[0].value = std::move(*casted);
    }
    add(sides.a, std::move(parts_a));
    add(sides.b, std::move(parts_b));
  }
  return sides;
}

/// What draws of B explain of an output, where it is a tensor of the same type in both.
const Explained* explained_of_b(const PartPair& pair, std::size_t sample, const ModelBinding& binding,
                                const Noise& noise_of_b) {
  const auto bound = std::ranges::find(binding.outputs, pair.output, [](const auto& output) { return output.first; });
  if (bound == binding.outputs.end() || pair.label != pair.output) return nullptr;
  const auto known = noise_of_b.find(bound->second);
  if (known == noise_of_b.end()) return nullptr;
  const Explained* explained = known->second.rounding(sample).explained;
  return explained != nullptr && explained->eps == epsilon_of(pair.reference->dtype()) ? explained : nullptr;
}

Measurements measure_sample(const Sides& sides, std::size_t sample, const ModelBinding& binding,
                            const Tolerance& tolerance, const Noise& noise, const Noise& noise_of_b) {
  Measurements here;
  for (const PartPair& pair : pair_parts(sides.a, sides.b)) {
    const auto known = noise.find(pair.label);
    Rounding rounding = known == noise.end() ? Rounding{} : known->second.rounding(sample);
    rounding.of_variant = explained_of_b(pair, sample, binding, noise_of_b);
    if (pair.variant == nullptr && pair.change.empty())
      here[pair.label] = unlike(*pair.reference, FormChange::other, "the output became nothing");
    else
      here[pair.label] = measure(pair, tolerance, rounding);
  }
  return here;
}

}  // namespace

Result<OutputComparison> compare_outputs(const PackSequence& a, const PackSequence& b, const ModelBinding& binding,
                                         const Tolerance& tolerance, const Noise& noise, const Noise& noise_of_b) {
  OutputComparison comparison;
  for (std::size_t sample = 0; sample < std::min(a.size(), b.size()); ++sample) {
    const auto one = a.at(sample);
    const auto other = b.at(sample);
    if (!one || !other) return tl::unexpected((!one ? one : other).error());
    Measurements here = measure_sample(sides_of(*one, *other, binding), sample, binding, tolerance, noise, noise_of_b);
    for (const auto& [label, m] : here) {
      const auto [at, is_first] = comparison.measurements.emplace(label, m);
      if (!is_first) at->second = worse(at->second, m);
    }
    comparison.by_sample.push_back(std::move(here));
  }
  return comparison;
}

bool may_be_of_b(const OutputComparison& comparison, const PackSequence& a, const CompareOptions& options,
                 const Noise& noise) {
  if (options.draws == 0) return false;
  for (std::size_t sample = 0; sample < comparison.by_sample.size(); ++sample) {
    bool is_at_fault = false, may_be = true;
    const auto pack = a.at(sample);
    for (const auto& [label, m] : comparison.by_sample[sample]) {
      if (!is_fault(verdict_of(m), options.strict)) continue;
      is_at_fault = true;
      const Tensor* tensor = pack ? pack->find(label) : nullptr;
      const auto known = noise.find(label);
      const Explained* own = known == noise.end() ? nullptr : known->second.rounding(sample).explained;
      may_be = may_be && tensor != nullptr && own != nullptr &&
               may_be_of_variant(m, tensor->dtype(), options.tolerance, *own);
    }
    if (is_at_fault && may_be) return true;
  }
  return false;
}

Result<Noise> draw_outputs_of_b(Result<RunJob> job, const PackSequence& outputs_b, const Model& b,
                                const ModelBinding& binding, const CompareTools& tools) {
  if (!job) return tl::unexpected(job.error());
  feed_as_bound(*job, binding);
  std::vector<std::string> outputs;
  for (const auto& [one, other] : binding.outputs) outputs.push_back(other);
  auto noise = noise_without_draws(outputs, outputs_b, b);
  if (!noise) return noise;
  NoiseDraws draws(tools.executor, tools.folder, variant_draws);
  if (auto ok = draws.add(*job, outputs_b, *noise); !ok) return tl::unexpected(ok.error());
  return noise;
}

Result<std::vector<std::string>> bound_labels(const PackSequence& a, const ModelBinding& binding) {
  if (a.size() == 0) return std::vector<std::string>();
  const auto first = a.at(0);
  if (!first) return tl::unexpected(first.error());
  std::vector<NamedTensor> parts;
  for (const auto& [one, other] : binding.outputs) add(parts, parts_named(*first, one));
  return labels_of(parts);
}

std::vector<std::size_t> furthest_apart(const OutputComparison& outputs) {
  std::vector<std::size_t> order(outputs.by_sample.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto worst = [&](std::size_t sample) {
    double error = 0;  // in tolerances
    for (const auto& [label, m] : outputs.by_sample[sample])
      error = std::max(error, m.max_abs / std::max(m.atol, 1e-30));
    return std::pair{verdict_of(outputs.by_sample[sample]), error};
  };
  std::ranges::stable_sort(order, [&](std::size_t one, std::size_t other) { return worst(one) > worst(other); });
  return order;
}

}  // namespace culprit
