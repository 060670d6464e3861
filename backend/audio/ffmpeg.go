package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	killDelay  = 100 * time.Millisecond // from the kill to giving up on the child's pipes
	maxMessage = 200                    // bytes of ffmpeg's own words in an error
)

// soundFormats are the demuxers that ffmpeg may use: containers of sound only. Playlists are not among them,
// because a playlist could name other files of this computer.
const soundFormats = "wav,w64,aiff,caf,au,flac,mp3,ogg,aac,mov,mp4,m4a,matroska,webm,amr,wv,ape,asf,tta"

// inputArgs gives the arguments that open the file at path, whatever it is called: never as an option, another
// protocol or a playlist.
func inputArgs(path string) ([]string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open sound: %w", err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return nil, fmt.Errorf("open sound: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, formatErrorf(ClassUnsupported, "it is not a file")
	}
	return []string{
		"-protocol_whitelist", "file,pipe", "-format_whitelist", soundFormats, "-i", "file:" + abs,
	}, nil
}

// ffmpeg is one run of the program.
type ffmpeg struct {
	program string
	args    []string
	in      io.Reader             // its standard input, nil for none
	read    func(io.Reader) error // reads its standard output, nil where nobody reads it
}

// run runs ffmpeg to its end. It is killed when ctx ends or read fails.
func (f ffmpeg) run(ctx context.Context) error {
	child, cancel := context.WithCancel(ctx)
	defer cancel()
	args := append([]string{"-nostdin", "-hide_banner", "-v", "error"}, f.args...)
	cmd := backend.ToolCommand(child, []string{"LC_ALL=C"}, f.program, args...)
	cmd.WaitDelay = killDelay
	cmd.Stdin = f.in
	var words tailWriter
	cmd.Stderr = &words
	out, err := f.output(cmd)
	if err != nil {
		return fmt.Errorf("start ffmpeg: %w", err)
	}
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		return missingFFmpeg().WithCause(err)
	}
	var readErr error
	if f.read != nil {
		if readErr = f.read(out); readErr != nil {
			cancel()
		}
	}
	runErr := cmd.Wait()
	if errors.Is(runErr, exec.ErrWaitDelay) {
		runErr = nil // it ended well and its output was read; only its words were late, on a busy machine
	}
	var format *FormatError
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	case errors.As(readErr, &format) && format.Class == ClassLimits:
		return readErr
	case runErr != nil && (readErr == nil || ended(readErr) || len(words.kept) > 0):
		return ffmpegError(string(words.kept), runErr)
	}
	return readErr
}

// output returns the pipe of what ffmpeg writes, nil where nobody reads it.
func (f ffmpeg) output(cmd *exec.Cmd) (io.ReadCloser, error) {
	if f.read == nil {
		return nil, nil
	}
	return cmd.StdoutPipe()
}

// ffmpegError turns ffmpeg's words into an error for the user; the words themselves go to the log.
func ffmpegError(words string, cause error) error {
	cause = fmt.Errorf("ffmpeg: %s: %w", lastLine(words), cause)
	if strings.Contains(words, "No space left on device") {
		return backend.E(backend.CodeInsufficientDisk, "There is not enough space on the disk for the sound file.",
			"Make room and try again.").WithCause(cause)
	}
	return backend.E(backend.CodeUnsupportedMedia, "The sound file cannot be converted: "+reason(words)+".",
		"Try another file, or save it as WAV or FLAC first.").WithCause(cause)
}

// reason is the end of ffmpeg's last line, which says what is wrong without naming the file.
func reason(words string) string {
	line := lastLine(words)
	if i := strings.LastIndex(line, ": "); i >= 0 {
		line = line[i+2:]
	}
	line = strings.TrimSpace(strings.TrimRight(line, ". "))
	if line == "" || strings.ContainsAny(line, `/\`) {
		return "ffmpeg gave up"
	}
	return strings.ToLower(line[:1]) + line[1:]
}

// lastLine gives the last line of text, at most maxMessage bytes of it.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := strings.TrimSpace(lines[len(lines)-1])
	if len(line) > maxMessage {
		line = line[len(line)-maxMessage:]
	}
	return strings.ToValidUTF8(line, "?")
}

// tailWriter keeps the last few kilobytes of what is written.
type tailWriter struct{ kept []byte }

func (w *tailWriter) Write(p []byte) (int, error) {
	const most = 4 << 10
	w.kept = append(w.kept, p[max(0, len(p)-most):]...)
	w.kept = w.kept[max(0, len(w.kept)-most):]
	return len(p), nil
}
