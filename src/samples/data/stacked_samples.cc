#include "data/stacked_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "base/text.h"
#include "data/size_guesses.h"
#include "data/synthesize.h"

namespace culprit {
namespace {

/// The axis that counts samples, for each input that has one.
using BatchAxes = std::map<std::string, std::size_t>;

BatchAxes batch_axes(const std::vector<ValueInfo>& inputs) {
  BatchAxes axes;
  for (const ValueInfo& input : inputs)
    for (std::size_t axis = 0; axis < input.dims.size(); ++axis)
      if (is_open(input.dims[axis]) && kind_of(input, axis) == DimKind::batch) axes.try_emplace(input.name, axis);
  return axes;
}

/// One of the samples: so many rows of each input.
struct RowsOfSample {
  const Pack* pack = nullptr;
  std::int64_t rows = 0;
};

/// The batch of a sample; nothing where its inputs do not agree.
std::optional<std::int64_t> rows_in(const Pack& pack, const BatchAxes& axes) {
  std::optional<std::int64_t> rows;
  for (const NamedTensor& tensor : pack) {
    const auto axis = axes.find(tensor.name);
    if (axis == axes.end()) continue;
    if (axis->second >= tensor.value.shape().size()) return std::nullopt;
    const std::int64_t here = tensor.value.shape()[axis->second];
    if (rows && *rows != here) return std::nullopt;
    rows = here;
  }
  return rows;
}

/// But for the size of the batch.
bool are_alike(const NamedTensor& one, const NamedTensor& other, const BatchAxes& axes) {
  if (one.name != other.name || one.part != other.part || one.value.dtype() != other.value.dtype()) return false;
  Shape a = one.value.shape(), b = other.value.shape();
  if (a.size() != b.size()) return false;
  if (const auto axis = axes.find(one.name); axis != axes.end()) a[axis->second] = b[axis->second];
  return a == b;
}

/// A row of a sample, by its place.
struct Row {
  const Pack* pack = nullptr;
  std::int64_t at = 0;
};

/// Row by row, of tensors that are alike: `outer` pieces of each row, `inner` elements long.
Result<Tensor> stacked(std::size_t place, std::size_t axis, std::span<const Row> rows) {
  const Tensor& first = (*rows.front().pack)[place].value;
  Shape shape = first.shape();
  std::int64_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) (i < axis ? outer : inner) *= i == axis ? 1 : shape[i];
  shape[axis] = static_cast<std::int64_t>(rows.size());
  const bool is_text = first.dtype() == DType::string;
  const std::uint64_t bytes = is_text ? 0 : bytes_for(first.dtype(), inner);
  std::vector<std::byte> elements;
  std::vector<std::string> texts;
  elements.reserve(static_cast<std::size_t>(outer) * rows.size() * bytes);
  for (std::int64_t piece = 0; piece < outer; ++piece)
    for (const Row& row : rows) {
      const Tensor& tensor = (*row.pack)[place].value;
      const auto at = static_cast<std::size_t>(piece * tensor.shape()[axis] + row.at);
      if (is_text) {
        const auto part =
            tensor.strings().subspan(at * static_cast<std::size_t>(inner), static_cast<std::size_t>(inner));
        texts.insert(texts.end(), part.begin(), part.end());
      } else {
        const auto part = tensor.bytes().subspan(at * bytes, bytes);
        elements.insert(elements.end(), part.begin(), part.end());
      }
    }
  if (is_text) return Tensor::from_strings(std::move(shape), std::move(texts));
  return Tensor::from_bytes(first.dtype(), std::move(shape), std::move(elements));
}

/// The samples that are alike the first, row by row.
std::vector<Row> rows_of_alike(std::span<const Pack> samples, const BatchAxes& axes) {
  std::vector<Row> rows;
  for (const Pack& pack : samples) {
    const auto is_same = [&](const NamedTensor& one, const NamedTensor& other) { return are_alike(one, other, axes); };
    if (!std::ranges::equal(pack, samples.front(), is_same)) continue;
    for (std::int64_t row = 0; row < rows_in(pack, axes).value_or(0); ++row) rows.push_back({&pack, row});
  }
  return rows;
}

Result<void> check_stackable(const Pack& pack, const BatchAxes& axes, const std::string& model) {
  for (const NamedTensor& tensor : pack) {
    if (!axes.contains(tensor.name)) continue;
    const bool is_split = tensor.value.dtype() != DType::string && bytes_for(tensor.value.dtype(), 2) == 1;
    if (!tensor.part.empty() || is_split)
      return fail(ErrorKind::unsupported,
                  fmt::format("samples of '{}' cannot be stacked: its input '{}' {}", printable(model, 200),
                              printable(tensor.name, 100), is_split ? "has two elements in a byte" : "is no tensor"),
                  "leave out batch from --sweep");
  }
  return {};
}

}  // namespace

