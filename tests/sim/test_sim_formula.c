/* Formulas of initial fields: values of operators and functions, and the errors of texts that are not formulas. */
#include "sim/initial/formula.h"
#include "sim_support.h"

typedef struct Value {
    const char *text;
    double expected; // at x 2, y 3, z 5 in a box of 7 x 11 x 13
} Value;

static const Value values[] = {
    {"1", 1.0},
    {" 1.5e2 ", 150.0},
    {".5", 0.5},
    {"0.1", 0.1},
    {"1e-3", 1e-3},
    {"3.14159265358979", 3.14159265358979},
    {"pi", 3.14159265358979323846},
    {"x", 2.0},
    {"y", 3.0},
    {"z", 5.0},
    {"lx + ly + lz", 31.0},
    {"1 - 2 - 3", -4.0},
    {"8 / 4 / 2", 1.0},
    {"1 + 2 * 3", 7.0},
    {"(1 + 2) * 3", 9.0},
    {"2 ^ 3 ^ 2", 512.0},
    {"-2 ^ 2", -4.0},
    {"2 ^ -1", 0.5},
    {"--3", 3.0},
    {"+x * -y", -6.0},
    {"sin(pi / 6)", 0.5},
    {"cos(pi / 3)", 0.5},
    {"tan(pi / 4)", 1.0},
    {"asin(1) + acos(1)", 1.57079632679489661923},
    {"atan(1)", 0.78539816339744830962},
    {"atan2(-1, -1)", -2.35619449019234492885},
    {"sinh(1)", 1.17520119364380145688},
    {"cosh(1)", 1.54308063481524377848},
    {"tanh(1)", 0.76159415595576488812},
    {"exp(1)", 2.71828182845904523536},
    {"log(exp(2))", 2.0},
    {"sqrt(z - 1)", 2.0},
    {"abs(-y)", 3.0},
    {"floor(-1.5)", -2.0},
    {"erf(1)", 0.84270079294971486934},
    {"step(-1) + 10 * step(0) + 100 * step(2)", 110.0},
    {"min(x, y) + 10 * max(x, y)", 32.0},
    {"pow(x, 10)", 1024.0},
    {"mod(-1, 3) + mod(7, 3)", 3.0},
    {"max(min(x, y), abs(y - z))", 2.0},
};

static void test_values(void **state)
{
    (void)state;
    static const double variables[BRUME_FORMULA_VARIABLES] = {2.0, 3.0, 5.0, 7.0, 11.0, 13.0};
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        BrumeFormula formula;
        BrumeError error = {0};
        int column = 0;
        if (brume_formula_parse(&formula, values[n].text, &column, &error) != BRUME_OK) {
            fail_msg("%s: %s", values[n].text, error.text);
        }
        const double value = brume_formula_value(&formula, variables);
        if (!(fabs(value - values[n].expected) <= 4e-16 * fabs(values[n].expected))) {
            fail_msg("%s is %.17g, expected %.17g", values[n].text, value, values[n].expected);
        }
    }
}

typedef struct BadText {
    const char *text, *error;
} BadText;

static const BadText bad_texts[] = {
    {"", "formula, character 1: expected a number, a name or '(', not the end"},
    {"1 +", "formula, character 4: expected a number, a name or '(', not the end"},
    {"1 2", "formula, character 3: expected an operator, not '2'"},
    {"(1", "formula, character 3: expected ')', not the end"},
    {"1)", "formula, character 2: expected an operator, not ')'"},
    {"sin x", "formula, character 5: expected '(' after 'sin', not 'x'"},
    {"min(1)", "formula, character 6: expected ',' and a second operand of 'min', not ')'"},
    {"sin(1, 2)", "formula, character 6: expected ')', not ','"},
    {"2 * t", "formula, character 5: 't' is not known; names are x, y, z, lx, ly, lz, pi and functions"},
    {"sinus(x)", "formula, character 1: 'sinus' is not known; names are x, y, z, lx, ly, lz, pi and functions"},
    {"1..2", "formula, character 3: expected an operator, not '.2'"},
    {".", "formula, character 1: expected a finite number, not '.'"},
    {"1e999", "formula, character 1: expected a finite number, not '1e999'"},
    {"x = 1", "formula, character 3: expected an operator, not '='"},
    {"x ** 2", "formula, character 4: expected a number, a name or '(', not '*'"},
};

static void test_errors(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof bad_texts / sizeof bad_texts[0]; n++) {
        BrumeFormula formula;
        BrumeError error = {0};
        int column = 0;
        assert_int_equal(brume_formula_parse(&formula, bad_texts[n].text, &column, &error), BRUME_BAD_INPUT);
        assert_string_equal(error.text, bad_texts[n].error);
        int named = 0;
        assert_int_equal(sscanf(error.text, "formula, character %d", &named), 1);
        assert_int_equal(named, column);
    }
}

// neither nesting nor length overflows the parser or the stack of the evaluator
static void test_limits(void **state)
{
    (void)state;
    BrumeFormula formula;
    BrumeError error = {0};
    int column = 0;
    char deep[2001];
    for (int n = 0; n < 2000; n++) {
        deep[n] = '(';
    }
    deep[2000] = '\0';
    assert_int_equal(brume_formula_parse(&formula, deep, &column, &error), BRUME_BAD_INPUT);
    memset(deep, '-', 2000);
    assert_int_equal(brume_formula_parse(&formula, deep, &column, &error), BRUME_BAD_INPUT);
    for (int n = 0; n < 2000; n++) {
        deep[n] = n % 2 == 0 ? 'x' : '+';
    }
    deep[1999] = '\0';
    assert_int_equal(brume_formula_parse(&formula, deep, &column, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "the formula is too long"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
