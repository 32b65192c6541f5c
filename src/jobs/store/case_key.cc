#include "store/case_key.h"

#include <array>
#include <cstdint>
#include <utility>

#include "base/word_names.h"

namespace culprit {
namespace {

constexpr WordNames<KeyPart, 8> key_part_names = {{
    {KeyPart::job, "job"},
    {KeyPart::model, "model"},
    {KeyPart::other_model, "other_model"},
    {KeyPart::optimizer, "optimizer"},
    {KeyPart::optimizer_version, "optimizer_version"},
    {KeyPart::steps, "steps"},
    {KeyPart::data, "data"},
    {KeyPart::runtime, "runtime"},
}};

/// A later version of the rule for bytes begins with another line, so that its keys are others.
constexpr std::string_view rule_of_bytes = "culprit.case/1\n";

void append_counted(std::string& bytes, std::string_view text) {
  bytes += std::to_string(text.size());
  bytes += ':';
  bytes += text;
}

/// `char` begins the record: 'p' for a part, 's' for a setting, so that a setting called "model" is no part.
void append_record(std::string& bytes, char kind, std::string_view name, std::string_view value) {
  bytes += kind;
  append_counted(bytes, name);
  append_counted(bytes, value);
}

}  // namespace

std::string_view name_of(KeyPart part) { return name_in(key_part_names, part); }

CaseParts& CaseParts::add(KeyPart part, std::string value) {
  const auto [at, is_new] = parts_.try_emplace(part, value);
  if (!is_new && at->second != value) told_twice_ = "the part " + std::string(name_of(part));
  return *this;
}

CaseParts& CaseParts::add_setting(std::string name, std::string value) {
  const auto [at, is_new] = settings_.try_emplace(std::move(name), value);
  if (!is_new && at->second != value) told_twice_ = "the setting " + at->first;
  return *this;
}

std::string CaseParts::bytes() const {
  std::string bytes(rule_of_bytes);
  bytes += std::to_string(parts_.size() + settings_.size());
  bytes += '\n';
  for (const auto& part : parts_) append_record(bytes, 'p', name_of(part.first), part.second);
  for (const auto& setting : settings_) append_record(bytes, 's', setting.first, setting.second);
  return bytes;
}

Result<CaseKey> CaseKey::of(const CaseParts& parts) {
  if (parts.told_twice())
    return fail(ErrorKind::internal, *parts.told_twice() + " of a case was given two different values");
  for (const KeyPart needed : {KeyPart::job, KeyPart::model})
    if (!parts.has(needed))
      return fail(ErrorKind::internal, "a case was given no part " + std::string(name_of(needed)));
  return CaseKey(hash128(parts.bytes()));
}

Result<CaseKey> CaseKey::from_hex(std::string_view hex) {
  auto hash = Hash128::from_hex(hex);
  if (!hash || hash->hex() != hex)
    return fail(ErrorKind::bad_input, "the key of a case is not 32 lower-case hex digits");
  return CaseKey(*hash);
}

bool is_in(const Shard& shard, const CaseKey& key) {
  return key.hash().low % static_cast<std::uint64_t>(shard.count) == static_cast<std::uint64_t>(shard.index - 1);
}

}  // namespace culprit
