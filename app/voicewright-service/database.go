package main

import (
	"context"
	"fmt"

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

// sayWaiting says that a command waits for the database.
func (p *program) sayWaiting() {
	_, _ = fmt.Fprintln(p.err, "Waiting for the database, which another program has locked.") // the wait goes on without it
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
	before, after, err := d.Migrate(ctx, p.sayWaiting)
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
