/* A window with one text field, which writes its text to the file in argv[1] whenever it changes. */
#include <gtk/gtk.h>

static void changed(GtkEditable *entry, gpointer path) {
	g_file_set_contents(path, gtk_entry_get_text(GTK_ENTRY(entry)), -1, NULL);
}

int main(int argc, char **argv) {
	gtk_init(&argc, &argv);
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	GtkWidget *entry = gtk_entry_new();
	gtk_window_set_title(GTK_WINDOW(window), "entry");
	gtk_container_add(GTK_CONTAINER(window), entry);
	g_signal_connect(entry, "changed", G_CALLBACK(changed), argv[1]);
	gtk_widget_show_all(window);
	gtk_main();
	return 0;
}
