// Memory that two processes map: its blocks are 0, also where it is used again.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "io/shared_memory.h"

enum { BYTES = 10000 };

// adds a block, which must be 0, fills it, and unmaps it
static BrumeSharedBlock fill_block(BrumeSharedMemory *memory, size_t size)
{
    BrumeSharedBlock block;
    uint8_t *bytes = brume_shared_memory_add(memory, size, &block);
    assert_non_null(bytes);
    for (size_t n = 0; n < size; n++) {
        assert_int_equal(bytes[n], 0);
    }
    memset(bytes, 7, size);
    brume_shared_memory_unmap(bytes, size);
    return block;
}

// memory that was closed is used again, where no other is using it; blocks may be longer than the old ones
static void test_used_again(void **state)
{
    (void)state;
    BrumeSharedMemory memory;
    assert_true(brume_shared_memory_create(&memory));
    const int file = memory.file;
    (void)fill_block(&memory, BYTES);
    brume_shared_memory_close(&memory);
    assert_false(memory.open);

    assert_true(brume_shared_memory_create(&memory));
    assert_int_equal(memory.file, file);
    const BrumeSharedBlock first = fill_block(&memory, 1000);
    const BrumeSharedBlock second = fill_block(&memory, 2 * BYTES);
    assert_int_equal(first.offset, 0);
    assert_true(second.offset >= 1000 && second.offset < BYTES);

    BrumeSharedMemory other;
    assert_true(brume_shared_memory_create(&other));
    assert_int_not_equal(other.file, file);
    brume_shared_memory_close(&other);
    brume_shared_memory_close(&memory);
}

// what an earlier use has left behind the blocks is given back, and cannot be mapped
static void test_accept(void **state)
{
    (void)state;
    BrumeSharedMemory memory;
    assert_true(brume_shared_memory_create(&memory));
    BrumeSharedBlock block = fill_block(&memory, BYTES);
    brume_shared_memory_accept(&memory, BYTES / 2);
    assert_null(brume_shared_memory_map(&memory, block));
    block.size = BYTES / 2;
    const uint8_t *bytes = brume_shared_memory_map(&memory, block);
    assert_non_null(bytes);
    assert_int_equal(bytes[BYTES / 2 - 1], 7);
    brume_shared_memory_unmap((void *)bytes, block.size);
    brume_shared_memory_close(&memory);
}

// the last block keeps its values when it grows and shrinks; where nothing was written there are no pages
static void test_resize(void **state)
{
    (void)state;
    enum { LARGE = 32 << 20 };
    BrumeSharedMemory memory;
    BrumeSharedBlock first;
    BrumeSharedBlock block;
    assert_true(brume_shared_memory_create(&memory));
    brume_shared_memory_unmap(brume_shared_memory_add(&memory, BYTES, &first), BYTES);
    uint8_t *bytes = brume_shared_memory_add(&memory, BYTES, &block);
    assert_non_null(bytes);
    bytes[0] = 3;
    bytes[BYTES - 1] = 4;
    bytes = brume_shared_memory_resize(&memory, bytes, LARGE, &block);
    assert_non_null(bytes);
    assert_int_equal(block.size, LARGE);
    assert_int_equal(memory.used, block.offset + LARGE);
    assert_int_equal(bytes[0], 3);
    assert_int_equal(bytes[BYTES - 1], 4);
    bytes[LARGE - 1] = 5;
    assert_true(brume_shared_memory_has_pages(&memory, block.offset, 1));
    assert_false(brume_shared_memory_has_pages(&memory, block.offset + LARGE / 4, LARGE / 2));
    assert_true(brume_shared_memory_has_pages(&memory, block.offset + LARGE / 2, LARGE / 2));
    assert_false(brume_shared_memory_has_pages(&memory, block.offset + 2 * LARGE, 1));
    assert_null(brume_shared_memory_resize(&memory, bytes, SIZE_MAX / 2, &block));
    bytes = brume_shared_memory_resize(&memory, bytes, BYTES, &block);
    assert_non_null(bytes);
    assert_int_equal(memory.used, block.offset + BYTES);
    assert_int_equal(bytes[BYTES - 1], 4);
    brume_shared_memory_unmap(bytes, BYTES);
    brume_shared_memory_close(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_used_again),
        cmocka_unit_test(test_accept),
        cmocka_unit_test(test_resize),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
