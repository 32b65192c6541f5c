#pragma once
// Between our types and the messages of protocol.proto. What comes from a worker is untrusted, for its heap may be
// damaged: enums, indexes and numbers are checked, texts made printable, paths never taken. nullopt: it makes no sense.

#include <optional>
#include <string_view>

#include "executor/executor.h"
#include "runtime/runner_kind.h"
#include "worker/protocol.pb.h"

namespace culprit::wire {

OptimizeJob encode(const culprit::OptimizeJob& job, const std::filesystem::path& scratch);
RunJob encode(const culprit::RunJob& job, const RunnerSpec& runner);
RunnerSpec runner_of(const RunJob& job);
Imported encode(const ImportOutcome& outcome);
Variant encode(const VariantOutcome& outcome);
Ran encode(const RunOutcome& outcome, Level level);
Failure encode(const culprit::Failure& failure);
RewriteLimits encode(const culprit::RewriteLimits& limits);
RewriteTrace encode(const culprit::RewriteTrace& trace);
RewriteVisit encode(const culprit::RewriteVisit& visit);
/// All of them, in as many messages as it takes.
std::vector<Traced> encode_visits(std::size_t recipe, const std::vector<culprit::RewriteVisit>& visits);
void encode(const std::vector<culprit::Place>& places, Places& wire);

culprit::RewriteLimits decode(const RewriteLimits& limits);  ///< from the parent, who is trusted
culprit::OptimizeJob decode(const OptimizeJob& job);         ///< from the parent, who is trusted
std::optional<culprit::RunJob> decode(const RunJob& job);
std::optional<ImportOutcome> decode(const Imported& imported);
/// `job` is left for the caller; the recipe's index is checked, the file's name is made from the fingerprint.
std::optional<VariantOutcome> decode(const Variant& variant, const culprit::OptimizeJob& job);
/// `job`, `outputs` and `runtime_version` are left for the caller. `profile_to` is the job's: the profile must be a
/// file in the folder that it names, and must be there if the job is done.
std::optional<RunOutcome> decode(const Ran& ran, const std::filesystem::path& profile_to);
/// A profile's file by its name, which begins as it was asked for; it has to be there. "" where the name is "" and none
/// is due.
std::optional<std::filesystem::path> decode_profile(const std::string& name, const std::filesystem::path& profile_to,
                                                    bool is_due);
std::optional<culprit::Failure> decode(const Failure& failure);
/// Names of visits are as the model has them: not printable.
std::optional<culprit::RewriteTrace> decode(const RewriteTrace& trace);
culprit::RewriteVisit decode(const RewriteVisit& visit);

/// What is kept of the names in the visits of one recipe, at most: beyond, visits are only counted.
constexpr std::uint64_t most_traced_bytes = std::uint64_t{256} << 20;
std::uint64_t bytes_of(const culprit::RewriteVisit& visit);

/// At most `most`. Names stay byte for byte as they are, for they are looked up in the model; a place with an absurd
/// name or number of inputs is dropped.
std::vector<culprit::Place> decode(const Places& wire, std::size_t most);

std::optional<DType> type_numbered(std::int32_t number);  ///< `undefined` is one, too

/// nullopt: not a message of this type, or one without a body.
template <class Message>
std::optional<Message> parse(std::string_view bytes) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  if (message.body_case() == 0) return std::nullopt;
  return message;
}

}  // namespace culprit::wire
