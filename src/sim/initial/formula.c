#include "sim/initial/formula.h"

#include "core/elementary.h"
#include "core/minmax.h"
#include "core/text.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 16 };

static double add(double a, double b) { return a + b; }
static double subtract(double a, double b) { return a - b; }
static double multiply(double a, double b) { return a * b; }
static double divide(double a, double b) { return a / b; }
static double negate(double a) { return -a; }
static double step_at_zero(double a) { return a >= 0.0 ? 1.0 : 0.0; }

// the remainder of the sign of b, so that it is periodic in a
static double modulo(double a, double b) { return a - b * floor(a / b); }

// a constant, a variable, or a function of one or two operands; operators have names that no text can spell
typedef struct Operation {
    const char *name;
    int operands;
    int variable; // index of a variable, -1 for others
    double (*unary)(double);
    double (*binary)(double, double);
} Operation;

enum { CONSTANT, NEGATE, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, FIRST_NAMED };

#define UNARY(text, function)                                                                                          \
    {                                                                                                                  \
        .name = (text), .operands = 1, .variable = -1, .unary = (function)                                             \
    }
#define BINARY(text, function)                                                                                         \
    {                                                                                                                  \
        .name = (text), .operands = 2, .variable = -1, .binary = (function)                                            \
    }
#define VARIABLE(text, index)                                                                                          \
    {                                                                                                                  \
        .name = (text), .variable = (index)                                                                            \
    }
static const Operation operations[] = {
    [CONSTANT] = {.name = "", .variable = -1},
    [NEGATE] = UNARY("", negate),
    [ADD] = BINARY("", add),
    [SUBTRACT] = BINARY("", subtract),
    [MULTIPLY] = BINARY("", multiply),
    [DIVIDE] = BINARY("", divide),
    [POWER] = BINARY("", brume_pow),
    [FIRST_NAMED] = VARIABLE("x", BRUME_FORMULA_X),
    VARIABLE("y", BRUME_FORMULA_X + 1),
    VARIABLE("z", BRUME_FORMULA_X + 2),
    VARIABLE("lx", BRUME_FORMULA_LX),
    VARIABLE("ly", BRUME_FORMULA_LX + 1),
    VARIABLE("lz", BRUME_FORMULA_LX + 2),
    UNARY("sin", brume_sin),
    UNARY("cos", brume_cos),
    UNARY("tan", brume_tan),
    UNARY("asin", brume_asin),
    UNARY("acos", brume_acos),
    UNARY("atan", brume_atan),
    UNARY("sinh", brume_sinh),
    UNARY("cosh", brume_cosh),
    UNARY("tanh", brume_tanh),
    UNARY("exp", brume_exp),
    UNARY("log", brume_ln),
    UNARY("sqrt", sqrt),
    UNARY("abs", fabs),
    UNARY("floor", floor),
    UNARY("erf", brume_erf),
    UNARY("step", step_at_zero),
    BINARY("min", brume_fmin),
    BINARY("max", brume_fmax),
    BINARY("pow", brume_pow),
    BINARY("atan2", brume_atan2),
    BINARY("mod", modulo),
};
enum { OPERATION_COUNT = sizeof operations / sizeof operations[0] };

typedef struct Parser {
    const char *text;
    const char *at; // the next character
    BrumeFormula *formula;
    int values; // on the stack of the evaluator after the steps so far
    int nesting;
    BrumeStatus status;
    int column; // of the failure
    BrumeError *error;
} Parser;

static void __attribute__((format(printf, 3, 4))) fail_at(Parser *parser, const char *at, const char *format, ...)
{
    if (parser->status != BRUME_OK) {
        return;
    }
    char message[128];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    parser->column = (int)(at - parser->text) + 1;
    parser->status = brume_fail(parser->error, BRUME_BAD_INPUT, "formula, character %d: %s", parser->column, message);
}

static void skip_blanks(Parser *parser)
{
    while (isspace((unsigned char)*parser->at)) {
        parser->at++;
    }
}

