#pragma once
// What makes two failures "the same failure", so that it survives reduction: the verdict, the
// culprit, op types before -> after, and the error's text without what is particular to one model.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "record/enum_names.h"

namespace culprit {

/// The text on one line without quoted names, names after "name:", "input:" and the like, paths, addresses and numbers,
/// at most 200 characters. Two complaints about different places of the same kind become equal. `places`: whole paths
/// that the text may name, and names of files in them: a space in one of these is no end of a path.
std::string normalized(std::string_view text, std::span<const std::string> places = {});

/// "diverged | fuse_bn_into_conv | BatchNormalization -> Mul | shape [#] became [#,#]"; empty parts stay empty. With
/// the level of the runtime where it fails only there: "rejected at all | ...".
std::string signature_of(Verdict verdict, const std::string& culprit,
                         const std::map<std::string, std::int64_t>& ops_changed, const std::string& normalized_error,
                         const std::string& level = "");

}  // namespace culprit
