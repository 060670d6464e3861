package espeak

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

const (
	// sentinel is phoneme input whose answer marks the end of the lines that belong to a clause. How the answer is
	// spelled depends on the voice, so every process is asked for it first.
	sentinel = "[[t@t@t@]]"
	// probe is phoneme input with another answer.
	probe = "[[t@]]"
	// longestLine is what one line of input may have in bytes; espeak-ng reads at most 999.
	longestLine = 900
	// longestAnswer bounds what a clause can give.
	longestAnswer = 1 << 20
)

var errMute = errors.New("the voice does not answer phoneme input")

// process is a running espeak-ng that turns lines into phonemes. One caller at a time may ask it.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	stdout io.Closer
	out    *bufio.Reader
	mark   string // the answer to the sentinel
	// stressed is the answer to stressedWord, empty where the voice gives none.
	stressed string
	stall    time.Duration
	kill     context.CancelFunc
}

// start runs espeak-ng for an accent and learns its mark. The process outlives ctx; it ends by stop.
func start(ctx context.Context, a accent, stall time.Duration) (*process, error) {
	life, kill := context.WithCancel(context.WithoutCancel(ctx))
	// The program computes the sound even when it is quiet. A high and fast voice is a third of that work, with the same
	// phonemes.
	args := []string{"-q", "-b", "1", "-p", "99", "-s", "400", "-v", a.voice, "--ipa"}
	if a.tie {
		args = append(args, "--tie=^")
	}
	cmd, err := command(life, args...)
	if err != nil {
		kill()
		return nil, err
	}
	p := &process{cmd: cmd, stall: stall, kill: kill}
	if err := p.open(); err != nil {
		kill()
		return nil, fmt.Errorf("start: %w", err)
	}
	if err := p.learn(ctx); err != nil {
		p.stop()
		return nil, fmt.Errorf("learn sentinel: %w", err)
	}
	return p, nil
}

func (p *process) open() error {
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.in, p.stdout, p.out = in, stdout, bufio.NewReaderSize(stdout, 64<<10)
	return p.cmd.Start()
}

// learn asks for the mark, and checks by the probe that other answers differ from it.
func (p *process) learn(ctx context.Context) error {
	err := p.guard(ctx, func() error {
		if _, err := io.WriteString(p.in, sentinel+"\n"); err != nil {
			return err
		}
		line, err := p.line()
		p.mark = line
		return err
	})
	if err != nil {
		return err
	}
	if p.mark == "" {
		return errMute
	}
	answer, err := p.ask(ctx, probe)
	if err != nil {
		return err
	}
	if len(answer) == 0 {
		return errMute
	}
	answer, err = p.ask(ctx, stressedWord)
	p.stressed = strings.Join(answer, "")
	return err
}

// ask gives the phonemes of a line, one string for each of its clauses that has any. After an error the process must
// be stopped.
func (p *process) ask(ctx context.Context, line string) ([]string, error) {
	var answer []string
	size := 0
	err := p.guard(ctx, func() error {
		if _, err := io.WriteString(p.in, line+"\n"+sentinel+"\n"); err != nil {
			return err
		}
		for {
			got, err := p.line()
			if err != nil {
				return err
			}
			if got == p.mark {
				return nil
			}
			if size += len(got) + 1; size > longestAnswer {
				return errEndless
			}
			if got != "" {
				answer = append(answer, got)
			}
		}
	})
	return answer, err
}

// line reads one line without the spaces around it.
func (p *process) line() (string, error) {
	raw, err := p.out.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	return string(bytes.Trim(bytes.ToValidUTF8(raw, []byte("\ufffd")), " \r\n")), nil
}

// guard runs a conversation and breaks it off by killing the process when ctx ends or when it takes too long.
func (p *process) guard(ctx context.Context, talk func() error) error {
	limited, cancel := context.WithTimeoutCause(ctx, p.stall, errStalled)
	defer cancel()
	unhook := context.AfterFunc(limited, p.abort)
	err := talk()
	if !unhook() && err == nil {
		err = context.Cause(limited)
	}
	if err != nil {
		return errors.Join(context.Cause(limited), err)
	}
	return nil
}

// abort kills the process and closes the pipes, so that whoever reads or writes them returns. It may be called at any
// time, also twice.
func (p *process) abort() {
	p.kill()
	_ = p.stdout.Close()
	_ = p.in.Close()
}

// stop ends the process and reaps it.
func (p *process) stop() {
	p.abort()
	_ = p.cmd.Wait()
}