// describes the next character for errors
static const char *name_next(const Parser *parser, char text[80])
{
    if (*parser->at == '\0') {
        return "the end";
    }
    const int size = 1 + (int)strcspn(parser->at + 1, " +-*/^(),");
    char part[68];
    (void)snprintf(part, sizeof part, "%.*s", size < 60 ? size : 60, parser->at);
    (void)snprintf(text, 80, "'%s'", brume_quote(part).text);
    return text;
}

static void fail_expected(Parser *parser, const char *expected)
{
    char next[80];
    fail_at(parser, parser->at, "expected %s, not %s", expected, name_next(parser, next));
}

// whether the next character is `symbol`, which is then skipped
static bool accept(Parser *parser, char symbol)
{
    skip_blanks(parser);
    if (*parser->at != symbol || parser->status != BRUME_OK) {
        return false;
    }
    parser->at++;
    return true;
}

static void append(Parser *parser, int operation, double number)
{
    BrumeFormula *formula = parser->formula;
    parser->values += 1 - operations[operation].operands;
    if (formula->count == BRUME_MAX_FORMULA_STEPS || parser->values > BRUME_MAX_FORMULA_DEPTH) {
        fail_at(parser, parser->at, "the formula is too long");
    } else {
        formula->steps[formula->count++] = (BrumeFormulaStep){operation, number};
    }
}

static void parse_sum(Parser *parser);

// the value of `digits [. digits] [e [+-] digits]`, independent of the locale, unlike the value of strtod. Up to 15
// digits and 10^22 it is the nearest double.
static double convert_number(const char *text, const char *end)
{
    double mantissa = 0.0;
    int exponent = 0;
    bool point = false;
    for (; text < end && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.') {
            point = true;
        } else {
            mantissa = 10.0 * mantissa + (*text - '0');
            exponent -= point;
        }
    }
    if (text < end) {
        const bool negative = text[1] == '-';
        int given = 0;
        for (text += 1 + (text[1] == '+' || text[1] == '-'); text < end; text++) {
            given = given < 1000 ? 10 * given + (*text - '0') : given;
        }
        exponent += negative ? -given : given;
    }
    double power = 1.0;
    for (int n = 0; n < abs(exponent); n++) {
        power *= 10.0;
    }
    return exponent < 0 ? mantissa / power : mantissa * power;
}

static const char *skip_digits(const char *text)
{
    while (isdigit((unsigned char)*text)) {
        text++;
    }
    return text;
}

static void parse_number(Parser *parser)
{
    const char *const start = parser->at;
    const char *end = skip_digits(start);
    if (*end == '.') {
        end = skip_digits(end + 1);
    }
    const bool no_digits = end == start + 1 && *start == '.';
    const char *const exponent = *end == 'e' || *end == 'E' ? end + 1 + (end[1] == '+' || end[1] == '-') : end;
    if (exponent > end && isdigit((unsigned char)*exponent)) {
        end = skip_digits(exponent);
    }
    const double number = convert_number(start, end);
    if (no_digits || !isfinite(number)) {
        fail_expected(parser, "a finite number");
        return;
    }
    parser->at = end;
    append(parser, CONSTANT, number);
}

// the operands of a function in parentheses
static void parse_operands(Parser *parser, int operation, const char *name)
{
    if (!accept(parser, '(')) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "'(' after '%s'", name);
        fail_expected(parser, expected);
        return;
    }
    for (int n = 0; n < operations[operation].operands && parser->status == BRUME_OK; n++) {
        if (n > 0 && !accept(parser, ',')) {
            char expected[64];
            (void)snprintf(expected, sizeof expected, "',' and a second operand of '%s'", name);
            fail_expected(parser, expected);
            return;
        }
        parse_sum(parser);
    }
    if (!accept(parser, ')')) {
        fail_expected(parser, "')'");
    }
    append(parser, operation, 0.0);
}

