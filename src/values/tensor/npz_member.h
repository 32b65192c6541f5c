#pragma once
// What the members of an .npz are called. Private to this room.

#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "tensor/zip.h"

namespace culprit {

/// "x" of "x.npy". Errors: another member, among `names`, which it joins, is called so; it is no .npy.
Result<std::string> array_name(const ZipMember& member, std::set<std::string>& names);

/// "cannot read x.npz: ...", with what to do.
tl::unexpected<Error> no_archive_of_arrays(std::string_view where, const Error& error);

}  // namespace culprit
