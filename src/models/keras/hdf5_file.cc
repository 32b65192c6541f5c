#include "keras/hdf5_file.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "keras/hdf5_handle.h"
#include "keras/hdf5_library.h"
#include "keras/hdf5_place.h"

namespace culprit {
namespace {

constexpr unsigned read_only = 0;  // H5F_ACC_RDONLY, a macro that calls the library
constexpr int deepest_group = 64;
constexpr std::size_t most_places = 500'000;
constexpr std::uint64_t largest_text = UINT64_C(64) << 20;   // of all texts of one attribute
constexpr std::uint64_t most_inflation = 1032;               // what deflate can do
constexpr std::uint64_t most_unpacked = UINT64_C(8) << 30U;  // of all arrays of a file
constexpr std::uint64_t most_texts = 1'000'000;

/// The library as Debian builds it is not made for several threads.
std::recursive_mutex& library_lock() {
  static std::recursive_mutex lock;
  return lock;
}

using Lock = std::lock_guard<std::recursive_mutex>;

Error bad_array(const std::string& place, const std::string& what, ErrorKind kind = ErrorKind::bad_input) {
  return {kind, "the array " + printable(place, 300) + " " + what, ""};
}

/// Elements as this machine has them.
struct ElementType {
  DType type = DType::undefined;
  hid_t native = -1;
};

ElementType integer_type(hid_t type) {
  const bool is_signed = HDF5(H5Tget_sign)(type) == H5T_SGN_2;
  switch (HDF5(H5Tget_size)(type)) {
    case 1:
      return is_signed ? ElementType{DType::i8, hdf5_number("H5T_STD_I8LE_g")}
                       : ElementType{DType::u8, hdf5_number("H5T_STD_U8LE_g")};
    case 2:
      return is_signed ? ElementType{DType::i16, hdf5_number("H5T_STD_I16LE_g")}
                       : ElementType{DType::u16, hdf5_number("H5T_STD_U16LE_g")};
    case 4:
      return is_signed ? ElementType{DType::i32, hdf5_number("H5T_STD_I32LE_g")}
                       : ElementType{DType::u32, hdf5_number("H5T_STD_U32LE_g")};
    case 8:
      return is_signed ? ElementType{DType::i64, hdf5_number("H5T_STD_I64LE_g")}
                       : ElementType{DType::u64, hdf5_number("H5T_STD_U64LE_g")};
    default:
      return {};
  }
}

bool is_half(hid_t type) {
  std::size_t sign = 0, exponent = 0, exponent_size = 0, mantissa = 0, mantissa_size = 0;
  return HDF5(H5Tget_size)(type) == 2 && HDF5(H5Tget_order)(type) == H5T_ORDER_LE &&
         HDF5(H5Tget_fields)(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size) >= 0 &&
         exponent_size == 5 && mantissa_size == 10;
}

/// Half floats are read as they are: the library knows no such type of the machine.
ElementType element_type_of(hid_t type) {
  switch (HDF5(H5Tget_class)(type)) {
    case H5T_INTEGER:
      return integer_type(type);
    case H5T_FLOAT:
      if (HDF5(H5Tget_size)(type) == 8) return {DType::f64, hdf5_number("H5T_IEEE_F64LE_g")};
      if (HDF5(H5Tget_size)(type) == 4) return {DType::f32, hdf5_number("H5T_IEEE_F32LE_g")};
      return is_half(type) ? ElementType{DType::f16, type} : ElementType{};
    case H5T_ENUM:  // h5py's truth values
      if (HDF5(H5Tget_size)(type) == 1 && HDF5(H5Tget_nmembers)(type) == 2) return {DType::boolean, type};
      return {};
    case H5T_OPAQUE:  // bfloat16 of Keras 3; the array's attribute tells it
      return HDF5(H5Tget_size)(type) == 2 ? ElementType{DType::bf16, type} : ElementType{};
    default:
      return {};
  }
}

bool has_known_filters(hid_t creation) {
  const int count = HDF5(H5Pget_nfilters)(creation);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        HDF5(H5Pget_filter2)(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32) return false;
  }
  return count >= 0;
}

std::vector<std::string> cut_texts(const std::vector<char>& bytes, std::size_t size) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    const std::string_view text(bytes.data() + at, size);
    found.emplace_back(text.substr(0, text.find('\0')));
  }
  return found;
}