Result<void> can_be_stacked(const std::vector<ValueInfo>& inputs, const std::string& model) {
  if (!batch_axes(inputs).empty()) return {};
  const std::string shown =
      inputs.empty() ? "it has no inputs" : fmt::format("its input is {}", printable(inputs.front().text(), 200));
  const std::string name = inputs.empty() ? "x" : printable(inputs.front().name, 60);
  return fail(
      ErrorKind::usage,
      fmt::format("the batch of '{}' is fixed: {}, and leaves no size open that counts samples", printable(model, 200),
                  shown),
      fmt::format("export it with an open batch, in PyTorch by torch.onnx.export(..., dynamic_axes={{'{}': {{0: "
                  "'batch'}}}}), or leave out batch from --sweep",
                  name));
}

Result<std::vector<Pack>> stacked_samples(const std::vector<ValueInfo>& inputs, std::span<const Pack> samples,
                                          std::int64_t batch, const std::string& model) {
  if (auto ok = can_be_stacked(inputs, model); !ok) return tl::unexpected(ok.error());
  const BatchAxes axes = batch_axes(inputs);
  const std::vector<Row> rows = samples.empty() ? std::vector<Row>() : rows_of_alike(samples, axes);
  if (rows.empty())
    return fail(
        ErrorKind::unsupported,
        fmt::format("samples of '{}' cannot be stacked: {}", printable(model, 200),
                    samples.empty() ? "there are none" : "their inputs do not agree on how many samples they hold"),
        "leave out batch from --sweep");
  if (auto ok = check_stackable(samples.front(), axes, model); !ok) return tl::unexpected(ok.error());
  const auto size = static_cast<std::size_t>(batch);
  const std::size_t count = (rows.size() + size - 1) / size;
  std::vector<Pack> packs(count);
  std::size_t next = 0;
  for (Pack& pack : packs) {
    std::vector<Row> chosen;
    chosen.reserve(size);
    while (chosen.size() < size) chosen.push_back(rows[next++ % rows.size()]);
    pack = samples.front();
    for (std::size_t place = 0; place < pack.size(); ++place) {
      const auto axis = axes.find(pack[place].name);
      if (axis == axes.end()) continue;
      auto tensor = stacked(place, axis->second, chosen);
      if (!tensor) return tl::unexpected(tensor.error());
      pack[place].value = std::move(*tensor);
    }
  }
  return packs;
}

std::uint64_t bytes_of_stack(const std::vector<ValueInfo>& inputs, const Pack& sample, std::int64_t batch) {
  const BatchAxes axes = batch_axes(inputs);
  const std::int64_t rows = std::max<std::int64_t>(1, rows_in(sample, axes).value_or(1));
  double bytes = 0;
  for (const NamedTensor& tensor : sample) {
    const double own = static_cast<double>(tensor.value.bytes().size());
    bytes += axes.contains(tensor.name) ? own * static_cast<double>(batch) / static_cast<double>(rows) : own;
  }
  constexpr double most = 1e18;
  return static_cast<std::uint64_t>(std::min(bytes, most));
}

}  // namespace culprit
