// What is right against what is decided, and what the first model decides against what another one does: a square for
// each pair of classes.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/figures/evaluation.h"
#include "report/figures/svg.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t most_shown = 30;
constexpr double matrix_margin = 16, matrix_side = 600, least_cell = 20, largest_cell = 44;
constexpr double letter = 12, head_height = 66, room_on_the_right = 150;
constexpr int name_columns = 20;
constexpr double dark_from = 0.6;  // a cell of this colour is dark

/// Counts of pairs of classes: what stands in a row became what stands above a column.
struct ClassMatrix {
  std::vector<std::string> rows, columns;  ///< columns: the same classes, and "" where some became none
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  std::map<std::string, std::int64_t> sums;  ///< of all that a row has, shown or not
  std::size_t classes = 0;                   ///< with those that are not shown
};

/// The classes that are shown; where there are too many, those that have to do with most confusions. They are in the
/// order of the classes.
std::vector<std::string> shown_classes(const std::vector<ClassCounts>& all,
                                       const std::vector<ConfusedClasses>& confused) {
  std::map<std::string, std::int64_t> wrong;
  for (const ConfusedClasses& pair : confused) {
    wrong[pair.truth] += pair.samples;
    if (!pair.decided.empty()) wrong[pair.decided] += pair.samples;
  }
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const ClassCounts& counts : all) names.push_back(counts.name);
  if (names.size() <= most_shown) return names;
  std::vector<std::string> worst = names;
  std::ranges::stable_sort(worst, std::greater(), [&](const std::string& name) { return wrong[name]; });
  worst.resize(most_shown);
  const std::set<std::string> kept(worst.begin(), worst.end());
  std::erase_if(names, [&](const std::string& name) { return !kept.contains(name); });
  return names;
}

ClassMatrix matrix_of(const ClassResults& results) {
  ClassMatrix matrix;
  const auto all = results.classes();
  const auto confused = results.confused();
  matrix.classes = all.size();
  matrix.rows = matrix.columns = shown_classes(all, confused);
  for (const ClassCounts& counts : all) {
    matrix.counts[{counts.name, counts.name}] = counts.right;
    matrix.sums[counts.name] = counts.labelled;
  }
  for (const ConfusedClasses& pair : confused) matrix.counts[{pair.truth, pair.decided}] = pair.samples;
  const auto is_none = [](const ConfusedClasses& pair) { return pair.decided.empty(); };
  if (std::ranges::any_of(confused, is_none)) matrix.columns.emplace_back();
  return matrix;
}

/// What the figure tells.
struct MatrixWords {
  std::string file, title, subtitle;
  std::string rows, columns;    ///< "predicted by M1"
  std::string same, different;  ///< of the colours
};

class MatrixDrawing {
 public:
  MatrixDrawing(const ClassMatrix& matrix, const MatrixWords& words)
      : matrix_(matrix),
        words_(words),
        cell_(std::clamp(matrix_side / static_cast<double>(std::max<std::size_t>(1, matrix.columns.size())), least_cell,
                         largest_cell)),
        left_(matrix_margin + label_room() + 8),
        top_(head_height + 30 + label_room() * 0.75),
        canvas_(std::max(560.0, left_ + cell_ * static_cast<double>(matrix.columns.size()) + room_on_the_right),
                top_ + cell_ * static_cast<double>(matrix.rows.size()) + 20, words.title,
                words.subtitle + "; rows: " + words.rows + ", columns: " + words.columns) {}

  std::string finished() {
    draw_head();
    for (std::size_t i = 0; i < matrix_.columns.size(); ++i)
      canvas_.tilted_text(left_ + (static_cast<double>(i) + 0.5) * cell_ + 3, top_ - 6, label_of(matrix_.columns[i]),
                          SvgLook::text);
    for (std::size_t row = 0; row < matrix_.rows.size(); ++row) draw_row(row);
    return canvas_.finished();
  }

 private:
  static std::string label_of(const std::string& name) {
    return name.empty() ? "none" : cut_middle(printable(name), name_columns);
  }

  [[nodiscard]] double label_room() const {
    double room = 40;
    for (const std::string& name : matrix_.columns) room = std::max(room, text_width(label_of(name), letter));
    return room;
  }

