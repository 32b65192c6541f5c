#pragma once
// HDF5 files, read by libhdf5: groups, texts in attributes, and arrays of numbers. Only what lies in the file itself is
// read: links to other places and files, arrays that lie in other files, and filters from outside do not exist here.
// The library was not made for damaged files: it is used in a child process alone (keras/hdf5_copy.h). Private to this
// room.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

class Hdf5File {
 public:
  static Result<Hdf5File> open(const std::filesystem::path& path);
  /// A file that lies in memory, which is copied.
  static Result<Hdf5File> open_bytes(const std::string& bytes);
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;
  ~Hdf5File();

  /// Places are written as "layers/dense/vars/0"; "" is the root.
  [[nodiscard]] bool has_group(const std::string& place) const;
  [[nodiscard]] bool has_array(const std::string& place) const;
  /// Names of the groups in a group, sorted.
  [[nodiscard]] std::vector<std::string> groups_in(const std::string& place) const;
  /// Places of all arrays below a group: "vars/9" comes before "vars/10".
  [[nodiscard]] std::vector<std::string> arrays_below(const std::string& place) const;
  /// The texts of an attribute of a group or an array; nullopt: there is none of that name, or it is of no texts.
  [[nodiscard]] std::optional<std::vector<std::string>> texts(const std::string& place, const std::string& name) const;
  /// Errors: bad_input (no such array, or it is larger than the file can hold), unsupported (a type or a filter).
  Result<Tensor> array(const std::string& place);

 private:
  struct Library;
  explicit Hdf5File(std::unique_ptr<Library> library);
  Result<void> list();
  Result<void> list_group(const std::string& place, int depth);

  std::unique_ptr<Library> library_;
  std::map<std::string, bool> places_;  // is it a group? else an array
  std::uint64_t file_bytes_ = 0;        // of the whole file
  std::uint64_t read_bytes_ = 0;        // of arrays that lie as they are
  std::uint64_t inflated_bytes_ = 0;    // of others
};

}  // namespace culprit
