#include "app/repair_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/check_models.h"
#include "app/feeding_file.h"
#include "app/free_places.h"
#include "app/named_files.h"
#include "app/opened_conversion.h"
#include "app/optimized_file.h"
#include "app/trained_model.h"
#include "app/workshop.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "conversion/repair/mend_target.h"
#include "conversion/runs/judged_outputs.h"
#include "model/model_format.h"

namespace culprit {
namespace {

/// Was it shown on all samples that another feeding makes it right?
bool is_fed_otherwise(const Diagnosis& diagnosis) {
  return diagnosis.feeding && !diagnosis.feeding->fits.empty() &&
         std::ranges::any_of(diagnosis.faults, [](const ConversionFault& fault) {
           return fault.kind == FaultClass::preprocessing && fault.confirmed;
         });
}

struct RepairedTarget {
  TargetRepair repair;
  std::string feeding;  ///< the text of the file that says how to feed the target; "": there is none to write
};

class Repairing {
 public:
  Repairing(Workshop& workshop, const RepairRequest& request, const OpenedConversion& conversion, OptimizedFile& out,
            fs::path work)
      : workshop_(workshop), request_(request), conversion_(conversion), out_(out), work_(std::move(work)) {}

  Result<RepairedTarget> repair() {
    if (!conversion_.can_be_judged()) {
      made_.before.message = conversion_.why_not_judged();
      end(RepairStatus::cannot_judge, made_.before.message);
      return RepairedTarget{std::move(made_), {}};
    }
    auto mended = mend();
    if (!mended) return tl::unexpected(mended.error());
    made_.before = std::move(mended->before);
    made_.rounds = std::move(mended->rounds);
    made_.after = std::move(mended->after);
    if (auto ok = decide(*mended); !ok) return tl::unexpected(ok.error());
    return RepairedTarget{std::move(made_), std::move(feeding_text_)};
  }

 private:
  /// No file is delivered, or not yet.
  Result<void> end(RepairStatus status, const std::string& message) {
    made_.status = status;
    made_.message = message;
    return {};
  }

  Result<void> leave(const std::string& why) { return end(RepairStatus::not_mended, why); }

  /// The file that lies beside its place is the answer.
  Result<void> deliver(RepairStatus status, const std::string& message) {
    made_.out = request_.out.string();
    auto hash = sha256_of_file(out_.file());
    if (!hash) return tl::unexpected(hash.error());
    made_.out_sha256 = std::move(*hash);
    return end(status, message);
  }

  [[nodiscard]] CompareTools tools(const fs::path& folder) const {
    return {*workshop_.executor, folder, workshop_.progress()};
  }

  Result<MendedFile> mend() {
    const OpenSide open = [this](const fs::path& file) -> Result<std::unique_ptr<Side>> {
      const auto model = load_trained_model(file);
      if (!model) return tl::unexpected(model.error());
      auto opened = open_side(*model, conversion_.reference->session, "mended");
      if (!opened) return tl::unexpected(opened.error());
      return std::move(opened->side);
    };
    return mend_target(*conversion_.files.front().side, *conversion_.files.back().side, conversion_.samples,
                       conversion_.options, tools(work_), open);
  }

  Result<DiagnosedSide> open_side(const Model& target, const SessionOptions& session, const std::string& name) {
    return open_diagnosed_side(target, SideRole::target, work_ / fmt::format("{}-{}", name, opened_++),
                               {session, workshop_.limits});
  }

