//go:build whisper && linux

package app_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// killedMix is a library whose program is killed again and again while people work.
type killedMix struct {
	*mixed
	random *rand.Rand
	killed int
	early  int // while it started

	problems int
}

// atOnce is how many people work when the program is killed.
const atOnce = 4

// kill kills the program at a random moment of the work of some people, sometimes again while it starts, and looks at what there is
// when it has started. It returns a line about it.
func (k *killedMix) kill() string {
	k.t.Helper()
	people := k.workers[:0:0]
	for _, i := range k.random.Perm(len(k.workers))[:atOnce] {
		people = append(people, k.workers[i])
	}
	delay := time.Duration(k.random.IntN(4000)) * time.Millisecond
	k.work(people, delay)
	line := fmt.Sprintf("%4d ms", delay.Milliseconds())
	for range k.random.IntN(5) / 2 { // none, one or two
		line += fmt.Sprintf(", again after %d ms", k.killStart().Milliseconds())
	}
	for _, w := range people {
		line += fmt.Sprintf("; %s (%d) %s", w.kind.name, w.done, cutPath(w.doing))
		w.done = 0
	}
	return line + k.complaints(k.restart())
}

// complaints returns what is wrong, as lines.
func (k *killedMix) complaints(wrong []string) (lines string) {
	for _, problem := range wrong {
		k.problems++
		lines += "\n    WRONG: " + problem
	}
	return lines
}

// cutPath shortens the ids in a request.
func cutPath(request string) string {
	parts := strings.Split(request, "/")
	for i, p := range parts {
		if len(p) >= 36 {
			parts[i] = "…" + p[32:]
		}
	}
	return strings.Join(parts, "/")
}

// work has people work until the program is killed, after some time.
func (k *killedMix) work(people []*worker, delay time.Duration) {
	k.t.Helper()
	timer := time.AfterFunc(delay, func() { _ = k.server.cmd.Process.Signal(syscall.SIGKILL) })
	defer timer.Stop()
	failures := make([]error, len(people))
	var working sync.WaitGroup
	for i, w := range people {
		working.Go(func() {
			for failures[i] == nil {
				if failures[i] = w.kind.work(w); failures[i] == nil {
					w.done++
				}
			}
		})
	}
	working.Wait()
	for i, err := range failures {
		require.ErrorIs(k.t, err, errLost, people[i].kind.name)
	}
	require.Equal(k.t, -1, k.server.wait())
	k.killed++
}

// killStart starts the program and kills it at a random moment of the first half second.
func (k *killedMix) killStart() time.Duration {
	k.t.Helper()
	r := k.start("serve", "--addr", "127.0.0.1:0")
	delay := time.Duration(k.random.IntN(500)) * time.Millisecond
	time.Sleep(delay)
	require.Equal(k.t, -1, r.signal(syscall.SIGKILL), r.err.String())
	k.killed, k.early = k.killed+1, k.early+1
	return delay
}

// restart starts the program and returns what is wrong with what it has.
func (k *killedMix) restart() (wrong []string) {
	k.t.Helper()
	require.Contains(k.t, k.mustRun("doctor"), "ok       database")
	k.server = k.serve()
	k.settled()
	for _, w := range k.workers {
		wrong = append(wrong, w.check()...)
	}
	k.whole()
	for deadline := time.Now().Add(tidyTime); len(k.leftover()) > 0 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	for _, left := range k.leftover() {
		wrong = append(wrong, "nothing needs "+left)
		_ = os.Remove(left) // so that it is named once
	}
	return wrong
}

// tidyTime is how long the program may take to remove what a killed one left, on a busy machine.
const tidyTime = 20 * time.Second

// settled waits until no work runs that is not waited for: what ran when the program was killed has failed, with a remedy, or goes on.
func (k *mixed) settled() {
	k.t.Helper()
	require.Eventually(k.t, func() bool {
		for _, list := range []string{"/history?limit=200", "/transcriptions?limit=200", "/books", "/models/status"} {
			all := k.server.must("GET", list, "", "")
			items, _ := all["items"].([]any)
			if models, ok := all["models"].([]any); ok {
				items = models
			}
			for _, item := range items {
				if busy(item.(object)) {
					return false
				}
			}
		}
		return true
	}, testTimeout, 20*time.Millisecond, "work that never ends")
}

// busy reports whether a generation, transcript, book or model is being made.
func busy(o object) bool {
	status, ok := o["status"].(string)
	return ok && !slices.Contains([]string{"complete", "failed", "cancelled"}, status) || o["generating"] == true ||
		o["state"] == "downloading" || o["finding_speakers"] != nil && o["finding_speakers"] != false
}

