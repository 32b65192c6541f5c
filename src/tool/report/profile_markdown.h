#pragma once
// A profile to paste into an issue: tables after those of OTX (Narsipur: "OTX: Testing the ONNX Runtime Optimizer"), in
// GitHub's Markdown. Names and messages are escaped: nothing in them becomes markup, a link, or a mention of somebody.

#include <string>
#include <vector>

#include "record/profile.h"

namespace culprit {

/// A picture to show below the tables.
struct ProfilePicture {
  std::string title;
  std::string file;  ///< as it is linked: "figures/ratio.svg"
};

/// Ends with a newline.
std::string to_markdown(const ProfileReport& report, const std::vector<ProfilePicture>& pictures = {});

}  // namespace culprit
