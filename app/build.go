package app

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/bookexport"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/books/covers"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/devices"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/proof"
	"github.com/voicewright/voicewright/backend/recordings"
	"github.com/voicewright/voicewright/backend/recordings/microphone"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/backend/uploads"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/chatterbox"
	"github.com/voicewright/voicewright/engines/diarize"
	"github.com/voicewright/voicewright/engines/english"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/kitten"
	"github.com/voicewright/voicewright/engines/kokoro"
	"github.com/voicewright/voicewright/engines/moss"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/piper"
	"github.com/voicewright/voicewright/engines/pocket"
	"github.com/voicewright/voicewright/engines/supertonic"
	"github.com/voicewright/voicewright/engines/vad"
	"github.com/voicewright/voicewright/engines/whisper"
)

// build creates the services in the order of their dependencies.
func (s *Studio) build(ctx context.Context, c Config) (err error) {
	if s.settings, err = settings.Open(ctx, s.db); err != nil {
		return err
	}
	s.settings.OnChange(s.changes.announce)
	s.settings.CheckNew(c.usableSetting)
	runtime := onnx.New(onnx.Options{Path: os.Getenv("VOICEWRIGHT_ORT"), Providers: c.Providers})
	phonemizer := espeak.NewPhonemizer()
	s.onClose(withoutContext(phonemizer.Close))
	if s.builtIn = c.BuiltIn; s.builtIn == nil {
		s.builtIn = espeak.New()
	}
	s.onClose(withoutContext(s.builtIn.Close))
	s.detector = vad.New(runtime)
	s.onClose(withoutContext(s.detector.Close))
	g2p := english.New(phonemizer)
	drivers := []engines.Driver{
		piper.NewDriver(runtime, phonemizer), kokoro.NewDriver(runtime, g2p, phonemizer),
		kitten.NewDriver(runtime, phonemizer), supertonic.NewDriver(runtime), pocket.NewDriver(runtime),
		chatterbox.NewDriver(runtime), moss.NewDriver(runtime), whisper.NewDriver(c.Log),
		diarize.NewDriver(runtime),
	}
	s.voices = openKnown(c)
	links := httpapi.NewLinks(time.Now, s.voices.Name)
	events := events.New(links.Views(), c.Log)
	s.onClose(func(context.Context) error { events.Close(); return nil })
	s.settings.OnChange(func() { events.Publish("settings", struct{}{}) })
	c.finishMove(ctx, s.settings)
	if err := s.openModels(ctx, c, drivers, events); err != nil {
		return err
	}
	codecs := audio.FindCodecs()
	codecs.Free = freeSpace
	if err := s.openHosted(c, events); err != nil {
		return err
	}
	if err := s.openRecordings(c, events); err != nil {
		return err
	}
	if err := s.openProfiles(ctx, c, codecs, events); err != nil {
		return err
	}
	if err := s.openSpeech(ctx, c, codecs, phonetics{g2p, phonemizer}, events); err != nil {
		return err
	}
	if err := s.openTranscribe(ctx, c, codecs, events); err != nil {
		return err
	}
	// Before running work, which may take a while: nobody is listened to meanwhile.
	s.onClose(func(context.Context) error { s.recordings.Close(); return nil })
	s.openDictation(c, s.detector, events)
	if s.API, err = s.newAPI(c, runtime, codecs, links, events); err != nil {
		return err
	}
	s.startRetention(ctx)
	s.hosted.service.Start()
	return nil
}

