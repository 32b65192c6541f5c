#include "support/outputs.h"

#include <cmath>
#include <set>
#include <stdexcept>

#include "base/file.h"
#include "data/sample.h"
#include "model/model.h"
#include "runtime/find_library.h"
#include "support/tool.h"
#include "tensor/pack_file.h"
#include "worker/pool.h"

namespace culprit::testing {
namespace {

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

RunOutcome run(RunJob job, const fs::path& folder) {
  const auto pool = value_of(make_pool({CULPRIT_BINARY, {value_of(find_onnxruntime(""))}, 1, folder}));
  pool->submit(std::move(job));
  const auto outcome = pool->next();
  if (!outcome || !std::holds_alternative<RunOutcome>(*outcome)) throw std::runtime_error("no outcome");
  return std::get<RunOutcome>(*outcome);
}

}  // namespace

std::vector<std::vector<NamedTensor>> outputs_of(const fs::path& model, std::int64_t samples) {
  const auto folder = scratch();
  DataOptions options;
  options.samples = samples;
  RunJob job;
  job.model = model;
  job.folder = folder.path() / "outputs";
  fs::create_directories(job.folder);
  const auto proposals = value_of(propose(value_of(load_model(model)), options));
  for (std::size_t i = 0; i < proposals.front().size(); ++i) {
    const Sample sample = value_of(proposals.front().sample(i));
    job.samples.push_back(folder.path() / (std::to_string(job.samples.size()) + ".pack"));
    if (auto ok = write_pack(job.samples.back(), sample.inputs); !ok) throw std::runtime_error(ok.error().text());
  }
  const RunOutcome outcome = run(job, folder.path());
  if (outcome.failure.failed()) throw std::runtime_error(outcome.failure.message);
  std::vector<std::vector<NamedTensor>> outputs;
  for (const fs::path& pack : outcome.outputs) outputs.push_back(value_of(read_pack(pack)));
  return outputs;
}

double distance(const Tensor& one, const Tensor& other) {
  const auto count = static_cast<double>(one.count());
  double mean = 0, variance = 0, difference = 0;
  for (std::int64_t i = 0; i < one.count(); ++i) mean += one.number(i) / count;
  for (std::int64_t i = 0; i < one.count(); ++i) {
    variance += std::pow(one.number(i) - mean, 2) / count;
    difference += std::pow(one.number(i) - other.number(i), 2) / count;
  }
  return std::sqrt(difference / variance);
}

std::size_t distinct_values(const Tensor& tensor) {
  std::set<double> values;
  for (std::int64_t i = 0; i < tensor.count(); ++i) values.insert(tensor.number(i));
  return values.size();
}

}  // namespace culprit::testing
