#include "tensor/pack_file.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/text.h"
#include "tensor/broken_file.h"
#include "tensor/pack_pieces.h"
#include "tensor/structured_value.h"
#include "tensor/token_loop.h"

namespace culprit {
namespace {

/// Walks over bytes that nobody vouches for. After the first step too far everything it gives is empty, and `ok` is
/// false.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> take(std::uint64_t size) {
    if (!ok_ || size > bytes_.size() - position_) {
      ok_ = false;
      return {};
    }
    const auto taken = bytes_.subspan(position_, static_cast<std::size_t>(size));
    position_ += taken.size();
    return taken;
  }
  std::string text(std::uint64_t size) {
    const auto taken = take(size);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  std::uint64_t number() { return number_in(take(8)); }
  void align() { take(padding_after(position_)); }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::uint64_t left() const { return ok_ ? bytes_.size() - position_ : 0; }
  [[nodiscard]] std::uint64_t position() const { return position_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

Result<Tensor> read_strings(Shape shape, std::span<const std::byte> bytes) {
  auto count = element_count(shape);
  if (!count) return tl::unexpected(count.error());
  Reader in(bytes);
  if (static_cast<std::uint64_t>(*count) > bytes.size() / 8)
    return broken("it holds fewer strings than its shape needs");
  std::vector<std::string> strings;
  strings.reserve(static_cast<std::size_t>(*count));
  for (std::int64_t i = 0; i < *count && in.ok(); ++i) strings.push_back(in.text(in.number()));
  if (!in.ok() || in.left() > 0) return broken("its strings do not fill its bytes");
  return Tensor::from_strings(std::move(shape), std::move(strings));
}

Result<NamedTensor> read_tensor(Reader& in, const std::shared_ptr<const void>& owner) {
  NamedTensor tensor;
  tensor.name = in.text(in.number());
  const std::uint64_t number = in.number();
  const std::uint64_t rank = in.number();
  if (!in.ok() || rank > in.left() / 8) return broken("its header ends too early");
  Shape shape;
  for (std::uint64_t i = 0; i < rank; ++i) shape.push_back(static_cast<std::int64_t>(in.number()));
  const std::uint64_t size = in.number();
  const std::uint64_t part = in.number();
  if (part == 0) return broken("its header ends too early");
  tensor.part = in.text(part - 1);
  in.align();
  const auto bytes = in.take(size);
  in.align();
  if (!in.ok()) return broken("its elements end too early");
  const auto type = number <= 255 ? dtype_from_onnx(static_cast<std::int32_t>(number)) : std::nullopt;
  if (!type) return broken("it has the unknown element type " + std::to_string(number));
  auto value = *type == DType::string ? read_strings(std::move(shape), bytes)
                                      : Tensor::view(*type, std::move(shape), bytes, owner);
  if (!value) return tl::unexpected(value.error());
  tensor.value = std::move(*value);
  return tensor;
}

/// The part before the index, the index, and how many tensors both speak of; nothing where the file does not add up.
struct PackParts {
  std::span<const std::byte> tensors;
  std::span<const std::byte> index;
  std::uint64_t count = 0;
};
Result<PackParts> take_apart(std::span<const std::byte> file) {
  if (Reader(file).text(pack_opening.size()) != pack_opening)
    return broken("it does not begin with " + std::string(pack_opening));
  if (file.size() < pack_opening.size() + pack_footer_size) return broken("it ends too early");
  Reader footer(file.last(pack_footer_size));
  const std::uint64_t index_at = footer.number();
  const std::uint64_t count = footer.number();
  if (footer.text(pack_closing.size()) != pack_closing) return broken("its end is missing");
  const std::uint64_t index_end = file.size() - pack_footer_size;
  if (index_at > index_end || (index_end - index_at) % 8 != 0 || (index_end - index_at) / 8 != count) {
    return broken("its index does not fit");
  }
  return PackParts{file.first(index_at), file.subspan(index_at, index_end - index_at), count};
}

Result<std::vector<NamedTensor>> read_all(std::span<const std::byte> file, const std::shared_ptr<const void>& owner) {
  auto parts = take_apart(file);
  if (!parts) return tl::unexpected(parts.error());
  std::vector<NamedTensor> tensors;
  Reader index(parts->index);
  Reader in(parts->tensors);
  in.take(pack_opening.size());
  in.align();
  for (std::uint64_t i = 0; i < parts->count; ++i) {
    if (index.number() != in.position()) return broken("its index does not point to tensor " + std::to_string(i));
    auto tensor = read_tensor(in, owner);
    if (!tensor) return broken("tensor " + std::to_string(i) + ": " + tensor.error().message);
    tensors.push_back(std::move(*tensor));
  }
  if (!in.ok() || in.left() > 0) return broken("it holds bytes that belong to no tensor");
  return tensors;
}

}  // namespace

Result<void> write_pack(const std::filesystem::path& path, std::span<const NamedTensor> tensors, const Stop& stop) {
  Pieces out;
  if (auto put = put_pack(out, tensors); !put) return put;
  return write_pieces_atomic(path, out.all(), Durability::buffered, stop);
}

Result<std::vector<NamedTensor>> read_pack(const std::filesystem::path& path) {
  auto mapped = MappedFile::open(path);
  if (!mapped) return tl::unexpected(mapped.error());
  const auto owner = std::make_shared<const MappedFile>(std::move(*mapped));
  return parse_pack(owner->bytes(), owner, path.native());
}

Result<std::vector<NamedTensor>> parse_pack(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
                                            std::string_view where) {
  auto tensors = read_all(bytes, owner);
  if (tensors) return tensors;
  return fail(ErrorKind::bad_input, printable(where) + " is not a whole pack of tensors: " + tensors.error().message,
              "it was cut short or changed after it was written; write it again");
}

Result<std::vector<NamedTensor>> values_in_order(std::vector<NamedTensor> tensors,
                                                 const std::vector<std::size_t>& places, std::string_view where) {
  if (places.empty() || are_written_tokens(tensors)) return tensors;
  const auto values = values_in(tensors);
  std::vector<NamedTensor> ordered;
  for (const std::size_t place : places) {
    if (place >= values.size())
      return fail(ErrorKind::bad_input, printable(where) + " has no value at place " + std::to_string(place + 1));
    ordered.insert(ordered.end(), values[place].begin(), values[place].end());
  }
  return ordered;
}

Result<std::vector<NamedTensor>> read_pack_in_order(const std::filesystem::path& path,
                                                    const std::vector<std::size_t>& places) {
  auto tensors = read_pack(path);
  if (!tensors) return tensors;
  return values_in_order(std::move(*tensors), places, path.native());
}

}  // namespace culprit
