#include <algorithm>
#include <map>
#include <tuple>

#include "network/tflite/flat_edit.h"

namespace culprit {
namespace {

constexpr std::size_t no_field = std::string::npos;

using Key = std::tuple<std::size_t, FlatKind, bool, std::size_t>;

}  // namespace

Result<void> FlatEdit::refuse_unknown(std::size_t begin, std::size_t table) const {
  const auto& known = tflite_schema().tables[table];
  const std::size_t slots = (file().get<std::uint16_t>(file().vtable(begin)) - 4U) / 2U;
  bool is_known = true;
  for (std::size_t field = 0; field < slots; ++field) {
    const auto at = file().field(begin, field);
    if (at == 0) continue;
    if (field >= known.fields.size()) is_known = false;
    if (!is_known || known.fields[field].kind != FlatKind::one_of) continue;
    const auto selector = file().field(begin, field - 1);
    const std::size_t chosen = selector == 0 ? 0 : file().get<std::uint8_t>(selector);
    is_known = chosen != 0 && chosen < tflite_schema().unions[known.fields[field].of].tables.size();
  }
  if (is_known) return {};
  return fail(ErrorKind::unsupported,
              "cannot move the table " + std::string(known.name) + " at byte " + std::to_string(begin) + " of " +
                  where_ + ": it has fields of a newer schema, and it is not known which of them lead to something",
              "changes that leave it in its place are possible all the same");
}

std::size_t FlatEdit::append_copied(std::size_t from, std::size_t size) {
  pad_to(from);
  const auto made = bytes_.size();
  bytes_.resize(made + size);
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(from), size,
              bytes_.begin() + static_cast<std::ptrdiff_t>(made));
  return made;
}

std::size_t FlatEdit::copy_grown_table(std::size_t from, std::size_t field, std::size_t width) {
  const auto old = file().vtable(from);
  const std::size_t old_slots = file().get<std::uint16_t>(old);
  const std::size_t size = file().get<std::uint16_t>(old + 2);
  const auto slots = std::max(old_slots, 4 + 2 * (field + 1));
  bytes_.append(bytes_.size() % 2, '\0');
  const auto vtable = append_copied(old, old_slots);
  bytes_.resize(vtable + slots, '\0');
  const auto made = append_copied(from, size);
  bytes_.append((width - bytes_.size() % width) % width, '\0');
  flat_put(writable(), vtable + 4 + 2 * field, static_cast<std::uint16_t>(bytes_.size() - made));
  bytes_.append(width, '\0');
  flat_put(writable(), vtable, static_cast<std::uint16_t>(slots));
  flat_put(writable(), vtable + 2, static_cast<std::uint16_t>(bytes_.size() - made));
  flat_put(writable(), made, static_cast<std::int32_t>(made - vtable));
  return made;
}

Result<std::size_t> FlatEdit::copy_table(const Copying& job, std::size_t grown_field, std::vector<Copying>& more) {
  if (auto may = refuse_unknown(job.from, job.as.of); !may) return tl::unexpected(may.error());
  const auto& fields = tflite_schema().tables[job.as.of].fields;
  const std::size_t size = file().get<std::uint16_t>(file().vtable(job.from) + 2);
  std::size_t made = 0;
  if (grown_field == no_field) {
    made = append_copied(job.from, size);
    flat_put(writable(), made, static_cast<std::int32_t>(made - file().vtable(job.from)));
  } else {
    made = copy_grown_table(job.from, grown_field, fields[grown_field].width());
  }
  for (std::size_t field = 0; field < fields.size(); ++field) {
    const auto old = file().field(job.from, field);
    if (old == 0 || !fields[field].is_offset()) continue;
    FlatField as = fields[field];
    if (as.kind == FlatKind::one_of) {
      as.of = tflite_schema().unions[as.of].tables[file().get<std::uint8_t>(file().field(job.from, field - 1))];
      as.kind = FlatKind::table;
    }
    more.push_back({file().field(made, field), file().target(old), as});
  }
  return made;
}

Result<std::size_t> FlatEdit::copy_one(const Copying& job, std::size_t grown_field, std::vector<Copying>& more) {
  if (job.as.kind == FlatKind::table && !job.as.is_vector) return copy_table(job, grown_field, more);
  const std::size_t count = file().get<std::uint32_t>(job.from);
  const bool is_text = job.as.kind == FlatKind::string && !job.as.is_vector;
  const auto made = append_copied(job.from, 4 + count * (is_text ? 1 : flat_width(job.as.kind)));
  if (is_text) bytes_ += '\0';
  if (is_text || job.as.kind < FlatKind::string) return made;
  FlatField element = job.as;
  element.is_vector = false;
  for (std::size_t at = 0; at < count; ++at) {
    more.push_back({made + 4 + 4 * at, file().target(job.from + 4 + 4 * at), element});
  }
  return made;
}

Result<std::size_t> FlatEdit::copy(std::size_t slot, const FlatField& as, std::size_t grown_field) {
  const auto before = bytes_.size();
  const auto limit = before + before + (std::size_t{1} << 16U);  // a file whose parts are shared widely would explode
  std::map<Key, std::size_t> copies;
  // First what is nearer to the root: what is shared by two copies then lies behind both of them.
  std::vector<Copying> waiting{{slot, file().target(slot), as}};
  for (std::size_t next = 0; next < waiting.size(); ++next) {
    const auto job = waiting[next];
    const Key key{job.from, job.as.kind, job.as.is_vector, job.as.of};
    if (const auto known = copies.find(key); known != copies.end() && known->second > job.slot) {
      point(job.slot, known->second);
      continue;
    }
    auto made = copy_one(job, next == 0 ? grown_field : no_field, waiting);
    if (!made) {
      bytes_.resize(before);
      return made;
    }
    if (bytes_.size() > limit || waiting.size() > limit) {
      bytes_.resize(before);
      return fail(ErrorKind::unsupported,
                  "cannot change " + where_ + ": its parts share so much that a copy would be larger than the file",
                  "convert it again");
    }
    copies[key] = *made;
    if (next != 0) point(job.slot, *made);
  }
  const auto made = copies.at({file().target(slot), as.kind, as.is_vector, as.of});
  point(slot, made);
  return made;
}

}  // namespace culprit
