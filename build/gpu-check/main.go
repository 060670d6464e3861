// Gpu-check tries the graphics card of this machine with the built program, and prints one page: what was found, what each engine does
// on the processor and on the card, and what happens when the card fails. Without a card it tries the processor alone.
//
//	gpu-check [flags] PROGRAM
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gpu-check:", err)
		os.Exit(1) //nolint:gocritic // stop frees nothing that the end of the process does not
	}
}

// options are the flags.
type options struct {
	program  string
	device   string // of the settings; empty: the first that can be used
	models   string // a models directory; empty: the small models below
	voice    string // a folder with a voice, to import
	listener string // a compressed model of Whisper, to import
	keep     string // where the sounds are kept
}

// errFailed says that the page has a verdict that is not good.
var errFailed = errors.New("not everything is as it should be; see the verdicts above")

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	var o options
	flags := flag.NewFlagSet("gpu-check", flag.ContinueOnError)
	flags.StringVar(&o.device, "device", "", "the device to try: cuda, cuda:1, directml, coreml; by default the first that can be used")
	flags.StringVar(&o.models, "models", "", "a models directory: its smallest model of each engine is tried; close Voicewright first")
	flags.StringVar(&o.voice, "voice", "", "without -models: a folder with a voice")
	flags.StringVar(&o.listener, "listener", "", "without -models: a compressed model of Whisper")
	flags.StringVar(&o.keep, "keep", "", "keep the sounds in this folder")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("read the flags: %w", err)
	}
	if o.program = flags.Arg(0); o.program == "" {
		return errors.New("name the program")
	}
	work, err := os.MkdirTemp("", "voicewright-gpu-check-*")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	s, err := start(ctx, o, work)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	p := &page{out: out, server: s, options: o, work: work}
	if err := p.write(ctx); err != nil {
		return err
	}
	if p.failed {
		return errFailed
	}
	return nil
}
