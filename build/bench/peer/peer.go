// Package peer runs what others have written on the same work, for benchmarks: scripts of build/bench/peers with the libraries that
// bench has installed.
package peer

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Python is the environment variable that names the interpreter with the libraries.
const Python = "VOICEWRIGHT_PEERS"

// environment keeps the libraries from calling home, and from other settings of whoever measures.
var environment = []string{
	"HF_HUB_DISABLE_TELEMETRY=1", "HF_HUB_DISABLE_UPDATE_CHECK=1", "HF_HUB_DISABLE_PROGRESS_BARS=1", "DO_NOT_TRACK=1",
	"PYTHONDONTWRITEBYTECODE=1",
	"NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1",
}

// Process is a script that waits for work.
type Process struct {
	in  *json.Encoder
	out *bufio.Reader
}

// Result is what a piece of work took.
type Result struct {
	Took      time.Duration // on the clock, until the answer was there
	Processor float64       // seconds, of the script
	Amount    float64       // what the script says of its work, such as the seconds of sound
	PeakMB    float64       // the most memory that the script has had, since its start
}

// Start starts a script and waits until it has loaded what it needs. The benchmark is skipped where the libraries are not installed.
func Start(b *testing.B, root, script string, args ...string) *Process {
	b.Helper()
	python := os.Getenv(Python)
	if python == "" {
		b.Skip("the libraries of others are not installed; make bench installs them")
	}
	ctx, cancel := context.WithCancel(context.Background())
	args = append([]string{filepath.Join(root, "build", "bench", "peers", script)}, args...)
	cmd := exec.CommandContext(ctx, python, args...) //nolint:forbidigo // it needs an environment of its own
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		cancel()
		_ = cmd.Wait()
	})
	p := &Process{in: json.NewEncoder(in), out: bufio.NewReader(out)}
	p.read(b)
	return p
}

// Do has the script do a piece of work, and returns when it is done.
func (p *Process) Do(b *testing.B, work any) Result {
	b.Helper()
	start := time.Now()
	require.NoError(b, p.in.Encode(work))
	r := p.read(b)
	r.Took = time.Since(start)
	return r
}

func (p *Process) read(b *testing.B) (r Result) {
	b.Helper()
	line, err := p.out.ReadBytes('\n')
	require.NoError(b, err, "the script ended")
	require.NoError(b, json.Unmarshal(line, &r))
	return r
}
