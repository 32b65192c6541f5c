#include "app/diagnose_pair.h"

#include "app/diagnose_chain.h"
#include "app/diagnosed_files.h"
#include "app/opened_conversion.h"
#include "app/workshop.h"

namespace culprit {
namespace {

Diagnosis cannot_be_judged(const ModelReport& baseline) {
  Diagnosis diagnosis;
  diagnosis.message = "the source cannot be judged: " + baseline.baseline.message;
  return diagnosis;
}

/// Each file behind the source against those before it, where there are some between source and target.
Result<Diagnosis> diagnose_files(const std::vector<DiagnosedSide>& files, const CompareSamples& samples,
                                 const DiagnoseOptions& options, const CompareTools& tools) {
  if (files.size() == 2) return diagnose(*files[0].side, *files[1].side, samples, options, tools);
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
  auto diagnosis = Result<Diagnosis>(cannot_be_judged(conversion.baseline));
  if (conversion.can_be_judged())
    diagnosis = diagnose_files(conversion.files, conversion.samples, conversion.options,
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
