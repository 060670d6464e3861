// Package app is the program: it builds the rooms together, starts and stops them, and holds the commands.
// It is the only place that constructs.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/app/cli"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/english"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/kitten"
	"github.com/voicewright/voicewright/engines/kokoro"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/piper"
	"github.com/voicewright/voicewright/engines/supertonic"
)

// version is set by the build.
var version = "dev"

// Version is the version of the program.
func Version() string {
	if version != "dev" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}

// Config says where the studio keeps things and how it may be reached.
type Config struct {
	Data         string                 // the data directory
	Models       string                 // the models directory; empty = below Data
	Token        func() (string, error) // of the local API, asked for once the directory is ours; nil or "" = none is needed
	Offline      bool
	AllowOrigins []string
	AllowHosts   []string
	TLS          bool
	Addr         func() net.Addr // the bound address, once it is known
	UI           fs.FS
	Log          *slog.Logger
	BuiltIn      engines.Speaker // another built-in voice, for tests
}

// Studio is the running backend: everything but a listener.
type Studio struct {
	API        *httpapi.API
	token      string
	lock       *datadir.Lock
	db         *sqlite.DB
	known      func() ([]registry.Entry, error) // the models that the program brings
	hub        *hub.Client
	models     *models.Manager
	speech     *speech.Service
	settings   *settings.Settings
	builtIn    engines.Speaker
	phonemizer *espeak.Phonemizer
	retention  context.CancelFunc
	background sync.WaitGroup
}

// Open takes the data directory for this process and builds the studio on it.
// Errors: data_dir_locked, not_permitted, insufficient_disk, database_corrupt, model_corrupt.
func Open(ctx context.Context, c Config) (_ *Studio, err error) {
	lock, err := datadir.Acquire(c.Data)
	if err != nil {
		return nil, err
	}
	s := &Studio{lock: lock, retention: func() {}, known: sync.OnceValues(registry.Load)}
	s.background.Go(func() { // while the database opens; who needs the list meets what is wrong with it
		_ = backend.Contain(func() error {
			_, err := s.known()
			return err
		})
	})
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close(ctx))
		}
	}()
	if err := backup.Finish(c.Data); err != nil { // a restore that a power cut interrupted
		return nil, err
	}
	files.Sweep(c.Data, time.Now())
	_ = os.Remove(datadir.AddressFile(c.Data)) // of a server that was killed; another program may have its port by now
	if c.Token != nil {
		if s.token, err = c.Token(); err != nil {
			return nil, err
		}
	}
	if s.db, err = sqlite.Open(ctx, sqlite.Options{
		Path: filepath.Join(c.Data, datadir.DatabaseFile), Now: time.Now, NewID: newID,
	}); err != nil {
		return nil, err
	}
	if err := s.db.EnsureBuiltIn(ctx, c.builtInLanguage()); err != nil {
		return nil, err
	}
	return s, s.build(ctx, c)
}

