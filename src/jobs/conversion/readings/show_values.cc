#include "conversion/readings/show_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/folder.h"
#include "base/text.h"
#include "compare/labelled_tensors.h"
#include "compare/read_chunks.h"
#include "conversion/sides/ways.h"
#include "executor/missing_operator.h"
#include "executor/run_all.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

bool is_machine(const Error& error) { return error.kind == ErrorKind::interrupted || error.kind == ErrorKind::io; }

std::uint64_t bytes_of(const std::map<int, std::vector<Tensor>>& values) {
  std::uint64_t bytes = 0;
  for (const auto& [value, tensors] : values)
    for (const Tensor& tensor : tensors) bytes += tensor.bytes().size();
  return bytes;
}

bool same_bits(const std::vector<std::vector<NamedTensor>>& one, const std::vector<std::vector<NamedTensor>>& other) {
  return std::ranges::equal(one, other, [](const auto& a, const auto& b) {
    return std::ranges::equal(a, b, [](const NamedTensor& x, const NamedTensor& y) {
      return x.part == y.part && x.value.identical(y.value);
    });
  });
}

/// In the order of the names, all parts of each; "" names nothing.
std::vector<NamedTensor> tensors_named(const Pack& pack, const std::vector<std::string>& names) {
  std::vector<NamedTensor> found;
  for (const std::string& name : names)
    for (const NamedTensor& part : pack.tensors())
      if (!name.empty() && part.name == name) found.push_back(part);
  return found;
}

/// What the packs of a run hold of a view. Nothing where something is missing.
bool take_packs(const PreparedRun& run, const SideView& view, const Packs& packs, ViewOutcome& outcome) {
  for (const Pack& pack : packs) {
    for (std::size_t i = 0; i < view.values.size(); ++i) {
      const Tensor* tensor = pack.find(run.names[i]);
      if (tensor == nullptr) return false;
      auto& tensors = outcome.values[view.values[i]];
      // A value may be asked for twice.
      if (tensors.size() < outcome.outputs.size() + 1) tensors.push_back(*tensor);
    }
    outcome.outputs.push_back(tensors_named(pack, run.outputs));
  }
  return true;
}

/// The job in parts, each with about as many samples, and a folder of its own below this one.
Result<std::vector<RunJob>> shared_out(const RunJob& job, std::size_t places, const fs::path& folder) {
  const std::size_t parts = std::clamp<std::size_t>(places, 1, std::max<std::size_t>(job.samples.size(), 1));
  std::vector<RunJob> jobs(parts, job);
  for (std::size_t part = 0; part < parts; ++part) {
    const auto begin = job.samples.begin();
    const auto place = [&](std::size_t at) { return static_cast<std::ptrdiff_t>(at * job.samples.size() / parts); };
    jobs[part].samples.assign(begin + place(part), begin + place(part + 1));
    jobs[part].folder = folder / fmt::format("out-{}", part);
    if (auto ok = make_folder(jobs[part].folder); !ok) return tl::unexpected(ok.error());
  }
  return jobs;
}

/// The runtime's words, but of an operator that it does not know this alone.
std::string reason_of(const RunOutcome& ended) {
  if (const auto missing = missing_operator(ended.failure.message)) return what_is_missing(*missing);
  return ended.failure.message.empty() ? how_it_ended(ended) : printable(ended.failure.message, 300);
}

/// What all parts gave; where one did not run, why the first of these did not.
Result<void> take_outcomes(const PreparedRun& prepared, const SideView& view, const std::vector<RunJob>& jobs,
                           const std::vector<RunOutcome>& ended, ViewOutcome& outcome) {
  std::vector<fs::path> files;
  for (std::size_t part = 0; part < jobs.size(); ++part) {
    outcome.stage = ended[part].stage;
    if (!ran(ended[part], jobs[part].samples.size())) {
      outcome.why = how_it_ended(ended[part]);
      outcome.reason = reason_of(ended[part]);
      return {};
    }
    files.insert(files.end(), ended[part].outputs.begin(), ended[part].outputs.end());
  }
  const auto packs = read_packs(files);
  if (!packs) return tl::unexpected(packs.error());
  outcome.has_run = take_packs(prepared, view, *packs, outcome);
  if (outcome.has_run) return {};
  outcome = {};
  outcome.reason = outcome.why = "the run does not give all that it was asked for";
  return {};
}

