#include "keras/keras_refusals.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/text.h"

namespace culprit {
namespace {

using nlohmann::json;

// Source: keras.layers of 3.15.1 and of tf_keras 2.21.
constexpr std::string_view layers_text = R"(
Activation ActivityRegularization AdaptiveAveragePooling1D AdaptiveAveragePooling2D AdaptiveAveragePooling3D
AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D Add AdditiveAttention AlphaDropout Attention AugMix
AutoContrast Average AveragePooling1D AveragePooling2D AveragePooling3D BatchNormalization BatchNormalizationV1
BatchNormalizationV2 Bidirectional CategoryEncoding CenterCrop Concatenate
ContrastLimitedAdaptiveHistogramEqualization Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose
ConvLSTM1D ConvLSTM2D ConvLSTM3D Cropping1D Cropping2D Cropping3D CuDNNGRU CuDNNLSTM CutMix Dense DenseFeatures
DepthwiseConv1D DepthwiseConv2D Discretization Dot Dropout ELU EinsumDense Embedding Equalization Flatten GRU GRUCell
GRUV1 GRUV2 GaussianDropout GaussianNoise GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D
GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D GroupNormalization GroupQueryAttention HashedCrossing Hashing
Identity InputLayer IntegerLookup LSTM LSTMCell LSTMV1 LSTMV2 LayerNormalization LeakyReLU LocallyConnected1D
LocallyConnected2D Masking MaxNumBoundingBoxes MaxPooling1D MaxPooling2D MaxPooling3D Maximum MelSpectrogram Minimum
MixUp MultiHeadAttention Multiply Normalization PReLU Permute Pipeline RMSNormalization RNN RandAugment
RandomBrightness RandomColorDegeneration RandomColorJitter RandomContrast RandomCrop RandomElasticTransform
RandomErasing RandomFlip RandomGaussianBlur RandomGrayscale RandomHeight RandomHue RandomInvert RandomPerspective
RandomPosterization RandomRotation RandomSaturation RandomSharpness RandomShear RandomTranslation RandomWidth
RandomZoom ReLU RepeatVector Rescaling Reshape Resizing ReversibleEmbedding STFTSpectrogram SeparableConv1D
SeparableConv2D SimpleRNN SimpleRNNCell SlicingOpLambda Softmax Solarization SpatialDropout1D SpatialDropout2D
SpatialDropout3D SpectralNormalization StackedRNNCells StringLookup Subtract SyncBatchNormalization TFOpLambda
TensorFlowOpLayer TextVectorization ThresholdedReLU TimeDistributed UnitNormalization UpSampling1D UpSampling2D
UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D Functional Model Sequential)";

constexpr std::string_view activations_text = R"(
celu elu exponential gelu glu hard_shrink hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu linear log_sigmoid
log_softmax mish relu relu6 selu sigmoid silu soft_shrink softmax softplus softsign sparse_plus sparse_sigmoid
sparsemax squareplus swish tanh tanh_shrink threshold)";

constexpr std::string_view functions_text = R"(
Absolute Add BroadcastTo Cast Clip Concatenate Cos Divide Einsum Elu Erf Exp ExpandDims Floor Gelu GetItem HardSigmoid
HardSilu LeakyRelu Log LogSoftmax Matmul Max Maximum Mean Min Minimum Multiply Negative Pad Power Relu Relu6 Repeat
Reshape Round Rsqrt Selu Sigmoid Silu Sin Softmax Softplus Sqrt Square Squeeze Stack Subtract Sum Swapaxes Take Tanh
Tile Transpose TrueDivide Where)";

constexpr std::array loading_programs{"TFSMLayer", "JaxLayer", "FlaxLayer", "TorchModuleWrapper"};

