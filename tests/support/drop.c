// The protocol: https://www.freedesktop.org/wiki/Specifications/XDND/, version 5.
#include "drop.h"

#include "program.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <ctype.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Source {
    Display *display;
    XID window, target;
    char uri[3100]; // with the end of its line
} Source;

static Atom atom(const Source *source, const char *name) { return XInternAtom(source->display, name, False); }

static void send_message(const Source *source, const char *type, long second, long third, long fourth, long fifth)
{
    XEvent event = {0};
    event.xclient.type = ClientMessage;
    event.xclient.window = source->target;
    event.xclient.message_type = atom(source, type);
    event.xclient.format = 32;
    const long values[5] = {(long)source->window, second, third, fourth, fifth};
    memcpy(event.xclient.data.l, values, sizeof values);
    (void)XSendEvent(source->display, source->target, False, NoEventMask, &event);
    (void)XFlush(source->display);
}

// characters that a URI does not have are escaped
static void set_uri(Source *source, const char *path)
{
    size_t used = (size_t)snprintf(source->uri, sizeof source->uri, "file://");
    for (const char *c = path; *c && used + 6 < sizeof source->uri; c++) {
        const bool plain = isalnum((unsigned char)*c) || strchr("/-._~", *c);
        used += (size_t)snprintf(source->uri + used, sizeof source->uri - used, plain ? "%c" : "%%%02X",
                                 (unsigned)(unsigned char)*c);
    }
    (void)snprintf(source->uri + used, sizeof source->uri - used, "\r\n");
}

// hands over the text of the selection
static void answer_request(const Source *source, const XSelectionRequestEvent *request)
{
    (void)XChangeProperty(source->display, request->requestor, request->property, request->target, 8, PropModeReplace,
                          (const unsigned char *)source->uri, (int)strlen(source->uri));
    XEvent event = {0};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request->requestor;
    event.xselection.selection = request->selection;
    event.xselection.target = request->target;
    event.xselection.property = request->property;
    event.xselection.time = request->time;
    (void)XSendEvent(source->display, request->requestor, False, NoEventMask, &event);
    (void)XFlush(source->display);
}

// until the window sends a message of this type
static bool wait_for_message(const Source *source, const char *type, double seconds)
{
    const double end = seconds_now() + seconds;
    const Atom expected = atom(source, type);
    while (seconds_now() < end) {
        XEvent event;
        if (XPending(source->display) == 0) {
            struct pollfd file = {.fd = ConnectionNumber(source->display), .events = POLLIN};
            (void)poll(&file, 1, 20);
            continue;
        }
        (void)XNextEvent(source->display, &event);
        if (event.type == SelectionRequest) {
            answer_request(source, &event.xselectionrequest);
        } else if (event.type == ClientMessage && event.xclient.message_type == expected) {
            return true;
        }
    }
    return false;
}

// where the window is gone, it answers nothing
static int ignore(Display *display, XErrorEvent *error)
{
    (void)display;
    (void)error;
    return 0;
}

bool drop_file(const char *window, const char *path, int x, int y, double seconds)
{
    Source source = {.display = XOpenDisplay(NULL), .target = strtoul(window, NULL, 10)};
    if (!source.display) {
        return false;
    }
    (void)XSetErrorHandler(ignore);
    set_uri(&source, path);
    source.window = XCreateSimpleWindow(source.display, DefaultRootWindow(source.display), 0, 0, 1, 1, 0, 0, 0);
    (void)XSetSelectionOwner(source.display, atom(&source, "XdndSelection"), source.window, CurrentTime);
    const long version = 5;
    send_message(&source, "XdndEnter", version << 24, (long)atom(&source, "text/uri-list"), None, None);
    send_message(&source, "XdndPosition", 0, ((long)x << 16) | y, CurrentTime, (long)atom(&source, "XdndActionCopy"));
    bool taken = wait_for_message(&source, "XdndStatus", seconds);
    if (taken) {
        send_message(&source, "XdndDrop", 0, CurrentTime, 0, 0);
        taken = wait_for_message(&source, "XdndFinished", seconds);
    } else {
        send_message(&source, "XdndLeave", 0, 0, 0, 0);
    }
    (void)XCloseDisplay(source.display);
    return taken;
}
