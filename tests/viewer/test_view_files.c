// What the dialogs for files need: kinds, folders, recent files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "viewer/dialogs/system_dialog.h"
#include "viewer/files/file_kind.h"
#include "viewer/files/folder_list.h"
#include "viewer/files/kept_files.h"
#include "viewer/files/recent_files.h"

static void test_kinds(void **state)
{
    (void)state;
    BrumeFileKind kind = BRUME_FILE_VTI;
    assert_true(brume_file_kind_of("a.b/c.WebM", &kind));
    assert_int_equal(kind, BRUME_FILE_WEBM);
    assert_false(brume_file_kind_of("png", &kind));
    assert_false(brume_file_kind_of("a.pn", &kind));
    assert_int_equal(kind, BRUME_FILE_WEBM);
    for (int n = 0; n < BRUME_FILE_KINDS; n++) {
        const BrumeFileKind each = (BrumeFileKind)n;
        assert_true(brume_file_kind_of(brume_file_extension(each), &kind));
        assert_int_equal(kind, each);
        assert_int_equal(brume_file_is_image(each) + brume_file_is_video(each) + brume_file_is_volume(each), 1);
    }
}

static void test_folder(void **state)
{
    (void)state;
    make_file("b.HDF", "");
    make_file("A.yaml", "");
    make_file("c.txt", "");
    make_file(".hidden.yaml", "");
    assert_int_equal(mkdir("z folder", 0777), 0);
    assert_int_equal(symlink("z folder", "link.yaml"), 0);
    BrumeFolderList list = {0};
    BrumeError error;
    assert_int_equal(brume_folder_list_read(&list, ".", "yaml hdf", &error), BRUME_OK);
    static const char *const names[] = {"link.yaml", "z folder", "A.yaml", "b.HDF", "little.yaml"};
    assert_int_equal(list.count, 5);
    for (int n = 0; n < 5; n++) {
        assert_string_equal(list.entries[n].name, names[n]);
        assert_int_equal(list.entries[n].is_folder, n < 2);
    }
    assert_int_equal(brume_folder_list_read(&list, "missing", "yaml", &error), BRUME_FAILED);
    assert_string_equal(error.text, "missing: cannot be read: No such file or directory");
    assert_int_equal(list.count, 5); // unchanged
    assert_int_equal(brume_folder_list_read(&list, ".", "", &error), BRUME_OK);
    assert_int_equal(list.count, 2);
    brume_folder_list_destroy(&list);
    char path[16];
    assert_true(brume_join_path("/a/b", "..", path, sizeof path));
    assert_string_equal(path, "/a");
    assert_true(brume_join_path("/a", "..", path, sizeof path));
    assert_string_equal(path, "/");
    assert_true(brume_join_path("/", "x", path, sizeof path));
    assert_string_equal(path, "/x");
    assert_true(brume_join_path("/a", "/b", path, sizeof path));
    assert_string_equal(path, "/b");
    assert_false(brume_join_path("/a", "0123456789abcd", path, sizeof path));
}

// a scene is written where a folder for it was made; the same second gives another one
static void add_kept(time_t now, const char *stem, char path[BRUME_RECENT_PATH])
{
    assert_int_equal(brume_kept_files_add("state/unsaved", stem, now, path, NULL), BRUME_OK);
    make_file(path, "");
}

