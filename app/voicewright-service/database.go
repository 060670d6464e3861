package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/app/voicewright-service/database"
)

// databaseSettings are the flags of the commands that work on the database.
var databaseSettings = []string{"config", "database", "database-password-file"}

// database returns the database of the settings.
func (p *program) database(settings *pflag.FlagSet) (database.Database, error) {
	if err := p.options.load(settings, p.lookupEnv); err != nil {
		return database.Database{}, err
	}
	return p.options.store()
}

// store returns the database of the options.
func (s options) store() (database.Database, error) {
	return database.Parse(database.Settings{Address: s.database, PasswordFile: s.passwordFile, Connections: s.connections})
}

// sayWaiting returns what says that a command waits for the database.
func (p *program) sayWaiting(d database.Database) func() {
	return func() { _, _ = fmt.Fprintf(p.err, "Waiting for %s.\n", d.Waited()) } // the wait goes on without it
}

// storeError returns the error of the database.
func storeError(err error) error { return database.StoreError(err) }

// migrateCommand returns the command that brings the database up to date.
func (p *program) migrateCommand(settings *pflag.FlagSet) *cobra.Command {
	cmd := &cobra.Command{
		Use: "migrate", Short: "Make the database, or bring it up to date", Args: noArgs,
		Long: "Make the database, or bring the one of an older program up to date. Of two at once the second finds nothing left to do.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := p.database(settings)
			if err != nil {
				return err
			}
			return p.migrate(cmd.Context(), d)
		},
	}
	addSettings(cmd.Flags(), settings, databaseSettings...)
	return cmd
}

// migrate brings a database up to date, and says from which version of its schema.
func (p *program) migrate(ctx context.Context, d database.Database) error {
	before, after, err := d.Migrate(ctx, p.sayWaiting(d))
	if err != nil {
		return storeError(err)
	}
	switch before {
	case 0:
		_, err = fmt.Fprintf(p.out, "Made the database %s (schema version %d).\n", d.Place(), after)
	case after:
		_, err = fmt.Fprintf(p.out, "The database %s is up to date (schema version %d).\n", d.Place(), after)
	default:
		_, err = fmt.Fprintf(p.out, "Migrated the database %s from schema version %d to %d.\n", d.Place(), before, after)
	}
	return err
}

// moveCommand returns the command that moves everything from SQLite to PostgreSQL.
func (p *program) moveCommand(settings *pflag.FlagSet) *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use: "move", Short: "Move all accounts from SQLite to PostgreSQL, while the service does not run", Args: noArgs,
		Long: "Copy everything in the SQLite database --from into the database --to, which migrate has prepared and which has no accounts,\n" +
			"while the service does not run. The numbers of rows and the sums of credits of both are compared and printed; where they\n" +
			"differ, nothing is kept. Calls that were running are refunded first. The SQLite database stays.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := p.options.load(settings, p.lookupEnv); err != nil {
				return err
			}
			return p.move(cmd.Context(), from, to)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "`ADDRESS` of the database that is read, sqlite:PATH")
	cmd.Flags().StringVar(&to, "to", "", "`ADDRESS` of the database that is filled, postgres://USER@HOST/DATABASE")
	addSettings(cmd.Flags(), settings, "config", "database-password-file")
	return cmd
}

// move moves a database, and prints what both have.
func (p *program) move(ctx context.Context, from, to string) error {
	source, err := database.Parse(database.Settings{Address: from})
	if err != nil {
		return usagef("--from must be sqlite:PATH, and --to postgres://USER@HOST/DATABASE")
	}
	target, err := database.Parse(database.Settings{
		Address: to, PasswordFile: p.options.passwordFile, Connections: p.options.connections,
	})
	if err != nil {
		return usagef("%s", strings.NewReplacer("--database:", "--to:", "--database must", "--to must").Replace(err.Error()))
	}
	moved, err := source.Move(ctx, target)
	if moved.Refunded > 0 {
		_, _ = fmt.Fprintf(p.out, "Refunded the calls that were running: %d.\n", moved.Refunded) // the table returns the error
	}
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', tabwriter.AlignRight)
	if len(moved.Figures) > 0 {
		_, _ = fmt.Fprintln(w, "\tBEFORE\tAFTER\t") // Flush returns the error
	}
	for _, f := range moved.Figures {
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t\n", f.Name, f.Before, f.After)
	}
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		return storeError(err)
	}
	_, err = fmt.Fprintf(p.out, "Moved %s to %s. Start the service with that as --database.\nKeep %s as a backup, and do not start the "+
		"service on it. Audio in a folder stays where it is: the service finds it there, an object store has none of it.\n",
		source.Place(), target.Place(), source.Place())
	return err
}
