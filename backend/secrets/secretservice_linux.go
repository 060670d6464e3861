package secrets

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// secretService is the keychain of Linux desktops: the Secret Service of freedesktop.org, which gnome-keyring, KWallet and
// KeePassXC provide. go-keyring is not used for it, because its calls take no context and share one connection: a bus that
// accepts and does not answer, or a prompt that nobody sees, would block it for good. Each call here has its own connection,
// which ends with it.
type secretService struct {
	address func() string // of the session bus; "": there is none
	desktop func() bool   // whether the user can be asked
	limits  limits
}

var _ itemStore = (*secretService)(nil)

// limits are how long a call may take.
type limits struct {
	connect time.Duration // to the bus
	answer  time.Duration // of the service, which the bus may have to start
	prompt  time.Duration // of the user
}

var usualLimits = limits{connect: 2 * time.Second, answer: 5 * time.Second, prompt: time.Minute}

// Names of the Secret Service API 0.2.
const (
	busName        = "org.freedesktop.secrets"
	servicePath    = dbus.ObjectPath("/org/freedesktop/secrets")
	noObject       = dbus.ObjectPath("/")
	iService       = "org.freedesktop.Secret.Service"
	iCollection    = "org.freedesktop.Secret.Collection"
	iItem          = "org.freedesktop.Secret.Item"
	iPrompt        = "org.freedesktop.Secret.Prompt"
	errorIsLocked  = "org.freedesktop.Secret.Error.IsLocked"
	errorNoService = "org.freedesktop.DBus.Error.ServiceUnknown"
)

// secret is a value as it travels, in a session without encryption: the bus is the user's own.
type secret struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}

func (s *secretService) get(ctx context.Context, item string) (value string, err error) {
	err = s.do(ctx, func(b *bus) error {
		items, isLocked, err := b.find(ctx, item)
		if err != nil {
			return err
		}
		if len(items) == 0 && len(isLocked) == 0 {
			return errNoItem
		}
		if len(items) == 0 {
			if err := b.unlock(ctx, isLocked[0]); err != nil {
				return err
			}
			items = isLocked
		}
		var v secret
		if err := b.call(ctx, items[0], iItem+".GetSecret", []any{&v}, b.session); err != nil {
			return err
		}
		value = string(v.Value)
		return nil
	})
	return value, err
}

func (s *secretService) set(ctx context.Context, item, value string) error {
	return s.do(ctx, func(b *bus) error {
		collection, err := b.collection(ctx)
		if err != nil {
			return err
		}
		if err := b.unlock(ctx, collection); err != nil {
			return err
		}
		properties := map[string]dbus.Variant{
			iItem + ".Label":      dbus.MakeVariant("Voicewright"),
			iItem + ".Attributes": dbus.MakeVariant(attributes(item)),
		}
		v := secret{Session: b.session, Parameters: []byte{}, Value: []byte(value), ContentType: "text/plain; charset=utf8"}
		var created, prompt dbus.ObjectPath
		if err := b.call(ctx, collection, iCollection+".CreateItem", []any{&created, &prompt}, properties, v, true); err != nil {
			return err
		}
		_, err = b.ask(ctx, prompt)
		return err
	})
}

func (s *secretService) remove(ctx context.Context, item string) error {
	return s.do(ctx, func(b *bus) error {
		items, isLocked, err := b.find(ctx, item)
		if err != nil {
			return err
		}
		for _, path := range isLocked {
			if err := b.unlock(ctx, path); err != nil {
				return err
			}
		}
		for _, path := range slices.Concat(items, isLocked) {
			var prompt dbus.ObjectPath
			if err := b.call(ctx, path, iItem+".Delete", []any{&prompt}); err != nil {
				return err
			}
			if _, err := b.ask(ctx, prompt); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *secretService) check(ctx context.Context) error {
	return s.do(ctx, func(b *bus) error {
		collection, err := b.defaultCollection(ctx)
		if err != nil || collection == noObject { // the first secret makes one
			return err
		}
		isLocked, err := b.isLocked(ctx, collection)
		if err == nil && isLocked {
			return errLocked()
		}
		return err
	})
}

func (s *secretService) present() bool { return s.address() != "" }

// do calls f with a connection of its own.
func (s *secretService) do(ctx context.Context, f func(b *bus) error) error {
	address := s.address()
	for one := range strings.SplitSeq(address, ";") { // others start a program or leave the machine
		if !strings.HasPrefix(one, "unix:") {
			return errNoKeychain()
		}
	}
	life, cancel := context.WithCancel(ctx) // when it ends, so do the connection and whatever waits for it
	defer cancel()
	tooLong := time.AfterFunc(s.limits.connect, cancel)
	conn, err := dbus.Connect(address, dbus.WithContext(life))
	inTime := tooLong.Stop()
	if conn != nil {
		defer func() { _ = conn.Close() }()
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !inTime:
		return errTimeout()
	case err != nil:
		return errNoKeychain().WithCause(err)
	}
	b := &bus{conn: conn, limits: s.limits, desktop: s.desktop()}
	var ignored dbus.Variant
	if err := b.call(ctx, servicePath, iService+".OpenSession", []any{&ignored, &b.session}, "plain", dbus.MakeVariant("")); err != nil {
		return err
	}
	return f(b)
}

func attributes(item string) map[string]string {
	return map[string]string{"application": "voicewright", "item": item}
}

// busError returns a D-Bus error as one of this package; nil stays nil.
func busError(err error) error {
	var d dbus.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &d) && d.Name == errorIsLocked:
		return errLocked().WithCause(err)
	case errors.As(err, &d) && (d.Name == errorNoService || strings.HasPrefix(d.Name, "org.freedesktop.DBus.Error.Spawn")):
		return errNoKeychain().WithCause(err)
	default:
		return errUnusable(Keychain).WithCause(err)
	}
}