std::set<std::string, std::less<>> words_of(std::string_view text) {
  std::set<std::string, std::less<>> words;
  constexpr std::string_view blanks = " \n";
  for (auto at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(blanks, at), text.size());
    words.emplace(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::string text_under(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

bool is_module_of_keras(const std::string& module) {
  return module == "keras" || module.starts_with("keras.") || module == "tf_keras" || module.starts_with("tf_keras.");
}

/// Keras 2 names functions of TensorFlow, of which some run code or write files.
std::string foreign_operation(const json& object) {
  const auto config = object.find("config");
  const std::string function = config != object.end() && config->is_object() ? text_under(*config, "function") : "";
  for (const char* begin : {"io.", "raw_ops.", "py_func", "numpy_func", "load_", "saved_model.", "data.", "train."})
    if (contains("." + function, std::string(".") + begin))
      return "calls the function " + printable(function, 100) + " of TensorFlow, which does more than compute";
  return "";
}

/// What is wrong with one object of the configuration; "" of what Keras knows.
std::string foreign_object(const json& object) {
  const std::string kind = text_under(object, "class_name"), module = text_under(object, "module");
  if (kind.empty()) return "";
  if (kind == "Lambda" || kind == "__lambda__") return "holds a Lambda, which is Python code";
  if (std::ranges::find(loading_programs, kind) != loading_programs.end())
    return "is a " + kind + ", which loads another program";
  if (kind == "TFOpLambda") return foreign_operation(object);
  if (kind == "function") {
    const auto config = object.find("config");
    const std::string name =
        config != object.end() && config->is_object() ? text_under(*config, "name") : text_under(object, "config");
    if (is_activation_of_keras(name) || is_module_of_keras(module)) return "";
    return "uses the function " + printable(name, 100) + ", which is not Keras' own";
  }
  if (kind.starts_with("__")) return "";  // numbers, shapes, slices
  const bool is_foreign = contains(kind, ">") || contains(text_under(object, "registered_name"), ">") ||
                          (!module.empty() && module != "builtins" && !is_module_of_keras(module));
  if (!is_foreign) return "";
  return "uses the class " + printable(module.empty() ? kind : module + "." + kind, 150) + ", which is not Keras' own";
}

/// An activation that is named and not Keras' own.
std::string foreign_activation(const json& object) {
  for (const char* name : {"activation", "recurrent_activation"}) {
    const std::string word = text_under(object, name);
    if (!word.empty() && !is_activation_of_keras(word))
      return "uses the activation " + printable(word, 100) + ", which is not Keras' own";
  }
  return "";
}

std::string name_of_object(const json& object) {
  const auto config = object.find("config");
  std::string own = text_under(object, "name");
  if (!own.empty() || config == object.end() || !config->is_object()) return own;
  return text_under(*config, "name");
}

/// The nesting of what was parsed is limited (keras_config.cc).
Result<void> refuse_in(const json& part, const std::string& layer) {
  if (part.is_array()) {
    for (const json& one : part)
      if (auto ok = refuse_in(one, layer); !ok) return ok;
    return {};
  }
  if (!part.is_object()) return {};
  const std::string named = part.contains("class_name") ? name_of_object(part) : "";
  const std::string& here = named.empty() ? layer : named;
  std::string what = foreign_object(part);
  if (what.empty()) what = foreign_activation(part);
  if (!what.empty())
    return fail(ErrorKind::unsupported, "the layer " + printable(here, 200) + " " + what,
                "Who runs such a model runs its code: if you know who made it, say --trust; else replace the layer by "
                "one of Keras");
  for (const auto& [name, inner] : part.items()) {
    if (name == "compile_config") continue;  // of training
    if (auto ok = refuse_in(inner, here); !ok) return ok;
  }
  return {};
}

}  // namespace

Result<void> refuse_foreign_code(const json& model) { return refuse_in(model, "of the model"); }

bool is_layer_of_keras(const std::string& class_name) {
  static const auto names = words_of(layers_text);
  return names.contains(class_name);
}

bool is_function_of_keras(const std::string& class_name) {
  static const auto names = words_of(functions_text);
  return names.contains(class_name);
}

bool is_activation_of_keras(const std::string& name) {
  static const auto names = words_of(activations_text);
  return names.contains(name);
}

}  // namespace culprit
