//go:build linux

// Command latency measures how long a passage that is ready takes until it is heard, and how much longer than its file all that
// is heard lasts. It runs a command with a sound server of its own and a built-in voice that notes when it has spoken, listens to
// the output of the server, and prints a table.
//
//	latency COMMAND [ARGUMENTS]
//
// The command finds the folder of the measurement in LATENCY. It writes the name of what plays to the file "player". While the
// file "hold" exists, the voice waits before texts with the word "Second". The file "sound" exists while there is sound, up to
// three seconds after its end. Each sound after silence is one measurement; the command then copies the file of what was heard to
// the folder "files", named 1.wav, 2.wav and so on.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/build/sound"
)

const (
	goal    = 300 * time.Millisecond
	rate    = 48_000
	audible = 327             // of 32767: -40 dB
	silence = 3 * time.Second // longer than every pause
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: latency COMMAND [ARGUMENTS]")
		os.Exit(2)
	}
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

// run measures what a command plays.
func run(ctx context.Context, command []string) (err error) {
	dir, err := os.MkdirTemp("", "latency-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := writeVoice(dir); err != nil {
		return err
	}
	server, err := sound.Start(ctx, filepath.Join(dir, "server"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if _, err := server.Control(ctx, "set-default-sink", sound.Output); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	env := append(os.Environ(), "PULSE_SERVER=unix:"+server.Socket(), "LATENCY="+dir,
		"PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	l := &listener{dir: dir}
	done := make(chan error, 1)
	go func() { done <- l.listen(ctx, env) }()
	played := start(ctx, env, command[0], command[1:]...)
	played.Stdout, played.Stderr = os.Stderr, os.Stderr
	failed := played.Run()
	cancel()
	if err := errors.Join(failed, <-done); err != nil {
		return err
	}
	return l.print(os.Stdout)
}

// start returns a command that ends with ctx.
func start(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...) //nolint:forbidigo // it needs an environment of its own
	cmd.Env = env
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	return cmd
}

// writeVoice writes an espeak-ng that appends the time at which it has spoken to the file "spoken".
func writeVoice(dir string) error {
	voice, err := exec.LookPath("espeak-ng")
	if err != nil {
		return fmt.Errorf("find the built-in voice (run: build/setup): %w", err)
	}
	for _, folder := range []string{"bin", "files"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			return err
		}
	}
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in *--stdout*) ;; *) exec %[1]s "$@" ;; esac
text=$(cat)
case "$text" in *Second*) while [ -e %[2]s/hold ]; do sleep 0.05; done ;; esac
printf '%%s' "$text" | %[1]s "$@" || exit
date +%%s%%N >>%[2]s/spoken
`, voice, dir)
	return os.WriteFile(filepath.Join(dir, "bin", "espeak-ng"), []byte(script), 0o700)
}

// measurement is one sound.
type measurement struct {
	player string
	took   time.Duration // since its first passage was ready
	lasted time.Duration // from the first to the last sample that can be heard
}

// listener hears the output of a sound server.
type listener struct {
	dir       string
	quiet     time.Time // since when, the zero time while there is sound
	began     time.Time // the sound
	all       []measurement
	unmatched int // sounds before which no passage was ready
}

// listen measures until ctx ends.
func (l *listener) listen(ctx context.Context, env []string) error {
	cmd := start(ctx, env, "parec", "--latency-msec=5", "--format=s16le", "--rate="+strconv.Itoa(rate), "--channels=1",
		"--device="+sound.Microphone)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("listen (run: build/setup --sound): %w", err)
	}
	err = l.read(out)
	if wait := cmd.Wait(); ctx.Err() == nil {
		return errors.Join(err, wait)
	}
	return nil
}

// read measures what it reads, and notes whether there is sound.
func (l *listener) read(r io.Reader) error {
	l.quiet = time.Now()
	raw := make([]byte, rate/100*2)
	last := l.quiet // when there was sound
	for {
		if _, err := io.ReadFull(r, raw); err != nil {
			return err
		}
		now := time.Now()
		if at := firstAudible(raw); at >= 0 {
			last = now
			if !l.quiet.IsZero() {
				l.hear(now.Add(-time.Duration(len(raw)/2-at) * time.Second / rate))
			}
		} else if l.quiet.IsZero() && now.Sub(last) > silence {
			l.quiet = last
			if n := len(l.all); n > 0 {
				l.all[n-1].lasted = last.Sub(l.began)
			}
			if err := os.Remove(l.path("sound")); err != nil {
				return err
			}
		}
	}
}

func (l *listener) path(name string) string { return filepath.Join(l.dir, name) }

// firstAudible returns the first sample that can be heard, -1 if there is none.
func firstAudible(raw []byte) int {
	for i := range len(raw) / 2 {
		if x := int16(binary.LittleEndian.Uint16(raw[2*i:])); x > audible || x < -audible {
			return i
		}
	}
	return -1
}

// hear measures the sound that began at a time, after silence.
func (l *listener) hear(at time.Time) {
	defer func() { l.quiet, l.began = time.Time{}, at }()
	_ = os.WriteFile(l.path("sound"), nil, 0o600) // without it the command reports that it heard nothing
	player, _ := os.ReadFile(l.path("player"))
	spoken, _ := os.ReadFile(l.path("spoken"))
	for line := range strings.Lines(string(spoken)) {
		ns, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		if ready := time.Unix(0, ns); err == nil && ready.After(l.quiet) {
			l.all = append(l.all, measurement{player: strings.TrimSpace(string(player)), took: at.Sub(ready)})
			return
		}
	}
	l.unmatched++
}

// longer returns how much longer each sound lasted than its file.
func (l *listener) longer() ([]time.Duration, error) {
	var out []time.Duration
	for n, m := range l.all {
		file, err := os.Open(l.path(fmt.Sprintf("files/%d.wav", n+1)))
		if err != nil {
			return nil, err
		}
		lasts, err := audibleTime(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
		out = append(out, m.lasted-lasts)
	}
	return out, nil
}

// audibleTime returns the time from the first to the last sample of a WAV file that can be heard.
func audibleTime(r io.Reader) (time.Duration, error) {
	sound, err := audio.ReadWAV(r)
	if err != nil {
		return 0, err
	}
	isAudible := func(x float32) bool { return x > audible/32767. || x < -audible/32767. }
	first := slices.IndexFunc(sound.Samples, isAudible)
	last := len(sound.Samples)
	for last > 0 && !isAudible(sound.Samples[last-1]) {
		last--
	}
	return time.Duration(last-first) * time.Second / time.Duration(sound.Rate*sound.Channels), nil
}

// print writes two lines for each player, in ms.
func (l *listener) print(w io.Writer) error {
	if l.unmatched > 0 {
		return fmt.Errorf("%d sounds began before a passage was ready", l.unmatched)
	}
	if len(l.all) == 0 {
		return errors.New("nothing was heard")
	}
	longer, err := l.longer()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "player\tms\truns\tfirst\tleast\tmedian\tmost")
	for from, to := 0, 0; from < len(l.all); from = to {
		player := l.all[from].player
		var took []time.Duration
		for to = from; to < len(l.all) && l.all[to].player == player; to++ {
			took = append(took, l.all[to].took)
		}
		printLine(table, player, fmt.Sprintf("until it is heard (goal %d)", goal.Milliseconds()), took)
		printLine(table, player, "longer than its file", longer[from:to])
	}
	return table.Flush()
}

func printLine(w io.Writer, player, what string, times []time.Duration) {
	first, sorted := times[0], slices.Sorted(slices.Values(times))
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", player, what, len(times), first.Milliseconds(), sorted[0].Milliseconds(),
		sorted[len(sorted)/2].Milliseconds(), sorted[len(sorted)-1].Milliseconds())
}
