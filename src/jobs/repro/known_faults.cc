#include "repro/known_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

namespace culprit {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view id_prefix = "K-";

/// The number in "K-3"; nothing where that is no id.
std::optional<std::uint32_t> number_of(std::string_view id) {
  if (!id.starts_with(id_prefix)) return std::nullopt;
  const std::string_view digits = id.substr(id_prefix.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = error == std::errc{} && end == digits.data() + digits.size() && number > 0;
  return is_number ? std::optional(number) : std::nullopt;
}

/// Reads one entry; the first thing that is wrong with it stays in `wrong`.
class EntryReader {
 public:
  explicit EntryReader(const Json& entry) : entry_(entry) {
    if (!entry.is_object()) wrong = "is no object";
  }

  std::string text(const char* key) {
    const bool is_text = entry_.is_object() && entry_.contains(key) && entry_[key].is_string();
    if (!is_text) return complain(std::string("has no text '") + key + "'"), "";
    return entry_[key].get<std::string>();
  }

  std::vector<std::string> names(const char* key) {
    std::vector<std::string> names;
    const bool is_list = entry_.is_object() && entry_.contains(key) && entry_[key].is_array();
    if (is_list && std::ranges::all_of(entry_[key], [](const Json& name) { return name.is_string(); }))
      names = entry_[key].get<std::vector<std::string>>();
    if (names.empty()) complain(std::string("has no list of names '") + key + "'");
    return names;
  }

  /// "" where it is null.
  std::string fingerprint(const char* key) {
    if (!entry_.is_object() || !entry_.contains(key) || entry_[key].is_null()) return "";
    std::string hex = text(key);
    if (!Hash128::from_hex(hex)) complain(std::string("has a '") + key + "' that is not of 32 hex digits");
    return hex;
  }

  void complain(const std::string& what) {
    if (wrong.empty()) wrong = what;
  }

  std::string wrong;

 private:
  const Json& entry_;
};

KnownFault read_entry(EntryReader& reader) {
  KnownFault fault;
  fault.id = reader.text("id");
  if (reader.wrong.empty() && !number_of(fault.id)) reader.complain("has an id that is not like K-1");
  fault.key.culprits = reader.names("culprits");
  const std::string verdict = reader.text("verdict");
  if (reader.wrong.empty() && !verdict_named(verdict))
    reader.complain("has an unknown verdict '" + printable(verdict, 60) + "'");
  fault.key.verdict = verdict_named(verdict).value_or(Verdict::diverged);
  fault.key.signature = reader.text("signature");
  fault.key.fingerprint = reader.fingerprint("fingerprint");
  fault.note = reader.text("note");
  fault.source = reader.text("source");
  return fault;
}

tl::unexpected<Error> wrong(const std::filesystem::path& path, const std::string& what) {
  return fail(ErrorKind::bad_input, printable(path.string()) + " is no list of known faults: " + what,
              "`culprit known add REPRO` makes one; mend it, or name another file");
}

}  // namespace

bool is_same(const FaultKey& one, const FaultKey& other) {
  const bool both_reduced = !one.fingerprint.empty() && !other.fingerprint.empty();
  return one.culprits == other.culprits && one.verdict == other.verdict && one.signature == other.signature &&
         (!both_reduced || one.fingerprint == other.fingerprint);
}

FaultKey key_of(const FaultRecord& fault) {
  return {fault.culprits, fault.verdict, fault.signature, fault.reduced_fingerprint};
}

FaultKey key_of(const ReproFacts& facts) {
  return {facts.culprits, facts.verdict, facts.found_signature,
          facts.is_reduced && facts.is_smallest ? facts.model.fingerprint : ""};
}

const KnownFault* find_known(const KnownFaults& known, const FaultKey& key) {
  const auto at = std::ranges::find_if(known, [&](const KnownFault& fault) { return is_same(fault.key, key); });
  return at == known.end() ? nullptr : &*at;
}

std::string add_known(KnownFaults& known, const ReproFacts& facts, const std::string& note) {
  const FaultKey key = key_of(facts);
  for (KnownFault& fault : known) {
    if (!is_same(fault.key, key)) continue;
    if (!note.empty()) fault.note = note;
    return fault.id;
  }
  std::uint32_t last = 0;
  for (const KnownFault& fault : known) last = std::max(last, number_of(fault.id).value_or(0));
  known.push_back({std::string(id_prefix) + std::to_string(last + 1), key, note, facts.source});
  return known.back().id;
}

void mark_known(ModelReport& report, const KnownFaults& known) {
  for (FaultRecord& fault : report.faults) {
    const KnownFault* same = find_known(known, key_of(fault));
    if (same == nullptr) continue;
    fault.known = KnownAs{same->id, same->note};
    if (!same->key.fingerprint.empty() && !fault.reduced_fingerprint.empty()) continue;
    report.warnings.push_back(
        {"known_by_signature", fault.id + " is " + same->id +
                                   " by its signature only: the smaller models that show the two were not held against "
                                   "each other, so it may be another fault that looks the same"});
  }
}

Result<KnownFaults> read_known(const std::filesystem::path& path) {
  constexpr std::uint64_t most_bytes = 64'000'000;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return fail(ErrorKind::not_found, printable(path.string()) + ": there is no such list of known faults",
                "`culprit known add REPRO --known FILE` makes one");
  const auto text = read_file(path, most_bytes);
  if (!text) return tl::unexpected(text.error());
  const Json root = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || !root.contains("schema") || !root["schema"].is_string())
    return wrong(path, "it is no JSON object with a 'schema'");
  if (root["schema"] != known_schema)
    return wrong(path, "its schema is '" + printable(root["schema"].get<std::string>(), 60) +
                           "', and this version reads " + std::string(known_schema));
  if (!root.contains("faults") || !root["faults"].is_array()) return wrong(path, "it has no list 'faults'");
  KnownFaults known;
  std::set<std::string> ids;
  for (const Json& entry : root["faults"]) {
    EntryReader reader(entry);
    known.push_back(read_entry(reader));
    if (!ids.insert(known.back().id).second) reader.complain("has the id of another one, " + known.back().id);
    if (!reader.wrong.empty()) return wrong(path, fmt::format("fault {} {}", known.size(), reader.wrong));
  }
  return known;
}

Result<void> write_known(const KnownFaults& known, const std::filesystem::path& path) {
  Json faults = Json::array();
  for (const KnownFault& fault : known) {
    faults.push_back({{"id", fault.id},
                      {"culprits", fault.key.culprits},
                      {"verdict", name_of(fault.key.verdict)},
                      {"signature", fault.key.signature},
                      {"fingerprint", fault.key.fingerprint.empty() ? Json(nullptr) : Json(fault.key.fingerprint)},
                      {"note", fault.note},
                      {"source", fault.source}});
  }
  const Json root = {{"schema", known_schema}, {"faults", faults}};
  return write_file_atomic(path, root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace culprit
