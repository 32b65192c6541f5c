#include "check/baseline.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <system_error>

#include "base/text.h"
#include "check/reason.h"
#include "check/weak_data.h"
#include "data/synthesize.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t descriptions_shown = 3;
constexpr std::size_t most_redraws = 4;  // that run

Result<std::vector<fs::path>> write_samples(const Proposal& proposal, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorKind::io, "cannot make the folder " + folder.string() + ": " + error.message());
  std::vector<fs::path> packs;
  for (const Sample& sample : proposal.samples) {
    packs.push_back(folder / (std::to_string(packs.size()) + ".pack"));
    if (auto ok = write_pack(packs.back(), sample.inputs); !ok) return tl::unexpected(ok.error());
  }
  return packs;
}

/// The inputs that every sample holds.
std::vector<std::string> fed_by(const Proposal& proposal) {
  std::vector<std::string> fed;
  if (proposal.samples.empty()) return fed;
  for (const NamedTensor& input : proposal.samples.front().inputs) {
    const bool everywhere = std::ranges::all_of(proposal.samples, [&](const Sample& sample) {
      return std::ranges::find(sample.inputs, input.name, &NamedTensor::name) != sample.inputs.end();
    });
    if (everywhere) fed.push_back(input.name);
  }
  return fed;
}

/// One proposal's run of the reference.
struct Trial {
  RunOutcome outcome;
  std::vector<fs::path> samples;
  SessionOptions session;

  [[nodiscard]] bool failed() const { return outcome.failure.failed() || outcome.outputs.size() != samples.size(); }
  [[nodiscard]] bool at_load() const {
    return outcome.failure.failed() &&
           (outcome.stage == RunOutcome::Stage::load || outcome.stage == RunOutcome::Stage::start);
  }
};

/// What is in the words of the runtime about this model's inputs.
std::vector<std::string> named_inputs(const std::string& reason, const Interface& interface) {
  std::vector<std::string> named;
  for (const ValueInfo& input : interface.inputs) {
    for (const std::string& form : {"input: " + input.name + " ", "'" + input.name + "'", "\"" + input.name + "\""}) {
      if ((reason + " ").find(form) != std::string::npos) {
        named.push_back(input.name);
        break;
      }
    }
  }
  return named;
}

/// The flags that would let a user say what the model takes, for these inputs (all if none are named).
std::string helpful_flags(const Interface& interface, const std::vector<std::string>& named) {
  std::vector<std::string> flags;
  std::set<std::string> keys;
  for (const ValueInfo& input : interface.inputs) {
    if (!named.empty() && std::ranges::find(named, input.name) == named.end()) continue;
    for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
      const std::string key = dim_key(input, axis);
      if (is_open(input.dims[axis]) && keys.insert(key).second) flags.push_back("--dim " + key + "=N");
    }
    if (is_integer(input.dtype)) flags.push_back("--input " + input.name + "=VALUE");
  }
  if (flags.empty() && !interface.inputs.empty()) {
    const ValueInfo* input = &interface.inputs.front();
    for (const ValueInfo& other : interface.inputs) {
      if (!named.empty() && other.name == named.front()) input = &other;
    }
    flags.push_back("--input " + input->name + "=FILE.npy");
  }
  constexpr std::size_t shown = 6;
  if (flags.size() > shown) flags.resize(shown);
  flags.push_back("--data FOLDER");
  return printable(join(flags, ", "), 600);
}

class BaselineSearch {
 public:
  BaselineSearch(Desk& desk, Basis& basis, ModelReport& report) : desk_(desk), basis_(basis), report_(report) {}

  Result<void> search(std::span<const Proposal> proposals) {
    std::optional<Trial> first;
    std::size_t tried = 0;
    for (const Proposal& proposal : proposals) {
      auto trial = try_loading(proposal, tried);
      if (!trial) return tl::unexpected(trial.error());
      if (trial->outcome.failure.machine) {
        return fail(ErrorKind::io, "the reference could not be run: " + reason_of(trial->outcome.failure.message));
      }
      if (!trial->failed()) {
        accept(proposal, std::move(*trial));
        return weigh(proposal, tried);
      }
      ++tried;
      remove_all(trial->samples);
      const bool is_hopeless = trial->at_load() || trial->outcome.failure.ending == Ending::timed_out;
      if (!first) {
        report_data(proposal);
        first = std::move(*trial);
      }
      if (is_hopeless) break;
    }
    if (first) refuse(*first, proposals.first(tried));
    return {};
  }

