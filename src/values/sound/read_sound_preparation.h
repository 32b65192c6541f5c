#pragma once
// How sounds are prepared, as YAML: in culprit.yaml below `preprocess`,
//   preprocess:
//     sound: {resample: 16000, window: 512, hop: 512, context: 64, normalize: true, scale: 32768}
// or by the name of a preset, `sound: silero`, which `preset: silero` among the keys changes in parts. A preset may
// stand right below `preprocess`, too: `preprocess: silero`.

#include <string>

#include "base/error.h"
#include "sound/sound_preparation.h"

namespace culprit {

/// Is it YAML with the key `preprocess`?
bool names_sound_preparation(const std::string& text);

/// `where` names the text in messages. Other keys beside `preprocess` are left to others. ErrorKind::bad_input where a
/// key is unknown, stands twice, or has a value that makes no sense; it names the line.
Result<SoundPreparation> read_sound_preparation(const std::string& text, const std::string& where);

/// The text of a file that reads as the same preparation.
std::string to_yaml(const SoundPreparation& preparation);

}  // namespace culprit
