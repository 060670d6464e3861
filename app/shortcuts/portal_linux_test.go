//go:build xserver

package shortcuts_test

import (
	"log/slog"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/desktoptest"
	"github.com/voicewright/voicewright/app/shortcuts"
	"github.com/voicewright/voicewright/backend"
)

const (
	portalPath      = "/org/freedesktop/portal/desktop"
	portalShortcuts = "org.freedesktop.portal.GlobalShortcuts"
	sessionPath     = dbus.ObjectPath(portalPath + "/session/1_1/voicewright")
)

// fakePortal is the part of the desktop's portal that knows global shortcuts.
type fakePortal struct {
	bus    *dbus.Conn
	refuse bool
	bound  chan []boundShortcut
}

type boundShortcut struct {
	Name       string
	Properties map[string]dbus.Variant
}

// startPortal starts a portal with this version of global shortcuts, 0 for none, that may refuse all requests.
func startPortal(t *testing.T, version uint32, refuse bool) *fakePortal {
	t.Helper()
	address := desktoptest.Bus(t)
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
	bus, err := dbus.Connect(address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = bus.Close() })
	p := &fakePortal{bus: bus, refuse: refuse, bound: make(chan []boundShortcut, 1)}
	if version > 0 {
		require.NoError(t, bus.Export(p, portalPath, portalShortcuts))
		_, err = prop.Export(bus, portalPath, prop.Map{portalShortcuts: {"version": {Value: version}}})
		require.NoError(t, err)
	}
	_, err = bus.RequestName("org.freedesktop.portal.Desktop", dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
	return p
}

// respond answers a request, after its call has returned.
func (p *fakePortal) respond(options, results map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	token, _ := options["handle_token"].Value().(string)
	handle := dbus.ObjectPath(portalPath + "/request/1_1/" + token)
	code := uint32(0)
	if p.refuse {
		code = 1
	}
	_ = p.bus.Emit(handle, "org.freedesktop.portal.Request.Response", code, results)
	return handle, nil
}

func (p *fakePortal) CreateSession(options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return p.respond(options, map[string]dbus.Variant{"session_handle": dbus.MakeVariant(string(sessionPath))})
}

func (p *fakePortal) BindShortcuts(
	_ dbus.ObjectPath, list []boundShortcut, _ string, options map[string]dbus.Variant,
) (dbus.ObjectPath, *dbus.Error) {
	p.bound <- list
	answer := []boundShortcut{{list[0].Name, map[string]dbus.Variant{"trigger_description": dbus.MakeVariant("Press Control+Alt+Space")}}}
	return p.respond(options, map[string]dbus.Variant{"shortcuts": dbus.MakeVariant(answer)})
}

func (p *fakePortal) press(t *testing.T, signal, name string) {
	t.Helper()
	require.NoError(t, p.bus.Emit(portalPath, portalShortcuts+"."+signal, sessionPath, name, uint64(1), map[string]dbus.Variant{}))
}

func TestShortcutOnWayland(t *testing.T) {
	p := startPortal(t, 1, false)
	k := make(keys, 16)
	l := listen(t, k, "Ctrl+Alt+Space")
	require.Equal(t, "Press Control+Alt+Space", l.Trigger())
	bound := <-p.bound
	require.Equal(t, "dictation", bound[0].Name)
	require.Equal(t, "CTRL+ALT+space", bound[0].Properties["preferred_trigger"].Value())
	require.Equal(t, "Dictate", bound[0].Properties["description"].Value())

	p.press(t, "Activated", "another")
	p.press(t, "Activated", "dictation")
	p.press(t, "Activated", "dictation") // repeated
	p.press(t, "Deactivated", "dictation")
	k.require(t, "pressed", "released")
}

func TestPortalRefuses(t *testing.T) {
	startPortal(t, 1, true)
	requireForbidden(t)
}

// Debian 12 has xdg-desktop-portal 1.16, whose portal has no global shortcuts.
func TestPortalWithoutGlobalShortcuts(t *testing.T) {
	startPortal(t, 0, false)
	requireForbidden(t)
}

func requireForbidden(t *testing.T) {
	t.Helper()
	_, err := shortcuts.Listen(t.Context(), slog.New(slog.DiscardHandler), keys(nil).action(t, "Ctrl+Alt+Space"))
	require.Equal(t, backend.CodeShortcutUnavailable, backend.CodeOf(err))
	require.Equal(t, "forbidden", backend.AsError(err).Params["reason"])
}

func TestWaylandWithoutABus(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	_, err := shortcuts.Listen(t.Context(), slog.New(slog.DiscardHandler), keys(nil).action(t, "F9"))
	require.Equal(t, "no_desktop", backend.AsError(err).Params["reason"])
}
