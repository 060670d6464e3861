//go:build linux

package main

import (
	"context"
	"errors"
	"net/http"
)

// sessionBus is the name of the session bus, on which nothing listens.
const sessionBus = "session-bus"

// storeKey runs the server to set the address of a hosted service and to store an API key in the encrypted file.
func (p *probe) storeKey(ctx context.Context) (err error) {
	url, stop, err := p.serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	call, err := p.api(ctx, url)
	if err != nil {
		return err
	}
	for _, step := range []struct{ path, body string }{
		{"/settings", `{"hosted.base_url":"https://speech.example.com/root","secrets.allow_file":true}`},
		{"/hosted/key", `{"key":"svc_sk_quiet000000000000000000000000000000"}`},
	} {
		if _, err := call(http.MethodPut, step.path, step.body); err != nil {
			return err
		}
	}
	_, err = call(http.MethodGet, "/hosted/key", "")
	return err
}
