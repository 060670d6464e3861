package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
)

// Stdio are the streams of the process.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// The exit codes (decisions.md section 1).
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitNeeded      = 4 // something is needed first and cannot be had by itself
	exitInterrupted = 130
)

// Main runs a command line and gives the exit code.
func Main(ctx context.Context, args []string, io Stdio) int {
	ctx, stop := signal.NotifyContext(ctx, endSignals()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	p := &program{io: io}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(io.In)
	root.SetOut(io.Out)
	root.SetErr(io.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	return p.explain(ctx, err)
}

// endSignals are the signals that end the program. A closed terminal ends it too, unless it was started by nohup.
func endSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// program holds the global flags.
type program struct {
	io       Stdio
	data     string
	models   string
	logLevel string
	json     bool
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "voicewright",
		Short: "A voice studio on your own machine",
		Long: "Voicewright turns text into speech on your own machine.\n" +
			"Start with: voicewright say \"Hello\" -o hello.wav",
		SilenceErrors: true, SilenceUsage: true, DisableSuggestions: true, Version: Version(),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.open(cmd) },
	}
	root.SetVersionTemplate("voicewright {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%s", err) })
	flags := root.PersistentFlags()
	flags.StringVar(&p.data, "data", envOr("VOICEWRIGHT_DATA_DIR", filepath.Join(xdg.DataHome, "voicewright")), "data directory")
	flags.StringVar(&p.models, "models", os.Getenv("VOICEWRIGHT_MODELS_DIR"), "models directory (default: below the data directory)")
	flags.StringVar(&p.logLevel, "log-level", "warn", "debug, info, warn or error")
	flags.BoolVar(&p.json, "json", false, "answer in JSON")
	root.AddCommand(
		p.say(), p.serve(), p.profiles(), p.history(), p.dictionary(), p.modelCommands(), p.backup(), p.restore(), p.doctor(),
		p.versionCommand(),
	)
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() } // and refuses other words
	}
	return root
}

func envOr(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if p.json {
				return p.printJSON(map[string]string{"version": Version()})
			}
			return p.printf("voicewright %s\n", Version())
		},
	}
}

// logger writes to stderr at the wanted level.
func (p *program) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(p.logLevel)); err != nil {
		return nil, usage("--log-level is debug, info, warn or error")
	}
	return slog.New(slog.NewTextHandler(p.io.Err, &slog.HandlerOptions{Level: level})), nil
}

// dirs gives the data and models directories as absolute paths.
func (p *program) dirs() (data, models string, err error) {
	if p.data == "" {
		return "", "", usage("--data needs a folder")
	}
	if data, err = filepath.Abs(p.data); err != nil {
		return "", "", fmt.Errorf("find the data directory: %w", err)
	}
	if p.models == "" {
		return data, "", nil
	}
	if models, err = filepath.Abs(p.models); err != nil {
		return "", "", fmt.Errorf("find the models directory: %w", err)
	}
	return data, models, nil
}

// connect gives a client: of the server that holds the data directory, else of the studio opened in this process.
func (p *program) connect(ctx context.Context) (*client, error) {
	data, modelsDir, err := p.dirs()
	if err != nil {
		return nil, err
	}
	log, err := p.logger()
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(lockPatience); ; {
		studio, err := Open(ctx, Config{Data: data, Models: modelsDir, Addr: memoryAddress, Log: log})
		if err == nil {
			return inMemory(studio), nil
		}
		if !errors.Is(err, &backend.Error{Code: backend.CodeDataDirLocked}) {
			return nil, err
		}
		if a, ok := serverOf(ctx, data); ok {
			return a.client(), nil
		}
		if time.Now().After(deadline) {
			return nil, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, backend.ErrCancelled.Because(ctx.Err())
		}
	}
}

// stopPatience is how long a stopped command waits until its work has stopped too: a second signal ends it at once.
const stopPatience = 10 * time.Second

// inMemory makes a client of a studio, which ends with it.
func inMemory(studio *Studio) *client {
	transport := &memoryTransport{handler: studio.API.Handler()}
	c := newClient(memoryURL, "", transport)
	c.close = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		err := studio.Close(ctx)
		transport.wait()
		return err
	}
	return c
}

// with runs f with a client and closes it.
func (p *program) with(ctx context.Context, f func(*client) error) (err error) {
	c, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	return f(c)
}
