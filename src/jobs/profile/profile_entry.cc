#include "profile/profile_entry.h"

#include "base/text.h"

namespace culprit {

std::string in_one_line(const Failure& failure) { return printable(failure.message, 300); }

void fail_entry(ProfileEntry& entry, const Failure& failure, FailedAt where) {
  entry.failure = in_one_line(failure);
  entry.failed_at = where;
  entry.verdict = SpeedVerdict::failed;
}

ProfileEntry begun_entry(const ProfiledRow& row, const GivenModel& given, const MadeRow& made, std::size_t baseline) {
  ProfileEntry entry;
  entry.name = row.name;
  entry.model = given.model.facts.path;
  entry.model_sha256 = given.model.facts.sha256;
  if (row.recipe) {
    entry.optimizer = row.recipe->optimizer;
    entry.recipe = row.recipe->passes;
  }
  entry.disabled = row.session.disabled_steps;
  entry.level = name_of(row.session.level);
  entry.runtime = made.runtime_version;
  entry.batch = given.batch;
  entry.provider = runs_on_cpu(row.session.provider) ? "CPU" : row.session.provider;
  entry.baseline = baseline;
  entry.optimizing = made.optimizing;
  if (made.failure.failed()) fail_entry(entry, made.failure, made.failed_at);
  return entry;
}

}  // namespace culprit