  Result<void> decide(const MendedFile& mended) {
    const DiagnosisStatus as_it_came = made_.before.status;
    if (as_it_came != DiagnosisStatus::same && as_it_came != DiagnosisStatus::faulty)
      return end(RepairStatus::cannot_judge, made_.before.message);
    const std::size_t outputs = conversion_.files.front().side->network().outputs.size();
    if (made_.before.outputs.size() < outputs)
      return leave(fmt::format("the target has nothing for {} of the {} outputs of the source",
                               outputs - made_.before.outputs.size(), outputs));
    if (is_fed_otherwise(made_.before)) return tell_feeding();
    if (!mended.is_clean && mended.file.empty()) return leave(mended.why_not);
    const auto file = out_.fill(mended.file, conversion_.target());
    if (!file) return tl::unexpected(file.error());
    if (auto ok = verify(*file); !ok) return ok;
    const auto wrong =
        std::ranges::find_if(made_.checks, [](const auto& check) { return check.status != DiagnosisStatus::same; });
    // Of a clean target the reference's level alone tells: what the runtime does to it is no fault of the conversion.
    if (wrong != made_.checks.end() && (!mended.is_clean || wrong == made_.checks.begin()))
      return leave(
          fmt::format("the target is not right at the level '{}' of the runtime: {}", wrong->level, wrong->message));
    if (mended.is_clean) return deliver(RepairStatus::clean, "nothing is wrong with the target");
    return deliver(RepairStatus::mended, made_.before.message);
  }

  /// The target is right as its feeding says; it stays as it is.
  Result<void> tell_feeding() {
    const FeedingRecord& feeding = *made_.before.feeding;
    const std::string wants = "the target is right, and wants to be fed otherwise: " + feeding.fits;
    if (request_.feeding.empty()) return leave(wants + "; --feeding FILE.yaml writes that down");
    auto text = feeding_text(feeding, conversion_.data);
    if (!text) return leave(wants + "; " + text.error().message);
    if (const auto file = out_.fill({}, conversion_.target()); !file) return tl::unexpected(file.error());
    feeding_text_ = std::move(*text);
    made_.feeding = request_.feeding.string();
    return deliver(RepairStatus::fed_right, wants);
  }

  /// The file as users load it: at the level of the reference, and at the one that is deployed.
  Result<void> verify(const fs::path& file) {
    SessionOptions deployed = conversion_.reference->session;
    deployed.level = workshop_.deploy_level;
    std::vector<SessionOptions> sessions{conversion_.reference->session};
    if (deployed.level != sessions.front().level) sessions.push_back(deployed);
    for (const SessionOptions& session : sessions)
      if (auto ok = check_at(session, file); !ok) return ok;
    return {};
  }

  /// The source as the reference has it is open already; at another level it is opened anew, and what it gives there is
  /// not known yet.
  Result<Diagnosis> judge_outputs(const Side& target, const SessionOptions& session, const fs::path& folder) {
    DiagnoseOptions options = conversion_.options;
    options.depth = DiagnosisDepth::outputs;
    if (is_of_reference(session))
      return diagnose(*conversion_.files.front().side, target, conversion_.samples, options, tools(folder));
    const auto source =
        open_diagnosed_side(conversion_.source(), SideRole::source, folder / "source", {session, workshop_.limits});
    if (!source) return tl::unexpected(source.error());
    CompareSamples samples = conversion_.samples;
    samples.reference.clear();
    return diagnose(*source->side, target, samples, options, tools(folder));
  }

  [[nodiscard]] bool is_of_reference(const SessionOptions& session) const {
    return session.level == conversion_.reference->session.level;
  }

  Result<void> check_at(const SessionOptions& session, const fs::path& file) {
    const std::string level(name_of(session.level));
    const fs::path folder = work_ / ("check-" + level);
    if (auto ok = make_folder(folder); !ok) return ok;
    const auto model = load_trained_model(file);
    if (!model) return tl::unexpected(model.error());
    const auto target = open_side(*model, session, "checked-" + level);
    if (!target) return tl::unexpected(target.error());
    auto found = judge_outputs(*target->side, session, folder);
    if (!found) return tl::unexpected(found.error());
    if (is_of_reference(session)) {
      if (auto ok = decide_on_target(workshop_, request_, conversion_, *model, folder, *found); !ok) return ok;
      if (found->decisions && made_.after) made_.after->decisions = found->decisions;
    }
    const bool is_right = found->status == DiagnosisStatus::same;
    made_.checks.push_back({level, found->status, is_right ? "" : found->message, largest_error(found->samples),
                            std::ssize(found->samples)});
    return {};
  }

