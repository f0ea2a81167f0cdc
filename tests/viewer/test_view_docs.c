/*
 * docs/viewer.md tells every key and every control just as the program's own tables do. Where they have changed, run
 * this test with BRUME_WRITE_DOCS=1 to bring the page up to date.
 */
#include "raymarch_check.h"
#include "viewer/panel/parameters.h"
#include "viewer/window/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_SIZE = 1 << 16 };

static const char *page_path = BRUME_SOURCE_DIR "/docs/viewer.md";
static char page[PAGE_SIZE];
static char wanted[PAGE_SIZE];

static void read_page(void)
{
    FILE *const file = fopen(page_path, "r");
    assert_non_null(file);
    const size_t size = fread(page, 1, sizeof page - 1, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size < sizeof page - 1);
    page[size] = '\0';
}

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    const size_t used = strlen(wanted);
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(wanted + used, sizeof wanted - used, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof wanted - used);
}

/** Compares what `wanted` holds with what stands between a mark and its end, or puts it there. */
static void check_part(const char *name)
{
    char mark[96];
    (void)snprintf(mark, sizeof mark, "<!-- %s -->\n", name);
    char *const start = strstr(page, mark);
    if (!start) {
        fail_msg("docs/viewer.md has no '%s'", mark);
        return;
    }
    char *const from = start + strlen(mark);
    char *const to = strstr(from, "<!-- end -->");
    assert_non_null(to);
    if (getenv("BRUME_WRITE_DOCS")) {
        char *const rest = strdup(to);
        assert_non_null(rest);
        const size_t room = sizeof page - (size_t)(from - page);
        assert_true((size_t)snprintf(from, room, "%s%s", wanted, rest) < room);
        free(rest);
    } else {
        *to = '\0';
        assert_string_equal(from, wanted);
        *to = '<';
    }
    wanted[0] = '\0';
}

static void write_page(void)
{
    if (getenv("BRUME_WRITE_DOCS")) {
        FILE *const file = fopen(page_path, "w");
        assert_non_null(file);
        assert_true(fputs(page, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
}

static void test_keys(void **state)
{
    (void)state;
    read_page();
    const char *group = "";
    for (const BrumeBinding *binding = brume_bindings; binding->group; binding++) {
        if (strcmp(group, binding->group) != 0) {
            group = binding->group;
            add("| %s | |\n| --- | --- |\n", group);
        }
        add("| %s | %s |\n", binding->keys, binding->action);
        if (!binding[1].group || strcmp(group, binding[1].group) != 0) {
            add("\n");
        }
    }
    check_part("keys");
    write_page();
}

static void test_controls(void **state)
{
    (void)state;
    for (int group = 0; group < BRUME_PARAMETERS_COUNT; group++) {
        read_page();
        add("| control | unit | range | what it does |\n| --- | --- | --- | --- |\n");
        const BrumeParameterGroups *const knobs = &brume_parameters[group];
        for (int n = 0; n < knobs->count; n++) {
            const BrumeParameter *const knob = &knobs->knobs[n];
            char range[64] = "–";
            if (knob->kind != BRUME_PARAMETER_COLOR && knob->kind != BRUME_PARAMETER_SWITCH && !knob->name) {
                (void)snprintf(range, sizeof range, "%g to %g", (double)knob->lower, (double)knob->upper);
            }
            add("| %s | %s | %s | %s |\n", knob->label, knob->unit[0] ? knob->unit : "–", range, knob->doc);
        }
        check_part(knobs->title);
        write_page();
    }
}

static void test_knobs_make_sense(void **state)
{
    (void)state;
    for (int group = 0; group < BRUME_PARAMETERS_COUNT; group++) {
        for (int n = 0; n < brume_parameters[group].count; n++) {
            const BrumeParameter *const knob = &brume_parameters[group].knobs[n];
            assert_true(knob->kind == BRUME_PARAMETER_NAME || knob->lower < knob->upper);
            assert_true(!knob->logarithmic || knob->lower >= 0.0f);
            assert_true((knob->name != NULL) ==
                        (knob->kind == BRUME_PARAMETER_NAME || knob->kind == BRUME_PARAMETER_CHOICE));
            const size_t length = strlen(knob->doc);
            assert_true(length > 8 && knob->doc[length - 1] == '.');
        }
    }
    // copying a knob's value makes it equal, and touches nothing else
    BrumeSimDef a = brume_default_sim_def();
    BrumeSimDef b = a;
    const BrumeParameterGroups *const air = &brume_parameters[BRUME_PARAMETERS_AIR];
    for (int n = 0; n < air->count; n++) {
        const BrumeParameter *const knob = &air->knobs[n];
        assert_true(brume_parameter_is_equal(knob, &a, &b));
        float *const value = (float *)(void *)((char *)&a + knob->offset);
        value[knob->kind == BRUME_PARAMETER_VECTOR ? 2 : 0] += 1.0f;
        assert_false(brume_parameter_is_equal(knob, &a, &b));
        brume_parameter_copy(knob, &a, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_knobs_make_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
