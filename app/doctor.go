package app

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/app/cli"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/secrets"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/whisper"
)

// examine runs the checks of the doctor.
func examine(ctx context.Context, o cli.Options) []system.Finding {
	stored := storedChoices(ctx, o.Data)
	c := Config{Data: o.Data, Models: o.Models, Offline: stored.offline, Log: o.Log}
	all := checks(c, c.modelsDir(stored.models), stored)
	if stored.hosted != "" && hasCredential(o.Data) {
		all = append(all, system.Check{Name: "hosted service", Bad: system.Warning, Run: func(ctx context.Context) (string, error) {
			return checkHosted(ctx, stored)
		}})
	}
	return system.Examine(ctx, all)
}

// checks returns the checks of the doctor. They work without a server and with a damaged database.
func checks(c Config, modelsDir string, stored choices) []system.Check {
	data := c.Data
	return []system.Check{
		system.Writable(data), system.Writable(modelsDir), system.DiskSpace(data),
		{Name: "privacy", Bad: system.Warning, Run: func(context.Context) (string, error) { return datadir.CheckPrivate(data) }},
		{Name: "server", Bad: system.Warning, Run: func(ctx context.Context) (string, error) {
			if a, ok := datadir.FindServer(ctx, data); ok {
				return "running at " + a.URL, nil
			}
			return "not running (optional)", nil
		}},
		{Name: "database", Bad: system.Broken, Run: func(ctx context.Context) (string, error) { return checkDatabase(ctx, data) }},
		{Name: "voice prints", Bad: system.Warning, Run: func(context.Context) (string, error) { return checkVoicePrints(data) }},
		{Name: "devices", Bad: system.Warning, Run: func(ctx context.Context) (string, error) {
			return checkDevices(ctx, data, stored, onnx.New(onnx.Options{Path: os.Getenv("VOICEWRIGHT_ORT")}))
		}},
		{Name: backend.ProgramEspeak, Bad: system.Broken, Run: func(ctx context.Context) (string, error) {
			v, err := espeak.New().Version(ctx)
			return "version " + v, err
		}},
		{Name: "ONNX Runtime", Bad: system.Warning, Run: func(context.Context) (string, error) {
			runtime := onnx.New(onnx.Options{Path: os.Getenv("VOICEWRIGHT_ORT")})
			err := runtime.Init()
			return "version " + runtime.Version(), err
		}},
		{Name: "whisper.cpp", Bad: system.Warning, Run: func(context.Context) (string, error) {
			version, err := whisper.Library()
			return "version " + version, err
		}},
		{Name: backend.ProgramFFmpeg, Bad: system.Warning, Run: func(ctx context.Context) (string, error) {
			codecs := audio.FindCodecs()
			return "encodes " + strings.Join(codecs.Encoders(ctx), ", "), codecs.Ready(ctx, "mp3")
		}},
		{Name: backend.ProgramPDFToText, Bad: system.Warning, Run: func(context.Context) (string, error) {
			return "PDF files can be read", new(extract.Extractor).Ready()
		}},
		{Name: "keychain", Bad: system.Warning, Run: func(ctx context.Context) (string, error) {
			return checkSecrets(ctx, data, stored.secretFile)
		}},
		{Name: "model hub", Bad: system.Warning, Run: func(ctx context.Context) (string, error) { return checkHub(ctx, c, modelsDir) }},
	}
}

// hubTimeout is how long the doctor waits for the model hub.
const hubTimeout = 10 * time.Second

// checkHub reports whether the model hub can be reached. Offline mode is a choice, not a fault.
func checkHub(ctx context.Context, c Config, modelsDir string) (string, error) {
	client, err := c.openHub(modelsDir, func() bool { return c.Offline })
	if err != nil {
		return "", err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, hubTimeout)
	defer cancel()
	endpoint, err := client.Reach(ctx)
	if backend.CodeOf(err) == backend.CodeOffline {
		return "not checked, offline mode is on", nil
	}
	return endpoint + " is reachable", err
}

