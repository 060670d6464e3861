package app

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
)

func (p *program) modelCommands() *cobra.Command {
	group := &cobra.Command{Use: "models", Short: "Speech models", RunE: needsSubcommand}
	group.AddCommand(p.modelsList(), p.modelsImport())
	return group
}

func (p *program) modelsList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the models", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd.Context(), func(c *client) error {
				var list struct {
					Models []backend.ModelStatus `json:"models"`
				}
				if err := c.call(cmd.Context(), http.MethodGet, "/models/status", nil, &list); err != nil {
					return err
				}
				if p.json {
					return p.printJSON(list)
				}
				rows := make([][]string, len(list.Models))
				for i, m := range list.Models {
					rows[i] = []string{
						m.ModelName, m.Engine, strings.Join(m.Languages, ","), fmt.Sprint(m.Voices),
						fmt.Sprintf("%d MB", m.SizeMB), modelState(m),
					}
				}
				return p.table("NAME ENGINE LANGUAGES VOICES SIZE STATE", rows)
			})
		},
	}
}

func modelState(m backend.ModelStatus) string {
	switch {
	case m.Loaded:
		return "in memory"
	case m.Downloaded:
		return "ready"
	default:
		return "files missing"
	}
}

func (p *program) modelsImport() *cobra.Command {
	var engine, name string
	cmd := &cobra.Command{
		Use: "import PATH", Short: "Make a voice from a file or folder on disk usable", Args: exactArgs("PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := filepath.Abs(args[0]) // the server may run in another folder
			if err != nil {
				return fmt.Errorf("find the folder: %w", err)
			}
			if _, err := os.Stat(path); err != nil {
				return backend.FileError("read the folder", path, missingFile(path, err))
			}
			body := map[string]string{"path": path}
			if engine != "" {
				body["engine"] = engine
			}
			if name != "" {
				body["name"] = name
			}
			return p.with(cmd.Context(), func(c *client) error {
				var m backend.ModelStatus
				if err := c.call(cmd.Context(), http.MethodPost, "/models/import", body, &m); err != nil {
					return err
				}
				if p.json {
					return p.printJSON(m)
				}
				return p.printf("Imported %s (%s, %d voices). Use it with:\n  voicewright say --voice %s: \"Hello\"\n",
					m.ModelName, m.Engine, m.Voices, m.ModelName)
			})
		},
	}
	cmd.Flags().StringVar(&engine, "engine", "", "engine of the voice (default: found out)")
	cmd.Flags().StringVar(&name, "name", "", "name of the model (default: from the file)")
	return cmd
}
