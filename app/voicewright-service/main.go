// Command voicewright-service serves the hosted API (docs/contract/hosted-api.md) for those who run a service of their own.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend/exit"
)

// version is set by the linker.
var version = "dev"

// program is one run of the command line.
type program struct {
	in        io.Reader
	out, err  io.Writer
	lookupEnv func(string) (string, bool)
	options   options
}

func main() {
	p := &program{in: os.Stdin, out: os.Stdout, err: os.Stderr, lookupEnv: os.LookupEnv}
	os.Exit(p.run(untilSignal(), os.Args[1:]))
}

// repeatTime is how long a signal after the first one counts as the same: timeout(1) and other programs send each twice.
const repeatTime = 100 * time.Millisecond

// untilSignal returns a context that ends with the first SIGINT or SIGTERM. The next one ends the program at once.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-time.After(repeatTime)
		signal.Stop(signals)
	}()
	return ctx
}

// run runs a command line and returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	if err := root.ExecuteContext(ctx); err != nil {
		return p.printError(ctx, err)
	}
	return exit.Done
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "voicewright-service",
		Short: "Our implementation of the hosted API",
		Long: "voicewright-service serves the hosted API: speech, voices, accounts, credits and API keys.\n" +
			"To try it out on one machine: voicewright-service run --dev-idp",
		SilenceErrors: true, SilenceUsage: true, DisableSuggestions: true, Version: programVersion(),
		Args: noSubcommand, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("voicewright-service {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	flags := p.options.flags()
	root.AddCommand(p.runCommand(flags), p.accountCommands(flags), p.backupCommand(flags), p.restoreCommand(flags),
		p.migrateCommand(flags), p.moveCommand(flags))
	return root
}

// programVersion returns the version that the linker set, else that of the module.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s does not take %q", cmd.CommandPath(), args[0])
	}
	return nil
}