static void parse_name(Parser *parser)
{
    const char *const start = parser->at;
    char name[MAX_NAME] = "";
    size_t size = 0;
    while (isalnum((unsigned char)start[size]) || start[size] == '_') {
        size++;
    }
    if (size < sizeof name) {
        memcpy(name, start, size);
    }
    if (strcmp(name, "pi") == 0) {
        parser->at += size;
        append(parser, CONSTANT, 3.14159265358979323846);
        return;
    }
    for (int n = FIRST_NAMED; n < OPERATION_COUNT; n++) {
        if (strcmp(operations[n].name, name) == 0) {
            parser->at += size;
            if (operations[n].operands > 0) {
                parse_operands(parser, n, name);
            } else {
                append(parser, n, 0.0);
            }
            return;
        }
    }
    char unknown[68];
    (void)snprintf(unknown, sizeof unknown, "%.*s", size < 60 ? (int)size : 60, start);
    fail_at(parser, start, "'%s' is not known; names are x, y, z, lx, ly, lz, pi and functions", unknown);
}

static void parse_primary(Parser *parser)
{
    skip_blanks(parser);
    if (isdigit((unsigned char)*parser->at) || *parser->at == '.') {
        parse_number(parser);
    } else if (isalpha((unsigned char)*parser->at)) {
        parse_name(parser);
    } else if (accept(parser, '(')) {
        parse_sum(parser);
        if (!accept(parser, ')')) {
            fail_expected(parser, "')'");
        }
    } else {
        fail_expected(parser, "a number, a name or '('");
    }
}

static void parse_factor(Parser *parser)
{
    if (++parser->nesting > BRUME_MAX_FORMULA_DEPTH) {
        fail_at(parser, parser->at, "the formula has more than %d levels", BRUME_MAX_FORMULA_DEPTH);
        return;
    }
    if (accept(parser, '-')) {
        parse_factor(parser);
        append(parser, NEGATE, 0.0);
    } else if (accept(parser, '+')) {
        parse_factor(parser);
    } else {
        parse_primary(parser);
        if (accept(parser, '^')) {
            parse_factor(parser);
            append(parser, POWER, 0.0);
        }
    }
    parser->nesting--;
}

static void parse_product(Parser *parser)
{
    parse_factor(parser);
    while (parser->status == BRUME_OK) {
        const int operation = accept(parser, '*') ? MULTIPLY : accept(parser, '/') ? DIVIDE : CONSTANT;
        if (operation == CONSTANT) {
            return;
        }
        parse_factor(parser);
        append(parser, operation, 0.0);
    }
}

static void parse_sum(Parser *parser)
{
    parse_product(parser);
    while (parser->status == BRUME_OK) {
        const int operation = accept(parser, '+') ? ADD : accept(parser, '-') ? SUBTRACT : CONSTANT;
        if (operation == CONSTANT) {
            return;
        }
        parse_product(parser);
        append(parser, operation, 0.0);
    }
}

BrumeStatus brume_formula_parse(BrumeFormula *formula, const char *text, int *column, BrumeError *error)
{
    Parser parser = {.text = text, .at = text, .formula = formula, .status = BRUME_OK, .error = error};
    formula->count = 0;
    parse_sum(&parser);
    skip_blanks(&parser);
    if (parser.status == BRUME_OK && *parser.at != '\0') {
        fail_expected(&parser, "an operator");
    }
    *column = parser.column;
    return parser.status;
}

double brume_formula_value(const BrumeFormula *formula, const double variables[BRUME_FORMULA_VARIABLES])
{
    double stack[BRUME_MAX_FORMULA_DEPTH + 1] = {0.0};
    int top = -1;
    for (int n = 0; n < formula->count; n++) {
        const BrumeFormulaStep *const step = &formula->steps[n];
        const Operation *const operation = &operations[step->operation];
        if (operation->operands == 0) {
            stack[++top] = operation->variable >= 0 ? variables[operation->variable] : step->number;
        } else if (operation->operands == 1) {
            stack[top] = operation->unary(stack[top]);
        } else {
            top--;
            stack[top] = operation->binary(stack[top], stack[top + 1]);
        }
    }
    assert(top == 0);
    return stack[0];
}
