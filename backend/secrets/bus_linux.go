package secrets

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"
)

// bus is one connection to the Secret Service.
type bus struct {
	conn    *dbus.Conn
	session dbus.ObjectPath
	limits  limits
	desktop bool
}

// call calls a method of an object of the Secret Service and stores its results.
func (b *bus) call(ctx context.Context, path dbus.ObjectPath, method string, results []any, args ...any) error {
	limited, cancel := context.WithTimeout(ctx, b.limits.answer)
	defer cancel()
	err := b.conn.Object(busName, path).CallWithContext(limited, method, 0, args...).Store(results...)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && limited.Err() != nil:
		return errTimeout()
	}
	return busError(err)
}

// find returns the items of a name; one would do, but nothing keeps others from making more.
func (b *bus) find(ctx context.Context, item string) (unlocked, isLocked []dbus.ObjectPath, err error) {
	err = b.call(ctx, servicePath, iService+".SearchItems", []any{&unlocked, &isLocked}, attributes(item))
	return unlocked, isLocked, err
}

// collection returns the collection for new items, which is made where there is none.
func (b *bus) collection(ctx context.Context) (dbus.ObjectPath, error) {
	found, err := b.defaultCollection(ctx)
	if err != nil || found != noObject {
		return found, err
	}
	var created, prompt dbus.ObjectPath
	properties := map[string]dbus.Variant{iCollection + ".Label": dbus.MakeVariant("Default")}
	if err := b.call(ctx, servicePath, iService+".CreateCollection", []any{&created, &prompt}, properties, "default"); err != nil {
		return "", err
	}
	result, err := b.ask(ctx, prompt)
	if err != nil {
		return "", err
	}
	if path, ok := result.Value().(dbus.ObjectPath); ok {
		created = path
	}
	return created, nil
}

func (b *bus) defaultCollection(ctx context.Context) (path dbus.ObjectPath, err error) {
	err = b.call(ctx, servicePath, iService+".ReadAlias", []any{&path}, "default")
	return path, err
}

func (b *bus) isLocked(ctx context.Context, path dbus.ObjectPath) (is bool, err error) {
	var v dbus.Variant
	if err := b.call(ctx, path, "org.freedesktop.DBus.Properties.Get", []any{&v}, iCollection, "Locked"); err != nil {
		return false, err
	}
	is, _ = v.Value().(bool)
	return is, nil
}

// unlock unlocks an object, and asks the user where that is needed and possible.
func (b *bus) unlock(ctx context.Context, path dbus.ObjectPath) error {
	var unlocked []dbus.ObjectPath
	var prompt dbus.ObjectPath
	if err := b.call(ctx, servicePath, iService+".Unlock", []any{&unlocked, &prompt}, []dbus.ObjectPath{path}); err != nil {
		return err
	}
	_, err := b.ask(ctx, prompt)
	return err
}

// ask shows a prompt of the Secret Service and waits for the user; without a prompt it does nothing.
func (b *bus) ask(ctx context.Context, prompt dbus.ObjectPath) (dbus.Variant, error) {
	if prompt == noObject || prompt == "" {
		return dbus.Variant{}, nil
	}
	if !b.desktop {
		return dbus.Variant{}, errLocked()
	}
	signals := make(chan *dbus.Signal, 16)
	b.conn.Signal(signals)
	defer b.conn.RemoveSignal(signals)
	match, cancel := context.WithTimeout(ctx, b.limits.answer)
	err := b.conn.AddMatchSignalContext(match, dbus.WithMatchSender(busName), dbus.WithMatchObjectPath(prompt))
	cancel()
	if err != nil {
		return dbus.Variant{}, busError(err)
	}
	if err := b.call(ctx, prompt, iPrompt+".Prompt", nil, ""); err != nil {
		return dbus.Variant{}, err
	}
	return b.answer(ctx, prompt, signals)
}

// answer waits for the end of a prompt.
func (b *bus) answer(ctx context.Context, prompt dbus.ObjectPath, signals <-chan *dbus.Signal) (dbus.Variant, error) {
	limit := time.NewTimer(b.limits.prompt)
	defer limit.Stop()
	for {
		select {
		case s, open := <-signals:
			if !open {
				return dbus.Variant{}, errNoKeychain()
			}
			if s.Path != prompt || s.Name != iPrompt+".Completed" || len(s.Body) != 2 {
				continue
			}
			if no, _ := s.Body[0].(bool); no {
				return dbus.Variant{}, errDismissed()
			}
			result, _ := s.Body[1].(dbus.Variant)
			return result, nil
		case <-limit.C:
			b.dismiss(ctx, prompt)
			return dbus.Variant{}, errDismissed()
		case <-ctx.Done():
			return dbus.Variant{}, ctx.Err()
		}
	}
}

// dismiss closes a prompt that nobody answered.
func (b *bus) dismiss(ctx context.Context, prompt dbus.ObjectPath) {
	_ = b.call(ctx, prompt, iPrompt+".Dismiss", nil)
}
