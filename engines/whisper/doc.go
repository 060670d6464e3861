// Package whisper transcribes audio with the models of OpenAI's Whisper, by whisper.cpp. The library is compiled in with the
// build tag whisper; without it, Open answers runtime_missing.
package whisper