/// Reads values in chunks, halves where a run fails or changes what the network gives.
class ChunkedReading {
 public:
  ChunkedReading(ViewRuns& runs, const ShowTask& task) : runs_(runs), task_(task) {}

  Result<ShownValues> read(const std::vector<int>& values) {
    const auto first = runs_.run(view_of({}), task_.samples, task_.perturbation);
    if (!first) return tl::unexpected(first.error());
    if (!first->has_run) {
      shown_.why = first->why;
      return std::move(shown_);
    }
    shown_.outputs = first->outputs;
    Chunks chunks(declared_sizes(values), task_.bytes_per_run);
    std::size_t begin = 0;
    for (std::size_t count = chunks.next(); count > 0; count = chunks.next()) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin);
      bytes_ = read_ = 0;
      if (auto ok = chunk({from, from + static_cast<std::ptrdiff_t>(count)}); !ok) return tl::unexpected(ok.error());
      chunks.measured(bytes_, read_);
      begin += count;
    }
    return std::move(shown_);
  }

 private:
  [[nodiscard]] SideView view_of(std::vector<int> values) const {
    return {.values = std::move(values), .feeds = task_.feeds, .edits = task_.edits};
  }

  [[nodiscard]] std::vector<std::optional<std::uint64_t>> declared_sizes(const std::vector<int>& values) const {
    std::vector<std::optional<std::uint64_t>> sizes;
    sizes.reserve(values.size());
    for (const int value : values) {
      const NetworkValue& known = runs_.side().network().values[as_index(value)];
      const auto count = known.has_rank ? element_count(known.dims) : Result<std::int64_t>(tl::unexpected(Error{}));
      if (!count || known.dtype == DType::undefined)
        sizes.emplace_back();
      else
        sizes.emplace_back(bytes_for(known.dtype, *count) * task_.samples.size());
    }
    return sizes;
  }

  Result<void> chunk(const std::vector<int>& values) {
    const auto outcome = runs_.run(view_of(values), task_.samples, task_.perturbation);
    if (!outcome) return tl::unexpected(outcome.error());
    const bool is_changed =
        outcome->has_run && task_.is_controlled && !task_.perturbation && !same_bits(outcome->outputs, shown_.outputs);
    if (!outcome->has_run || is_changed)
      return by_halves(values, is_changed ? "reading it changes what the network gives" : outcome->why);
    for (const auto& [value, tensors] : outcome->values) shown_.sketches[value] = sketch_of(tensors);
    const std::uint64_t bytes = bytes_of(outcome->values);
    bytes_ += bytes;
    if (kept_bytes_ + bytes <= task_.most_kept()) {
      kept_bytes_ += bytes;
      shown_.kept.insert(outcome->values.begin(), outcome->values.end());
    }
    read_ += outcome->values.size();
    runs_.facts().values += static_cast<std::int64_t>(outcome->values.size());
    return {};
  }

  Result<void> by_halves(const std::vector<int>& values, const std::string& why) {
    if (values.size() == 1 || ++failures_ > most_failed_readings) {
      for (const int value : values) shown_.not_read[value] = why;
      runs_.facts().not_read += static_cast<std::int64_t>(values.size());
      return {};
    }
    ++runs_.facts().halved;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    if (auto ok = chunk({values.begin(), middle}); !ok) return ok;
    return chunk({middle, values.end()});
  }

  ViewRuns& runs_;
  const ShowTask& task_;
  ShownValues shown_;
  std::size_t failures_ = 0;
  std::uint64_t bytes_ = 0, kept_bytes_ = 0;
  std::size_t read_ = 0;
};

}  // namespace

