// The dialog of the desktop by D-Bus: a portal that a thread of this test plays, on a session bus of its own
// (dbus-run-session), is asked for files, and answers as xdg-desktop-portal does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dbus/dbus.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "viewer/dialogs/system_dialog.h"

enum { SKIPPED = 77 };

typedef enum Answer {
    CHOOSES,
    CHOOSES_AT_OTHER_PATH, // as portals before 0.9
    CANCELS,
    FAILS,
    WAITS, // until the request is closed
} Answer;

// what the portal is to answer, and what it was asked; the thread reads it between the calls of the test
static struct {
    DBusConnection *connection;
    pthread_t thread;
    atomic_bool ends;
    atomic_int answer, closed;
    const char *uri;
    char method[32], title[64], options[2048];
} portal;

static BrumeSystemDialog dialog;

static void send_reply(DBusMessage *message)
{
    (void)dbus_connection_send(portal.connection, message, NULL);
    dbus_connection_flush(portal.connection);
    dbus_message_unref(message);
}

static void answer_version(DBusMessage *call)
{
    DBusMessageIter arguments;
    DBusMessageIter value;
    const dbus_uint32_t version = 3;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_iter_init_append(reply, &arguments);
    (void)dbus_message_iter_open_container(&arguments, DBUS_TYPE_VARIANT, "u", &value);
    (void)dbus_message_iter_append_basic(&value, DBUS_TYPE_UINT32, &version);
    (void)dbus_message_iter_close_container(&arguments, &value);
    send_reply(reply);
}

// appends the values of a message as text: "handle_token brume1 filters Scenes *.yaml *.yml"
static void describe(DBusMessageIter *values, char *text, size_t size)
{
    for (int type; (type = dbus_message_iter_get_arg_type(values)) != DBUS_TYPE_INVALID;
         (void)dbus_message_iter_next(values)) {
        const size_t used = strlen(text);
        DBusBasicValue value;
        DBusMessageIter inner;
        if (type == DBUS_TYPE_STRING) {
            dbus_message_iter_get_basic(values, &value);
            (void)snprintf(text + used, size - used, "%s ", value.str);
        } else if (type == DBUS_TYPE_BYTE) {
            dbus_message_iter_get_basic(values, &value);
            (void)snprintf(text + used, size - used, "%c", value.byt ? value.byt : ' ');
        } else if (type == DBUS_TYPE_BOOLEAN) {
            dbus_message_iter_get_basic(values, &value);
            (void)snprintf(text + used, size - used, "%s ", value.bool_val ? "true" : "false");
        } else if (dbus_type_is_container(type)) {
            dbus_message_iter_recurse(values, &inner);
            describe(&inner, text, size);
        }
    }
}

static void send_response(const char *request, const char *sender, dbus_uint32_t response)
{
    DBusMessageIter arguments;
    DBusMessageIter results;
    DBusMessageIter entry;
    DBusMessageIter value;
    DBusMessageIter uris;
    const char *const name = "uris";
    DBusMessage *signal = dbus_message_new_signal(request, "org.freedesktop.portal.Request", "Response");
    (void)dbus_message_set_destination(signal, sender);
    dbus_message_iter_init_append(signal, &arguments);
    (void)dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &response);
    (void)dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &results);
    if (response == 0) {
        (void)dbus_message_iter_open_container(&results, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
        (void)dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
        (void)dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &value);
        (void)dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "s", &uris);
        (void)dbus_message_iter_append_basic(&uris, DBUS_TYPE_STRING, &portal.uri);
        (void)dbus_message_iter_close_container(&value, &uris);
        (void)dbus_message_iter_close_container(&entry, &value);
        (void)dbus_message_iter_close_container(&results, &entry);
    }
    (void)dbus_message_iter_close_container(&arguments, &results);
    send_reply(signal);
}

