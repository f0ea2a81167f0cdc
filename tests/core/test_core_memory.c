// Zeroed memory, and arrays that grow by one element after the other.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/memory.h"

#include <string.h>

static bool exhausted;

static void *allocate(void *context, size_t bytes, size_t alignment)
{
    (void)context;
    return exhausted ? NULL : aligned_alloc(alignment, bytes);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

// a full array is moved with its elements, another one stays where it is
static void test_make_room(void **state)
{
    (void)state;
    assert_int_equal(brume_set_allocator(&(BrumeAllocator){.allocate = allocate, .release = release}, NULL), BRUME_OK);
    int capacity = 0;
    int *items = brume_make_room(NULL, 0, &capacity, sizeof *items);
    int moves = 0;
    for (int count = 0; count < 1000; count++) {
        int *larger = brume_make_room(items, count, &capacity, sizeof *items);
        assert_non_null(larger);
        assert_true(capacity > count);
        moves += larger != items;
        items = larger;
        items[count] = 7 * count;
    }
    for (int n = 0; n < 1000; n++) {
        assert_int_equal(items[n], 7 * n);
    }
    assert_int_equal(capacity, 1024);
    assert_int_equal(moves, 6); // to 32, 64, ..., 1024

    exhausted = true;
    assert_ptr_equal(brume_make_room(items, 1023, &capacity, sizeof *items), items);
    assert_null(brume_make_room(items, 1024, &capacity, sizeof *items));
    assert_int_equal(capacity, 1024);
    assert_int_equal(items[999], 7 * 999);
    brume_free(items);
}

// large blocks, whose pages the system clears, and blocks of the same size that were written before
static void test_blocks_are_zero(void **state)
{
    (void)state;
    const size_t sizes[] = {1000, (4 << 20) - 1, (4 << 20) + 1, (9 << 20) + 77};
    assert_int_equal(brume_set_allocator(NULL, NULL), BRUME_OK);
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        for (int round = 0; round < 3; round++) {
            uint8_t *written = brume_alloc_untouched(sizes[n], 1);
            assert_non_null(written);
            memset(written, 0xff, sizes[n]);
            brume_free(written);
            uint8_t *zeros = brume_alloc(sizes[n], 1);
            assert_non_null(zeros);
            assert_int_equal(zeros[0], 0);
            assert_int_equal(memcmp(zeros, zeros + 1, sizes[n] - 1), 0); // all are as the first
            brume_free(zeros);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_zero),
        cmocka_unit_test(test_make_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
