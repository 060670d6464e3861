package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestWrongOptions has one row for each thing that the options of run refuse.
func TestWrongOptions(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	file := o.file("a-file", "")
	keys := o.file("keys", "aws_access_key_id = AKIATEST\naws_secret_access_key = s3cret\n")
	rows := map[string]struct {
		words []string
		args  []string
	}{
		"no issuer":             {[]string{"--issuer", "--dev-idp"}, nil},
		"two issuers":           {[]string{"--issuer", "--dev-idp"}, []string{"--dev-idp", "--issuer", "https://id.example.org"}},
		"issuer without scheme": {[]string{"--issuer", "https://"}, []string{"--issuer", "id.example.org"}},
		"issuer with password":  {[]string{"--issuer", "***"}, []string{"--issuer", "https://ann:secret@id.example.org"}},
		"issuer without TLS":    {[]string{"--issuer", "https"}, []string{"--issuer", "http://id.example.org"}},
		"issuer elsewhere":      {[]string{"--offline", "--issuer"}, []string{"--offline", "--issuer", "https://id.example.org"}},
		"database password":     {[]string{"--database", "--database-password-file", "PGPASSWORD"}, []string{"--dev-idp", "--database", "postgres://u:secret@db/x"}},
		"password parameter":    {[]string{"--database", "PGPASSWORD"}, []string{"--dev-idp", "--database", "postgres://u@db/x?password=secret"}},
		"password in capitals":  {[]string{"--database", "PGPASSWORD"}, []string{"--dev-idp", "--database", "postgres://u@localhost/x?PASSWORD=secret"}},
		"words of libpq":        {[]string{"--database", "postgres://USER@HOST"}, []string{"--dev-idp", "--database", "host=127.0.0.1 user=vw password=secret"}},
		"words with a colon":    {[]string{"--database", "postgres://USER@HOST"}, []string{"--dev-idp", "--database", "host=::1 user=vw password=secret"}},
		"password of others":    {[]string{"--database", "postgres://USER@HOST"}, []string{"--dev-idp", "--database", "mysql://db/x?password=secret"}},
		"database parameter":    {[]string{"--database", "postgres://u@db/x", "sslmode"}, []string{"--dev-idp", "--database", "postgres://u@db/x?sslmode=perhaps"}},
		"wrong parameter":       {[]string{"--database", "sslrootcert (no such file or directory)"}, []string{"--dev-idp", "--database", "postgres://u@db/x?sslmode=verify-full&sslrootcert=/nofile"}},
		"unprotected database":  {[]string{"--database", "another machine", "sslmode=verify-full", "sslmode=require", "sslmode=disable"}, []string{"--dev-idp", "--database", "postgres://u@db/x"}},
		"fragment":              {[]string{"--database", "not valid", "%23"}, []string{"--dev-idp", "--database", "postgres://u@db/x?sslmode=require#secret"}},
		"database only":         {[]string{"--database", "postgres://USER@HOST"}, []string{"--dev-idp", "--database", "postgres:voice"}},
		"database port":         {[]string{"--database"}, []string{"--dev-idp", "--database", "postgresql://u@db:port/x"}},
		"password of SQLite":    {[]string{"--database-password-file", "PostgreSQL"}, []string{"--dev-idp", "--database-password-file", file}},
		"connections":           {[]string{"--database-connections", "1 to 1000"}, []string{"--dev-idp", "--database", "postgres://u@db/x", "--database-connections", "0"}},
		"database elsewhere":    {[]string{"--offline", "postgres://u@db/x"}, []string{"--dev-idp", "--offline", "--database", "postgres://u@db/x?sslmode=verify-full"}},
		"one host elsewhere":    {[]string{"--offline"}, []string{"--dev-idp", "--offline", "--database", "postgres://u@localhost,db/x?sslmode=verify-full"}},
		"database":              {[]string{"--database", "sqlite:PATH"}, []string{"--dev-idp", "--database", "service.db"}},
		"database without path": {[]string{"--database", "sqlite:PATH"}, []string{"--dev-idp", "--database", "sqlite:"}},
		"no endpoint":           {[]string{"--files", "endpoint"}, []string{"--dev-idp", "--files", "s3://bucket/audio?region=x"}},
		"open endpoint":         {[]string{"--files", "insecure=true"}, []string{"--dev-idp", "--files", "s3://bucket/audio?endpoint=http://store.example.org"}},
		"keys in the address":   {[]string{"--files", "credentials"}, []string{"--dev-idp", "--files", "s3://AKIA:secret@bucket/audio?endpoint=https://store.example.org"}},
		"keys as a parameter":   {[]string{"--files", "credentials"}, []string{"--dev-idp", "--files", "s3://bucket/audio?endpoint=https://store.example.org&secret_key=secret"}},
		"no keys of the store":  {[]string{"--files-credentials", "AWS_ACCESS_KEY_ID"}, []string{"--dev-idp", "--files", "s3://bucket/audio?endpoint=https://store.example.org"}},
		"no file of keys":       {[]string{"--files-credentials", "none.txt"}, []string{"--dev-idp", "--files", "s3://bucket/audio?endpoint=https://store.example.org", "--files-credentials", "none.txt"}},
		"empty file of keys":    {[]string{"--files-credentials"}, []string{"--dev-idp", "--files", "s3://bucket/audio?endpoint=https://store.example.org", "--files-credentials", file}},
		"keys of a folder":      {[]string{"--files-credentials", "object store"}, []string{"--dev-idp", "--files-credentials", file}},
		"files elsewhere":       {[]string{"--offline", "--files"}, []string{"--dev-idp", "--offline", "--files", "s3://bucket/audio?endpoint=https://store.example.org", "--files-credentials", keys}},
		"files of a store":      {[]string{"--files", "folder"}, []string{"--dev-idp", "--files", "gs://bucket"}},
		"files is a file":       {[]string{"--files", "folder"}, []string{"--dev-idp", "--files", file}},
		"models is a file":      {[]string{"--models", "folder"}, []string{"--dev-idp", "--models", file}},
		"address":               {[]string{"--addr", "HOST:PORT"}, []string{"--dev-idp", "--addr", "localhost"}},
		"port":                  {[]string{"--addr", "0 to 65535"}, []string{"--dev-idp", "--addr", "127.0.0.1:70000"}},
		"open address":          {[]string{"--dev-idp", "loopback"}, []string{"--dev-idp", "--addr", "0.0.0.0:0"}},
		"any address":           {[]string{"--dev-idp", "loopback"}, []string{"--dev-idp", "--addr", ":0"}},
		"open public address":   {[]string{"--dev-idp", "--public-url"}, []string{"--dev-idp", "--public-url", "https://voice.example.org"}},
		"public address":        {[]string{"--public-url", "http or https"}, []string{"--dev-idp", "--public-url", "ftp://127.0.0.1"}},
		"public address, query": {[]string{"--public-url"}, []string{"--dev-idp", "--public-url", "http://127.0.0.1/?a=b"}},
		"client id":             {[]string{"--client-id"}, []string{"--dev-idp", "--client-id", "two words"}},
		"scopes":                {[]string{"--scopes", "single spaces"}, []string{"--dev-idp", "--scopes", "openid  email"}},
		"no scopes":             {[]string{"--scopes", "openid email"}, []string{"--dev-idp", "--scopes="}},
		"ID token, no openid":   {[]string{"--scopes", "openid"}, []string{"--dev-idp", "--use-id-token", "--scopes", "email"}},
		"ID token, audience":    {[]string{"--use-id-token", "--audience"}, []string{"--issuer", "https://id.example.org", "--use-id-token", "--audience", "other"}},
		"client secret":         {[]string{"--client-secret", "visible"}, []string{"--issuer", "https://id.example.org", "--client-secret", "my secret"}},
		"secret of --dev-idp":   {[]string{"--client-secret", "--dev-idp"}, []string{"--dev-idp", "--client-secret", "my-secret-1"}},
		"resource":              {[]string{"--resource", "none or a URI"}, []string{"--dev-idp", "--resource", "voicewright"}},
		"parameters":            {[]string{"--auth-params", "access_type=offline"}, []string{"--dev-idp", "--auth-params", "access_type=a&access_type=b"}},
		"reserved parameter":    {[]string{"--auth-params", "redirect_uri"}, []string{"--dev-idp", "--auth-params", "state=secret"}},
		"proxy":                 {[]string{"--trust-proxy", "10.0.0.0/8"}, []string{"--dev-idp", "--trust-proxy", "10.0.0.0/99"}},
		"domain with an @":      {[]string{"--allow-domain", "@example.org"}, []string{"--dev-idp", "--allow-domain", "@example.org"}},
		"domain of an address":  {[]string{"--allow-domain"}, []string{"--dev-idp", "--allow-domain", "ann@example.org"}},
		"any subdomain":         {[]string{"--allow-domain", "subdomain"}, []string{"--dev-idp", "--allow-domain", "*.example.org"}},
		"no domain":             {[]string{"--allow-domain", "empty"}, []string{"--dev-idp", "--allow-domain", ""}},
		"no address":            {[]string{"--allow-email", "empty"}, []string{"--dev-idp", "--allow-email="}},
		"no configuration":      {[]string{"--config"}, []string{"--dev-idp", "--config", ""}},
		"one domain of two":     {[]string{"--allow-domain"}, []string{"--dev-idp", "--allow-domain", "example.org,"}},
		"address of nobody":     {[]string{"--allow-email", "example.org"}, []string{"--dev-idp", "--allow-email", "example.org"}},
		"name and address":      {[]string{"--allow-email"}, []string{"--dev-idp", "--allow-email", "Ann <ann@example.org>"}},
		"group without a name":  {[]string{"--allow-group"}, []string{"--dev-idp", "--allow-group", " "}},
		"no claim":              {[]string{"--group-claim", "realm_access.roles"}, []string{"--dev-idp", "--group-claim", ""}},
		"invited by half":       {[]string{"invited-only"}, []string{"--dev-idp", "--invited-only=some"}},
		"missing providers":     {[]string{"no-such-file"}, []string{"--dev-idp", "--providers", "no-such-file"}},
		"missing configuration": {[]string{"no-such-file"}, []string{"--dev-idp", "--config", "no-such-file"}},
		"unknown flag":          {[]string{"--nonsense"}, []string{"--nonsense"}},
		"argument":              {[]string{"nonsense"}, []string{"nonsense"}},
		"metrics without port":  {[]string{"--metrics-addr", "HOST:PORT"}, []string{"--dev-idp", "--metrics-addr", "9090"}},
		"port of the metrics":   {[]string{"--metrics-addr", "65535"}, []string{"--dev-idp", "--metrics-addr", "127.0.0.1:99999"}},
		"drain delay":           {[]string{`--drain-delay must be a time such as 5s, not "5"`}, []string{"--dev-idp", "--drain-delay", "5"}},
		"connections of x":      {[]string{`--database-connections must be a whole number, not "x"`}, []string{"--dev-idp", "--database-connections", "x"}},
		"quotation mark":        {[]string{"--trust-proxy must be texts with commas between them"}, []string{"--dev-idp", "--trust-proxy", `a"b`}},
		"drain before":          {[]string{"--drain-delay", "5s"}, []string{"--dev-idp", "--drain-delay=-5s"}},
		"grace":                 {[]string{"--grace", "90s"}, []string{"--dev-idp", "--grace", "long"}},
		"grace before":          {[]string{"--grace", "90s"}, []string{"--dev-idp", "--grace=-1s"}},
		"bool":                  {[]string{`--metrics must be true or false, not "perhaps"`}, []string{"--dev-idp", "--metrics=perhaps"}},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			o := *o
			o.t = t
			o.mustFail(exitUsage, row.words, append([]string{"run"}, row.args...)...)
			errs := o.run(append([]string{"run"}, row.args...)...).err
			require.NotContains(t, strings.NewReplacer("--client-secret", "", "aws_secret_access_key", "").Replace(errs), "secret")
		})
	}
	_, err := os.Stat(filepath.Dir(o.data))
	require.ErrorIs(t, err, os.ErrNotExist, "a wrong option creates nothing")
}

