#include "repro/smallest_model.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "check/check.h"
#include "model/external_data.h"
#include "model/fingerprint.h"
#include "reduce/all_deltas.h"
#include "reduce/fault_oracle.h"
#include "reduce/record_inner_values.h"
#include "repro/repro_contents.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr double longest_timeout = 7.5;  // seconds of each look at what times out; as the search for rewrites has it

/// "" where there is something to reduce.
std::string why_not(const FaultCase& shown) {
  if (shown.recipe.passes.empty()) return "the round trip alone shows it";
  if (shown.inputs.empty()) return "no sample shows it";
  if (shown.is_other_decision)
    return "only what is decided differs, and a part of the model decides nothing: its numbers are within the "
           "tolerance";
  if (shown.fault.verdict == Verdict::timed_out && shown.options.limits.cpu_seconds > longest_timeout)
    return fmt::format("each look may take {:g} s; a --timeout of {:g} s allows it", shown.options.limits.cpu_seconds,
                       longest_timeout);
  return repro_bytes(shown.model) > most_reducible_bytes ? "the model is too large" : "";
}

class Reducing {
 public:
  Reducing(const FaultCase& shown, const ReproVersions& versions, const ReducingTools& tools)
      : shown_(shown), versions_(versions), tools_(tools) {
    reference_.level = level_named(shown.reference_level).value_or(Level::off);
  }

  Result<Smallest> run() {
    auto start = starting_case();
    if (!start) return tl::unexpected(start.error());
    smallest_.record.nodes_before = size_of(*start).nodes;
    FaultOracle oracle(tools_.executor, {shown_.options, reference_, true}, tools_.folder);
    const auto sought = oracle.learn(*start, {shown_.recipe, shown_.contract});
    if (!sought) return tl::unexpected(sought.error());
    if (!*sought || oracle.symptom().verdict != shown_.fault.verdict)
      return without("its sample alone does not show it: " + oracle.symptom().message);
    auto reduced = reduced_case(*start, oracle);
    if (!reduced) return tl::unexpected(reduced.error());
    return show(*reduced);
  }

 private:
  Smallest without(std::string why) {
    smallest_.record.message = std::move(why);
    return std::move(smallest_);
  }

  Result<Case> starting_case() const {
    auto inputs = read_pack(shown_.inputs);
    if (!inputs) return tl::unexpected(inputs.error());
    auto model = whole_model(shown_.model);
    if (!model) return tl::unexpected(model.error());
    return Case{std::move(*model), {std::move(*inputs)}};
  }

  /// What the rewrites are known to have touched.
  [[nodiscard]] std::vector<std::string> places() const {
    std::vector<std::string> places;
    for (const RewriteRecord& rewrite : shown_.fault.rewrites) {
      if (!rewrite.output.empty()) places.push_back(rewrite.output);
      for (const RewritePiece& piece : rewrite.bad_pieces) {
        if (!piece.output.empty()) places.push_back(piece.output);
      }
    }
    return places;
  }

  Result<Reduction> reduced_case(const Case& start, FaultOracle& oracle) {
    RunRecorder recorder(tools_.executor, reference_, shown_.options.limits, tools_.folder);
    ReduceTools tools{oracle};
    tools.recorder = &recorder;
    tools.is_time_up = tools_.is_time_up;
    tools.progress = [this](const std::string&, const CaseSize& size, std::size_t checks) {
      if (tools_.progress) tools_.progress(size, checks);
    };
    return reduce(start, all_deltas(places()), tools);
  }

  Result<Smallest> show(const Reduction& reduced) {
    if (reduced.end == Reduction::End::interrupted)
      return fail(ErrorKind::interrupted, "interrupted while a fault was reduced");
    smallest_.record.nodes = reduced.after.nodes;
    smallest_.record.checks = static_cast<std::int64_t>(reduced.checks);
    smallest_.record.seconds = reduced.seconds;
    if (reduced.end == Reduction::End::not_shown) return without("in fresh processes it did not show again");
    is_smallest_ = reduced.end != Reduction::End::time_up;
    if (!is_smallest_) smallest_.record.message = "the best when the time was up";
    const fs::path file = tools_.folder / "model.onnx";
    if (auto ok = save_model(*reduced.best.model, file, Durability::buffered); !ok) return tl::unexpected(ok.error());
    return check(file, reduced.best.samples.front());
  }

  /// The small model by itself, with what is known of the fault forgotten.
  Result<Smallest> check(const fs::path& file, const Inputs& inputs) {
    begin_phase(tools_.clock, Phase::repro);
    const auto model = load_model(file);
    if (!model) return tl::unexpected(model.error());
    CheckOptions options = shown_.options;
    options.recipe = shown_.recipe.passes;
    options.repeat = shown_.recipe.repeat;
    options.each.clear();
    options.directed = false;
    Proposal proposal;
    proposal.facts.source = DataSource::file;
    proposal.samples = {{"reduced", inputs}};
    OptimizerTraits optimizer = tools_.optimizer;
    optimizer.level = shown_.recipe.level;
    CheckTools tools{tools_.executor, optimizer, tools_.folder / "check", {}};
    std::error_code error;
    fs::create_directory(tools.folder, error);
    tools.keep_fault = [this](const FaultCase& found) { return take(found); };
    const auto report = check_model(*model, {proposal}, options, tools);
    if (!report) return tl::unexpected(report.error());
    if (!smallest_.contents) return without("the reduced model does not show it when it is checked by itself");
    smallest_.contents->model = file;
    if (is_smallest_) smallest_.fingerprint = fingerprint(*model->proto).hex();
    return std::move(smallest_);
  }

  Result<KeptFault> take(const FaultCase& found) {
    const bool is_it = found.fault.verdict == shown_.fault.verdict && found.recipe == shown_.recipe &&
                       found.session.level == shown_.session.level;
    if (!is_it || smallest_.contents) return KeptFault{};
    auto contents = contents_of(found, versions_);
    if (!contents) return tl::unexpected(contents.error());
    contents->facts.fault = shown_.fault.id;
    contents->facts.source = shown_.model.path.filename().string();
    contents->facts.is_reduced = true;
    contents->facts.is_smallest = is_smallest_;
    smallest_.contents = std::move(*contents);
    return KeptFault{};
  }

  const FaultCase& shown_;
  const ReproVersions& versions_;
  const ReducingTools& tools_;
  SessionOptions reference_ = shown_.session;
  bool is_smallest_ = true;
  Smallest smallest_;
};

}  // namespace

Result<Smallest> smallest_case(const FaultCase& shown, const ReproVersions& versions, const ReducingTools& tools) {
  if (std::string why = why_not(shown); !why.empty()) return Smallest{std::nullopt, {.message = std::move(why)}, ""};
  return Reducing(shown, versions, tools).run();
}

}  // namespace culprit
