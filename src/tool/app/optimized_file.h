#pragma once
// The file that `culprit optimize`, `culprit repair` and `culprit twin` leave: written beside its place, verified
// there, and then moved into it.

#include <filesystem>

#include "app/owner_lock.h"
#include "base/file.h"
#include "model/model.h"

namespace culprit {

class OptimizedFile {
 public:
  /// Nothing is written yet but a folder beside `out`, which goes with this object; if that is killed, the next one in
  /// the same place removes it (app/owner_lock.h). ErrorKind::usage where `out`
  /// cannot be it: the model itself, in a folder that is not there, no file, or a file that is not a model (then it may
  /// be anything, such as the model's weights, and is not replaced; an empty file is).
  static Result<OptimizedFile> beside(const fs::path& out, const fs::path& model);

  /// Copies `variant` to where it can be verified. "": the model as given. External data of ONNX files are brought
  /// inside, so that the file stands alone; where that would take more than 2 GiB, they go to `<out>.data` beside it.
  /// ErrorKind::usage where a file of that name is there that is not the data of what `out` was before.
  Result<fs::path> fill(const fs::path& variant, const Model& model);
  /// The place where the file is written first: a folder of its own on the same disk.
  [[nodiscard]] fs::path file() const { return folder_.path() / out_.filename(); }
  [[nodiscard]] const fs::path& scratch() const { return folder_.path(); }  ///< that folder
  /// The file of the weights that `fill` left beside the model; "" if the model stands alone.
  [[nodiscard]] fs::path filled_data() const;
  /// The file of the weights when the model is in its place.
  [[nodiscard]] fs::path data() const;
  /// Moves the file to its place: users see what was there before, or the new one. Its data, if any, go first.
  Result<void> put_in_place();

 private:
  OptimizedFile(fs::path out, TemporaryFolder folder)
      : out_(std::move(out)), folder_(std::move(folder)), owner_(OwnerLock::of(folder_.path())) {}
  [[nodiscard]] static fs::path data_of(const fs::path& model) { return model.string() + ".data"; }
  [[nodiscard]] Result<void> data_may_be_replaced(const Model& model) const;

  fs::path out_;
  TemporaryFolder folder_;
  OwnerLock owner_;
  bool placed_data_ = false;
};

}  // namespace culprit