// build makes the rooms in the order of their needs.
func (s *Studio) build(ctx context.Context, c Config) (err error) {
	var events *httpapi.Events
	var api *httpapi.API
	set := make(chan struct{}, 1)
	s.settings, err = settings.Open(ctx, s.db, func() {
		select {
		case set <- struct{}{}:
		default: // it is told already
		}
		events.Publish("settings", struct{}{})
	})
	if err != nil {
		return err
	}
	prefs := s.settings
	runtime := onnx.New(onnx.Options{Path: os.Getenv("VOICEWRIGHT_ORT")})
	s.phonemizer = espeak.NewPhonemizer()
	if s.builtIn = c.BuiltIn; s.builtIn == nil {
		s.builtIn = espeak.New()
	}
	dictionary := english.New(s.phonemizer)
	drivers := []engines.Driver{
		piper.NewDriver(runtime, s.phonemizer), kokoro.NewDriver(runtime, dictionary, s.phonemizer),
		kitten.NewDriver(runtime, s.phonemizer), supertonic.NewDriver(runtime),
	}
	events = httpapi.NewEvents(func(g backend.Generation) any { return api.View(g) }, c.Log)
	defer func() {
		if err != nil {
			events.Close()
		}
	}()
	c.endMove(ctx, prefs)
	if err := s.openModels(ctx, c, drivers, events); err != nil {
		return err
	}
	codecs := audio.FindCodecs()
	s.speech, err = speech.New(ctx, speech.Options{
		Dir: filepath.Join(c.Data, "audio"), Store: s.db, Models: s.models, Encoder: codecs,
		BuiltIn: s.builtIn.Info().Engine, BuiltInVoice: c.builtInVoice,
		Pauses: func() backend.Pauses {
			return backend.Pauses{
				Sentence: prefs.Duration(settings.SentencePause).Seconds(), Paragraph: prefs.Duration(settings.ParagraphPause).Seconds(),
				Heading: prefs.Duration(settings.HeadingPause).Seconds(), Scene: prefs.Duration(settings.ScenePause).Seconds(),
			}
		},
		DefaultVoice: func() (string, bool) {
			return prefs.String(settings.DefaultVoice), prefs.IsSet(settings.DefaultVoice)
		},
		Retention:  func() time.Duration { return prefs.Duration(settings.Retention) },
		Notify:     func(g backend.Generation) { events.Generation(g) },
		Expired:    func(n int) { events.History(n) },
		Words:      s.db.AllPronunciations,
		Phonemes:   phonetics{dictionary, s.phonemizer}.of,
		Unread:     phonetics{dictionary, s.phonemizer}.unread,
		Memory:     func() (total, free int64, ok bool) { return system.Memory(context.WithoutCancel(ctx)) },
		QueueLimit: speech.DefaultQueueLimit, Version: Version(), Now: time.Now, NewID: newID,
		NewSeed: func() int64 { return rand.Int64N(1 << 31) }, Log: c.Log,
	})
	if err != nil {
		return err
	}
	exports := export.New(export.Options{Store: s.db, Script: s.speech.StoredScript, Encoder: codecs, TempDir: s.speech.TempDir()})
	folder := &modelsFolder{manager: s.models, settings: prefs, data: c.Data, given: c.Models != ""}
	folder.path.Store(s.hub.Cache().Dir)
	probe := prober{data: c.Data, models: folder.Path, runtime: runtime, codecs: codecs, offline: s.offline(c)}
	api, err = httpapi.New(httpapi.Options{
		Token: s.token, Addr: c.Addr, TLS: c.TLS, AllowOrigins: c.AllowOrigins, AllowHosts: c.AllowHosts,
		Allowed: func() (origins, hosts []string) {
			return prefs.Words(settings.AllowOrigins), prefs.Words(settings.AllowHosts)
		},
		Version: Version(), UI: c.UI, Log: c.Log, Events: events, Audio: s.speech,
		TempDir: s.speech.TempDir(), FreeSpace: c.freeSpace,
		Services: httpapi.Services{
			Speech: s.speech, Export: exports, Store: s.db, Models: s.models, ModelsFolder: folder,
			Settings: prefs, System: probe.info, Extract: &extract.Extractor{}, Backup: s.backups(c.Data),
			Profiles: profiles.New(s.db, s.models, func() { events.Publish("profile", struct{}{}) }),
		},
	})
	if err != nil {
		return cli.Usagef("%s", err) // the one thing that it refuses is a malformed host or origin
	}
	s.API = api
	s.keepRetention(ctx, set)
	return nil
}

// offline tells whether only this machine may be talked to, by the flag or by the setting as it stands now.
func (s *Studio) offline(c Config) func() bool {
	return func() bool { return c.Offline || s.settings.Bool(settings.Offline) }
}

// openModels makes the manager of the models, and the client with which it downloads.
func (s *Studio) openModels(ctx context.Context, c Config, drivers []engines.Driver, events *httpapi.Events) error {
	known, err := s.known()
	if err != nil {
		return fmt.Errorf("read the list of models: %w", err)
	}
	if s.hub, err = c.openHub(c.modelsDir(s.settings.String(settings.ModelsDir)), s.offline(c)); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // the probes are asked as long as the studio lives
	s.models, err = models.New(models.Options{
		Hub: s.hub, Known: known, Registry: filepath.Join(c.Data, "models.json"), Licenses: filepath.Join(c.Data, "licenses.json"),
		Drivers: drivers, BuiltIn: s.builtIn, Presets: s.db, Machine: machine(ctx),
		Memory:     func() (total, free int64, ok bool) { return system.Memory(ctx) },
		Resident:   func() int64 { return system.Resident(ctx) },
		IdleUnload: func() time.Duration { return s.settings.Duration(settings.IdleUnload) },
		Device:     func() string { return s.settings.String(settings.SpeechDevice) },
		AfterFree:  onnx.Trim, Now: time.Now, Log: c.Log,
		Changed:  func(name string) { events.Publish("model", map[string]string{"model_name": name}) },
		Progress: events.Model,
	})
	if err != nil {
		return err
	}
	return s.models.EnsurePresets(ctx)
}

