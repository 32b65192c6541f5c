#include "runtime/tflite/tflite_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace culprit {
namespace {

using litert::Handle;
using litert::LiteRtApi;
using litert::RankedType;

constexpr std::size_t signature = 0;  ///< of several the first runs
constexpr int on_cpu = 1;
constexpr std::size_t most_room_factor = 8;

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

struct LiteRtValue {
  std::string name;
  Handle tensor = nullptr;
  RankedType type;
};

Shape shape_of(const litert::Layout& layout) {
  return {layout.dimensions, layout.dimensions + std::min<std::size_t>(layout.rank, litert::most_dims)};
}

bool same_shapes(const std::vector<litert::Layout>& one, const std::vector<litert::Layout>& other) {
  return std::ranges::equal(one, other, [](const auto& a, const auto& b) { return shape_of(a) == shape_of(b); });
}

class TfliteSession : public RunnerSession {
 public:
  TfliteSession(const LiteRtApi& api, Handle environment, std::string bytes, const SessionOptions& options)
      : api_(api),
        environment_(environment),
        given_(options),
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
    for (const LiteRtValue& input : inputs_) declared_.push_back(shape_of(input.type.layout));
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
    auto made = is_spoiled_ ? Result<std::vector<NamedTensor>>(tl::unexpected(Error{})) : attempt(fed, 0);
    // A value whose shape is computed has the shape of the file until it ran. Where its room is too small, or its shape
    // is another then, this session does not give it any more: a new one does, with more room.
    const std::size_t growth = growth_of(fed);
    const bool may_grow = growth > 1 || is_spoiled_;
    for (std::size_t factor = growth; !made && may_grow && factor <= most_room_factor * growth; factor *= 2) {
      is_spoiled_ = true;
      TfliteSession anew(api_, environment_, bytes_, given_);
      if (auto ok = anew.open(); !ok) return tl::unexpected(ok.error());
      made = anew.attempt(fed, factor);
    }
    return made;
  }

 private:
  /// How many times more elements are fed than the file says, at most of an input, rounded up.
  [[nodiscard]] std::size_t growth_of(const std::vector<const Tensor*>& fed) const {
    std::int64_t growth = 1;
    for (std::size_t i = 0; i < fed.size(); ++i) {
      const std::int64_t declared = std::max<std::int64_t>(1, element_count(declared_[i]).value_or(1));
      growth = std::max(growth, (fed[i]->count() + declared - 1) / declared);
    }
    return static_cast<std::size_t>(growth);
  }

  /// `factor`: how much more room outputs get than they need by the shapes that are known before; 0: what LiteRT says.
  Result<std::vector<NamedTensor>> attempt(const std::vector<const Tensor*>& fed, std::size_t factor) {
    if (auto ok = fit_shapes(fed); !ok) return tl::unexpected(ok.error());
    std::vector<LiteRtOwned> in, out;
    if (auto ok = make_inputs(fed, in); !ok) return tl::unexpected(ok.error());
    const auto layouts = output_layouts(true);
    if (!layouts) return tl::unexpected(layouts.error());
    if (auto ok = make_outputs(*layouts, factor, out); !ok) return tl::unexpected(ok.error());
    const std::vector<Handle> handles = shared_handles(in, out);
    if (auto ok = run_with(in, handles); !ok) return tl::unexpected(ok.error());
    const auto after = output_layouts(false);
    if (!after) return tl::unexpected(after.error());
    if (factor == 0 && !same_shapes(*layouts, *after))
      return fail(ErrorKind::unsupported, "an output has another shape than LiteRT said");
    return take_outputs(handles, *after);
  }

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

  /// With optimizations off TFLite's own kernels compute every operator, else XNNPACK does what it can.
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

  /// Of inputs with another shape than before.
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

  Result<std::vector<litert::Layout>> output_layouts(bool allocate) {
    std::vector<litert::Layout> layouts(outputs_.size());
    auto ok = good(
        api_.GetCompiledModelOutputTensorLayouts(compiled_.get(), signature, layouts.size(), layouts.data(), allocate),
        "tell the shapes of its outputs");
    if (!ok) return tl::unexpected(ok.error());
    return layouts;
  }

