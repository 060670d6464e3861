package shortcuts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/shortcut"
)

// The portal for global shortcuts (xdg-desktop-portal 1.17 and newer, org.freedesktop.portal.GlobalShortcuts).
const (
	portalName      = "org.freedesktop.portal.Desktop"
	portalPath      = "/org/freedesktop/portal/desktop"
	portalShortcuts = "org.freedesktop.portal.GlobalShortcuts"
	portalResponse  = "org.freedesktop.portal.Request.Response"
	activated       = portalShortcuts + ".Activated"
	deactivated     = portalShortcuts + ".Deactivated"
)

// bindTimeout is how long the desktop may take to ask the user about the shortcut.
const bindTimeout = 2 * time.Minute

// portal is a shortcut bound by the desktop's portal.
type portal struct {
	bus     *dbus.Conn
	signals chan *dbus.Signal
	session dbus.ObjectPath
	action  Action
	held    bool
}

// bound is the entry of a shortcut in requests and answers: its name, and description and triggers.
type bound struct {
	Name       string
	Properties map[string]dbus.Variant
}

// openPortal binds the shortcut. The desktop may ask the user, who may choose another key.
func openPortal(ctx context.Context, address string, a Action) (source, string, error) {
	if address == "" {
		return nil, "", noDesktop(errors.New("DBUS_SESSION_BUS_ADDRESS is not set"))
	}
	bus, err := dbus.Connect(address)
	if err != nil {
		return nil, "", noDesktop(err)
	}
	p := &portal{bus: bus, signals: make(chan *dbus.Signal, 16), action: a}
	trigger, err := p.bind(ctx)
	if err != nil {
		_ = bus.Close()
		return nil, "", err
	}
	return p, trigger, nil
}

func (p *portal) bind(ctx context.Context) (trigger string, err error) {
	ctx, cancel := context.WithTimeout(ctx, bindTimeout)
	defer cancel()
	object := p.bus.Object(portalName, portalPath)
	if _, err := object.GetProperty(portalShortcuts + ".version"); err != nil {
		return "", errUnavailable("forbidden", "This desktop does not let programs listen to shortcuts.",
			"Set a shortcut in the desktop's own settings, or use the button on the page.").WithCause(err)
	}
	if err := p.bus.AddMatchSignalContext(ctx, dbus.WithMatchSender(portalName)); err != nil {
		return "", noDesktop(err)
	}
	p.bus.Signal(p.signals)
	results, err := p.request(ctx, object, "CreateSession", map[string]dbus.Variant{
		"session_handle_token": dbus.MakeVariant("voicewright"),
	})
	if err != nil {
		return "", err
	}
	if session, ok := results["session_handle"].Value().(string); ok {
		p.session = dbus.ObjectPath(session)
	} else if path, ok := results["session_handle"].Value().(dbus.ObjectPath); ok {
		p.session = path
	}
	wanted := []bound{{p.action.Name, map[string]dbus.Variant{
		"description":       dbus.MakeVariant(p.action.Description),
		"preferred_trigger": dbus.MakeVariant(portalTrigger(p.action.Shortcut)),
	}}}
	results, err = p.request(ctx, object, "BindShortcuts", map[string]dbus.Variant{}, p.session, wanted, "")
	if err != nil {
		return "", err
	}
	return triggerOf(results), nil
}

// request calls a method whose answer comes as a signal, which carries the handle that the method returned.
func (p *portal) request(
	ctx context.Context, object dbus.BusObject, method string, options map[string]dbus.Variant, args ...any,
) (map[string]dbus.Variant, error) {
	options["handle_token"] = dbus.MakeVariant("voicewright_" + strings.ToLower(method))
	var handle dbus.ObjectPath
	call := object.CallWithContext(ctx, portalShortcuts+"."+method, 0, append(args, options)...)
	if err := call.Store(&handle); err != nil {
		return nil, noDesktop(fmt.Errorf("%s: %w", method, err))
	}
	for {
		select {
		case <-ctx.Done():
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		case s, ok := <-p.signals:
			switch {
			case !ok:
				return nil, noDesktop(errors.New("the session bus is gone"))
			case s.Name != portalResponse || s.Path != handle || len(s.Body) < 2:
				continue
			}
			code, _ := s.Body[0].(uint32)
			results, _ := s.Body[1].(map[string]dbus.Variant)
			if code != 0 {
				return nil, errUnavailable("forbidden", "The desktop did not allow the shortcut.",
					"Allow it when the desktop asks, or use the button on the page.").With("response", code)
			}
			return results, nil
		}
	}
}

// triggerOf returns how the desktop describes the key of the bound shortcut.
func triggerOf(results map[string]dbus.Variant) string {
	var list []bound
	if err := dbus.Store([]any{results["shortcuts"].Value()}, &list); err != nil || len(list) == 0 {
		return ""
	}
	text, _ := list[0].Properties["trigger_description"].Value().(string)
	return text
}

// portalTrigger returns a shortcut in the notation of the XDG shortcuts specification.
func portalTrigger(s shortcut.Shortcut) string {
	names := map[string]string{"Space": "space", "Enter": "Return", "Backspace": "BackSpace", "PageUp": "Page_Up", "PageDown": "Page_Down"}
	key := s.Key
	if name, ok := names[key]; ok {
		key = name
	} else if len(key) == 1 {
		key = strings.ToLower(key)
	}
	var parts []string
	for _, m := range []struct {
		on   bool
		name string
	}{{s.Ctrl, "CTRL"}, {s.Alt, "ALT"}, {s.Shift, "SHIFT"}, {s.Super, "LOGO"}} {
		if m.on {
			parts = append(parts, m.name)
		}
	}
	return strings.Join(append(parts, key), "+")
}

func (p *portal) run() {
	for s := range p.signals { // closed with the bus
		if len(s.Body) < 2 || s.Body[0] != p.session || s.Body[1] != p.action.Name {
			continue
		}
		switch {
		case s.Name == activated && !p.held:
			p.held = true
			p.action.Pressed()
		case s.Name == deactivated && p.held:
			p.held = false
			p.action.Released()
		}
	}
}

func (p *portal) stop() { _ = p.bus.Close() }
