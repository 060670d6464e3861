package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
)

// options are the values of the flags, the environment and the configuration file.
type options struct {
	config                     string
	addr, publicURL            string
	issuer, audience, clientID string
	devIDP                     bool
	database, files            string
	providers, models          string
	offline, metrics           bool
	trustProxy                 []string
	prices                     service.Prices
	queueTimeout               time.Duration
}

// envPrefix begins the environment variable of each flag.
const envPrefix = "VOICEWRIGHT_SERVICE_"

// flags returns one flag for each setting but the maps, with its default.
func (s *options) flags() *pflag.FlagSet {
	data := filepath.Join(xdg.DataHome, "voicewright-service")
	s.queueTimeout = providers.DefaultQueueTimeout
	f := pflag.NewFlagSet("settings", pflag.ContinueOnError)
	f.StringVar(&s.config, "config", "", "YAML `FILE` with settings; its keys are the names of these flags")
	f.StringVar(&s.addr, "addr", "127.0.0.1:0", "`HOST:PORT` to listen on; port 0 is any free one")
	f.StringVar(&s.publicURL, "public-url", "", "`URL` at which clients reach the service (default: the address it listens on)")
	f.StringVar(&s.issuer, "issuer", "", "`URL` of the OpenID Connect issuer whose tokens are accepted")
	f.StringVar(&s.audience, "audience", "", "`AUDIENCE` that tokens must name (default: the client id)")
	f.StringVar(&s.clientID, "client-id", "voicewright", "`ID` of the app at the issuer")
	f.BoolVar(&s.devIDP, "dev-idp", false, "start an issuer for trying out, on this machine only")
	f.StringVar(&s.database, "database", "sqlite:"+filepath.Join(data, "service.db"), "database, `sqlite:PATH`")
	f.StringVar(&s.files, "files", filepath.Join(data, "files"), "`DIR` for audio files")
	f.StringVar(&s.providers, "providers", "", "YAML `FILE` that says who speaks for each provider (default: the engines of this machine)")
	f.StringVar(&s.models, "models", defaultModels(), "`DIR` with the models of voicewright")
	f.BoolVar(&s.offline, "offline", false, "open no connection to other machines")
	f.BoolVar(&s.metrics, "metrics", false, "serve metrics for Prometheus at /metrics")
	f.StringSliceVar(&s.trustProxy, "trust-proxy", nil, "`CIDR` of reverse proxies whose X-Forwarded-For is believed (repeatable)")
	return f
}

// defaultModels returns the models directory of the program voicewright.
func defaultModels() string {
	if dir := os.Getenv("VOICEWRIGHT_MODELS_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(xdg.DataHome, "voicewright", "models")
}

// load fills in what the command line did not set: from the environment, else from the configuration file.
func (s *options) load(flags *pflag.FlagSet, getenv func(string) string) error {
	if config := flags.Lookup("config"); !config.Changed {
		s.config = getenv(envName(config.Name))
	}
	var file configFile
	if s.config != "" {
		var err error
		if file, err = readConfig(s.config, flags); err != nil {
			return err
		}
	}
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		if err != nil || f.Changed || f.Name == "config" {
			return
		}
		if value := getenv(envName(f.Name)); value != "" {
			err = setFlag(f, envName(f.Name), value)
		} else if found, ok := file.flags[f.Name]; ok {
			err = setFlag(f, file.place(found.line)+": "+f.Name, found.values...)
		}
	})
	if err == nil {
		err = file.maps(s)
	}
	return err
}

// envName returns the environment variable of a flag.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// setFlag sets a flag to values that source has.
func setFlag(f *pflag.Flag, source string, values ...string) error {
	for _, value := range values {
		if err := f.Value.Set(value); err != nil && f.Value.Type() == "bool" {
			return usagef("%s must be true or false, not %s", source, strconv.Quote(value))
		} else if err != nil {
			return usagef("%s: %w", source, err)
		}
	}
	return nil
}

// place returns the file and line of an entry.
func (c configFile) place(line int) string { return fmt.Sprintf("%s line %d", c.path, line) }
