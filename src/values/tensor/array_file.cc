#include "tensor/array_file.h"

#include <zlib.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "tensor/npy.h"
#include "tensor/npy_elements.h"
#include "tensor/npz_member.h"
#include "tensor/zip.h"

namespace culprit {

struct StoredArray::Parts {
  ArrayHead head;
  NpyHeader header;
  FileParts file;
  std::uint64_t begin = 0;      // of the elements
  std::uint64_t row_bytes = 0;  // of one row
  std::optional<Tensor> whole;  // text that lies column by column, which no file of ours holds row by row
};

struct ArrayFile::Source {
  std::filesystem::path path;
  std::vector<NpyHeader> headers;  // as `heads_`
  std::optional<ZipArchive> archive;

  [[nodiscard]] const ZipMember& member(std::size_t place) const { return archive->members()[place]; }
};

namespace {

constexpr std::size_t longest_header = (std::size_t{1} << 16) + 64;  // of versions that numpy writes for numbers

bool is_column_major(const NpyHeader& header) { return header.fortran_order && header.shape.size() > 1; }

/// What the begin of an array says, of which so many bytes there are.
Result<NpyHeader> header_of(std::string_view begin, std::uint64_t size) {
  auto header = parse_npy_header(begin);
  if (!header) return header;
  if (auto type = element_type(*header); !type) return tl::unexpected(type.error());
  if (auto fits = expect_elements(*header, size - header->length); !fits) return tl::unexpected(fits.error());
  return header;
}

ArrayHead head_of(const NpyHeader& header, std::string name) {
  return {std::move(name), *element_type(header), header.shape};
}

Result<NpyHeader> header_of_member(ZipArchive& archive, const ZipMember& member) {
  const auto begin = archive.begin(member, longest_header);
  if (!begin) return fail(begin.error().kind, "\"" + printable(member.name, 200) + "\": " + begin.error().message);
  auto header = header_of(*begin, member.size);
  if (!header) return no_array(member.name, header.error());
  return header;
}

/// Bytes of a row, of elements that lie row by row.
std::uint64_t row_bytes_of(const NpyHeader& header) {
  if (header.shape.empty()) return header.item_size;
  const Shape row(header.shape.begin() + 1, header.shape.end());
  const auto elements = element_count(row);
  return elements ? static_cast<std::uint64_t>(*elements) * header.item_size : 0;  // the whole was counted before
}

Result<void> expect_checksum(const FileParts& file, std::uint64_t begin, const ZipMember& member) {
  std::vector<std::byte> piece(std::size_t{1} << 17);  // stays in the cache
  uLong sum = ::crc32(0, nullptr, 0);
  for (std::uint64_t done = 0; done < member.size;) {
    const std::span part =
        std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), member.size - done)));
    if (auto read = file.read(begin + done, part); !read) return read;
    sum = ::crc32(sum, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
    done += part.size();
  }
  if (sum == member.checksum) return {};
  return fail(ErrorKind::bad_input, "\"" + printable(member.name, 200) + "\": a member's checksum is wrong");
}

Result<Tensor> row_of_text(const Tensor& whole, std::int64_t number, const Shape& as) {
  const auto row = static_cast<std::size_t>(whole.count() / whole.shape().front());
  const auto texts = whole.strings().subspan(static_cast<std::size_t>(number) * row, row);
  return Tensor::from_strings(as, {texts.begin(), texts.end()});
}

}  // namespace

const ArrayHead& StoredArray::head() const { return parts_->head; }

bool StoredArray::is_same(const StoredArray& other) const {
  return parts_->file.path() == other.parts_->file.path() && parts_->begin == other.parts_->begin &&
         parts_->head.name == other.parts_->head.name;
}

Result<Tensor> StoredArray::read(std::uint64_t at, std::uint64_t size, const Shape& as) const {
  NpyHeader header = parts_->header;
  header.shape = as;
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (auto read = parts_->file.read(parts_->begin + at, bytes); !read) return tl::unexpected(read.error());
  return to_tensor(header, std::move(bytes));
}

Result<Tensor> StoredArray::row(std::int64_t number, const Shape& as) const {
  const Shape& shape = parts_->head.shape;
  const auto elements = element_count(as);
  const bool is_there = !shape.empty() && number >= 0 && number < shape.front();
  if (!is_there || !elements || static_cast<std::uint64_t>(*elements) * parts_->header.item_size != parts_->row_bytes)
    return fail(ErrorKind::internal,
                "row " + std::to_string(number) + " of an array " + to_string(shape) + " as " + to_string(as));
  if (parts_->whole) return row_of_text(*parts_->whole, number, as);
  return read(parts_->row_bytes * static_cast<std::uint64_t>(number), parts_->row_bytes, as);
}

Result<Tensor> StoredArray::all() const {
  if (parts_->whole) return *parts_->whole;
  const Shape& shape = parts_->head.shape;
  const std::uint64_t rows = shape.empty() ? 1 : static_cast<std::uint64_t>(shape.front());
  return read(0, rows * parts_->row_bytes, shape);
}

ArrayFile::ArrayFile(std::unique_ptr<Source> source, std::vector<ArrayHead> heads)
    : source_(std::move(source)), heads_(std::move(heads)) {}
ArrayFile::ArrayFile(ArrayFile&&) noexcept = default;
ArrayFile& ArrayFile::operator=(ArrayFile&&) noexcept = default;
ArrayFile::~ArrayFile() = default;

