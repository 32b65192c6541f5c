// Models of TFLite by LiteRT's compiled models, on the CPU.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "base/text.h"
#include "network/tflite/settle_reshapes.h"
#include "runtime/open_runner.h"
#include "runtime/tflite/known_model.h"
#include "runtime/tflite/litert.h"

namespace culprit {
namespace {

using litert::Handle;
using litert::LiteRtApi;
using litert::RankedType;

constexpr std::size_t signature = 0;  ///< of several the first runs
constexpr int on_cpu = 1;
constexpr std::byte unwritten{0xA5};

struct LiteRtType {
  std::int32_t element;
  DType type;
};
/// LiteRtElementType, which has the numbers of TFLite's own TfLiteType.
constexpr std::array litert_types{
    LiteRtType{1, DType::f32},     LiteRtType{2, DType::i32},  LiteRtType{3, DType::u8},    LiteRtType{4, DType::i64},
    LiteRtType{6, DType::boolean}, LiteRtType{7, DType::i16},  LiteRtType{8, DType::c64},   LiteRtType{9, DType::i8},
    LiteRtType{10, DType::f16},    LiteRtType{11, DType::f64}, LiteRtType{12, DType::c128}, LiteRtType{13, DType::u64},
    LiteRtType{16, DType::u32},    LiteRtType{17, DType::u16}, LiteRtType{19, DType::bf16}};

Result<void> good(litert::Status status, const std::string& what) {
  if (status == 0) return {};
  return fail(status == 5 ? ErrorKind::unsupported : ErrorKind::bad_input,
              fmt::format("LiteRT (status {}): it could not {}", status, what));
}

/// Something of the library's that is ours to destroy.
class LiteRtOwned {
 public:
  explicit LiteRtOwned(void (*destroy)(Handle)) : destroy_(destroy) {}
  LiteRtOwned(LiteRtOwned&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), destroy_(other.destroy_) {}
  LiteRtOwned& operator=(LiteRtOwned&&) = delete;
  ~LiteRtOwned() {
    if (handle_ != nullptr) destroy_(handle_);
  }
  [[nodiscard]] Handle get() const { return handle_; }
  Handle* place() { return &handle_; }

 private:
  Handle handle_ = nullptr;
  void (*destroy_)(Handle);
};

struct LiteRtValue {
  std::string name;
  Handle tensor = nullptr;
  RankedType type;
};

Shape shape_of(const litert::Layout& layout) {
  return {layout.dimensions, layout.dimensions + std::min<std::size_t>(layout.rank, litert::most_dims)};
}

class TfliteSession : public RunnerSession {
 public:
  TfliteSession(const LiteRtApi& api, Handle environment, std::string bytes, const SessionOptions& options)
      : api_(api),
        environment_(environment),
        level_(options.level),
        threads_(options.threads),
        bytes_(std::move(bytes)),
        model_(api.DestroyModel),
        options_(api.DestroyOptions),
        compiled_(api.DestroyCompiledModel) {}

  Result<void> open() {
    auto ok =
        good(api_.CreateModelFromBuffer(environment_, bytes_.data(), bytes_.size(), model_.place()), "read the model");
    if (ok) ok = describe();
    if (ok) ok = set_options();
    if (ok)
      ok = good(api_.CreateCompiledModel(environment_, model_.get(), options_.get(), compiled_.place()),
                "make the model ready");
    return ok;
  }

  [[nodiscard]] Level level() const override { return level_; }

  Result<std::vector<NamedTensor>> run(const std::vector<NamedTensor>& given) override {
    std::vector<const Tensor*> fed;
    for (const LiteRtValue& input : inputs_) {
      const auto found = std::ranges::find(given, input.name, &NamedTensor::name);
      if (found == given.end())
        return fail(ErrorKind::bad_input, "no value is given for the input " + printable(input.name));
      fed.push_back(&found->value);
    }
    if (auto ok = fit_shapes(fed); !ok) return tl::unexpected(ok.error());
    std::vector<LiteRtOwned> in, out;
    if (auto ok = make_inputs(fed, in); !ok) return tl::unexpected(ok.error());
    auto layouts = make_outputs(out);
    if (!layouts) return tl::unexpected(layouts.error());
    std::vector<Handle> in_handles(in.size()), out_handles(out.size());
    std::ranges::transform(in, in_handles.begin(), &LiteRtOwned::get);
    std::ranges::transform(out, out_handles.begin(), &LiteRtOwned::get);
    share_inputs(in_handles, out_handles);
    if (auto ok = mark(out); !ok) return tl::unexpected(ok.error());
    if (auto ok = good(api_.RunCompiledModel(compiled_.get(), signature, in_handles.size(), in_handles.data(),
                                             out_handles.size(), out_handles.data()),
                       "run the model");
        !ok)
      return tl::unexpected(ok.error());
    return take_outputs(out_handles, *layouts);
  }

