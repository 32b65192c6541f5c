// Reading inner values out of both models, without changing what these give.
#include <set>
#include <system_error>
#include <unordered_set>

#include "base/as_index.h"
#include "compare/inner_values.h"
#include "executor/feed_as_bound.h"
#include "executor/run_all.h"
#include "model/expose_values.h"
#include "model/graph_regions.h"

namespace culprit {

namespace fs = std::filesystem;

/// Also the values that B's nodes begin with, should they have to be run by themselves.
InnerValues::Values InnerValues::needed_of_a(const Values& values) const {
  Values mates, needed = values;
  for (const int value : values) mates.push_back(graphs_.map.to_b[as_index(value)]);
  std::unordered_set<int> known(values.begin(), values.end());
  for (const int border : region_before(graphs_.index_b, mates, is_cut_).borders) {
    if (known.insert(a_of_[as_index(border)]).second) needed.push_back(a_of_[as_index(border)]);
  }
  return needed;
}

Result<RunJob> InnerValues::reading_job(const EditableModel& piece, const std::vector<std::string>& names, bool of_b) {
  std::set<std::string> there;
  for (const auto& output : piece.proto.graph().output()) there.insert(output.name());
  std::vector<std::string> added;
  for (const std::string& name : names) {
    if (there.insert(name).second) added.push_back(name);
  }
  RunJob job;
  auto file = piece.save(expose(piece.proto, added), of_b ? "b.onnx" : "a.onnx");
  if (!file) return tl::unexpected(file.error());
  job.model = std::move(*file);
  job.session = options_.session;
  job.limits = options_.limits;
  job.samples = samples_.inputs;
  if (of_b) feed_as_bound(job, graphs_.binding);
  job.folder = tools_.folder / (of_b ? "read-b" : "read-a");
  std::error_code ignored;
  fs::create_directories(job.folder, ignored);
  return job;
}

/// Nothing where reading these values changes what the models give, or they do not run so.
Result<std::optional<InnerValues::Reading>> InnerValues::capture(const Values& values) {
  std::vector<std::string> names_a, names_b;
  for (const int value : needed_of_a(values)) names_a.push_back(graphs_.name_a(value));
  for (const int value : values) {
    const int mate = graphs_.map.to_b[as_index(value)];
    if (is_computed(graphs_.index_b, mate)) names_b.push_back(graphs_.name_b(mate));
  }
  auto job_a = reading_job(graphs_.a, names_a, false);
  if (!job_a) return tl::unexpected(job_a.error());
  auto job_b = reading_job(graphs_.b, names_b, true);
  if (!job_b) return tl::unexpected(job_b.error());
  auto outcomes = run_all(tools_.executor, {*job_a, *job_b});
  if (!outcomes) return tl::unexpected(outcomes.error());
  facts_.runs += 2 * static_cast<std::int64_t>(samples_.inputs.size());
  for (const RunOutcome& outcome : *outcomes) {
    if (ran(outcome, samples_.inputs.size())) continue;
    why_ = "with it as an output the model fails (" + how_it_ended(outcome) + ")";
    return std::nullopt;
  }
  auto packs_a = read_packs((*outcomes)[0].outputs);
  if (!packs_a) return tl::unexpected(packs_a.error());
  auto packs_b = read_packs((*outcomes)[1].outputs);
  if (!packs_b) return tl::unexpected(packs_b.error());
  for (std::size_t sample = 0; sample < samples_.inputs.size(); ++sample) {
    if ((*packs_a)[sample].begins_with(samples_.outputs_a[sample]) &&
        (*packs_b)[sample].begins_with(samples_.outputs_b[sample]))
      continue;
    why_ = "reading it changes the model's own outputs";
    return std::nullopt;
  }
  std::error_code ignored;  // what is mapped stays readable
  fs::remove_all(job_a->folder, ignored);
  fs::remove_all(job_b->folder, ignored);
  return Reading{std::move(*packs_a), std::move(*packs_b)};
}

/// Fewer at once: what cannot be read is found by halves.
Result<void> InnerValues::not_captured(const Values& values) {
  if (values.size() == 1 || ++failures_ > most_failures) {
    for (const int value : values) refuse(value, why_);
    return {};
  }
  ++facts_.halved;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  if (auto ok = read(Values(values.begin(), middle)); !ok) return ok;
  return read(Values(middle, values.end()));
}

}  // namespace culprit
