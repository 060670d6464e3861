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

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/manual"
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
		SilenceErrors: true, SilenceUsage: true, DisableSuggestions: true,
		Args: noSubcommand, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	manual.AddVersion(root, programVersion())
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	flags := p.options.flags()
	root.AddCommand(p.runCommand(flags), p.accountCommands(flags), p.backupCommand(flags), p.restoreCommand(flags),
		p.migrateCommand(flags), p.moveCommand(flags), manual.Command(manualPage(programVersion())))
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

// manualPage returns what the manual page says beside the commands.
func manualPage(version string) manual.Page {
	return manual.Page{Version: version, Chapter: 8, Home: xdg.Home, More: []manual.Section{
		{Title: "ENVIRONMENT", Terms: [][2]string{
			{envPrefix + "*", "The value of each flag, in capitals and with _ for -, such as " + envPrefix + "ADDR. Flags win over variables, " +
				"variables over the file of --config."},
			{"VOICEWRIGHT_ORT", "The library of ONNX Runtime, or its folder; else it is looked for near the program."},
		}},
		{Title: "EXIT STATUS", Terms: [][2]string{
			{"0", "Done."},
			{"1", "It failed."},
			{"2", "The command line or a setting is wrong."},
			{"3", "The account, key or database does not exist."},
			{"4", "The command must ask, and nobody can answer."},
		}},
		{Title: "FILES", Terms: [][2]string{
			{"/etc/voicewright-service/config.yaml", "The settings that the system service reads. An example is in the documents of the package."},
			{"/var/lib/voicewright-service", "The database and the audio of the system service."},
		}},
		{Title: "SEE ALSO", Terms: [][2]string{{"systemctl(1), journalctl(1)", "Start it, and read its log."}}},
	}}
}
