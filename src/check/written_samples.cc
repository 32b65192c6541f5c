#include "check/written_samples.h"

#include <algorithm>

#include "check/folders.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

void keep_shared(std::vector<std::string>& names, const Sample& sample) {
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(sample.inputs, name, &NamedTensor::name) == sample.inputs.end();
  });
}

}  // namespace

Result<WrittenSamples> write_samples(const Proposal& proposal, const fs::path& folder) {
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  WrittenSamples written;
  for (std::size_t i = 0; i < proposal.size(); ++i) {
    const auto sample = proposal.sample(i);
    if (!sample) return tl::unexpected(sample.error());
    if (i == 0) {
      for (const NamedTensor& input : sample->inputs) {  // once for all parts of a sequence
        if (written.fed.empty() || written.fed.back() != input.name) written.fed.push_back(input.name);
      }
    }
    keep_shared(written.fed, *sample);
    written.packs.push_back(folder / (std::to_string(i) + ".pack"));
    if (auto ok = write_pack(written.packs.back(), sample->inputs); !ok) return tl::unexpected(ok.error());
  }
  return written;
}

}  // namespace culprit
