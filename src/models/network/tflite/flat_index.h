#pragma once
// All that a FlatBuffers file says, walked once: where its objects lie, and who refers to them. What is walked may be
// read without further checks. Private to this room.

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "network/tflite/flat_bytes.h"

namespace culprit {

/// A table, its list of fields (vtable), a vector or a text.
struct FlatObject {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t references = 0;     ///< how often it is referred to
  bool has_unknown_fields = false;  ///< of a table: it says things that the schema does not name
};

struct FlatReference {
  std::size_t at = 0;      ///< where the four bytes of the offset stand
  std::size_t target = 0;  ///< what they lead to
  bool to_vtable = false;  ///< then they are signed, and count backwards
};

struct FlatIndex {
  std::vector<FlatObject> objects;
  std::vector<FlatReference> references;  ///< by `at`, each once

  /// The object that alone covers these bytes and is referred to once; nullptr where others share them.
  [[nodiscard]] const FlatObject* owner(std::size_t begin, std::size_t end) const;
  [[nodiscard]] bool has_unknown_fields_before(std::size_t at) const;
};

/// Refuses what leads outside of the bytes, and what names more things than its bytes can hold. `where` is for
/// messages.
Result<FlatIndex> index_flat(FlatBytes file, std::size_t root_table, const std::string& where);

}  // namespace culprit
