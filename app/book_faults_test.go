package app_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
)

// makeBook makes a book over the API, with the built-in voice, and returns its path there.
func (s *server) makeBook(text string) string {
	s.t.Helper()
	path := "/books/" + s.must("POST", "/books", text, "kettle.md")["id"].(string)
	s.must("PATCH", path, `{"title":"The Kettle","options":{"profile_id":"`+s.firstProfile()+`"}}`, "")
	return path
}

// generateBook generates a book to its end and returns it.
func (s *server) generateBook(path, request string) object {
	s.t.Helper()
	s.must("POST", path+"/generate", request, "")
	return s.awaitBook(path)
}

func (s *server) awaitBook(path string) (b object) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		b = s.must("GET", path, "", "")
		return b["generating"] == false
	}, testTimeout, 5*time.Millisecond)
	return b
}

// bookStates returns the states of the chapters.
func bookStates(b object) string {
	var states []string
	for _, ch := range bookChapters(b) {
		states = append(states, ch["state"].(string))
	}
	return strings.Join(states, " ")
}

// lengthen replaces the sound of the first chapter by silence of hours, which takes no space, and returns what brings it back.
func (s *server) lengthen(path string, hours int64) (restore func()) {
	s.t.Helper()
	id := bookChapters(s.must("GET", path, "", ""))[0]["generations"].([]any)[0].(string)
	file := s.must("GET", "/history/"+id, "", "")["audio_path"].(string)
	before, err := os.ReadFile(file)
	require.NoError(s.t, err)
	bytes := hours * 3600 * 22050 * 2
	header := audio.WAVHeader(22050, 1, uint32(bytes))
	require.NoError(s.t, os.WriteFile(file, header, 0o600))
	require.NoError(s.t, os.Truncate(file, int64(len(header))+bytes))
	return func() { require.NoError(s.t, os.WriteFile(file, before, 0o600)) }
}

// refused makes a request that fails, and returns its problem.
func (s *server) refused(method, path string) (int, object) {
	s.t.Helper()
	status, body := s.request(method, path, "")
	require.GreaterOrEqual(s.t, status, 400, path)
	problem := parseJSON(s.t, body)
	require.NotEmpty(s.t, problem["remedy"], body)
	return status, problem
}

// unfinished returns the temporary files of the library.
func (u *user) unfinished() []string {
	u.t.Helper()
	names, err := filepath.Glob(filepath.Join(u.data, "audio", "unfinished", "*"))
	require.NoError(u.t, err)
	return names
}

// withFFmpeg returns a user with another ffmpeg, which is a script; none: an empty one.
func (u *user) withFFmpeg(script string) *user {
	u.t.Helper()
	dir := u.t.TempDir()
	espeak, err := exec.LookPath("espeak-ng")
	require.NoError(u.t, err)
	require.NoError(u.t, os.Symlink(espeak, filepath.Join(dir, "espeak-ng")))
	if script == "" {
		return u.withEnv("PATH=" + dir)
	}
	require.NoError(u.t, os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte("#!/bin/sh\n"+script), 0o700))
	return u.withEnv("PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"))
}

// TestBookWithoutFFmpeg has none, and one that is too old: the book is kept, and so is what needs no ffmpeg.
func TestBookWithoutFFmpeg(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"missing": "", "too old": `case "$*" in *version*) echo "ffmpeg version 0.6" ;; *) echo "Unrecognized option" >&2; exit 1 ;; esac`,
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t).withFFmpeg(script)
			s := u.serve()
			path := s.makeBook(manuscript(2, 1))
			require.Equal(t, "done done", bookStates(s.generateBook(path, "{}")))
			status, problem := s.refused("GET", path+"/export")
			require.Equal(t, []any{http.StatusServiceUnavailable, "runtime_missing"}, []any{status, problem["code"]}, problem)
			require.Contains(t, problem["detail"], "ffmpeg")
			require.Empty(t, u.unfinished())
			s.must("GET", path+"/export/size", "", "")
			status, body := s.request("GET", path+"/export?format=wav", "")
			require.Equal(t, http.StatusOK, status, body)
			o := u.run("book", "export", "The Kettle", "-o", "a.m4b")
			require.Equal(t, exitNeeded, o.code, o.err)
			require.Contains(t, o.err, "ffmpeg")
			require.Empty(t, u.outputFiles())
		})
	}
}

// TestFFmpegKilledInAnExport: the export fails and leaves nothing, and the next one works.
func TestFFmpegKilledInAnExport(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("ffmpeg")
	require.NoError(t, err)
	pid := filepath.Join(t.TempDir(), "pid")
	u := newUser(t).withFFmpeg(`case "$*" in *ipod*) echo $$ >` + pid + ` ;; esac; exec ` + real + ` "$@"`)
	s := u.serve()
	path := s.makeBook(manuscript(2, 1))
	s.generateBook(path, "{}")
	restore := s.lengthen(path, 9)
	ended := make(chan object, 1)
	go func() {
		_, problem := s.refused("GET", path+"/export")
		ended <- problem
	}()
	require.Eventually(t, func() bool {
		raw, _ := os.ReadFile(pid)
		id, err := strconv.Atoi(strings.TrimSpace(string(raw)))
		return err == nil && syscall.Kill(id, syscall.SIGKILL) == nil
	}, testTimeout, 5*time.Millisecond)
	problem := <-ended
	require.Contains(t, problem["detail"], "ffmpeg was ended from outside", problem)
	require.Empty(t, u.unfinished())
	require.Equal(t, "done done", bookStates(s.must("GET", path, "", "")))
	restore()
	status, body := s.request("GET", path+"/export", "")
	require.Equal(t, http.StatusOK, status, body)
}

