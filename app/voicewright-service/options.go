package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/providers"
)

// options are the values of the flags, the environment and the configuration file.
type options struct {
	config                     string
	addr, publicURL            string
	issuer, audience, clientID string
	scopes, clientSecret       string
	useIDToken                 bool
	resource, authParams       string
	devIDP                     bool
	database, passwordFile     string
	connections                int
	files, filesCredentials    string
	providers, models          string
	offline, metrics           bool
	metricsAddr                string
	trustProxy                 []string
	drainDelay                 time.Duration
	grace                      string
	allowDomains, allowEmails  []string
	allowGroups                []string
	groupClaim                 string
	invitedOnly                bool
	prices                     service.Prices
	queueTimeout               time.Duration
}

// envPrefix begins the environment variable of each flag.
const envPrefix = "VOICEWRIGHT_SERVICE_"

// flags returns one flag for each setting but the maps, with its default.
func (s *options) flags() *pflag.FlagSet {
	data := dataFolder()
	s.queueTimeout = providers.DefaultQueueTimeout
	f := pflag.NewFlagSet("settings", pflag.ContinueOnError)
	f.StringVar(&s.config, "config", "", "YAML `FILE` with settings; its keys are the names of these flags")
	f.StringVar(&s.addr, "addr", "127.0.0.1:0", "`HOST:PORT` to listen on; port 0 is any free one")
	f.StringVar(&s.publicURL, "public-url", "", "`URL` at which clients reach the service (default: the address it listens on)")
	f.StringVar(&s.issuer, "issuer", "", "`URL` of the OpenID Connect issuer whose tokens are accepted")
	f.StringVar(&s.audience, "audience", "", "`AUDIENCE` that tokens must name (default: the client id)")
	f.StringVar(&s.clientID, "client-id", "voicewright", "`ID` of the app at the issuer")
	f.StringVar(&s.clientSecret, "client-secret", "", "`SECRET` of issuers that give one to apps; the app gets it, so it protects nothing")
	f.StringVar(&s.scopes, "scopes", backend.DefaultScopes, "`SCOPES` that the app asks the issuer for")
	f.BoolVar(&s.useIDToken, "use-id-token", false, "take the ID token of a sign-in, not the access token")
	f.StringVar(&s.resource, "resource", "", "`URI` that the app asks tokens for; none: no URI and no audience (default: the audience)")
	f.StringVar(&s.authParams, "auth-params", "", "more `PARAMETERS` of the issuer's sign-in page, such as access_type=offline")
	f.BoolVar(&s.devIDP, "dev-idp", false, "start an issuer for trying out, on this machine only")
	f.StringVar(&s.database, "database", "sqlite:"+filepath.Join(data, "service.db"),
		"`ADDRESS` of the database: sqlite:PATH, or postgres://USER@HOST/DATABASE without a password")
	f.StringVar(&s.passwordFile, "database-password-file", "", "`FILE` with the password of the database (default: PGPASSWORD)")
	f.IntVar(&s.connections, "database-connections", postgres.DefaultConns, "`NUMBER` of connections to PostgreSQL at most, of each process")
	f.StringVar(&s.files, "files", filepath.Join(data, "files"), "`DIR` for audio files, or s3://BUCKET/PREFIX?endpoint=https://HOST")
	f.StringVar(&s.filesCredentials, "files-credentials", "",
		"`FILE` with the keys of the object store (default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)")
	f.StringVar(&s.providers, "providers", "", "YAML `FILE` that says who speaks for each provider (default: the engines of this machine)")
	f.StringVar(&s.models, "models", defaultModels(), "`DIR` with the models of voicewright")
	f.BoolVar(&s.offline, "offline", false, "open no connection to other machines")
	f.BoolVar(&s.metrics, "metrics", false, "serve metrics for Prometheus at /metrics")
	f.StringVar(&s.metricsAddr, "metrics-addr", "", "`HOST:PORT` to serve /metrics alone, beside --addr; port 0 is any free one")
	f.StringSliceVar(&s.trustProxy, "trust-proxy", nil, "`CIDR` of reverse proxies whose X-Forwarded-For is believed (repeatable)")
	f.DurationVar(&s.drainDelay, "drain-delay", 0, "`TIME` such as 5s for which everything is served after SIGTERM while /ready is 503")
	f.StringVar(&s.grace, "grace", "", "`TIME` that running calls then have to end (default: as long as a call may take)")
	f.StringSliceVar(&s.allowDomains, "allow-domain", nil, "`DOMAIN` of e-mail addresses whose users get an account (repeatable)")
	f.StringSliceVar(&s.allowEmails, "allow-email", nil, "`ADDRESS` of a user who gets an account (repeatable)")
	f.StringSliceVar(&s.allowGroups, "allow-group", nil, "`GROUP` of the issuer whose users get an account (repeatable)")
	f.StringVar(&s.groupClaim, "group-claim", "groups", "`CLAIM` of tokens that has the groups of a user; points lead into objects")
	f.BoolVar(&s.invitedOnly, "invited-only", false, "nobody else gets an account but those for whom one was made with account create")
	return f
}

