//go:build soak

package main_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
)

// fullCall is something that the service writes for a user with a token.
type fullCall struct {
	name string
	call func(r *running, token, newcomer string) answer
}

func fullCalls() []fullCall {
	return []fullCall{
		{"synthesize", func(r *running, token, _ string) answer {
			return r.call("POST", "/api/v1/tts/synthesize", token, r.synthesis(token))
		}},
		{"API key", func(r *running, token, _ string) answer {
			return r.call("POST", "/api/v1/user/api-keys", token, object{})
		}},
		{"first sign-in", func(r *running, _, newcomer string) answer {
			return r.call("GET", "/api/v1/user/credits", newcomer, nil)
		}},
	}
}

// databases are the files of SQLite that are there for good, and those of the time between a start and an end.
var databases = regexp.MustCompile(`^(copy|service)\.db(-wal|-shm|\.before-restore)?$`)

// served returns the names of the files of the service beside the databases.
func (o *operator) served() (names []string) {
	o.t.Helper()
	require.NoError(o.t, filepath.WalkDir(o.data, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !databases.MatchString(d.Name()) {
			names = append(names, path)
		}
		return err
	}))
	return names
}

// TestSoakFullDisk calls the service while its disk has room for 0, 1, 2, ... pages, until the call succeeds: each time it answers that it
// is busy, charges nothing, leaves no file, and serves the same call as soon as there is room.
func TestSoakFullDisk(t *testing.T) {
	for _, c := range fullCalls() {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			l := newLab(t)
			disk := programtest.Mount(t, l.data, "200m")
			l.operator = l.withEnv("TMPDIR=" + l.data)
			token := l.issuer.Token("ann", object{"email": "ann@example.org"})
			r := l.serve()
			r.credits(token) // which makes the account
			require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
			l.mustRun("account", "set-plan", "ann@example.org", "pro")
			done, refused := 0, map[string]int{}
			for _, free := range programtest.FullPoints() {
				r = l.serve()
				newcomer := l.issuer.Token(fmt.Sprint("user-", free))
				before, files := r.credits(token), l.served()
				disk.Leave(free)
				a := c.call(r, token, newcomer)
				health := r.call("GET", "/health", "", nil).status
				disk.Enlarge()
				require.Equal(t, http.StatusOK, health)
				if a.status < 300 {
					done++
				} else {
					refused[fmt.Sprint(a.status, " ", a.json["code"])]++
					require.Equal(t, http.StatusServiceUnavailable, a.status, "%d bytes free: %s", free, a.text)
					require.NotEmpty(t, a.header.Get("Retry-After"))
					require.Eventually(t, func() bool { return r.credits(token) == before }, testTimeout, 20*time.Millisecond, "%d bytes free", free)
					require.Equal(t, files, l.served(), "%d bytes free", free)
					again := c.call(r, token, newcomer)
					require.Less(t, again.status, 300, "after %d bytes were free: %s", free, again.text)
				}
				require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
				require.Contains(t, l.mustRun("account", "check"), "accounts")
				if done == 2 {
					break
				}
			}
			t.Logf("%-14s refused %v, then done", c.name, refused)
			require.Equal(t, 2, done)
		})
	}
}

// TestSoakFullDiskOfCommands runs the commands of an operator while the disk has room for 0, 1, 2, ... pages: they succeed, or say that it
// is full, and do the same as soon as there is room.
func TestSoakFullDiskOfCommands(t *testing.T) {
	o := newOperator(t)
	disk := programtest.Mount(t, o.data, "200m")
	o.withAccounts("ann")
	for name, command := range map[string][]string{
		"start": {"account", "list"}, "account": {"account", "add-credits", "ann@example.org", "10"},
		"backup":  {"backup", filepath.Join(o.data, "copy.db"), "--replace"},
		"restore": {"restore", o.path("whole.db")},
	} {
		o.mustRun("backup", o.path("whole.db"), "--replace")
		done, refused, files := 0, 0, o.served()
		for _, free := range programtest.FullPoints() {
			disk.Leave(free)
			r := o.run(command...)
			disk.Enlarge()
			if r.code == exitDone {
				done++
			} else {
				refused++
				require.Regexp(t, "disk.* full|busy", r.err, "%s, %d bytes free", name, free)
				o.mustRun(command...)
			}
			require.Equal(t, []string{"ann@example.org"}, o.accounts(filepath.Join(o.data, "service.db")))
			require.Equal(t, files, o.served(), "%s, %d bytes free", name, free)
			if done == 2 {
				break
			}
		}
		t.Logf("%-14s refused %d times, then done", name, refused)
		require.Equal(t, 2, done)
	}
}
