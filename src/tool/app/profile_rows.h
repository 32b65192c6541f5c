#pragma once
// Which rows does a profile have? Each model, at each level, after each recipe, on each provider, in each version of
// the runtime that the command line names.

#include <filesystem>
#include <string>
#include <vector>

#include "check/check.h"
#include "profile/profile.h"

namespace culprit {

struct ProfiledThings {
  std::vector<std::filesystem::path> models;
  std::vector<Level> levels;
  std::vector<Recipe> recipes;                   ///< of the optimizer; none: the models as they are given
  std::vector<std::string> recipe_names;         ///< of each
  std::vector<std::filesystem::path> libraries;  ///< of the runtime; at least one
  std::vector<std::string> library_names;        ///< "1.22.1"
  std::vector<std::string> providers = {"CPU"};  ///< on which rows run; at least one
};

/// Named by what tells them apart: "all", "mnist-7 extended", "fuse_bn_into_conv", "1.22.1 off". No two names are the
/// same.
std::vector<ProfiledRow> rows_of(const ProfiledThings& things, const SessionOptions& session);

/// The place of the one with this name. ErrorKind::usage for another one, with those that there are.
Result<std::size_t> row_named(const std::vector<ProfiledRow>& rows, const std::string& name);

}  // namespace culprit
