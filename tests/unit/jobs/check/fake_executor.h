#pragma once
// An executor without processes: an optimizer and a runtime that do what a script says, recipe by recipe. They crash,
// hang, lie, flicker and refuse; their outcomes come in any order. Packs of inputs and outputs are real files.
//
// The model it knows has one input x: float32[2] and two outputs, y = 2x and z = -x.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "executor/executor.h"
#include "support/bundled_runs.h"
#include "tensor/pack_file.h"
#include "tensor/perturb_elements.h"
#include "tensor/structured_value.h"

namespace culprit {

inline Failure failure(Ending ending, std::string message, std::string last_words = "") {
  Failure made;
  made.ending = ending;
  made.message = std::move(message);
  made.last_words = std::move(last_words);
  return made;
}

/// What a pass does, and what becomes of the model that it makes.
struct Behaviour {
  static constexpr int always = std::numeric_limits<int>::max();

  std::string content;  ///< what the variant means; "": what it was before
  bool skipped = false;
  Failure making;  ///< of the optimizer
  int bad_makings = always;
  bool wanders = false;  ///< makes another model each time
  std::string complaint;
  std::optional<Interface> interface = {};
  std::map<std::string, std::int64_t> ops = {};
  std::vector<Warning> warnings = {};
  std::vector<std::string> lost_types = {};

  Failure running;  ///< of the runtime
  RunOutcome::Stage stage = RunOutcome::Stage::run;
  int bad_runs = always;
  float shift_y = 0, shift_z = 0;  ///< wrong values
  bool reshapes = false;           ///< y becomes [1,2]
  bool casts = false;              ///< y becomes float64
  bool swaps = false;              ///< z comes before y
  std::int64_t shift_label = 0;    ///< wrong labels, where there are any
  bool hides = false;              ///< says that all went well, and writes nothing
  float shift_inner = 0;           ///< wrong values inside, seen where they are read as further outputs
  float disturbed = 0;             ///< added to y where values inside are read

  std::shared_ptr<Behaviour> deployed = {};  ///< of the runtime at any level above off; null: as at off
};

class FakeExecutor : public Executor {
 public:
  // The script.
  std::map<std::string, Behaviour> passes;   ///< by name; others change nothing
  std::map<std::string, Behaviour> recipes;  ///< by "a,b": instead of what the passes do one after the other
  /// Passes that visit several places, one after the other, called "<pass>:<n>": within the limits of the recipe.
  std::map<std::string, std::vector<Behaviour>> visits;
  std::function<void(Behaviour&, const RewriteTrace&, const RewriteLimits&)> visited;  ///< may change the sum of these
  Behaviour round_trip;                                                                ///< precedes all passes
  Behaviour original;  ///< how the reference runs: running, stage, bad_runs
  Pace original_took;  ///< told of each of its runs
  Failure import;
  int bad_imports = Behaviour::always;
  std::string original_complaint, types_complaint;
  std::function<Failure(const RunJob&, RunOutcome::Stage&)> refuses;  ///< asked for each run of the reference
  std::function<bool(float first)> refuses_sample;                    ///< of the reference: those before it run
  bool labels = false;                                                ///< a third output: which of x is the largest
  std::function<bool(const Recipe&)> fails_making;  ///< asked instead of `bad_makings`, once for each making
  std::function<bool(const RunJob&)> runs_well;     ///< of a variant: this once without what its behaviour does
  float noise = 0;                                  ///< added to y, one more with each run of the reference
  std::uint64_t shuffle = 0;                        ///< seed for the order of outcomes; 0: as submitted
  int interrupt_after = -1;                         ///< outcomes
  int end_after = -1;
  bool mute = false;          ///< z is always 0
  bool listed = false;        ///< y is a sequence of its elements; `reshapes` takes one away
  float deaf = 0;             ///< y and z are 0 where x is smaller than this
  std::vector<Place> places;  ///< that the scan names
  std::string graph;          ///< what every variant's file holds, where values inside are read; "": no model at all

  /// A file that somebody else made: it is what this says, and the optimizer can import it unless that fails `making`.
  void give(const std::filesystem::path& file, const Behaviour& what) { given_[file] = made_[file] = what; }

  // What was asked for.
  std::vector<OptimizeJob> optimized;
  std::vector<RunJob> ran;
  std::size_t most_output_folders = 0;  ///< that were there at once

