#include "app/check_models.h"
#include "app/machine_facts.h"
#include "app/tool_version.h"
#include "app/variant_repros.h"
#include "base/memory.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "data/sets/picture_source.h"
#include "evaluate/choose_evaluated_task.h"
#include "executor/phase_clock.h"
#include "model/file_stamp.h"
#include "optimizer/optimizer.h"
#include "repro/given_inside.h"
#include "repro/keep_fault.h"
#include "repro/original_witnesses.h"

namespace culprit {
namespace {

ModelReport unreadable(const fs::path& path, const Error& error, const char* why = "the model cannot be read") {
  ModelReport report;
  report.model.path = path.string();
  report.baseline = {BaselineStatus::does_not_load, "off", why};
  report.error = error.text();
  return report;
}

Error changed_meanwhile(const fs::path& file) {
  return {ErrorKind::bad_input, printable(file.string()) + " changed while it was checked, so nothing can be said",
          "start it again when nobody writes to that file"};
}

/// The model was read, but there is nothing to feed it.
ModelReport without_data(const Model& model, const Error& error) {
  ModelReport report;
  report.model = model.facts;
  report.baseline = {BaselineStatus::does_not_run, "off", error.text()};
  return report;
}

/// The model was read, and then something failed that is not about it: a full disk, no more processes.
ModelReport not_judged(const Model& model, const Error& error) {
  ModelReport report;
  report.model = model.facts;
  report.baseline = {BaselineStatus::machine_failed, "off", error.text()};
  return report;
}

/// Errors that end the run: those that the next model would meet as well.
bool ends_the_run(const Error& error) {
  return error.kind == ErrorKind::usage || error.kind == ErrorKind::interrupted || error.kind == ErrorKind::internal;
}

/// A flag such as --dim may fit one model and not another: of several, the others are still checked.
bool fits_no_model(const Error& error, std::size_t models) {
  return ends_the_run(error) && (error.kind != ErrorKind::usage || models == 1);
}

/// What the runtime does to the model itself: the command that says which of its steps does it.
void tell_how_to_name_the_step(ModelReport& report, const QuotedWords& quoted) {
  std::string command = "culprit localize " + shell_quoted(report.model.path) + " --optimizer onnxruntime";
  for (const std::string& word : quoted.repeat_flags) command += " " + shell_quoted(word);
  for (Warning& warning : report.warnings) {
    const bool is_of_runtime = warning.code == "runtime_changes_values" || warning.code == "deploy_level_fails";
    if (is_of_runtime) warning.message += "; which of the runtime's steps does it: " + command;
  }
}

/// The check of one model of the request.
class OneCheck {
 public:
  OneCheck(Workshop& workshop, const CheckRequest& request, std::size_t index, const Model* held_against)
      : workshop_(workshop),
        request_(request),
        index_(index),
        held_against_(held_against),
        path_(request.models[index]) {}

  Result<ModelReport> run(const CheckWith& check_with) {
    const auto model = load_model(path_);
    if (!model && fits_no_model(model.error(), request_.models.size())) return tl::unexpected(model.error());
    if (!model) return unreadable(path_, model.error());
    if (auto ok = list_steps_for(workshop_, path_); !ok) return unreadable(path_, ok.error());
    const std::vector<FileStamp> stamps = stamps_of(*model);
    const auto work = workshop_.folder.work_folder(index_);
    if (!work) return tl::unexpected(work.error());
    const auto opened = open_described_data(*model, {samples(), request_.data.labels, *work});
    if (!opened && fits_no_model(opened.error(), request_.models.size())) return tl::unexpected(opened.error());
    if (!opened) return without_data(*model, opened.error());
    const auto whole = whole_data_of(*opened, *model, request_.data.task, request_.running.jobs);
    if (!whole) return tl::unexpected(whole.error());
    auto report = checked(*model, opened->proposals, *whole ? &**whole : nullptr, *work, check_with);
    workshop_.caller.listener.progress_ends();
    if (!report && ends_the_run(report.error())) return report;
    if (const auto changed = changed_since(stamps)) return unreadable(path_, changed_meanwhile(*changed));
    if (!report && report.error().kind == ErrorKind::io) return not_judged(*model, report.error());
    if (!report && !request_.variant.empty()) return unreadable(path_, report.error(), "the variant is another model");
    if (!report) return unreadable(path_, report.error());
    const auto kept =
        workshop_.folder.keep_variants(*report, *work, request_.folder.keep_variants, request_.judging.strict);
    if (!kept) return tl::unexpected(kept.error());
    return report;
  }

