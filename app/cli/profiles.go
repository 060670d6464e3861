package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p *program) profiles() *cobra.Command {
	return group("profiles", "Manage voice profiles",
		p.profilesList(), p.profilesCreate(), p.profilesShow(), p.profilesRename(), p.profilesRemove(), p.profilesExport(),
		p.profilesImport(),
	)
}

func (p *program) profilesList() *cobra.Command {
	var search string
	cmd := p.command("list", "List the profiles", noArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		query := url.Values{"search": {search}}
		return printAll(ctx, p, c, "/profiles", query, "NAME LANGUAGE TYPE MODEL ID", func(v backend.Profile) []string {
			return []string{v.Name, v.Language, string(v.VoiceType), v.ModelName, v.ID}
		})
	})
	cmd.Flags().StringVar(&search, "search", "", "text in the name, description or language")
	return cmd
}

func (p *program) profilesCreate() *cobra.Command {
	var description, language, model, voice string
	cmd := p.command("create NAME", "Create a profile", exactArgs("NAME"), func(ctx context.Context, c *client.Client, args []string) error {
		body := map[string]any{"name": args[0]}
		for key, value := range map[string]string{
			"description": description, "language": language, "model_name": model, "preset_voice_id": voice,
		} {
			if value != "" {
				body[key] = value
			}
		}
		return printCall(ctx, p, c, http.MethodPost, "/profiles", body, profileText)
	})
	cmd.Flags().StringVar(&description, "description", "", "description of the profile")
	cmd.Flags().StringVar(&language, "language", "", "language tag, such as en")
	cmd.Flags().StringVar(&model, "model", "", "model to use")
	cmd.Flags().StringVar(&voice, "voice", "", "voice of the model")
	return cmd
}

func profileText(v backend.Profile) string {
	return fmt.Sprintf("Name:     %s\nID:       %s\nLanguage: %s\nType:     %s\nModel:    %s\nVoice:    %s\nSpeed:    %g\nAbout:    %s",
		v.Name, v.ID, v.Language, v.VoiceType, v.ModelName, v.PresetVoiceID, v.Speed, v.Description)
}

// profileCommand returns a command for the profile that its first argument names.
func (p *program) profileCommand(
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

func (p *program) profilesShow() *cobra.Command {
	return p.profileCommand("show NAME-or-ID", "Show a profile", exactArgs("NAME-or-ID"),
		func(_ context.Context, _ *client.Client, v backend.Profile, _ []string) error {
			return p.print(v, "%s", profileText(v))
		})
}

func (p *program) profilesRename() *cobra.Command {
	return p.profileCommand("rename NAME-or-ID NEW-NAME", "Rename a profile", exactArgs("NAME-or-ID", "NEW-NAME"),
		func(ctx context.Context, c *client.Client, v backend.Profile, args []string) error {
			body := map[string]string{"name": args[0]}
			return printCall(ctx, p, c, http.MethodPut, "/profiles/"+v.ID, body, profileText)
		})
}

func (p *program) profilesRemove() *cobra.Command {
	return p.profileCommand("rm NAME-or-ID", "Delete a profile and keep its history", exactArgs("NAME-or-ID"),
		func(ctx context.Context, c *client.Client, v backend.Profile, _ []string) error {
			if err := c.Call(ctx, http.MethodDelete, "/profiles/"+v.ID, nil, nil); err != nil {
				return err
			}
			return p.print(map[string]any{"deleted": v.ID}, "Deleted %s", v.Name)
		})
}

func (p *program) profilesExport() *cobra.Command {
	var out string
	cmd := p.profileCommand("export NAME-or-ID", "Export a profile to a zip file", exactArgs("NAME-or-ID"),
		func(ctx context.Context, c *client.Client, v backend.Profile, _ []string) error {
			if err := fetchTo(ctx, c, "/profiles/"+v.ID+"/export", out); err != nil {
				return err
			}
			return p.print(map[string]any{"id": v.ID, "output": out}, "Wrote %s", out)
		})
	cmd.Flags().StringVarP(&out, "output", "o", "profile.zip", "output file")
	return cmd
}

func (p *program) profilesImport() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Import a profile from a zip file", Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, contentType, err := uploadForm(args[0])
			if err != nil {
				return err
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				var v backend.Profile
				header := map[string]string{"Content-Type": contentType}
				if err := c.CallWith(cmd.Context(), http.MethodPost, "/profiles/import", form, &v, header); err != nil {
					return err
				}
				return p.print(v, "%s", profileText(v))
			})
		},
	}
}

// uploadForm returns a multipart form with a file, and its content type.
func uploadForm(file string) (form io.Reader, contentType string, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, "", inputError(file, err)
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", filepath.Base(file))
	if err == nil {
		_, err = part.Write(raw)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, "", fmt.Errorf("encode the upload: %w", err)
	}
	return &body, w.FormDataContentType(), nil
}
