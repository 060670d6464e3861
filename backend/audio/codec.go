package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// FormatAAC is raw AAC (ADTS), which is written to HTTP responses only. Files of it can be read.
const FormatAAC = "aac"

const probeTimeout = 30 * time.Second // ffmpeg responds at once, but not on a very busy machine

// encoding has the arguments with which ffmpeg writes a format.
type encoding struct {
	format  string
	encoder string   // as `ffmpeg -encoders` names it
	args    []string // muxer, codec and quality
}

// encodings returns the formats that ffmpeg writes, in the order of Encoders.
func encodings() []encoding {
	return []encoding{
		{backend.FormatFLAC, "flac", []string{"-c:a", "flac", "-f", "flac"}},
		{backend.FormatMP3, "libmp3lame", []string{"-c:a", "libmp3lame", "-q:a", "2", "-f", "mp3"}},
		{backend.FormatOpus, "libopus", []string{"-c:a", "libopus", "-b:a", "64k", "-f", "opus"}},
		{backend.FormatM4A, "aac", []string{"-c:a", "aac", "-b:a", "96k", "-movflags", "+faststart", "-f", "ipod"}},
		{FormatAAC, "aac", []string{"-c:a", "aac", "-b:a", "96k", "-f", "adts"}},
	}
}

// FormatOf returns the audio format of a file name by its extension.
func FormatOf(path string) (string, bool) {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if slices.Contains(backend.AudioFormats(), ext) {
		return ext, true
	}
	return "", false
}

// Codecs encodes and decodes audio with the ffmpeg program, which runs as a child process. It is safe for concurrent use.
// Without ffmpeg only WAV works; other formats are the error runtime_missing.
type Codecs struct {
	mu      sync.Mutex
	program string          // absolute path once found
	have    map[string]bool // encoders, once probed
	probing *probe          // in progress, nil without one
}

// probe is a run of ffmpeg that lists its encoders. All concurrent callers wait for the same one.
type probe struct {
	done chan struct{}
	err  error // once done is closed
}

// FindCodecs returns Codecs that look up ffmpeg on the PATH when it is first needed, and again until it is found, so that it
// may be installed while the program runs.
func FindCodecs() *Codecs { return &Codecs{} }

// Encoders returns the formats that can be written: wav always, then those of the ffmpeg that was found.
func (c *Codecs) Encoders(ctx context.Context) []string {
	formats := []string{backend.FormatWAV}
	_, have, err := c.find(ctx)
	if err != nil {
		return formats
	}
	for _, e := range encodings() {
		if have[e.encoder] {
			formats = append(formats, e.format)
		}
	}
	return formats
}

// find returns the path of ffmpeg and its encoders. It looks them up once. When ctx ends it returns while the probe
// continues, so that an ffmpeg that hangs does not block the caller.
func (c *Codecs) find(ctx context.Context) (string, map[string]bool, error) {
	c.mu.Lock()
	if c.have != nil {
		defer c.mu.Unlock()
		return c.program, c.have, nil
	}
	if c.probing == nil {
		program, err := exec.LookPath("ffmpeg")
		if err == nil {
			program, err = filepath.Abs(program)
		}
		if err != nil {
			c.mu.Unlock()
			return "", nil, missingFFmpeg().WithCause(err)
		}
		c.probing = &probe{done: make(chan struct{})}
		go c.probe(c.probing, program)
	}
	asked := c.probing
	c.mu.Unlock()
	select {
	case <-asked.done:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", nil, unresponsiveFFmpeg().WithCause(ctx.Err())
		}
		return "", nil, backend.ErrCancelled.WithCause(ctx.Err())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.program, c.have, asked.err
}

// probe runs ffmpeg to list its encoders.
func (c *Codecs) probe(p *probe, program string) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	var list strings.Builder
	err := backend.Contain(func() error {
		return ffmpeg{program: program, args: []string{"-encoders"}, read: func(r io.Reader) error {
			_, err := io.Copy(&list, io.LimitReader(r, 1<<20))
			return err
		}}.run(ctx)
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.probing = nil
	switch {
	case err == nil:
		c.program, c.have = program, encoderNames(list.String())
	case ctx.Err() != nil:
		p.err = unresponsiveFFmpeg().WithCause(err)
	default:
		p.err = fmt.Errorf("ask ffmpeg for its encoders: %w", err)
	}
	close(p.done)
}

// encoderNames returns the names in the audio lines of `ffmpeg -encoders`: " A....D flac   FLAC (...)".
func encoderNames(list string) map[string]bool {
	have := make(map[string]bool)
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) >= 2 && strings.HasPrefix(f[0], "A") && f[1] != "=" {
			have[f[1]] = true
		}
	}
	return have
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
	return replaceFile(dst, func(temp string) error {
		if format == backend.FormatWAV {
			return c.toWAV(ctx, src, temp, tags)
		}
		return c.encode(ctx, src, temp, format, tags)
	})
}

