/**
 * @file formula.h
 * Formulas in x, y and z as texts: a parser by recursive descent and an evaluator of its postfix program.
 *
 *     sum      = product { ("+" | "-") product }
 *     product  = factor { ("*" | "/") factor }
 *     factor   = ("-" | "+") factor | power
 *     power    = primary [ "^" factor ]
 *     primary  = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
 */
#ifndef BRUME_SIM_INITIAL_FORMULA_H
#define BRUME_SIM_INITIAL_FORMULA_H

#include "core/error.h"

enum { BRUME_MAX_FORMULA_STEPS = 256, BRUME_MAX_FORMULA_DEPTH = 32 };

/** The variables of a formula, in the order of the values that are passed to brume_formula_value. */
enum {
    BRUME_FORMULA_X,      ///< `x`, `y`, `z`: the position [m]
    BRUME_FORMULA_LX = 3, ///< `lx`, `ly`, `lz`: the sides of the box [m]
    BRUME_FORMULA_VARIABLES = 6,
};

/** One operation on the stack of the evaluator. */
typedef struct BrumeFormulaStep {
    int operation; ///< index in the table of operations of formula.c
    double number; ///< of a constant
} BrumeFormulaStep;

/** A formula as a program in postfix order. */
typedef struct BrumeFormula {
    int count;
    BrumeFormulaStep steps[BRUME_MAX_FORMULA_STEPS];
} BrumeFormula;

/**
 * Parses a text. Fails with BRUME_BAD_INPUT at the first character that is not understood; `*column` is its position in
 * the text, from 1, and the error names it and the expected text.
 */
BrumeStatus brume_formula_parse(BrumeFormula *formula, const char *text, int *column, BrumeError *error);

/** The value of a formula for these values of its variables. May be infinite or NaN. */
double brume_formula_value(const BrumeFormula *formula, const double variables[BRUME_FORMULA_VARIABLES]);

#endif
