package cli

import (
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/updates"
)

func (p *program) version() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !check {
				return p.print(map[string]string{"version": p.app.Version}, "voicewright %s", p.app.Version)
			}
			if !p.app.HasUpdates {
				return updates.ErrNotConfigured
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				return printCall(cmd.Context(), p, c, http.MethodPost, "/updates/check", nil, newVersion)
			})
		},
	}
	cmd.Flags().BoolVar(&check, "check", false,
		"ask the server that this copy was built for whether there is a newer version; nothing is installed")
	return cmd
}

// newVersion returns what a check for a new version found.
func newVersion(a updates.NewestVersion) string {
	switch a.Status {
	case updates.Newer:
		parts := []string{"Version " + a.Version + " was released on " + a.Date + ". This is " + a.Current + "."}
		if a.Notes != "" {
			parts = append(parts, a.Notes)
		}
		return strings.Join(append(parts, "Download it at "+a.Page), "\n\n")
	case updates.Unknown:
		return "The newest version is " + a.Version + ", released on " + a.Date + ". This copy, " + a.Current +
			", was built between two versions, so it can't be compared.\n\nDownload it at " + a.Page
	case updates.None:
		return "No version for this system is listed. This is " + a.Current + "."
	default:
		return "This is " + a.Current + ". There is no newer version."
	}
}
