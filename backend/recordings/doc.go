// Package recordings records from a microphone: into WAV files in the data directory, or into memory for dictation. One
// recording runs at a time. The sound system is behind the interface Microphones; nothing connects to it before the first use.
package recordings
