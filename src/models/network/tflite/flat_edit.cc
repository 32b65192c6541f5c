#include "network/tflite/flat_edit.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr std::size_t step = 64;  // what moves, moves by a multiple of this: all alignments stay as they are
constexpr std::size_t unit = 16;  // what is new lies like the old modulo this: elements of tensors want no more
constexpr std::size_t most_bytes = (std::size_t{1} << 31U) - 1;

std::size_t vector_size(FlatBytes file, std::size_t at, std::size_t width) {
  return 4 + std::size_t{file.get<std::uint32_t>(at)} * width;
}

std::size_t inline_size(FlatBytes file, std::size_t table) { return file.get<std::uint16_t>(file.vtable(table) + 2); }

}  // namespace

Result<FlatEdit> FlatEdit::start(std::string bytes, std::size_t tail, std::string where) {
  FlatEdit made;
  tail = std::min(tail, bytes.size());
  made.tail_ = bytes.substr(bytes.size() - tail);
  bytes.resize(bytes.size() - tail);
  made.given_ = bytes.size();
  made.bytes_ = std::move(bytes);
  made.where_ = std::move(where);
  if (auto done = made.fresh(); !done) return tl::unexpected(done.error());
  return made;
}

Result<void> FlatEdit::fresh() {
  if (!is_stale_) return {};
  if (bytes_.size() > most_bytes) {
    return fail(ErrorKind::unsupported, where_ + " would be larger than 2 GB, which its format cannot be",
                "make fewer or smaller changes");
  }
  auto made = index_flat(file(), tflite_schema().table("Model"), where_);
  if (!made) return tl::unexpected(made.error());
  index_ = std::move(*made);
  is_stale_ = false;
  return {};
}

void FlatEdit::point(std::size_t slot, std::size_t target) {
  flat_put(writable(), slot, static_cast<std::uint32_t>(target - slot));
  is_stale_ = true;
}

void FlatEdit::pad_to(std::size_t place) { bytes_.append((place % unit + unit - bytes_.size() % unit) % unit, '\0'); }

std::string FlatEdit::whole(std::size_t& moved) const {
  std::string all = bytes_;
  if (!tail_.empty()) all.append((step - (all.size() - given_) % step) % step, '\0');
  moved = all.size() - given_;
  return all + tail_;
}

Result<std::size_t> FlatEdit::own(std::size_t slot, std::size_t table) {
  if (auto done = fresh(); !done) return tl::unexpected(done.error());
  const auto at = file().target(slot);
  if (index_.owner(at, at + inline_size(file(), at)) != nullptr) return at;
  return copy(slot, {{}, FlatKind::table, false, table, {}, 0}, std::string::npos);
}

Result<std::size_t> FlatEdit::own_vector(std::size_t slot, const FlatField& field) {
  if (auto done = fresh(); !done) return tl::unexpected(done.error());
  const auto at = file().target(slot);
  if (index_.owner(at, at + vector_size(file(), at, flat_width(field.kind))) != nullptr) return at;
  return copy(slot, field, std::string::npos);
}

Result<std::size_t> FlatEdit::slot_of(std::size_t owner, std::size_t table, std::size_t field) {
  const auto at = file().target(owner);
  if (const auto slot = file().field(at, field); slot != 0) return slot;
  auto moved = copy(owner, {{}, FlatKind::table, false, table, {}, 0}, field);
  if (!moved) return moved;
  return file().field(*moved, field);
}

Result<void> FlatEdit::set_vector(std::size_t owner, std::size_t table, std::size_t field, std::string_view elements,
                                  std::size_t width, std::size_t alignment) {
  auto slot = slot_of(owner, table, field);
  if (!slot) return tl::unexpected(slot.error());
  const auto old = file().target(*slot);
  if (old != *slot && vector_size(file(), old, width) == 4 + elements.size()) {
    if (auto done = fresh(); !done) return done;
    if (index_.owner(old, old + 4 + elements.size()) != nullptr) {
      std::ranges::copy(elements, bytes_.begin() + static_cast<std::ptrdiff_t>(old + 4));
      return {};
    }
  }
  const std::size_t apart = std::max<std::size_t>(4, alignment);
  bytes_.append((apart - (bytes_.size() + 4) % apart) % apart, '\0');
  point(*slot, bytes_.size());
  bytes_.append(4, '\0');
  flat_put(writable(), bytes_.size() - 4, static_cast<std::uint32_t>(elements.size() / width));
  bytes_ += elements;
  const bool is_text = tflite_schema().tables[table].fields[field].kind == FlatKind::string;
  if (is_text) bytes_ += '\0';
  return {};
}

