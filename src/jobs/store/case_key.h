#pragma once
// What a case of a campaign asks, told by contents: two machines that ask the same give it the same key.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"

namespace culprit {

/// The parts of a question that every job may have. Numbers count nothing here: a part is known by its name.
enum class KeyPart {
  job,                ///< "check", "profile" ...
  model,              ///< digest of the bytes, of external data as well; never a path
  other_model,        ///< of a pair: the second one
  optimizer,          ///< its name
  optimizer_version,  ///< and its version, or a digest of the program
  steps,              ///< which steps it is asked for, in their order, and how often
  data,               ///< digest of the samples, or the seed and the number of random ones
  runtime,            ///< name and version
};
std::string_view name_of(KeyPart part);

/// The parts of one question. In which order they are added has no meaning. A part that is absent is another thing than
/// one that is "".
class CaseParts {
 public:
  CaseParts& add(KeyPart part, std::string value);
  /// A setting that can change the answer, such as a tolerance. What only changes the time it takes is none.
  CaseParts& add_setting(std::string name, std::string value);

  /// What is hashed: the number of parts, and of each, sorted by kind and name, the kind, the lengths and the bytes of
  /// name and value. No two different sets of parts give the same bytes.
  [[nodiscard]] std::string bytes() const;
  /// "the part model", "the setting atol": what was added with two different values.
  [[nodiscard]] const std::optional<std::string>& told_twice() const { return told_twice_; }
  [[nodiscard]] bool has(KeyPart part) const { return parts_.count(part) != 0; }

 private:
  std::map<KeyPart, std::string> parts_;
  std::map<std::string, std::string> settings_;
  std::optional<std::string> told_twice_;
};

/// 128 bits of a hash over parts.
class CaseKey {
 public:
  /// ErrorKind::internal: job or model is absent, or a part was added with two different values.
  static Result<CaseKey> of(const CaseParts& parts);
  /// The 32 lower-case hex digits that `hex` writes. ErrorKind::bad_input for anything else.
  static Result<CaseKey> from_hex(std::string_view hex);
  [[nodiscard]] std::string hex() const { return hash_.hex(); }
  [[nodiscard]] const Hash128& hash() const { return hash_; }
  bool operator==(const CaseKey&) const = default;
  bool operator<(const CaseKey& other) const { return hash_ < other.hash_; }

 private:
  explicit CaseKey(Hash128 hash) : hash_(hash) {}
  Hash128 hash_;
};

/// One of `count` equal parts of a campaign: shard 1/3, 2/3, 3/3.
struct Shard {
  int index = 1;  ///< from 1 to `count`
  int count = 1;
};
/// Every case is in exactly one of so many shards, and the key alone says in which.
bool is_in(const Shard& shard, const CaseKey& key);

}  // namespace culprit