// keepRetention removes old history while the studio runs, and as soon as the settings want less of it.
func (s *Studio) keepRetention(ctx context.Context, set <-chan struct{}) {
	ctx, s.retention = context.WithCancel(context.WithoutCancel(ctx))
	s.background.Go(func() { _ = s.speech.Retain(ctx, set) }) // it logs what fails, also a panic, and ends with ctx
}

// Close ends everything in reverse: running speech may finish until ctx ends.
func (s *Studio) Close(ctx context.Context) error {
	s.retention()
	s.background.Wait()
	var errs []error
	if s.speech != nil {
		errs = append(errs, s.speech.Close(ctx))
	}
	if s.API != nil {
		s.API.Close()
	}
	if s.models != nil {
		errs = append(errs, s.models.Close(ctx))
	}
	if s.hub != nil {
		s.hub.Close()
	}
	if s.builtIn != nil {
		errs = append(errs, s.builtIn.Close())
	}
	if s.phonemizer != nil {
		errs = append(errs, s.phonemizer.Close())
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	return errors.Join(append(errs, s.lock.Release())...)
}

// freeSpace measures the disk of the data directory.
func (c Config) freeSpace(ctx context.Context) (bytes int64, known bool) {
	disk := system.Disk(ctx, c.Data)
	if disk == nil {
		return 0, false
	}
	return disk.Free, true
}

// builtInVoice gives the built-in voice of a language; another built-in engine speaks with its first one.
func (c Config) builtInVoice(language string) (string, bool) {
	if c.BuiltIn != nil {
		return "", true
	}
	return espeak.VoiceFor(language)
}

// builtInLanguage is the system's language where the built-in voice speaks it, else "en".
func (c Config) builtInLanguage() string {
	language := systemLanguage()
	if _, ok := c.builtInVoice(language); !ok {
		return "en"
	}
	return language
}

// newID makes a UUID version 7, which sorts by time.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// systemLanguage is the language of the system's locale, "en" for the C locale.
func systemLanguage() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value, _, _ := strings.Cut(os.Getenv(name), ".")
		value, _, _ = strings.Cut(value, "@")
		if value == "" {
			continue
		}
		if tag, ok := backend.CanonicalLanguage(value); ok {
			return tag
		}
		return "en" // C and POSIX
	}
	return "en"
}

// prober answers what this machine and this installation have.
type prober struct {
	data    string
	models  func() string // the models directory
	runtime *onnx.Runtime
	codecs  *audio.Codecs
	offline func() bool
}

// programTime is how long the programs beside ours have to say what they can do: one that hangs is shown as one that
// does not answer.
const programTime = 5 * time.Second

func (p prober) info(ctx context.Context) system.Info {
	info := system.Host(ctx, p.data)
	info.Offline = p.offline()
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	info.Encoders = p.codecs.Encoders(ctx)
	info.Paths = map[string]string{"data": p.data, "models": p.models()}
	info.Libraries = []system.Library{
		library("onnxruntime", p.runtime.Version(), p.runtime.Find()),
		p.espeak(ctx),
		library("ffmpeg", "", p.codecs.Ready(ctx, "mp3")),
	}
	return info
}

func (p prober) espeak(ctx context.Context) system.Library {
	v, err := espeak.New().Version(ctx)
	return library("espeak-ng", v, err)
}

func library(name, version string, err error) system.Library {
	l := system.Library{Name: name, Version: version, Available: err == nil}
	if e := backend.AsError(err); e != nil {
		l.Reason = fmt.Sprintf("%s %s", e.Detail, e.Remedy)
	}
	return l
}
