#include "app/pair_repros.h"

#include <algorithm>

#include "app/tool_version.h"
#include "repro/pair/pair_repro.h"

namespace culprit {
namespace {

std::string name_of_file(const DiagnosedSide& side) { return fs::path(side.facts.path).filename().string(); }

}  // namespace

Result<void> keep_pair_repros(Workshop& workshop, const DiagnoseRequest& request, const OpenedConversion& conversion,
                              const fs::path& work, DiagnosedPair& pair) {
  const DiagnosedSide &one = conversion.files.front(), &other = conversion.files.back();
  const PairSide source{*one.side, conversion.samples.samples, name_of_file(one)},
      target{*other.side, pair.target.samples, name_of_file(other)};
  const PairReproTools tools{*workshop.executor, work / "repros", tool_version(), conversion.options.tolerance};
  for (const MendableFault& fault : pair.faults) {
    const auto told = std::ranges::find(pair.diagnosis.faults, fault.fault.id, &ConversionFault::id);
    if (told == pair.diagnosis.faults.end()) continue;
    workshop.progress()(0, 0, "keeping what shows " + told->id);
    const ReproPlace place = workshop.folder.repro_place(request.b, work, told->id, false);
    const auto kept = write_pair_repro(fault, source, target, tools, place.folder);
    if (kept)
      told->repro = place.name;
    else if (kept.error().kind != ErrorKind::unsupported)
      return tl::unexpected(kept.error());
  }
  return {};
}

}  // namespace culprit
