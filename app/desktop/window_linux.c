//go:build desktop

#include "window_linux.h"

#include <gtk/gtk.h>
#include <string.h>
#include <webkit2/webkit2.h>
#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

// Only the main thread uses these.
static GtkWindow *window;
static WebKitWebView *page;
static vw_placement usual;             // the placement when the window is not maximised
static gboolean dark_by_default;  // GTK's own setting

// --- calls on the main thread ---------------------------------------------------------------------

typedef struct {
	void (*function)(gpointer);
	gpointer data;
	GMutex mutex;
	GCond cond;
	gboolean done;
} call;

static gboolean do_call(gpointer data)
{
	call *c = data;
	c->function(c->data);
	g_mutex_lock(&c->mutex);
	c->done = TRUE;
	g_cond_signal(&c->cond);
	g_mutex_unlock(&c->mutex);
	return G_SOURCE_REMOVE;
}

static void on_main_thread(void (*function)(gpointer), gpointer data)
{
	call c = {.function = function, .data = data};
	g_mutex_init(&c.mutex);
	g_cond_init(&c.cond);
	g_idle_add(do_call, &c); // as Wails does, so that its calls and ours stay in order
	g_mutex_lock(&c.mutex);
	while (!c.done)
		g_cond_wait(&c.cond, &c.mutex);
	g_mutex_unlock(&c.mutex);
	g_mutex_clear(&c.mutex);
	g_cond_clear(&c.cond);
}

// --- the window -----------------------------------------------------------------------------------

static void find_page(GtkWidget *widget, gpointer data)
{
	if (WEBKIT_IS_WEB_VIEW(widget))
		page = WEBKIT_WEB_VIEW(widget);
	else if (page == NULL && GTK_IS_CONTAINER(widget))
		gtk_container_forall(GTK_CONTAINER(widget), find_page, data);
}

static void find_window(void)
{
	GList *all = gtk_window_list_toplevels();
	for (GList *l = all; l != NULL && page == NULL; l = l->next)
		find_page(GTK_WIDGET(l->data), NULL);
	g_list_free(all);
	if (page != NULL)
		window = GTK_WINDOW(gtk_widget_get_toplevel(GTK_WIDGET(page)));
}

static gboolean is_normal(void)
{
	if (window == NULL)
		return FALSE;
	GdkWindow *gdk = gtk_widget_get_window(GTK_WIDGET(window));
	GdkWindowState special = GDK_WINDOW_STATE_MAXIMIZED | GDK_WINDOW_STATE_FULLSCREEN | GDK_WINDOW_STATE_ICONIFIED |
	                     GDK_WINDOW_STATE_WITHDRAWN;
	return gdk != NULL && (gdk_window_get_state(gdk) & special) == 0;
}

static void record_placement(void)
{
	if (is_normal()) {
		gtk_window_get_position(window, &usual.x, &usual.y);
		gtk_window_get_size(window, &usual.width, &usual.height);
	}
}

static guint recording; // the timer that records the placement

static gboolean record_now(gpointer data)
{
	(void)data;
	recording = 0;
	record_placement();
	return G_SOURCE_REMOVE;
}

static gboolean configured(GtkWidget *widget, GdkEvent *event, gpointer data)
{
	(void)widget, (void)event, (void)data;
	// With a delay: when a window is maximised, its size changes before its state.
	if (recording != 0)
		g_source_remove(recording);
	recording = g_timeout_add(200, record_now, NULL);
	return GDK_EVENT_PROPAGATE;
}

static void get_placement(gpointer data)
{
	vw_placement *placement = data;
	if (window == NULL)
		return;
	record_placement();
	*placement = usual;
	placement->maximised = gtk_window_is_maximized(window);
	GdkDisplay *display = gtk_widget_get_display(GTK_WIDGET(window));
	GdkWindow *gdk = gtk_widget_get_window(GTK_WIDGET(window));
	GdkMonitor *current = gdk == NULL ? NULL : gdk_display_get_monitor_at_window(display, gdk);
	placement->screen_count = MIN(gdk_display_get_n_monitors(display), VW_SCREENS);
	for (int i = 0; i < placement->screen_count; i++) {
		GdkMonitor *monitor = gdk_display_get_monitor(display, i);
		GdkRectangle area;
		gdk_monitor_get_geometry(monitor, &area);
		placement->screens[i] = (vw_screen){area.x, area.y, area.width, area.height, monitor == current};
	}
}

void vw_get_placement(vw_placement *placement) { on_main_thread(get_placement, placement); }

typedef struct {
	int x, y, width, height, placed, maximised;
} target;

static void set_placement(gpointer data)
{
	target *p = data;
	if (window == NULL)
		return;
	gtk_window_resize(window, p->width, p->height);
	if (p->placed)
		gtk_window_move(window, p->x, p->y);
	if (p->maximised) {
		usual.x = p->x, usual.y = p->y, usual.width = p->width, usual.height = p->height;
		gtk_window_maximize(window);
	}
}

