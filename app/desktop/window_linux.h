// What Wails v2 does not do on Linux. Functions may be called from any thread once the main loop runs.
#ifndef VOICEWRIGHT_WINDOW_LINUX_H
#define VOICEWRIGHT_WINDOW_LINUX_H

typedef struct {
	int x, y, width, height;
	int current; // the window is on it
} vw_screen;

#define VW_SCREENS 16

typedef struct {
	int x, y, width, height; // when it is not maximised
	int maximised;
	int screen_count;
	vw_screen screens[VW_SCREENS];
} vw_placement;

// vw_watch finds the window of this program. From then on it records the size of the window, loads a crashed page again, and,
// with a session bus, makes the page dark when the desktop is.
void vw_watch(int session_bus);

// vw_get_placement returns the placement of the window and the screens.
void vw_get_placement(vw_placement *placement);

// vw_set_placement sets the size of the window, its position if placed is set, and maximises it if maximised is set.
void vw_set_placement(int x, int y, int width, int height, int placed, int maximised);

// vw_raise brings the window to the front. activation is the token of the desktop that permits it, or empty.
void vw_raise(const char *activation);

// vw_confirm shows a question and returns 1 for yes. Escape and Return mean no.
int vw_confirm(const char *title, const char *question, const char *yes, const char *no);

// vw_close_dialogs cancels all open dialogs: the main loop of GTK does not end while one is open.
void vw_close_dialogs(void);

// vw_copy_file copies a file to the clipboard, for file managers, editors and text fields. It returns 1 on success.
int vw_copy_file(const char *path);

// vw_zoom sets the size of the page, 1 for its own.
void vw_zoom(double factor);

// vw_edit runs an editing command of WebKit in the page, such as "Copy".
void vw_edit(const char *command);

// vw_hide_closed removes the destroyed window from the screen, where it would stay until the program ends. Call it only on
// the main thread, after the main loop.
void vw_hide_closed(void);

#endif