// openModels creates the manager of the models and its client of the model hub.
func (s *Studio) openModels(ctx context.Context, c Config, drivers []engines.Driver, events *events.Streams) error {
	known, err := s.known()
	if err != nil {
		return fmt.Errorf("read the list of models: %w", err)
	}
	if s.hub, err = c.openHub(c.modelsDir(s.settings.String(settings.ModelsDir)), s.offline(c)); err != nil {
		return err
	}
	s.onClose(func(context.Context) error { s.hub.Close(); return nil })
	ctx = context.WithoutCancel(ctx) // the probes are called until the studio is closed
	s.models, err = models.New(models.Options{
		Hub: s.hub, Known: known, Registry: filepath.Join(c.Data, "models.json"), Licenses: filepath.Join(c.Data, "licenses.json"),
		Pins:    filepath.Join(c.Data, "pins.json"),
		Drivers: drivers, BuiltIn: s.builtIn, Presets: s.db, Machine: machine(ctx),
		Memory:     func() (total, free int64, ok bool) { return system.Memory(ctx) },
		Resident:   func() int64 { return system.Resident(ctx) },
		IdleUnload: func() time.Duration { return s.settings.Duration(settings.IdleUnload) },
		Device: func(family string) string {
			if family == registry.Transcription {
				return s.settings.String(settings.TranscribeDevice)
			}
			return s.settings.String(settings.SpeechDevice)
		},
		Devices: devices.New(devices.Options{
			Memory: system.GPUMemory, Speeds: filepath.Join(c.Data, "speeds.json"), Log: c.Log,
			Moved: func(name string) { events.Publish("model", map[string]string{"model_name": name}) },
		}),
		AfterFree: onnx.Trim, Now: time.Now, Log: c.Log,
		Changed:  func(name string) { events.Publish("model", map[string]string{"model_name": name}) },
		Progress: events.Model,
	})
	if err != nil {
		return err
	}
	s.onClose(s.models.Close)
	return s.models.EnsurePresets(ctx)
}

// openSpeech creates the services that generate speech.
func (s *Studio) openSpeech(ctx context.Context, c Config, codecs *audio.Codecs, ph phonetics, events *events.Streams) (err error) {
	prefs := s.settings
	s.speech, err = studio.New(ctx, studio.Options{
		Dir: filepath.Join(c.Data, "audio"), Store: s.db, Models: s.models, Encoder: codecs, Hosted: s.hosted.service, Clones: s.profiles,
		Diarizers: s.models,
		BuiltIn:   c.builtInName(), BuiltInVoice: c.builtInVoice,
		Pauses: func() backend.Pauses {
			return backend.Pauses{
				Sentence: prefs.Duration(settings.SentencePause).Seconds(), Paragraph: prefs.Duration(settings.ParagraphPause).Seconds(),
				Heading: prefs.Duration(settings.HeadingPause).Seconds(), Scene: prefs.Duration(settings.ScenePause).Seconds(),
			}
		},
		DefaultVoice: func() (string, bool) {
			return prefs.String(settings.DefaultVoice), prefs.IsSet(settings.DefaultVoice)
		},
		Verify: func() proof.Settings {
			return proof.Settings{
				Always: prefs.Bool(settings.Verify), Model: s.verifier, Limit: prefs.Number(settings.VerifyLimit),
			}
		},
		Retention:  func() time.Duration { return prefs.Duration(settings.Retention) },
		Notify:     func(g backend.Generation) { events.Generation(g) },
		Expired:    func(n int) { events.History(n) },
		Words:      s.db.AllPronunciations,
		Phonemes:   ph.of,
		Unread:     ph.unread,
		Memory:     func() (total, free int64, ok bool) { return system.Memory(context.WithoutCancel(ctx)) },
		QueueLimit: generations.DefaultQueueLimit, Version: Version(), Now: time.Now, NewID: newID,
		NewSeed: func() int64 { return rand.Int64N(1 << 31) }, Log: c.Log,
	})
	if err != nil {
		return err
	}
	s.onClose(s.speech.Close)
	s.books = books.New(ctx, s.speech.Generations, books.Options{
		Dir: filepath.Join(c.Data, "books"), Store: s.db, Now: time.Now, NewID: newID, Log: c.Log,
		Notify: func(id string) { events.Publish("book", map[string]string{"id": id}) },
	})
	s.onClose(s.books.Close)
	return nil
}