  Result<void> make_outputs(const std::vector<litert::Layout>& layouts, std::size_t factor,
                            std::vector<LiteRtOwned>& buffers) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (factor > 0) {
        if (auto ok = make_roomy({outputs_[i].type.element, layouts[i]}, outputs_[i].name, factor, buffers); !ok)
          return ok;
        continue;
      }
      Handle needs = nullptr;
      const std::string name = printable(outputs_[i].name);
      auto ok = good(api_.GetCompiledModelOutputBufferRequirements(compiled_.get(), signature, i, &needs),
                     "tell what the output " + name + " needs");
      if (ok) ok = make_buffer({outputs_[i].type.element, layouts[i]}, needs, name, buffers);
      if (!ok) return ok;
    }
    return {};
  }

  Result<void> run_with(const std::vector<LiteRtOwned>& in, std::vector<Handle> out) {
    std::vector<Handle> handles(in.size());
    std::ranges::transform(in, handles.begin(), &LiteRtOwned::get);
    return good(
        api_.RunCompiledModel(compiled_.get(), signature, handles.size(), handles.data(), out.size(), out.data()),
        "run the model");
  }

  /// An input that is an output, too, needs one buffer for both: of two LiteRT computes with the wrong one.
  [[nodiscard]] std::vector<Handle> shared_handles(const std::vector<LiteRtOwned>& in,
                                                   const std::vector<LiteRtOwned>& out) const {
    std::vector<Handle> handles(out.size());
    std::ranges::transform(out, handles.begin(), &LiteRtOwned::get);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (const auto same = std::ranges::find(inputs_, outputs_[i].tensor, &LiteRtValue::tensor); same != inputs_.end())
        handles[i] = in[static_cast<std::size_t>(same - inputs_.begin())].get();
    return handles;
  }

  Result<void> make_buffer(const RankedType& type, Handle needs, const std::string& name,
                           std::vector<LiteRtOwned>& buffers) {
    LiteRtOwned& made = buffers.emplace_back(api_.DestroyTensorBuffer);
    return good(api_.CreateManagedTensorBufferFromRequirements(environment_, &type, needs, made.place()),
                fmt::format("make room for {} {}", name, to_string(shape_of(type.layout))));
  }

  Result<void> make_roomy(const RankedType& type, const std::string& name, std::size_t factor,
                          std::vector<LiteRtOwned>& buffers) {
    constexpr std::size_t unit = 64;  // of its size
    const auto known = std::ranges::find(litert_types, type.element, &LiteRtType::element);
    const auto count = element_count(shape_of(type.layout));
    if (known == litert_types.end() || !count)
      return fail(ErrorKind::unsupported, fmt::format("the output {} has elements of TFLite's type {} in the shape {}",
                                                      printable(name), type.element, to_string(shape_of(type.layout))));
    const std::size_t bytes = factor * bytes_for(known->type, *count);
    LiteRtOwned& made = buffers.emplace_back(api_.DestroyTensorBuffer);
    return good(
        api_.CreateManagedTensorBuffer(environment_, litert::in_host_memory, &type,
                                       std::max<std::size_t>(1, (bytes + unit - 1) / unit) * unit, made.place()),
        fmt::format("make room for {} {}", printable(name), to_string(shape_of(type.layout))));
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
      const auto count = element_count(shape_of(layouts[i]));
      if (!count) return tl::unexpected(count.error());
      auto bytes = bytes_in(buffers[i], bytes_for(type->type, *count), printable(name));
      if (!bytes) return tl::unexpected(bytes.error());
      auto tensor = Tensor::from_bytes(type->type, shape_of(layouts[i]), std::move(*bytes));
      if (!tensor) return tl::unexpected(tensor.error());
      results.push_back({name, std::move(*tensor)});
    }
    return results;
  }

  Result<std::vector<std::byte>> bytes_in(Handle buffer, std::uint64_t size, const std::string& name) {
    std::size_t room = 0;
    void* memory = nullptr;
    auto ok = good(api_.GetTensorBufferSize(buffer, &room), "tell the size of " + name);
    if (ok && room < size) return fail(ErrorKind::unsupported, "LiteRT gave " + name + " too little room");
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
  SessionOptions given_;
  Level level_;
  int threads_;
  std::string bytes_;  // the model sees them
  LiteRtOwned model_, options_, compiled_;
  std::vector<LiteRtValue> inputs_, outputs_;
  std::vector<Shape> declared_;  // of the inputs, in the file
  bool is_spoiled_ = false;      // a run failed because of shapes
};

}  // namespace

Result<std::unique_ptr<RunnerSession>> open_tflite_session(const LiteRtApi& api, Handle environment, std::string bytes,
                                                           const SessionOptions& options) {
  auto session = std::make_unique<TfliteSession>(api, environment, std::move(bytes), options);
  if (auto ok = session->open(); !ok) return tl::unexpected(ok.error());
  return session;
}

}  // namespace culprit
