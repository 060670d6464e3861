package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
)

func (p profileCommands) profiles() *cobra.Command {
	return group("profiles", "Manage voice profiles",
		p.profilesList(), p.profilesCreate(), p.profilesShow(), p.profilesRename(), p.profilesRemove(), p.profilesExport(),
		p.profilesImport(), p.profilesAddSample(), p.profilesSamples(), p.profilesRemoveSample(), p.profilesSimilarity(),
	)
}

func (p profileCommands) profilesList() *cobra.Command {
	var search string
	cmd := p.command("list", "List the profiles", usage.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		query := url.Values{"search": {search}}
		return printAll(ctx, p.program, c, "/profiles", query, "NAME LANGUAGE TYPE MODEL ID", func(v backend.Profile) []string {
			return []string{v.Name, v.Language, string(v.VoiceType), v.ModelName, v.ID}
		})
	})
	cmd.Flags().StringVar(&search, "search", "", "text in the name, description or language")
	return cmd
}

func (p profileCommands) profilesCreate() *cobra.Command {
	var description, language, model, voice string
	var cloned bool
	cmd := p.command("create NAME", "Create a profile", usage.ExactArgs("NAME"),
		func(ctx context.Context, c *client.Client, args []string) error {
			if voice != "" && model == "" {
				return usage.Errorf("--voice needs --model: \"voicewright models list\" lists the models")
			}
			body := map[string]any{"name": args[0]}
			for key, value := range map[string]string{
				"description": description, "language": language, "model_name": model, "preset_voice_id": voice,
			} {
				if value != "" {
					body[key] = value
				}
			}
			if cloned {
				body["voice_type"] = backend.VoiceCloned
			}
			return printCall(ctx, p.program, c, http.MethodPost, "/profiles", body, profileText)
		})
	cmd.Flags().StringVar(&description, "description", "", "description of the profile")
	cmd.Flags().StringVar(&language, "language", "", "language tag, such as en")
	cmd.Flags().StringVar(&model, "model", "", "model to use")
	cmd.Flags().StringVar(&voice, "voice", "", "voice of the model")
	cmd.Flags().BoolVar(&cloned, "cloned", false, "clone the voice of samples, which add-sample adds")
	return cmd
}

func profileText(v backend.Profile) string {
	voice := v.PresetVoiceID
	if v.VoiceType == backend.VoiceCloned {
		voice = fmt.Sprintf("samples: %d", v.Samples)
	}
	return fmt.Sprintf("Name:     %s\nID:       %s\nLanguage: %s\nType:     %s\nModel:    %s\nVoice:    %s\nSpeed:    %g\nAbout:    %s",
		v.Name, v.ID, v.Language, v.VoiceType, v.ModelName, voice, v.Speed, v.Description)
}

// profileCommand returns a command for the profile that its first argument names.
func (p profileCommands) profileCommand(
	use, short string, args cobra.PositionalArgs, run func(ctx context.Context, c *client.Client, v backend.Profile, args []string) error,
) *cobra.Command {
	return p.command(use, short, args, func(ctx context.Context, c *client.Client, args []string) error {
		v, err := profileByKey(ctx, c, args[0])
		if err != nil {
			return err
		}
		return run(ctx, c, v, args[1:])
	})
}

func (p profileCommands) profilesShow() *cobra.Command {
	return p.profileCommand("show NAME-or-ID", "Show a profile", usage.ExactArgs("NAME-or-ID"),
		func(_ context.Context, _ *client.Client, v backend.Profile, _ []string) error {
			return p.print(v, "%s", profileText(v))
		})
}

func (p profileCommands) profilesRename() *cobra.Command {
	return p.profileCommand("rename NAME-or-ID NEW-NAME", "Rename a profile", usage.ExactArgs("NAME-or-ID", "NEW-NAME"),
		func(ctx context.Context, c *client.Client, v backend.Profile, args []string) error {
			body := map[string]string{"name": args[0]}
			return printCall(ctx, p.program, c, http.MethodPut, "/profiles/"+v.ID, body, profileText)
		})
}

func (p profileCommands) profilesRemove() *cobra.Command {
	var yes bool
	cmd := p.profileCommand("rm NAME-or-ID", "Delete a profile and keep its history", usage.ExactArgs("NAME-or-ID"),
		func(ctx context.Context, c *client.Client, v backend.Profile, _ []string) error {
			if err := p.confirmRemoval(ctx, v, yes); err != nil {
				return err
			}
			if err := c.Call(ctx, http.MethodDelete, "/profiles/"+v.ID, nil, nil); err != nil {
				return err
			}
			return p.print(map[string]any{"deleted": v.ID}, "Deleted %s", v.Name)
		})
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "delete it without a question")
	return cmd
}

// confirmRemoval returns nil when a profile may be deleted. One that is not easily made again needs an answer on a terminal: the
// built-in voice, with which commands speak by default, and one with recordings. Without a terminal the built-in voice needs --yes.
func (p profileCommands) confirmRemoval(ctx context.Context, v backend.Profile, yes bool) error {
	builtIn := v.Name == backend.BuiltInProfileName
	if yes || !builtIn && v.Samples == 0 {
		return nil
	}
	question := fmt.Sprintf("Delete %s with its samples (%d)?", v.Name, v.Samples)
	if builtIn {
		question = fmt.Sprintf("%s speaks where no profile is named. Delete it?", v.Name)
	}
	if !isTerminal(p.io.In) || !isTerminal(p.io.Err) {
		if builtIn {
			return usage.Errorf("%s speaks where no profile is named; add --yes to delete it", v.Name)
		}
		return nil
	}
	yes, err := p.confirm(ctx, question)
	if err == nil && !yes {
		err = usage.Errorf("nothing was deleted")
	}
	return err
}

func (p profileCommands) profilesExport() *cobra.Command {
	var out string
	cmd := p.profileCommand("export NAME-or-ID", "Export a profile to a zip file", usage.ExactArgs("NAME-or-ID"),
		func(ctx context.Context, c *client.Client, v backend.Profile, _ []string) error {
			file, err := usage.OutputFile(out, filename.Safe(v.Name, "profile")+".zip")
			if err != nil {
				return err
			}
			if err := c.Fetch(ctx, "/profiles/"+v.ID+"/export", file); err != nil {
				return err
			}
			return p.print(map[string]any{"id": v.ID, "output": file}, "Wrote %s", file)
		})
	cmd.Flags().StringVarP(&out, "output", "o", "profile.zip", "output file or folder")
	return cmd
}

func (p profileCommands) profilesImport() *cobra.Command {
	var consent usage.Consent
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Import a profile from a zip file",
		Long: "Import a profile from a zip file that was exported. One with samples needs --consent.",
		Args: usage.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := consent.Check(false); err != nil {
				return err
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				var v backend.Profile
				fields := map[string]string{"consent": consent.Kind, "consent_by": consent.By}
				if err := sendFile(cmd.Context(), c, "/profiles/import", args[0], fields, &v); err != nil {
					return needConsent(err)
				}
				return p.print(v, "%s", profileText(v))
			})
		},
	}
	consent.Add(cmd, "cloned")
	return cmd
}

// needConsent returns the error of an import without --consent as a wrong use.
func needConsent(err error) error {
	var invalid *backend.ValidationError
	if errors.As(err, &invalid) && len(invalid.Fields) > 0 && slices.Contains(invalid.Fields[0].Loc, "consent") {
		return usage.Errorf("this profile has samples of a voice, so --consent own_voice or permission is needed")
	}
	return err
}