 private:
  Result<void> describe() {
    Handle made = nullptr;
    auto ok = good(api_.GetModelSignature(model_.get(), signature, &made), "find a signature in the model");
    if (ok)
      ok = values(made, api_.GetNumSignatureInputs, api_.GetSignatureInputName, api_.GetSignatureInputTensorByIndex,
                  inputs_);
    if (ok)
      ok = values(made, api_.GetNumSignatureOutputs, api_.GetSignatureOutputName, api_.GetSignatureOutputTensorByIndex,
                  outputs_);
    return ok;
  }

  template <class Count, class Name, class At>
  Result<void> values(Handle of, Count count_of, Name name_of, At tensor_of, std::vector<LiteRtValue>& into) {
    std::size_t count = 0;
    auto ok = good(count_of(of, &count), "count inputs and outputs");
    for (std::size_t i = 0; ok && i < count; ++i) {
      LiteRtValue& value = into.emplace_back();
      const char* name = nullptr;
      ok = good(name_of(of, i, &name), "name inputs and outputs");
      if (ok) value.name = name;
      if (ok) ok = good(tensor_of(of, i, &value.tensor), "find the tensor of " + printable(value.name));
      if (ok)
        ok = good(api_.GetRankedTensorType(value.tensor, &value.type), "tell the type of " + printable(value.name));
    }
    return ok;
  }

  /// TFLite's own kernels compute every operator with optimizations off, else XNNPACK does what it can.
  Result<void> set_options() {
    auto ok = good(api_.CreateOptions(options_.place()), "make options");
    if (ok) ok = good(api_.SetOptionsHardwareAccelerators(options_.get(), on_cpu), "choose the CPU");
    const std::string words =
        fmt::format("kernel_mode = \"{}\"\nnum_threads = {}\n", level_ == Level::off ? "builtin" : "xnnpack", threads_);
    Handle opaque = nullptr;
    if (ok) ok = good(api_.CreateOpaqueOptions("xnnpack", ::strdup(words.c_str()), std::free, &opaque), "make options");
    if (ok) ok = good(api_.AddOpaqueOptions(options_.get(), opaque), "set options");
    return ok;
  }

  /// Fits the shapes of inputs with another shape than before.
  Result<void> fit_shapes(const std::vector<const Tensor*>& fed) {
    for (std::size_t i = 0; i < fed.size(); ++i) {
      litert::Layout& layout = inputs_[i].type.layout;
      const Shape& shape = fed[i]->shape();
      if (shape == shape_of(layout)) continue;
      const std::vector<int> dims(shape.begin(), shape.end());
      if (dims.size() > litert::most_dims)
        return fail(ErrorKind::unsupported, "the input " + printable(inputs_[i].name) + " has more than 8 dimensions");
      auto ok =
          good(api_.CompiledModelResizeInputTensorNonStrict(compiled_.get(), signature, i, dims.data(), dims.size()),
               fmt::format("take the shape {} for the input {}, which has {}", to_string(shape),
                           printable(inputs_[i].name), to_string(shape_of(layout))));
      if (!ok) return ok;
      layout.rank = dims.size() & 0xF;
      std::ranges::copy(dims, layout.dimensions);
    }
    return {};
  }

  Result<void> make_inputs(const std::vector<const Tensor*>& fed, std::vector<LiteRtOwned>& buffers) {
    for (std::size_t i = 0; i < fed.size(); ++i) {
      Handle needs = nullptr;
      const std::string name = printable(inputs_[i].name);
      const auto known = std::ranges::find(litert_types, inputs_[i].type.element, &LiteRtType::element);
      if (known == litert_types.end() || known->type != fed[i]->dtype())
        return fail(ErrorKind::bad_input,
                    fmt::format("the input {} takes other elements than {}", name, name_of(fed[i]->dtype())));
      auto ok = good(api_.GetCompiledModelInputBufferRequirements(compiled_.get(), signature, i, &needs),
                     "tell what the input " + name + " needs");
      if (ok) ok = make_buffer(inputs_[i].type, needs, name, buffers);
      if (ok) ok = fill(buffers.back().get(), fed[i]->bytes(), name);
      if (!ok) return ok;
    }
    return {};
  }

