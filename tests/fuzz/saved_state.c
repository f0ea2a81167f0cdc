/*
 * The bytes of a saved simulation, with the hash of the content as it is. A state that is accepted can be saved and
 * read again to the same bits, and advances by a frame or fails with one line.
 */
#include "fuzz_target.h"

#include "core/memory.h"

#ifdef BRUME_FUZZ
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/** Three of four mutations change bytes of the settings, which are before the fields and much smaller. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    enum { SETTINGS_BYTES = 1536 };
    if (seed % 4 == 0 || size <= SETTINGS_BYTES) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    (void)LLVMFuzzerMutate(data, SETTINGS_BYTES, SETTINGS_BYTES);
    return size;
}
#endif

static void require_same_again(const BrumeSim *sim)
{
    BrumeError error = {0};
    const size_t size = brume_sim_saved_size(sim);
    uint8_t *const bytes = brume_alloc(size, 1);
    FUZZ_REQUIRE(bytes, "no memory for the state");
    FUZZ_REQUIRE(brume_sim_save(sim, bytes, size, &error) == BRUME_OK, error.text);
    BrumeSim *again = NULL;
    FUZZ_REQUIRE(brume_sim_create_saved(&again, bytes, size, &error) == BRUME_OK, error.text);
    FUZZ_REQUIRE(brume_sim_hash(again) == brume_sim_hash(sim), "another hash");
    brume_sim_destroy(again);
    brume_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *const bytes = fuzz_bytes(data, size);
    fuzz_repair_header(bytes, size);
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    BrumeStatus status = brume_sim_create_saved(&sim, bytes, size, &error);
    fuzz_require_status(status, &error);
    FUZZ_REQUIRE((status == BRUME_OK) == (sim != NULL), error.text);
    if (sim && fuzz_is_small(brume_sim_settings(sim))) {
        require_same_again(sim);
        fuzz_require_status(brume_sim_frame(sim, NULL, &error), &error);
    }
    brume_sim_destroy(sim);
    brume_free(bytes);
    return 0;
}