// whole requires that everything in the library is complete with its file, or failed with a reason and a remedy.
func (k *mixed) whole() {
	k.t.Helper()
	for _, list := range []string{"/history?limit=200", "/transcriptions?limit=200"} {
		for _, item := range k.server.must("GET", list, "", "")["items"].([]any) {
			o := k.server.must("GET", strings.Split(list, "?")[0]+"/"+item.(object)["id"].(string), "", "")
			if o["status"] == "failed" {
				require.NotEmpty(k.t, o["error"].(object)["code"], o)
				require.NotEmpty(k.t, o["error"].(object)["remedy"], o)
			}
			if o["status"] != "complete" {
				continue
			}
			raw, err := os.ReadFile(o["audio_path"].(string))
			require.NoError(k.t, err)
			require.NotEmpty(k.t, raw)
			if receipt, ok := o["receipt"].(object); ok {
				require.Equal(k.t, receipt["audio_sha256"], sha256Of(raw), "the bytes of %v", o["id"])
			}
		}
	}
	for _, item := range k.server.must("GET", "/scripts", "", "")["items"].([]any) {
		if path := item.(object)["audio_path"].(string); path != "" {
			require.FileExists(k.t, path)
		}
	}
}

// orphans returns the processes that a killed program left: they have the home directory of its user, and are neither the program that
// runs now nor its children.
func (k *mixed) orphans() (left []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is well formed
	for _, path := range all {
		raw, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(raw), k.home) {
			continue
		}
		dir := filepath.Dir(path)
		status, _ := os.ReadFile(filepath.Join(dir, "status")) // it may have ended
		program := fmt.Sprint(k.server.cmd.Process.Pid)
		if filepath.Base(dir) == program || strings.Contains(string(status), "\nPPid:\t"+program+"\n") {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if len(name) > 0 {
			left = append(left, strings.ReplaceAll(string(name), "\x00", " "))
		}
	}
	return left
}

// killRestore kills the program while it replaces the library by a backup of it: then there is all of one, or all of the other.
func (k *killedMix) killRestore() string {
	k.t.Helper()
	status, backup, err := k.server.try("GET", "/backup", "", "")
	require.NoError(k.t, err)
	require.Equal(k.t, http.StatusOK, status)
	before, now := map[*worker]map[string][]fact{}, map[*worker]map[string][]fact{}
	for _, w := range k.workers {
		before[w] = maps.Clone(w.facts)
		if slices.Contains([]string{"draft", "dictionary", "settings", "delete", "hosted"}, w.kind.name) {
			require.NoError(k.t, w.kind.work(w))
		}
		now[w] = w.facts
	}
	checked := k.server.must("POST", "/restore", backup, "library.zip")
	delay := time.Duration(k.random.IntN(900)) * time.Millisecond
	timer := time.AfterFunc(delay, func() { _ = k.server.cmd.Process.Signal(syscall.SIGKILL) })
	defer timer.Stop()
	restored := false
	accepted, _, _ := k.server.try("POST", "/restore/"+checked["id"].(string), "{}", "") // it may be killed before it answers
	for ended := false; !ended; {
		if status, answer, err := k.server.try("GET", "/restore", "", ""); err == nil && status == http.StatusOK {
			restored = restored || accepted == http.StatusAccepted && parseJSON(k.t, answer)["restoring"] == false
		}
		select {
		case <-k.server.running.ended:
			ended = true
		default:
		}
	}
	k.killed++
	line := fmt.Sprintf("%4d ms; restore, its end was seen: %v", delay.Milliseconds(), restored)
	k.server = k.serve()
	if len(k.wrong(before)) == 0 || restored {
		line += "; the restored library"
	} else {
		line += "; the former library"
		k.recall(now)
	}
	require.Equal(k.t, exitDone, k.server.signal(syscall.SIGTERM), k.server.err.String())
	return line + k.complaints(k.restart())
}

// recall has the workers remember other facts.
func (k *killedMix) recall(all map[*worker]map[string][]fact) {
	for w, facts := range all {
		w.facts = facts
		w.own = slices.DeleteFunc(slices.Sorted(maps.Keys(facts)), func(path string) bool { return len(filepath.Base(path)) < 36 })
	}
}

// wrong has the workers remember other facts, and returns what is wrong with them.
func (k *killedMix) wrong(all map[*worker]map[string][]fact) (wrong []string) {
	k.recall(all)
	for w := range all {
		_, bad := w.compare()
		wrong = append(wrong, bad...)
	}
	return wrong
}

// killMixed kills the program n times at random moments of mixed work, every tenth time while it restores a backup.
func killMixed(t *testing.T, n int, seed uint64) {
	t.Helper()
	t.Logf("seed %d", seed)
	k := &killedMix{mixed: newMixed(t, seed), random: rand.New(rand.NewPCG(seed, 36))}
	for round := 1; k.killed < n; round++ {
		if round%10 == 4 {
			t.Log(k.killRestore())
		} else {
			t.Log(k.kill())
		}
	}
	require.Equal(t, exitDone, k.server.signal(syscall.SIGTERM), k.server.err.String())
	require.Contains(t, k.mustRun("doctor"), "ok       database")
	require.Empty(t, k.orphans())
	t.Logf("%d kills, %d of them while it started", k.killed, k.early)
	require.Zero(t, k.problems, "what is wrong is printed above")
}

// TestKillMixed kills the program at some random moments of mixed work: nothing that it answered is lost, and nothing is left over.
func TestKillMixed(t *testing.T) {
	t.Parallel()
	killMixed(t, 3, 1)
}
