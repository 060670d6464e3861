package app_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBackupOfDeletedVoices: a library from which everything was deleted is the user's all the same.
func TestBackupOfDeletedVoices(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.serve()
	_, body := s.request(http.MethodGet, "/profiles", "")
	profiles := parseJSON(t, body)["items"].([]any)
	require.NotEmpty(t, profiles)
	for _, p := range profiles {
		status, body := s.request(http.MethodDelete, "/profiles/"+p.(object)["id"].(string), "")
		require.Equal(t, http.StatusNoContent, status, body)
	}
	s.signal(syscall.SIGTERM)
	u.mustRun("backup", "own.zip")
	u.mustRun("restore", "own.zip")
	require.NotContains(t, u.mustRun("profiles", "list"), "Built-in voice")
}

// TestNetworkSettingsThatMislead: a value that somebody else wrote stays on its line, and is not shown without end.
func TestNetworkSettingsThatMislead(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "Hello.", "-o", "a.wav")
	u.mustRun("backup", "library.zip")
	const forged = "Nothing else of the network changes."
	long := "https://other.example/" + strings.Repeat("x", 900)
	u.forge("library.zip", "forged.zip", `INSERT INTO settings (key, value) VALUES
		('hosted.client_id', '"y\n`+forged+`\n\u001b[2Jz"'), ('api.allow_origins', '"https://a.example\nhttps://b.example"'), ('hosted.base_url', '"`+long+`"')`)
	for _, flags := range [][]string{nil, {"--yes"}} {
		o := newUser(t).run(append([]string{"restore", filepath.Join(u.dir, "forged.zip")}, flags...)...)
		require.Equal(t, exitDone, o.code, o.err)
		require.NotContains(t, o.err, "\n"+forged)
		require.NotContains(t, o.err, "\x1b")
		require.Contains(t, o.err, "https://a.example␊https://b.example")
		require.Contains(t, o.err, long[:200]+"…\n")
	}
}

// TestNetworkSettingsOfANewMachine: who was offline stays so on a machine without a library, and no other setting of the network
// comes along.
func TestNetworkSettingsOfANewMachine(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.serve()
	status, body := s.request(http.MethodPut, "/settings", `{"network.offline":true,"hosted.enabled":false,"hosted.base_url":"https://mine.example"}`)
	require.Equal(t, 200, status, body)
	s.signal(syscall.SIGTERM)
	u.mustRun("backup", "offline.zip")
	for _, flags := range [][]string{nil, {"--yes"}, {"--json"}} {
		other := newUser(t)
		other.mustRun(append([]string{"restore", filepath.Join(u.dir, "offline.zip")}, flags...)...)
		other.hasSettings(object{"network.offline": true, "hosted.enabled": false, "hosted.base_url": ""})
	}
	other := newUser(t)
	other.mustRun("say", "Hello.", "-o", "a.wav")
	other.mustRun("restore", "--yes", filepath.Join(u.dir, "offline.zip"))
	other.hasSettings(object{"network.offline": false, "hosted.enabled": true, "hosted.base_url": ""})
}

// TestNetworkSettingsOfADamagedLibrary: where nobody can know what the user had set, the program is offline until somebody says
// otherwise, and says so.
func TestNetworkSettingsOfADamagedLibrary(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "Hello.", "-o", "a.wav")
	u.mustRun("backup", "library.zip")
	damage := func(at int64) {
		f, err := os.OpenFile(filepath.Join(u.data, "voicewright.db"), os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, 16384), at)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	for _, at := range []int64{0, 100} { // the header, and the tables behind it
		damage(at)
		o := u.run("restore", "library.zip")
		require.Equal(t, exitDone, o.code, o.err)
		require.Contains(t, o.err, "The settings of this machine can't be read")
		require.Contains(t, o.err, "network.offline: true -> false")
		u.hasSettings(object{"network.offline": true})
	}
	damage(0)
	result := u.mustRunJSON("restore", "library.zip")["network_settings"].(object)
	require.Equal(t, true, result["unreadable"])
	u.hasSettings(object{"network.offline": true})
	damage(0)
	u.mustRun("restore", "library.zip", "--with-network-settings")
	u.hasSettings(object{"network.offline": false})
}

// hasSettings starts the program and looks at its settings.
func (u *user) hasSettings(want object) {
	u.t.Helper()
	s := u.serve()
	_, body := s.request(http.MethodGet, "/settings", "")
	s.signal(syscall.SIGTERM)
	values := parseJSON(u.t, body)
	for key, value := range want {
		require.Equal(u.t, value, values[key], key)
	}
}