  Workshop& workshop_;
  const RepairRequest& request_;
  const OpenedConversion& conversion_;
  OptimizedFile& out_;
  fs::path work_;
  int opened_ = 0;
  TargetRepair made_;
  std::string feeding_text_;
};

/// ONNX and TFLite files are written, and no others; each in its own format.
Result<void> can_be_written(const RepairRequest& request) {
  const ModelFormat format = format_of(request.b);
  if (format != ModelFormat::onnx && format != ModelFormat::tflite)
    return fail(
        ErrorKind::unsupported,
        fmt::format("{}: files of the format {} are not written", printable(request.b.string()), name_of(format)),
        "culprit diagnose says what is wrong with it; targets that are mended are ONNX or TFLite");
  const fs::path other = format == ModelFormat::onnx ? ".tflite" : ".onnx";
  if (request.out.extension() != other) return {};
  return fail(ErrorKind::usage,
              fmt::format("{}: TARGET is in the format {}, and is mended in it", printable(request.out.string()),
                          name_of(format)),
              "give -o another ending; repair converts nothing");
}

Result<RepairedTarget> make_repair(Workshop& workshop, const RepairRequest& request, OptimizedFile& out) {
  const auto work = workshop.folder.work_folder(0);
  if (!work) return tl::unexpected(work.error());
  const auto opened = open_conversion(workshop, request, *work);
  if (!opened) return tl::unexpected(opened.error());
  const OpenedConversion& conversion = **opened;
  auto made = Repairing(workshop, request, conversion, out, *work).repair();
  workshop.caller.listener.progress_ends();
  if (!made) return made;
  TargetRepair& repair = made->repair;
  const NetworkFacts target = conversion.files.back().facts;
  if (repair.after) tell_facts(workshop, request, conversion, target, *repair.after);
  tell_facts(workshop, request, conversion, target, repair.before);
  repair.environment = repair.before.environment;
  repair.tool_version = repair.before.tool_version;
  repair.command = repair.before.command;
  repair.seconds = repair.before.seconds;
  repair.peak_bytes = repair.before.peak_bytes;
  return made;
}

}  // namespace

Result<RepairAnswer> repair_target(const RepairRequest& request, const Caller& caller) {
  const WorkshopOrder order = order_of(request);
  if (auto there = named_files_must_be_there(order); !there) return tl::unexpected(there.error());
  if (auto ok = can_be_written(request); !ok) return tl::unexpected(ok.error());
  if (auto free = place_must_be_free(request.out, order); !free) return tl::unexpected(free.error());
  if (!request.feeding.empty() && fs::weakly_canonical(request.feeding) == fs::weakly_canonical(request.out))
    return fail(ErrorKind::usage,
                fmt::format("--feeding {}: that is where the model goes", printable(request.out.string())),
                "name another file");
  if (!request.feeding.empty())
    if (auto free = feeding_must_be_free(request.feeding); !free) return tl::unexpected(free.error());
  auto workshop = Workshop::open(caller, order);
  if (!workshop) return tl::unexpected(workshop.error());
  auto out = OptimizedFile::beside(request.out, request.b);
  if (!out) return tl::unexpected(out.error());
  auto made = make_repair(*workshop, request, *out);
  if (!made) return tl::unexpected(made.error());
  if (caller.is_interrupted()) return tl::unexpected(nothing_kept());
  if (!made->feeding.empty())
    if (auto ok = write_file_atomic(request.feeding, made->feeding); !ok) return tl::unexpected(ok.error());
  if (!made->repair.out.empty())
    if (auto ok = out->put_in_place(); !ok) return tl::unexpected(ok.error());
  return RepairAnswer{std::move(made->repair), std::move(workshop->folder)};
}

}  // namespace culprit
