//go:build scale && postgres

package servicescale_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

// executed is a statement of a store with its parameters, as text; one that is NULL is missing.
type executed struct {
	text   string
	params map[string]string
}

var (
	logLine   = regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d [\d:.]+ UTC \[\d+\] (LOG|DETAIL):  ((?:.*\n)(?:\t.*\n)*)`)
	logged    = regexp.MustCompile(`(?s)^(?:execute [^:]*|statement): (.*)`)
	parameter = regexp.MustCompile(`(\$\d+) = '((?:[^']|'')*)'`)
)

// cycleStatements returns the statements of one cycle, and its account, call number and call.
func cycleStatements(t *testing.T, cluster *postgrestest.Cluster, db database) (list []executed, variables map[string]string) {
	t.Helper()
	name := postgrestest.Name(db.address)
	const account = 1234
	number := 7_000_000 + 10_000_000*rand.N(1000) // unlike all other values
	cluster.Exec(t, name, fmt.Sprint(`ALTER SEQUENCE calls_seq_seq RESTART WITH `, number))
	cluster.Exec(t, "postgres", `ALTER DATABASE `+name+` SET log_statement = 'all'`)
	before, err := os.ReadFile(filepath.Join(cluster.Dir, "log"))
	require.NoError(t, err)
	store, call := db.open(t), uuid.NewString()
	require.NoError(t, cycle(t.Context(), store, nil, account, call))
	cluster.Exec(t, "postgres", `ALTER DATABASE `+name+` RESET log_statement`)
	log, err := os.ReadFile(filepath.Join(cluster.Dir, "log"))
	require.NoError(t, err)
	for _, m := range logLine.FindAllStringSubmatch(string(log[len(before):]), -1) {
		if m[1] == "LOG" {
			if s := logged.FindStringSubmatch(m[2]); s != nil {
				list = append(list, executed{text: strings.TrimSpace(s[1]), params: map[string]string{}})
			}
			continue
		}
		for _, p := range parameter.FindAllStringSubmatch(m[2], -1) {
			list[len(list)-1].params[p[1]] = strings.ReplaceAll(p[2], "''", "'")
		}
	}
	begins := func(s executed) bool { return strings.HasPrefix(s.text, "BEGIN") }
	list = list[max(slices.IndexFunc(list, begins), 0):]
	return list, map[string]string{
		strconv.Itoa(account): ":account", strconv.Itoa(number): ":call_seq", call: ":call", call + ".pcm": ":call",
	}
}

// script returns the statements as a script of pgbench, which sends those together that need no answer of another, and its variables.
func script(t *testing.T, list []executed, variables map[string]string) (text string, defined []string) {
	t.Helper()
	var b strings.Builder
	constants := map[string]string{}
	fmt.Fprintf(&b, "\\set account :client_id + 1 + %d * random(0, %d)\n", cycleClients, cycleAccounts/cycleClients-1)
	b.WriteString(`\set call random(1, 9000000000000000000)` + "\n" + `\startpipeline` + "\n")
	read := false
	for _, s := range list {
		line := regexp.MustCompile(`\$\d+`).ReplaceAllStringFunc(s.text, func(p string) string {
			value, found := s.params[p]
			if variable := variables[value]; variable != "" {
				return variable
			}
			if !found {
				return "NULL"
			}
			name, known := constants[value]
			if !known {
				name = fmt.Sprint("constant_", len(constants))
				constants[value] = name
			}
			return ":" + name
		})
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case strings.HasPrefix(line, "SELECT c.seq,"): // the number of the call is needed from here on
			read = true
			b.WriteString(`\endpipeline` + "\n" + line + ` \gset call_` + "\n" + `\startpipeline` + "\n")
		case strings.EqualFold(line, "COMMIT"):
			b.WriteString(line + ";\n" + `\endpipeline` + "\n" + `\startpipeline` + "\n")
		default:
			b.WriteString(line + ";\n")
		}
	}
	require.True(t, read, "no statement reads the number of the call: %v", list)
	for _, value := range slices.Sorted(maps.Keys(constants)) {
		defined = append(defined, "--define="+constants[value]+"="+value)
	}
	return strings.TrimSuffix(b.String(), `\startpipeline`+"\n"), defined
}

// pgbench returns how many cycles a second pgbench makes with the statements of the store.
func pgbench(t *testing.T, cluster *postgrestest.Cluster, db database, length time.Duration) float64 {
	t.Helper()
	list, variables := cycleStatements(t, cluster, db)
	text, defined := script(t, list, variables)
	name := postgrestest.Name(db.address)
	args := append(defined, "--no-vacuum", "--protocol=prepared", "--jobs=2", "--file=-",
		fmt.Sprint("--client=", cycleClients), fmt.Sprint("--time=", int(length.Seconds())))
	const count = `SELECT count(*) FROM calls WHERE status = 'charged'`
	before := number(t, db, count)
	cmd := cluster.Program(t.Context(), "pgbench", name, args...)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
	after := number(t, db, count)
	require.Greater(t, after, before, "%s", out)
	return float64(after-before) / length.Seconds()
}
