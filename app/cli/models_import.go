package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

func (p modelCommands) modelsImport() *cobra.Command {
	var engine, name string
	cmd := &cobra.Command{
		Use: "import PATH", Short: "Import a model from a file or folder", Args: usage.ExactArgs("PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := filepath.Abs(args[0]) // the server may run in another folder
			if err != nil {
				return fmt.Errorf("find the folder: %w", err)
			}
			if _, err := os.Stat(path); err != nil {
				return usage.PathError(path, err)
			}
			body := map[string]string{"path": pathInJSON(path)}
			if engine != "" {
				body["engine"] = engine
			}
			if name != "" {
				body["name"] = name
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				m, err := importModel(cmd.Context(), c, body)
				if err != nil {
					return err
				}
				return p.print(m, "Imported %s (%s, %s).%s", m.ModelName, m.Engine, contents(m), tryIt(m))
			})
		},
	}
	cmd.Flags().StringVar(&engine, "engine", "", "engine of the model (default: auto-detected)")
	cmd.Flags().StringVar(&name, "name", "", "model name (default: from the file name); a listed model is installed from the files in PATH")
	return cmd
}

// contents returns what a model has: voices, or the languages that it transcribes; or what it is for.
func contents(m backend.ModelStatus) string {
	switch {
	case m.Family == registry.Transcription:
		return fmt.Sprintf("languages: %d", len(m.Languages))
	case m.Family == registry.Speakers:
		return "finds speakers"
	case clonesOnly(m):
		return "clones voices"
	}
	return fmt.Sprintf("voices: %d", m.Voices)
}

// importModel installs a listed model from a folder when body names one, else it adds a model of the user's own.
func importModel(ctx context.Context, c *client.Client, body map[string]string) (backend.ModelStatus, error) {
	route := "/models/import"
	if name := body["name"]; name != "" {
		known, err := modelStatus(ctx, c, name)
		if err != nil && backend.CodeOf(err) != backend.CodeModelUnknown {
			return known, err
		}
		if known.RepoID != "" {
			route, body = modelPath(name, "/import"), map[string]string{"path": body["path"]}
		}
	}
	var m backend.ModelStatus
	err := c.Call(ctx, http.MethodPost, route, body, &m)
	return m, err
}

// pathInJSON returns a path for a request: as a file URL where its bytes are no UTF-8, as JSON has no other form for them.
func pathInJSON(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
