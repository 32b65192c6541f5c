#include "app/profile_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace culprit {
namespace {

/// File names without their ending where those are unlike each other, else paths.
std::vector<std::string> model_names(const std::vector<std::filesystem::path>& models) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const auto& model : models) {
    const std::filesystem::path name =
        model.filename() == "model.onnx" && model.has_parent_path() ? model.parent_path().filename() : model.stem();
    names.push_back(printable(name.string(), 100));
    seen.insert(names.back());
  }
  if (seen.size() == models.size()) return names;
  for (std::size_t i = 0; i < models.size(); ++i) names[i] = printable(models[i].string(), 200);
  return names;
}

class Rows {
 public:
  Rows(const ProfiledThings& things, const SessionOptions& session)
      : things_(things), session_(session), model_names_(model_names(things.models)) {}

  std::vector<ProfiledRow> all() {
    for (std::size_t model = 0; model < things_.models.size(); ++model)
      for (std::size_t library = 0; library < things_.libraries.size(); ++library)
        for (const std::string& provider : things_.providers) of_model({model, library, provider});
    return std::move(rows_);
  }

 private:
  struct Place {
    std::size_t model, library;
    const std::string& provider;
  };

  void of_model(const Place& place) {
    for (const Level level : things_.levels) add(place, level, nullptr, "");
    for (std::size_t i = 0; i < things_.recipes.size(); ++i) {
      const Recipe& recipe = things_.recipes[i];
      const auto own = level_named(recipe.level);
      if (own) add(place, *own, &recipe, things_.recipe_names[i]);
      for (std::size_t level = 0; !own && level < things_.levels.size(); ++level)
        add(place, things_.levels[level], &recipe, things_.recipe_names[i]);
    }
  }

  void add(const Place& place, Level level, const Recipe* recipe, const std::string& recipe_name) {
    ProfiledRow row;
    row.model = place.model;
    row.session = session_;
    row.session.level = level;
    row.session.provider = place.provider;
    row.library = things_.libraries[place.library];
    if (recipe != nullptr && runs_in_session(*recipe)) row.session.disabled_steps = recipe->disabled;
    if (recipe != nullptr && !runs_in_session(*recipe)) row.recipe = *recipe;
    std::vector<std::string> words;
    if (things_.models.size() > 1) words.push_back(model_names_[place.model]);
    if (things_.libraries.size() > 1) words.push_back(things_.library_names[place.library]);
    if (things_.providers.size() > 1) words.push_back(place.provider);
    if (recipe != nullptr) words.push_back(recipe_name);
    const bool is_named_by_level = recipe != nullptr && is_whole_level(*recipe);
    if (things_.levels.size() > 1 && !is_named_by_level) words.emplace_back(name_of(level));
    if (recipe == nullptr && things_.levels.size() == 1 && !things_.recipes.empty()) words.emplace_back("as given");
    row.name = words.empty() ? std::string(name_of(level)) : join(words, " ");
    while (!names_.insert(row.name).second) row.name += "'";
    rows_.push_back(std::move(row));
  }

  const ProfiledThings& things_;
  const SessionOptions& session_;
  std::vector<std::string> model_names_;
  std::vector<ProfiledRow> rows_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<ProfiledRow> rows_of(const ProfiledThings& things, const SessionOptions& session) {
  return Rows(things, session).all();
}

Result<std::size_t> row_named(const std::vector<ProfiledRow>& rows, const std::string& name) {
  const auto found = std::ranges::find(rows, name, &ProfiledRow::name);
  if (found != rows.end()) return static_cast<std::size_t>(found - rows.begin());
  std::vector<std::string> names(rows.size());
  std::ranges::transform(rows, names.begin(), [](const ProfiledRow& row) { return "'" + row.name + "'"; });
  std::vector<std::string> plain(rows.size());
  std::ranges::transform(rows, plain.begin(), &ProfiledRow::name);
  const std::string near = closest(name, plain);
  return fail(ErrorKind::usage,
              fmt::format("--against {}: there is no such row{}", printable(name, 100),
                          near.empty() ? "" : "; did you mean '" + near + "'?"),
              "the rows are " + join(names, ", "));
}

}  // namespace culprit
