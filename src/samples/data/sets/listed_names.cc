#include "data/sets/listed_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <system_error>
#include <unordered_map>

#include "base/lower_case.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::array endings = {".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".ppm", ".pgm", ".pbm"};

/// The surest first.
enum class Claim : std::uint8_t { whole, with_a_folder, last_part, whole_stem, stem_with_a_folder, last_stem, none };

std::string_view last_part_of(std::string_view name) { return name.substr(name.rfind('/') + 1); }

/// "cats/1.v2" of "cats/1.v2.jpg"; as it is where it has no ending of such a file.
std::string_view stem_of(std::string_view name, bool (*may_be_one)(std::string_view)) {
  return may_be_one(name) ? name.substr(0, name.rfind('.')) : name;
}

/// Writes the entry with '/', without "./" and the folder at its beginning.
std::string plain(std::string_view entry, const std::string& folder) {
  std::string name(entry);
  std::ranges::replace(name, '\\', '/');
  while (name.starts_with("./")) name.erase(0, name.find_first_not_of('/', 1));
  if (!folder.empty() && name.starts_with(folder)) name.erase(0, folder.size());
  return name;
}

/// NamePlaces, and where each stands; of the last parts only those that one name has.
class NamePlaces {
 public:
  void add(std::string_view name, std::size_t place) {
    take(whole_, name, place);
    take(last_, last_part_of(name), place);
  }
  [[nodiscard]] std::optional<std::size_t> whole(std::string_view name) const { return find(whole_, name); }
  [[nodiscard]] std::optional<std::size_t> by_last_part(std::string_view name) const {
    return find(last_, last_part_of(name));
  }

 private:
  static constexpr std::size_t several = SIZE_MAX;
  using Places = std::unordered_map<std::string_view, std::size_t>;

  static void take(Places& places, std::string_view name, std::size_t place) {
    const auto [at, is_new] = places.emplace(name, place);
    if (!is_new) at->second = several;
  }
  static std::optional<std::size_t> find(const Places& places, std::string_view name) {
    const auto at = places.find(name);
    return at == places.end() || at->second == several ? std::nullopt : std::optional(at->second);
  }

  Places whole_, last_;
};

struct Claimed {
  Claim claim = Claim::none;
  std::size_t place = 0;
};

/// The file that an entry claims, by names in full or by stems.
Claimed claimed_by(std::string_view entry, const NamePlaces& files, const NamePlaces& entries, bool are_stems) {
  const auto claim = [&](Claim of_names, Claim of_stems, std::size_t place) {
    return Claimed{are_stems ? of_stems : of_names, place};
  };
  if (const auto place = files.whole(entry)) return claim(Claim::whole, Claim::whole_stem, *place);
  for (std::size_t slash = entry.find('/'); slash != entry.npos; slash = entry.find('/', slash + 1)) {
    const std::string_view end = entry.substr(slash + 1);
    if (end.find('/') == end.npos) break;
    if (const auto place = files.whole(end)) return claim(Claim::with_a_folder, Claim::stem_with_a_folder, *place);
  }
  const auto place = files.by_last_part(entry);
  return place && entries.by_last_part(entry) ? claim(Claim::last_part, Claim::last_stem, *place) : Claimed{};
}

}  // namespace

bool may_be_picture(std::string_view name) {
  const std::string ending = lower_case(fs::path(name).extension().string());
  return std::ranges::find(endings, ending) != endings.end();
}

std::vector<std::optional<std::size_t>> entries_of_files(const std::vector<std::string_view>& entries,
                                                         const NameTable& files, const fs::path& folder,
                                                         bool (*may_be_one)(std::string_view)) {
  std::error_code ignored;
  const fs::path from_root = folder.empty() ? fs::path() : fs::absolute(folder, ignored).lexically_normal() / "";
  NamePlaces names, stems, listed;
  for (std::size_t i = 0; i < files.size(); ++i) {
    names.add(files[i], i);
    stems.add(stem_of(files[i], may_be_one), i);
  }
  std::vector<std::string> plain_entries;
  plain_entries.reserve(entries.size());
  for (const std::string_view entry : entries) plain_entries.push_back(plain(entry, from_root.string()));
  for (std::size_t i = 0; i < plain_entries.size(); ++i) listed.add(plain_entries[i], i);
  std::vector<Claimed> best(files.size());
  std::vector<bool> is_shared(files.size());
  for (std::size_t i = 0; i < plain_entries.size(); ++i) {
    const std::string& entry = plain_entries[i];
    Claimed claimed = claimed_by(entry, names, listed, false);
    if (claimed.claim == Claim::none && !may_be_one(entry)) claimed = claimed_by(entry, stems, listed, true);
    if (claimed.claim == Claim::none || claimed.claim > best[claimed.place].claim) continue;
    is_shared[claimed.place] = claimed.claim == best[claimed.place].claim;
    best[claimed.place] = {claimed.claim, i};
  }
  std::vector<std::optional<std::size_t>> found(files.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (best[i].claim != Claim::none && !is_shared[i]) found[i] = best[i].place;
  return found;
}

}  // namespace culprit
