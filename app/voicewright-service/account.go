package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/backend/service"
)

// accounts runs the account commands of one call.
type accounts struct {
	*program
	accountFlags
	store service.Store
}

// accountFlags are the flags of the account commands.
type accountFlags struct {
	asJSON, yes              bool
	plan, note, actor, until string
	actorGiven, daysGiven    bool
	untilGiven               bool
	days, limit              int
}

// maxDays is the longest plan in days.
const maxDays = 3660

// accountCommand is one of the commands that manage accounts.
type accountCommand struct {
	use, short string
	run        func(ctx context.Context, a *accounts, args []string) error
	flags      func(f *pflag.FlagSet, v *accountFlags)
}

// accountCommands returns the commands that manage accounts. They work on the database, also while the service runs.
func (p *program) accountCommands(settings *pflag.FlagSet) *cobra.Command {
	account := &cobra.Command{
		Use: "account", Short: "Manage accounts", Args: noSubcommand,
		Long: "Manage accounts. SUB names an account: the claim `sub` of its tokens, its e-mail address, or its id in the log.\n" +
			"The service may run meanwhile.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	addSettings(account.PersistentFlags(), settings, append([]string{"files", "files-credentials"}, databaseSettings...)...)
	for _, c := range append(readingCommands(), changingCommands()...) {
		var flags accountFlags
		cmd := &cobra.Command{Use: c.use, Short: c.short, Args: argsOf(c.use)}
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed
			flags.actorGiven, flags.daysGiven, flags.untilGiven = given("actor"), given("days"), given("until")
			return p.withAccounts(cmd.Context(), settings, flags, func(a *accounts) error { return c.run(cmd.Context(), a, args) })
		}
		c.flags(cmd.Flags(), &flags)
		account.AddCommand(cmd)
	}
	return account
}

// readingCommands returns the commands that change nothing.
func readingCommands() []accountCommand {
	json := func(f *pflag.FlagSet, v *accountFlags) { f.BoolVar(&v.asJSON, "json", false, "print JSON") }
	limited := func(number int) func(*pflag.FlagSet, *accountFlags) {
		return func(f *pflag.FlagSet, v *accountFlags) {
			json(f, v)
			f.IntVar(&v.limit, "limit", number, "print the newest `N` only; 0 prints all")
		}
	}
	return []accountCommand{
		{"list", "List all accounts", func(ctx context.Context, a *accounts, _ []string) error { return a.list(ctx) }, json},
		{"show SUB", "Show one account", func(ctx context.Context, a *accounts, args []string) error { return a.show(ctx, args[0]) }, json},
		{"keys SUB", "List the API keys of an account", func(ctx context.Context, a *accounts, args []string) error {
			return a.keys(ctx, args[0])
		}, json},
		{"usage SUB", "List the calls of an account", func(ctx context.Context, a *accounts, args []string) error {
			return a.usage(ctx, args[0])
		}, limited(service.DefaultUsage)},
		{
			"ledger SUB", "List what moved the credits of an account, and check their sums",
			func(ctx context.Context, a *accounts, args []string) error {
				return a.ledger(ctx, args[0])
			}, limited(0),
		},
		{
			"check", "Check that the credits of all accounts are the sums of what moved them",
			func(ctx context.Context, a *accounts, _ []string) error { return a.check(ctx) }, json,
		},
		{"export SUB", "Print everything that is stored of an account as JSON", func(ctx context.Context, a *accounts, args []string) error {
			return a.export(ctx, args[0])
		}, func(*pflag.FlagSet, *accountFlags) {}},
	}
}

// changingCommands returns the commands that store who ran them.
func changingCommands() []accountCommand {
	actor := func(f *pflag.FlagSet, v *accountFlags) {
		f.StringVar(&v.actor, "actor", "", "`NAME` of the operator, which is stored with the change (default: the user of this system)")
	}
	json := func(f *pflag.FlagSet, v *accountFlags) {
		actor(f, v)
		f.BoolVar(&v.asJSON, "json", false, "print JSON")
	}
	days := func(f *pflag.FlagSet, v *accountFlags) {
		json(f, v)
		f.IntVar(&v.days, "days", service.PlanDays, "validity of pro and max in `DAYS`; 0 has just expired")
	}
	renewal := func(f *pflag.FlagSet, v *accountFlags) {
		json(f, v)
		f.IntVar(&v.days, "days", service.PlanDays, "by how many `DAYS`; with --until those of the plan, where you do not say")
		f.StringVar(&v.until, "until", "", "renew the plan each time it ends before `DATE`, such as 2027-12-31; none ends that")
	}
	return []accountCommand{
		{"create EMAIL", "Make an account for a user who has not signed in yet", func(ctx context.Context, a *accounts, args []string) error {
			return a.create(ctx, args[0])
		}, func(f *pflag.FlagSet, v *accountFlags) {
			days(f, v)
			f.StringVar(&v.plan, "plan", string(service.Free), "`PLAN` of the account: free, pro or max")
		}},
		{"set-plan SUB free|pro|max", "Set a plan with its credits", func(ctx context.Context, a *accounts, args []string) error {
			return a.setPlan(ctx, args[0], args[1])
		}, days},
		{"renew SUB", "Renew a Pro or Max plan with its credits", func(ctx context.Context, a *accounts, args []string) error {
			return a.renew(ctx, args[0])
		}, renewal},
		{"add-credits SUB N", "Add pay-as-you-go credits", func(ctx context.Context, a *accounts, args []string) error {
			return a.addCredits(ctx, args[0], args[1])
		}, func(f *pflag.FlagSet, v *accountFlags) {
			json(f, v)
			f.StringVar(&v.note, "note", "", "`TEXT` that the ledger keeps, such as the number of a bill")
		}},
		{"disable SUB", "Refuse all calls of an account", func(ctx context.Context, a *accounts, args []string) error {
			return a.setDisabled(ctx, args[0], true)
		}, json},
		{"enable SUB", "Undo disable", func(ctx context.Context, a *accounts, args []string) error {
			return a.setDisabled(ctx, args[0], false)
		}, json},
		{"revoke-key SUB KEY_ID", "Revoke an API key of an account", func(ctx context.Context, a *accounts, args []string) error {
			return a.revokeKey(ctx, args[0], args[1])
		}, json},
		{
			"delete SUB", "Delete an account with its keys, favourites and audio files",
			func(ctx context.Context, a *accounts, args []string) error {
				return a.delete(ctx, args[0])
			}, func(f *pflag.FlagSet, v *accountFlags) {
				actor(f, v)
				f.BoolVarP(&v.yes, "yes", "y", false, "do not ask")
			},
		},
	}
}

// noSubcommand refuses an unknown subcommand.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unknown command %q for %q; see --help", args[0], cmd.CommandPath())
	}
	return nil
}

// argsOf requires the arguments that a command's usage names.
func argsOf(use string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if names := strings.Fields(use)[1:]; len(args) != len(names) {
			return usagef("this command takes other arguments: %s", cmd.Parent().CommandPath()+" "+use)
		}
		return nil
	}
}