  void draw_head() {
    canvas_.text(matrix_margin, 28, words_.title, SvgLook::title);
    canvas_.text(matrix_margin, 47, words_.subtitle, SvgLook::faint);
    const double right = left_ + cell_ * static_cast<double>(matrix_.columns.size()) + 12;
    canvas_.text(matrix_margin, head_height + 4, "\u2193 " + words_.rows + ", \u2192 " + words_.columns,
                 SvgLook::faint);
    canvas_.bar(right, top_ + 2, 11, 11, colour_of_faster);
    canvas_.text(right + 16, top_ + 12, words_.same, SvgLook::text);
    canvas_.bar(right, top_ + 22, 11, 11, colour_of_slower);
    canvas_.text(right + 16, top_ + 32, words_.different, SvgLook::text);
    canvas_.text(right, top_ + 54, "shade: share of a row", SvgLook::faint);
  }

  void draw_row(std::size_t row) {
    const std::string& name = matrix_.rows[row];
    const double y = top_ + static_cast<double>(row) * cell_;
    canvas_.text(left_ - 8, y + cell_ / 2 + 4, label_of(name), SvgLook::text, SvgAnchor::end);
    for (std::size_t column = 0; column < matrix_.columns.size(); ++column) {
      const double x = left_ + static_cast<double>(column) * cell_;
      canvas_.line(x, y + cell_, x + cell_, y + cell_, SvgLook::grid);
      canvas_.line(x + cell_, y, x + cell_, y + cell_, SvgLook::grid);
      const auto found = matrix_.counts.find({name, matrix_.columns[column]});
      if (found == matrix_.counts.end() || found->second == 0) continue;
      draw_cell(x, y, found->second, name, matrix_.columns[column]);
    }
  }

  void draw_cell(double x, double y, std::int64_t count, const std::string& from, const std::string& to) {
    const double share = static_cast<double>(count) / static_cast<double>(matrix_.sums.at(from));
    const int colour = from == to ? colour_of_faster : colour_of_slower;
    canvas_.cell(x + 1, y + 1, cell_ - 2, cell_ - 2, colour, 0.12 + 0.88 * share);
    const std::string digits = std::to_string(count);
    if (text_width(digits, letter - 1) > cell_ - 3) return;
    canvas_.text(x + cell_ / 2, y + cell_ / 2 + 4, digits,
                 is_dark(colour) && share > dark_from ? SvgLook::on_dark_bar : SvgLook::text, SvgAnchor::middle);
  }

  const ClassMatrix& matrix_;
  const MatrixWords& words_;
  double cell_, left_, top_;
  SvgCanvas canvas_;
};

std::optional<Figure> matrix_figure(const ClassResults& results, MatrixWords words) {
  const ClassMatrix matrix = matrix_of(results);
  if (matrix.rows.empty()) return std::nullopt;
  if (matrix.rows.size() < matrix.classes)
    words.subtitle +=
        fmt::format("; the {} of {} classes that are most often confused", matrix.rows.size(), matrix.classes);
  return Figure{words.file, words.title, MatrixDrawing(matrix, words).finished()};
}

}  // namespace

std::optional<Figure> confusion_figure(const EvaluationReport& report, std::size_t model) {
  const EvaluatedModel& own = report.models[model];
  if (own.decisions.labelled == 0) return std::nullopt;
  return matrix_figure(own.classes, {.file = fmt::format("confusion_M{}.svg", model + 1),
                                     .title = fmt::format("What M{} takes for what", model + 1),
                                     .subtitle = name_of_model(report, model),
                                     .rows = "what is right",
                                     .columns = fmt::format("predicted by M{}", model + 1),
                                     .same = "right",
                                     .different = "wrong"});
}

std::optional<Figure> changed_figure(const EvaluationReport& report, std::size_t model) {
  if (model == 0) return std::nullopt;
  return matrix_figure(report.models[model].became,
                       {.file = fmt::format("changed_M{}.svg", model + 1),
                        .title = fmt::format("What became of the decisions of M1 in M{}", model + 1),
                        .subtitle = name_of_model(report, 0) + ", " + name_of_model(report, model),
                        .rows = "predicted by M1",
                        .columns = fmt::format("predicted by M{}", model + 1),
                        .same = "the same",
                        .different = "another one"});
}

}  // namespace culprit
