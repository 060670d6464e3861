package audio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// encoding has the arguments with which ffmpeg writes a format.
type encoding struct {
	format  string
	encoder string   // as `ffmpeg -encoders` names it
	quality []string // its usual quality
	muxer   []string
}

// fastAAC is the bit rate in kbit/s from which the fast search of ffmpeg's AAC encoder sounds no worse than its default, which
// takes three times as long.
const fastAAC = 64

// args returns the arguments of ffmpeg for a bit rate in kbit/s, 0 for the usual quality.
func (e encoding) args(bitRate int) []string {
	quality := e.quality
	if bitRate > 0 && len(quality) > 0 {
		if e.format == backend.FormatOpus {
			bitRate = min(bitRate, maxOpusBitRate)
		}
		quality = []string{"-b:a", strconv.Itoa(bitRate) + "k"}
	}
	var search []string
	if e.encoder == "aac" && (bitRate == 0 || bitRate >= fastAAC) {
		search = []string{"-aac_coder", "fast"}
	}
	return slices.Concat([]string{"-c:a", e.encoder}, search, quality, e.muxer)
}

const maxOpusBitRate = 256 // kbit/s that libopus accepts for one channel

// encodings returns the formats that ffmpeg writes, in the order of Encoders.
func encodings() []encoding {
	return []encoding{
		{backend.FormatFLAC, "flac", nil, []string{"-f", "flac"}},
		{backend.FormatMP3, "libmp3lame", []string{"-q:a", "2"}, []string{"-f", "mp3"}},
		{backend.FormatOpus, "libopus", []string{"-b:a", "64k"}, []string{"-f", "opus"}},
		{backend.FormatM4A, "aac", []string{"-b:a", "96k"}, []string{"-movflags", "+faststart", "-f", "ipod"}},
		{FormatAAC, "aac", []string{"-b:a", "96k"}, []string{"-f", "adts"}},
	}
}

// Encode writes the audio file src to dst in one of the formats, with meta (title, artist, comment, ...) in the
// file. dst appears complete or not at all; an existing file is replaced. Errors: runtime_missing without
// ffmpeg or its encoder, unsupported_media for another format or a source that cannot be read,
// insufficient_disk, backend.ErrCancelled soon after ctx ends.
func (c *Codecs) Encode(ctx context.Context, src, dst, format string, meta map[string]string) error {
	tags, err := cleanTags(meta)
	if err != nil {
		return err
	}
	return replaceFile(dst, func(temp string) error { return c.write(ctx, src, temp, format, tags, 0, progress{}) })
}

// replaceFile replaces dst with the file that write writes. Only the user may read it.
func replaceFile(dst string, write func(temp string) error) error {
	return backend.FileError("encode", "the audio file", files.Place(dst, func(temp string) error {
		// Created before ffmpeg runs, for its mode and for the error of the system if the folder is missing or not writable.
		if err := os.WriteFile(temp, nil, 0o600); err != nil {
			return err
		}
		return write(temp)
	}))
}

// toWAV writes a file as WAV with tags. Other formats are decoded first.
func (c *Codecs) toWAV(ctx context.Context, src, dst string, tags []tag, p progress) error {
	if found, _ := FormatOf(src); found == backend.FormatWAV {
		return copyWAV(ctx, src, dst, tags)
	}
	if len(tags) == 0 {
		return c.decodeTo(ctx, src, dst, conversion{}, p)
	}
	plain := dst + ".plain"
	defer func() { _ = os.Remove(plain) }()
	if err := c.decodeTo(ctx, src, plain, conversion{}, p); err != nil {
		return err
	}
	return copyWAV(ctx, plain, dst, tags)
}

// encoder returns the path of ffmpeg and its encoding of a format.
func (c *Codecs) encoder(ctx context.Context, format string) (program string, e encoding, err error) {
	all := encodings()
	i := slices.IndexFunc(all, func(e encoding) bool { return e.format == format })
	if i < 0 {
		return "", e, backend.E(backend.CodeUnsupportedMedia, fmt.Sprintf("There is no audio format %q.", format),
			"Use wav, flac, mp3, opus or m4a.")
	}
	program, have, err := c.ffmpeg.Find(ctx)
	if err != nil {
		return "", e, err
	}
	if !have[all[i].encoder] {
		c.ffmpeg.Forget()
		return "", e, errBrokenFFmpeg(format)
	}
	return program, all[i], nil
}

// Ready returns nil if a format can be written. Errors: runtime_missing without ffmpeg or its encoder, unsupported_media for
// an unknown format.
func (c *Codecs) Ready(ctx context.Context, format string) error {
	if format == backend.FormatWAV {
		return nil
	}
	_, _, err := c.encoder(ctx, format)
	return err
}

// MP3 writes audio in memory as MP3 of a constant bit rate in kbit/s, at its own rate, to w. Errors: runtime_missing without
// ffmpeg or its encoder, that of w, backend.ErrCancelled soon after ctx ends. A part may have been written before an error.
func (c *Codecs) MP3(ctx context.Context, sound Buffer, bitRate int, w io.Writer) error {
	program, _, err := c.encoder(ctx, backend.FormatMP3)
	if err != nil {
		return err
	}
	args := []string{
		"-protocol_whitelist", "pipe", "-f", "s16le", "-ar", strconv.Itoa(sound.Rate), "-ac", strconv.Itoa(sound.Channels), "-i", "pipe:0",
		"-c:a", "libmp3lame", "-b:a", strconv.Itoa(bitRate) + "k", "-f", "mp3", "pipe:1",
	}
	pcm := PCM16(make([]byte, 0, 2*len(sound.Samples)), sound.Samples)
	written := int64(0)
	err = ffmpeg{program: program, args: args, in: bytes.NewReader(pcm), read: func(r io.Reader) (err error) {
		written, err = io.Copy(w, r)
		return err
	}}.run(ctx)
	if err == nil && written == 0 {
		return errBrokenFFmpeg(backend.FormatMP3)
	}
	return err
}

func (c *Codecs) encode(ctx context.Context, src, dst, format string, tags []tag, bitRate int, p progress) error {
	program, e, err := c.encoder(ctx, format)
	if err != nil {
		return err
	}
	in, err := inputArgs(src)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(dst)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	// The tags contain words of the text. All users of the computer can read the arguments of a process.
	args := append(in, "-protocol_whitelist", "pipe", "-f", "ffmetadata", "-i", "pipe:0", "-map", "0:a:0", "-map_metadata", "1")
	args = slices.Concat(p.args(), args, e.args(bitRate), []string{"-y", "file:" + out})
	err = ffmpeg{program: program, args: args, in: strings.NewReader(ffmetadata(tags)), read: p.reader()}.run(ctx)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dst); err != nil || info.Size() == 0 {
		return errBrokenFFmpeg(format).WithCause(err)
	}
	return nil
}
