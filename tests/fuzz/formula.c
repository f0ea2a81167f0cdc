/*
 * The formula of an initial field: refused at a character of the text, or a program whose value can be computed.
 */
#include "fuzz_target.h"

#include "sim/initial/formula.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double variables[][BRUME_FORMULA_VARIABLES] = {{0.3, -0.7, 1.2, 1.0, 2.0, 3.0},
                                                                {-1e4, 1e4, 0.0, 1e-3, 1e4, 1.0}};
    char *const text = fuzz_text(data, size);
    BrumeFormula formula;
    BrumeError error = {0};
    int column = 0;
    const BrumeStatus status = brume_formula_parse(&formula, text, &column, &error);
    fuzz_require_status(status, &error);
    if (status == BRUME_OK) {
        FUZZ_REQUIRE(formula.count >= 1 && formula.count <= BRUME_MAX_FORMULA_STEPS, text);
        for (size_t n = 0; n < sizeof variables / sizeof variables[0]; n++) {
            volatile const double value = brume_formula_value(&formula, variables[n]);
            (void)value;
        }
    } else {
        FUZZ_REQUIRE(column >= 1 && (size_t)column <= strlen(text) + 1, error.text);
    }
    free(text);
    return 0;
}
