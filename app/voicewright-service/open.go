package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/api"
	"github.com/voicewright/voicewright/backend/service/devidp"
	"github.com/voicewright/voicewright/backend/service/encode"
	"github.com/voicewright/voicewright/backend/service/enhance"
	"github.com/voicewright/voicewright/backend/service/identity"
)

// runningService is what the program consists of while it runs.
type runningService struct {
	service *service.Service
	http    *http.Server
	metrics *api.Metrics   // nil without --metrics and --metrics-addr
	longest time.Duration  // that a call may take
	closers []func() error // in the order of opening
}

// open constructs the service in the order of its dependencies. The caller closes it.
func open(ctx context.Context, v checkedOptions, addr net.Addr, log *slog.Logger) (_ *runningService, err error) {
	p := &runningService{}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	if v.publicURL == "" {
		v.publicURL = "http://" + addr.String()
	}
	codecs := audio.FindCodecs()
	if v.metrics || v.metricsAddr != "" {
		p.metrics = api.NewMetrics()
	}
	speakers, err := p.openProviders(ctx, v, codecs, log)
	if err != nil {
		return nil, err
	}
	var devIDP http.Handler
	if v.devIDP {
		v.issuer = "http://" + addr.String() + devIDPPath
		if devIDP, err = openDevIDP(v); err != nil {
			return nil, err
		}
	}
	tokens, err := p.openVerifier(ctx, v, log)
	if err != nil {
		return nil, err
	}
	if err := p.openService(ctx, v, speakers, codecs, log); err != nil {
		return nil, err
	}
	handler := api.New(api.Options{
		Service: p.service, Tokens: tokens, PublicURL: v.publicURL, TrustedProxies: v.proxies, Metrics: p.metrics,
		HideMetrics: !v.metrics, Log: log,
		Login: v.login(), Now: time.Now, NewID: uuid.NewString,
		Version: programVersion(),
	})
	p.http = handler.Server()
	if devIDP != nil {
		p.http.Handler = below(devIDPPath+"/", devIDP, p.http.Handler)
	}
	return p, nil
}

// openService opens the store and the files, and starts the service on them.
func (p *runningService) openService(
	ctx context.Context, v checkedOptions, speakers map[service.ProviderID]speaker, codecs *audio.Codecs, log *slog.Logger,
) error {
	warnReadable(log, "--database-password-file", v.passwordFile)
	warnReadable(log, "--files-credentials", v.filesCredentials)
	waiting := func() {
		log.Warn("waiting for the database, which another program has locked", "path", v.store.Place())
	}
	store, err := v.store.Open(ctx, waiting)
	if err != nil {
		return err
	}
	p.onClose(store.Close)
	files, err := p.openFiles(ctx, v.audio, log)
	if err != nil {
		return err
	}
	instance := uuid.NewString()
	p.service, err = service.New(service.Config{
		Store: store, Files: files, Providers: p.openLanes(speakers, store, instance, log), Encoder: encode.New(codecs),
		Enhancer: enhance.Enhancer{}, Prices: v.prices,
		Now: time.Now, NewID: uuid.NewString, Random: rand.Reader, Instance: instance, Log: log,
		Observer: p.metrics, Access: v.access,
	})
	if err != nil {
		return err
	}
	p.onClose(p.closeService)
	if err := v.store.Wait(ctx, waiting, func() error { return p.service.Start(ctx) }); err != nil {
		return fmt.Errorf("start the service: %w", err)
	}
	return nil
}

func (p *runningService) onClose(f func() error) { p.closers = append(p.closers, f) }

// close closes what was opened, the last first.
func (p *runningService) close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	return errors.Join(errs...)
}

// openVerifier returns what checks tokens. It downloads the keys of the issuer in the background.
func (p *runningService) openVerifier(ctx context.Context, v checkedOptions, log *slog.Logger) (api.Tokens, error) {
	verifier, err := identity.New(ctx, identity.Options{
		Issuer: v.issuer, Audience: v.audience, Groups: v.groupClaim, Now: time.Now, Log: log,
	})
	if err != nil {
		return nil, usagef("--issuer: %w", err)
	}
	p.onClose(func() error {
		verifier.Close()
		return nil
	})
	return verifier, nil
}

// devIDPPath is where the issuer of --dev-idp is, below the address of the service.
const devIDPPath = "/dev-idp"

// openDevIDP opens the issuer of --dev-idp. Its keys and sign-ins are stored beside the database, where that is a file.
func openDevIDP(v checkedOptions) (http.Handler, error) {
	dir := cmp.Or(v.store.Folder(), dataFolder())
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	issuer, err := devidp.New(devidp.Options{
		Issuer: v.issuer, ClientID: v.clientID, Audience: v.audience, File: filepath.Join(dir, "dev-idp.json"), Now: time.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("start the issuer of --dev-idp: %w", err)
	}
	return issuer, nil
}

// below serves the paths below a prefix with one handler and all others with another. Unlike http.ServeMux it redirects nothing.
func below(prefix string, inner, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			inner.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

// makeFolder makes a folder that only this user can read.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return backend.FileError("make the folder", dir, err)
	}
	return nil
}

// closeGrace is for the calls of a service that never listened, such as the preview of a voice.
const closeGrace = 10 * time.Second

// closeService ends the calls that still run: none after the server has stopped.
func (p *runningService) closeService() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	return p.service.Close(ctx)
}
