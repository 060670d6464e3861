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
	"github.com/voicewright/voicewright/engines"
)

const buffersPerSecond = 10

// call is one run of espeak-ng that turns a text into audio.
type call struct {
	args  []string
	text  string
	stall time.Duration // longest wait for a byte
}

// speak runs the process, emits its audio and waits for its end. Text is written while audio is read, so that neither side
// blocks the other.
func (c call) speak(parent context.Context, emit func(audio.Buffer) error) error {
	ctx, kill := context.WithCancelCause(parent)
	defer kill(nil)
	cmd, err := command(ctx, c.args...)
	if err != nil {
		return err
	}
	var stderr head
	cmd.Stdin, cmd.Stderr = strings.NewReader(c.text), &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return errFailed(parent, fmt.Errorf("open pipe: %w", err))
	}
	if err := cmd.Start(); err != nil {
		return errFailed(parent, fmt.Errorf("start: %w", err))
	}
	// Killing the process closes the pipe only when no other process has inherited it.
	defer context.AfterFunc(ctx, func() { _ = stdout.Close() })()

	var emitErr error
	watch := time.AfterFunc(c.stall, func() { kill(errStalled) })
	defer watch.Stop()
	left := c.stall + time.Duration(len(c.text))*byteTime
	err = emitWAV(ctx, stallReader{stdout, watch, c.stall, &left}, func(b audio.Buffer) error {
		emitErr = emit(b)
		return emitErr
	})
	if err != nil && !errors.Is(err, engines.ErrSilent) { // after silence the process ends by itself
		kill(err)
	}
	watch.Reset(c.stall) // a process may close its output and keep running
	waitErr := cmd.Wait()
	if errors.Is(waitErr, exec.ErrWaitDelay) && err == nil && cmd.ProcessState.Success() {
		waitErr = nil // it succeeded; on a busy machine its stderr was only closed late
	}
	switch {
	case emitErr != nil:
		return emitErr
	case errors.Is(err, engines.ErrSilent) && waitErr == nil:
		return backend.E(backend.CodeEngineFailed, "The voice produced only silence for this text.",
			"Choose a voice of the text's language.").WithCause(err)
	case err == nil && waitErr == nil:
		return nil
	}
	return errFailed(parent, fmt.Errorf("%w: %q", errors.Join(context.Cause(ctx), err, waitErr), stderr.buffer.String()))
}

// emitWAV reads a WAV stream to its end and emits its audio.
func emitWAV(ctx context.Context, from io.Reader, emit func(audio.Buffer) error) error {
	rate, err := readHeader(from)
	if err != nil {
		return err
	}
	pcm := make([]byte, rate/buffersPerSecond*2)
	samples := make([]float32, 0, len(pcm)/2)
	silent := true
	for {
		n, err := io.ReadFull(from, pcm)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if samples = appendSamples(samples[:0], pcm[:n]); len(samples) > 0 {
			silent = silent && !slices.ContainsFunc(samples, func(v float32) bool { return v != 0 })
			if err := emit(audio.Buffer{Samples: samples, Rate: rate, Channels: 1}); err != nil {
				return err
			}
		}
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("read samples: %w", err)
		case silent:
			return engines.ErrSilent
		default:
			return nil
		}
	}
}

// stallReader runs a timer during each Read, so that the time of the receiver does not count.
type stallReader struct {
	io.Reader
	watch *time.Timer
	limit time.Duration  // of each Read
	left  *time.Duration // of all of them, so that a process that goes on for ever, a byte at a time, ends too
}

func (r stallReader) Read(b []byte) (int, error) {
	began := time.Now()
	r.watch.Reset(max(0, min(r.limit, *r.left)))
	defer func() {
		r.watch.Stop()
		*r.left -= time.Since(began)
	}()
	return r.Reader.Read(b)
}

// head keeps the first headSize bytes that are written to it. The buffer is not embedded, because its ReadFrom would bypass
// the limit.
type head struct{ buffer bytes.Buffer }

const headSize = 2 << 10

// Write accepts all bytes and keeps those that fit.
func (h *head) Write(b []byte) (int, error) {
	keep := min(len(b), max(0, headSize-h.buffer.Len()))
	_, _ = h.buffer.Write(b[:keep])
	return len(b), nil
}
