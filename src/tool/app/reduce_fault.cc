#include "app/reduce_fault.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/free_places.h"
#include "app/reduced_files.h"
#include "app/workshop.h"
#include "base/text.h"
#include "reduce/all_deltas.h"
#include "reduce/command_oracle.h"
#include "reduce/fault_oracle.h"
#include "reduce/record_inner_values.h"
#include "reduce/starting_case.h"
#include "trial/plan.h"

namespace culprit {
namespace {

/// What is sought, and who says whether it is there.
struct Search {
  std::unique_ptr<Oracle> oracle;
  std::string signature;  ///< or the command
  std::string why_not;    ///< why there is nothing to seek; "" where there is
};

Error as_unreadable(Error error) {
  if (error.kind == ErrorKind::not_found || error.kind == ErrorKind::io) error.kind = ErrorKind::bad_input;
  return error;
}

/// All of one reduction.
class Work {
 public:
  Work(Workshop& workshop, const ReduceRequest& request, ReducedFiles files, fs::path folder)
      : workshop_(workshop), request_(request), files_(std::move(files)), folder_(std::move(folder)) {}

  Result<void> run(ReduceAnswer& answer) {
    const auto model = load_model(request_.model);
    if (!model) return tl::unexpected(as_unreadable(model.error()));
    if (auto ok = list_steps_for(workshop_, model->path); !ok) return tl::unexpected(ok.error());
    options_ = options_in(workshop_, request_.running, request_.judging, request_.optimizer);
    options_.directed = request_.directed;
    auto start = find_start(*model);
    if (!start) return tl::unexpected(start.error());
    answer.samples = start->a_case.samples.size();
    answer.data = start->data;
    answer.is_weak = start->is_weak;
    answer.warnings = start->warnings;
    auto search = find_fault(*start);
    if (!search) return tl::unexpected(search.error());
    answer.why_not = search->why_not;
    if (!answer.why_not.empty()) return {};
    answer.sought = search->signature;
    answer.bytes_before = static_cast<std::int64_t>(model->facts.bytes);
    return reduce_case(*start, *search, answer);
  }

 private:
  Result<StartingCase> find_start(const Model& model) {
    const auto proposals = propose(model, request_.data.samples);
    if (!proposals) return tl::unexpected(proposals.error());
    const Progress progress = [this](std::size_t, std::size_t, const std::string& what) {
      workshop_.caller.listener.progress(0, 0, what);
    };
    return find_samples(model, *proposals, options_.recipe, options_,
                        {*workshop_.executor, workshop_.optimizer, folder_, progress});
  }

  Result<Search> find_fault(const StartingCase& start) {
    return request_.command.empty() ? fault_of_passes(start) : fault_of_command(start);
  }

  Result<Search> fault_of_passes(const StartingCase& start) {
    const auto plan = make_plan(options_, workshop_.optimizer);
    if (!plan) return tl::unexpected(plan.error());
    auto oracle =
        std::make_unique<FaultOracle>(*workshop_.executor, CaseTrialOptions{options_, start.session, true}, folder_);
    const auto sought = oracle->learn(start.a_case, {plan->front().recipe, plan->front().contract});
    if (!sought) return tl::unexpected(sought.error());
    Search search;
    if (!*sought) {
      const Symptom& symptom = oracle->symptom();
      search.why_not = name_of(plan->front()) + " is " + std::string(reader_word(symptom.verdict)) + " here" +
                       (symptom.message.empty() ? "" : ": " + symptom.message);
      return search;
    }
    search.signature = (*sought)->signature;
    search.oracle = std::move(oracle);
    return search;
  }

