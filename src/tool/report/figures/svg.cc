#include "report/figures/svg.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr double least_bar = 0.05;

// Okabe and Ito's colours without black and yellow, which vanish on one of the two grounds; the last one is grey.
constexpr std::array<std::string_view, series_colours + 1> colours_of_series = {
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#9aa0a6"};

constexpr std::string_view looks_of_shapes = R"(
text{font-family:sans-serif;font-size:12px;fill:#1f2328}
.bg{fill:#fff}.title{font-size:16px;font-weight:bold}.halo{fill:none;stroke:#fff;stroke-width:3px}
.faint{fill:#59636e}.on_bar{font-size:11px;fill:#111}.on_dark_bar{font-size:11px;fill:#fff}
.grid{stroke:#d9dee3}.zero{stroke:#59636e;stroke-width:1.5}.band{fill:#e3e8ee}
.whisker{stroke:#1f2328;stroke-width:1.5}.hollow{fill:#fff;stroke:#59636e;stroke-width:2}
)";

constexpr std::string_view looks_in_the_dark = R"(@media (prefers-color-scheme:dark){
text{fill:#f0f6fc}.bg{fill:#0d1117}.halo{stroke:#0d1117}.faint{fill:#9198a1}
.grid{stroke:#2a313a}.zero{stroke:#9198a1}.band{fill:#2a313a}
.whisker{stroke:#f0f6fc}.hollow{fill:#0d1117;stroke:#9198a1}}
</style>
)";

constexpr std::array<std::string_view, 11> looks{"title", "",     "faint", "",        "on_bar", "on_dark_bar",
                                                 "grid",  "zero", "band",  "whisker", "hollow"};

std::string style_sheet() {
  std::string text = "<style>" + std::string(looks_of_shapes);
  for (std::size_t i = 0; i < colours_of_series.size(); ++i)
    text += fmt::format(".c{}{{fill:{}}}", i, colours_of_series.at(i));
  return text + "\n" + std::string(looks_in_the_dark);
}

std::string_view name_of(SvgLook look) { return looks.at(static_cast<std::size_t>(look)); }

/// `printable` keeps two characters that no XML may have: U+FFFE and U+FFFF.
std::string escaped_for_xml(std::string_view text) {
  const std::string shown = printable(text);
  std::string xml;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string_view rest = std::string_view(shown).substr(i);
    if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      xml += '?';
      i += 2;
      continue;
    }
    switch (shown[i]) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += shown[i];
    }
  }
  return xml;
}

}  // namespace

bool is_dark(int colour) { return colour == 0; }

SvgCanvas::SvgCanvas(double width, double height, std::string_view title, std::string_view about) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n<desc>{3}</desc>\n{4}"
      "<rect class=\"bg\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n",
      width, height, escaped_for_xml(title), escaped_for_xml(about), style_sheet());
}

void SvgCanvas::text(double x, double y, std::string_view text, SvgLook look, SvgAnchor anchor) {
  if (text.empty()) return;
  std::string place = fmt::format("x=\"{:.1f}\" y=\"{:.1f}\"", x, y);
  if (anchor != SvgAnchor::start)
    place += fmt::format(" text-anchor=\"{}\"", anchor == SvgAnchor::middle ? "middle" : "end");
  const std::string shown = ">" + escaped_for_xml(text) + "</text>\n";
  // A text of its own: not every viewer paints the edge of letters behind them.
  if (look == SvgLook::value) body_ += "<text " + place + R"( class="halo" aria-hidden="true")" + shown;
  const std::string_view name = name_of(look);
  body_ += "<text " + place + (name.empty() ? "" : fmt::format(" class=\"{}\"", name)) + shown;
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, SvgLook look) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2,
                       name_of(look));
}

void SvgCanvas::rect(double x, double y, double width, double height, SvgLook look) {
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\"/>\n", x, y,
                       width, height, name_of(look));
}

void SvgCanvas::bar(double x, double y, double width, double height, int colour) {
  if (width < least_bar) return;
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"c{}\"/>\n", x, y,
                       width, height, colour);
}

void SvgCanvas::dot(double x, double y, double radius, int colour) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"c{}\"/>\n", x, y, radius, colour);
}

void SvgCanvas::dot(double x, double y, double radius, SvgLook look) {
  body_ +=
      fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"{}\"/>\n", x, y, radius, name_of(look));
}

void SvgCanvas::cell(double x, double y, double width, double height, int colour, double share) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"c{}\" fill-opacity=\"{:.3f}\"/>\n", x,
      y, width, height, colour, share);
}

void SvgCanvas::tilted_text(double x, double y, std::string_view text, SvgLook look) {
  if (text.empty()) return;
  const std::string_view name = name_of(look);
  body_ += fmt::format("<text transform=\"translate({:.1f},{:.1f}) rotate(-45)\"{}>{}</text>\n", x, y,
                       name.empty() ? "" : fmt::format(" class=\"{}\"", name), escaped_for_xml(text));
}

void SvgCanvas::bubble(double x, double y, double radius, int colour) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"c{}\" fill-opacity=\"0.6\"/>\n", x, y,
                       radius, colour);
}

void SvgCanvas::curve(const std::vector<SvgPoint>& points, int colour) {
  if (points.empty()) return;
  body_ += "<polyline points=\"";
  for (const SvgPoint& point : points)
    body_ += fmt::format("{}{:.1f},{:.1f}", &point == points.data() ? "" : " ", point.x, point.y);
  body_ += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n",
                       colours_of_series.at(static_cast<std::size_t>(colour)));
}

std::string SvgCanvas::finished() const { return body_ + "</svg>\n"; }

double text_width(std::string_view text, double font_size) { return 0.6 * font_size * display_width(text); }

}  // namespace culprit