  JobId submit(OptimizeJob job) override {
    const JobId id = ++last_;
    const bool fails = import.failed() && imports_++ < bad_imports;
    ImportOutcome outcome;
    outcome.job = id;
    if (fails) outcome.failure = import;
    outcome.original = hash128("original");
    outcome.checker_complaint = original_complaint;
    if (job.infers_types) outcome.types_complaint = types_complaint;
    if (const auto file = given_.find(job.model); file != given_.end()) {
      outcome.failure = file->second.making;
      outcome.original = file->second.content.empty() ? Hash128{} : hash128(file->second.content);
      outcome.checker_complaint = file->second.complaint;
    }
    queue_.emplace_back(outcome);
    if (!fails && job.most_places > 0) queue_.emplace_back(ScanOutcome{id, places});
    for (std::size_t i = 0; !fails && i < job.recipes.size(); ++i) queue_.emplace_back(make(id, i, job));
    optimized.push_back(std::move(job));
    return id;
  }

  JobId submit(RunJob job) override {
    const JobId id = ++last_;
    RunOutcome outcome = run(job);
    outcome.job = id;
    queue_.emplace_back(std::move(outcome));
    ran.push_back(std::move(job));
    return id;
  }

  std::optional<Outcome> next() override {
    if (interrupt_after >= 0 && delivered_ >= interrupt_after) return InterruptedOutcome{};
    if (queue_.empty() || (end_after >= 0 && delivered_ >= end_after)) return std::nullopt;
    ++delivered_;
    const std::size_t at = pick();
    Outcome outcome = std::move(queue_[at]);
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(at));
    if (const auto* imported = std::get_if<ImportOutcome>(&outcome)) imported_.insert(imported->job);
    return outcome;
  }

  [[nodiscard]] Counts counts() const override { return {}; }

  [[nodiscard]] std::size_t runs_of(const std::string& content, std::optional<Level> level = {}) const {
    std::size_t count = 0;
    for (const RunJob& job : ran) {
      if (job.model.stem() == hash128(content).hex() && job.session.level == level.value_or(job.session.level)) ++count;
    }
    return count;
  }

 private:
  static std::string key_of(const Recipe& recipe) { return join(recipe.passes, ","); }

  /// One behaviour after the other: contents add up, the first failure counts.
  static void add(Behaviour& sum, const Behaviour& next) {
    if (!next.content.empty()) sum.content += (sum.content.empty() ? "" : "+") + next.content;
    if (!sum.making.failed()) sum.making = next.making, sum.bad_makings = next.bad_makings;
    if (!sum.running.failed()) sum.running = next.running, sum.stage = next.stage, sum.bad_runs = next.bad_runs;
    if (sum.complaint.empty()) sum.complaint = next.complaint;
    if (next.interface) sum.interface = next.interface;
    sum.shift_y += next.shift_y;
    sum.shift_z += next.shift_z;
    sum.shift_label += next.shift_label;
    sum.shift_inner += next.shift_inner;
    sum.reshapes = sum.reshapes || next.reshapes;
    sum.casts = sum.casts || next.casts;
    sum.swaps = sum.swaps || next.swaps;
    sum.hides = sum.hides || next.hides;
    if (next.deployed) sum.deployed = next.deployed;
    sum.wanders = sum.wanders || next.wanders;
    sum.skipped = sum.skipped && next.skipped;
    for (const auto& [op, change] : next.ops) sum.ops[op] += change;
    sum.warnings.insert(sum.warnings.end(), next.warnings.begin(), next.warnings.end());
  }

  /// The visits that the limits allow, added up; what kills the optimizer ends them.
  void add_visits(Behaviour& sum, const std::string& pass, const RewriteLimits& limits, RewriteTrace& trace) const {
    const auto& scripted = visits.at(pass);
    for (std::size_t i = 0; i < scripted.size() && !sum.making.failed(); ++i) {
      const RewriteVisit visit{{pass, pass + ":" + std::to_string(i)}, "Conv", {}};
      if (limits.budget && trace.count >= *limits.budget) return;
      if (std::ranges::find(limits.skip, visit.site) != limits.skip.end()) continue;
      ++trace.count;
      trace.visits.push_back(visit);
      add(sum, scripted[i]);
    }
  }

