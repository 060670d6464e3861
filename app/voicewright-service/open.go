package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/api"
	"github.com/voicewright/voicewright/backend/service/encode"
	"github.com/voicewright/voicewright/backend/service/enhance"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/identity"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// parts are what the program consists of while it runs.
type parts struct {
	service *service.Service
	api     *api.API
	closers []func() error // in the order of opening
}

// open constructs the service in the order of its dependencies. The caller closes it.
func open(ctx context.Context, v valid, addr net.Addr, log *slog.Logger) (_ *parts, err error) {
	p := &parts{}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	if v.publicURL == "" {
		v.publicURL = "http://" + addr.String()
	}
	codecs := audio.FindCodecs()
	var metrics *api.Metrics
	if v.metrics {
		metrics = api.NewMetrics()
	}
	speakers, err := p.openProviders(ctx, v, codecs, metrics, log)
	if err != nil {
		return nil, err
	}
	tokens, err := p.openIssuer(ctx, &v, log)
	if err != nil {
		return nil, err
	}
	store, err := openStore(ctx, v.database)
	if err != nil {
		return nil, err
	}
	p.onClose(store.Close)
	files, err := openFiles(v.files)
	if err != nil {
		return nil, err
	}
	p.service, err = service.New(service.Config{
		Store: store, Files: files, Providers: speakers, Encoder: encode.New(codecs), Enhancer: enhance.Enhancer{}, Prices: v.prices,
		Now: time.Now, NewID: uuid.NewString, Random: rand.Reader, Instance: uuid.NewString(), Log: log,
	})
	if err != nil {
		return nil, err
	}
	if err := p.service.Start(ctx); err != nil {
		return nil, fmt.Errorf("start the service: %w", err)
	}
	p.onClose(p.closeService)
	p.api = api.New(api.Options{
		Service: p.service, Tokens: tokens, PublicURL: v.publicURL, TrustedProxies: v.proxies, Metrics: metrics, Log: log,
		Login: api.Login{Issuer: v.issuer, ClientID: v.clientID, Audience: v.audience}, Now: time.Now, NewID: uuid.NewString,
		Version: programVersion(),
	})
	return p, nil
}

func (p *parts) onClose(f func() error) { p.closers = append(p.closers, f) }

// close closes what was opened, the last first.
func (p *parts) close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	return errors.Join(errs...)
}

// openStore opens the database, with its folder.
func openStore(ctx context.Context, path string) (service.Store, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, backend.FileError("make the folder of the database", dir, err)
	}
	return sqlite.Open(ctx, sqlite.Options{Path: path})
}

// openFiles opens the folder of the audio files.
func openFiles(path string) (service.Files, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, backend.FileError("make the folder of --files", path, err)
	}
	return folder.Open(path)
}

// openIssuer returns what checks tokens.
func (p *parts) openIssuer(ctx context.Context, v *valid, log *slog.Logger) (api.Tokens, error) {
	if v.devIDP {
		return nil, usagef("--dev-idp is not built in yet; use --issuer")
	}
	verifier, err := identity.New(ctx, identity.Options{Issuer: v.issuer, Audience: v.audience, Now: time.Now, Log: log})
	if err != nil {
		return nil, usagef("--issuer: %w", err)
	}
	p.onClose(func() error {
		verifier.Close()
		return nil
	})
	return verifier, nil
}

// closeService ends the calls that still run: none after the server has stopped.
func (p *parts) closeService() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	return p.service.Close(ctx)
}
