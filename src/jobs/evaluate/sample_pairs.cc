#include "evaluate/sample_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/csv.h"
#include "base/file.h"
#include "base/lower_case.h"
#include "base/name_table.h"
#include "base/text.h"
#include "data/sets/listed_names.h"

namespace culprit {
namespace {

constexpr std::size_t most_pairs = 10'000'000;

struct NamedPair {
  std::string first, second;
  bool is_same = false;
  std::size_t line = 0;
};

std::optional<bool> read_same(const std::string& text) {
  const std::string word = lower_case(std::string(trim(text)));
  for (const char* yes : {"1", "yes", "true"})
    if (word == yes) return true;
  for (const char* no : {"0", "no", "false"})
    if (word == no) return false;
  return std::nullopt;
}

tl::unexpected<Error> bad_line(const std::filesystem::path& file, std::size_t line, const std::string& what,
                               const std::string& hint) {
  return fail(ErrorKind::usage, fmt::format("{}, line {}: {}", printable(file.string(), 200), line, what), hint);
}

Result<std::vector<NamedPair>> read_named_pairs(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  std::vector<NamedPair> pairs;
  Result<void> wrong;
  const char* const form = "a line is a,b,same: two samples, and 1 where they show the same, else 0";
  bool is_first = true;
  const auto take = [&](const CsvFields& fields, std::size_t line) {
    const bool may_be_heading = std::exchange(is_first, false);
    if (!wrong) return;
    if (fields.size() != 3) {
      wrong = bad_line(file, line, fmt::format("there are {} fields, and not 3", fields.size()), form);
      return;
    }
    const auto same = read_same(fields[2]);
    if (same && pairs.size() < most_pairs)
      pairs.push_back({std::string(trim(fields[0])), std::string(trim(fields[1])), *same, line});
    else if (same)
      wrong = bad_line(file, line, fmt::format("there are more than {} pairs", most_pairs), "");
    else if (!may_be_heading)
      wrong = bad_line(file, line, "'" + printable(fields[2], 60) + "' does not say whether both show the same", form);
  };
  if (const auto broken = read_csv(*text, take)) return bad_line(file, broken->line, broken->what, form);
  if (!wrong) return tl::unexpected(wrong.error());
  return pairs;
}

/// The number of each name that stands for a sample.
class SampleNumbers {
 public:
  SampleNumbers(const std::vector<NamedPair>& pairs, const SampleSource& source, const std::filesystem::path& folder)
      : count_(source.size()) {
    NameTable samples;
    for (std::int64_t number = 0; number < count_; ++number) samples.add(source.name(number));
    std::vector<std::string_view> names;
    for (const NamedPair& pair : pairs)
      for (const std::string* name : {&pair.first, &pair.second})
        if (numbers_.emplace(*name, -1).second) names.emplace_back(*name);
    // One name stands for a picture at a time; the next round is for other spellings of the same.
    while (take_names(names, samples, folder))
      std::erase_if(names, [this](std::string_view name) { return numbers_.at(std::string(name)) >= 0; });
    for (std::size_t number = 0; number < samples.size(); ++number)
      if (const auto same = numbers_.find(std::string(samples[number])); same != numbers_.end())
        same->second = static_cast<std::int64_t>(number);
  }

  [[nodiscard]] std::optional<std::int64_t> of(const std::string& name) const {
    if (const std::int64_t number = numbers_.at(name); number >= 0) return number;
    std::int64_t number = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = !name.empty() && read.ec == std::errc() && read.ptr == name.data() + name.size();
    return is_number && number >= 0 && number < count_ ? std::optional(number) : std::nullopt;
  }

 private:
  /// False where none of these names stands for a sample.
  bool take_names(const std::vector<std::string_view>& names, const NameTable& samples,
                  const std::filesystem::path& folder) {
    bool is_any = false;
    const auto entries = entries_of_files(names, samples, folder);
    for (std::size_t number = 0; number < entries.size(); ++number) {
      if (!entries[number]) continue;
      numbers_[std::string(names[*entries[number]])] = static_cast<std::int64_t>(number);
      is_any = true;
    }
    return is_any;
  }

  std::int64_t count_;
  std::map<std::string, std::int64_t> numbers_;
};

}  // namespace

Result<std::vector<SamplePair>> read_sample_pairs(const std::filesystem::path& file, const SampleSource& source,
                                                  const std::filesystem::path& folder) {
  const auto named = read_named_pairs(file);
  if (!named) return tl::unexpected(named.error());
  const SampleNumbers numbers(*named, source, folder);
  std::vector<SamplePair> pairs;
  pairs.reserve(named->size());
  for (const NamedPair& pair : *named) {
    for (const std::string* name : {&pair.first, &pair.second})
      if (!numbers.of(*name))
        return bad_line(file, pair.line, "'" + printable(*name, 200) + "' is none of the samples",
                        fmt::format("there are {}, the first is '{}'; a number counts them from 0", source.size(),
                                    source.size() > 0 ? printable(source.name(0), 200) : ""));
    pairs.push_back({*numbers.of(pair.first), *numbers.of(pair.second), pair.is_same});
  }
  const auto same = std::ranges::count(pairs, true, &SamplePair::is_same);
  if (same == 0 || same == std::ssize(pairs))
    return fail(ErrorKind::usage,
                fmt::format("{}: of {} pairs {} same, so nothing tells them apart", printable(file.string(), 200),
                            pairs.size(), same == 0 ? "none is the" : "all are the"),
                "name pairs that show the same, and pairs that do not");
  return pairs;
}

}  // namespace culprit
