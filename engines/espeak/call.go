package espeak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

const buffersPerSecond = 10

// call is one run of espeak-ng that turns a text into sound.
type call struct {
	args  []string
	text  string
	stall time.Duration // the longest wait for a byte
}

// speak runs the process, emits its sound and reaps it. The text is written beside the reading, so that neither side
// waits for the other.
func (c call) speak(parent context.Context, emit func(audio.Buffer) error) error {
	ctx, kill := context.WithCancelCause(parent)
	defer kill(nil)
	cmd, err := command(ctx, c.args...)
	if err != nil {
		return err
	}
	var complaint head
	cmd.Stdin, cmd.Stderr = strings.NewReader(c.text), &complaint
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return failed(parent, fmt.Errorf("open pipe: %w", err))
	}
	if err := cmd.Start(); err != nil {
		return failed(parent, fmt.Errorf("start: %w", err))
	}
	// The kill closes the pipe by itself only when nobody else has inherited it.
	defer context.AfterFunc(ctx, func() { _ = stdout.Close() })()

	var refused error
	watch := time.AfterFunc(c.stall, func() { kill(errStalled) })
	defer watch.Stop()
	err = sound(ctx, patient{stdout, watch, c.stall}, func(b audio.Buffer) error {
		refused = emit(b)
		return refused
	})
	if err != nil {
		kill(err)
	}
	watch.Reset(c.stall) // a process may close its output and not end
	ended := cmd.Wait()
	if errors.Is(ended, exec.ErrWaitDelay) && err == nil && cmd.ProcessState.Success() {
		ended = nil // it ended well; a busy machine was only late to close the pipe of its complaints
	}
	switch {
	case refused != nil:
		return refused
	case errors.Is(err, errSilent) && ended == nil:
		return backend.E(backend.CodeEngineFailed, "The voice made no sound for this text.",
			"Choose a voice of the text's language.").WithCause(err)
	case err == nil && ended == nil:
		return nil
	}
	return failed(parent, fmt.Errorf("%w: %q", errors.Join(context.Cause(ctx), err, ended), complaint.kept.String()))
}

var errSilent = errors.New("only silence")

// sound reads a WAV stream to its end and emits it.
func sound(ctx context.Context, from io.Reader, emit func(audio.Buffer) error) error {
	rate, err := readHeader(from)
	if err != nil {
		return err
	}
	pcm := make([]byte, rate/buffersPerSecond*2)
	silent := true
	for {
		n, err := io.ReadFull(from, pcm)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if s := samples(pcm[:n]); len(s) > 0 {
			silent = silent && !slices.ContainsFunc(s, func(v float32) bool { return v != 0 })
			if err := emit(audio.Buffer{Samples: s, Rate: rate, Channels: 1}); err != nil {
				return err
			}
		}
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("read samples: %w", err)
		case silent:
			return errSilent
		default:
			return nil
		}
	}
}

// patient arms a timer during each Read, so that the time which the receiver takes does not count.
type patient struct {
	io.Reader
	watch *time.Timer
	limit time.Duration
}

func (p patient) Read(b []byte) (int, error) {
	p.watch.Reset(p.limit)
	defer p.watch.Stop()
	return p.Reader.Read(b)
}

// head keeps the first part of what is written to it. The buffer is no embedded one: its ReadFrom would pass the limit by.
type head struct{ kept bytes.Buffer }

const headSize = 2 << 10

// Write takes everything and keeps what fits.
func (h *head) Write(b []byte) (int, error) {
	keep := min(len(b), max(0, headSize-h.kept.Len()))
	_, _ = h.kept.Write(b[:keep])
	return len(b), nil
}
