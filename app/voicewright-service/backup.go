package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/app/voicewright-service/database"
)

// addSettings adds some of the settings to the flags of a command.
func addSettings(to, settings *pflag.FlagSet, names ...string) {
	for _, name := range names {
		to.AddFlag(settings.Lookup(name))
	}
}

// backupCommand returns the command that copies the database.
func (p *program) backupCommand(settings *pflag.FlagSet) *cobra.Command {
	var keep int
	var replace bool
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Copy the database to a file or a folder, also while the service runs",
		Args: argsOf("backup FILE"),
		Long: "Copy the database to FILE, with mode 0600, also while the service runs. In a folder the file is named after the time, and\n" +
			"with --keep the oldest of those files are removed. The copy is checked before it is there.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if keep < 0 || cmd.Flags().Changed("keep") && keep == 0 {
				return usagef("--keep must be at least 1, not %d", keep)
			}
			d, err := p.database(settings)
			if err != nil {
				return err
			}
			path, err := d.Backup(cmd.Context(), database.Copying{To: args[0], Keep: keep, Replace: replace}, p.sayWaiting(d))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.out, "Wrote %s.\n", path)
			return err
		},
	}
	cmd.Flags().IntVar(&keep, "keep", 0, "FILE is a folder, in which the newest `N` backups stay (default: all)")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace FILE if it exists")
	addSettings(cmd.Flags(), settings, databaseSettings...)
	return cmd
}

// restoreCommand returns the command that replaces the database by a backup.
func (p *program) restoreCommand(settings *pflag.FlagSet) *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Replace the database by a backup, while the service does not run",
		Args: argsOf("restore FILE"),
		Long: "Replace the database by the backup FILE, or by the one on standard input for -, while the service does not run. The backup\n" +
			"is read first; the former database stays beside the new one, with .before-restore at its end.",
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := p.database(settings)
			if err != nil {
				return err
			}
			former, err := d.Restore(cmd.Context(), args[0], p.in)
			if err != nil {
				return err
			}
			text := fmt.Sprintf("Restored %s from %s.", d.Place(), shownFile(args[0]))
			if former != "" {
				text += " The former database is " + former + "."
			}
			_, err = fmt.Fprintln(p.out, text)
			return err
		},
	}
	addSettings(cmd.Flags(), settings, databaseSettings...)
	return cmd
}

func shownFile(from string) string {
	if from == "-" {
		return "standard input"
	}
	return from
}