static void answer_choice(DBusMessage *call)
{
    DBusMessageIter arguments;
    const char *text;
    char sender[128];
    char request[256];
    const int answer = atomic_load(&portal.answer);
    (void)snprintf(portal.method, sizeof portal.method, "%s", dbus_message_get_member(call));
    portal.options[0] = '\0';
    (void)dbus_message_iter_init(call, &arguments);
    (void)dbus_message_iter_next(&arguments);
    dbus_message_iter_get_basic(&arguments, &text);
    (void)snprintf(portal.title, sizeof portal.title, "%s", text);
    (void)dbus_message_iter_next(&arguments);
    describe(&arguments, portal.options, sizeof portal.options);
    if (answer == FAILS) {
        send_reply(dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, "no dialogs here"));
        return;
    }
    char token[64] = "";
    (void)sscanf(portal.options, "handle_token %63s", token);
    (void)snprintf(sender, sizeof sender, "%s", dbus_message_get_sender(call) + 1);
    for (char *c = sender; *c; c++) {
        *c = (char)(*c == '.' ? '_' : *c);
    }
    (void)snprintf(request, sizeof request, "/org/freedesktop/portal/desktop/request/%s/%s", sender,
                   answer == CHOOSES_AT_OTHER_PATH ? "other" : token);
    const char *path = request;
    DBusMessage *reply = dbus_message_new_method_return(call);
    (void)dbus_message_append_args(reply, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID);
    send_reply(reply);
    if (answer == CHOOSES_AT_OTHER_PATH) { // after the program has subscribed to it
        const struct timespec pause = {.tv_nsec = 300000000};
        (void)nanosleep(&pause, NULL);
    }
    if (answer != WAITS) {
        send_response(request, dbus_message_get_sender(call), answer == CANCELS);
    }
}

static void *play_portal(void *unused)
{
    (void)unused;
    while (!atomic_load(&portal.ends)) {
        (void)dbus_connection_read_write(portal.connection, 20);
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(portal.connection))) {
            if (dbus_message_is_method_call(message, DBUS_INTERFACE_PROPERTIES, "Get")) {
                answer_version(message);
            } else if (dbus_message_has_interface(message, "org.freedesktop.portal.FileChooser")) {
                answer_choice(message);
            } else if (dbus_message_is_method_call(message, "org.freedesktop.portal.Request", "Close")) {
                atomic_fetch_add(&portal.closed, 1);
            }
            dbus_message_unref(message);
        }
    }
    return NULL;
}

static int start_portal(void **state)
{
    (void)state;
    portal.connection = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
    if (!portal.connection) {
        return -1;
    }
    dbus_connection_set_exit_on_disconnect(portal.connection, FALSE);
    return brume_file_dialog_kind() != BRUME_DIALOG_PORTAL && // there is none yet
                   dbus_bus_request_name(portal.connection, "org.freedesktop.portal.Desktop",
                                         DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
               ? pthread_create(&portal.thread, NULL, play_portal, NULL)
               : -1;
}

static int end_portal(void **state)
{
    (void)state;
    atomic_store(&portal.ends, true);
    (void)pthread_join(portal.thread, NULL);
    dbus_connection_close(portal.connection);
    dbus_connection_unref(portal.connection);
    return 0;
}

// opens a dialog and waits for its end; returns whether something was chosen
static bool ask(BrumeFilePurpose purpose, Answer answer, const char *uri)
{
    BrumeError error;
    atomic_store(&portal.answer, (int)answer);
    portal.uri = uri;
    assert_int_equal(brume_system_dialog_open(&dialog, BRUME_DIALOG_PORTAL, purpose, "/my scenes", &error), BRUME_OK);
    assert_int_equal(brume_system_dialog_open(&dialog, BRUME_DIALOG_PORTAL, purpose, "/", &error), BRUME_FAILED);
    BrumeFilePurpose chosen = BRUME_CHOOSE_NOTHING;
    bool has_chosen = false;
    for (int n = 0; n < 12000 && dialog.purpose != BRUME_CHOOSE_NOTHING; n++) {
        const struct timespec pause = {.tv_nsec = 5000000};
        has_chosen = brume_system_dialog_poll(&dialog, &chosen);
        (void)nanosleep(&pause, NULL);
    }
    assert_int_equal(dialog.purpose, BRUME_CHOOSE_NOTHING);
    assert_int_equal(chosen, purpose);
    assert_null(dialog.portal);
    return has_chosen;
}

static void test_kind(void **state)
{
    (void)state;
    assert_int_equal(brume_file_dialog_kind(), BRUME_DIALOG_PORTAL);
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "own", 1), 0);
    assert_int_equal(brume_file_dialog_kind(), BRUME_DIALOG_OWN);
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "portal", 1), 0);
    assert_int_equal(brume_file_dialog_kind(), BRUME_DIALOG_PORTAL);
    assert_int_equal(unsetenv("BRUME_FILE_DIALOG"), 0);
}