// DecodeFile writes a compressed file to dst as a WAV file at rate Hz; 0 keeps the rate of the decoder, which is 48 kHz for
// all Opus files. dst appears complete or not at all. Errors: those of Encode.
func (c *Codecs) DecodeFile(ctx context.Context, src, dst string, rate int) error {
	var convert []string
	if rate > 0 {
		convert = []string{"-ar", strconv.Itoa(rate)}
	}
	return replaceFile(dst, func(temp string) error { return c.decodeTo(ctx, src, temp, convert...) })
}

// replaceFile replaces dst with the file that write writes. Only the user may read it.
func replaceFile(dst string, write func(temp string) error) error {
	return files.Place(dst, func(temp string) error {
		// Created before ffmpeg runs, for its mode and for the error of the system if the folder is missing or not writable.
		if err := os.WriteFile(temp, nil, 0o600); err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		return write(temp)
	})
}

// toWAV writes a file as WAV with tags. Other formats are decoded first.
func (c *Codecs) toWAV(ctx context.Context, src, dst string, tags []tag) error {
	if found, _ := FormatOf(src); found == backend.FormatWAV {
		return copyWAV(ctx, src, dst, tags)
	}
	if len(tags) == 0 {
		return c.decodeTo(ctx, src, dst)
	}
	plain := dst + ".plain"
	defer func() { _ = os.Remove(plain) }()
	if err := c.decodeTo(ctx, src, plain); err != nil {
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
	program, have, err := c.find(ctx)
	if err != nil {
		return "", e, err
	}
	if !have[all[i].encoder] {
		return "", e, brokenFFmpeg(format)
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

func (c *Codecs) encode(ctx context.Context, src, dst, format string, tags []tag) error {
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
	args = append(append(args, e.args...), "-y", "file:"+out)
	err = ffmpeg{program: program, args: args, in: strings.NewReader(ffmetadata(tags))}.run(ctx)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dst); err != nil || info.Size() == 0 {
		return brokenFFmpeg(format).WithCause(err)
	}
	return nil
}

// ffmetadata returns tags in the file format of ffmpeg.
func ffmetadata(tags []tag) string {
	var out strings.Builder
	out.WriteString(";FFMETADATA1\n")
	escape := strings.NewReplacer(`\`, `\\`, "=", `\=`, ";", `\;`, "#", `\#`)
	for _, t := range tags {
		out.WriteString(t.key + "=" + escape.Replace(t.value) + "\n")
	}
	return out.String()
}

// tag is one piece of metadata.
type tag struct{ key, value string }

// cleanTags returns tags in the order of their names, with valid names and without control characters in their values.
func cleanTags(meta map[string]string) ([]tag, error) {
	name := regexp.MustCompile(`^[a-z][a-z_]{0,30}$`)
	var tags []tag
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if !name.MatchString(key) {
			return nil, fmt.Errorf("encode: %q is no name for metadata", key)
		}
		value := strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7F {
				return ' '
			}
			return r
		}, meta[key])
		if value = strings.TrimSpace(value); value != "" {
			tags = append(tags, tag{key, strings.ToValidUTF8(value, "?")})
		}
	}
	return tags, nil
}

// brokenFFmpeg returns the error for an ffmpeg that lacks the encoder of a format, or succeeds but writes nothing.
func brokenFFmpeg(format string) *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "The ffmpeg on this computer cannot write "+format+".",
		"Install a full build of ffmpeg, or use wav.").With("program", "ffmpeg")
}

// unresponsiveFFmpeg returns the error for an ffmpeg that does not respond in time.
func unresponsiveFFmpeg() *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "The program ffmpeg isn’t responding.",
		"Run `ffmpeg -encoders` in a terminal to see why, or use WAV files.").With("program", "ffmpeg")
}

// missingFFmpeg returns the error for a system without ffmpeg.
func missingFFmpeg() *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "This needs the program ffmpeg, which was not found.",
		installFFmpeg(runtime.GOOS)).With("program", "ffmpeg")
}

// installFFmpeg returns how to install ffmpeg on an operating system.
func installFFmpeg(goos string) string {
	switch goos {
	case "darwin":
		return "Install it with `brew install ffmpeg`, or use WAV files."
	case "windows":
		return "Install it with `winget install ffmpeg` and start Voicewright again, or use WAV files."
	case "linux":
		return "Install it with `sudo apt install ffmpeg` (Fedora: `sudo dnf install ffmpeg-free`, " +
			"Arch: `sudo pacman -S ffmpeg`), or use WAV files."
	}
	return "Install ffmpeg with the system's package manager, or use WAV files."
}
