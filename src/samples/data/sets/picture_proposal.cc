// data/sets/picture_source.h: propose_pictures
#include "base/text.h"
#include "data/sets/good_samples.h"
#include "data/sets/picture_source.h"

namespace culprit {

Result<Proposal> propose_pictures(const Model& model, const PictureSetOptions& options, std::int64_t samples) {
  auto opened = open_pictures(model, options);
  if (!opened) return tl::unexpected(opened.error());
  return propose_good_samples(std::move(*opened), samples, printable(options.folder.string()),
                              {"image", "images", "pictures_passed_over"});
}

}  // namespace culprit
