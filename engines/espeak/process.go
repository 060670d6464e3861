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
	// sentinel is phoneme input whose output marks the end of the lines that belong to a clause. That output depends on the
	// voice, so every process gets the sentinel first.
	sentinel = "[[t@t@t@]]"
	// probe is phoneme input with another output.
	probe = "[[t@]]"
	// maxLine is how many bytes a line of input may have; espeak-ng reads at most 999.
	maxLine = 900
	// maxOutput is how many bytes the phonemes of a line may have.
	maxOutput = 1 << 20
)

var errMute = errors.New("the voice ignores phoneme input")

// process is a running espeak-ng that turns lines into phonemes. It serves one caller at a time.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	stdout io.Closer
	out    *bufio.Reader
	mark   string // output of the sentinel
	// stressed is the output of stressedWord, empty for voices that have none.
	stressed string
	stall    time.Duration
	kill     context.CancelFunc
}

// start runs espeak-ng for an accent and reads its mark. The process outlives ctx; stop ends it.
func start(ctx context.Context, a accent, stall time.Duration) (*process, error) {
	life, kill := context.WithCancel(context.WithoutCancel(ctx))
	// The program computes the audio even when it is quiet. A high and fast voice needs a third of that work and has the same
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
	if err := p.readMarks(ctx); err != nil {
		p.stop()
		return nil, fmt.Errorf("read output of sentinel: %w", err)
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

// readMarks reads the output of the sentinel and of stressedWord, and checks by the probe that other output differs.
func (p *process) readMarks(ctx context.Context) error {
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
	output, err := p.phonemes(ctx, probe)
	if err != nil {
		return err
	}
	if len(output) == 0 {
		return errMute
	}
	output, err = p.phonemes(ctx, stressedWord)
	p.stressed = strings.Join(output, "")
	return err
}

// phonemes returns the phonemes of a line, one string for each of its clauses that has any. After an error the process must
// be stopped.
func (p *process) phonemes(ctx context.Context, line string) ([]string, error) {
	var output []string
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
			if size += len(got) + 1; size > maxOutput {
				return errEndless
			}
			if got != "" {
				output = append(output, got)
			}
		}
	})
	return output, err
}

// line reads one line without the spaces around it.
func (p *process) line() (string, error) {
	raw, err := p.out.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	return string(bytes.Trim(bytes.ToValidUTF8(raw, []byte("\ufffd")), " \r\n")), nil
}

// guard runs an exchange with the process, which is killed when ctx ends or when the exchange stalls.
func (p *process) guard(ctx context.Context, exchange func() error) error {
	limited, cancel := context.WithTimeoutCause(ctx, p.stall, errStalled)
	defer cancel()
	stop := context.AfterFunc(limited, p.abort)
	err := exchange()
	if !stop() && err == nil {
		err = context.Cause(limited)
	}
	if err != nil {
		return errors.Join(context.Cause(limited), err)
	}
	return nil
}

// abort kills the process and closes the pipes, so that reads and writes return. It may be called at any time, also twice.
func (p *process) abort() {
	p.kill()
	_ = p.stdout.Close()
	_ = p.in.Close()
}

// stop kills the process and waits for its end.
func (p *process) stop() {
	p.abort()
	_ = p.cmd.Wait()
}