  [[nodiscard]] Behaviour behaviour_of(const Recipe& recipe, const RewriteLimits& limits, RewriteTrace& trace) const {
    Behaviour sum = round_trip;
    sum.skipped = !recipe.passes.empty();
    if (const auto whole = recipes.find(key_of(recipe)); whole != recipes.end()) {
      add(sum, whole->second);
      return sum;
    }
    for (const std::string& pass : recipe.passes) {
      if (visits.contains(pass)) {
        sum.skipped = false;
        add_visits(sum, pass, limits, trace);
        if (visited) visited(sum, trace, limits);
        continue;
      }
      const auto scripted = passes.find(pass);
      add(sum, scripted == passes.end() ? Behaviour{} : scripted->second);
    }
    return sum;
  }

  VariantOutcome make(JobId id, std::size_t index, const OptimizeJob& job) {
    const Recipe& recipe = job.recipes[index];
    const RewriteLimits limits = index < job.rewrites.size() ? job.rewrites[index] : RewriteLimits{};
    VariantOutcome outcome;
    Behaviour what = behaviour_of(recipe, limits, outcome.rewrites);
    const int before = makings_[key_of(recipe)]++;
    outcome.job = id;
    outcome.recipe = index;
    outcome.skipped_by_scan = what.skipped;
    const bool is_bad = fails_making ? fails_making(recipe) : before < what.bad_makings;
    if (what.making.failed() && is_bad) outcome.failure = what.making;
    if (outcome.failure.failed() || outcome.skipped_by_scan) return outcome;
    std::string content = what.content.empty() ? "original" : what.content;
    if (what.wanders) content += std::to_string(before);
    outcome.fingerprint = hash128(content);
    outcome.checker_complaint = before < what.bad_makings ? what.complaint : "";
    outcome.interface = what.interface.value_or(interface());
    outcome.facts.nodes = 10;
    outcome.ops_changed = what.ops;
    outcome.warnings = what.warnings;
    outcome.lost_types = what.lost_types;
    outcome.seconds = 0.5;
    if (job.folder.empty()) return outcome;
    std::filesystem::create_directories(job.folder);
    outcome.file = job.folder / (outcome.fingerprint.hex() + ".onnx");
    std::ofstream(outcome.file) << (graph.empty() ? content : graph);
    made_[outcome.file] = what;
    return outcome;
  }

  RunOutcome run(const RunJob& job) {
    RunOutcome outcome = run_files(in_files(job));
    bundle_outputs(job, outcome);
    return outcome;
  }

  RunOutcome run_files(const RunJob& job) {
    const auto made =
        std::ranges::find_if(made_, [&](const auto& entry) { return entry.first.filename() == job.model.filename(); });
    const std::vector<std::string> inner = exposed_by(job.model);
    const bool is_reference = made == made_.end();
    const Behaviour& at_off = is_reference ? original : made->second;
    const bool differs = at_off.deployed && job.session.level != Level::off;
    const Behaviour what = differs ? *at_off.deployed : at_off;
    const int before = runs_[job.model.string() + (differs ? " deployed" : "")]++;
    RunOutcome outcome;
    outcome.runtime_version = "1.31.1";
    outcome.level = std::string(name_of(job.session.level));
    outcome.seconds_run = 0.25;
    if (is_reference) outcome.took = original_took;
    if (is_reference && refuses) outcome.failure = refuses(job, outcome.stage);
    if (what.running.failed() && before < what.bad_runs) outcome.failure = what.running, outcome.stage = what.stage;
    if (outcome.failure.failed() || what.hides) return outcome;
    const bool bad = before < what.bad_runs && (is_reference || !runs_well || !runs_well(job));
    const float wandering = is_reference ? noise * static_cast<float>(before) : 0;
    for (const auto& sample : job.samples) {
      if (!outcome.outputs.empty() && is_stopped(job.is_enough)) {
        outcome.failure = failure(Ending::threw, "the time of --budget was spent");
        outcome.failure.skipped = true;
        outcome.stage = RunOutcome::Stage::run;
        return outcome;
      }
      if (is_reference && refuses_sample && refuses_sample(read_pack(sample).value().at(0).value.as<float>()[0])) {
        outcome.failure = failure(Ending::threw, "[ONNXRuntimeError] : 2 : FAIL : wrong sizes");
        outcome.stage = RunOutcome::Stage::run;
        return outcome;
      }
      if (job.folder.empty()) continue;
      std::filesystem::create_directories(job.folder);
      outcome.outputs.push_back(job.folder / (std::to_string(outcome.outputs.size()) + ".pack"));
      write_outputs(sample, outcome.outputs.back(), bad ? what : Behaviour{}, wandering, inner, job.perturbation);
    }
    if (!job.folder.empty()) count_output_folders(job.folder);
    return outcome;
  }

