package cli

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// adoptInterval is how often the progress of the check is read.
const adoptInterval = 500 * time.Millisecond

func (p modelCommands) modelsAdopt() *cobra.Command {
	cmd := p.command("adopt FOLDER", "Use a folder that already holds models", usage.ExactArgs("FOLDER"),
		func(ctx context.Context, c *client.Client, args []string) error {
			path, err := filepath.Abs(args[0]) // the server may run in another folder
			if err != nil {
				return fmt.Errorf("find the folder: %w", err)
			}
			if _, err := os.Stat(path); err != nil {
				return usage.FolderError(path, err)
			}
			if !utf8.ValidString(path) {
				return usage.Errorf("the name of %s is not UTF-8, so the folder cannot be kept in the settings; give it another name", args[0])
			}
			folder, err := p.adopt(ctx, c, path)
			if err != nil {
				return err
			}
			return p.print(folder, "Voicewright now uses the models in %s.", folder.Path)
		})
	cmd.Long = "Use a folder that already holds models, such as the cache of another program in the hub's layout.\n" +
		"The files are checked first. The models of the current folder stay where they are."
	return cmd
}

// adopt makes path the models directory and shows how much of its files has been checked.
func (p modelCommands) adopt(ctx context.Context, c *client.Client, path string) (backend.ModelsDirectory, error) {
	bar := p.progress("Checking the files")
	defer bar.end()
	var folder backend.ModelsDirectory
	done := make(chan error, 1)
	go func() {
		done <- backend.Contain(func() error {
			return c.Call(ctx, http.MethodPut, "/models/directory", map[string]any{"path": path, "adopt": true}, &folder)
		})
	}()
	tick := time.NewTicker(adoptInterval)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return folder, err
		case <-tick.C:
			var now backend.ModelsDirectory
			if err := c.Call(ctx, http.MethodGet, "/models/directory", nil, &now); err == nil && now.Adopting != nil {
				bar.bytes(now.Adopting.Current, now.Adopting.Total)
			}
		}
	}
}

// folderErrors says why a folder cannot be adopted and what to do, as the page does, by the type of the error.
var folderErrors = map[string]struct{ title, remedy string }{
	"path_in_old_folder": {"This folder is inside the current one.", "Choose a folder outside it."},
	"path_in_library":    {"This folder is in Voicewright’s data directory, which holds the library.", "Choose a folder outside it."},
	"path_no_models":     {"This folder has no models.", "Choose a folder that holds models."},
	"path_given_at_start": {
		"The models folder was set when Voicewright started, with --models or VOICEWRIGHT_MODELS_DIR.",
		"Restart Voicewright with another folder.",
	},
}
