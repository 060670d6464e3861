package cli

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

func (p modelCommands) all() *cobra.Command {
	return group("models", "Manage speech and transcription models",
		p.modelsList(), p.modelsDownload(), p.modelsLoad(), p.modelsUnload(), p.modelsRemove(), p.modelsImport(), p.modelsAdopt(),
		p.modelsVerify())
}

// modelPath returns the path of a model in the API, followed by suffix.
func modelPath(name, suffix string) string { return "/models/" + url.PathEscape(name) + suffix }

// modelStatus returns the state of a model.
func modelStatus(ctx context.Context, c *client.Client, name string) (backend.ModelStatus, error) {
	var m backend.ModelStatus
	err := c.Call(ctx, http.MethodGet, modelPath(name, ""), nil, &m)
	return m, err
}

func (p modelCommands) modelsList() *cobra.Command {
	return p.command("list", "List the models", usage.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		var list struct {
			Models []backend.ModelStatus `json:"models"`
		}
		if err := c.Call(ctx, http.MethodGet, "/models/status", nil, &list); err != nil {
			return err
		}
		if p.json {
			return p.printJSON(list)
		}
		rows := make([][]string, len(list.Models))
		for i, m := range list.Models {
			rows[i] = []string{
				m.ModelName, m.Engine, cmp.Or(summary(m.Languages), "any"), fmt.Sprint(m.Voices), sizeOf(m),
				modelState(m), modelShape(m), licenseState(m.License),
			}
		}
		if err := p.table("NAME ENGINE LANGUAGES VOICES SIZE STATE CORES LICENCE", rows); err != nil {
			return err
		}
		return p.printDeviceWarnings(list.Models)
	})
}

// printDeviceWarnings names the models that run on the CPU in place of a GPU.
func (p modelCommands) printDeviceWarnings(models []backend.ModelStatus) error {
	for _, m := range models {
		if w := m.DeviceWarning; w != nil {
			if err := p.printf("%s runs on the CPU: %s %s\n", m.ModelName, w.Detail, w.Remedy); err != nil {
				return err
			}
		}
	}
	return nil
}

// sizeOf returns the size of a model in words.
func sizeOf(m backend.ModelStatus) string {
	if m.SizeMB == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%d MB", m.SizeMB)
}

// summary returns the first words of a list and the number of the others.
func summary(words []string) string {
	const shown = 3
	if len(words) <= shown {
		return strings.Join(words, ",")
	}
	return fmt.Sprintf("%s +%d", strings.Join(words[:shown], ","), len(words)-shown)
}

func modelState(m backend.ModelStatus) string {
	switch {
	case m.Loaded:
		return "loaded"
	case m.Downloaded:
		return "installed"
	case m.Downloading != nil:
		return fmt.Sprintf("downloading %d%%", percent(m.Downloading.Current, m.Downloading.Total))
	case m.State == backend.ModelBroken:
		return "damaged"
	case m.PartialMB > 0:
		return fmt.Sprintf("%d MB downloaded", m.PartialMB)
	default:
		return "not installed"
	}
}

// modelShape returns how a loaded model uses the cores: parallel sentences x threads of each.
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
		return l.Name + " (not accepted)"
	}
}

func (p modelCommands) modelsDownload() *cobra.Command {
	var yes bool
	cmd := p.command("download NAME", "Download a model", usage.ExactArgs("NAME"),
		func(ctx context.Context, c *client.Client, args []string) error {
			m, err := p.download(ctx, c, args[0], yes)
			if err != nil {
				return err
			}
			return p.print(m, "%s is installed (%s).%s", m.ModelName, sizeOf(m), tryIt(m))
		})
	cmd.Long = "Download a model. An interrupted download resumes where it left off."
	acceptFlag(cmd, &yes)
	return cmd
}

// tryIt returns a sentence with commands that use a model.
func tryIt(m backend.ModelStatus) string {
	const begin = " Try it with:\n  "
	switch {
	case m.Family == registry.Speakers:
		return begin + "voicewright transcribe --speakers auto recording.wav"
	case m.Family == registry.Transcription:
		return begin + "voicewright transcribe --model " + m.ModelName + " recording.wav"
	case clonesOnly(m):
		return begin + "voicewright profiles create \"My voice\" --cloned --model " + m.ModelName + "\n" +
			"  voicewright profiles add-sample \"My voice\" recording.wav --consent own_voice\n" +
			"  voicewright say --profile \"My voice\" \"Hello\""
	}
	return begin + "voicewright say --voice " + m.ModelName + ": \"Hello\""
}

// clonesOnly reports whether a model speaks with the voices of samples only.
func clonesOnly(m backend.ModelStatus) bool { return m.Cloning && m.Voices == 0 }

// acceptFlag adds the flag that accepts the licence of a model.
func acceptFlag(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "accept the model's licence")
}

// serverCommand returns a command for a model in the memory of the running server: only there does one stay loaded.
func (p modelCommands) serverCommand(use, short string, run action) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: usage.ExactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := p.options()
			if err != nil {
				return err
			}
			c, ok := p.app.FindServer(cmd.Context(), o.Data)
			if !ok {
				return usage.Errorf("no server is running; start one with voicewright serve")
			}
			return run(cmd.Context(), c, args)
		},
	}
}

func (p modelCommands) modelsLoad() *cobra.Command {
	var force bool
	cmd := p.serverCommand("load NAME", "Load a model into the running server",
		func(ctx context.Context, c *client.Client, args []string) error {
			body := map[string]any{"model_name": args[0], "force": force}
			return printCall(ctx, p.program, c, http.MethodPost, "/models/load", body, func(m backend.ModelLoad) string {
				line := fmt.Sprintf("%s is loaded: %d MB on %s, in %d ms.", m.ModelName, m.MemoryMB, m.Device, m.LoadMS)
				if w := m.Warning; w != nil {
					line += fmt.Sprintf(" Warning: %s %s", w.Detail, w.Remedy)
				}
				return line
			})
		})
	cmd.Flags().BoolVar(&force, "force", false, "load the model even when memory is low")
	return cmd
}

func (p modelCommands) modelsUnload() *cobra.Command {
	var force bool
	cmd := p.serverCommand("unload NAME", "Unload a model from the running server",
		func(ctx context.Context, c *client.Client, args []string) error {
			body := map[string]any{"model_name": args[0]}
			return printCall(ctx, p.program, c, http.MethodPost, "/models/unload"+forceQuery(force), body, func(m backend.ModelFreed) string {
				return fmt.Sprintf("Unloaded %s. Freed %d MB.", m.ModelName, m.FreedMB)
			})
		})
	forceFlag(cmd, &force)
	return cmd
}

// forceFlag adds the flag that stops the work for which a model is in use.
func forceFlag(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false, "stop the work that uses the model instead of waiting for it")
}

func forceQuery(force bool) string {
	if force {
		return "?force=true"
	}
	return ""
}

func (p modelCommands) modelsRemove() *cobra.Command {
	var force bool
	cmd := p.command("rm NAME", "Delete a downloaded model and keep its profiles", usage.ExactArgs("NAME"),
		func(ctx context.Context, c *client.Client, args []string) error {
			path := modelPath(args[0], forceQuery(force))
			return printCall(ctx, p.program, c, http.MethodDelete, path, nil, func(m backend.ModelDeleted) string {
				return fmt.Sprintf("Deleted %s. Freed %d MB.", m.ModelName, m.FreedMB)
			})
		})
	forceFlag(cmd, &force)
	return cmd
}
