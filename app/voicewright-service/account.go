package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/backend/service"
)

// accounts runs the account commands of one call.
type accounts struct {
	*program
	store service.Store
	files string
	now   time.Time

	actor      string // of --actor
	actorGiven bool
}

// maxDays is the longest plan in days.
const maxDays = 3660

// accountCommands returns the commands that manage accounts. They work on the database, also while the service runs.
func (p *program) accountCommands(settings *pflag.FlagSet) *cobra.Command {
	account := &cobra.Command{
		Use: "account", Short: "Manage accounts", Args: noSubcommand,
		Long: "Manage accounts. SUB names an account: the claim `sub` of its tokens, its e-mail address, or its id in the log.\n" +
			"The service may run meanwhile.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, name := range []string{"config", "database", "files"} {
		account.PersistentFlags().AddFlag(settings.Lookup(name))
	}
	var asJSON, yes bool
	var actor string
	account.PersistentFlags().StringVar(&actor, "actor", "", "`NAME` of the operator, which is stored with what changes (default: the user of this system)")
	days := service.PlanDays
	json := func(cmd *cobra.Command) { cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON") }
	add := func(use, short string, action func(context.Context, *accounts, []string) error, flags ...func(*cobra.Command)) {
		cmd := &cobra.Command{Use: use, Short: short, Args: argsOf(use)}
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			return p.withAccounts(cmd.Context(), settings, func(a *accounts) error {
				a.actor, a.actorGiven = actor, cmd.Flags().Changed("actor")
				return action(cmd.Context(), a, args)
			})
		}
		for _, addFlag := range flags {
			addFlag(cmd)
		}
		account.AddCommand(cmd)
	}
	add("list", "List all accounts", func(ctx context.Context, a *accounts, _ []string) error { return a.list(ctx, asJSON) }, json)
	add("show SUB", "Show one account", func(ctx context.Context, a *accounts, args []string) error {
		return a.show(ctx, args[0], asJSON)
	}, json)
	add("set-plan SUB free|pro|max", "Set a plan with its credits", func(ctx context.Context, a *accounts, args []string) error {
		return a.setPlan(ctx, args[0], args[1], days)
	}, func(cmd *cobra.Command) {
		cmd.Flags().IntVar(&days, "days", service.PlanDays, "validity of pro and max in `DAYS`; 0 has just expired")
	})
	add("add-credits SUB N", "Add pay-as-you-go credits", func(ctx context.Context, a *accounts, args []string) error {
		return a.addCredits(ctx, args[0], args[1])
	})
	add("disable SUB", "Refuse all calls of an account", func(ctx context.Context, a *accounts, args []string) error {
		return a.setDisabled(ctx, args[0], true)
	})
	add("enable SUB", "Undo disable", func(ctx context.Context, a *accounts, args []string) error {
		return a.setDisabled(ctx, args[0], false)
	})
	add("delete SUB", "Delete an account with its keys, favourites and audio files", func(ctx context.Context, a *accounts, args []string) error {
		return a.delete(ctx, args[0], yes)
	}, func(cmd *cobra.Command) { cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask") })
	add("export SUB", "Print everything that is stored of an account as JSON", func(ctx context.Context, a *accounts, args []string) error {
		return a.export(ctx, args[0])
	})
	return account
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

func (a *accounts) setPlan(ctx context.Context, subject, name string, days int) error {
	plan := service.Plan(name)
	switch {
	case plan != service.Free && plan != service.Pro && plan != service.Max:
		return usagef("unknown plan %q; the plans are free, pro and max", name)
	case days < 0 || days > maxDays:
		return usagef("--days must be 0 to %d, not %d", maxDays, days)
	}
	var expires time.Time
	if plan != service.Free {
		expires = a.now.AddDate(0, 0, days)
	}
	prices, err := a.options.prices.Complete()
	if err != nil {
		return usagef("%w", err)
	}
	return a.changed(ctx, subject, "", func(account service.Account, c service.Change) (service.Account, error) {
		return a.store.SetPlan(ctx, account.ID, plan, prices.PlanCredits[plan], expires, c)
	})
}

func (a *accounts) addCredits(ctx context.Context, subject, number string) error {
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > maxNumber {
		return usagef("the number of credits must be 1 to %d, not %q", maxNumber, number)
	}
	return a.changed(ctx, subject, "", func(account service.Account, c service.Change) (service.Account, error) {
		return a.store.AddCredits(ctx, account.ID, n, c)
	})
}

func (a *accounts) setDisabled(ctx context.Context, subject string, disabled bool) error {
	return a.changed(ctx, subject, "", func(account service.Account, c service.Change) (service.Account, error) {
		return a.store.SetDisabled(ctx, account.ID, disabled, c)
	})
}

// changed changes an account and prints it.
func (a *accounts) changed(
	ctx context.Context, name, note string, change func(account service.Account, c service.Change) (service.Account, error),
) error {
	c, err := a.change(note)
	if err != nil {
		return err
	}
	account, err := a.find(ctx, name)
	if err != nil {
		return err
	}
	if account, err = change(account, c); err != nil {
		return accountError(name, err)
	}
	return a.printAccount(account)
}
