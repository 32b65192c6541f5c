// Replaced by the room's first real source.
