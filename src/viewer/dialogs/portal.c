// The dialog is a request object of the portal: the call of OpenFile or SaveFile returns its path, and its signal
// Response, which may arrive at any later time, has the files. The name of this connection and a token determine the
// path, so that the program subscribes to the signal before the call.
// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html
#include "viewer/dialogs/portal.h"

#ifdef BRUME_HAS_DBUS

#include "core/memory.h"

#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_ANSWER = 1000, MOST_PATH = 1024 }; // [ms], bytes

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define FILE_CHOOSER "org.freedesktop.portal.FileChooser"
#define REQUEST "org.freedesktop.portal.Request"

struct BrumePortal {
    DBusConnection *connection;
    char request[512]; // object path
    dbus_uint32_t call;
    bool ended;
    char path[MOST_PATH]; // file that the user has chosen
};

// Connects to the session bus of the environment. libdbus alone would start a bus where there is none.
static DBusConnection *connect(void)
{
    char address[512];
    const char *given = getenv("DBUS_SESSION_BUS_ADDRESS");
    const char *folder = getenv("XDG_RUNTIME_DIR");
    (void)snprintf(address, sizeof address, "%s%s%s", given ? given : "unix:path=", given || !folder ? "" : folder,
                   given ? "" : "/bus");
    if (!given && (!folder || access(address + strlen("unix:path="), F_OK) != 0)) {
        return NULL;
    }
    DBusConnection *connection = dbus_connection_open_private(given ? given : address, NULL);
    if (!connection) {
        return NULL;
    }
    dbus_connection_set_exit_on_disconnect(connection, FALSE);
    if (!dbus_bus_register(connection, NULL)) {
        dbus_connection_close(connection);
        dbus_connection_unref(connection);
        return NULL;
    }
    return connection;
}

static void disconnect(DBusConnection *connection)
{
    dbus_connection_close(connection);
    dbus_connection_unref(connection);
}

bool brume_portal_is_available(void)
{
    static const char *const arguments[2] = {FILE_CHOOSER, "version"};
    DBusConnection *connection = connect();
    if (!connection) {
        return false;
    }
    DBusMessage *call = dbus_message_new_method_call(PORTAL, PORTAL_PATH, DBUS_INTERFACE_PROPERTIES, "Get");
    DBusMessage *answer = NULL;
    if (call && dbus_message_append_args(call, DBUS_TYPE_STRING, &arguments[0], DBUS_TYPE_STRING, &arguments[1],
                                         DBUS_TYPE_INVALID)) {
        answer = dbus_connection_send_with_reply_and_block(connection, call, LONGEST_ANSWER, NULL);
    }
    const bool found = answer != NULL;
    if (answer) {
        dbus_message_unref(answer);
    }
    if (call) {
        dbus_message_unref(call);
    }
    disconnect(connection);
    return found;
}

// appends a name and opens its value of this type in a dictionary of options
static bool begin_option(DBusMessageIter *options, const char *name, const char *type, DBusMessageIter *entry,
                         DBusMessageIter *value)
{
    return dbus_message_iter_open_container(options, DBUS_TYPE_DICT_ENTRY, NULL, entry) &&
           dbus_message_iter_append_basic(entry, DBUS_TYPE_STRING, &name) &&
           dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, type, value);
}

static bool end_option(DBusMessageIter *options, DBusMessageIter *entry, DBusMessageIter *value)
{
    return dbus_message_iter_close_container(entry, value) && dbus_message_iter_close_container(options, entry);
}

static bool add_text(DBusMessageIter *options, const char *name, const char *text)
{
    DBusMessageIter entry;
    DBusMessageIter value;
    return begin_option(options, name, "s", &entry, &value) &&
           dbus_message_iter_append_basic(&value, DBUS_TYPE_STRING, &text) && end_option(options, &entry, &value);
}

static bool add_flag(DBusMessageIter *options, const char *name, dbus_bool_t flag)
{
    DBusMessageIter entry;
    DBusMessageIter value;
    return begin_option(options, name, "b", &entry, &value) &&
           dbus_message_iter_append_basic(&value, DBUS_TYPE_BOOLEAN, &flag) && end_option(options, &entry, &value);
}

// appends bytes with a terminating 0, because paths need not be UTF-8
static bool add_path(DBusMessageIter *options, const char *name, const char *path)
{
    DBusMessageIter entry;
    DBusMessageIter value;
    DBusMessageIter bytes;
    return begin_option(options, name, "ay", &entry, &value) &&
           dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "y", &bytes) &&
           dbus_message_iter_append_fixed_array(&bytes, DBUS_TYPE_BYTE, &path, (int)strlen(path) + 1) &&
           dbus_message_iter_close_container(&value, &bytes) && end_option(options, &entry, &value);
}

