#include "app/diagnose_pair.h"

#include "app/diagnose_chain.h"
#include "app/diagnosed_files.h"
#include "app/opened_conversion.h"
#include "app/pair_repros.h"
#include "app/workshop.h"

namespace culprit {
namespace {

/// Source and target alone; each fault is kept in a folder.
Result<Diagnosis> diagnose_two(Workshop& workshop, const DiagnoseRequest& request, const OpenedConversion& conversion,
                               const fs::path& work) {
  auto pair = diagnose_and_keep(*conversion.files.front().side, *conversion.files.back().side, conversion.samples,
                                conversion.options, {*workshop.executor, work, workshop.progress()});
  if (!pair) return tl::unexpected(pair.error());
  if (request.folder.keep_repros)
    if (auto ok = keep_pair_repros(workshop, request, conversion, work, *pair); !ok) return tl::unexpected(ok.error());
  return std::move(pair->diagnosis);
}

/// Each file behind the source against those before it.
Result<Diagnosis> diagnose_stages(const std::vector<DiagnosedSide>& files, const CompareSamples& samples,
                                  const DiagnoseOptions& options, const CompareTools& tools) {
  auto pairs = DiagnosedFiles::open(files, samples, options, tools);
  if (!pairs) return tl::unexpected(pairs.error());
  auto diagnosis = diagnose_chain(pairs->names(), [&](std::size_t before, std::size_t file, DiagnosisDepth depth) {
    return pairs->diagnose(before, file, depth);
  });
  if (!diagnosis) return diagnosis;
  for (std::size_t i = 0; i < diagnosis->stages.size(); ++i) diagnosis->stages[i].file = files[i + 1].facts;
  return diagnosis;
}

Result<Diagnosis> make_diagnosis(Workshop& workshop, const DiagnoseRequest& request) {
  const auto work = workshop.folder.work_folder(0);
  if (!work) return tl::unexpected(work.error());
  const auto opened = open_conversion(workshop, request, *work);
  if (!opened) return tl::unexpected(opened.error());
  const OpenedConversion& conversion = **opened;
  Result<Diagnosis> diagnosis;
  if (!conversion.can_be_judged())
    diagnosis->message = conversion.why_not_judged();
  else
    diagnosis = request.intermediates.empty()
                    ? diagnose_two(workshop, request, conversion, *work)
                    : diagnose_stages(conversion.files, conversion.samples, conversion.options,
                                      {*workshop.executor, *work, workshop.progress()});
  if (!diagnosis) return diagnosis;
  if (auto ok = decide_on_target(workshop, request, conversion, conversion.target(), *work, *diagnosis); !ok)
    return tl::unexpected(ok.error());
  workshop.caller.listener.progress_ends();
  tell_facts(workshop, request, conversion, conversion.files.back().facts, *diagnosis);
  return diagnosis;
}

}  // namespace

Result<DiagnoseAnswer> diagnose_pair(const DiagnoseRequest& request, const Caller& caller) {
  auto workshop = Workshop::open(caller, order_of(request));
  if (!workshop) return tl::unexpected(workshop.error());
  auto diagnosis = make_diagnosis(*workshop, request);
  if (!diagnosis) return tl::unexpected(diagnosis.error());
  return DiagnoseAnswer{std::move(*diagnosis), std::move(workshop->folder)};
}

}  // namespace culprit
