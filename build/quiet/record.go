//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/build/sound"
)

// recording is what the API answers about one.
type recording struct {
	ID      string
	Status  string
	Seconds float64
}

// api returns a function that calls the API at url.
func (p *probe) api(ctx context.Context, url string) (call func(method, path, body string) (recording, error), err error) {
	token, err := os.ReadFile(filepath.Join(p.data(), "token"))
	if err != nil {
		return nil, err
	}
	return func(method, path, body string) (r recording, err error) {
		req, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
		if err != nil {
			return r, err
		}
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return r, err
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.StatusCode >= http.StatusBadRequest {
			return r, fmt.Errorf("%s %s: %s", method, path, resp.Status)
		}
		if resp.StatusCode == http.StatusNoContent {
			return r, nil
		}
		return r, json.NewDecoder(resp.Body).Decode(&r)
	}, nil
}

// record makes a recording by the API at url, from a sound server that it starts, deletes it, and dictates.
func (p *probe) record(ctx context.Context, url string) (err error) {
	server, err := sound.Start(ctx, p.sound())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	call, err := p.api(ctx, url)
	if err != nil {
		return err
	}
	r, err := call(http.MethodPost, "/recordings", `{}`)
	if err != nil {
		return err
	}
	path := "/recordings/" + r.ID
	for r.Seconds < 1 {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		if r, err = call(http.MethodGet, path, ""); err != nil {
			return err
		}
		if r.Status != "recording" {
			return fmt.Errorf("the recording is %s", r.Status)
		}
	}
	if _, err := call(http.MethodPost, path+"/stop", ""); err != nil {
		return err
	}
	if _, err := call(http.MethodDelete, path, ""); err != nil {
		return err
	}
	// Dictation, with the shortcut that it cannot have without a desktop.
	for _, step := range []struct{ method, path, body string }{
		{http.MethodPut, "/settings", `{"dictation.enabled":true,"transcribe.model":"listener"}`},
		{http.MethodPost, "/dictation/start", `{"target":"page"}`},
		{http.MethodPost, "/dictation/stop", ""},
	} {
		if _, err := call(step.method, step.path, step.body); err != nil {
			return err
		}
	}
	return nil
}
