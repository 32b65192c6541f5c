#include "profile/made_rows.h"

#include "base/folder.h"
#include "base/parent_folder.h"

namespace culprit {
namespace {

class Making {
 public:
  Making(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows, const ProfileOptions& options,
         const ProfileTools& tools)
      : models_(models), rows_(rows), options_(options), tools_(tools) {}

  Result<std::vector<MadeRow>> run() {
    made_.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (is_stopped(tools_.is_interrupted)) return ended_early();
      if (auto ok = begin(i); !ok) return tl::unexpected(ok.error());
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (is_stopped(tools_.is_interrupted)) return ended_early();
      if (made_[i].failure.failed()) continue;
      if (auto ok = load(i); !ok) return tl::unexpected(ok.error());
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::filesystem::path folder_of(std::size_t row) const {
    return tools_.folder / ("entry-" + std::to_string(row));
  }

  Result<void> begin(std::size_t i) {
    if (auto ok = make_folder(folder_of(i)); !ok) return ok;
    const ProfiledRow& row = rows_[i];
    const GivenModel& given = models_[row.model];
    RunJob& job = made_[i].measured.job;
    job.model = given.model.path;
    job.session = row.session;
    job.samples = given.samples;
    job.limits = options_.limits;
    made_[i].measured.library = row.library;
    if (given.samples.empty()) {
      made_[i].failure = {Ending::threw, given.failure, ""};
      made_[i].failed_at = FailedAt::load;
      return {};
    }
    return row.recipe ? optimize(i) : Result<void>();
  }

  Result<void> optimize(std::size_t i) {
    const auto executor = tools_.executor(rows_[i].library);
    if (!executor) return tl::unexpected(executor.error());
    Dispatcher dispatcher(**executor);
    OptimizeJob job;
    job.model = models_[rows_[i].model].model.path;
    job.optimizer = rows_[i].recipe->optimizer;
    job.recipes = {*rows_[i].recipe};
    job.folder = folder_of(i);
    job.limits = options_.limits;
    dispatcher.optimize(
        job, [this, i](const ImportOutcome& outcome) { take_failure(i, outcome.failure); },
        [this, i](const VariantOutcome& outcome) {
          take_failure(i, outcome.failure);
          made_[i].optimizing = outcome.seconds;
          if (!outcome.file.empty()) made_[i].measured.job.model = outcome.file;
          made_[i].fingerprint = outcome.fingerprint;
          made_[i].warnings = outcome.warnings;
        });
    return dispatcher.drain();
  }

  void take_failure(std::size_t i, const Failure& failure) {
    if (!failure.failed() || made_[i].failure.failed()) return;
    made_[i].failure = failure;
    made_[i].failed_at = FailedAt::make;
  }

  /// A process of its own: to save costs time, and what dies here is told once more when it is measured.
  Result<void> load(std::size_t i) {
    if (models_[rows_[i].model].model.proto == nullptr) return load_plainly(i);  // only ONNX Runtime saves it
    MeasuredModel model = made_[i].measured;
    model.job.session.save_optimized_to = folder_of(i) / "as_run.onnx";
    model.job.samples.resize(1);
    const auto block = tools_.blocks.open({model});
    const Loaded loaded = block->load(0);
    if (loaded.failure.skipped) return ended_early();
    if (loaded.failure.machine) return fail(ErrorKind::io, loaded.failure.message);
    made_[i].runtime_version = loaded.runtime_version;
    if (loaded.failure.failed()) return load_plainly(i);
    made_[i].as_run = model.job.session.save_optimized_to;
    // What an optimizer wrote lies in the same folder, with its data.
    const Model& given = models_[rows_[i].model].model;
    if (given.has_external_data && model.job.model == given.path) made_[i].data_folder = parent_folder(given.path);
    return {};
  }

  /// What cannot be saved may run all the same.
  Result<void> load_plainly(std::size_t i) {
    const auto block = tools_.blocks.open({made_[i].measured});
    const Loaded loaded = block->load(0);
    if (loaded.failure.skipped) return ended_early();
    if (loaded.failure.machine) return fail(ErrorKind::io, loaded.failure.message);
    made_[i].runtime_version = loaded.runtime_version;
    made_[i].failure = loaded.failure;
    made_[i].failed_at = loaded.failure.failed() ? FailedAt::load : FailedAt::nowhere;
    return {};
  }

  const std::vector<GivenModel>& models_;
  const std::vector<ProfiledRow>& rows_;
  const ProfileOptions& options_;
  const ProfileTools& tools_;
  std::vector<MadeRow> made_;
};

}  // namespace

Result<std::vector<MadeRow>> make_rows(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                                       const ProfileOptions& options, const ProfileTools& tools) {
  return Making(models, rows, options, tools).run();
}

}  // namespace culprit