// TestWrongConfigurationFiles has one row for each thing that the configuration file refuses, with the line that has it.
func TestWrongConfigurationFiles(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	rows := map[string]struct {
		text  string
		words []string
	}{
		"unknown key":        {"dev-idp: true\nport-number: 127.0.0.1:0\n", []string{"line 2", `"port-number"`, "addr"}},
		"repeated key":       {"dev_idp: true\ndev-idp: true\n", []string{"line 2", "dev-idp", "twice"}},
		"config in a config": {"config: other.yaml\n", []string{"line 1", "config"}},
		"bool":               {"\ndev-idp: perhaps\n", []string{"line 2", "dev-idp", "true or false"}},
		"list":               {"dev-idp: true\naddr: [a, b]\n", []string{"line 2", "addr", "one value"}},
		"not YAML":           {"addr: [\n", []string{"YAML"}},
		"no map":             {"- addr\n", []string{"line 1", "key: value"}},
		"two documents":      {"dev-idp: true\n---\ndev-idp: true\n", []string{"one YAML document"}},
		"value":              {"dev-idp: true\naddr: 8080\n", []string{"--addr", "HOST:PORT"}},
		"no domain":          {"dev-idp: true\nallow_domain: []\n", []string{"line 2", "allow-domain", "empty"}},
		"empty domain":       {"dev-idp: true\nallow_domain: \"\"\n", []string{"line 2", "allow-domain", "empty"}},
		"empty group":        {"dev-idp: true\nallow-group: ''\n", []string{"line 2", "allow-group", "empty"}},
		"empty address":      {"dev-idp: true\nallow_email: >\n", []string{"line 2", "allow-email", "empty"}},
		"blank address":      {"dev-idp: true\nallow_email: ' '\n", []string{"--allow-email"}},
		"domain of nothing":  {"dev-idp: true\nallow_domain: [null]\n", []string{"line 2", "allow-domain", "empty"}},
		"list of no domain":  {"dev-idp: true\nallow_domain: ['']\n", []string{"--allow-domain"}},
		"invited by nothing": {"dev-idp: true\ninvited_only:\n", []string{"line 2", "invited-only", "true or false"}},
		"invited by a blank": {"dev-idp: true\ninvited_only: ''\n", []string{"line 2", "invited-only", "true or false"}},
		"no address":         {"dev-idp: true\nallow_email:\n", []string{"line 2", "allow-email", "empty"}},
		"no group":           {"dev-idp: true\nallow_group: [\n  # team\n]\n", []string{"line 2", "allow-group", "empty"}},
		"wrong domain":       {"dev-idp: true\nallow_domain: [example.org, '@b.example']\n", []string{"--allow-domain", "@b.example"}},
		"rate of no model":   {"dev-idp: true\nrates:\n  providerZ: 3\n", []string{"line 3", "rates", "providerZ", "providerA-v3"}},
		"rate of nothing":    {"dev-idp: true\nrates:\n  ProviderA: 0\n", []string{"line 3", "rates", "ProviderA", "from 1"}},
		"limit":              {"dev-idp: true\nlimits:\n  ProviderA: many\n", []string{"line 3", "limits", "whole number"}},
		"limits as a list":   {"dev-idp: true\nlimits: [1]\n", []string{"line 2", "limits", "map"}},
		"repeated limit":     {"dev-idp: true\nlimits:\n  ProviderA: 1\n  ProviderA: 2\n", []string{"line 4", "twice"}},
		"plan":               {"dev-idp: true\nplan_credits:\n  gold: 1\n", []string{"line 3", "plan_credits", "gold", "free, pro, max"}},
		"cap":                {"dev-idp: true\nplan_caps:\n  free: -1\n", []string{"line 3", "plan_caps", "free"}},
		"drain delay":        {"dev-idp: true\ndrain_delay: 5\n", []string{"line 2", "drain-delay", "5s"}},
		"grace":              {"dev-idp: true\ngrace: forever\n", []string{"--grace", "forever"}},
		"connections":        {"dev-idp: true\ndatabase_connections: x\n", []string{"line 2", `database-connections must be a whole number, not "x"`}},
		"queue timeout":      {"dev-idp: true\nqueue_timeout: soon\n", []string{"line 2", "queue_timeout", "30s"}},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			o := *o
			o.t = t
			path := filepath.Join(t.TempDir(), "config.yaml")
			require.NoError(t, os.WriteFile(path, []byte(row.text), 0o600))
			o.mustFail(exitUsage, row.words, "run", "--config", path)
		})
	}
}