void vw_set_placement(int x, int y, int width, int height, int placed, int maximised)
{
	target p = {x, y, width, height, placed, maximised};
	on_main_thread(set_placement, &p);
}

static void bring_to_front(gpointer data)
{
	const char *activation = data;
	if (window == NULL)
		return;
	gtk_window_deiconify(window);
	if (*activation != '\0')
		gtk_window_set_startup_id(window, activation);
	guint32 now = GDK_CURRENT_TIME;
#ifdef GDK_WINDOWING_X11
	// Window managers refuse a time that is older than the last key press or click of the user.
	GdkWindow *gdk = gtk_widget_get_window(GTK_WIDGET(window));
	if (GDK_IS_X11_WINDOW(gdk))
		now = gdk_x11_get_server_time(gdk);
#endif
	gtk_window_present_with_time(window, now);
}

void vw_raise(const char *activation) { on_main_thread(bring_to_front, (gpointer)activation); }

// --- dialogs --------------------------------------------------------------------------------------

typedef struct {
	const char *title, *question, *yes, *no;
	int answer;
} question;

static void confirm(gpointer data)
{
	question *q = data;
	GtkWidget *dialog = gtk_message_dialog_new(window, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
	                                           GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", q->question);
	gtk_window_set_title(GTK_WINDOW(dialog), q->title);
	gtk_dialog_add_buttons(GTK_DIALOG(dialog), q->yes, GTK_RESPONSE_YES, q->no, GTK_RESPONSE_NO, NULL);
	gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_NO);
	if (window != NULL)
		gtk_window_deiconify(window); // otherwise the question is not visible
	q->answer = gtk_dialog_run(GTK_DIALOG(dialog)) == GTK_RESPONSE_YES;
	gtk_widget_destroy(dialog);
}

int vw_confirm(const char *title, const char *text, const char *yes, const char *no)
{
	question q = {title, text, yes, no, 0};
	on_main_thread(confirm, &q);
	return q.answer;
}

static void close_dialogs(gpointer data)
{
	(void)data;
	GList *all = gtk_window_list_toplevels();
	g_list_foreach(all, (GFunc)g_object_ref, NULL); // a response may destroy any of them
	for (GList *l = all; l != NULL; l = l->next)
		if (GTK_IS_DIALOG(l->data) && gtk_widget_get_visible(GTK_WIDGET(l->data)))
			gtk_dialog_response(GTK_DIALOG(l->data), GTK_RESPONSE_CANCEL);
	g_list_free_full(all, g_object_unref);
}

void vw_close_dialogs(void) { on_main_thread(close_dialogs, NULL); }

void vw_hide_closed(void)
{
	// Pending callbacks must not run: calls of Wails would reach the page, which is destroyed.
	GdkDisplay *display = gdk_display_get_default();
	if (display != NULL)
		gdk_display_sync(display);
}

// --- a file on the clipboard -----------------------------------------------------------------------

enum { AS_LIST, AS_COPIED, AS_TEXT };

typedef struct {
	char *path, *uri;
} copied;

static void send_copied(GtkClipboard *clipboard, GtkSelectionData *selection, guint as, gpointer data)
{
	(void)clipboard;
	copied *file = data;
	if (as == AS_TEXT) {
		gtk_selection_data_set_text(selection, file->path, -1);
		return;
	}
	char *content = as == AS_LIST ? g_strconcat(file->uri, "\r\n", NULL) : g_strconcat("copy\n", file->uri, NULL);
	gtk_selection_data_set(selection, gtk_selection_data_get_target(selection), 8, (const guchar *)content, (int)strlen(content));
	g_free(content);
}

static void free_copied(GtkClipboard *clipboard, gpointer data)
{
	(void)clipboard;
	copied *file = data;
	g_free(file->path);
	g_free(file->uri);
	g_free(file);
}

typedef struct {
	const char *path;
	int done;
} copying;

static void copy_file(gpointer data)
{
	copying *c = data;
	char *uri = g_filename_to_uri(c->path, NULL, NULL);
	if (uri == NULL)
		return;
	copied *file = g_new(copied, 1);
	file->path = g_strdup(c->path);
	file->uri = uri;
	const GtkTargetEntry forms[] = {
		{"text/uri-list", 0, AS_LIST},
		{"x-special/gnome-copied-files", 0, AS_COPIED}, // how file managers distinguish copying from moving
		{"UTF8_STRING", 0, AS_TEXT},
		{"text/plain;charset=utf-8", 0, AS_TEXT},
	};
	GtkClipboard *clipboard = gtk_clipboard_get(GDK_SELECTION_CLIPBOARD);
	c->done = gtk_clipboard_set_with_data(clipboard, forms, G_N_ELEMENTS(forms), send_copied, free_copied, file);
	if (c->done)
		gtk_clipboard_set_can_store(clipboard, NULL, 0); // so that a clipboard manager can keep it after the program ends
	else
		free_copied(clipboard, file);
}

