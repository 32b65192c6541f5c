#include "app/target_data.h"

#include <fmt/format.h>

#include "base/folder.h"
#include "baseline/written_samples.h"
#include "evaluate/choose_evaluated_task.h"

namespace culprit {
namespace {

constexpr const char* hint =
    "name the same samples twice, in one order: --data as the source wants them, "
    "--target-data as the target is fed";

Result<void> counts_must_be_equal(const CheckData& source, const CheckData& target) {
  const std::int64_t one = source.whole->size(), other = target.whole->size();
  if (one == other) return {};
  return fail(ErrorKind::usage, fmt::format("--target-data: {} samples, and {} in the data of the source", other, one),
              hint);
}

}  // namespace

Result<std::vector<std::filesystem::path>> write_target_data(const TargetDataTask& task) {
  if (task.path.empty()) return {};
  if (!task.of_source.whole) return fail(ErrorKind::usage, "--target-data: the source has no data of its own", hint);
  if (auto ok = make_folder(task.folder); !ok) return tl::unexpected(ok.error());
  DataOptions options;
  options.data = task.path;
  options.samples = task.options.samples;
  options.seed = task.options.seed;
  const auto data = open_described_data(task.target, {options, {}, task.folder});
  if (!data) return tl::unexpected(data.error());
  if (auto equal = counts_must_be_equal(task.of_source, *data); !equal) return tl::unexpected(equal.error());
  auto written = write_samples(data->proposals.front(), task.folder / "packs");
  if (!written) return tl::unexpected(written.error());
  // Where time was up, the last samples of the source did not run.
  if (written->packs.size() > task.samples) written->packs.resize(task.samples);
  return std::move(written->packs);
}

}  // namespace culprit