std::optional<std::vector<std::string>> long_texts(hid_t attribute, hid_t type, hid_t space, std::size_t count) {
  const Hdf5Handle memory(HDF5(H5Tcopy)(hdf5_number("H5T_C_S1_g")), HDF5(H5Tclose));
  HDF5(H5Tset_size)(memory.id(), H5T_VARIABLE);
  HDF5(H5Tset_cset)(memory.id(), HDF5(H5Tget_cset)(type));
  std::vector<char*> pointers(count, nullptr);
  if (HDF5(H5Aread)(attribute, memory.id(), static_cast<void*>(pointers.data())) < 0) return std::nullopt;
  std::vector<std::string> found;
  std::uint64_t bytes = 0;
  for (const char* pointer : pointers) {
    found.emplace_back(pointer == nullptr ? "" : pointer);
    bytes += found.back().size();
    if (bytes > largest_text) break;
  }
  HDF5(H5Dvlen_reclaim)(memory.id(), space, H5P_DEFAULT, static_cast<void*>(pointers.data()));
  return bytes > largest_text ? std::nullopt : std::optional(std::move(found));
}

herr_t keep_name(hid_t /*group*/, const char* name, const H5L_info_t* info, void* names) noexcept {
  if (info->type == H5L_TYPE_HARD) static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

struct Hdf5File::Library {
  std::string bytes;
  Hdf5Handle file;

  explicit Library(hid_t id) : file(id, HDF5(H5Fclose)) {}
  ~Library() {
    const Lock lock(library_lock());
    file = Hdf5Handle(-1, HDF5(H5Fclose));
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  [[nodiscard]] Hdf5Handle object(const std::string& place) const {
    return {HDF5(H5Oopen)(file.id(), place.empty() ? "/" : place.c_str(), H5P_DEFAULT), HDF5(H5Oclose)};
  }
};

Hdf5File::Hdf5File(std::unique_ptr<Library> library) : library_(std::move(library)) {
  hsize_t size = 0;
  if (HDF5(H5Fget_filesize)(library_->file.id(), &size) >= 0) file_bytes_ = size;
}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;
Hdf5File::~Hdf5File() = default;

Result<Hdf5File> Hdf5File::open(const std::filesystem::path& path) {
  const Lock lock(library_lock());
  if (auto loaded = load_hdf5(); !loaded) return tl::unexpected(loaded.error());
  const hid_t id = HDF5(H5Fopen)(path.c_str(), read_only, H5P_DEFAULT);
  if (id < 0) return fail(ErrorKind::bad_input, "it cannot be read as an HDF5 file");
  Hdf5File file(std::make_unique<Library>(id));
  if (auto ok = file.list(); !ok) return tl::unexpected(ok.error());
  return file;
}

Result<Hdf5File> Hdf5File::open_bytes(const std::string& bytes) {
  const Lock lock(library_lock());
  if (auto loaded = load_hdf5(); !loaded) return tl::unexpected(loaded.error());
  hid_t id = -1;
  {
    const Hdf5Handle access(HDF5(H5Pcreate)(hdf5_number("H5P_CLS_FILE_ACCESS_ID_g")), HDF5(H5Pclose));
    std::string image = bytes;  // the library asks for bytes that it may change
    if (HDF5(H5Pset_fapl_core)(access.id(), std::size_t{1} << 16U, 0) < 0 ||
        HDF5(H5Pset_file_image)(access.id(), image.data(), image.size()) < 0)
      return fail(ErrorKind::internal, "libhdf5 takes no file in memory");
    id = HDF5(H5Fopen)("weights in memory", read_only, access.id());
  }
  if (id < 0) return fail(ErrorKind::bad_input, "it cannot be read as an HDF5 file");
  Hdf5File file(std::make_unique<Library>(id));
  if (auto ok = file.list(); !ok) return tl::unexpected(ok.error());
  return file;
}

Result<void> Hdf5File::list() {
  places_[""] = true;
  return list_group("", 0);
}

Result<void> Hdf5File::list_group(const std::string& place, int depth) {
  if (depth > deepest_group)
    return fail(ErrorKind::bad_input, "its groups are nested more than " + std::to_string(deepest_group) + " deep");
  const Hdf5Handle group = library_->object(place);
  std::vector<std::string> names;
  if (!group || HDF5(H5Literate)(group.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep_name, &names) < 0)
    return fail(ErrorKind::bad_input, "the group " + printable(place, 300) + " cannot be read");
  for (const std::string& name : names) {
    const std::string inner = place_below(place, name);
    const Hdf5Handle object = library_->object(inner);
    const H5I_type_t kind = object ? HDF5(H5Iget_type)(object.id()) : H5I_BADID;
    if (kind != H5I_GROUP && kind != H5I_DATASET) continue;
    if (places_.size() >= most_places)
      return fail(ErrorKind::bad_input, "it has more than " + std::to_string(most_places) + " groups and arrays");
    places_[inner] = kind == H5I_GROUP;
    if (kind != H5I_GROUP) continue;
    if (auto ok = list_group(inner, depth + 1); !ok) return ok;
  }
  return {};
}

bool Hdf5File::has_group(const std::string& place) const {
  const auto found = places_.find(place);
  return found != places_.end() && found->second;
}

bool Hdf5File::has_array(const std::string& place) const {
  const auto found = places_.find(place);
  return found != places_.end() && !found->second;
}

std::vector<std::string> Hdf5File::groups_in(const std::string& place) const {
  const std::string begin = place.empty() ? "" : place + "/";
  std::vector<std::string> found;
  for (auto at = places_.lower_bound(begin); at != places_.end() && at->first.starts_with(begin); ++at) {
    const std::string name = at->first.substr(begin.size());
    if (at->second && !name.empty() && !contains(name, "/")) found.push_back(name);
  }
  return found;
}

std::vector<std::string> Hdf5File::arrays_below(const std::string& place) const {
  const std::string begin = place.empty() ? "" : place + "/";
  std::vector<std::string> found;
  for (auto at = places_.lower_bound(begin); at != places_.end() && at->first.starts_with(begin); ++at)
    if (!at->second) found.push_back(at->first);
  const auto key = [](const std::string& array) {
    const auto slash = array.rfind('/') + 1;  // 0 where there is none
    return std::tuple(array.substr(0, slash), array.size(), array);
  };
  std::ranges::sort(found, {}, key);
  return found;
}

std::optional<std::vector<std::string>> Hdf5File::texts(const std::string& place, const std::string& name) const {
  const Lock lock(library_lock());
  if (!places_.contains(place)) return std::nullopt;
  const Hdf5Handle object = library_->object(place);
  if (!object || HDF5(H5Aexists)(object.id(), name.c_str()) <= 0) return std::nullopt;
  const Hdf5Handle attribute(HDF5(H5Aopen)(object.id(), name.c_str(), H5P_DEFAULT), HDF5(H5Aclose));
  if (!attribute) return std::nullopt;
  const Hdf5Handle type(HDF5(H5Aget_type)(attribute.id()), HDF5(H5Tclose)),
      space(HDF5(H5Aget_space)(attribute.id()), HDF5(H5Sclose));
  if (!type || !space) return std::nullopt;
  if (HDF5(H5Sget_simple_extent_type)(space.id()) == H5S_NULL)
    return std::vector<std::string>();  // an empty list of h5py
  const hssize_t count = HDF5(H5Sget_simple_extent_npoints)(space.id());
  if (count < 0 || static_cast<std::uint64_t>(count) > most_texts) return std::nullopt;
  if (count == 0) return std::vector<std::string>();
  if (HDF5(H5Tget_class)(type.id()) != H5T_STRING) return std::nullopt;
  if (HDF5(H5Tis_variable_str)(type.id()) > 0)
    return long_texts(attribute.id(), type.id(), space.id(), static_cast<std::size_t>(count));
  const std::size_t size = HDF5(H5Tget_size)(type.id());
  if (size == 0 || size > largest_text / static_cast<std::uint64_t>(count)) return std::nullopt;
  std::vector<char> bytes(size * static_cast<std::size_t>(count));
  if (HDF5(H5Aread)(attribute.id(), type.id(), bytes.data()) < 0) return std::nullopt;
  return cut_texts(bytes, size);
}

namespace {

/// What an array of the file is, of which nothing is believed yet.
struct ArrayClaim {
  ElementType element;
  Shape shape;
  std::uint64_t bytes = 0;
  bool lies_as_it_is = false;  // else in chunks
  std::uint64_t stored = 0;    // bytes that it takes in the file
};

Result<Shape> shape_of(hid_t space, const std::string& place) {
  const int rank = HDF5(H5Sget_simple_extent_ndims)(space);
  if (rank < 0 || HDF5(H5Sget_simple_extent_type)(space) == H5S_NULL)
    return tl::unexpected(bad_array(place, "has no shape"));
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  HDF5(H5Sget_simple_extent_dims)(space, dims.data(), nullptr);
  Shape shape;
  for (const hsize_t dim : dims) {
    if (dim > static_cast<hsize_t>(INT64_MAX)) return tl::unexpected(bad_array(place, "is too large"));
    shape.push_back(static_cast<std::int64_t>(dim));
  }
  return shape;
}

Result<ArrayClaim> claim_of(hid_t array, const std::string& place) {
  const Hdf5Handle type(HDF5(H5Dget_type)(array), HDF5(H5Tclose)), space(HDF5(H5Dget_space)(array), HDF5(H5Sclose)),
      creation(HDF5(H5Dget_create_plist)(array), HDF5(H5Pclose));
  if (!type || !space || !creation) return tl::unexpected(bad_array(place, "cannot be read"));
  ArrayClaim claim;
  claim.element = element_type_of(type.id());
  if (claim.element.type == DType::undefined)
    return tl::unexpected(bad_array(place, "has elements that no tensor has", ErrorKind::unsupported));
  auto shape = shape_of(space.id(), place);
  if (!shape) return tl::unexpected(shape.error());
  const auto count = element_count(*shape);
  if (!count) return tl::unexpected(bad_array(place, "is too large"));
  claim.shape = std::move(*shape);
  claim.bytes = bytes_for(claim.element.type, *count);
  const H5D_layout_t layout = HDF5(H5Pget_layout)(creation.id());
  if (layout == H5D_VIRTUAL || HDF5(H5Pget_external_count)(creation.id()) > 0)
    return tl::unexpected(bad_array(place, "lies in another file, which is not read"));
  if (!has_known_filters(creation.id()))
    return tl::unexpected(bad_array(place, "is packed in a way that is not known", ErrorKind::unsupported));
  claim.lies_as_it_is = layout != H5D_CHUNKED;
  claim.stored = HDF5(H5Dget_storage_size)(array);
  return claim;
}

}  // namespace

Result<Tensor> Hdf5File::array(const std::string& place) {
  const Lock lock(library_lock());
  if (!has_array(place)) return tl::unexpected(bad_array(place, "is not there"));
  const Hdf5Handle object = library_->object(place);
  if (!object) return tl::unexpected(bad_array(place, "cannot be read"));
  const auto claim = claim_of(object.id(), place);
  if (!claim) return tl::unexpected(claim.error());
  std::uint64_t& sum = claim->lies_as_it_is ? read_bytes_ : inflated_bytes_;
  const std::uint64_t limit = claim->lies_as_it_is ? file_bytes_ : most_unpacked;
  const bool is_stored =
      claim->lies_as_it_is ? claim->stored >= claim->bytes : claim->stored >= claim->bytes / most_inflation;
  if (!is_stored || claim->stored > file_bytes_ || claim->bytes > limit - std::min(limit, sum))
    return tl::unexpected(bad_array(place, "says that it is larger than what the file holds"));
  sum += claim->bytes;
  std::vector<std::byte> bytes(static_cast<std::size_t>(claim->bytes));
  // The type of the file, where that is what is read, is open as long as the array's own is.
  const Hdf5Handle type(HDF5(H5Dget_type)(object.id()), HDF5(H5Tclose));
  const bool is_own =
      claim->element.type == DType::f16 || claim->element.type == DType::boolean || claim->element.type == DType::bf16;
  const hid_t memory = is_own ? type.id() : claim->element.native;
  if (!bytes.empty() && HDF5(H5Dread)(object.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    return tl::unexpected(bad_array(place, "cannot be read"));
  if (claim->element.type == DType::bf16 && texts(place, "dtype") != std::vector<std::string>{"bfloat16"})
    return tl::unexpected(bad_array(place, "has elements that no tensor has", ErrorKind::unsupported));
  return Tensor::from_bytes(claim->element.type, claim->shape, std::move(bytes));
}

}  // namespace culprit
