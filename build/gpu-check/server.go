package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/system"
)

// server is the running program.
type server struct {
	program string
	data    string
	command *exec.Cmd
	log     bytes.Buffer
	api     *client.Client
}

// startLimit is how long the program may take to answer.
const startLimit = time.Minute

// start starts the program on a library of its own, with the models of the options.
func start(ctx context.Context, o options, work string) (*server, error) {
	s := &server{program: o.program, data: filepath.Join(work, "data")}
	args := []string{"--data", s.data, "serve", "--addr", "127.0.0.1:0", "--offline"}
	if o.models != "" {
		args = append([]string{"--models", o.models}, args...)
	}
	s.command = exec.CommandContext(ctx, o.program, args...) //nolint:forbidigo // the program that is tried, as the user starts it
	s.command.Stderr = &s.log
	s.command.Cancel = func() error { return s.command.Process.Signal(os.Interrupt) }
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("start the program: %w", err)
	}
	limit, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if a, ok := datadir.FindServer(limit, s.data); ok {
			s.api = a.Client()
			return s, s.importModels(ctx, o, work)
		}
		select {
		case <-tick.C:
		case <-limit.Done():
			return nil, errors.Join(fmt.Errorf("the program does not answer: %s", s.log.String()), s.stop())
		}
	}
}

// stop ends the program.
func (s *server) stop() error {
	_ = s.command.Process.Signal(os.Interrupt) // it may have ended
	if err := s.command.Wait(); err != nil && !strings.Contains(err.Error(), "130") {
		return fmt.Errorf("the program ended: %w", err)
	}
	return nil
}

// importModels imports the small models.
func (s *server) importModels(ctx context.Context, o options, work string) error {
	if o.models != "" {
		return nil
	}
	if o.voice != "" {
		folder, err := filepath.Abs(o.voice)
		if err != nil {
			return fmt.Errorf("find the voice: %w", err)
		}
		if err := s.call(ctx, "POST", "/models/import", map[string]any{"path": folder, "name": "voice"}, nil); err != nil {
			return err
		}
	}
	if o.listener == "" {
		return nil
	}
	path := filepath.Join(work, strings.TrimSuffix(filepath.Base(o.listener), ".gz"))
	if err := unpack(o.listener, path); err != nil {
		return err
	}
	return s.call(ctx, "POST", "/models/import", map[string]any{"path": path, "name": "listener"}, nil)
}

func unpack(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("read a model: %w", err)
	}
	defer func() { _ = in.Close() }()
	unzip, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("read a model: %w", err)
	}
	out, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("write a model: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, unzip) //nolint:gosec // a file of the source tree
	return err
}

func (s *server) call(ctx context.Context, method, path string, body, out any) error {
	if err := s.api.Call(ctx, method, path, body, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

func (s *server) system(ctx context.Context) (info system.Info, err error) {
	return info, s.call(ctx, "GET", "/system", nil, &info)
}

// smallest returns the smallest downloaded model of each engine that this program has, in the order of the list.
func (s *server) smallest(ctx context.Context) ([]backend.ModelStatus, error) {
	var list struct{ Models []backend.ModelStatus }
	if err := s.call(ctx, "GET", "/models/status", nil, &list); err != nil {
		return nil, err
	}
	var out []backend.ModelStatus
	at := map[string]int{}
	for _, m := range list.Models {
		if !m.Downloaded || !m.Supported {
			continue
		}
		if i, known := at[m.Engine]; !known {
			at[m.Engine] = len(out)
			out = append(out, m)
		} else if m.SizeMB < out[i].SizeMB {
			out[i] = m
		}
	}
	return out, nil
}

// load loads a model with this setting.
func (s *server) load(ctx context.Context, m backend.ModelStatus, device string) (out backend.ModelLoad, err error) {
	if err := s.unload(ctx, m); err != nil {
		return out, err
	}
	settings := map[string]any{"speech.device": device, "transcribe.device": device, "models.idle_unload": "-1"}
	if err := s.call(ctx, "PUT", "/settings", settings, nil); err != nil {
		return out, err
	}
	return out, s.call(ctx, "POST", "/models/load", map[string]any{"model_name": m.ModelName, "force": true}, &out)
}

func (s *server) unload(ctx context.Context, m backend.ModelStatus) error {
	return s.call(ctx, "POST", "/models/unload", map[string]any{"model_name": m.ModelName}, nil)
}

// status returns what a model says now.
func (s *server) status(ctx context.Context, m backend.ModelStatus) (out backend.ModelStatus, err error) {
	return out, s.call(ctx, "GET", "/models/"+m.ModelName, nil, &out)
}

// text is what is spoken, twice: the first run on a card takes longer.
const text = "The kettle is on the stove, and it sings. Outside, the last tram of the evening goes by."

// speak returns the sound of the text with a profile, and how long it took.
func (s *server) speak(ctx context.Context, profile string) (audio.Buffer, time.Duration, error) {
	var g struct{ ID, Status string }
	began := time.Now()
	body := map[string]any{"profile_id": profile, "text": text, "seed": 7, "language": "en"}
	if err := s.call(ctx, "POST", "/generate", body, &g); err != nil {
		return audio.Buffer{}, 0, err
	}
	took := time.Since(began)
	resp, err := s.api.Do(ctx, http.MethodGet, "/audio/"+g.ID, nil, nil)
	if err != nil {
		return audio.Buffer{}, 0, fmt.Errorf("get the sound: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	sound, err := audio.ReadWAV(resp.Body)
	if err != nil {
		return audio.Buffer{}, 0, fmt.Errorf("read the sound: %w", err)
	}
	return sound, took, nil
}

// transcribe returns the text of a file, and how long that took.
func (s *server) transcribe(ctx context.Context, m backend.ModelStatus, file string) (string, time.Duration, error) {
	began := time.Now()
	args := []string{"--data", s.data, "transcribe", file, "--model", m.ModelName, "--format", "txt"}
	cmd := exec.CommandContext(ctx, s.program, args...) //nolint:forbidigo // the program that is tried
	out, err := cmd.Output()
	if err != nil {
		return "", 0, fmt.Errorf("transcribe: %w", err)
	}
	return strings.TrimSpace(string(out)), time.Since(began), nil
}
