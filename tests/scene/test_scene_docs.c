/*
 * docs/scene.md has a table for every section of the schema, row by row what the schema says. Where the schema has
 * changed, run this test with BRUME_WRITE_DOCS=1 to bring the tables up to date.
 */
#include "scene_support.h"

#include "scene/draft.h"
#include "scene/schema.h"

enum { PAGE_SIZE = 1 << 18, MOST_SECTIONS = 64 };

typedef struct Walk {
    const BrumeSection *seen[MOST_SECTIONS];
    int count;
    char *page;
    bool write;
} Walk;

static const char *page_path = BRUME_SOURCE_DIR "/docs/scene.md";

static void describe_default(const BrumeKey *key, const void *into, char *text, size_t size)
{
    if (key->fallback) {
        (void)snprintf(text, size, "%s", key->fallback);
    } else if (key->type == BRUME_KEY_LIST || key->type == BRUME_KEY_MAP || key->type == BRUME_KEY_ITEMS ||
               key->type == BRUME_KEY_PATHS) {
        (void)snprintf(text, size, "–");
    } else {
        brume_key_value(key, into, text, size);
    }
}

static void append_table(const BrumeSection *section, const void *into, char *table, size_t size)
{
    (void)snprintf(table, size,
                   "| key | holds | unit | default | range | what it means |\n| --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < section->key_count; i++) {
        const BrumeKey *const key = &section->keys[i];
        char fallback[256];
        char range[256];
        describe_default(key, into, fallback, sizeof fallback);
        brume_key_range(key, range, sizeof range);
        const size_t used = strlen(table);
        (void)snprintf(table + used, size - used, "| `%s` | %s | %s | %s | %s | %s |\n", key->name, brume_key_type(key),
                       key->unit ? key->unit : "–", fallback, range[0] ? range : "–", key->doc);
    }
}

/** Puts a section's table between its marks. */
static void replace_table(char *page, const char *mark, const char *table)
{
    char *const start = strstr(page, mark);
    assert_non_null(start);
    char *const from = start + strlen(mark);
    char *const to = strstr(from, "<!-- end -->");
    assert_non_null(to);
    char *const rest = strdup(to);
    assert_non_null(rest);
    const size_t room = PAGE_SIZE - (size_t)(from - page);
    assert_true((size_t)snprintf(from, room, "%s%s", table, rest) < room);
    free(rest);
}

static void visit(Walk *walk, const BrumeSection *section, const char *into)
{
    for (int i = 0; i < walk->count; i++) {
        if (walk->seen[i] == section) {
            return;
        }
    }
    assert_true(walk->count < MOST_SECTIONS);
    walk->seen[walk->count++] = section;

    char mark[128];
    char table[16384];
    (void)snprintf(mark, sizeof mark, "<!-- keys: %s -->\n", section->path[0] ? section->path : "top");
    append_table(section, into, table, sizeof table);
    if (walk->write) {
        replace_table(walk->page, mark, table);
    }
    const char *const start = strstr(walk->page, mark);
    if (!start) {
        fail_msg("docs/scene.md has no line '%s'", mark);
        return;
    }
    if (strncmp(start + strlen(mark), table, strlen(table)) != 0) {
        fail_msg("docs/scene.md: the table of '%s' should read as below (BRUME_WRITE_DOCS=1 writes it)\n%s",
                 section->path, table);
    }
    assert_int_equal(strncmp(start + strlen(mark) + strlen(table), "<!-- end -->", 12), 0);
    for (int i = 0; i < section->key_count; i++) {
        if (section->keys[i].section) {
            visit(walk, section->keys[i].section, into + section->keys[i].offset);
        }
    }
}

static void test_docs_have_every_key(void **state)
{
    (void)state;
    Walk walk = {.page = calloc(1, PAGE_SIZE), .write = getenv("BRUME_WRITE_DOCS") != NULL};
    BrumeSceneDraft *draft = malloc(sizeof *draft);
    assert_non_null(walk.page);
    assert_non_null(draft);
    FILE *file = fopen(page_path, "rb");
    assert_non_null(file);
    assert_true(fread(walk.page, 1, PAGE_SIZE - 1, file) > 0);
    (void)fclose(file);

    brume_draft_defaults(draft);
    visit(&walk, &brume_scene_section, (const char *)draft);
    assert_int_equal(walk.count, 21);
    if (walk.write) {
        write_bytes(page_path, walk.page, strlen(walk.page));
    }
    free(draft);
    free(walk.page);
}

static void test_entries_are_whole(void **state)
{
    (void)state;
    // a table that says nothing is worse than none: every key has a sentence, every number an order to its range
    const BrumeSection *stack[MOST_SECTIONS] = {&brume_scene_section};
    for (int depth = 1; depth > 0;) {
        const BrumeSection *const section = stack[--depth];
        for (int i = 0; i < section->key_count; i++) {
            const BrumeKey *const key = &section->keys[i];
            assert_true(strlen(key->doc) > 5);
            const bool ranged = key->type == BRUME_KEY_NUMBER || key->type == BRUME_KEY_DOUBLE ||
                                key->type == BRUME_KEY_WHOLE || key->type == BRUME_KEY_SIDES ||
                                key->type == BRUME_KEY_VECTOR || key->type == BRUME_KEY_SPLAT;
            assert_true(!ranged || (key->min < key->max && key->unit));
            if (key->section) {
                assert_true(depth < MOST_SECTIONS);
                stack[depth++] = key->section;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_docs_have_every_key),
        cmocka_unit_test(test_entries_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
