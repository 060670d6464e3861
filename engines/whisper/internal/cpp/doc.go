// Package cpp calls whisper.cpp for what its Go binding lacks: the choice of the device and of flash attention, several runs on
// one model, abort, times of tokens, and errors where the library would throw. It is part of builds with the tag whisper.
package cpp
