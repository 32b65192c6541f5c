#include "tensor/npz_member.h"

#include <string_view>

#include "base/text.h"

namespace culprit {

Result<std::string> array_name(const ZipMember& member, std::set<std::string>& names) {
  constexpr std::string_view suffix = ".npy";
  if (!names.insert(member.name).second)
    return fail(ErrorKind::bad_input, "two members are named \"" + printable(member.name, 200) + "\"");
  if (!member.name.ends_with(suffix)) {
    return fail(ErrorKind::unsupported, "the member \"" + printable(member.name, 200) + "\" is not an array (.npy)",
                "save the arrays with numpy.savez");
  }
  return member.name.substr(0, member.name.size() - suffix.size());
}

tl::unexpected<Error> no_archive_of_arrays(std::string_view where, const Error& error) {
  return fail(error.kind, "cannot read " + printable(where) + ": " + error.message,
              error.hint.empty() ? "save it again with numpy.savez" : error.hint);
}

}  // namespace culprit
