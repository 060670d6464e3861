package cli

import (
	"bytes"
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
	group := &cobra.Command{Use: "profiles", Short: "Voice profiles", RunE: needsSubcommand}
	group.AddCommand(
		p.profilesList(), p.profilesCreate(), p.profilesShow(), p.profilesRename(), p.profilesRemove(), p.profilesExport(),
		p.profilesImport(),
	)
	return group
}

// needsSubcommand prints the help of a group and fails.
func needsSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("unknown command %q for %q", args[0], cmd.CommandPath())
	}
	cmd.SetOut(cmd.ErrOrStderr()) // standard output is for answers
	_ = cmd.Help()                // printing is all it can do
	return Usagef("%s needs a command", cmd.CommandPath())
}

func (p *program) profilesList() *cobra.Command {
	var search string
	cmd := &cobra.Command{
		Use: "list", Short: "List the profiles", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				list := backend.List[backend.Profile]{Items: []backend.Profile{}}
				err := eachProfile(cmd.Context(), c, url.Values{"search": {search}}, func(v backend.Profile) bool {
					list.Items = append(list.Items, v)
					return true
				})
				if err != nil {
					return err
				}
				list.Total = len(list.Items)
				if p.json {
					return p.printJSON(list)
				}
				rows := make([][]string, len(list.Items))
				for i, v := range list.Items {
					rows[i] = []string{v.Name, v.Language, string(v.VoiceType), v.ModelName, v.ID}
				}
				return p.table("NAME LANGUAGE TYPE MODEL ID", rows)
			})
		},
	}
	cmd.Flags().StringVar(&search, "search", "", "part of the name, description or language")
	return cmd
}

func (p *program) profilesCreate() *cobra.Command {
	var description, language, model, voice string
	cmd := &cobra.Command{
		Use: "create NAME", Short: "Make a profile", Args: exactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			body := map[string]any{"name": args[0]}
			for key, value := range map[string]string{
				"description": description, "language": language, "model_name": model, "preset_voice_id": voice,
			} {
				if value != "" {
					body[key] = value
				}
			}
			return p.profileCall(cmd, http.MethodPost, "/profiles", body)
		},
	}
	cmd.Flags().StringVar(&description, "description", "", "what it is for")
	cmd.Flags().StringVar(&language, "language", "", "BCP 47 language, such as en")
	cmd.Flags().StringVar(&model, "model", "", "model to speak with")
	cmd.Flags().StringVar(&voice, "voice", "", "voice of the model")
	return cmd
}

// profileCall makes a call whose answer is a profile, and prints it.
func (p *program) profileCall(cmd *cobra.Command, method, path string, body any) error {
	return p.with(cmd.Context(), func(c *client.Client) error {
		var v backend.Profile
		if err := c.Call(cmd.Context(), method, path, body, &v); err != nil {
			return err
		}
		return p.printProfile(v)
	})
}

func (p *program) printProfile(v backend.Profile) error {
	if p.json {
		return p.printJSON(v)
	}
	return p.printf("Name:     %s\nId:       %s\nLanguage: %s\nType:     %s\nModel:    %s\nVoice:    %s\nSpeed:    %g\nAbout:    %s\n",
		v.Name, v.ID, v.Language, v.VoiceType, v.ModelName, v.PresetVoiceID, v.Speed, v.Description)
}

// onProfile runs f with the profile that the first argument names.
func (p *program) onProfile(cmd *cobra.Command, key string, f func(*client.Client, backend.Profile) error) error {
	return p.with(cmd.Context(), func(c *client.Client) error {
		v, err := profileByKey(cmd.Context(), c, key)
		if err != nil {
			return err
		}
		return f(c, v)
	})
}

func (p *program) profilesShow() *cobra.Command {
	return &cobra.Command{
		Use: "show NAME-or-ID", Short: "Show a profile", Args: exactArgs("NAME-or-ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.onProfile(cmd, args[0], func(_ *client.Client, v backend.Profile) error { return p.printProfile(v) })
		},
	}
}

func (p *program) profilesRename() *cobra.Command {
	return &cobra.Command{
		Use: "rename NAME-or-ID NEW-NAME", Short: "Rename a profile", Args: exactArgs("NAME-or-ID", "NEW-NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.onProfile(cmd, args[0], func(c *client.Client, v backend.Profile) error {
				body := map[string]string{"name": args[1]}
				if err := c.Call(cmd.Context(), http.MethodPut, "/profiles/"+v.ID, body, &v); err != nil {
					return err
				}
				return p.printProfile(v)
			})
		},
	}
}

func (p *program) profilesRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME-or-ID", Short: "Delete a profile; its history stays", Args: exactArgs("NAME-or-ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.onProfile(cmd, args[0], func(c *client.Client, v backend.Profile) error {
				if err := c.Call(cmd.Context(), http.MethodDelete, "/profiles/"+v.ID, nil, nil); err != nil {
					return err
				}
				return p.done("Deleted "+v.Name, map[string]any{"deleted": v.ID})
			})
		},
	}
}

// done prints that something was done.
func (p *program) done(sentence string, data map[string]any) error {
	if p.json {
		return p.printJSON(data)
	}
	return p.printf("%s\n", sentence)
}

func (p *program) profilesExport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "export NAME-or-ID", Short: "Write a profile to a zip file", Args: exactArgs("NAME-or-ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.onProfile(cmd, args[0], func(c *client.Client, v backend.Profile) error {
				if out == "" {
					out = "profile.zip"
				}
				if err := checkFolder(out); err != nil {
					return err
				}
				if err := c.Fetch(cmd.Context(), "/profiles/"+v.ID+"/export", out); err != nil {
					return err
				}
				return p.done("Wrote "+out, map[string]any{"id": v.ID, "output": out})
			})
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write (default profile.zip)")
	return cmd
}

func (p *program) profilesImport() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Make a profile of an exported zip file", Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := os.ReadFile(args[0])
			if err != nil {
				return backend.FileError("read the file", args[0], missingFile(args[0], err))
			}
			var form bytes.Buffer
			w := multipart.NewWriter(&form)
			part, err := w.CreateFormFile("file", filepath.Base(args[0]))
			if err == nil {
				_, err = part.Write(raw)
			}
			if err != nil || w.Close() != nil {
				return fmt.Errorf("make the upload: %w", err)
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				var v backend.Profile
				header := map[string]string{"Content-Type": w.FormDataContentType()}
				err := c.CallWith(cmd.Context(), http.MethodPost, "/profiles/import", io.Reader(&form), &v, header)
				if err != nil {
					return err
				}
				return p.printProfile(v)
			})
		},
	}
}