 private:
  static bool may_load_otherwise(const RunOutcome& outcome) {
    const bool refused = outcome.failure.failed() && outcome.stage == RunOutcome::Stage::load;
    return refused && !outcome.failure.machine && outcome.failure.ending != Ending::timed_out;
  }

  /// Once at the level that is judged, and if the model does not load there, at `basic`.
  Result<Trial> try_loading(const Proposal& proposal, std::size_t number) {
    auto samples = write_samples(proposal, basis_.folder / "samples" / std::to_string(number));
    if (!samples) return tl::unexpected(samples.error());
    auto trial = run(*samples, Level::off, number);
    if (!trial || !may_load_otherwise(trial->outcome)) return trial;
    auto second = run(*samples, Level::basic, number);
    if (!second) return second;
    return second->at_load() ? trial : second;
  }

  Result<Trial> run(const std::vector<fs::path>& samples, Level level, std::size_t number) {
    Trial trial;
    trial.samples = samples;
    trial.session = basis_.options.session;
    trial.session.level = level;
    RunJob job;
    job.model = basis_.model.path;
    job.session = trial.session;
    job.samples = samples;
    job.folder = basis_.folder / "reference" / (std::to_string(number) + "-" + std::string(name_of(level)));
    job.limits = basis_.options.limits;
    desk_.run(std::move(job), [&](const RunOutcome& outcome) { trial.outcome = outcome; });
    if (auto ok = desk_.drain(); !ok) return tl::unexpected(ok.error());
    return trial;
  }

  static void remove_all(const std::vector<fs::path>& files) {
    std::error_code ignored;
    for (const fs::path& file : files) fs::remove(file, ignored);
  }

  void report_data(const Proposal& proposal) {
    report_.data = proposal.facts;
    report_.warnings = proposal.warnings;
  }

  void accept(const Proposal& proposal, Trial trial) {
    report_data(proposal);
    const std::string& level = trial.outcome.level;
    report_.baseline.reference_level = level.empty() ? std::string(name_of(trial.session.level)) : level;
    basis_.session = trial.session;
    basis_.samples = std::move(trial.samples);
    basis_.fed = fed_by(proposal);
    basis_.reference = trial.outcome.outputs;
    basis_.runtime = trial.outcome.runtime_version;
  }

  /// Samples on which no output says anything are drawn again, if nobody gave them; if none says anything, the first
  /// stay.
  Result<void> weigh(const Proposal& accepted, std::size_t tried) {
    const auto first = weakness_of(basis_.samples, basis_.reference);
    if (!first) return tl::unexpected(first.error());
    std::size_t redrawn = 0;
    for (std::size_t way = 0; first->says_nothing && way < accepted.redraws && redrawn < most_redraws; ++way) {
      if (desk_.must_skip("other samples")) break;
      auto proposal = accepted.redraw(way);
      if (!proposal) continue;  // too large, in these values
      const auto weakness = try_again(*proposal, tried + 1 + way, redrawn);
      if (!weakness) return tl::unexpected(weakness.error());
      if (*weakness && !(*weakness)->says_nothing) {
        report_.warnings.insert(report_.warnings.begin(), accepted.warnings.begin(), accepted.warnings.end());
        report_.warnings.push_back(redrawn_warning(*first, *proposal));
        report_weakness(**weakness, *proposal, redrawn);
        return {};
      }
    }
    report_weakness(*first, accepted, redrawn);
    return {};
  }

