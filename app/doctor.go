package app

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/onnx"
)

func (p *program) doctor() *cobra.Command {
	var bundle string
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check the installation and say how to mend it", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			data, modelsDir, err := p.dirs()
			if err != nil {
				return err
			}
			stored := storedChoices(cmd.Context(), data)
			c := Config{Data: data, Models: modelsDir, Offline: stored.offline}
			findings := system.Examine(cmd.Context(), checks(c, c.modelsDir(stored.models)))
			if bundle != "" {
				if err := writeBundle(cmd.Context(), bundle, data, findings); err != nil {
					return err
				}
			}
			return p.printFindings(findings)
		},
	}
	cmd.Flags().StringVar(&bundle, "bundle", "", "also write what was found, without texts and secrets, to this zip file")
	return cmd
}

// checks are what the doctor looks at. They need no server and no database that opens.
func checks(c Config, modelsDir string) []system.Check {
	data := c.Data
	return []system.Check{
		system.Writable(data), system.Writable(modelsDir), system.DiskSpace(data),
		{Name: "privacy", Bad: system.Warning, Look: func(context.Context) (string, error) { return checkPrivate(data) }},
		{Name: "server", Bad: system.Warning, Look: func(ctx context.Context) (string, error) {
			if a, ok := serverOf(ctx, data); ok {
				return "running at " + a.URL, nil
			}
			return "not running, which is fine", nil
		}},
		{Name: "database", Bad: system.Broken, Look: func(ctx context.Context) (string, error) { return checkDatabase(ctx, data) }},
		{Name: "devices", Bad: system.Warning, Look: func(ctx context.Context) (string, error) {
			var names []string
			for _, d := range system.Host(ctx, data).Devices {
				names = append(names, d.ID+" ("+d.Name+")")
			}
			return strings.Join(names, ", "), nil
		}},
		{Name: "espeak-ng", Bad: system.Broken, Look: func(ctx context.Context) (string, error) {
			v, err := espeak.New().Version(ctx)
			return "version " + v, err
		}},
		{Name: "ONNX Runtime", Bad: system.Warning, Look: func(context.Context) (string, error) {
			runtime := onnx.New(onnx.Options{Path: os.Getenv("VOICEWRIGHT_ORT")})
			err := runtime.Init()
			return "version " + runtime.Version(), err
		}},
		{Name: "ffmpeg", Bad: system.Warning, Look: func(ctx context.Context) (string, error) {
			codecs := audio.FindCodecs()
			return "writes " + strings.Join(codecs.Encoders(ctx), ", "), codecs.Ready(ctx, "mp3")
		}},
		{Name: "model hub", Bad: system.Warning, Look: func(ctx context.Context) (string, error) { return checkHub(ctx, c, modelsDir) }},
	}
}

// hubPatience is how long the doctor waits for the model hub.
const hubPatience = 10 * time.Second

// checkHub asks the model hub for a sign of life. Offline mode is a wish, not a fault.
func checkHub(ctx context.Context, c Config, modelsDir string) (string, error) {
	client, err := c.openHub(modelsDir, func() bool { return c.Offline })
	if err != nil {
		return "", err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, hubPatience)
	defer cancel()
	endpoint, err := client.Reach(ctx)
	if backend.CodeOf(err) == backend.CodeOffline {
		return "not asked, offline mode is on", nil
	}
	return endpoint + " answers", err
}

// choices are what the user has set that matters to the doctor.
type choices struct {
	models  string // the models directory, empty when none is known
	offline bool
}

// storedChoices gives what the user has set. A running server is asked, as it alone may read the settings then.
func storedChoices(ctx context.Context, data string) (stored choices) {
	if a, ok := serverOf(ctx, data); ok {
		var info system.Info // a failure is told by the check of the server
		_ = a.client().call(ctx, http.MethodGet, "/system", nil, &info)
		return choices{models: info.Paths["models"], offline: info.Offline}
	}
	_ = withDatabase(ctx, data, func(db *sqlite.DB) error { // what is wrong with it is told by the check of the database
		prefs, err := settings.Open(ctx, db, func() {})
		if err == nil {
			stored = choices{prefs.String(settings.ModelsDir), prefs.Bool(settings.Offline)}
		}
		return err
	})
	return stored
}

// checkDatabase opens the database when nobody else has it and checks every page.
func checkDatabase(ctx context.Context, data string) (string, error) {
	if _, err := os.Stat(filepath.Join(data, databaseFile)); errors.Is(err, os.ErrNotExist) {
		return "not made yet", nil
	}
	err := withDatabase(ctx, data, func(db *sqlite.DB) error { return db.IntegrityCheck(ctx) })
	if errors.Is(err, &backend.Error{Code: backend.CodeDataDirLocked}) {
		return "in use by the running server, not checked", nil
	}
	return "whole", err
}

// withDatabase opens the database when nobody else has it. Errors: data_dir_locked, not_found without one, those of sqlite.Open.
func withDatabase(ctx context.Context, data string, use func(*sqlite.DB) error) (err error) {
	path := filepath.Join(data, databaseFile)
	if _, err := os.Stat(path); err != nil {
		return backend.FileError("open the database", path, err)
	}
	lock, err := lockDir(data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Now: time.Now, NewID: newID})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return use(db)
}

// printFindings fails when the studio cannot do its main job.
func (p *program) printFindings(findings []system.Finding) error {
	broken := 0
	for _, f := range findings {
		if f.Level == system.Broken {
			broken++
		}
	}
	if p.json {
		if err := p.printJSON(map[string]any{"findings": findings, "ok": broken == 0}); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			if err := p.printf("%-8s %-16s %s\n", f.Level, f.Name, strings.TrimSpace(f.Detail+" "+f.Remedy)); err != nil {
				return err
			}
		}
	}
	if broken > 0 {
		return fmt.Errorf("%d of %d checks found something broken", broken, len(findings))
	}
	return nil
}

// writeBundle writes a zip for a report of a problem: what the machine has and what the doctor found, with the home
// directory's name left out.
func writeBundle(ctx context.Context, path, data string, findings []system.Finding) error {
	raw, err := json.MarshalIndent(map[string]any{
		"version": Version(), "system": system.Host(ctx, data), "findings": findings,
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		raw = bytes.ReplaceAll(raw, []byte(home), []byte("~"))
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return backend.FileError("write the bundle", path, err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create("doctor.json")
	if err == nil {
		_, err = w.Write(raw)
	}
	return backend.FileError("write the bundle", path, errors.Join(err, z.Close(), f.Close()))
}