static void test_kept(void **state)
{
    (void)state;
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
    const time_t start = 1795542312; // 2026-11-24 17:45:12
    char first[BRUME_RECENT_PATH];
    char second[BRUME_RECENT_PATH];
    char path[BRUME_RECENT_PATH];
    BrumeKeptFiles kept;
    brume_kept_files_list(&kept, "state/unsaved", "");
    assert_int_equal(kept.count, 0);
    add_kept(start, "plume", first);
    assert_string_equal(first, "state/unsaved/20261124-174512/plume.yaml");
    make_file(first, "# Written by brume view after frame 52 (2.1667 s), state hash 0123456789abcdef.\nname: Plume\n");
    add_kept(start, "plume", second);
    assert_string_equal(second, "state/unsaved/20261124-174512-2/plume.yaml");
    assert_int_equal(brume_kept_files_add("state/unsaved", "none", start + 5, path, NULL), BRUME_OK); // never written
    brume_kept_files_list(&kept, "state/unsaved", "");
    assert_int_equal(kept.count, 2);
    assert_string_equal(kept.files[0].path, second);
    assert_string_equal(kept.files[1].path, first);
    assert_string_equal(kept.files[0].label, "plume, 2026-11-24 17:45:12");
    assert_string_equal(kept.files[1].label, "plume, frame 52, 2026-11-24 17:45:12");
    brume_kept_files_list(&kept, "state/unsaved", second);
    assert_int_equal(kept.count, 1);
    assert_string_equal(kept.files[0].path, first);
    brume_kept_files_drop(path);
    assert_int_equal(count_entries("state/unsaved"), 2);
    brume_kept_files_drop(second); // it is not empty
    assert_true(exists(second));

    // the latest stay, whatever else is in the folder
    make_file("state/unsaved/other", "");
    for (int n = 1; n <= BRUME_KEPT_FILES; n++) {
        add_kept(start + 60L * n, "jet", path);
    }
    brume_kept_files_prune("state/unsaved");
    assert_int_equal(count_entries("state/unsaved"), BRUME_KEPT_FILES + 1);
    assert_false(exists(first));
    assert_false(exists(second));
    brume_kept_files_list(&kept, "state/unsaved", "");
    assert_int_equal(kept.count, BRUME_KEPT_FILES);
    assert_string_equal(kept.files[0].path, path);
    assert_string_equal(kept.files[0].label, "jet, 2026-11-24 17:57:12");

    // a file is where the folder should be
    BrumeError error;
    make_file("file", "");
    assert_int_equal(brume_kept_files_add("file/unsaved", "jet", start, path, &error), BRUME_FAILED);
    assert_string_equal(path, "");
}

static void test_recent(void **state)
{
    (void)state;
    BrumeRecentFiles recent = {0};
    char name[32];
    for (int n = 0; n < 14; n++) {
        (void)snprintf(name, sizeof name, "%02d.yaml", n);
        make_file(name, "");
        brume_recent_files_add(&recent, name);
    }
    assert_int_equal(recent.count, BRUME_RECENT_FILES);
    char here[PATH_MAX];
    char expected[PATH_MAX + 64];
    assert_non_null(realpath(".", here));
    (void)snprintf(expected, sizeof expected, "%s/13.yaml", here);
    assert_string_equal(recent.paths[0], expected);
    brume_recent_files_add(&recent, "./05.yaml"); // again: moved to the front
    assert_int_equal(recent.count, BRUME_RECENT_FILES);
    assert_non_null(strstr(recent.paths[0], "/05.yaml"));
    assert_string_equal(recent.paths[1], expected);
    assert_int_equal(mkdir("c", 0777), 0);
    brume_recent_files_add(&recent, "c/p.####.hdf");
    (void)snprintf(expected, sizeof expected, "%s/c/p.####.hdf", here);
    assert_string_equal(recent.paths[0], expected);
    assert_int_equal(unlink("05.yaml"), 0);
    brume_recent_files_drop_missing(&recent);
    assert_int_equal(recent.count, BRUME_RECENT_FILES - 1);
    assert_string_equal(recent.paths[0], expected);
    assert_non_null(strstr(recent.paths[1], "/13.yaml"));
    assert_int_equal(rmdir("c"), 0);
    brume_recent_files_drop_missing(&recent);
    assert_int_equal(recent.count, BRUME_RECENT_FILES - 2);
    brume_recent_files_add(&recent, "missing/file.yaml");
    assert_int_equal(recent.count, BRUME_RECENT_FILES - 2);
}

static void test_dialog_kind(void **state)
{
    (void)state;
    const char *before = getenv("PATH");
    char *path = strdup(before ? before : "");
    assert_int_equal(setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1), 0); // without the portal of the desktop
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "kdialog", 1), 0);
    assert_int_equal(brume_file_dialog_kind(), BRUME_DIALOG_KDIALOG);
    assert_int_equal(unsetenv("BRUME_FILE_DIALOG"), 0);
    assert_int_equal(setenv("PATH", "/missing:.", 1), 0);
    assert_int_equal(brume_file_dialog_kind(), BRUME_DIALOG_OWN);
    make_file("zenity", "");
    assert_int_equal(chmod("zenity", 0755), 0);
    assert_int_equal(brume_file_dialog_kind(), BRUME_DIALOG_ZENITY);
    make_file("kdialog", "");
    assert_int_equal(chmod("kdialog", 0755), 0);
    assert_int_equal(brume_file_dialog_kind(), BRUME_DIALOG_ZENITY);
    assert_int_equal(setenv("XDG_CURRENT_DESKTOP", "KDE", 1), 0);
    assert_int_equal(brume_file_dialog_kind(), BRUME_DIALOG_KDIALOG);
    assert_int_equal(unsetenv("XDG_CURRENT_DESKTOP"), 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test_setup_teardown(test_folder, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_recent, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_kept, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_dialog_kind, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
