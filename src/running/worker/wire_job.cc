// Jobs on the wire.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "executor/step_limits.h"
#include "tensor/pack_bundle.h"
#include "worker/wire.h"

namespace culprit::wire {

namespace {

void encode_limits(const culprit::Limits& limits, Limits* wire) {
  wire->set_cpu_seconds(limits.cpu_seconds);
  wire->set_memory_bytes(limits.memory_bytes);
}

culprit::Limits decode_limits(const Limits& wire) { return {wire.cpu_seconds(), wire.memory_bytes()}; }

std::optional<Level> level_numbered(int number) {
  for (const Level level : {Level::off, Level::basic, Level::extended, Level::layout, Level::all})
    if (static_cast<int>(level) == number) return level;
  return std::nullopt;
}

BundledRuns encode(const culprit::BundledRuns& bundled) {
  BundledRuns wire;
  const std::filesystem::path* last = nullptr;
  for (const PackPlace& sample : bundled.samples) {
    if (last == nullptr || (last != &sample.file() && *last != sample.file())) wire.add_files(sample.file().string());
    last = &sample.file();
    wire.add_file(static_cast<std::uint32_t>(wire.files_size() - 1));
    wire.add_at(sample.at().value_or(0));
  }
  wire.set_outputs(bundled.outputs.string());
  return wire;
}

/// Nothing where it makes no sense.
std::optional<culprit::BundledRuns> decode(const BundledRuns& wire) {
  std::vector<PackPlace::Name> names;
  for (const std::string& file : wire.files()) names.push_back(std::make_shared<const std::filesystem::path>(file));
  culprit::BundledRuns bundled;
  if (wire.file_size() != wire.at_size()) return std::nullopt;
  for (int i = 0; i < wire.file_size(); ++i) {
    if (wire.file(i) >= names.size()) return std::nullopt;
    const std::uint64_t at = wire.at(i);
    bundled.samples.emplace_back(names[wire.file(i)], at == 0 ? std::nullopt : std::optional(at));
  }
  bundled.outputs = wire.outputs();
  return bundled;
}

}  // namespace

OptimizeJob encode(const culprit::OptimizeJob& job, const std::filesystem::path& scratch) {
  OptimizeJob wire;
  wire.set_model(job.model.string());
  wire.set_optimizer(job.optimizer);
  for (const culprit::Recipe& recipe : job.recipes) {
    Recipe* added = wire.add_recipes();
    added->set_optimizer(recipe.optimizer);
    for (const std::string& pass : recipe.passes) added->add_passes(pass);
    added->set_repeat(static_cast<std::uint32_t>(recipe.repeat));
    added->set_level(recipe.level);
    for (const std::string& step : recipe.disabled) added->add_disabled(step);
    for (const std::string& word : recipe.command) added->add_command(word);
    added->set_may_use_network(recipe.may_use_network);
  }
  wire.set_folder(job.folder.string());
  for (const culprit::RewriteLimits& limits : job.rewrites) *wire.add_rewrites() = encode(limits);
  encode_limits(job.limits, wire.mutable_limits());
  wire.set_scratch(scratch.string());
  wire.set_most_places(job.most_places);
  wire.set_infers_types(job.infers_types);
  wire.set_runtime_library(job.runtime_library.string());
  wire.set_works_in_forks(job.works_in_forks);
  for (const std::string& word : job.staying_program) wire.add_staying_program(word);
  wire.set_may_use_network(job.may_use_network);
  return wire;
}

culprit::OptimizeJob decode(const OptimizeJob& wire) {
  culprit::OptimizeJob job;
  job.model = wire.model();
  job.optimizer = wire.optimizer();
  for (const Recipe& recipe : wire.recipes())
    job.recipes.push_back({recipe.optimizer(),
                           {recipe.passes().begin(), recipe.passes().end()},
                           static_cast<Repeat>(recipe.repeat()),
                           recipe.level(),
                           {recipe.disabled().begin(), recipe.disabled().end()},
                           {recipe.command().begin(), recipe.command().end()},
                           recipe.may_use_network()});
  for (const RewriteLimits& limits : wire.rewrites()) job.rewrites.push_back(decode(limits));
  job.folder = wire.folder();
  job.limits = decode_limits(wire.limits());
  job.most_places = wire.most_places();
  job.infers_types = wire.infers_types();
  job.runtime_library = wire.runtime_library();
  job.works_in_forks = wire.works_in_forks();
  job.staying_program = {wire.staying_program().begin(), wire.staying_program().end()};
  job.may_use_network = wire.may_use_network();
  return job;
}

RunnerSpec runner_of(const RunJob& wire) { return {wire.runtime_library(), wire.runner_kind()}; }

RunJob encode(const culprit::RunJob& job, const RunnerSpec& runner) {
  RunJob wire;
  wire.set_runtime_library(runner.library.string());
  wire.set_runner_kind(runner.kind);
  wire.set_model(job.model.string());
  wire.set_level(static_cast<int>(job.session.level));
  wire.set_threads(job.session.threads);
  for (const auto& library : job.session.custom_ops) wire.add_custom_ops(library.string());
  wire.set_save_optimized_to(job.session.save_optimized_to.string());
  for (const std::string& step : job.session.disabled_steps) wire.add_disabled_steps(step);
  wire.set_profile_to(job.session.profile_to.string());
  wire.set_provider(job.session.provider);
  wire.set_data_folder(job.session.data_folder.string());
  for (const std::string& value : job.session.fetch) wire.add_fetch(value);
  for (const std::string& value : job.session.feed) wire.add_feed(value);
  wire.set_trusted(job.session.trusted);
  for (const auto& sample : job.samples) wire.add_samples(sample.string());
  if (job.bundled) *wire.mutable_bundled() = encode(*job.bundled);
  for (const culprit::BoundInput& input : job.inputs) {
    BoundInput* added = wire.add_inputs();
    added->set_original(input.original);
    added->set_variant(input.variant);
    added->set_cast_to(static_cast<std::int32_t>(input.cast_to));
    added->mutable_axes()->Assign(input.axes.begin(), input.axes.end());
    added->mutable_as()->Assign(input.as.begin(), input.as.end());
  }
  for (const auto& [original, variant] : job.outputs) {
    RenamedOutput* added = wire.add_outputs();
    added->set_original(original);
    added->set_variant(variant);
  }
  wire.set_folder(job.folder.string());
  wire.set_keeps_session(job.keeps_session);
  wire.set_fills_memory(job.fills_memory);
  encode_limits({seconds_for_all(job), job.limits.memory_bytes},
                wire.mutable_limits());  // steps are watched from outside
  if (job.perturbation) {
    wire.mutable_perturbation()->set_seed(job.perturbation->seed);
    wire.mutable_perturbation()->set_ulps(job.perturbation->ulps);
  }
  return wire;
}

std::optional<culprit::RunJob> decode(const RunJob& wire) {
  culprit::RunJob job;
  job.model = wire.model();
  const auto level = level_numbered(wire.level());
  if (!level) return std::nullopt;
  job.session = {*level,
                 wire.threads(),
                 {wire.custom_ops().begin(), wire.custom_ops().end()},
                 wire.save_optimized_to(),
                 {wire.disabled_steps().begin(), wire.disabled_steps().end()},
                 wire.profile_to(),
                 wire.provider(),
                 wire.data_folder(),
                 {wire.fetch().begin(), wire.fetch().end()},
                 {wire.feed().begin(), wire.feed().end()},
                 wire.trusted()};
  job.samples.assign(wire.samples().begin(), wire.samples().end());
  if (wire.has_bundled()) {
    job.bundled = decode(wire.bundled());
    if (!job.bundled) return std::nullopt;
  }
  for (const BoundInput& input : wire.inputs()) {
    const auto type = type_numbered(input.cast_to());
    if (!type) return std::nullopt;
    job.inputs.push_back({input.original(),
                          input.variant(),
                          *type,
                          {input.axes().begin(), input.axes().end()},
                          {input.as().begin(), input.as().end()}});
  }
  for (const RenamedOutput& output : wire.outputs()) job.outputs.emplace_back(output.original(), output.variant());
  job.folder = wire.folder();
  job.keeps_session = wire.keeps_session();
  job.fills_memory = wire.fills_memory();
  job.limits = decode_limits(wire.limits());
  if (wire.has_perturbation())
    job.perturbation = culprit::Perturbation{wire.perturbation().seed(), wire.perturbation().ulps()};
  return job;
}

}  // namespace culprit::wire
