package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/backend/settings"
)

// RestoreOptions are how a backup is restored.
type RestoreOptions struct {
	Progress func(done int64) // bytes that were written
	// TakeNetwork returns whether the settings of the network become those of the backup, where they differ. It is called before
	// anything is replaced; an error ends the restore. unreadable is set where the library here is damaged: then offline mode
	// counts as on, and other settings as their defaults.
	TakeNetwork func(changes []settings.Change, unreadable bool) (bool, error)
}

// restoring is a run of the command restore.
type restoring struct {
	*program
	bar        *progressBar
	takes, yes bool // the flags

	network *restoredNetwork // nil where the backup changes none
}

// restoredNetwork is what --json prints of the settings of the network.
type restoredNetwork struct {
	Changes    []settings.Change `json:"changes"`
	Taken      bool              `json:"taken"`
	Unreadable bool              `json:"unreadable,omitempty"` // the settings of this machine are lost
}

func (p libraryCommands) restore() *cobra.Command {
	var takes, yes bool
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Replace the library with a backup; the current one is kept until the next restore",
		Long: "Replace the library with a backup; the current one is kept until the next restore. Settings of the backup that change what\n" +
			"this program connects to, or who can connect to it, are shown; on a terminal you are asked whether they are taken.",
		Args: usage.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if takes && yes {
				return usage.Errorf("use --yes or --with-network-settings, not both")
			}
			r := &restoring{program: p.program, takes: takes, yes: yes}
			return r.run(cmd.Context(), args[0])
		},
	}
	cmd.Flags().BoolVar(&takes, "with-network-settings", false, "take also the settings of the network from the backup, without being asked")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "keep the settings of the network of this machine, without being asked")
	return cmd
}

func (r *restoring) run(ctx context.Context, file string) error {
	o, err := r.options()
	if err != nil {
		return err
	}
	archive, err := backup.OpenArchive(file)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	r.bar = r.progress("Restoring")
	err = r.app.Restore(ctx, o.Data, archive, RestoreOptions{
		Progress: func(done int64) { r.bar.bytes(done, archive.Size()) },
		TakeNetwork: func(changes []settings.Change, unreadable bool) (bool, error) {
			return r.takeNetwork(ctx, changes, unreadable)
		},
	})
	r.bar.end()
	if err != nil {
		return err
	}
	text, result := "Restored "+file+".", map[string]any{"restored": file}
	former := backup.Former(o.Data)
	if _, err := os.Stat(former); err == nil {
		text += " The previous library is in " + former + " until the next restore."
		result["former"] = former
	}
	if r.network != nil {
		result["network_settings"] = r.network
	}
	return r.print(result, "%s", text)
}

// takeNetwork shows what the backup changes and asks whether that is wanted. Without an answer the settings of this machine stay.
func (r *restoring) takeNetwork(ctx context.Context, changes []settings.Change, unreadable bool) (take bool, err error) {
	r.bar.end()
	if unreadable && !r.json {
		r.notef("The settings of this machine can't be read, as its library is damaged. Without those of the backup it will be offline.")
	}
	lines := []string{"The backup has other settings of the network:"}
	var keys []string
	for _, c := range changes {
		keys = append(keys, c.Key)
		lines = append(lines, fmt.Sprintf("  %s: %s -> %s", c.Key, shownSetting(c.Here), shownSetting(c.Backup)))
	}
	question := strings.Join(lines, "\n")
	if take = r.takes; !take && !r.yes && !r.json {
		if take, err = r.confirm(ctx, question+"\nTake them from the backup?"); err != nil {
			return false, err
		}
	}
	r.network = &restoredNetwork{changes, take, unreadable}
	switch {
	case r.json:
	case take:
		r.notef("Settings of the network from the backup: %s", strings.Join(keys, ", "))
	default:
		if !isTerminal(r.io.In) || !isTerminal(r.io.Err) || r.yes {
			r.notef("%s", question)
		}
		r.notef("The settings of this machine are kept. Restore with --with-network-settings to take those of the backup.")
	}
	return take, nil
}

// maxShownSetting is how much of a value is shown, in characters: the address of a service is shorter.
const maxShownSetting = 201

// shownSetting returns the value of a setting for people. Somebody else may have written it to mislead them: it stays on its line.
func shownSetting(value string) string {
	if value == "" {
		return "(none)"
	}
	return printable.Shortened(visibleCell(value), maxShownSetting)
}