  Result<Search> fault_of_command(const StartingCase& start) {
    CommandOptions options;
    options.command = request_.command;
    options.seconds = workshop_.limits.cpu_seconds;
    options.jobs = workshop_.executor->places();
    options.limits = workshop_.limits;
    options.folder = folder_;
    options.is_interrupted = workshop_.caller.is_interrupted;
    auto oracle = std::make_unique<CommandOracle>(*workshop_.executor, std::move(options));
    if (auto ok = oracle->accept_complaint_of(start.a_case); !ok) return tl::unexpected(ok.error());
    return Search{std::move(oracle), "--check " + request_.command, ""};
  }

  Result<void> reduce_case(const StartingCase& start, Search& search, ReduceAnswer& answer) {
    RunRecorder recorder(*workshop_.executor, start.session, workshop_.limits, folder_);
    const CaseSize before = size_of(start.a_case);
    ReduceTools tools{*search.oracle};
    tools.recorder = &recorder;
    tools.is_time_up = workshop_.time_up_after(request_.running.budget);
    tools.on_better = [this](const Case& best, const CaseSize&, const std::string&) { return files_.put(best); };
    tools.progress = [&](const std::string& delta, const CaseSize& size, std::size_t checks) {
      workshop_.caller.listener.progress(static_cast<std::size_t>(size.nodes), static_cast<std::size_t>(before.nodes),
                                         fmt::format("nodes left, {} checks, {}", checks, delta));
    };
    tools.confirmations = static_cast<std::size_t>(options_.confirmations) + 1;
    auto reduced = reduce(start.a_case, all_deltas({}, request_.deltas), tools);
    workshop_.caller.listener.progress_ends();
    if (!reduced) return tl::unexpected(with_best_so_far(reduced.error()));
    if (reduced->end == Reduction::End::not_shown) {
      answer.why_not = never_shown(reduced->asked);
      return {};
    }
    if (auto ok = put_best(*reduced, start); !ok) return tl::unexpected(ok.error());
    answer.reduction = std::move(*reduced);
    answer.bytes = files_.bytes();
    answer.data_folder = files_.data_folder();
    answer.has_data = files_.has_data();
    answer.has_outputs = files_.has_outputs();
    return {};
  }

  [[nodiscard]] std::string never_shown(std::size_t asked) const {
    const std::string where =
        request_.command.empty() ? "" : "; each starts in a folder of its own, so paths in the command must be whole";
    return fmt::format("it showed in none of {} runs{}", asked, where);
  }

  [[nodiscard]] Error with_best_so_far(Error error) const {
    if (files_.bytes() > 0) error.message += "; the best so far is in " + printable(request_.out.string());
    return error;
  }

  /// Puts the best case with the reference's outputs, or without them if they cannot be had any more.
  Result<void> put_best(const Reduction& reduced, const StartingCase& start) {
    std::vector<Inputs> outputs;
    if (reduced.end != Reduction::End::interrupted) {
      auto ran = outputs_of(reduced.best, start.session, workshop_.limits, *workshop_.executor, folder_ / "outputs");
      if (ran) outputs = std::move(*ran);
    }
    return files_.put(reduced.best, outputs);
  }

  Workshop& workshop_;
  const ReduceRequest& request_;
  ReducedFiles files_;
  fs::path folder_;
  CheckOptions options_;
};

}  // namespace

Result<ReduceAnswer> reduce_fault(const ReduceRequest& request, const Caller& caller) {
  const WorkshopOrder order = order_of(request);
  if (auto free = place_must_be_free(request.out, order); !free) return tl::unexpected(free.error());
  auto workshop = Workshop::open(caller, order);
  if (!workshop) return tl::unexpected(workshop.error());
  auto files = ReducedFiles::at(request.out, request.model);
  if (!files) return tl::unexpected(files.error());
  const auto folder = workshop->folder.work_folder(0);
  if (!folder) return tl::unexpected(folder.error());
  ReduceAnswer answer;
  if (auto ok = Work(*workshop, request, std::move(*files), *folder).run(answer); !ok)
    return tl::unexpected(ok.error());
  return answer;
}

}  // namespace culprit