 private:
  /// Samples that are made must fit in, and show what differs from a variant that was given.
  [[nodiscard]] DataOptions samples() const {
    DataOptions data = request_.data.samples;
    const Machine machine = this_machine();
    data.room = {machine.memory_limit.value_or(machine.memory), free_disk(workshop_.folder.path()).value_or(0)};
    data.held_against = held_against_;
    return data;
  }

  [[nodiscard]] CheckOptions options() const {
    CheckOptions options = options_in(workshop_, request_.running, request_.judging, request_.optimizer);
    options.localize = request_.localize;
    options.directed = request_.directed;
    options.trusts_runtime = request_.witnesses.trusts_runtime;
    const fs::path whole = fs::absolute(path_);
    options.places.insert(options.places.end(), {whole.string(), whole.parent_path().string()});
    return options;
  }

  Result<ModelReport> checked(const Model& model, const std::vector<Proposal>& proposals, const DecisionData* whole,
                              const fs::path& work, const CheckWith& check_with) {
    const std::string of_which = request_.models.size() > 1 ? path_.filename().string() + ": " : "";
    const Stop is_time_up = workshop_.time_up_after(request_.running.budget);
    PhaseClock clock(*workshop_.executor);
    CheckTools tools{clock, workshop_.optimizer, work, workshop_.progress(of_which)};
    tools.is_time_up = is_time_up;
    tools.is_interrupted = workshop_.caller.is_interrupted;
    tools.keep_fault = keeper(clock, model, work, is_time_up);
    if (!request_.variant.empty()) tools.look_inside = look_inside(clock, work, is_time_up);
    tools.data_set = whole;
    tools.witnesses = witnesses_of(workshop_.second.get(), workshop_.evaluator.get());
    tools.clock = &clock;
    auto report = check_with(model, proposals, options(), tools);
    if (report) report->memory.parent = peak_resident_bytes();
    if (report && !workshop_.optimizer.is_runtime()) tell_how_to_name_the_step(*report, request_.quoted);
    return report;
  }

  LookInside look_inside(PhaseClock& clock, const fs::path& work, const Stop& is_time_up) {
    return
        [this, &clock, work, is_time_up](const Reference& reference, const fs::path& variant, bool in_fresh_processes) {
          workshop_.caller.listener.progress(0, 0, "what is inside the variant");
          const InsideTools tools = {clock, work / "outputs" / "inside", in_fresh_processes, is_time_up};
          return given_inside(reference, variant, tools);
        };
  }

  /// The first of the repros of the model and the variant; "": there is none.
  Result<std::string> keep_given(const fs::path& work) {
    const auto repros = keep_variant_repros(workshop_, as_diagnose_request(request_, samples()), work);
    if (!repros) return tl::unexpected(repros.error());
    return repros->empty() ? std::string() : repros->front();
  }

  /// Keeps faults with what this workshop has, in its folder, unless the request wants none.
  KeepFault keeper(PhaseClock& clock, const Model& model, const fs::path& work, const Stop& is_time_up) {
    KeepTools tools{clock,
                    workshop_.second.get(),
                    workshop_.evaluator.get(),
                    workshop_.optimizer,
                    {tool_version(), make_onnx_optimizer()->version(), onnx_version(), ""},
                    work,
                    request_.localize};
    if (request_.folder.keep_repros) {
      tools.place = [this, &model, work](const std::string& fault) {
        return workshop_.folder.repro_place(model.path, work, fault, request_.models.size() > 1);
      };
      if (!request_.variant.empty()) tools.keep_given = [this, work] { return keep_given(work); };
    }
    tools.is_time_up = is_time_up;
    tools.progress = [this](const std::string& what) { workshop_.caller.listener.progress(0, 0, what); };
    tools.clock = &clock;
    return keeper_of(model, std::move(tools));
  }

  Workshop& workshop_;
  const CheckRequest& request_;
  std::size_t index_;
  const Model* held_against_;  // the variant that was given; null: none
  const fs::path& path_;
};

}  // namespace

Result<std::optional<DecisionData>> whole_data_of(const CheckData& opened, const Model& model, const std::string& task,
                                                  int jobs) {
  if (opened.whole == nullptr) return std::nullopt;
  const auto described = describe_task(model);
  if (!described) return tl::unexpected(described.error());
  return DecisionData{*opened.whole, opened.numbers, task.empty() ? described->task : task,
                      with_frame_of(*opened.whole, with_description({}, *described)), jobs_at_once(jobs)};
}

Result<ModelReport> check_one(Workshop& workshop, const CheckRequest& request, std::size_t index,
                              const Model* held_against, const CheckWith& check_with) {
  return OneCheck(workshop, request, index, held_against).run(check_with);
}

}  // namespace culprit
