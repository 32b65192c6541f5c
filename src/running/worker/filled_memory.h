#pragma once
// Memory that holds a pattern when it is handed out. Fresh memory of the system is zero, so a kernel that reads what
// nobody wrote gives the same in every fresh process, and seems to repeat.

namespace culprit {

/// Fills what the C library's allocator hands out, as long as it lives: floats of about 0.75 (0x3f3f3f3f), so that what
/// is read for nothing, in the padding of a vector, does not become infinite. Sanitizers have allocators of their own,
/// which it does not reach.
class FilledMemory {
 public:
  explicit FilledMemory(bool fills);
  FilledMemory(const FilledMemory&) = delete;
  FilledMemory& operator=(const FilledMemory&) = delete;
  ~FilledMemory();

 private:
  bool fills_;
};

}  // namespace culprit
