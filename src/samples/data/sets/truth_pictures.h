#pragma once
// A folder whose picture files say what is right of the pictures with the same names: masks with a class for each
// pixel, or the pictures that a net should give.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/name_table.h"
#include "picture/preprocessing.h"
#include "task/task.h"
#include "tensor/tensor.h"

namespace culprit {

class TruthPictureFiles {
 public:
  /// The files of `folder` and of the folders in it; each stands for the picture below `pictures_folder` of the same
  /// name without its ending (data/sets/listed_names.h). `kind`: none reads no file. Some masks are looked at: where
  /// these hold nothing but 0 and 255, 255 is class 1; else it says that a pixel counts for nothing. Errors: none of
  /// the files stands for a picture; folders that cannot be read.
  static Result<TruthPictureFiles> open(const std::filesystem::path& folder,
                                        const std::filesystem::path& pictures_folder, const NameTable& pictures,
                                        TruthPictures kind);

  /// How many pictures have a file that stands for them.
  [[nodiscard]] std::int64_t size() const { return found_; }
  [[nodiscard]] std::vector<std::string> description() const;

  /// What is right of a picture, which lies at `picture`; empty where no file says it. A mask becomes int32 [1,H,W]: of
  /// each pixel of the net's input the class that the mask has at that place, -1 where it has none. A picture becomes
  /// what the net would take of it: one of the same size as `picture` by all steps, another one in its own size. Errors
  /// (bad_input): what is wrong with the file; a mask of another size than its picture.
  [[nodiscard]] Result<std::vector<NamedTensor>> read(std::int64_t number, const std::filesystem::path& picture,
                                                      const Preprocessing& preprocessing) const;

 private:
  [[nodiscard]] std::filesystem::path file(std::size_t entry) const;
  Result<void> look_at_masks();
  [[nodiscard]] Result<Tensor> read_mask(const std::filesystem::path& mask, const std::filesystem::path& picture,
                                         const Preprocessing& preprocessing) const;

  std::filesystem::path folder_;
  TruthPictures kind_ = TruthPictures::none;
  NameTable names_;
  std::vector<std::optional<std::size_t>> entries_;  ///< of each picture
  std::int64_t found_ = 0;
  bool is_black_and_white_ = false;  ///< masks hold 0 and 255, and 255 is class 1
};

}  // namespace culprit
