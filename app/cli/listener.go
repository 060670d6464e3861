package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// listener is the transcription model that a request would use.
type listener struct {
	ModelName   string `json:"model_name"`
	DisplayName string `json:"display_name"`
	Downloaded  bool   `json:"downloaded"`
	SizeMB      int    `json:"size_mb"`
	Named       bool   `json:"named"` // by the request, or by the user in the settings
}

// withSize returns the name of the model with the size of its download, where that is known.
func (l listener) withSize() string {
	if l.SizeMB == 0 {
		return l.DisplayName
	}
	return fmt.Sprintf("%s (%d MB)", l.DisplayName, l.SizeMB)
}

// listenerFor returns the transcription model for a request with these fields.
func listenerFor(ctx context.Context, c *client.Client, fields map[string]string) (listener, error) {
	query := url.Values{}
	for name, value := range fields {
		if value != "" {
			query.Set(name, value)
		}
	}
	var l listener
	err := c.Call(ctx, http.MethodGet, "/transcriptions/model?"+query.Encode(), nil, &l)
	return l, err
}

// verifierFor returns the transcription model that listens to speech in a language.
func verifierFor(ctx context.Context, c *client.Client, language string) (listener, error) {
	return listenerFor(ctx, c, map[string]string{"use": "verification", "language": language})
}

// downloadFlag adds the answer to the question before a download.
func downloadFlag(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "download a missing transcription model without asking")
}

// fetchListener downloads a transcription model that is missing. Where nobody named it, a terminal is asked first, unless yes is
// the answer; elsewhere standard error says what is downloaded. Errors: model_not_downloaded when the answer is no, those of a
// download; one that the command cannot mend is a neededError.
func (p *program) fetchListener(ctx context.Context, c *client.Client, l listener, yes bool) error {
	if l.Downloaded {
		return nil
	}
	if isOffline(ctx, c) { // nothing is offered that cannot be had
		_, err := p.download(ctx, c, l.ModelName, false)
		return err
	}
	if isTerminal(p.io.In) && isTerminal(p.io.Err) && !l.Named && !yes {
		agreed, err := p.confirm(ctx, fmt.Sprintf("%s is not downloaded. Download it now?", l.withSize()))
		if err != nil {
			return err
		}
		if !agreed {
			return usage.Needs(backend.E(backend.CodeModelNotDownloaded, l.withSize()+" is not downloaded.",
				"Download it with voicewright models download "+l.ModelName+", or choose a model with --model."))
		}
	} else {
		p.notef("Downloading %s: %s", l.ModelName, l.withSize())
	}
	lost := false
	_, err := p.downloadUnless(ctx, c, l.ModelName, false, func(now backend.ModelProgress) error {
		if now.Retry == nil || !now.Retry.NetworkLost || now.Current > 0 {
			return nil
		}
		lost = true
		return backend.E(backend.CodeDownloadFailed, l.withSize()+" is not downloaded, and the model hub cannot be reached.",
			"Connect to the network, or import the model with voicewright models import.")
	})
	if err == nil {
		return nil
	}
	if ctx.Err() == nil {
		// Its error is not needed: the download may have ended by itself.
		_ = c.Call(ctx, http.MethodPost, modelPath(l.ModelName, "/pause"), nil, nil)
	}
	if lost {
		return usage.Needs(err)
	}
	return err
}

// isOffline reports whether the program makes no connections.
func isOffline(ctx context.Context, c *client.Client) bool {
	var system struct {
		Offline bool `json:"offline"`
	}
	return c.Call(ctx, http.MethodGet, "/system", nil, &system) == nil && system.Offline
}

// prepareVerifier downloads the model that listens to speech in a language where the user's settings want that and the model is
// missing, see fetchListener. Where it cannot be had, it says so on standard error, and the request in body goes without.
func (p *program) prepareVerifier(ctx context.Context, c *client.Client, language string, body map[string]any) error {
	var prefs struct {
		Verify bool `json:"speech.verify"`
	}
	if err := c.Call(ctx, http.MethodGet, "/settings", nil, &prefs); err != nil || !prefs.Verify {
		return err
	}
	l, err := verifierFor(ctx, c, language)
	if err == nil {
		err = p.fetchListener(ctx, c, l, false)
	}
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	sentence, _, _ := describeError(ctx, err)
	p.notef("The audio will not be checked. %s", sentence)
	body["verify"] = false
	return nil
}