  Result<std::vector<litert::Layout>> make_outputs(std::vector<LiteRtOwned>& buffers) {
    std::vector<litert::Layout> layouts(outputs_.size());
    auto ok = good(api_.GetCompiledModelOutputTensorLayouts(compiled_.get(), signature, layouts.size(), layouts.data(),
                                                            /*allocate=*/true),
                   "tell the shapes of its outputs");
    for (std::size_t i = 0; ok && i < outputs_.size(); ++i) {
      Handle needs = nullptr;
      const std::string name = printable(outputs_[i].name);
      ok = good(api_.GetCompiledModelOutputBufferRequirements(compiled_.get(), signature, i, &needs),
                "tell what the output " + name + " needs");
      if (ok) ok = make_buffer({outputs_[i].type.element, layouts[i]}, needs, name, buffers);
    }
    if (!ok) return tl::unexpected(ok.error());
    return layouts;
  }

  /// An input that is an output, too, needs one buffer for both: of two LiteRT computes with the wrong one.
  void share_inputs(const std::vector<Handle>& in, std::vector<Handle>& out) const {
    for (std::size_t i = 0; i < out.size(); ++i)
      if (const auto same = std::ranges::find(inputs_, outputs_[i].tensor, &LiteRtValue::tensor); same != inputs_.end())
        out[i] = in[static_cast<std::size_t>(same - inputs_.begin())];
  }

  /// LiteRT leaves the buffer alone of an output whose size turns out only while it runs, and says nothing.
  Result<void> mark(const std::vector<LiteRtOwned>& buffers) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      std::size_t room = 0;
      auto ok = good(api_.GetTensorBufferPackedSize(buffers[i].get(), &room), "tell the room for an output");
      if (ok) ok = fill(buffers[i].get(), std::vector<std::byte>(room, unwritten), printable(outputs_[i].name));
      if (!ok) return ok;
    }
    return {};
  }

  [[nodiscard]] static bool is_unwritten(std::span<const std::byte> bytes) {
    constexpr std::size_t least = 4;  // fewer bytes may be so by chance
    return bytes.size() >= least && std::ranges::all_of(bytes, [](std::byte byte) { return byte == unwritten; });
  }

  Result<void> make_buffer(const RankedType& type, Handle needs, const std::string& name,
                           std::vector<LiteRtOwned>& buffers) {
    LiteRtOwned& made = buffers.emplace_back(api_.DestroyTensorBuffer);
    return good(api_.CreateManagedTensorBufferFromRequirements(environment_, &type, needs, made.place()),
                "make room for " + name);
  }

  Result<void> fill(Handle buffer, std::span<const std::byte> bytes, const std::string& name) {
    std::size_t room = 0;
    void* memory = nullptr;
    auto ok = good(api_.GetTensorBufferSize(buffer, &room), "tell the room for " + name);
    if (ok && room < bytes.size())
      return fail(ErrorKind::bad_input,
                  fmt::format("LiteRT has {} bytes of room for the input {}, which has {}", room, name, bytes.size()));
    if (ok) ok = good(api_.LockTensorBuffer(buffer, &memory, litert::lock_to_write), "open " + name);
    if (!ok) return ok;
    std::memcpy(memory, bytes.data(), bytes.size());
    return good(api_.UnlockTensorBuffer(buffer), "close " + name);
  }