static bool add_pattern(DBusMessageIter *patterns, const char *text, int length)
{
    DBusMessageIter pair;
    char pattern[64];
    const char *at = pattern;
    const dbus_uint32_t is_glob = 0;
    (void)snprintf(pattern, sizeof pattern, "%.*s", length, text);
    return dbus_message_iter_open_container(patterns, DBUS_TYPE_STRUCT, NULL, &pair) &&
           dbus_message_iter_append_basic(&pair, DBUS_TYPE_UINT32, &is_glob) &&
           dbus_message_iter_append_basic(&pair, DBUS_TYPE_STRING, &at) &&
           dbus_message_iter_close_container(patterns, &pair);
}

// appends the filter for one kind of files
static bool add_filter(DBusMessageIter *options, const BrumePortalDef *def)
{
    DBusMessageIter entry;
    DBusMessageIter value;
    DBusMessageIter filters;
    DBusMessageIter filter;
    DBusMessageIter patterns;
    bool done = begin_option(options, "filters", "a(sa(us))", &entry, &value) &&
                dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "(sa(us))", &filters) &&
                dbus_message_iter_open_container(&filters, DBUS_TYPE_STRUCT, NULL, &filter) &&
                dbus_message_iter_append_basic(&filter, DBUS_TYPE_STRING, &def->filter) &&
                dbus_message_iter_open_container(&filter, DBUS_TYPE_ARRAY, "(us)", &patterns);
    for (const char *at = def->patterns; done && *at; at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");
        done = add_pattern(&patterns, at, length);
        at += length;
    }
    return done && dbus_message_iter_close_container(&filter, &patterns) &&
           dbus_message_iter_close_container(&filters, &filter) &&
           dbus_message_iter_close_container(&value, &filters) && end_option(options, &entry, &value);
}

// appends the arguments of OpenFile or SaveFile: the parent window, the title and the options; false without memory
static bool compose(DBusMessage *call, const BrumePortalDef *def, const char *token)
{
    static const char *const no_parent = "";
    DBusMessageIter arguments;
    DBusMessageIter options;
    dbus_message_iter_init_append(call, &arguments);
    return dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &no_parent) &&
           dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &def->title) &&
           dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options) &&
           add_text(&options, "handle_token", token) && add_text(&options, "accept_label", def->action) &&
           add_path(&options, "current_folder", def->folder) &&
           (def->patterns[0] ? add_filter(&options, def) : add_flag(&options, "directory", TRUE)) &&
           dbus_message_iter_close_container(&arguments, &options);
}

// receives the response of the request object with this path from now on
static void subscribe(BrumePortal *portal, const char *request)
{
    char rule[768];
    (void)snprintf(portal->request, sizeof portal->request, "%s", request);
    (void)snprintf(rule, sizeof rule, "type='signal',interface='" REQUEST "',member='Response',path='%s'", request);
    dbus_bus_add_match(portal->connection, rule, NULL);
}

// subscribes to the path that the portal derives from the name of the connection and the token
static void subscribe_to_expected(BrumePortal *portal, const char *token)
{
    char request[512];
    char sender[128];
    const char *name = dbus_bus_get_unique_name(portal->connection);
    (void)snprintf(sender, sizeof sender, "%s", name && name[0] == ':' ? name + 1 : "");
    for (char *c = sender; *c; c++) {
        *c = (char)(*c == '.' ? '_' : *c);
    }
    (void)snprintf(request, sizeof request, PORTAL_PATH "/request/%s/%s", sender, token);
    subscribe(portal, request);
}

BrumeStatus brume_portal_open(BrumePortal **portal, const BrumePortalDef *def, BrumeError *error)
{
    static int dialogs;
    char token[64];
    (void)snprintf(token, sizeof token, "brume%d", ++dialogs);
    *portal = NULL;
    BrumePortal *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "a dialog for files");
    }
    created->connection = connect();
    if (!created->connection) {
        brume_free(created);
        return brume_fail(error, BRUME_FAILED, "the dialog for files of the desktop: there is no session bus");
    }
    subscribe_to_expected(created, token);
    DBusMessage *call =
        dbus_message_new_method_call(PORTAL, PORTAL_PATH, FILE_CHOOSER, def->saves ? "SaveFile" : "OpenFile");
    const bool sent =
        call && compose(call, def, token) && dbus_connection_send(created->connection, call, &created->call);
    if (call) {
        dbus_message_unref(call);
    }
    if (!sent) {
        brume_portal_close(created);
        return brume_out_of_memory(error, "a dialog for files");
    }
    dbus_connection_flush(created->connection);
    *portal = created;
    return BRUME_OK;
}

static int hexadecimal(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = digit ? strchr(digits, digit >= 'A' && digit <= 'F' ? digit - 'A' + 'a' : digit) : NULL;
    return at ? (int)(at - digits) : -1;
}

