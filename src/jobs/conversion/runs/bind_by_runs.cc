#include "conversion/runs/bind_by_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/folder.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_looked_at = 12;  // of the source's first values

class InputTries {
 public:
  InputTries(ReadSide& source, ReadSide& target, fs::path folder)
      : source_(source), target_(target), folder_(std::move(folder)) {}

  /// How many of the source's first values the target has somewhere when its inputs are bound so; -1: it does not run.
  Result<double> share_found(const std::vector<ValueMatch>& inputs) {
    if (auto ok = read_first_values(); !ok) return tl::unexpected(ok.error());
    ShowTask task = target_.task(false);
    auto samples =
        samples_of_target(source_, target_, inputs, source_.map_samples, folder_ / fmt::format("try-{}", attempts_++));
    if (!samples) return tl::unexpected(samples.error());
    task.samples = std::move(*samples);
    const auto shown = show_values(target_.runs, target_.shown, task);
    if (!shown) return tl::unexpected(shown.error());
    if (shown->outputs.empty()) return -1;
    return share_of_like(first_, shown->sketches);
  }

 private:
  Result<void> read_first_values() {
    if (!first_.empty()) return {};
    const auto count = static_cast<std::ptrdiff_t>(std::min(source_.shown.size(), most_looked_at));
    auto shown = show_values(source_.runs, {source_.shown.begin(), source_.shown.begin() + count}, source_.task(false));
    if (!shown) return tl::unexpected(shown.error());
    first_ = std::move(shown->sketches);
    return {};
  }

  ReadSide& source_;
  ReadSide& target_;
  fs::path folder_;
  std::map<int, ValueSketch> first_;
  int attempts_ = 0;
};

}  // namespace

Result<SideBinding> bind_inputs_by_runs(ReadSide& source, ReadSide& target, const InputsSeen& seen,
                                        const fs::path& folder) {
  InputTries tries(source, target, folder);
  return bind_inputs_of_sides(seen, [&](const auto& inputs) { return tries.share_found(inputs); });
}

Result<std::vector<fs::path>> samples_of_target(const ReadSide& source, const ReadSide& target,
                                                const std::vector<ValueMatch>& inputs,
                                                const std::vector<fs::path>& samples, const fs::path& folder) {
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  SideBinding binding;
  binding.inputs = inputs;
  return write_bound_samples(binding, source.network(), target.network(), samples, folder);
}

}  // namespace culprit