Result<void> FlatEdit::set_text(std::size_t owner, std::size_t table, std::size_t field, std::string_view text) {
  return set_vector(owner, table, field, text, 1, 4);
}

Result<void> FlatEdit::set_scalar(std::size_t owner, std::size_t table, std::size_t field, std::string_view value,
                                  bool is_preset) {
  if (is_preset && file().field(file().target(owner), field) == 0) return {};
  auto slot = slot_of(owner, table, field);
  if (!slot) return tl::unexpected(slot.error());
  std::ranges::copy(value, bytes_.begin() + static_cast<std::ptrdiff_t>(*slot));
  is_stale_ = true;  // it may be the selector of a union
  return {};
}

void FlatEdit::insert_room(std::size_t at, std::size_t count) {
  bytes_.insert(at, count, '\0');
  for (const auto& reference : index_.references) {
    if ((reference.at < at) == (reference.target < at)) continue;
    const auto place = reference.at + (reference.at >= at ? count : 0);
    const auto target = reference.target + (reference.target >= at ? count : 0);
    flat_put(writable(), place, static_cast<std::uint32_t>(reference.to_vtable ? place - target : target - place));
  }
  is_stale_ = true;
}

Result<std::size_t> FlatEdit::grow(std::size_t vector, std::size_t before) {
  if (auto done = fresh(); !done) return tl::unexpected(done.error());
  const std::size_t count = file().get<std::uint32_t>(vector);
  const auto end = vector + 4 + 4 * count;
  const auto is_there = [end](const FlatObject& object) { return object.begin < end + 4 && object.end > end; };
  const bool has_slack =
      file().holds(end, 4) && file().get<std::uint32_t>(end) == 0 && std::ranges::none_of(index_.objects, is_there);
  if (index_.has_unknown_fields_before(bytes_.size()) && (has_slack || index_.has_unknown_fields_before(end))) {
    return fail(ErrorKind::unsupported,
                "cannot make a list of " + where_ +
                    " longer: it has fields of a newer schema, and what they lead to would move",
                "changes of what is there are possible all the same");
  }
  if (!has_slack) insert_room(end, step);
  before = std::min(before, count);
  for (std::size_t element = count; element > before; --element) {
    const auto slot = vector + 4 + 4 * element;
    flat_put(writable(), slot, file().get<std::uint32_t>(slot - 4) - 4);
  }
  const auto slot = vector + 4 + 4 * before;
  flat_put(writable(), slot, std::uint32_t{0});
  flat_put(writable(), vector, static_cast<std::uint32_t>(count + 1));
  is_stale_ = true;
  return slot;
}

Result<void> FlatEdit::erase(std::size_t vector, std::size_t element) {
  const std::size_t count = file().get<std::uint32_t>(vector);
  for (; element + 1 < count; ++element) {
    const auto slot = vector + 4 + 4 * element;
    flat_put(writable(), slot, file().get<std::uint32_t>(slot + 4) + 4);
  }
  flat_put(writable(), vector + 4 * count, std::uint32_t{0});
  flat_put(writable(), vector, static_cast<std::uint32_t>(count - 1));
  is_stale_ = true;
  return fresh();
}

Result<std::size_t> FlatEdit::append_table(std::size_t slot, std::size_t table, std::span<const std::size_t> fields) {
  const auto& known = tflite_schema().tables[table].fields;
  std::vector<std::size_t> order(fields.begin(), fields.end());
  std::ranges::stable_sort(order, std::greater(), [&known](std::size_t field) { return known[field].width(); });
  const std::size_t slots = order.empty() ? 0 : *std::ranges::max_element(order) + 1;
  bytes_.append(bytes_.size() % 2, '\0');
  const auto vtable = bytes_.size();
  bytes_.append(4 + 2 * slots, '\0');
  pad_to(0);
  const auto made = bytes_.size();
  std::size_t size = 4;
  for (const auto field : order) {
    const auto width = known[field].width();
    size = (size + width - 1) / width * width;
    flat_put(writable(), vtable + 4 + 2 * field, static_cast<std::uint16_t>(size));
    size += width;
  }
  bytes_.append(size, '\0');
  flat_put(writable(), vtable, static_cast<std::uint16_t>(4 + 2 * slots));
  flat_put(writable(), vtable + 2, static_cast<std::uint16_t>(size));
  flat_put(writable(), made, static_cast<std::int32_t>(made - vtable));
  point(slot, made);
  return made;
}

}  // namespace culprit
