#include "network/tflite/flat_index.h"

#include <algorithm>
#include <unordered_map>

namespace culprit {
namespace {

constexpr std::size_t most_references = 8'000'000;  // a network of 100,000 tensors has one million

enum class TableShape : std::uint8_t { table, vtable, text, scalars, offsets };

/// Something that is referred to, and as what.
struct Seen {
  std::size_t at = 0;
  TableShape shape = TableShape::table;
  FlatKind kind = FlatKind::table;  ///< of the elements of vectors
  std::size_t table = 0;            ///< of tables, and of vectors of tables

  bool operator==(const Seen&) const = default;
};

struct HashSeen {
  std::size_t operator()(const Seen& seen) const {
    const auto what = static_cast<std::size_t>(seen.shape) * 16 + static_cast<std::size_t>(seen.kind);
    return std::hash<std::size_t>()((seen.at << 18U) ^ (what << 10U) ^ seen.table);
  }
};

Seen as_field(const FlatField& field, std::size_t at) {
  if (field.is_vector && field.kind < FlatKind::string) return {at, TableShape::scalars, field.kind, 0};
  if (field.is_vector) return {at, TableShape::offsets, field.kind, field.of};
  if (field.kind == FlatKind::string) return {at, TableShape::text, field.kind, 0};
  return {at, TableShape::table, FlatKind::table, field.of};
}

class Walk {
 public:
  Walk(FlatBytes file, std::string where) : file_(file), where_(std::move(where)) {}