// TestExportOfABookIsCancelled over the API while hours are encoded.
func TestExportOfABookIsCancelled(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.serve()
	path := s.makeBook(manuscript(2, 1))
	s.generateBook(path, "{}")
	s.lengthen(path, 9)
	const id = "0192f000-0000-7000-8000-0000000000bb"
	ended := make(chan object, 1)
	go func() {
		_, problem := s.refused("GET", path+"/export?export_id="+id)
		ended <- problem
	}()
	require.Eventually(t, func() bool { // until ffmpeg writes
		found, err := filepath.Glob(filepath.Join(u.data, "audio", "unfinished", "book-*", ".new-*"))
		return err == nil && len(found) > 1
	}, testTimeout, time.Millisecond)
	begun := time.Now()
	s.must("DELETE", "/exports/"+id, "", "")
	require.Equal(t, "cancelled", (<-ended)["code"])
	t.Logf("ended %v after the cancel", time.Since(begun))
	require.Empty(t, u.unfinished())
	require.Equal(t, "done done", bookStates(s.must("GET", path, "", "")))
}

// TestVoiceDeletedHalfWay deletes a profile, and a model, while a book is spoken with them: what is finished stays, the rest names
// what is missing, and goes on with another voice.
func TestVoiceDeletedHalfWay(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	u.mustRun("models", "import", folder)
	s := u.serve()
	builtIn := s.firstProfile()
	for _, c := range []struct {
		name, missing string
		remove        func(profile string)
	}{ // in this order, as both need the model
		{"profile", "“Ann”", func(profile string) { s.must("DELETE", "/profiles/"+profile, "", "") }},
		{"model", "tone-medium", func(string) { s.must("DELETE", "/models/en_US-tone-medium", "", "") }},
	} {
		profile := s.must("POST", "/profiles", `{"name":"Ann","model_name":"en_US-tone-medium"}`, "")["id"].(string)
		path := s.makeBook(manuscript(3, 2))
		s.must("PATCH", path, `{"options":{"profile_id":"`+profile+`"}}`, "")
		first := bookChapters(s.must("GET", path, "", ""))[0]["id"].(string)
		b := s.generateBook(path, `{"chapters":["`+first+`"]}`)
		require.Equal(t, "done new new", bookStates(b), c.name)
		c.remove(profile)
		b = s.generateBook(path, "{}")
		require.Equal(t, "done failed failed", bookStates(b), c.name)
		failure := bookChapters(b)[1]["error"].(object)
		require.Contains(t, failure["detail"], c.missing, c.name)
		require.Contains(t, failure["remedy"], "another voice for the book", c.name)
		status, _ := s.request("GET", "/audio/"+bookChapters(b)[0]["generations"].([]any)[0].(string), "")
		require.Equal(t, http.StatusOK, status)
		s.must("PATCH", path, `{"options":{"profile_id":"`+builtIn+`"}}`, "")
		require.Equal(t, "done done done", bookStates(s.generateBook(path, "{}")), c.name)
	}
}

// TestTwoProgramsOnOneLibrary: the second server is refused, commands use the first one, and without one only one command writes.
func TestTwoProgramsOnOneLibrary(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	write(t, filepath.Join(u.dir, "kettle.md"), manuscript(8, 12))
	u.mustRun("book", "new", "kettle.md", "--title", "The Kettle")
	run := u.start("book", "generate", "the kettle")
	require.Eventually(t, func() bool { return strings.Contains(run.err.String(), "chapter 2 of 8") }, testTimeout, 5*time.Millisecond)
	u.mustFail(exitFailed, []string{"Another copy of Voicewright is using " + u.data}, "serve", "--addr", "127.0.0.1:0")
	u.mustFail(exitFailed, []string{"Another copy of Voicewright is using " + u.data}, "book", "rm", "the kettle", "--yes")
	require.Equal(t, exitInterrupted, run.signal(syscall.SIGINT), run.err.String())
	s := u.serve()
	u.mustFail(exitFailed, []string{"Another copy of Voicewright is using " + u.data}, "serve", "--addr", "127.0.0.1:0")
	b := u.mustRunJSON("book", "generate", "the kettle")
	require.Equal(t, strings.TrimSuffix(strings.Repeat("done ", 8), " "), bookStates(b))
	require.Equal(t, b["updated_at"], s.must("GET", "/books/"+b["id"].(string), "", "")["updated_at"])

	// Two books of one title: commands ask which one.
	u.mustRun("book", "new", "kettle.md", "--title", "The Kettle")
	o := u.run("book", "show", "The Kettle")
	require.Equal(t, exitUsage, o.code, o.err)
	require.Contains(t, o.err, b["id"])
	u.mustRun("book", "show", b["id"].(string))
}

// TestUploadOver500MB is refused before it is sent.
func TestUploadOver500MB(t *testing.T) {
	t.Parallel()
	s := newUser(t).serve()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/books", strings.NewReader("--x"))
	require.NoError(t, err)
	req.ContentLength = 600_000_000
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	req.Header.Set("Expect", "100-continue")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestEntityTooLarge, resp.StatusCode, string(raw))
	problem := parseJSON(t, string(raw))
	require.Equal(t, "body_too_large", problem["code"])
	require.NotEmpty(t, problem["remedy"])
}
