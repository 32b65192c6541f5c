#include "compare/rerun_regions.h"

#include <algorithm>
#include <system_error>
#include <unordered_map>

#include "executor/run_all.h"
#include "model/extract_part.h"
#include "tensor/pack_file.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

/// The type that all samples agree on; sizes that differ are left open.
std::optional<FedValue> declared(const FedTensors& fed) {
  if (fed.by_sample.empty()) return std::nullopt;
  FedValue value{fed.name, fed.by_sample.front().dtype(), {}};
  for (const auto size : fed.by_sample.front().shape()) value.dims.push_back({size, ""});
  for (const Tensor& tensor : fed.by_sample) {
    if (tensor.dtype() != value.dtype || tensor.shape().size() != value.dims.size()) return std::nullopt;
    for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
      if (value.dims[axis].value != tensor.shape()[axis]) value.dims[axis].value.reset();
    }
  }
  return value;
}

}  // namespace

Result<Tensor> as_type(const Tensor& tensor, DType type) {
  if (type == DType::undefined || type == tensor.dtype()) return tensor;
  return cast(tensor, type);
}

Result<std::vector<NamedTensor>> RegionRuns::inputs_of(const std::vector<std::string>& names,
                                                       const std::vector<FedTensors>& fed, const fs::path& sample,
                                                       std::size_t number) const {
  const auto given = read_pack(sample);
  if (!given) return tl::unexpected(given.error());
  std::unordered_map<std::string_view, const FedTensors*> by_name;
  for (const FedTensors& tensors : fed) by_name.emplace(tensors.name, &tensors);
  std::vector<NamedTensor> inputs;
  for (const std::string& name : names) {
    if (const auto known = by_name.find(name); known != by_name.end()) {
      inputs.push_back({name, known->second->by_sample.at(number)});
      continue;
    }
    const auto bound = std::ranges::find(inputs_, name, &BoundInput::variant);
    if (bound == inputs_.end()) continue;
    for (const NamedTensor& part : *given) {
      if (part.name != bound->original) continue;
      auto value = as_type(part.value, bound->cast_to);
      if (!value) return tl::unexpected(value.error());
      inputs.push_back({name, std::move(*value), part.part});
    }
  }
  return inputs;
}

Result<std::optional<RegionJob>> RegionRuns::job(const std::vector<std::string>& wanted,
                                                 const std::vector<FedTensors>& fed,
                                                 const std::vector<fs::path>& samples) {
  std::vector<FedValue> values;
  for (const FedTensors& tensors : fed) {
    const auto value = declared(tensors);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  RegionJob made;
  made.model = model_.proto;
  Extract part = extract(made.model, values, wanted);
  if (!part.unknown.empty()) return std::nullopt;
  auto file = model_.save(made.model, name_ + ".onnx");
  if (!file) return std::nullopt;  // too large for one file
  made.outputs = std::move(part.outputs);
  RunJob& job = made.job;
  job.model = *file;
  job.session = options_.session;
  job.limits = options_.limits;
  job.folder = folder_;
  std::error_code ignored;
  fs::create_directories(job.folder, ignored);
  for (std::size_t sample = 0; sample < samples.size(); ++sample) {
    const auto inputs = inputs_of(part.inputs, fed, samples[sample], sample);
    if (!inputs) return tl::unexpected(inputs.error());
    job.samples.push_back(job.folder / ("in-" + std::to_string(sample) + ".pack"));
    if (auto ok = write_pack(job.samples.back(), *inputs); !ok) return tl::unexpected(ok.error());
  }
  return made;
}

std::optional<std::vector<std::vector<Tensor>>> RegionRuns::made_by(const RegionJob& job, const Packs& packs) {
  std::vector<std::vector<Tensor>> made;
  for (const Pack& pack : packs) {
    made.emplace_back();
    for (const std::string& name : job.outputs) {
      const Tensor* tensor = pack.find(name);
      if (tensor == nullptr) return std::nullopt;
      made.back().push_back(*tensor);
    }
  }
  return made;
}

Result<std::optional<std::vector<std::vector<Tensor>>>> RegionRuns::run(const std::vector<std::string>& wanted,
                                                                        const std::vector<FedTensors>& fed,
                                                                        const std::vector<fs::path>& samples) {
  const auto asked = job(wanted, fed, samples);
  if (!asked) return tl::unexpected(asked.error());
  if (!*asked) return std::nullopt;
  runs_ += static_cast<std::int64_t>(samples.size());
  const auto outcomes = run_all(executor_, {(*asked)->job});
  if (!outcomes) return tl::unexpected(outcomes.error());
  if (!ran(outcomes->front(), samples.size())) return std::nullopt;
  const auto packs = read_packs(outcomes->front().outputs);
  std::error_code ignored;
  fs::remove_all((*asked)->job.folder, ignored);  // what is mapped stays readable
  if (!packs) return tl::unexpected(packs.error());
  return made_by(**asked, *packs);
}

}  // namespace culprit
