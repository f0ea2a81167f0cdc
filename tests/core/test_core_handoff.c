// One writer, one reader: always the newest whole result, never an older one, never one that is being written.
#include "core/handoff.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WORDS = 64, RESULTS = 20000 };

typedef struct Exchange {
    BrumeHandoff handoff;
    uint32_t slots[BRUME_HANDOFF_SLOTS][WORDS];
} Exchange;

static void write_result(Exchange *exchange, uint32_t number)
{
    uint32_t *slot = exchange->slots[brume_handoff_slot(&exchange->handoff)];
    for (int n = 0; n < WORDS; n++) {
        slot[n] = number;
    }
    brume_handoff_publish(&exchange->handoff);
}

static void *write_all(void *context)
{
    for (uint32_t number = 1; number <= RESULTS; number++) {
        write_result(context, number);
    }
    return NULL;
}

static void test_newest_is_taken_once(void **state)
{
    (void)state;
    Exchange exchange = {0};
    brume_handoff_start(&exchange.handoff);
    assert_false(brume_handoff_take(&exchange.handoff));
    write_result(&exchange, 1);
    write_result(&exchange, 2);
    assert_true(brume_handoff_take(&exchange.handoff));
    const unsigned taken = brume_handoff_taken(&exchange.handoff);
    assert_int_equal(exchange.slots[taken][0], 2);
    assert_false(brume_handoff_take(&exchange.handoff));
    // what was taken is nobody else's, however much is written meanwhile
    for (uint32_t number = 3; number < 10; number++) {
        assert_int_not_equal(brume_handoff_slot(&exchange.handoff), taken);
        write_result(&exchange, number);
        assert_int_equal(exchange.slots[taken][0], 2);
    }
    assert_true(brume_handoff_take(&exchange.handoff));
    assert_int_equal(exchange.slots[brume_handoff_taken(&exchange.handoff)][0], 9);
}

static void test_whole_and_in_order_across_threads(void **state)
{
    (void)state;
    static Exchange exchange;
    brume_handoff_start(&exchange.handoff);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_all, &exchange), 0);
    uint32_t last = 0;
    while (last < RESULTS) {
        if (brume_handoff_take(&exchange.handoff)) {
            const uint32_t *slot = exchange.slots[brume_handoff_taken(&exchange.handoff)];
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
        cmocka_unit_test(test_newest_is_taken_once),
        cmocka_unit_test(test_whole_and_in_order_across_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
