// What Wails v2 leaves out on Linux. Calls may come from any thread, once the main loop runs.
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
} vw_look;

// vw_adopt finds the window of this program: from now on its size is followed, a page that crashed is loaded again, and
// with a session bus the page is dark when the desktop is.
void vw_adopt(int session_bus);

// vw_look_at tells where the window is, and which screens there are.
void vw_look_at(vw_look *look);

// vw_put gives the window a size, and a place where placed is set, and maximises it where that is set.
void vw_put(int x, int y, int width, int height, int placed, int maximised);

// vw_raise brings the window to the front; activation is the desktop's token for it, or empty.
void vw_raise(const char *activation);

// vw_confirm asks a question and gives 1 for yes; no is what Escape and Return mean.
int vw_confirm(const char *title, const char *question, const char *yes, const char *no);

// vw_close_dialogs cancels every open dialog: GTK's main loop does not end behind them.
void vw_close_dialogs(void);

// vw_copy_file puts a file on the clipboard, as file managers, editors and text fields take it. Gives 1 when it did.
int vw_copy_file(const char *path);

// vw_vanish takes the destroyed window from the screen, where it would stay until the program ends. Only on the main
// thread, behind the main loop.
void vw_vanish(void);

#endif
