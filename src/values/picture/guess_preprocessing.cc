#include "picture/guess_preprocessing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/text.h"
#include "picture/read_preprocessing.h"

namespace culprit {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// The value under a key of the metadata; "" where it is not there.
std::string metadata_at(const InputFacts& model, std::string_view key) {
  for (const auto& [name, value] : model.metadata)
    if (name == key) return value;
  return "";
}

/// What the guessing looks at.
struct InputView {
  std::int64_t channels = 0, height = 0, width = 0;
  PixelLayout layout = PixelLayout::nchw;
  std::string name;
  [[nodiscard]] bool is(std::int64_t h, std::int64_t w) const { return height == h && width == w; }
  [[nodiscard]] bool has_fixed_size() const { return height > 0 && width > 0; }
};

Result<InputView> view_of(const InputFacts& model) {
  const Shape& shape = model.input.shape;
  const auto cannot = [&](const std::string& why) {
    return fail(ErrorKind::unsupported,
                fmt::format("cannot tell what images the input '{}' {} takes: {}", printable(model.input.name, 60),
                            to_string(shape), why),
                "say it with --preprocess, a preset or a file");
  };
  if (shape.size() != 3 && shape.size() != 4) return cannot("it has not 3 or 4 dimensions");
  if (!is_float(model.type) && !is_integer(model.type))
    return cannot("its type is " + std::string(name_of(model.type)));
  const std::size_t first = shape.size() - 3;
  const auto layout = layout_of(shape);
  if (!layout) return cannot("no dimension is 1 or 3, as channels of images are");
  const bool is_nchw = *layout == PixelLayout::nchw;
  InputView view{is_nchw ? shape[first] : shape.back(), is_nchw ? shape[first + 1] : shape[first],
                 is_nchw ? shape[first + 2] : shape[first + 1], *layout, lower(model.input.name)};
  if ((view.height > 0 && view.height < 8) || (view.width > 0 && view.width < 8))
    return cannot("it is too small for images");
  return view;
}

bool has_outputs(const InputFacts& model, std::string_view one, std::string_view other) {
  const auto has = [&](std::string_view part) {
    return std::ranges::any_of(model.outputs, [&](const auto& output) { return holds(lower(output.name), part); });
  };
  return has(one) && has(other);
}

/// An output that is a picture itself: as many channels, and both sides.
bool makes_pictures(const InputFacts& model, const InputView& input) {
  return std::ranges::any_of(model.outputs, [&](const NamedShape& output) {
    if (output.shape.size() != model.input.shape.size()) return false;
    const std::size_t channels = input.layout == PixelLayout::nchw ? output.shape.size() - 3 : output.shape.size() - 1;
    return output.shape[channels] == input.channels;
  });
}

/// A rule of thumb: what speaks for a preset, in words; "" where nothing does.
struct GuessRule {
  const char* preset;
  std::string (*sign)(const InputFacts& model, const InputView& input);
};

std::string sign_of_raw_bytes(const InputFacts& model, const InputView&) {
  if (!is_integer(model.type)) return "";
  return fmt::format("its type is {}, so it takes the bytes as they are", name_of(model.type));
}

std::string sign_of_mnist(const InputFacts&, const InputView& input) {
  return input.channels == 1 && input.is(28, 28) ? "one channel of 28 x 28, as the digits of MNIST" : "";
}

std::string sign_of_ultraface(const InputFacts& model, const InputView& input) {
  const bool is_its_size = input.is(240, 320) || input.is(480, 640);
  if (input.channels != 3 || !is_its_size || !has_outputs(model, "scores", "boxes")) return "";
  return "240 x 320 or 480 x 640, and outputs `scores` and `boxes`, as UltraFace has";
}

/// PaddleOCR's text detectors: a map of what is text, of the picture's own size.
std::string sign_of_text_detector(const InputFacts& model, const InputView& input) {
  if (input.channels != 3 || input.layout != PixelLayout::nchw || input.has_fixed_size()) return "";
  if (model.outputs.size() != 1) return "";
  const auto& [name, shape] = model.outputs.front();
  const bool is_paddles = lower(name).starts_with("sigmoid_") && holds(lower(name), ".tmp_");
  if (!is_paddles || shape.size() != 4 || shape[1] != 1) return "";
  return fmt::format("one output of one channel, called '{}', as in PaddleOCR's text detectors", printable(name, 40));
}

std::string sign_of_yolo(const InputFacts& model, const InputView& input) {
  if (input.channels != 3) return "";
  if (holds(lower(metadata_at(model, "author")), "ultralytics") ||
      holds(lower(metadata_at(model, "description")), "ultralytics"))
    return "its metadata name Ultralytics";
  const bool is_grid = !input.has_fixed_size() || (input.height % 32 == 0 && input.width % 32 == 0);
  return input.name == "images" && is_grid
             ? "its name is `images`, and its sides are multiples of 32, as YOLO exports have"
             : "";
}

std::string sign_of_picture_to_picture(const InputFacts& model, const InputView& input) {
  if (input.channels != 3 || !makes_pictures(model, input)) return "";
  return "an output is an image, too, and such nets (style transfer) mostly take 0 to 255";
}

/// As caffe.yaml: colors in the other order, less their means.
std::string sign_of_caffe(const InputFacts& model, const InputView& input) {
  if (input.channels != 3 || !holds(lower(model.producer), "caffe")) return "";
  return fmt::format("it was made by '{}'", printable(model.producer, 40));
}

std::string sign_of_tf(const InputFacts&, const InputView& input) {
  if (input.channels != 3 || input.layout != PixelLayout::nhwc || !input.has_fixed_size()) return "";
  return "the channels come last, as in nets of TensorFlow";
}

std::string sign_of_torchvision(const InputFacts&, const InputView& input) {
  constexpr std::array<std::int64_t, 12> sizes{192, 224, 227, 232, 240, 256, 288, 299, 320, 331, 384, 480};
  const bool is_known = input.height == input.width && std::ranges::find(sizes, input.height) != sizes.end();
  if (input.channels != 3 || !is_known) return "";
  return fmt::format("three channels of {} x {}, as nets for ImageNet have", input.height, input.width);
}

constexpr std::array rules{GuessRule{"raw", sign_of_raw_bytes},
                           GuessRule{"mnist", sign_of_mnist},
                           GuessRule{"ultraface", sign_of_ultraface},
                           GuessRule{"rapidocr", sign_of_text_detector},
                           GuessRule{"yolo", sign_of_yolo},
                           GuessRule{"raw", sign_of_picture_to_picture},
                           GuessRule{"caffe", sign_of_caffe},
                           GuessRule{"tf", sign_of_tf},
                           GuessRule{"torchvision", sign_of_torchvision}};

/// The keys that ONNX gives to models that take pictures: https://onnx.ai/onnx/repo-docs/MetadataProps.html
void follow_metadata(const InputFacts& model, GuessedPreprocessing& guess) {
  Preprocessing& preprocessing = guess.preprocessing;
  const auto range = metadata_at(model, "Image.NominalPixelRange");
  const auto set = [&](double scale, std::vector<double> mean, std::vector<double> std) {
    preprocessing.scale = scale;
    preprocessing.mean = std::move(mean);
    preprocessing.std = std::move(std);
    guess.why += fmt::format("; the range of values is its metadata's ({})", range);
  };
  if (range == "NominalRange_0_255") set(1, {}, {});
  if (range == "Normalized_0_1") set(1.0 / 255, {}, {});
  if (range == "Normalized_1_1") set(1, {127.5}, {127.5});
  const auto format = metadata_at(model, "Image.BitmapPixelFormat");
  if (format == "Bgr8" || format == "Rgb8") {
    preprocessing.color = format == "Bgr8" ? ColorOrder::bgr : ColorOrder::rgb;
    guess.why += fmt::format("; the order of colors is its metadata's ({})", format);
  }
}

/// Blue has the smallest of the means of ImageNet: 103.939, 116.779, 123.68. A net that takes them away itself says
/// which channel is which.
void follow_means(const InputFacts& model, GuessedPreprocessing& guess) {
  constexpr std::array<double, 3> blue_first{-103.939, -116.779, -123.68};
  const auto is_near = [](double a, double b) { return std::abs(a - b) < 0.5; };
  const auto& added = model.added_first;
  const bool is_bgr = std::ranges::equal(added, blue_first, is_near);
  const bool is_rgb = std::equal(added.rbegin(), added.rend(), blue_first.begin(), blue_first.end(), is_near);
  if (!is_bgr && !is_rgb) return;
  guess.preprocessing.color = is_bgr ? ColorOrder::bgr : ColorOrder::rgb;
  guess.why += fmt::format("; its ImageScaler takes away ImageNet's means, {} first", is_bgr ? "blue" : "red");
}

bool has_image_metadata(const InputFacts& model) { return !metadata_at(model, "Image.NominalPixelRange").empty(); }

Result<GuessedPreprocessing> from_preset(const char* name, const std::string& sign, const InputFacts& model,
                                         const InputView& input) {
  auto preset = preprocessing_named(name);
  if (!preset) return tl::unexpected(preset.error());
  const std::string shown = printable(model.input.name, 60);
  GuessedPreprocessing guess{*preset, name,
                             fmt::format("the input '{}' {} is taken for one of `{}` ({}): {}", shown,
                                         to_string(model.input.shape), name, name_of(input.layout), sign)};
  if (is_float(model.type)) follow_means(model, guess);
  if (is_float(model.type)) follow_metadata(model, guess);
  guess.preprocessing.layout = input.layout;
  // Without fixed sides, the picture keeps its own, where the net is one that has no opinion.
  if (!input.has_fixed_size() && std::string_view(name) == "raw") guess.preprocessing.steps.clear();
  auto fit = fitted(guess.preprocessing, {model.input.shape, model.type});
  if (!fit) return tl::unexpected(fit.error());
  guess.preprocessing = std::move(*fit);
  return guess;
}

}  // namespace

Result<GuessedPreprocessing> guess_preprocessing(const InputFacts& model) {
  const auto input = view_of(model);
  if (!input) return tl::unexpected(input.error());
  for (const GuessRule& rule : rules)
    if (const std::string sign = rule.sign(model, *input); !sign.empty())
      return from_preset(rule.preset, sign, model, *input);
  if (has_image_metadata(model)) return from_preset("raw", "its metadata say that it takes images", model, *input);
  return fail(
      ErrorKind::unsupported,
      fmt::format("cannot tell how the input '{}' {} {} wants its images: its size, names and metadata are those "
                  "of no net that is known",
                  printable(model.input.name, 60), name_of(model.type), to_string(model.input.shape)),
      "say it with --preprocess, a preset or a file");
}

}  // namespace culprit