// openRecordings creates the service that records from microphones. It connects to the sound system when it is used.
func (s *Studio) openRecordings(c Config, events *events.Streams) (err error) {
	s.recordings, err = recordings.New(recordings.Options{
		Dir: filepath.Join(c.Data, "recordings"), Microphones: &microphone.System{Cookie: filepath.Join(c.Data, "pulse-cookie")},
		Notify: events.Recording, NewID: newID, Now: time.Now, Log: c.Log,
	})
	return err
}

// newAPI creates the local API on top of the services.
func (s *Studio) newAPI(
	c Config, runtime *onnx.Runtime, codecs *audio.Codecs, links *httpapi.Links, events *events.Streams,
) (*httpapi.API, error) {
	prefs := s.settings
	exports := export.New(export.Options{
		Store: s.db, Script: s.speech.Scripts.StoredScript, Encoder: codecs, TempDir: s.speech.Synthesizer.TempDir(), Now: time.Now,
	})
	folder := &modelsFolder{manager: s.models, settings: prefs, data: c.Data, fixed: c.Models != ""}
	folder.path.Store(s.hub.Cache().Dir)
	extractor := &extract.Extractor{}
	probe := prober{data: c.Data, models: folder.Path, runtime: runtime, codecs: codecs, pdf: extractor, offline: s.offline(c)}
	api, err := httpapi.New(httpapi.Options{
		Token: s.token, Addr: c.Addr, TLS: c.TLS, AllowOrigins: c.AllowOrigins, AllowHosts: c.AllowHosts,
		Allowed: func() (origins, hosts []string) {
			return prefs.Words(settings.AllowOrigins), prefs.Words(settings.AllowHosts)
		},
		Version: Version(), UI: c.UI, Log: c.Log, Links: links, Events: events, Audio: s.speech.Generations.Archive,
		TempDir: s.speech.Synthesizer.TempDir(), FreeSpace: func(ctx context.Context) (int64, bool) { return freeSpace(ctx, c.Data) },
		Services: httpapi.Services{
			Speech: s.speech, Transcriptions: s.transcribe, Export: exports, Store: s.db, Models: s.models, ModelsFolder: folder,
			Settings: prefs, System: probe.info, Books: s.books,
			BookExport: s.bookExport(codecs), BookCovers: covers.Covers{Dir: filepath.Join(c.Data, "books"), Log: c.Log},
			Uploads: uploads.NewReader(extractor), Backup: s.backupService(c.Data),
			Recordings: s.recordings, Restore: s.restorer, Updates: updatesChecker(s.offline(c)),
			Dictation: s.dictation, Hosted: s.hosted.service, Forward: s.hosted.forward, SignIn: s.hosted.signIn,
			Profiles: s.profiles, VoicePrints: s.voicePrints(codecs, events),
		},
	})
	if err != nil {
		return nil, usage.Errorf("%s", err) // its only error is a malformed host or origin
	}
	return api, nil
}

// bookExport creates the service that exports books.
func (s *Studio) bookExport(codecs *audio.Codecs) *bookexport.Service {
	return bookexport.New(bookexport.Options{
		Books: s.books, Codecs: codecs, TempDir: s.speech.Synthesizer.TempDir(), Now: time.Now,
	})
}

// freeSpace returns the free bytes of the disk of a folder.
func freeSpace(ctx context.Context, dir string) (bytes int64, known bool) {
	disk := system.Disk(ctx, dir)
	if disk == nil {
		return 0, false
	}
	return disk.Free, true
}

// builtInName returns the name of the built-in engine. espeak-ng is not asked for its voices: a start would wait for that program.
func (c Config) builtInName() string {
	if c.BuiltIn != nil {
		return c.BuiltIn.Info().Engine
	}
	return espeak.Name
}

// builtInVoice returns the built-in voice for a language; empty means the first one of another built-in engine.
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