Result<ViewOutcome> ViewRuns::run(const SideView& view, const std::vector<fs::path>& samples,
                                  std::optional<Perturbation> perturbation) {
  ViewOutcome outcome;
  const fs::path folder = folder_ / fmt::format("run-{}", facts_.jobs++);
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  auto prepared = side_.prepare(view, samples, folder);
  if (!prepared) {
    remove_folder(folder);
    if (is_machine(prepared.error())) return tl::unexpected(prepared.error());
    outcome.stage = RunOutcome::Stage::load;
    outcome.reason = outcome.why = prepared.error().message;
    return outcome;
  }
  prepared->job.perturbation = perturbation;
  const auto jobs = shared_out(prepared->job, executor_.places(), folder);
  if (!jobs) return tl::unexpected(jobs.error());
  const auto outcomes = run_all(executor_, *jobs);
  facts_.runs += static_cast<std::int64_t>(samples.size());
  std::error_code ignored;
  fs::remove(prepared->job.model, ignored);
  if (!outcomes) return tl::unexpected(outcomes.error());
  if (auto ok = take_outcomes(*prepared, view, *jobs, *outcomes, outcome); !ok) return tl::unexpected(ok.error());
  remove_folder(folder);  // what is mapped stays readable
  return outcome;
}

Result<ViewOutcome> run_unless_known(ViewRuns& runs, const std::vector<fs::path>& samples,
                                     const std::vector<fs::path>& known) {
  if (known.size() != samples.size()) return runs.run({}, samples);
  const auto packs = read_packs(known);
  if (!packs) return tl::unexpected(packs.error());
  const Network& network = runs.side().network();
  std::vector<std::string> names;
  names.reserve(network.outputs.size());
  for (const int output : network.outputs) names.push_back(network.values[as_index(output)].name);
  ViewOutcome outcome;
  outcome.has_run = true;
  for (const Pack& pack : *packs) {
    const auto is_there = [&](const std::string& name) { return pack.find(name) != nullptr; };
    if (!std::ranges::all_of(names, is_there)) return runs.run({}, samples);
    outcome.outputs.push_back(tensors_named(pack, names));
  }
  return outcome;
}

Result<std::vector<fs::path>> write_outputs(const Network& network, const OutputsBySample& outputs,
                                            const fs::path& folder) {
  std::vector<fs::path> written;
  for (std::vector<NamedTensor> sample : outputs) {
    for (std::size_t i = 0; i < sample.size() && i < network.outputs.size(); ++i)
      sample[i].name = network.values[as_index(network.outputs[i])].name;
    written.push_back(folder / fmt::format("{}.pack", written.size()));
    if (auto ok = write_pack(written.back(), sample); !ok) return tl::unexpected(ok.error());
  }
  return written;
}

Result<ShownValues> show_values(ViewRuns& runs, const std::vector<int>& values, const ShowTask& task) {
  return ChunkedReading(runs, task).read(values);
}

Result<std::map<int, Tensor>> show_constants(ViewRuns& runs, const std::vector<fs::path>& samples) {
  const Network& network = runs.side().network();
  const auto follows = follows_from_constants(network);
  std::vector<int> values;
  for (const NetworkLayer& layer : network.layers)
    for (const int output : layer.outputs)
      if (output >= 0 && follows[as_index(output)]) values.push_back(output);
  std::map<int, Tensor> found;
  std::size_t failures = 0;
  std::vector<std::vector<int>> open;
  if (!values.empty() && !samples.empty()) open.push_back(std::move(values));
  while (!open.empty()) {
    const std::vector<int> some = std::move(open.back());
    open.pop_back();
    const auto outcome = runs.run({.values = some}, {samples.front()});
    if (!outcome) return tl::unexpected(outcome.error());
    for (const auto& [value, tensors] : outcome->values) found[value] = tensors.front();
    if (outcome->has_run || some.size() == 1 || ++failures > most_failed_readings) continue;
    const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
    open.emplace_back(some.begin(), middle);
    open.emplace_back(middle, some.end());
  }
  return found;
}