// reads the path of a URI "file:///a%20b"; "" for others
static void read_uri(const char *uri, char path[MOST_PATH])
{
    static const char scheme[] = "file://";
    int used = 0;
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0 || uri[sizeof scheme - 1] != '/') {
        return;
    }
    for (const char *c = uri + sizeof scheme - 1; *c; c++) {
        const int high = *c == '%' ? hexadecimal(c[1]) : -1;
        const int low = high >= 0 ? hexadecimal(c[2]) : -1;
        if (used + 1 == MOST_PATH) {
            used = 0;
            break;
        }
        path[used++] = (char)(low >= 0 ? 16 * high + low : *c);
        c += low >= 0 ? 2 : 0;
    }
    path[used] = '\0';
}

// the signal has a number, 0 if the user has chosen, and a dictionary, whose entry `uris` has the files
static void read_response(BrumePortal *portal, DBusMessage *message)
{
    DBusMessageIter arguments;
    DBusMessageIter results;
    dbus_uint32_t response = 1;
    portal->ended = true;
    if (!dbus_message_has_signature(message, "ua{sv}") || !dbus_message_iter_init(message, &arguments)) {
        return;
    }
    dbus_message_iter_get_basic(&arguments, &response);
    (void)dbus_message_iter_next(&arguments);
    dbus_message_iter_recurse(&arguments, &results);
    for (; response == 0 && dbus_message_iter_get_arg_type(&results) == DBUS_TYPE_DICT_ENTRY;
         (void)dbus_message_iter_next(&results)) {
        DBusMessageIter entry;
        DBusMessageIter value;
        DBusMessageIter uris;
        const char *name;
        const char *uri;
        dbus_message_iter_recurse(&results, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        (void)dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &value);
        char *signature = dbus_message_iter_get_signature(&value);
        if (strcmp(name, "uris") == 0 && signature && strcmp(signature, "as") == 0) {
            dbus_message_iter_recurse(&value, &uris);
            if (dbus_message_iter_get_arg_type(&uris) == DBUS_TYPE_STRING) {
                dbus_message_iter_get_basic(&uris, &uri);
                read_uri(uri, portal->path);
            }
        }
        dbus_free(signature);
    }
}

static void read_message(BrumePortal *portal, DBusMessage *message)
{
    const char *request;
    const char *path = dbus_message_get_path(message);
    const int type = dbus_message_get_type(message);
    const bool answers = dbus_message_get_reply_serial(message) == portal->call;
    if (dbus_message_is_signal(message, REQUEST, "Response") && path && strcmp(path, portal->request) == 0) {
        read_response(portal, message);
    } else if (type == DBUS_MESSAGE_TYPE_METHOD_RETURN && answers) { // old portals return another path
        if (dbus_message_get_args(message, NULL, DBUS_TYPE_OBJECT_PATH, &request, DBUS_TYPE_INVALID) &&
            strcmp(request, portal->request) != 0) {
            subscribe(portal, request);
        }
    } else if ((type == DBUS_MESSAGE_TYPE_ERROR && answers) ||
               dbus_message_is_signal(message, DBUS_INTERFACE_LOCAL, "Disconnected")) {
        portal->ended = true;
    }
}

bool brume_portal_poll(BrumePortal *portal, char *path, int size)
{
    DBusMessage *message;
    (void)dbus_connection_read_write(portal->connection, 0);
    while (!portal->ended && (message = dbus_connection_pop_message(portal->connection))) {
        read_message(portal, message);
        dbus_message_unref(message);
    }
    (void)snprintf(path, (size_t)size, "%s", portal->ended ? portal->path : "");
    return !portal->ended;
}

void brume_portal_close(BrumePortal *portal)
{
    if (!portal) {
        return;
    }
    DBusMessage *call = portal->ended ? NULL : dbus_message_new_method_call(PORTAL, portal->request, REQUEST, "Close");
    if (call) {
        dbus_message_set_no_reply(call, TRUE);
        (void)dbus_connection_send(portal->connection, call, NULL);
        dbus_connection_flush(portal->connection);
        dbus_message_unref(call);
    }
    disconnect(portal->connection);
    brume_free(portal);
}

#else

#include <stddef.h>

bool brume_portal_is_available(void) { return false; }

BrumeStatus brume_portal_open(BrumePortal **portal, const BrumePortalDef *def, BrumeError *error)
{
    (void)def;
    *portal = NULL;
    return brume_fail(error, BRUME_FAILED, "this program was built without the dialog for files of the desktop");
}

bool brume_portal_poll(BrumePortal *portal, char *path, int size)
{
    (void)portal;
    (void)size;
    path[0] = '\0';
    return false;
}

void brume_portal_close(BrumePortal *portal) { (void)portal; }

#endif
