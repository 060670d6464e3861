//go:build cgo

#include "hotkey_darwin.h"
#include "_cgo_export.h"

static EventHandlerRef handler;
static EventHotKeyRef hotKey;

static OSStatus onHotKey(EventHandlerCallRef next, EventRef event, void *data) {
	voicewrightHotKey(GetEventKind(event) == kEventHotKeyReleased);
	return noErr;
}

OSStatus registerHotKey(UInt32 key, UInt32 modifiers) {
	EventTypeSpec kinds[] = {{kEventClassKeyboard, kEventHotKeyPressed}, {kEventClassKeyboard, kEventHotKeyReleased}};
	OSStatus status = InstallApplicationEventHandler(onHotKey, 2, kinds, NULL, &handler);
	if (status != noErr) return status;
	EventHotKeyID id = {'vwrt', 1};
	status = RegisterEventHotKey(key, modifiers, id, GetApplicationEventTarget(), 0, &hotKey);
	if (status != noErr) RemoveEventHandler(handler);
	return status;
}

void unregisterHotKey(void) {
	UnregisterEventHotKey(hotKey);
	RemoveEventHandler(handler);
}
