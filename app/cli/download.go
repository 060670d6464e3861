package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/settings"
)

// download brings a model onto this disk when it is not there, with a bar, and gives its state. When ctx ends it pauses the
// download, so that nothing that was fetched is lost. Errors: model_unknown, license_not_accepted, those of a download.
func (p *program) download(ctx context.Context, c *client.Client, name string, yes bool) (backend.ModelStatus, error) {
	m, err := modelOf(ctx, c, name)
	if err != nil || m.Downloaded {
		return m, err
	}
	if err := p.agree(ctx, m, yes); err != nil {
		return m, err
	}
	var begun struct {
		ProgressURL string `json:"progress_url"`
	}
	body := map[string]any{"model_name": m.ModelName, "accept_license": m.License.AcceptRequired}
	if err := c.Call(ctx, http.MethodPost, "/models/download", body, &begun); err != nil {
		return m, err
	}
	last, err := p.watch(ctx, c, begun.ProgressURL, "Downloading "+m.ModelName)
	switch {
	case ctx.Err() != nil:
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopPatience)
		defer cancel()
		return m, errors.Join(ctx.Err(), c.Call(stop, http.MethodPost, modelPath(m.ModelName, "/pause"), nil, nil))
	case err != nil:
		return m, err
	case last.Status == backend.DownloadError:
		return m, backend.E(last.Code, last.Detail, last.Remedy)
	case last.Status != backend.DownloadComplete:
		return m, backend.E(backend.CodeInterrupted, "The server ended before the download was done.",
			"Start the download again; it goes on where it stopped.")
	}
	return modelOf(ctx, c, name)
}

// watch shows the progress of a download until it ends, and gives the last record.
func (p *program) watch(ctx context.Context, c *client.Client, path, what string) (backend.ModelProgress, error) {
	var last backend.ModelProgress
	bar := p.progress(what)
	defer bar.end()
	err := c.Follow(ctx, path, func(data []byte) error {
		last = backend.ModelProgress{}
		if err := json.Unmarshal(data, &last); err != nil {
			return fmt.Errorf("read the progress: %w", err)
		}
		bar.download(last)
		return nil
	})
	return last, err
}

// download moves the bar; elsewhere a line is printed for each step and each tenth of the bytes.
func (b *progressBar) download(r backend.ModelProgress) {
	step := string(r.Status)
	note := step
	if r.Status == backend.DownloadRunning {
		tenth := percent(r.Current, r.Total) / 10 * 10
		step = fmt.Sprintf("%d %% of %s", tenth, size(r.Total))
		note = fmt.Sprintf("%s of %s", size(r.Current), size(r.Total))
		if r.Retry != nil && r.Retry.NetworkLost {
			step, note = "no network connection", note+", no network connection, continues when it is back"
		} else if r.Retry != nil {
			note += fmt.Sprintf(", waits %s to ask again (%d of %d)",
				time.Duration(r.Retry.WaitSeconds*float64(time.Second)).Round(time.Second), r.Retry.Attempt, r.Retry.Of)
		} else if r.BytesPerSecond > 0 {
			note += fmt.Sprintf(", %s/s", size(r.BytesPerSecond))
		}
		if r.ETASeconds != nil && r.Retry == nil {
			note += fmt.Sprintf(", %s left", time.Duration(*r.ETASeconds)*time.Second)
		}
	}
	b.note.Store(&note)
	b.set(float64(r.Current)/float64(max(r.Total, 1)), step)
}

// percent is how much of a total there is, rounded down.
func percent(current, total int64) int64 { return 100 * current / max(total, 1) }

// size writes bytes for people.
func size(bytes int64) string {
	switch {
	case bytes >= 1_000_000_000:
		return fmt.Sprintf("%.2f GB", float64(bytes)/1e9)
	case bytes >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	default:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
}

// agree asks for the user's consent to a licence that must be accepted: by --yes, or by a question on a terminal.
// Errors: license_not_accepted.
func (p *program) agree(ctx context.Context, m backend.ModelStatus, yes bool) error {
	if !m.License.AcceptRequired || m.License.Accepted || yes {
		return nil
	}
	refused := backend.E(backend.CodeLicenseNotAccepted,
		fmt.Sprintf("%s comes under the licence %s (%s), which you must accept first.", m.DisplayName, m.License.Name, m.License.URL),
		fmt.Sprintf("Read it, then run voicewright models download %s --yes.", m.ModelName))
	if !isTerminal(p.io.In) || !isTerminal(p.io.Err) {
		return refused
	}
	_, _ = fmt.Fprintf(p.io.Err, "%s comes under the licence %s:\n  %s\nDo you accept it? [y/N] ", // nowhere else to ask
		m.DisplayName, m.License.Name, m.License.URL)
	answer := make(chan string, 1)
	go func() { // a terminal that nobody types into must not hold up Ctrl-C
		line, _ := bufio.NewReader(p.io.In).ReadString('\n') // no answer is a no
		answer <- line
	}()
	select {
	case line := <-answer:
		if word := strings.ToLower(strings.TrimSpace(line)); word == "y" || word == "yes" {
			return nil
		}
		return refused
	case <-ctx.Done():
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// have downloads the model that will speak when it is not here, so that its bar and its licence come before the work. What the
// model could not speak anyway is refused before.
func (p *program) have(ctx context.Context, c *client.Client, profile backend.Profile, f sayFlags) error {
	name, err := speakerOf(ctx, c, profile, f.voice)
	if err != nil || name == "" {
		return err
	}
	m, err := modelOf(ctx, c, name)
	if backend.CodeOf(err) == backend.CodeModelUnknown {
		return nil // the built-in voice is no model; what is unknown else is told when it is asked to speak
	}
	if err != nil || m.Downloaded || m.State == backend.ModelBroken {
		return err
	}
	look := map[string]any{"text": "a", "profile_id": profile.ID, "voice": f.voice, "language": f.language}
	if err := c.Call(ctx, http.MethodPost, "/text/preview", look, nil); err != nil {
		return err
	}
	_, err = p.download(ctx, c, name, false)
	return err
}

// speakerOf names the model that speaks for a profile, empty where only the server knows it.
func speakerOf(ctx context.Context, c *client.Client, profile backend.Profile, voice string) (string, error) {
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
