#pragma once
// Changes in the bytes of a FlatBuffers file that leave all others as they are. What has the same size is written over
// where it lies; the rest is appended, and the offset that led to the old one leads to the new one. What two parts of
// the file share is copied first, for the change is meant for one of them. Offsets lead forward only, so a table that
// moves to the end takes along all that it refers to. Private to this room.

#include <span>
#include <string>
#include <vector>

#include "network/tflite/flat_index.h"

namespace culprit {

class FlatEdit {
 public:
  /// `tail` bytes at the end are no part of the FlatBuffer: what is appended comes before them.
  static Result<FlatEdit> start(std::string bytes, std::size_t tail, std::string where);

  /// The offset at `slot` leads to this: a place that nothing else refers to, copied if need be.
  Result<std::size_t> own(std::size_t slot, std::size_t table);
  Result<std::size_t> own_vector(std::size_t slot, const FlatField& field);
  /// The slot of a field in an own table, made where the table has none: then the table moves, and `owner`, the offset
  /// that leads to it, is changed. The slot holds 0 if it is new, and must be filled before the next call of anything.
  Result<std::size_t> slot_of(std::size_t owner, std::size_t table, std::size_t field);

  /// Writes numbers of a vector over if it has just this size and is not shared; else appends them. `alignment` is that
  /// of the first element.
  Result<void> set_vector(std::size_t owner, std::size_t table, std::size_t field, std::string_view elements,
                          std::size_t width, std::size_t alignment);
  Result<void> set_text(std::size_t owner, std::size_t table, std::size_t field, std::string_view text);
  /// `value` has the width of the field. A field that is not stored and has the preset stays so.
  Result<void> set_scalar(std::size_t owner, std::size_t table, std::size_t field, std::string_view value,
                          bool is_preset);

  /// Room for one more offset before element `before` of an own vector of offsets, which stays where it is. Gives the
  /// new slot, which is to be filled by `append_table`.
  Result<std::size_t> grow(std::size_t vector, std::size_t before);
  Result<void> erase(std::size_t vector, std::size_t element);
  /// A new table with room for these fields, all 0, to which the offset at `slot` then leads.
  Result<std::size_t> append_table(std::size_t slot, std::size_t table, std::span<const std::size_t> fields);

  [[nodiscard]] FlatBytes file() const { return {std::as_bytes(std::span(bytes_))}; }
  std::span<std::byte> writable() { return std::as_writable_bytes(std::span(bytes_)); }
  std::string& tail() { return tail_; }
  [[nodiscard]] std::size_t tail_begin() const { return given_; }
  /// All of it; `moved` is by how much the tail moved.
  [[nodiscard]] std::string whole(std::size_t& moved) const;

 private:
  struct Copying {  ///< what lies at `from` and is to be copied; the offset at `slot` then leads to the copy
    std::size_t slot = 0;
    std::size_t from = 0;
    FlatField as;
  };
  Result<void> fresh();  ///< the index, made anew if anything moved
  void point(std::size_t slot, std::size_t target);
  /// Zeros until the end lies like `place` modulo the largest alignment.
  void pad_to(std::size_t place);
  Result<std::size_t> copy(std::size_t slot, const FlatField& as, std::size_t grown_field);
  Result<std::size_t> copy_one(const Copying& job, std::size_t grown_field, std::vector<Copying>& more);
  Result<std::size_t> copy_table(const Copying& job, std::size_t grown_field, std::vector<Copying>& more);
  std::size_t copy_grown_table(std::size_t from, std::size_t field, std::size_t width);
  std::size_t append_copied(std::size_t from, std::size_t size);
  [[nodiscard]] Result<void> refuse_unknown(std::size_t begin, std::size_t table) const;
  void insert_room(std::size_t at, std::size_t count);

  std::string bytes_;
  std::string tail_;
  std::size_t given_ = 0;  ///< bytes before the tail at the start
  std::string where_;
  FlatIndex index_;
  bool is_stale_ = true;
};

}  // namespace culprit
