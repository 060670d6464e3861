package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// FormatM4B is AAC in an MP4 file with chapters, as players of audiobooks read it. Only EncodeFrom writes it.
const FormatM4B = "m4b"

// MaxBothLists is the number of chapters up to which an m4b file has both lists of them: the track of QuickTime and the list of
// Nero, which counts in one byte.
const MaxBothLists = 255

// M4BBitRate is the usual bit rate of m4b files in kbit/s for a channel.
const M4BBitRate = 64

// Chapter is a part of a file that players list.
type Chapter struct {
	Title string // not empty: players count chapters wrongly that have none
	Start int64  // frames before it; 0 for the first
}

// Target describes the file that EncodeFrom writes.
type Target struct {
	Format         string // one of backend.AudioFormats, FormatAAC or FormatM4B
	Rate, Channels int    // of the samples, in Hz and interleaved
	BitRate        int    // kbit/s of lossy formats; 0 = the usual one
	Language       string // of the speech, three letters of ISO 639-2; "" = unknown

	Tags map[string]string // title, artist, comment, ...; not of m4b

	Chapters []Chapter // of m4b, in order
	Frames   int64     // of all samples, where there are chapters
}

// EncodeFrom writes the samples that write emits to the file path, which must exist, and not atomically. The samples go to one run
// of ffmpeg, so that memory is flat for any length. Chapters are exact to a millisecond at any length in the track of QuickTime
// and to a sample in the list of Nero. Errors: runtime_missing without an ffmpeg that writes the format, unsupported_media for an
// unknown one, insufficient_disk, that of write, backend.ErrCancelled soon after ctx ends.
func (c *Codecs) EncodeFrom(ctx context.Context, path string, t Target, write func(emit func([]float32) error) error) error {
	tags, err := cleanTags(t.Tags)
	if err != nil {
		return err
	}
	if t.Format == backend.FormatWAV {
		return writeWAV(ctx, path, t, write)
	}
	program, e, err := c.target(ctx, t)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	meta := out + ".tags" // the standard input is taken, and all users of the computer can read the arguments of a process
	defer func() { _ = os.Remove(meta) }()
	if err := os.WriteFile(meta, []byte(ffmetadata(tags)+ffchapters(t)), 0o600); err != nil {
		return backend.FileError("encode", "the exported file", err)
	}
	args := []string{
		"-protocol_whitelist", "pipe", "-f", "s16le", "-ar", strconv.Itoa(t.Rate), "-ac", strconv.Itoa(t.Channels), "-i", "pipe:0",
		"-protocol_whitelist", "file", "-f", "ffmetadata", "-i", "file:" + meta,
		"-map", "0:a:0", "-map_metadata", "1", "-map_chapters", "1",
	}
	if t.Language != "" {
		args = append(args, "-metadata:s:a:0", "language="+t.Language)
	}
	args = slices.Concat(args, e.args(t.BitRate), []string{"-y", "file:" + out})
	if err := feed(ctx, program, args, t.Format, write); err != nil {
		return err
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return errBrokenFFmpeg(t.Format).WithCause(err)
	}
	return nil
}

// target returns the path of ffmpeg and its encoding of a target.
func (c *Codecs) target(ctx context.Context, t Target) (program string, e encoding, err error) {
	if t.Format != FormatM4B {
		return c.encoder(ctx, t.Format)
	}
	program, e, err = c.encoder(ctx, backend.FormatM4A)
	if backend.CodeOf(err) == backend.CodeRuntimeMissing && backend.AsError(err).Params["reason"] == "incomplete" {
		err = errBrokenFFmpeg(FormatM4B).WithCause(err)
	}
	e.quality = []string{"-b:a", strconv.Itoa(M4BBitRate*t.Channels) + "k"}
	e.muxer = []string{"-brand", "M4B ", "-f", "ipod"}
	if len(t.Chapters) > MaxBothLists {
		e.muxer = append([]string{"-movflags", "+disable_chpl"}, e.muxer...)
	}
	return program, e, err
}

// feed runs ffmpeg with the samples that write emits.
func feed(ctx context.Context, program string, args []string, format string, write func(emit func([]float32) error) error) error {
	var raw []byte
	var stopped, source error
	err := ffmpeg{program: program, args: args, write: func(w io.Writer) error {
		source = write(func(samples []float32) error {
			raw = PCM16(raw[:0], samples)
			_, stopped = w.Write(raw)
			return stopped
		})
		if stopped != nil {
			source = nil // its messages say why ffmpeg ended
		}
		return source
	}}.run(ctx)
	switch {
	case err == nil && stopped != nil:
		return errBrokenFFmpeg(format).WithCause(stopped)
	case source == nil && backend.CodeOf(err) == backend.CodeUnsupportedMedia: // it is never the samples
		return errBrokenFFmpeg(format).WithCause(err)
	}
	return err
}

// writeWAV writes the samples that write emits as WAV.
func writeWAV(ctx context.Context, path string, t Target, write func(emit func([]float32) error) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return backend.FileError("encode", "the exported file", err)
	}
	w, err := NewWAVWriter(f, t.Rate, t.Channels)
	if err == nil {
		err = w.Tag(t.Tags)
	}
	if err == nil {
		err = write(func(samples []float32) error {
			if err := ctx.Err(); err != nil {
				return backend.ErrCancelled.WithCause(err)
			}
			return w.Write(samples)
		})
	}
	if err == nil {
		err = w.Close()
	}
	return backend.FileError("encode", "the exported file", errors.Join(err, f.Close()))
}

// ffchapters returns the chapters of a target in the file format of ffmpeg, in frames: ffmpeg rounds each once.
func ffchapters(t Target) string {
	var out strings.Builder
	for i, chapter := range t.Chapters {
		end := t.Frames
		if i+1 < len(t.Chapters) {
			end = t.Chapters[i+1].Start
		}
		title := cleanTag(chapter.Title)
		fmt.Fprintf(&out, "[CHAPTER]\nTIMEBASE=1/%d\nSTART=%d\nEND=%d\n%s\n", t.Rate, chapter.Start, end, tag{"title", title})
	}
	return out.String()
}
