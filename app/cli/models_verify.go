package cli

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p modelCommands) modelsVerify() *cobra.Command {
	var speak, yes bool
	cmd := p.command("verify NAME", "Check the files of a model against their checksums", usage.ExactArgs("NAME"),
		func(ctx context.Context, c *client.Client, args []string) error {
			if speak {
				return p.testSpeech(ctx, c, args[0], yes)
			}
			v, err := verifyModel(ctx, c, args[0])
			if err != nil {
				return err
			}
			if p.json {
				err = p.printJSON(v)
			} else if v.OK {
				err = p.printf("%s is intact: %d files, %d bytes, all verified.\n", v.ModelName, v.Files, v.Bytes)
			}
			if err != nil {
				return err
			}
			return verifyError(v)
		})
	cmd.Long = "Check the files of a model against their checksums.\n" +
		"With --speak, also generate speech in each of its languages and check the audio. A missing model is downloaded first."
	cmd.Flags().BoolVar(&speak, "speak", false, "also generate speech and check the audio")
	acceptFlag(cmd, &yes)
	return cmd
}

func verifyModel(ctx context.Context, c *client.Client, name string) (backend.ModelVerified, error) {
	var v backend.ModelVerified
	err := c.Call(ctx, http.MethodPost, modelPath(name, "/verify"), nil, &v)
	return v, err
}

// verifyError returns the error of a model whose files are damaged.
func verifyError(v backend.ModelVerified) error {
	if v.OK {
		return nil
	}
	return backend.E(v.Error.Code, v.Error.Detail, v.Error.Remedy)
}
