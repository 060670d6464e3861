package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio/internal/encoders"
	"github.com/voicewright/voicewright/backend/subprocess"
)

const killDelay = 100 * time.Millisecond // from the kill to giving up on the child's pipes

// inputFormats are the demuxers that ffmpeg may use: containers of audio and video that are one file. Playlists and lists of
// files are not among them, because these could name other files of this computer. Those of the last line have no mark at
// their start: ffmpeg takes them by the ending of the name alone, as with -f.
const inputFormats = "wav,w64,aiff,caf,au,flac,mp3,ogg,aac,ac3,mov,mp4,m4a,matroska,webm,amr,wv,ape,asf,tta," +
	"avi,flv,mpeg,mpegts,eac3,dts,dtshd,truehd,mlp,loas,mxf,gxf,dv,dhav,wtv,nut,nsv,nuv,pva,rm,ivr,dss,act,voc,ircam,sox," +
	"nistsphere,pvf,avr,qcp,shn,tak,mpc,mpc8,oma,aea,dsf,iff,vqf,xwma,rso,mmf,hcom,ilbc,codec2," +
	"gsm,g722,g723_1,g729,sln"

// inputArgs returns the arguments that open the file at path. Its name is never taken as an option, another protocol or a
// playlist, and a file that grows is read to its present end. Errors: those of openMedia, unsupported_media for a protected
// file.
func inputArgs(path string) ([]string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open audio: %w", err)
	}
	f, size, err := openMedia(abs)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if protected(f, size) {
		return nil, errProtected
	}
	input := fmt.Sprintf("subfile,,start,0,end,%d,,:file:%s", size, abs)
	args := []string{"-protocol_whitelist", "file,pipe,subfile", "-format_whitelist", inputFormats}
	if shortMP3(f, size) {
		args = append(args, "-f", "mp3")
	}
	return append(args, "-i", input), nil
}

// shortMP3 reports whether a file is MP3 of so few frames that ffmpeg may not recognise it.
func shortMP3(f io.ReaderAt, size int64) bool {
	const maxBytes = 16 << 10
	start := make([]byte, mp3HeaderBytes)
	if n, _ := f.ReadAt(start, 0); n < len(start) || size > maxBytes {
		return false
	}
	_, frame := parseMP3Header(start)
	_, err := newMP3Scanner(io.NewSectionReader(f, 0, size))
	return (frame || string(start[:3]) == "ID3") && err == nil
}

// ffmpeg is one run of the program.
type ffmpeg struct {
	program string
	args    []string
	in      io.Reader             // its standard input, nil for none
	read    func(io.Reader) error // reads its standard output, nil to discard it
	write   func(io.Writer) error // writes its standard input instead of in, nil for none; with it there is no read
}

// run runs ffmpeg to its end. It is killed when ctx ends, or read or write fails.
func (f ffmpeg) run(ctx context.Context) error {
	child, cancel := context.WithCancel(ctx)
	defer cancel()
	args := append([]string{"-nostdin", "-hide_banner", "-v", "error"}, f.args...)
	cmd := subprocess.Tool(child, []string{"LC_ALL=C"}, f.program, args...)
	cmd.WaitDelay = killDelay
	cmd.Stdin = f.in
	var words encoders.Messages
	cmd.Stderr = &words
	talk, err := f.pipe(child, cmd)
	if err != nil {
		return fmt.Errorf("start ffmpeg: %w", err)
	}
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		return encoders.Missing().WithCause(err)
	}
	talkErr := backend.Contain(talk)
	if talkErr != nil {
		cancel()
	}
	runErr := cmd.Wait()
	if errors.Is(runErr, exec.ErrWaitDelay) {
		runErr = nil // it succeeded and its output was read; only its messages were late, on a busy machine
	}
	if ctx.Err() != nil {
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	return f.result(talkErr, runErr, words.String())
}

// result returns the error of a run: that of what read or wrote, that of ffmpeg with its messages, or nil.
func (f ffmpeg) result(talkErr, runErr error, messages string) error {
	var format *FormatError
	switch {
	case talkErr != nil && f.write != nil, errors.As(talkErr, &format) && format.Class == ClassLimits:
		return talkErr
	case runErr != nil && (talkErr == nil || ended(talkErr) || format != nil && messages != ""):
		return ffmpegError(messages, runErr)
	case runErr == nil && talkErr == nil && (strings.Contains(messages, "Error closing file") || strings.Contains(messages, "No space left")):
		return ffmpegError(messages, errors.New("the end of the file is missing")) // ffmpeg 5.1 succeeds all the same
	}
	return talkErr
}

// pipe returns what reads the standard output of ffmpeg or writes its standard input while it runs.
func (f ffmpeg) pipe(ctx context.Context, cmd *exec.Cmd) (func() error, error) {
	switch {
	case f.read != nil:
		out, err := cmd.StdoutPipe()
		return func() error { return f.read(out) }, err
	case f.write != nil:
		in, err := cmd.StdinPipe()
		return func() error {
			// A program that ffmpeg started may hold the other end without reading it.
			defer context.AfterFunc(ctx, func() { _ = in.Close() })()
			return errors.Join(f.write(in), in.Close())
		}, err
	}
	return func() error { return nil }, nil
}

// ffmpegError returns the error for a failed run. The messages of ffmpeg themselves are logged.
func ffmpegError(messages string, cause error) error {
	var exit *exec.ExitError
	killed := errors.As(cause, &exit) && exit.String() == "signal: killed" // not by its own fault
	cause = fmt.Errorf("ffmpeg: %s: %w", encoders.LastLine(messages), cause)
	switch {
	case killed && messages == "":
		return backend.E(backend.CodeRuntimeMissing, "The program ffmpeg was ended from outside before it was done.",
			"Try again; when memory is short, close other programs first.").
			With("program", backend.ProgramFFmpeg).With("reason", "ended").WithCause(cause)
	case strings.Contains(messages, "No space left on device"), strings.Contains(messages, "Disk quota exceeded"):
		return backend.E(backend.CodeInsufficientDisk, "There is not enough space on the disk for the audio file.",
			"Make room and try again.").WithCause(cause)
	case strings.Contains(messages, "Unrecognized option"), strings.Contains(messages, "Option not found"):
		return backend.E(backend.CodeRuntimeMissing, "The ffmpeg on this computer is too old.", "Install a newer ffmpeg, or use wav.").
			With("program", backend.ProgramFFmpeg).With("reason", "old").WithCause(cause)
	case strings.Contains(messages, "matches no streams"):
		return errNoAudio.WithCause(cause)
	}
	return backend.E(backend.CodeUnsupportedMedia, "The audio file cannot be converted: "+encoders.Reason(messages)+".",
		"Try another file, or save it as WAV or FLAC first.").WithCause(cause)
}

// errBrokenFFmpeg returns the error for an ffmpeg that lacks the encoder of a format, or succeeds but writes nothing.
func errBrokenFFmpeg(format string) *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "The ffmpeg on this computer cannot write "+format+".",
		"Install a full build of ffmpeg, or use wav.").With("program", backend.ProgramFFmpeg).With("reason", "incomplete")
}