// dataFolder returns where the program stores things by default.
func dataFolder() string { return filepath.Join(xdg.DataHome, "voicewright-service") }

// defaultModels returns the models directory of the program voicewright.
func defaultModels() string {
	if dir := os.Getenv("VOICEWRIGHT_MODELS_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(xdg.DataHome, "voicewright", "models")
}

// load fills in what the command line did not set: from the environment, else from the configuration file.
func (s *options) load(flags *pflag.FlagSet, lookupEnv func(string) (string, bool)) error {
	if config := flags.Lookup("config"); !config.Changed {
		s.config, _ = lookupEnv(envName(config.Name))
	} else if s.config == "" {
		return usagef("--config is empty; name a file, or leave it out")
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
		if err == nil && f.Name != "config" {
			err = file.fill(f, lookupEnv)
		}
	})
	if err == nil {
		err = file.maps(s)
	}
	return err
}

// fill sets a flag that the command line did not set. A variable without a value is as if it were not there, except for the flags
// that say who gets an account.
func (c configFile) fill(f *pflag.Flag, lookupEnv func(string) (string, bool)) error {
	if f.Changed {
		return errEmptyList(f, "--"+f.Name)
	}
	if value, found := lookupEnv(envName(f.Name)); value != "" || found && closes(f) {
		return setFlag(f, envName(f.Name), value)
	}
	if found, ok := c.flags[f.Name]; ok {
		return c.setFlag(f, found)
	}
	return nil
}

// closes reports whether a flag says who gets an account. Without these everybody does, so that one of them without a value is a
// mistake that would let in everybody.
func closes(f *pflag.Flag) bool {
	return slices.Contains([]string{"allow-domain", "allow-email", "allow-group", "invited-only"}, f.Name)
}

// envName returns the environment variable of a flag.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// setFlag sets a flag to a value that source has.
func setFlag(f *pflag.Flag, source, value string) error {
	if err := f.Value.Set(value); err != nil {
		return wrongValue(f, source, value)
	}
	if closes(f) {
		return errEmptyList(f, source)
	}
	return nil
}

// wrongValue returns the error of a value that source has and a flag does not take.
func wrongValue(f *pflag.Flag, source, value string) error {
	should := "a text" // takes every value
	switch f.Value.Type() {
	case "bool":
		should = "true or false"
	case "duration":
		should = "a time such as 5s"
	case "int":
		should = "a whole number"
	case "stringSlice":
		should = "texts with commas between them, without quotation marks"
	}
	return usagef("%s must be %s, not %s", source, should, strconv.Quote(value))
}

// flagError returns the error of a command line.
func flagError(err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		return wrongValue(wrong.GetFlag(), "--"+wrong.GetFlag().Name, wrong.GetValue())
	}
	return usagef("%s", err)
}

// errEmptyList returns an error where source sets a flag to a list of nothing; else nil.
func errEmptyList(f *pflag.Flag, source string) error {
	if list, ok := f.Value.(pflag.SliceValue); ok && len(list.GetSlice()) == 0 {
		return usagef("%s is empty; name at least one, or leave it out", source)
	}
	return nil
}

// setFlag sets a flag to the value of its key, or to the values of a list, each of which may have commas.
func (c configFile) setFlag(f *pflag.Flag, e entry) error {
	source := c.place(e.line) + ": " + f.Name
	list, repeatable := f.Value.(pflag.SliceValue)
	switch {
	case len(e.values) == 0 && closes(f):
		return setFlag(f, source, "")
	case repeatable && e.list:
		return list.Replace(e.values)
	case len(e.values) == 0:
		return nil
	}
	return setFlag(f, source, e.values[0])
}

// place returns the file and line of an entry.
func (c configFile) place(line int) string { return fmt.Sprintf("%s line %d", c.path, line) }
