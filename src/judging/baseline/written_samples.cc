#include "baseline/written_samples.h"

#include <algorithm>

#include "base/folder.h"
#include "tensor/pack_file.h"
#include "trial/reference.h"

namespace culprit {
namespace {

void keep_shared(std::vector<std::string>& names, const Sample& sample) {
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(sample.inputs, name, &NamedTensor::name) == sample.inputs.end();
  });
}

Result<void> write_one(const Proposal& proposal, std::size_t number, const fs::path& folder, const Stop& stop,
                       WrittenSamples& written) {
  const auto sample = proposal.sample(number, stop);
  if (!sample) return tl::unexpected(sample.error());
  const fs::path pack = folder / (std::to_string(number) + ".pack");
  if (auto ok = write_pack(pack, sample->inputs, stop); !ok) return ok;
  if (number == 0) written.fed = fed_names(sample->inputs);
  keep_shared(written.fed, *sample);
  written.packs.push_back(pack);
  return {};
}

}  // namespace

Result<WrittenSamples> write_samples(const Proposal& proposal, const fs::path& folder, const WritingEnds& ends) {
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  WrittenSamples written;
  for (std::size_t i = 0; i < proposal.size(); ++i) {
    const Stop stop = [&] { return is_stopped(ends.is_interrupted) || (i > 0 && is_stopped(ends.is_time_up)); };
    auto ok = is_stopped(stop) ? Result<void>(ended_early()) : write_one(proposal, i, folder, stop, written);
    if (ok) continue;
    const bool is_enough = ok.error().kind == ErrorKind::interrupted && !is_stopped(ends.is_interrupted);
    if (!is_enough) return tl::unexpected(ok.error());
    break;
  }
  return written;
}

}  // namespace culprit