  Result<std::vector<NamedTensor>> take_outputs(const std::vector<Handle>& buffers,
                                                const std::vector<litert::Layout>& layouts) {
    std::vector<NamedTensor> results;
    results.reserve(buffers.size());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const std::string& name = outputs_[i].name;
      const auto type = std::ranges::find(litert_types, outputs_[i].type.element, &LiteRtType::element);
      if (type == litert_types.end())
        return fail(ErrorKind::unsupported, fmt::format("the output {} has elements of TFLite's type {}",
                                                        printable(name), outputs_[i].type.element));
      auto bytes = bytes_in(buffers[i], printable(name));
      if (!bytes) return tl::unexpected(bytes.error());
      if (is_unwritten(*bytes))
        return fail(ErrorKind::unsupported,
                    "LiteRT does not hand out the output " + printable(name) + ", whose size it computes while it runs",
                    "convert the model with a fixed batch, or with fixed sizes");
      auto tensor = Tensor::from_bytes(type->type, shape_of(layouts[i]), std::move(*bytes));
      if (!tensor) return tl::unexpected(tensor.error());
      results.push_back({name, std::move(*tensor)});
    }
    return results;
  }

  Result<std::vector<std::byte>> bytes_in(Handle buffer, const std::string& name) {
    std::size_t size = 0;
    void* memory = nullptr;
    auto ok = good(api_.GetTensorBufferPackedSize(buffer, &size), "tell the size of " + name);
    if (ok) ok = good(api_.LockTensorBuffer(buffer, &memory, litert::lock_to_read), "open " + name);
    if (!ok) return tl::unexpected(ok.error());
    const auto* first = static_cast<const std::byte*>(memory);
    std::vector<std::byte> bytes(first, first + size);
    ok = good(api_.UnlockTensorBuffer(buffer), "close " + name);
    if (!ok) return tl::unexpected(ok.error());
    return bytes;
  }

  const LiteRtApi& api_;
  Handle environment_;
  Level level_;
  int threads_;
  std::string bytes_;  // the model sees them
  LiteRtOwned model_, options_, compiled_;
  std::vector<LiteRtValue> inputs_, outputs_;
};

/// The library does not tell it; scripts/setup writes it down beside it.
std::string version_beside(const std::filesystem::path& library) {
  const auto version = read_file(library.parent_path() / "version", 100);
  return version ? printable(trim(*version)) : "of unknown version";
}

class TfliteRunner : public Runner {
 public:
  TfliteRunner(const LiteRtApi& api, std::string version)
      : api_(api), version_(std::move(version)), environment_(api.DestroyEnvironment) {}

  Result<void> start() {
    if (auto ok = good(api_.CreateEnvironment(0, nullptr, environment_.place()), "start"); !ok) return ok;
    return try_known_model();
  }

  [[nodiscard]] std::string name() const override { return std::string(tflite_kind); }
  [[nodiscard]] std::string version() const override { return version_; }

  Result<std::unique_ptr<RunnerSession>> load(const std::filesystem::path& model,
                                              const SessionOptions& options) override {
    auto bytes = read_file(model);
    if (!bytes) return tl::unexpected(bytes.error());
    return load(ModelInMemory{std::move(*bytes), {}}, options);
  }

  Result<std::unique_ptr<RunnerSession>> load(ModelInMemory model, const SessionOptions& options) override {
    if (const auto file = TfliteFile::parse(model.bytes, "the model"); file)  // else LiteRT says what is wrong
      model.bytes = settle_reshapes(*file).bytes();
    auto session = std::make_unique<TfliteSession>(api_, environment_.get(), std::move(model.bytes), options);
    if (auto ok = session->open(); !ok) return tl::unexpected(ok.error());
    return session;
  }

 private:
  /// The library's functions take other arguments in other versions: what they make of x + x says whether they are
  /// ours.
  Result<void> try_known_model() {
    auto session = load(ModelInMemory{std::string(litert::known_model()), {}}, {});
    if (!session) return tl::unexpected(session.error());
    const auto sum = (*session)->run({{"x", Tensor::of<float>({1, 2}, {1.5F, -3})}});
    if (!sum) return tl::unexpected(sum.error());
    if (sum->size() == 1 && sum->front().value.identical(Tensor::of<float>({1, 2}, {3, -6}))) return {};
    return fail(ErrorKind::unsupported, "this LiteRT computes x + x wrong, so it is not one that Culprit knows",
                "scripts/setup tflite brings the version that works");
  }

  LiteRtApi api_;
  std::string version_;
  LiteRtOwned environment_;
};

}  // namespace

Result<std::unique_ptr<Runner>> open_tflite(const std::filesystem::path& library) {
  const auto api = litert::load_api(library);
  if (!api) return tl::unexpected(api.error());
  auto runner = std::make_unique<TfliteRunner>(*api, version_beside(library));
  if (auto ok = runner->start(); !ok) return tl::unexpected(ok.error());
  return runner;
}

}  // namespace culprit
