#pragma once
// The way of a list of edits, whatever the format. Private to this folder.

#include <fmt/format.h>

#include <variant>
#include <vector>

#include "conversion/edits/edit.h"

namespace culprit {

/// `make_one(edit)` for each edit in turn, where the network has what it names. Errors: what is wrong with the edit or
/// what `make_one` says, with the edit in front.
template <class MakeOne>
Result<void> make_each(const std::vector<Edit>& edits, const Network& network, const MakeOne& make_one) {
  for (const Edit& edit : edits) {
    const auto made = check_places(edit, network).and_then([&] { return std::visit(make_one, edit); });
    if (made) continue;
    return fail(made.error().kind, fmt::format("{}: {}", to_string(edit, network), made.error().message));
  }
  return {};
}

}  // namespace culprit