static void test_choices(void **state)
{
    (void)state;
    assert_true(ask(BRUME_CHOOSE_OPEN, CHOOSES, "file:///a%20b/%C3%A4%25.yaml"));
    assert_string_equal(dialog.path, "/a b/\xc3\xa4%.yaml");
    assert_string_equal(portal.method, "OpenFile");
    assert_string_equal(portal.title, "Open a scene, volumes or a mesh");
    assert_non_null(strstr(portal.options, "accept_label Open "));
    assert_non_null(strstr(portal.options, "current_folder /my scenes "));
    assert_non_null(strstr(portal.options, "filters Scenes, volumes and meshes *.yaml *.yml *.hdf *.vtkhdf *.vdb *.vti "
                                           "*.raw *.obj *.stl *.ply *.gltf *.glb *.fbx *.dae *.3mf *.3ds *.blend *.dxf "
                                           "*.lwo *.off *.x3d "));
    assert_null(strstr(portal.options, "directory"));
    assert_true(ask(BRUME_CHOOSE_SAVE, CHOOSES_AT_OTHER_PATH, "file:///new.yaml"));
    assert_string_equal(dialog.path, "/new.yaml");
    assert_string_equal(portal.method, "SaveFile");
    assert_true(ask(BRUME_CHOOSE_FOLDER, CHOOSES, "file:///out"));
    assert_string_equal(portal.method, "OpenFile");
    assert_non_null(strstr(portal.options, "directory true "));
    assert_null(strstr(portal.options, "filters"));
    assert_int_equal(atomic_load(&portal.closed), 0);
}

// nothing is chosen, or what is no file of this system
static void test_no_choices(void **state)
{
    (void)state;
    assert_false(ask(BRUME_CHOOSE_OPEN, CANCELS, ""));
    assert_false(ask(BRUME_CHOOSE_OPEN, FAILS, ""));
    assert_false(ask(BRUME_CHOOSE_OPEN, CHOOSES, "https://example.org/a.yaml"));
    assert_false(ask(BRUME_CHOOSE_OPEN, CHOOSES, "file://host/a.yaml"));
    BrumeError error;
    BrumeFilePurpose purpose;
    atomic_store(&portal.answer, WAITS);
    assert_int_equal(brume_system_dialog_open(&dialog, BRUME_DIALOG_PORTAL, BRUME_CHOOSE_SKY, "/", &error), BRUME_OK);
    assert_false(brume_system_dialog_poll(&dialog, &purpose));
    assert_int_equal(dialog.purpose, BRUME_CHOOSE_SKY);
    brume_system_dialog_close(&dialog); // as the window closes
    for (int n = 0; n < 12000 && atomic_load(&portal.closed) == 0; n++) {
        const struct timespec pause = {.tv_nsec = 5000000};
        (void)nanosleep(&pause, NULL);
    }
    assert_int_equal(atomic_load(&portal.closed), 1);
    brume_system_dialog_close(&dialog);
}

static void test_no_bus(void **state)
{
    (void)state;
    BrumeError error;
    const char *address = getenv("DBUS_SESSION_BUS_ADDRESS");
    assert_non_null(address);
    char *before = strdup(address ? address : "");
    assert_int_equal(setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1), 0);
    assert_int_not_equal(brume_file_dialog_kind(), BRUME_DIALOG_PORTAL);
    assert_int_equal(brume_system_dialog_open(&dialog, BRUME_DIALOG_PORTAL, BRUME_CHOOSE_SKY, "/", &error),
                     BRUME_FAILED);
    assert_string_equal(error.text, "the dialog for files of the desktop: there is no session bus");
    assert_int_equal(dialog.purpose, BRUME_CHOOSE_NOTHING);
    assert_int_equal(setenv("DBUS_SESSION_BUS_ADDRESS", before, 1), 0);
    free(before);
}

int main(void)
{
    if (!getenv("DBUS_SESSION_BUS_ADDRESS") || !dbus_threads_init_default()) {
        (void)puts("no session bus (start this test by dbus-run-session)");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kind),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_no_choices),
        cmocka_unit_test(test_no_bus),
    };
    return cmocka_run_group_tests(tests, start_portal, end_portal);
}
