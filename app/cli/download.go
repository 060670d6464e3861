package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/backend/settings"
)

// download downloads a model that is not installed, with a progress bar, and returns its state. When ctx ends it pauses the
// download, so that nothing is downloaded twice. Errors: model_unknown, license_not_accepted, those of a download.
func (p *program) download(ctx context.Context, c *client.Client, name string, yes bool) (backend.ModelStatus, error) {
	return p.downloadUnless(ctx, c, name, yes, func(backend.ModelProgress) error { return nil })
}

// downloadUnless is download that ends with the first error of stop, which sees each progress.
func (p *program) downloadUnless(
	ctx context.Context, c *client.Client, name string, yes bool, stop func(backend.ModelProgress) error,
) (backend.ModelStatus, error) {
	m, err := modelStatus(ctx, c, name)
	if err != nil || m.Downloaded {
		return m, err
	}
	if err := p.acceptLicense(ctx, m, yes); err != nil {
		return m, err
	}
	var started struct {
		ProgressURL string `json:"progress_url"`
	}
	body := map[string]any{"model_name": m.ModelName, "accept_license": m.License.AcceptRequired}
	if err := c.Call(ctx, http.MethodPost, "/models/download", body, &started); err != nil {
		return m, err
	}
	last, err := p.followDownload(ctx, c, started.ProgressURL, "Downloading "+m.ModelName, stop)
	switch {
	case ctx.Err() != nil:
		return m, cancelWork(ctx, c, modelPath(m.ModelName, "/pause"))
	case err != nil:
		return m, err
	case last.Status == backend.DownloadError:
		return m, backend.E(last.Code, last.Detail, last.Remedy)
	case last.Status != backend.DownloadComplete:
		return m, backend.E(backend.CodeInterrupted, "The server stopped before the download was complete.",
			"Start the download again; it resumes where it left off.")
	}
	return modelStatus(ctx, c, name)
}

// followDownload shows the progress of a download until it ends or stop returns an error, and returns the last progress.
func (p *program) followDownload(
	ctx context.Context, c *client.Client, path, label string, stop func(backend.ModelProgress) error,
) (backend.ModelProgress, error) {
	var last backend.ModelProgress
	bar := p.progress(label)
	defer bar.end()
	err := c.Follow(ctx, path, func(data []byte) error {
		last = backend.ModelProgress{}
		if err := json.Unmarshal(data, &last); err != nil {
			return fmt.Errorf("read the progress: %w", err)
		}
		bar.download(last)
		return stop(last)
	})
	return last, err
}

// download is set for the progress of a download: without a bar it prints a line for each state and every ten percent.
func (b *progressBar) download(r backend.ModelProgress) {
	if r.Status == backend.DownloadError {
		return // the error of the command says why
	}
	step := string(r.Status)
	note := step
	if r.Status == backend.DownloadRunning {
		step = fmt.Sprintf("%d%% of %s", percent(r.Current, r.Total)/10*10, printable.Bytes(r.Total))
		note = downloadNote(r)
		if r.Retry != nil && r.Retry.NetworkLost {
			step = "no network connection"
		}
	}
	b.note.Store(&note)
	b.set(float64(r.Current)/float64(max(r.Total, 1)), step)
}

// downloadNote describes a running download: its size, and its speed or why it waits.
func downloadNote(r backend.ModelProgress) string {
	note := fmt.Sprintf("%s of %s", printable.Bytes(r.Current), printable.Bytes(r.Total))
	switch {
	case r.Retry != nil && r.Retry.NetworkLost:
		return note + ", no network connection, will resume when it is back"
	case r.Retry != nil:
		wait := time.Duration(r.Retry.WaitSeconds * float64(time.Second)).Round(time.Second)
		return note + fmt.Sprintf(", connection lost, retrying in %s (attempt %d of %d)", wait, r.Retry.Attempt, r.Retry.Of)
	}
	if r.BytesPerSecond > 0 {
		note += fmt.Sprintf(", %s/s", printable.Bytes(r.BytesPerSecond))
	}
	if r.ETASeconds != nil {
		note += fmt.Sprintf(", %s left", time.Duration(*r.ETASeconds)*time.Second)
	}
	return note
}

