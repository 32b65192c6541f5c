#include "tensor/pack_bundle.h"

#include <array>
#include <cstring>
#include <string>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "tensor/pack_file.h"
#include "tensor/pack_pieces.h"

namespace culprit {
namespace {

constexpr std::string_view bundle_magic = "CULBNDL1";
constexpr std::uint64_t bundle_head_size = pack_alignment;

std::string head_of(std::uint64_t pack_size) {
  std::string head(bundle_magic);
  put_number(head, pack_size);
  head.resize(bundle_head_size, '\0');
  return head;
}

/// The size of the pack behind the head at `at`; nullopt where no whole one is there.
std::optional<std::uint64_t> size_behind(std::span<const std::byte> head) {
  if (std::memcmp(head.data(), bundle_magic.data(), bundle_magic.size()) != 0) return std::nullopt;
  return number_in(head.subspan(bundle_magic.size(), 8));
}

/// Positions of the packs, and of the end of the last that is whole.
Result<std::vector<std::optional<PackPlace>>> walk(const FileParts& file) {
  std::vector<std::optional<PackPlace>> places;
  const auto name = std::make_shared<const std::filesystem::path>(file.path());
  std::array<std::byte, bundle_head_size> head{};
  for (std::uint64_t at = 0; file.size() - at >= bundle_head_size;) {
    if (auto read = file.read(at, head); !read) return tl::unexpected(read.error());
    const auto size = size_behind(head);
    if (!size) return fail(ErrorKind::bad_input, printable(file.path().string()) + " is not a bundle of packs");
    const std::uint64_t left = file.size() - at - bundle_head_size;
    if (*size > left || padding_after(*size) > left - *size) return places;
    places.push_back(*size == 0 ? std::nullopt : std::optional(PackPlace(name, at + bundle_head_size)));
    at += bundle_head_size + *size + padding_after(*size);
  }
  return places;
}

tl::unexpected<Error> no_pack_there(const PackPlace& place) {
  return fail(ErrorKind::bad_input,
              printable(place.file().string()) + " holds no pack at byte " + std::to_string(place.at().value_or(0)),
              "it was cut short or changed after it was written; write it again");
}

}  // namespace

Result<BundleWriter> BundleWriter::create(const std::filesystem::path& path) {
  auto file = GrowingFile::create(path);
  if (!file) return tl::unexpected(file.error());
  return BundleWriter(std::move(*file));
}

Result<void> BundleWriter::add(std::span<const NamedTensor> tensors) {
  Pieces pack;
  if (auto put = put_pack(pack, tensors); !put) return put;
  const std::string head = head_of(pack.position());
  pack.align();
  std::vector<std::string_view> pieces = {head};
  pieces.insert(pieces.end(), pack.all().begin(), pack.all().end());
  return file_.append(pieces);
}

Result<void> BundleWriter::add_none() {
  const std::string head = head_of(0);
  const std::string_view piece = head;
  return file_.append({&piece, 1});
}

Result<std::vector<std::optional<PackPlace>>> packs_in_bundle(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::vector<std::optional<PackPlace>>();
  const auto file = FileParts::open(path);
  if (!file) return tl::unexpected(file.error());
  return walk(*file);
}

Result<std::vector<NamedTensor>> PackReader::read(const PackPlace& place) {
  if (!file_ || path_ != place.file()) {
    auto mapped = MappedFile::open(place.file());
    if (!mapped) return tl::unexpected(mapped.error());
    file_ = std::make_shared<const MappedFile>(std::move(*mapped));
    path_ = place.file();
  }
  const auto bytes = file_->bytes();
  if (!place.at()) return parse_pack(bytes, file_, place.file().native());
  const std::uint64_t at = *place.at();
  if (at < bundle_head_size || at % pack_alignment != 0 || at > bytes.size()) return no_pack_there(place);
  const auto size = size_behind(bytes.subspan(at - bundle_head_size, bundle_head_size));
  if (!size || *size > bytes.size() - at) return no_pack_there(place);
  return parse_pack(bytes.subspan(at, *size), file_, place.file().native());
}

Result<std::vector<NamedTensor>> PackReader::read_in_order(const PackPlace& place,
                                                           const std::vector<std::size_t>& places) {
  auto tensors = read(place);
  if (!tensors) return tensors;
  return values_in_order(std::move(*tensors), places, place.file().native());
}

}  // namespace culprit
