/*
 * docs/scene.md has a table for every section of the schema, generated from the schema and the settings. After a change
 * of either, run this test with BRUME_WRITE_DOCS=1 to update the tables.
 */
#include "scene/format/defaults.h"
#include "scene_support.h"

#include "scene/format/parsed_scene.h"
#include "scene/format/schema.h"

enum { PAGE_SIZE = 1 << 18, MAX_SECTIONS = 64 };

typedef struct Docs {
    const BrumeSection *seen[MAX_SECTIONS];
    int count;
    char *page;
    bool write;
} Docs;

static const char *page_path = BRUME_SOURCE_DIR "/docs/scene.md";

static void describe_default(const BrumeKey *key, const void *into, char *text, size_t size)
{
    if (brume_key_fallback(key)) {
        (void)snprintf(text, size, "%s", brume_key_fallback(key));
    } else if (key->kind == BRUME_KEY_VALUE) {
        brume_setting_value(key->setting, (const char *)into + key->offset, text, size);
    } else {
        (void)snprintf(text, size, "–");
    }
}

static void append_table(const BrumeSection *section, const void *into, char *table, size_t size)
{
    (void)snprintf(table, size,
                   "| key | type | unit | default | range | meaning |\n| --- | --- | --- | --- | --- | --- |\n");
    BrumeKey listed;
    for (int i = 0; brume_section_key(section, i, &listed); i++) {
        const BrumeKey *const key = &listed;
        const char *const unit = key->setting ? key->setting->unit : NULL;
        char fallback[256];
        char range[256];
        describe_default(key, into, fallback, sizeof fallback);
        brume_key_range(key, range, sizeof range);
        const size_t used = strlen(table);
        (void)snprintf(table + used, size - used, "| `%s` | %s | %s | %s | %s | %s |\n", brume_key_name(key),
                       brume_key_type(key), unit ? unit : "–", fallback, range[0] ? range : "–", brume_key_doc(key));
    }
}

/** Replaces the text between the marks of a section by its table. */
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

static void visit(Docs *docs, const BrumeSection *section, const char *into)
{
    for (int i = 0; i < docs->count; i++) {
        if (docs->seen[i] == section) {
            return;
        }
    }
    assert_true(docs->count < MAX_SECTIONS);
    docs->seen[docs->count++] = section;

    char mark[128];
    char table[16384];
    (void)snprintf(mark, sizeof mark, "<!-- keys: %s -->\n", section->path[0] ? section->path : "top");
    append_table(section, into, table, sizeof table);
    if (docs->write) {
        replace_table(docs->page, mark, table);
    }
    const char *const start = strstr(docs->page, mark);
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
            visit(docs, section->keys[i].section, into + section->keys[i].offset);
        }
    }
}

static void test_docs_have_every_key(void **state)
{
    (void)state;
    Docs docs = {.page = calloc(1, PAGE_SIZE), .write = getenv("BRUME_WRITE_DOCS") != NULL};
    BrumeParsedScene *parsed = malloc(sizeof *parsed);
    assert_non_null(docs.page);
    assert_non_null(parsed);
    FILE *file = fopen(page_path, "rb");
    assert_non_null(file);
    assert_true(fread(docs.page, 1, PAGE_SIZE - 1, file) > 0);
    (void)fclose(file);

    brume_parsed_scene_defaults(parsed);
    visit(&docs, &brume_scene_section, (const char *)parsed);
    assert_int_equal(docs.count, 46);
    if (docs.write) {
        write_bytes(page_path, docs.page, strlen(docs.page));
    }
    free(parsed);
    free(docs.page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_docs_have_every_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