Result<std::vector<Tensor>> given_to(const Side& side, int value, const std::vector<fs::path>& samples,
                                     const std::vector<SideFeed>& feeds) {
  for (const SideFeed& feed : feeds)
    if (feed.value == value) return feed.by_sample;
  std::vector<Tensor> given;
  const Network& network = side.network();
  if (std::ranges::find(network.inputs, value) == network.inputs.end()) return given;
  given.reserve(samples.size());
  for (const fs::path& sample : samples) {
    const auto pack = read_pack(sample);
    if (!pack) return tl::unexpected(pack.error());
    const Tensor* found = find_value(*pack, network.values[as_index(value)].name);
    if (found == nullptr) return std::vector<Tensor>();
    given.push_back(*found);
  }
  return given;
}

ReadAhead::ReadAhead(ViewRuns& runs, std::vector<int> order, std::map<int, ValueSketch> sketches, ShowTask task,
                     const std::map<int, std::vector<Tensor>>& kept)
    : runs_(runs), order_(std::move(order)), sketches_(std::move(sketches)), task_(std::move(task)) {
  for (std::size_t i = 0; i < order_.size(); ++i) places_[order_[i]] = i;
  for (const auto& [value, tensors] : kept) keep(value, tensors);
}

Result<std::vector<Tensor>> ReadAhead::of(int value) {
  if (!kept_.contains(value)) {
    const auto place = places_.find(value);
    if (place == places_.end()) return given_to(runs_.side(), value, task_.samples, task_.feeds);
    if (auto ok = read_from(place->second); !ok) return tl::unexpected(ok.error());
  }
  const auto found = kept_.find(value);
  return found == kept_.end() ? std::vector<Tensor>() : found->second;
}

/// Values that were read or that no run can bring out are passed over.
std::vector<int> ReadAhead::chunk_from(std::size_t place) const {
  std::vector<int> chunk;
  std::uint64_t bytes = 0;
  for (; place < order_.size(); ++place) {
    const auto sketch = sketches_.find(order_[place]);
    if (kept_.contains(order_[place]) || (sketch == sketches_.end() && !chunk.empty())) continue;
    std::uint64_t own = 0;
    if (sketch != sketches_.end())
      for (const SampleSketch& sample : sketch->second.by_sample) own += bytes_for(sample.dtype, sample.count);
    if (!chunk.empty() && bytes + own > task_.bytes_per_run) break;
    bytes += own;
    chunk.push_back(order_[place]);
  }
  return chunk;
}

Result<void> ReadAhead::read_from(std::size_t place) {
  std::vector<int> chunk = chunk_from(place);
  const auto run = [&] {
    return runs_.run({.values = chunk, .feeds = task_.feeds, .edits = task_.edits}, task_.samples, task_.perturbation);
  };
  auto outcome = run();
  if (outcome && !outcome->has_run && chunk.size() > 1) {  // something read ahead fails: the one that is asked for
    chunk.resize(1);
    outcome = run();
  }
  if (!outcome) return tl::unexpected(outcome.error());
  for (const int value : chunk) {
    const auto found = outcome->values.find(value);
    keep(value, found == outcome->values.end() ? std::vector<Tensor>() : found->second);
  }
  return {};
}

void ReadAhead::keep(int value, const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) kept_bytes_ += tensor.bytes().size();
  kept_[value] = tensors;
  age_.push_back(value);
  while (kept_bytes_ > task_.most_kept() && age_.front() != value) {
    for (const Tensor& tensor : kept_.at(age_.front())) kept_bytes_ -= tensor.bytes().size();
    kept_.erase(age_.front());
    age_.pop_front();
  }
}

}  // namespace culprit
