#pragma once
// How a picture becomes what a net takes, as data: what is done to it, in order, and how its pixels become numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "picture/picture.h"
#include "picture/resize.h"
#include "tensor/tensor.h"

namespace culprit {

enum class ColorOrder { rgb, bgr, grey };
enum class PixelLayout { nchw, nhwc };
std::string_view name_of(ColorOrder color);
std::string_view name_of(PixelLayout layout);

/// The length of a side: so many pixels, or that of the net's input over `share`.
struct SideLength {
  int pixels = 0;    ///< 0: as the net's input has it
  double share = 1;  ///< resize to input/0.875, then crop: what remains are 87.5 % of the side
  bool operator==(const SideLength&) const = default;
};

enum class PictureStepKind {
  resize,     ///< stretched to a size; or so that one side has a length, and the other follows
  crop,       ///< a window around the middle; black where the picture is smaller
  letterbox,  ///< resized to fit into a size, and the rest filled with a colour
  pad,        ///< filled up with a colour, never made smaller
};
enum class ResizeTo { size, shorter, longer };
/// Pictures that are at least (at most) so large already keep their size.
enum class ResizeOnly { any, enlarge, shrink };

struct PictureStep {
  PictureStepKind kind = PictureStepKind::resize;
  ResizeTo to = ResizeTo::size;
  SideLength height, width;  ///< of `shorter` and `longer`, `height` is the length
  int multiple = 1;          ///< resize and pad: both sides become multiples of it
  Filter filter = Filter::bilinear;
  bool antialias = false;
  Colour color = {0, 0, 0};           ///< letterbox and pad
  bool in_corner = false;             ///< letterbox and pad: the picture lies at the top left, not in the middle
  ResizeOnly only = ResizeOnly::any;  ///< `shorter` and `longer`; `multiple` holds all the same
  bool operator==(const PictureStep&) const = default;
};

/// The input of a net; dimensions that are not fixed are -1 (or 0).
struct PictureInput {
  Shape shape;
  DType type = DType::f32;
};

struct Preprocessing {
  std::string about;  ///< one line for people
  Backend backend = Backend::pillow;
  std::vector<PictureStep> steps;
  double scale = 1;
  std::vector<double> mean, std;  ///< one for all channels, or one for each, in the net's order; empty: 0 and 1
  // What is left out is as the net's input has it.
  std::optional<ColorOrder> color;
  std::optional<PixelLayout> layout;
  std::optional<DType> dtype;
  // Set by fitted().
  int net_height = 0;  ///< 0: any
  int net_width = 0;
  int rank = 4;  ///< 3: without a batch; 2: without channels, too
  bool operator==(const Preprocessing&) const = default;
};

/// Tells where the channels of an input with 3 or 4 dimensions stand: where there is a 3, else where there is a 1; in
/// front of the sides if in doubt. Nothing where neither is.
std::optional<PixelLayout> layout_of(const Shape& shape);

/// All that was left out is taken from the input. An error where the input is none of a picture, or does not fit.
/// Without any step, the picture is resized to the net's size.
Result<Preprocessing> fitted(Preprocessing preprocessing, const PictureInput& input);

/// x in the net's input = x in the picture * scale_x + offset_x; so for y. Of edges, not of the middles of pixels: the
/// picture's left edge is 0, its right edge its width.
struct Placement {
  double scale_x = 1;
  double scale_y = 1;
  double offset_x = 0;
  double offset_y = 0;
};

/// Tells where a picture of this size comes to lie. `preprocessing` is fitted.
Result<Placement> placement_of(PictureSize picture, const Preprocessing& preprocessing);
/// The size at which the net gets it.
Result<PictureSize> size_for_net(PictureSize picture, const Preprocessing& preprocessing);

/// The tensor that the net takes: batch 1, (pixel * scale - mean) / std. `preprocessing` is fitted. No state is shared:
/// many pictures may be done at once.
Result<Tensor> preprocess(const Picture& picture, const Preprocessing& preprocessing);

/// What the net sees, as a picture: after all steps, and grey where it sees grey, but before scale, mean and std; red
/// is red also where the net takes blue first.
Result<Picture> seen_by_net(const Picture& picture, const Preprocessing& preprocessing);

}  // namespace culprit
