// Package cli is the command line: one file per command. The commands call the local API through package client.
package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/manual"
	"github.com/voicewright/voicewright/backend/system"
)

// Stdio are the streams of the process.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// App is what the commands need from the program around them. Package app fills it in.
type App struct {
	Version string
	// Connect returns a client of the server that holds the data directory, else of a backend opened in this process.
	Connect func(context.Context, Options) (*client.Client, error)
	// FindServer returns a client of the running server of a data directory; ok is false when there is none.
	FindServer func(ctx context.Context, data string) (c *client.Client, ok bool)
	// Serve runs the server until ctx ends. It calls ready once it listens.
	Serve func(ctx context.Context, o Options, s ServeOptions, ready func(client.Address) error) error
	// OpenWindow shows the window until it is closed; opened is false when this installation has none.
	OpenWindow func(context.Context, Options, Stdio) (opened bool, err error)
	// Examine runs the checks of the doctor.
	Examine func(context.Context, Options) []system.Finding
	// Restore replaces the library in the data directory. Errors: data_dir_locked, insufficient_disk, those of backup.Restore.
	Restore func(ctx context.Context, data string, a *backup.Archive, o RestoreOptions) error
	// HasUpdates reports whether the program was built with an address for new versions.
	HasUpdates bool
}

// Options are the global flags.
type Options struct {
	Data     string // absolute path of the data directory
	Models   string // absolute path of the models directory; empty = the one of the settings
	LogLevel string
	// Background shows the window minimized.
	Background bool
	// Files are opened in the window: absolute paths.
	Files []string
	Log   *slog.Logger
	// AskPassphrase requests the passphrase of the encrypted file for secrets from the user; create: a new one.
	AskPassphrase func(ctx context.Context, create bool) (passphrase string, ok bool)
}

// program holds the values of the global flags.
type program struct {
	app      App
	streams  Stdio // as the process has them; only other programs get them
	io       Stdio // what the commands read and print
	data     string
	models   string
	logLevel string
	json     bool
	// background shows the window minimized.
	background bool
}

// The commands, by what they are about.
type (
	bookCommands          struct{ *program }
	historyCommands       struct{ *program }
	hostedCommands        struct{ *program }
	libraryCommands       struct{ *program }
	modelCommands         struct{ *program }
	profileCommands       struct{ *program }
	pronunciationCommands struct{ *program }
	speakerCommands       struct{ *program }
	speechCommands        struct{ *program }
	transcribeCommands    struct{ *program }
)

// Run runs a command line and returns the exit code.
func Run(ctx context.Context, args []string, io Stdio, app App) int {
	p := &program{app: app, streams: io, io: Stdio{In: io.In, Out: onTerminal(io.Out), Err: onTerminal(io.Err)}}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.io.In)
	root.SetOut(p.io.Out)
	root.SetErr(p.io.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exit.Done
	}
	return p.printError(ctx, err)
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "voicewright [FILE...]",
		Short: "A voice studio on your own computer",
		Long: "Voicewright turns text into speech, and speech into text, on your own computer.\n" +
			"Start with: voicewright say \"Hello\" -o hello.wav\n" +
			"Without a command, the window opens, with the given files: texts, books, subtitles, audio, video.",
		SilenceErrors: true, SilenceUsage: true, DisableSuggestions: true,
		Args: filesToOpen, RunE: p.openWindow,
	}
	manual.AddVersion(root, p.app.Version)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage.Errorf("%s", err) })
	flags := root.PersistentFlags()
	flags.StringVar(&p.data, "data", envOr("VOICEWRIGHT_DATA_DIR", filepath.Join(xdg.DataHome, "voicewright")), "data directory")
	flags.StringVar(&p.models, "models", os.Getenv("VOICEWRIGHT_MODELS_DIR"), "models directory (default: inside the data directory)")
	flags.StringVar(&p.logLevel, "log-level", "warn", "log level: debug, info, warn or error")
	flags.BoolVar(&p.json, "json", false, "print the result as JSON")
	root.Flags().BoolVar(&p.background, "background", false, "show the window minimized, as at login")
	root.AddCommand(
		speechCommands{p}.say(), transcribeCommands{p}.transcribe(), p.serve(), profileCommands{p}.profiles(), speakerCommands{p}.speakers(),
		bookCommands{p}.all(), historyCommands{p}.history(), pronunciationCommands{p}.pronunciations(), modelCommands{p}.all(),
		hostedCommands{p}.hosted(), libraryCommands{p}.backup(), libraryCommands{p}.restore(), libraryCommands{p}.doctor(),
		p.version(), manual.Command(manualPage(p.app.Version)),
	)
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() } // so that it refuses other shells
	}
	return root
}

func envOr(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// filesToOpen accepts paths of files; a word that is no file was meant as a command.
func filesToOpen(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err == nil && info.Mode().IsRegular():
		case filepath.Base(arg) == arg && filepath.Ext(arg) == "" && err != nil:
			return fmt.Errorf("unknown command %q for %q", arg, cmd.CommandPath())
		default:
			return usage.Errorf("%q is not a file", arg)
		}
	}
	return nil
}

// openWindow shows the window with the given files, or the help where there is none.
func (p *program) openWindow(cmd *cobra.Command, files []string) error {
	o, err := p.options()
	if err != nil {
		return err
	}
	o.Background = p.background
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return fmt.Errorf("find the file: %w", err)
		}
		o.Files = append(o.Files, path)
	}
	opened, err := p.app.OpenWindow(cmd.Context(), o, p.streams)
	if err == nil && !opened {
		err = cmd.Help()
	}
	return err
}

// options checks the global flags.
func (p *program) options() (Options, error) {
	o := Options{LogLevel: p.logLevel, AskPassphrase: p.askPassphrase}
	var err error
	if p.data == "" {
		return o, usage.Errorf("--data needs a folder")
	}
	if o.Log, err = p.logger(); err != nil {
		return o, err
	}
	if o.Data, err = filepath.Abs(p.data); err != nil {
		return o, fmt.Errorf("find the data directory: %w", err)
	}
	if p.models == "" {
		return o, nil
	}
	if o.Models, err = filepath.Abs(p.models); err != nil {
		return o, fmt.Errorf("find the models directory: %w", err)
	}
	return o, nil
}

// logger returns a logger that writes to standard error at the chosen level.
func (p *program) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(p.logLevel)); err != nil {
		return nil, usage.Errorf("--log-level must be debug, info, warn or error")
	}
	return slog.New(slog.NewTextHandler(p.io.Err, &slog.HandlerOptions{Level: level})), nil
}