  Result<FlatIndex> run(std::size_t root_table) {
    if (auto done = refer(0, {file_.target(0), TableShape::table, FlatKind::table, root_table}); !done)
      return tl::unexpected(done.error());
    while (!waiting_.empty()) {
      const auto next = waiting_.back();
      waiting_.pop_back();
      if (auto done = visit(next); !done) return tl::unexpected(done.error());
    }
    const auto by_place = [](const auto& a, const auto& b) { return a.at < b.at; };
    const auto same_place = [](const auto& a, const auto& b) { return a.at == b.at; };
    std::ranges::sort(index_.references, by_place);
    index_.references.erase(std::unique(index_.references.begin(), index_.references.end(), same_place),
                            index_.references.end());
    return std::move(index_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> broken(const Seen& seen, std::string_view what) const {
    const auto name =
        seen.shape == TableShape::table ? std::string(tflite_schema().tables[seen.table].name) : "the object";
    return fail(
        ErrorKind::bad_input,
        where_ + " is no whole TFLite file: " + name + " at byte " + std::to_string(seen.at) + " " + std::string(what),
        "the file is damaged or was cut short; convert or download it again");
  }

  /// Notes that the offset at `at` leads to `seen`, which is visited once for all.
  Result<void> refer(std::size_t at, const Seen& seen) {
    if (index_.references.size() >= std::min(most_references, file_.bytes.size())) {
      return broken(seen, "is one of more things than so many bytes can hold: its parts overlap");
    }
    if (seen.shape != TableShape::vtable && seen.at == at) return broken(seen, "is an offset that leads to itself");
    index_.references.push_back({at, seen.at, seen.shape == TableShape::vtable});
    const auto [place, is_new] = known_.try_emplace(seen, index_.objects.size());
    if (is_new) {
      index_.objects.push_back({seen.at, seen.at, 0, false});
      waiting_.push_back(seen);
    }
    ++index_.objects[place->second].references;
    return {};
  }

  Result<void> visit(const Seen& seen) {
    const auto number = known_.at(seen);
    if (!file_.holds(seen.at, 4)) return broken(seen, "lies outside of the file");
    if (seen.shape == TableShape::vtable) {
      index_.objects[number].end = seen.at + file_.get<std::uint16_t>(seen.at);
      return {};
    }
    if (seen.shape == TableShape::table) return visit_table(seen, number);
    const std::uint64_t count = file_.get<std::uint32_t>(seen.at);
    const std::uint64_t width = seen.shape == TableShape::text ? 1 : flat_width(seen.kind);
    const std::uint64_t size = 4 + count * width;  // at most 2^35
    if (!file_.holds(seen.at, size)) {
      return broken(seen, "says it has " + std::to_string(count) + " elements, more than follow it");
    }
    const bool has_zero = seen.shape == TableShape::text && file_.holds(seen.at + size, 1);
    index_.objects[number].end = seen.at + size + (has_zero ? 1 : 0);
    if (seen.shape != TableShape::offsets) return {};
    for (std::size_t place = seen.at + 4; place < seen.at + size; place += 4) {
      const auto shape = seen.kind == FlatKind::string ? TableShape::text : TableShape::table;
      if (auto done = refer(place, {file_.target(place), shape, seen.kind, seen.table}); !done) return done;
    }
    return {};
  }

  Result<void> visit_table(const Seen& seen, std::size_t number) {
    const auto vtable = file_.vtable(seen.at);
    const auto slots = file_.get<std::uint16_t>(vtable);
    if (!file_.holds(vtable, 4) || slots < 4 || slots % 2 != 0 || !file_.holds(vtable, slots)) {
      return broken(seen, "has its list of fields outside of the file");
    }
    const auto size = file_.get<std::uint16_t>(vtable + 2);
    if (size < 4 || !file_.holds(seen.at, size)) return broken(seen, "goes on beyond the end of the file");
    index_.objects[number].end = seen.at + size;
    if (auto done = refer(seen.at, {vtable, TableShape::vtable, FlatKind::table, 0}); !done) return done;
    const auto& fields = tflite_schema().tables[seen.table].fields;
    for (std::size_t field = 0; field < (slots - 4U) / 2U; ++field) {
      const auto at = file_.field(seen.at, field);
      if (at == 0) continue;
      const auto width = field < fields.size() ? fields[field].width() : 1;
      if (at - seen.at < 4 || at - seen.at + width > size) return broken(seen, "has a field outside of itself");
      if (field >= fields.size()) {
        index_.objects[number].has_unknown_fields = true;
      } else if (fields[field].is_offset()) {
        if (auto done = visit_field(seen, number, field, at); !done) return done;
      }
    }
    return {};
  }

  Result<void> visit_field(const Seen& seen, std::size_t number, std::size_t field, std::size_t at) {
    const auto& known = tflite_schema().tables[seen.table].fields[field];
    if (known.kind != FlatKind::one_of) return refer(at, as_field(known, file_.target(at)));
    const auto selector = file_.field(seen.at, field - 1);
    const std::size_t chosen = selector == 0 ? 0 : file_.get<std::uint8_t>(selector);
    const auto& tables = tflite_schema().unions[known.of].tables;
    if (chosen == 0 || chosen >= tables.size()) {
      index_.objects[number].has_unknown_fields = true;
      return {};
    }
    return refer(at, {file_.target(at), TableShape::table, FlatKind::table, tables[chosen]});
  }

  FlatBytes file_;
  std::string where_;
  FlatIndex index_;
  std::unordered_map<Seen, std::size_t, HashSeen> known_;
  std::vector<Seen> waiting_;
};

}  // namespace

const FlatObject* FlatIndex::owner(std::size_t begin, std::size_t end) const {
  const FlatObject* found = nullptr;
  for (const auto& object : objects) {
    if (object.end <= begin || object.begin >= end) continue;
    if (found != nullptr || object.references != 1 || object.begin > begin || object.end < end) return nullptr;
    found = &object;
  }
  return found;
}

bool FlatIndex::has_unknown_fields_before(std::size_t at) const {
  return std::ranges::any_of(objects,
                             [at](const FlatObject& object) { return object.has_unknown_fields && object.begin < at; });
}

Result<FlatIndex> index_flat(FlatBytes file, std::size_t root_table, const std::string& where) {
  if (!file.holds(0, 8) || std::memcmp(file.bytes.data() + 4, "TFL3", 4) != 0) {
    return fail(ErrorKind::bad_input, where + " is no TFLite file: its bytes 4 to 7 are not \"TFL3\"",
                "give a .tflite file; other formats are to be converted first");
  }
  return Walk(file, where).run(root_table);
}

}  // namespace culprit