// percent returns current as a percentage of total, rounded down.
func percent(current, total int64) int64 { return 100 * current / max(total, 1) }

// acceptLicense returns nil when the user accepts the licence of a model, where that is required: with --yes, or as the
// answer to a question on a terminal. Errors: license_not_accepted.
func (p *program) acceptLicense(ctx context.Context, m backend.ModelStatus, yes bool) error {
	if !m.License.AcceptRequired || m.License.Accepted || yes {
		return nil
	}
	refused := backend.E(backend.CodeLicenseNotAccepted,
		fmt.Sprintf("%s is licensed under %s (%s). Accept the licence to continue.", m.DisplayName, m.License.Name, m.License.URL),
		fmt.Sprintf("Read it, then run voicewright models download %s --yes.", m.ModelName))
	yes, err := p.confirm(ctx, fmt.Sprintf("%s is licensed under %s:\n  %s\nDo you accept the licence?",
		m.DisplayName, m.License.Name, m.License.URL))
	if err == nil && !yes {
		err = refused
	}
	return err
}

// confirm returns the answer to a question on a terminal; without one, and without an answer, it is no. Errors: cancelled.
func (p *program) confirm(ctx context.Context, question string) (yes bool, err error) {
	if !isTerminal(p.io.In) || !isTerminal(p.io.Err) {
		return false, nil
	}
	_, _ = fmt.Fprint(p.io.Err, question+" [y/N] ") // the answer shows whether it was seen
	line, err := interruptible(ctx, func() (string, error) {
		line, _ := bufio.NewReader(p.io.In).ReadString('\n') // no answer means no
		return line, nil
	})
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", err
}

// downloadFor downloads the model that a profile needs, so that its licence and its progress come before the speech. A text
// that the model cannot speak is refused before the download.
func (p *program) downloadFor(ctx context.Context, c *client.Client, profile backend.Profile, f sayFlags) error {
	if isHosted(profile, f.voice) {
		return nil
	}
	name, err := modelFor(ctx, c, profile, f.voice)
	if err != nil || name == "" {
		return err
	}
	m, err := modelStatus(ctx, c, name)
	if backend.CodeOf(err) == backend.CodeModelUnknown {
		return nil // the built-in voice is no model; another unknown name is an error of the generation
	}
	if err != nil || m.Downloaded || m.State == backend.ModelBroken {
		return err
	}
	if err := checkVoice(ctx, c, profile, f); err != nil {
		return err
	}
	_, err = p.download(ctx, c, name, false)
	return err
}

// checkVoice reports why a voice cannot speak its language, before anything is downloaded or spoken.
func checkVoice(ctx context.Context, c *client.Client, profile backend.Profile, f sayFlags) error {
	preview := map[string]any{"text": "a", "profile_id": profile.ID, "voice": f.voice, "language": f.language}
	return c.Call(ctx, http.MethodPost, "/text/preview", preview, nil)
}

// modelFor returns the name of the model that speaks for a profile, empty where only the server knows it.
func modelFor(ctx context.Context, c *client.Client, profile backend.Profile, voice string) (string, error) {
	if name, _, ok := strings.Cut(voice, ":"); ok {
		return name, nil
	}
	if voice != "" || profile.ModelName != "" || profile.VoiceType != backend.VoiceDefault {
		return profile.ModelName, nil
	}
	var all map[string]any
	if err := c.Call(ctx, http.MethodGet, "/settings", nil, &all); err != nil {
		return "", err
	}
	chosen, _ := all[settings.DefaultVoice].(string)
	name, _, _ := strings.Cut(chosen, ":")
	return name, nil
}
