package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p *program) modelCommands() *cobra.Command {
	group := &cobra.Command{Use: "models", Short: "Speech models", RunE: needsSubcommand}
	group.AddCommand(
		p.modelsList(), p.modelsDownload(), p.modelsLoad(), p.modelsUnload(), p.modelsRemove(), p.modelsImport(), p.modelsVerify(),
	)
	return group
}

// modelPath is the path of a model in the API, with what comes behind its name.
func modelPath(name, rest string) string { return "/models/" + url.PathEscape(name) + rest }

// modelOf gives the state of a model.
func modelOf(ctx context.Context, c *client.Client, name string) (backend.ModelStatus, error) {
	var m backend.ModelStatus
	err := c.Call(ctx, http.MethodGet, modelPath(name, ""), nil, &m)
	return m, err
}

func (p *program) modelsList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the models", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				var list struct {
					Models []backend.ModelStatus `json:"models"`
				}
				if err := c.Call(cmd.Context(), http.MethodGet, "/models/status", nil, &list); err != nil {
					return err
				}
				if p.json {
					return p.printJSON(list)
				}
				rows := make([][]string, len(list.Models))
				for i, m := range list.Models {
					rows[i] = []string{
						m.ModelName, m.Engine, few(m.Languages), fmt.Sprint(m.Voices), fmt.Sprintf("%d MB", m.SizeMB),
						modelState(m), modelShape(m), licenseState(m.License),
					}
				}
				return p.table("NAME ENGINE LANGUAGES VOICES SIZE STATE CORES LICENCE", rows)
			})
		},
	}
}

// few shows the first of a list's words and how many more there are.
func few(words []string) string {
	const shown = 3
	if len(words) <= shown {
		return strings.Join(words, ",")
	}
	return fmt.Sprintf("%s +%d", strings.Join(words[:shown], ","), len(words)-shown)
}

func modelState(m backend.ModelStatus) string {
	switch {
	case m.Loaded:
		return "in memory"
	case m.Downloaded:
		return "ready"
	case m.Downloading != nil:
		return fmt.Sprintf("downloading %d %%", percent(m.Downloading.Current, m.Downloading.Total))
	case m.State == backend.ModelBroken:
		return "broken"
	case m.PartialMB > 0:
		return fmt.Sprintf("%d MB fetched", m.PartialMB)
	default:
		return "not downloaded"
	}
}

// modelShape shows how a loaded model uses the cores: sentences side by side x threads of each.
func modelShape(m backend.ModelStatus) string {
	if m.Shape == nil {
		return "-"
	}
	return fmt.Sprintf("%dx%d", m.Shape.Workers, max(m.Shape.Threads, 1))
}

func licenseState(l backend.License) string {
	switch {
	case !l.AcceptRequired:
		return l.Name
	case l.Accepted:
		return l.Name + " (accepted)"
	default:
		return l.Name + " (to be accepted)"
	}
}

func (p *program) modelsDownload() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "download NAME", Short: "Download a model", Args: exactArgs("NAME"),
		Long: "Download a model. A download that was stopped goes on where it stopped.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				m, err := p.download(cmd.Context(), c, args[0], yes)
				if err != nil {
					return err
				}
				if p.json {
					return p.printJSON(m)
				}
				return p.printf("%s is here (%d MB). Use it with:\n  voicewright say --voice %s: \"Hello\"\n",
					m.ModelName, m.SizeMB, m.ModelName)
			})
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "accept the model's licence")
	return cmd
}

// onServer runs f with a client of the running server: only there does a model stay in memory.
func (p *program) onServer(ctx context.Context, f func(*client.Client) error) error {
	o, err := p.options()
	if err != nil {
		return err
	}
	c, ok := p.app.FindServer(ctx, o.Data)
	if !ok {
		return Usagef("there is no running server; start one with voicewright serve")
	}
	return f(c)
}

func (p *program) modelsLoad() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "load NAME", Short: "Bring a model into the memory of the running server", Args: exactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.onServer(cmd.Context(), func(c *client.Client) error {
				var m backend.ModelLoad
				body := map[string]any{"model_name": args[0], "force": force}
				if err := c.Call(cmd.Context(), http.MethodPost, "/models/load", body, &m); err != nil {
					return err
				}
				if p.json {
					return p.printJSON(m)
				}
				return p.printf("%s is in memory: %d MB on %s, loaded in %d ms.\n", m.ModelName, m.MemoryMB, m.Device, m.LoadMS)
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "try also when memory is short")
	return cmd
}

func (p *program) modelsUnload() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "unload NAME", Short: "Free the memory that a model takes in the running server", Args: exactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.onServer(cmd.Context(), func(c *client.Client) error {
				var m backend.ModelFreed
				body := map[string]any{"model_name": args[0]}
				if err := c.Call(cmd.Context(), http.MethodPost, "/models/unload"+forced(force), body, &m); err != nil {
					return err
				}
				if p.json {
					return p.printJSON(m)
				}
				return p.printf("%s is not in memory. Freed %d MB.\n", m.ModelName, m.FreedMB)
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "cancel what it speaks instead of waiting for it")
	return cmd
}

func forced(force bool) string {
	if force {
		return "?force=true"
	}
	return ""
}

func (p *program) modelsRemove() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "rm NAME", Short: "Delete a downloaded model; its profiles stay", Args: exactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				var m backend.ModelDeleted
				if err := c.Call(cmd.Context(), http.MethodDelete, modelPath(args[0], forced(force)), nil, &m); err != nil {
					return err
				}
				if p.json {
					return p.printJSON(m)
				}
				return p.printf("%s is not on this disk. Freed %d MB.\n", m.ModelName, m.FreedMB)
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "cancel what it speaks instead of waiting for it")
	return cmd
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
			return p.with(cmd.Context(), func(c *client.Client) error {
				m, err := importModel(cmd.Context(), c, body)
				if err != nil {
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
	cmd.Flags().StringVar(&name, "name", "", "name of the model (default: from the file); a model of the list takes its files from PATH, checked by hash")
	return cmd
}

// importModel fills a model of the hub, when body names one, and makes a user's own model else.
func importModel(ctx context.Context, c *client.Client, body map[string]string) (backend.ModelStatus, error) {
	route := "/models/import"
	if name := body["name"]; name != "" {
		known, err := modelOf(ctx, c, name)
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

func (p *program) modelsVerify() *cobra.Command {
	var speak, yes bool
	cmd := &cobra.Command{
		Use: "verify NAME", Short: "Compare every byte of a model with its hashes", Args: exactArgs("NAME"),
		Long: "Compare every byte of a model with its hashes.\n" +
			"With --speak also let it speak in its own languages and look at the sound; a missing model is downloaded.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				if speak {
					return p.acceptModel(cmd.Context(), c, args[0], yes)
				}
				v, err := verify(cmd.Context(), c, args[0])
				if err != nil {
					return err
				}
				if p.json {
					err = p.printJSON(v)
				} else if v.OK {
					err = p.printf("%s is whole: %d files, %d bytes.\n", v.ModelName, v.Files, v.Bytes)
				}
				if err == nil && !v.OK {
					err = backend.E(v.Error.Code, v.Error.Detail, v.Error.Remedy)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&speak, "speak", false, "also let it speak, and look at the sound")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "accept the model's licence")
	return cmd
}

func verify(ctx context.Context, c *client.Client, name string) (backend.ModelVerified, error) {
	var v backend.ModelVerified
	err := c.Call(ctx, http.MethodPost, modelPath(name, "/verify"), nil, &v)
	return v, err
}
