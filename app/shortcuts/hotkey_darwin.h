// Global hot keys of Carbon, for one key at a time.
#include <Carbon/Carbon.h>

OSStatus registerHotKey(UInt32 key, UInt32 modifiers);
void unregisterHotKey(void);