  /// The outputs of a model beside y and z.
  static std::vector<std::string> exposed_by(const std::filesystem::path& file) {
    std::vector<std::string> names;
    const auto model = load_model(file);
    if (!model) return names;
    for (std::size_t i = 2; i < model->interface.outputs.size(); ++i) names.push_back(model->interface.outputs[i].name);
    return names;
  }

  void write_outputs(const std::filesystem::path& sample, const std::filesystem::path& to, const Behaviour& what,
                     float wander, const std::vector<std::string>& inner,
                     const std::optional<Perturbation>& perturbation) const {
    auto inputs = read_pack(sample);
    ASSERT_TRUE(inputs) << inputs.error().message;
    if (perturbation) {  // what is summed moves in the worker
      Random random(perturbation->seed, sample.filename().string());
      inputs->at(0).value = perturbed(inputs->at(0).value, random, perturbation->ulps);
    }
    const auto x = inputs->at(0).value.as<float>();
    std::vector<float> y, z;
    for (const float value : x) {
      const float heard = std::abs(value) < deaf ? 0 : value;
      y.push_back(2 * heard + what.shift_y + wander + (inner.empty() ? 0 : what.disturbed));
      z.push_back((mute ? 0 : -heard) + what.shift_z);
    }
    const auto count = static_cast<std::int64_t>(x.size());
    Tensor first = Tensor::of<float>(what.reshapes ? Shape{1, count} : Shape{count}, y);
    if (what.casts) first = cast(first, DType::f64).value();
    std::vector<NamedTensor> outputs = {{"y", first}};
    if (listed) outputs = elements_of(y, what.reshapes);
    outputs.push_back({"z", Tensor::of<float>({count}, z)});
    if (what.swaps) std::swap(outputs.front(), outputs.back());
    const std::int64_t label = std::ranges::max_element(x) - x.begin() + what.shift_label;
    if (labels) outputs.push_back({"label", Tensor::of<std::int64_t>({1}, {label})});
    for (const std::string& name : inner) {
      outputs.push_back({name, Tensor::of<float>({2}, {3 * x[0] + what.shift_inner, 3 * x[1]})});
    }
    ASSERT_TRUE(write_pack(to, outputs));
  }

  static std::vector<NamedTensor> elements_of(const std::vector<float>& y, bool one_less) {
    Value list{.kind = Value::Kind::sequence};
    for (std::size_t i = one_less ? 1 : 0; i < y.size(); ++i)
      list.items.push_back({.kind = Value::Kind::tensor, .tensor = Tensor::of<float>({1}, {y[i]})});
    return flatten("y", list).value();
  }

  void count_output_folders(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    std::size_t there = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.parent_path())) ++there;
    most_output_folders = std::max(most_output_folders, there);
  }

  /// Has the import come, and the scan, if one is to come?
  [[nodiscard]] bool scanned(JobId job) const {
    const auto is_scan = [&](const Outcome& outcome) {
      const auto* scan = std::get_if<ScanOutcome>(&outcome);
      return scan != nullptr && scan->job == job;
    };
    return imported_.contains(job) && std::ranges::none_of(queue_, is_scan);
  }

  /// Any outcome may come next, but no scan before its import and no variant before its scan.
  std::size_t pick() {
    if (shuffle == 0) return 0;
    std::vector<std::size_t> possible;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const auto* variant = std::get_if<VariantOutcome>(&queue_[i]);
      const auto* scan = std::get_if<ScanOutcome>(&queue_[i]);
      const bool comes_later =
          (variant != nullptr && !scanned(variant->job)) || (scan != nullptr && !imported_.contains(scan->job));
      if (!comes_later) possible.push_back(i);
    }
    shuffle = Random(shuffle).next() | 1;
    return possible[shuffle / 2 % possible.size()];
  }

 public:
  static Interface interface() {
    const auto vector = [](const char* name) {
      ValueInfo value;
      value.name = name;
      value.dtype = DType::f32;
      value.has_shape = true;
      value.dims = {{2, ""}};
      return value;
    };
    return {{vector("x")}, {}, {vector("y"), vector("z")}};
  }

 private:
  JobId last_ = 0;
  int imports_ = 0;
  int delivered_ = 0;
  std::deque<Outcome> queue_;
  std::set<JobId> imported_;
  std::map<std::string, int> makings_;
  std::map<std::filesystem::path, int> runs_;
  std::map<std::filesystem::path, Behaviour> made_, given_;
};

}  // namespace culprit