int vw_copy_file(const char *path)
{
	copying c = {path, 0};
	on_main_thread(copy_file, &c);
	return c.done;
}

// --- zoom -----------------------------------------------------------------------------------------

static void zoom(gpointer data)
{
	if (page != NULL)
		webkit_web_view_set_zoom_level(page, *(double *)data);
}

void vw_zoom(double factor) { on_main_thread(zoom, &factor); }

// --- the Edit menu --------------------------------------------------------------------------------

static void edit(gpointer data)
{
	if (page != NULL)
		webkit_web_view_execute_editing_command(page, data);
}

void vw_edit(const char *command) { on_main_thread(edit, (gpointer)command); }

// --- a page that crashed --------------------------------------------------------------------------

static gboolean reload(gpointer data)
{
	(void)data;
	if (page != NULL)
		webkit_web_view_reload(page);
	return G_SOURCE_REMOVE;
}

static void terminated(WebKitWebView *view, WebKitWebProcessTerminationReason reason, gpointer data)
{
	(void)view, (void)data;
	static gint64 last;
	static guint crashes;
	gint64 now = g_get_monotonic_time();
	crashes = now - last > 60 * G_USEC_PER_SEC ? 1 : crashes + 1;
	last = now;
	g_printerr("The page crashed (reason %d) and is loaded again.\n", reason);
	g_timeout_add(crashes > 3 ? 10000 : 50, reload, NULL); // not in a busy loop
}

// --- light and dark -------------------------------------------------------------------------------

// The desktop publishes its colour scheme through the portal; GTK 3 only knows its own themes.
static void apply_scheme(GVariant *value)
{
	GVariant *inner = g_variant_ref(value);
	while (g_variant_is_of_type(inner, G_VARIANT_TYPE_VARIANT)) {
		GVariant *next = g_variant_get_variant(inner);
		g_variant_unref(inner);
		inner = next;
	}
	if (g_variant_is_of_type(inner, G_VARIANT_TYPE_UINT32)) {
		guint32 scheme = g_variant_get_uint32(inner); // 0 none, 1 dark, 2 light
		g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme",
		             scheme == 1 || (scheme == 0 && dark_by_default), NULL);
	}
	g_variant_unref(inner);
}

static void scheme_changed(GDBusConnection *bus, const gchar *sender, const gchar *path, const gchar *interface,
                           const gchar *signal, GVariant *parameters, gpointer data)
{
	(void)bus, (void)sender, (void)path, (void)interface, (void)signal, (void)data;
	const gchar *space, *key;
	GVariant *value;
	if (!g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ssv)")))
		return;
	g_variant_get(parameters, "(&s&sv)", &space, &key, &value);
	if (g_strcmp0(key, "color-scheme") == 0)
		apply_scheme(value);
	g_variant_unref(value);
}

static void scheme_read(GObject *bus, GAsyncResult *result, gpointer data)
{
	(void)data;
	GVariant *reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, NULL);
	if (reply == NULL)
		return; // there is no portal
	GVariant *value = g_variant_get_child_value(reply, 0);
	apply_scheme(value);
	g_variant_unref(value);
	g_variant_unref(reply);
}

static void follow_scheme(GObject *source, GAsyncResult *result, gpointer data)
{
	(void)source, (void)data;
	const char *name = "org.freedesktop.portal.Desktop", *path = "/org/freedesktop/portal/desktop";
	const char *interface = "org.freedesktop.portal.Settings", *space = "org.freedesktop.appearance";
	GDBusConnection *bus = g_bus_get_finish(result, NULL); // kept until the program ends
	if (bus == NULL)
		return;
	g_dbus_connection_signal_subscribe(bus, name, interface, "SettingChanged", path, space,
	                                   G_DBUS_SIGNAL_FLAGS_NONE, scheme_changed, NULL, NULL);
	g_dbus_connection_call(bus, name, path, interface, "Read", g_variant_new("(ss)", space, "color-scheme"),
	                       G_VARIANT_TYPE("(v)"), G_DBUS_CALL_FLAGS_NONE, 3000, NULL, scheme_read, NULL);
}

static void watch(gpointer session_bus)
{
	find_window();
	if (window == NULL)
		return;
	g_object_add_weak_pointer(G_OBJECT(window), (gpointer *)&window);
	g_object_add_weak_pointer(G_OBJECT(page), (gpointer *)&page);
	record_placement();
	g_signal_connect(window, "configure-event", G_CALLBACK(configured), NULL);
	g_signal_connect(page, "web-process-terminated", G_CALLBACK(terminated), NULL);
	g_object_get(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", &dark_by_default, NULL);
	if (session_bus != NULL)
		g_bus_get(G_BUS_TYPE_SESSION, NULL, follow_scheme, NULL);
}

void vw_watch(int session_bus) { on_main_thread(watch, GINT_TO_POINTER(session_bus)); }
