// The triple buffer: the reader always gets the newest complete result, never an older one or one in progress.
#include "core/parallel/triple_buffer.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WORDS = 64, RESULTS = 20000 };

typedef struct Exchange {
    BrumeTripleBuffer buffer;
    uint32_t slots[BRUME_TRIPLE_BUFFER_SLOTS][WORDS];
} Exchange;

static void write_result(Exchange *exchange, uint32_t number)
{
    uint32_t *slot = exchange->slots[brume_triple_buffer_write_slot(&exchange->buffer)];
    for (int n = 0; n < WORDS; n++) {
        slot[n] = number;
    }
    brume_triple_buffer_publish(&exchange->buffer);
}

static void *write_all(void *context)
{
    for (uint32_t number = 1; number <= RESULTS; number++) {
        write_result(context, number);
    }
    return NULL;
}

static void test_newest_result_is_taken_once(void **state)
{
    (void)state;
    Exchange exchange = {0};
    brume_triple_buffer_init(&exchange.buffer);
    assert_false(brume_triple_buffer_take(&exchange.buffer));
    write_result(&exchange, 1);
    write_result(&exchange, 2);
    assert_true(brume_triple_buffer_take(&exchange.buffer));
    const unsigned taken = brume_triple_buffer_read_slot(&exchange.buffer);
    assert_int_equal(exchange.slots[taken][0], 2);
    assert_false(brume_triple_buffer_take(&exchange.buffer));
    // the writer never gets the slot that the reader took
    for (uint32_t number = 3; number < 10; number++) {
        assert_int_not_equal(brume_triple_buffer_write_slot(&exchange.buffer), taken);
        write_result(&exchange, number);
        assert_int_equal(exchange.slots[taken][0], 2);
    }
    assert_true(brume_triple_buffer_take(&exchange.buffer));
    assert_int_equal(exchange.slots[brume_triple_buffer_read_slot(&exchange.buffer)][0], 9);
}

static void test_results_are_complete_and_in_order_across_threads(void **state)
{
    (void)state;
    static Exchange exchange;
    brume_triple_buffer_init(&exchange.buffer);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_all, &exchange), 0);
    uint32_t last = 0;
    while (last < RESULTS) {
        if (brume_triple_buffer_take(&exchange.buffer)) {
            const uint32_t *slot = exchange.slots[brume_triple_buffer_read_slot(&exchange.buffer)];
            assert_true(slot[0] > last);
            last = slot[0];
            for (int n = 1; n < WORDS; n++) {
                assert_int_equal(slot[n], last);
            }
        }
    }
    assert_int_equal(pthread_join(writer, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newest_result_is_taken_once),
        cmocka_unit_test(test_results_are_complete_and_in_order_across_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