// hasCredential reports whether an API key or a sign-in of the hosted service is stored. It opens no keychain.
func hasCredential(data string) bool {
	store, err := secrets.Open(secrets.Options{Dir: data})
	if err != nil {
		return false // the check of the keychain reports it
	}
	defer func() { _ = store.Close() }() // nothing was written
	_, key := store.Note(secrets.HostedKey)
	_, session := store.Note(secrets.HostedSession)
	return key || session
}

// checkHosted reports whether the hosted service answers. No credential is sent.
func checkHosted(ctx context.Context, stored choices) (string, error) {
	if stored.offline {
		return "not checked, offline mode is on", nil
	}
	c := client.New(client.Options{BaseURL: func() string { return stored.hosted }, Version: Version(), Now: time.Now})
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, hubTimeout)
	defer cancel()
	if _, err := c.Ping(ctx, stored.hosted); err != nil {
		return "", client.AsError(err)
	}
	return stored.hosted + " answers", nil
}

// checkSecrets reports whether API keys and sign-ins can be stored and read.
func checkSecrets(ctx context.Context, data string, fileAllowed bool) (detail string, err error) {
	store, err := secrets.Open(secrets.Options{Dir: data, AllowFile: func() bool { return fileAllowed }, Passphrase: passphrase})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return store.Check(ctx)
}

// choices are the settings that the checks need.
type choices struct {
	models     string // the models directory, empty when unknown
	offline    bool
	secretFile bool   // the encrypted file for secrets is allowed
	hosted     string // the address of the hosted service, empty where hosted voices are off

	speechDevice, transcribeDevice string
}

// storedChoices returns the settings of the user, from the running server when there is one: it holds the database.
func storedChoices(ctx context.Context, data string) (stored choices) {
	if a, ok := datadir.FindServer(ctx, data); ok {
		var info system.Info // the check of the server reports an error
		_ = a.Client().Call(ctx, http.MethodGet, "/system", nil, &info)
		var prefs map[string]any
		_ = a.Client().Call(ctx, http.MethodGet, "/settings", nil, &prefs)
		stored = choices{models: info.Paths["models"], offline: info.Offline, secretFile: prefs[settings.AllowSecretFile] == true}
		stored.speechDevice, _ = prefs[settings.SpeechDevice].(string)
		stored.transcribeDevice, _ = prefs[settings.TranscribeDevice].(string)
		if prefs[settings.HostedEnabled] == true {
			stored.hosted, _ = prefs[settings.HostedURL].(string)
		}
		return stored
	}
	_ = withDatabase(ctx, data, func(db *sqlite.DB) error { // the check of the database reports an error
		prefs, err := settings.Open(ctx, db)
		if err == nil {
			stored = choices{
				models: prefs.String(settings.ModelsDir), offline: prefs.Bool(settings.Offline), secretFile: prefs.Bool(settings.AllowSecretFile),
				speechDevice: prefs.String(settings.SpeechDevice), transcribeDevice: prefs.String(settings.TranscribeDevice),
			}
			if prefs.Bool(settings.HostedEnabled) {
				stored.hosted = prefs.String(settings.HostedURL)
			}
		}
		return err
	})
	return stored
}

// checkDatabase checks every page of the database, unless another process uses it.
func checkDatabase(ctx context.Context, data string) (string, error) {
	if _, err := os.Stat(filepath.Join(data, datadir.DatabaseFile)); errors.Is(err, os.ErrNotExist) {
		return "not created yet", nil
	}
	err := withDatabase(ctx, data, func(db *sqlite.DB) error { return db.IntegrityCheck(ctx) })
	if errors.Is(err, &backend.Error{Code: backend.CodeDataDirLocked}) {
		return "in use by the running server, not checked", nil
	}
	return "OK", err
}

// withDatabase opens the database, unless another process uses it, for the time of use. Errors: data_dir_locked, not_found
// without one, those of sqlite.Open.
func withDatabase(ctx context.Context, data string, use func(*sqlite.DB) error) (err error) {
	path := filepath.Join(data, datadir.DatabaseFile)
	if _, err := os.Stat(path); err != nil {
		return backend.FileError("open the database", path, err)
	}
	lock, err := datadir.Acquire(data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Now: time.Now, NewID: newID})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return use(db)
}
