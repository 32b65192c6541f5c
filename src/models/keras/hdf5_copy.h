#pragma once
// What an HDF5 file of Keras holds, copied out of it by a child process: libhdf5 was not made for damaged files, and
// crashes on some. Private to this room.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "tensor/tensor.h"

namespace culprit {

/// The questions are those of Hdf5File, and so are the answers.
class Hdf5Copy {
 public:
  /// Errors: those of Hdf5File::open; bad_input where the child did not survive the file; interrupted; io.
  static Result<Hdf5Copy> of_file(const std::filesystem::path& path);
  /// A file that lies in memory.
  static Result<Hdf5Copy> of_bytes(const std::string& bytes);

  [[nodiscard]] bool has_group(const std::string& place) const { return groups_.contains(place); }
  [[nodiscard]] bool has_array(const std::string& place) const { return arrays_.contains(place); }
  /// Names of the groups in a group, sorted.
  [[nodiscard]] std::vector<std::string> groups_in(const std::string& place) const;
  /// Places of all arrays below a group: "vars/9" comes before "vars/10".
  [[nodiscard]] std::vector<std::string> arrays_below(const std::string& place) const;
  [[nodiscard]] std::optional<std::vector<std::string>> texts(const std::string& place, const std::string& name) const;
  [[nodiscard]] Result<Tensor> array(const std::string& place) const;

 private:
  friend class Hdf5CopyReader;
  using Texts = std::map<std::string, std::vector<std::string>>;  // by the name of the attribute
  std::map<std::string, Texts> groups_;                           // by place
  std::map<std::string, Result<Tensor>> arrays_;                  // by place
};

}  // namespace culprit