  /// Takes these samples if they say something. Nothing where the model does not run on them.
  Result<std::optional<Weakness>> try_again(const Proposal& proposal, std::size_t number, std::size_t& redrawn) {
    auto samples = write_samples(proposal, basis_.folder / "samples" / std::to_string(number));
    if (!samples) return tl::unexpected(samples.error());
    auto trial = run(*samples, basis_.session.level, number);
    if (!trial) return tl::unexpected(trial.error());
    if (trial->failed()) {
      remove_all(trial->samples);
      return std::nullopt;
    }
    ++redrawn;
    const auto weakness = weakness_of(trial->samples, trial->outcome.outputs);
    if (!weakness) return tl::unexpected(weakness.error());
    const bool is_taken = !weakness->says_nothing;
    remove_all(is_taken ? basis_.samples : trial->samples);
    remove_all(is_taken ? basis_.reference : trial->outcome.outputs);
    if (is_taken) accept(proposal, std::move(*trial));
    return *weakness;
  }

  void report_weakness(const Weakness& weakness, const Proposal& proposal, std::size_t redrawn) {
    report_.baseline.weak = weakness.weak;
    if (weakness.says_nothing) {
      report_.baseline.status = BaselineStatus::weak_data;
      report_.baseline.message = weak_data_message(weakness, proposal, basis_.model.interface, redrawn);
    } else if (!weakness.weak.empty()) {
      report_.warnings.push_back(weak_output_warning(weakness.weak));
    }
  }

  void refuse(const Trial& trial, std::span<const Proposal> tried) {
    const bool at_load = trial.at_load();
    report_.baseline.status = at_load ? BaselineStatus::does_not_load : BaselineStatus::does_not_run;
    report_.baseline.message = at_load ? load_message(trial) : run_message(trial, tried);
  }

  [[nodiscard]] std::string load_message(const Trial& trial) const {
    const Failure& failure = trial.outcome.failure;
    if (const auto missing = missing_operator(failure.message)) {
      const std::string what = missing->op.empty() ? "operators" : "the operator " + missing->op;
      return "the runtime does not know " + what + " of the domain " + missing->domain +
             "; give the library that has it with --custom-ops LIB";
    }
    return "the model does not load: " + failure_text(failure, basis_.options.limits) + advice_on(failure);
  }

  [[nodiscard]] std::string run_message(const Trial& trial, std::span<const Proposal> tried) const {
    const Failure& failure = trial.outcome.failure;
    const std::string reason = failure.failed() ? failure_text(failure, basis_.options.limits) : "it gave no outputs";
    const auto named = named_inputs(reason, basis_.model.interface);
    std::string message = "the model does not run";
    if (!named.empty()) message += " with what was fed to '" + printable(named.front(), 100) + "'";
    message += ": " + reason + "; tried: " + descriptions(tried) + advice_on(failure);
    const bool limited = failure.ending == Ending::timed_out || failure.ending == Ending::out_of_memory;
    if (!limited) message += "; say what it takes with " + helpful_flags(basis_.model.interface, named);
    return message;
  }

  static std::string descriptions(std::span<const Proposal> tried) {
    std::vector<std::string> shown;
    for (const Proposal& proposal : tried.first(std::min(tried.size(), descriptions_shown))) {
      shown.push_back(printable(proposal.description, 100));
    }
    const std::size_t rest = tried.size() - shown.size();
    return join(shown, "; ") + (rest > 0 ? "; and " + std::to_string(rest) + " more" : "");
  }

  static std::string advice_on(const Failure& failure) {
    if (failure.ending == Ending::timed_out) return "; give it more with --timeout";
    if (failure.ending == Ending::out_of_memory) return "; give it more with --memory";
    return "";
  }

  Desk& desk_;
  Basis& basis_;
  ModelReport& report_;
};

}  // namespace

Result<void> establish_baseline(const std::vector<Proposal>& proposals, Desk& desk, Basis& basis, ModelReport& report) {
  const auto is_empty = [](const Proposal& proposal) { return proposal.samples.empty(); };
  if (proposals.empty() || std::ranges::any_of(proposals, is_empty)) {
    return fail(ErrorKind::internal, "there are no samples to judge the model with");  // all would seem well
  }
  return BaselineSearch(desk, basis, report).search(proposals);
}

}  // namespace culprit
