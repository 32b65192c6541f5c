#include "app/variant_repros.h"

#include <algorithm>

#include "app/opened_conversion.h"
#include "app/pair_repros.h"
#include "base/folder.h"

namespace culprit {
namespace {

/// Does this say nothing about the pair, so that whoever asked for more must hear of it?
bool ends_the_keeping(const Error& error) {
  return error.kind == ErrorKind::interrupted || error.kind == ErrorKind::io || error.kind == ErrorKind::internal;
}

Result<std::vector<std::string>> diagnose_for_repros(Workshop& workshop, const DiagnoseRequest& request,
                                                     const fs::path& work) {
  const auto opened = open_conversion(workshop, request, work);
  if (!opened) return tl::unexpected(opened.error());
  const OpenedConversion& conversion = **opened;
  const auto is_deep = [](const DiagnosedSide& file) {
    return std::ssize(file.side->network().layers) > most_layers_with_repros;
  };
  if (!conversion.can_be_judged() || std::ranges::any_of(conversion.files, is_deep)) return std::vector<std::string>{};
  auto pair = diagnose_and_keep(*conversion.files.front().side, *conversion.files.back().side, conversion.samples,
                                conversion.options, {*workshop.executor, work, workshop.progress()});
  if (!pair) return tl::unexpected(pair.error());
  std::erase_if(pair->faults, [](const MendableFault& fault) { return !fault.fault.confirmed; });
  if (auto ok = keep_pair_repros(workshop, request, conversion, work, *pair); !ok) return tl::unexpected(ok.error());
  std::vector<std::string> names;
  for (const ConversionFault& fault : pair->diagnosis.faults)
    if (!fault.repro.empty()) names.push_back(fault.repro);
  return names;
}

}  // namespace

Result<std::vector<std::string>> keep_variant_repros(Workshop& workshop, const DiagnoseRequest& request,
                                                     const fs::path& work) {
  const fs::path folder = work / "pair";
  if (auto made = make_folder(folder); !made) return tl::unexpected(made.error());
  auto names = diagnose_for_repros(workshop, request, folder);
  remove_folder(folder);
  if (!names && !ends_the_keeping(names.error())) return std::vector<std::string>{};
  return names;
}

DiagnoseRequest as_diagnose_request(const TwoModelsRequest& request, const DataOptions& samples) {
  DiagnoseRequest made;
  static_cast<TwoModelsRequest&>(made) = request;
  made.data.samples = samples;
  return made;
}

DiagnoseRequest as_diagnose_request(const CheckRequest& request, const DataOptions& samples) {
  DiagnoseRequest made;
  made.a = request.models.front();
  made.b = request.variant;
  made.data = request.data;
  made.data.samples = samples;
  made.running = request.running;
  made.judging = request.judging;
  made.folder = request.folder;
  made.quoted = request.quoted;
  return made;
}

}  // namespace culprit