// TestEmptyVariables has the settings of who gets an account, which are there and empty, as a script with a misspelt name leaves them.
func TestEmptyVariables(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	for _, row := range []struct{ variable, word string }{
		{"ALLOW_DOMAIN", "empty"}, {"ALLOW_EMAIL", "empty"}, {"ALLOW_GROUP", "empty"}, {"INVITED_ONLY", "true or false"},
	} {
		name := "VOICEWRIGHT_SERVICE_" + row.variable
		o.withEnv(name+"=").mustFail(exitUsage, []string{name, row.word}, "run", "--dev-idp")
		o.withEnv(name+"=").mustFail(exitUsage, []string{name, row.word}, "account", "list")
	}
	o.withEnv("VOICEWRIGHT_SERVICE_DATABASE_CONNECTIONS=x").mustFail(exitUsage,
		[]string{`VOICEWRIGHT_SERVICE_DATABASE_CONNECTIONS must be a whole number, not "x"`}, "run", "--dev-idp")
	config := o.file("config.yaml", "allow_domain: [example.org]\n")
	o.withEnv("VOICEWRIGHT_SERVICE_ALLOW_DOMAIN=").mustFail(exitUsage, []string{"ALLOW_DOMAIN"}, "run", "--dev-idp", "--config", config)
	others := o.withEnv("VOICEWRIGHT_SERVICE_ADDR=", "VOICEWRIGHT_SERVICE_METRICS=", "VOICEWRIGHT_SERVICE_TRUST_PROXY=", "VOICEWRIGHT_SERVICE_CONFIG=")
	others.mustFail(exitNotFound, []string{"no database"}, "account", "list")
}

// TestExamples reads the example files, which documents tell people to copy.
func TestExamples(t *testing.T) {
	t.Parallel()
	examples := filepath.Join(enginetest.Root(t), "build", "service")
	o := newOperator(t)
	o.mustFail(exitNotFound, []string{"no database"}, "account", "list", "--config", filepath.Join(examples, "config.example.yaml"))
	text, err := os.ReadFile(filepath.Join(examples, "providers.example.yaml"))
	require.NoError(t, err)
	providers := o.file("providers.yaml", string(text))
	o.withEnv("TTS_API_KEY=secret").mustFail(exitUsage, []string{"--offline", "ProviderA"}, "run", "--dev-idp", "--offline", "--providers", providers)
}