namespace {

Result<NpyHeader> header_of_file(const std::filesystem::path& path) {
  const auto file = FileParts::open(path);
  if (!file) return tl::unexpected(file.error());
  std::string begin(static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), longest_header)), '\0');
  if (auto read = file->read(0, std::as_writable_bytes(std::span(begin))); !read) return tl::unexpected(read.error());
  auto header = header_of(begin, file->size());
  if (!header) return no_array(path.native(), header.error());
  return header;
}

}  // namespace

Result<ArrayFile> ArrayFile::open(const std::filesystem::path& file, const std::string& name) {
  auto source = std::make_unique<Source>(Source{file, {}, {}});
  std::vector<ArrayHead> heads;
  if (file.extension() != ".npz") {
    auto header = header_of_file(file);
    if (!header) return tl::unexpected(header.error());
    heads.push_back(head_of(*header, name));
    source->headers.push_back(std::move(*header));
    return ArrayFile(std::move(source), std::move(heads));
  }
  auto archive = ZipArchive::open_file(file);
  if (!archive) return no_archive_of_arrays(file.native(), archive.error());
  std::set<std::string> names;
  for (const ZipMember& member : archive->members()) {
    auto array = array_name(member, names);
    if (!array) return no_archive_of_arrays(file.native(), array.error());
    auto header = header_of_member(*archive, member);
    if (!header) return no_archive_of_arrays(file.native(), header.error());
    heads.push_back(head_of(*header, std::move(*array)));
    source->headers.push_back(std::move(*header));
  }
  source->archive = std::move(*archive);
  return ArrayFile(std::move(source), std::move(heads));
}

namespace {

struct Place {
  std::filesystem::path file;
  std::uint64_t begin = 0;  // of the header
};

/// Nobody compares a checksum twice with the same `work`: that it was right is an empty file there.
Result<void> expect_checksum_once(const FileParts& file, std::uint64_t begin, const ZipMember& member,
                                  std::filesystem::path mark) {
  mark += ".checked";
  if (std::error_code ignored; std::filesystem::exists(mark, ignored)) return {};
  if (auto good = expect_checksum(file, begin, member); !good) return good;
  const auto made = GrowingFile::create(mark);
  return made ? Result<void>() : tl::unexpected(made.error());
}

/// A stored member stays where it is; any other becomes a file.
Result<Place> place_of_member(ZipArchive& archive, const ZipMember& member, const std::filesystem::path& file,
                              const std::filesystem::path& copy, bool checked) {
  if (member.is_stored) {
    const auto parts = FileParts::open(file);
    if (!parts) return tl::unexpected(parts.error());
    if (const auto begin = place_of_stored(*parts, member)) {
      if (!checked) return Place{file, *begin};
      if (auto good = expect_checksum_once(*parts, *begin, member, copy); !good) return tl::unexpected(good.error());
      return Place{file, *begin};
    }  // something stands before the archive, say
  }
  if (std::error_code ignored; std::filesystem::exists(copy, ignored)) return Place{copy, 0};
  std::filesystem::path begun = copy;
  begun += ".part";
  auto into = GrowingFile::create(begun);
  if (!into) return tl::unexpected(into.error());
  auto extracted = archive.extract_into(member, *into);
  if (!extracted && extracted.error().kind != ErrorKind::io)
    return fail(extracted.error().kind, "\"" + printable(member.name, 200) + "\": " + extracted.error().message);
  if (!extracted) return tl::unexpected(extracted.error());
  std::error_code trouble;
  std::filesystem::rename(begun, copy, trouble);
  if (trouble) return fail(ErrorKind::io, "cannot write " + printable(copy.string()) + ": " + trouble.message());
  return Place{copy, 0};
}

/// What lies column by column, turned in memory.
Result<Tensor> turned(const Place& place, const NpyHeader& header) {
  const auto file = FileParts::open(place.file);
  if (!file) return tl::unexpected(file.error());
  const auto elements = element_count(header.shape);
  if (!elements) return tl::unexpected(elements.error());
  std::vector<std::byte> bytes(static_cast<std::size_t>(*elements) * header.item_size);
  if (auto read = file->read(place.begin + header.length, bytes); !read) return tl::unexpected(read.error());
  return to_tensor(header, std::move(bytes));
}

}  // namespace

Result<StoredArray> ArrayFile::array(std::size_t place, const std::filesystem::path& work, bool checked) {
  const std::string number = std::to_string(place);
  Result<Place> found = Place{source_->path, 0};
  if (source_->archive) {
    found =
        place_of_member(*source_->archive, source_->member(place), source_->path, work / (number + ".npy"), checked);
    if (!found && found.error().kind == ErrorKind::io) return tl::unexpected(found.error());
    if (!found) return no_archive_of_arrays(source_->path.native(), found.error());
  }
  NpyHeader header = source_->headers[place];
  std::optional<Tensor> whole;
  if (is_column_major(header)) {
    auto tensor = turned(*found, header);
    if (!tensor) return tl::unexpected(tensor.error());
    if (tensor->dtype() == DType::string) {
      whole = std::move(*tensor);
    } else {
      found = Place{work / (number + "-rows.npy"), 0};
      auto written = write_npy(found->file, *tensor, Durability::buffered);
      if (!written) return tl::unexpected(written.error());
      auto again = header_of_file(found->file);
      if (!again) return tl::unexpected(again.error());
      header = std::move(*again);
    }
  }
  auto file = FileParts::open(found->file);
  if (!file) return tl::unexpected(file.error());
  const std::uint64_t begin = found->begin + header.length, row_bytes = row_bytes_of(header);
  return StoredArray(std::make_shared<const StoredArray::Parts>(
      StoredArray::Parts{heads_[place], std::move(header), std::move(*file), begin, row_bytes, std::move(whole)}));
}

}  // namespace culprit
