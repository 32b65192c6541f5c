#include "campaign/outcome_cache.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/files_below.h"
#include "base/folder.h"
#include "base/json_fields.h"
#include "base/text.h"
#include "campaign/case_processes.h"

namespace culprit {
namespace {

using CacheJson = nlohmann::ordered_json;

// An entry: what came of the case, its report, and the files that it kept.
constexpr const char* outcome_name = "outcome.json";
constexpr const char* cached_report_name = "report.json";
constexpr const char* kept_name = "files";
constexpr std::uint64_t largest_outcome = 4096;

bool may_be_kept(const CaseOrder& order, OutcomeStatus status) {
  if (order.job == CampaignJob::profile) return false;
  return status == OutcomeStatus::ok || status == OutcomeStatus::fault || status == OutcomeStatus::known;
}

Result<std::uint64_t> bytes_below(const fs::path& folder) {
  const auto files = files_below(folder);
  if (!files) return tl::unexpected(files.error());
  std::uint64_t bytes = 0;
  for (const fs::path& file : *files) {
    std::error_code error;
    bytes += fs::file_size(file, error);
    if (error) return fail(ErrorKind::io, "cannot read " + printable(file.string()) + ": " + error.message());
  }
  return bytes;
}

/// The status and the report, and the names and bytes of all files that were kept.
Result<std::string> digest_of(OutcomeStatus status, const std::string& report, const fs::path& kept) {
  Hasher hasher;
  hasher.add(name_of(status)).add(report);
  std::error_code error;
  if (!fs::exists(kept, error)) return hasher.finish().hex();
  const auto files = files_below(kept);
  if (!files) return tl::unexpected(files.error());
  for (const fs::path& file : *files) {
    const auto mapped = MappedFile::open(file);
    if (!mapped) return tl::unexpected(mapped.error());
    hasher.add(file.lexically_relative(kept).string()).add(mapped->bytes());
  }
  return hasher.finish().hex();
}

Result<void> copy_files(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::skip_symlinks, error);
  if (!error) return {};
  return fail(ErrorKind::io,
              "cannot copy " + printable(from.string()) + " to " + printable(to.string()) + ": " + error.message());
}

/// Nothing where there is none, or where it is not as it was written.
std::optional<CaseOutcome> entry_in(const fs::path& place) {
  const auto outcome = read_file(place / outcome_name, largest_outcome);
  if (!outcome) return std::nullopt;
  const CacheJson json = CacheJson::parse(*outcome, nullptr, false);
  const auto status = outcome_status_named(text_in(json, "status"));
  auto report = read_file(place / cached_report_name, largest_case_report);
  if (!status || !report || !json.contains("seconds") || !json["seconds"].is_number()) return std::nullopt;
  const auto digest = digest_of(*status, *report, place / kept_name);
  if (!digest || *digest != text_in(json, "digest")) return std::nullopt;
  return CaseOutcome{*status, json["seconds"].get<double>(), std::move(*report)};
}

/// `place` holds all of it or nothing.
Result<void> put_entry(const CaseOutcome& outcome, const fs::path& case_folder, const fs::path& place) {
  if (auto ok = make_folder(place.parent_path()); !ok) return ok;
  auto made = TemporaryFolder::create(place.parent_path(), ".new-");
  if (!made) return tl::unexpected(made.error());
  std::error_code error;
  const fs::path kept = made->path() / kept_name;
  if (fs::exists(case_folder, error))
    if (auto ok = copy_files(case_folder, kept); !ok) return ok;
  const auto digest = digest_of(outcome.status, outcome.report, kept);
  if (!digest) return tl::unexpected(digest.error());
  const CacheJson json{{"schema", "culprit.case-outcome/1"},
                       {"status", name_of(outcome.status)},
                       {"seconds", outcome.seconds},
                       {"digest", *digest}};
  const auto write = [&](const char* name, const std::string& text) {
    return write_pieces_atomic(made->path() / name, std::vector<std::string_view>{text}, Durability::buffered);
  };
  if (auto ok = write(cached_report_name, outcome.report); !ok) return ok;
  if (auto ok = write(outcome_name, json.dump()); !ok) return ok;
  fs::rename(made->path(), place, error);
  if (!error) made->keep();
  return {};  // where it is there already, somebody was faster
}

}  // namespace

Result<OutcomeCache> OutcomeCache::open(const fs::path& folder, const OutcomeMaker& maker) {
  const auto program = MappedFile::open(maker.program);
  if (!program) return tl::unexpected(program.error());
  Hasher hasher;
  hasher.add(maker.cpu).add(program->bytes());
  const fs::path place = fs::absolute(folder) / "outcomes-1" / hasher.finish().hex();
  if (auto ok = make_folder(place); !ok) return tl::unexpected(ok.error());
  return OutcomeCache(place);
}

fs::path OutcomeCache::place_of(const CaseKey& key) const {
  const std::string hex = key.hex();
  return folder_ / hex.substr(0, 2) / hex;
}

Result<std::optional<CaseOutcome>> OutcomeCache::take(const CaseKey& key, const fs::path& case_folder) const {
  const fs::path place = place_of(key);
  std::error_code error;
  if (!fs::exists(place, error)) return std::nullopt;
  auto outcome = entry_in(place);
  if (!outcome) {
    remove_folder(place);
    return std::nullopt;
  }
  remove_folder(case_folder);
  if (fs::exists(place / kept_name, error))
    if (auto ok = copy_files(place / kept_name, case_folder); !ok) return tl::unexpected(ok.error());
  return outcome;
}

Result<void> OutcomeCache::keep(const CaseOrder& order, const CaseKey& key, const CaseOutcome& outcome,
                                const fs::path& case_folder) const {
  if (!may_be_kept(order, outcome.status)) return {};
  std::error_code error;
  if (fs::exists(case_folder, error)) {
    const auto bytes = bytes_below(case_folder);
    if (!bytes) return tl::unexpected(bytes.error());
    if (*bytes > most_bytes) return {};
  }
  return put_entry(outcome, case_folder, place_of(key));
}

Result<std::int64_t> take_known_outcomes(CaseStore& store, const OutcomeCache& cache, const std::optional<Shard>& shard,
                                         const fs::path& cases, const Stop& is_interrupted) {
  CaseFilter waiting;
  waiting.states = {CaseState::waiting};
  waiting.shard = shard;
  std::int64_t known = 0;
  while (!is_stopped(is_interrupted)) {
    const auto next = store.first(waiting);
    if (!next) return tl::unexpected(next.error());
    if (!*next) break;
    waiting.after = (*next)->place();
    const CaseKey& key = (*next)->planned.key;
    const auto outcome = cache.take(key, folder_of_case(cases, key));
    if (!outcome) return tl::unexpected(outcome.error());
    if (!*outcome) continue;
    const auto attempt = store.begin(key);
    if (!attempt) return tl::unexpected(attempt.error());
    if (auto ok = store.finish(*attempt, **outcome); !ok) return tl::unexpected(ok.error());
    ++known;
  }
  return known;
}

}  // namespace culprit
