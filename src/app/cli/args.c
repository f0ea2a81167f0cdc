#include "app/cli/args.h"

#include "core/error.h"
#include "core/suggest.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * getopt_long reads in order ("-" in front of the letters: operands come as code 1, wherever they stand) and stays
 * silent (":"). It reads twice: once with the options of all commands, to find the command, and once with those of
 * the command. Long options without a letter get codes from FIRST_CODE on.
 */
enum { MAX_OPTIONS = 64, OPERAND = 1, FIRST_CODE = 256 };

static const BrumeOption help_option = {.name = "help", .letter = 'h'};
static const BrumeOption version_option = {.name = "version"};

typedef struct Grammar {
    int count;
    const BrumeOption *options[MAX_OPTIONS];
    struct option longs[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 3];
} Grammar;

static int option_code(const Grammar *grammar, int index)
{
    const char letter = grammar->options[index]->letter;
    return letter ? letter : FIRST_CODE + index;
}

static void add_option(Grammar *grammar, const BrumeOption *option)
{
    for (int n = 0; n < grammar->count; n++) {
        if (strcmp(grammar->options[n]->name, option->name) == 0) {
            return;
        }
    }
    if (grammar->count == MAX_OPTIONS) {
        return;
    }
    const int index = grammar->count++;
    grammar->options[index] = option;
    grammar->longs[index] = (struct option){
        .name = option->name,
        .has_arg = option->value ? required_argument : no_argument,
        .val = option_code(grammar, index),
    };
    if (option->letter) {
        const size_t used = strlen(grammar->letters);
        grammar->letters[used] = option->letter;
        grammar->letters[used + 1] = option->value ? ':' : '\0';
    }
}

static void add_command(Grammar *grammar, const BrumeCommand *command)
{
    for (int n = 0; n < command->option_count; n++) {
        add_option(grammar, &command->options[n]);
    }
}

static void start_grammar(Grammar *grammar)
{
    *grammar = (Grammar){.letters = "-:"};
    add_option(grammar, &help_option);
    add_option(grammar, &version_option);
}

static void start_reading(void)
{
    optind = 0; // GNU: forget where an earlier reading stopped
    opterr = 0;
}

static const BrumeOption *find_option(const Grammar *grammar, int code)
{
    for (int n = 0; n < grammar->count; n++) {
        if (option_code(grammar, n) == code) {
            return grammar->options[n];
        }
    }
    return NULL;
}

// the option as it was typed, up to '='
static void typed_option(char *text, size_t size, char **argv)
{
    if (optopt > 0 && optopt < FIRST_CODE) {
        (void)snprintf(text, size, "-%c", optopt);
        return;
    }
    const char *typed = argv[optind - 1];
    (void)snprintf(text, size, "%.*s", (int)strcspn(typed, "="), typed);
}

static const BrumeCommand *owner_of_option(const BrumeCommand *const *commands, const char *typed)
{
    for (; *commands; commands++) {
        for (int n = 0; n < (*commands)->option_count; n++) {
            const BrumeOption *option = &(*commands)->options[n];
            const bool same_name = strncmp(typed, "--", 2) == 0 && strcmp(typed + 2, option->name) == 0;
            const bool same_letter = option->letter && typed[1] == option->letter && typed[2] == '\0';
            if (same_name || same_letter) {
                return *commands;
            }
        }
    }
    return NULL;
}

static BrumeStatus fail_option(BrumeError *error, const Grammar *grammar, const BrumeCommand *command,
                               const BrumeCommand *const *commands, char **argv)
{
    char typed[64];
    typed_option(typed, sizeof typed, argv);
    const BrumeOption *known = optopt ? find_option(grammar, optopt) : NULL;
    if (known) {
        return brume_fail(error, BRUME_BAD_INPUT, "option '--%s' takes no value", known->name);
    }
    const BrumeCommand *owner = command ? owner_of_option(commands, typed) : NULL;
    if (owner) {
        return brume_fail(error, BRUME_BAD_INPUT, "option '%s' belongs to '%s', not to '%s'", typed, owner->name,
                          command->name);
    }
    char of_command[64] = "";
    if (command) {
        (void)snprintf(of_command, sizeof of_command, " of '%s'", command->name);
    }
    BrumeSuggestion suggestion = {.word = typed + 2};
    for (int n = 0; strncmp(typed, "--", 2) == 0 && n < grammar->count; n++) {
        brume_suggest(&suggestion, grammar->options[n]->name);
    }
    if (suggestion.name) {
        return brume_fail(error, BRUME_BAD_INPUT, "unknown option '%s'%s (did you mean '--%s'?)", typed, of_command,
                          suggestion.name);
    }
    return brume_fail(error, BRUME_BAD_INPUT, "unknown option '%s'%s (see 'brume help%s%s')", typed, of_command,
                      command ? " " : "", command ? command->name : "");
}

const BrumeCommand *brume_find_command(const BrumeCommand *const *commands, const char *name)
{
    while (*commands && strcmp((*commands)->name, name) != 0) {
        commands++;
    }
    return *commands;
}

BrumeStatus brume_fail_command(BrumeError *error, const BrumeCommand *const *commands, const char *name)
{
    BrumeSuggestion suggestion = {.word = name};
    char list[256] = "";
    for (; *commands; commands++) {
        brume_suggest(&suggestion, (*commands)->name);
        const size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", (*commands)->name);
    }
    if (suggestion.name) {
        return brume_fail(error, BRUME_BAD_INPUT, "unknown command '%s' (did you mean '%s'?)", name, suggestion.name);
    }
    return brume_fail(error, BRUME_BAD_INPUT, "unknown command '%s' (commands: %s)", name, list);
}

// the first operand that names a command is the command
static void consider_operand(BrumeRequest *request, const char **stranger, const BrumeCommand *const *commands,
                             const char *operand)
{
    if (!request->command) {
        request->command = brume_find_command(commands, operand);
        if (!request->command && !*stranger) {
            *stranger = operand;
        }
    }
}

BrumeStatus brume_args_request(BrumeRequest *request, const BrumeCommand *const *commands, int argc, char **argv,
                               BrumeError *error)
{
    *request = (BrumeRequest){0};
    Grammar grammar;
    start_grammar(&grammar);
    for (const BrumeCommand *const *command = commands; *command; command++) {
        add_command(&grammar, *command);
    }
    const char *stranger = NULL;
    BrumeStatus unknown = BRUME_OK;
    start_reading();
    for (int code; (code = getopt_long(argc, argv, grammar.letters, grammar.longs, NULL)) != -1;) {
        if (code == OPERAND) {
            consider_operand(request, &stranger, commands, optarg);
        } else if (code == '?' && unknown == BRUME_OK) {
            unknown = fail_option(error, &grammar, NULL, commands, argv);
        } else if (find_option(&grammar, code) == &help_option) {
            request->help = true;
        } else if (find_option(&grammar, code) == &version_option) {
            request->version = true;
        }
    }
    for (; optind < argc; optind++) {
        consider_operand(request, &stranger, commands, argv[optind]);
    }
    if (request->command || request->version || (request->help && !stranger)) {
        return BRUME_OK; // an unknown option is the command's to report
    }
    return stranger ? brume_fail_command(error, commands, stranger) : unknown;
}

bool brume_parse_int(const char *text, int least, int most, int *value)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < least || number > most) {
        return false;
    }
    *value = (int)number;
    return true;
}

static BrumeStatus set_number(double *member, const BrumeOption *option, const char *value, BrumeError *error)
{
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number) || number < option->least || number > option->most) {
        return brume_fail(error, BRUME_BAD_INPUT, "--%s: '%s' is not a number from %d to %d", option->name, value,
                          option->least, option->most);
    }
    *member = number;
    return BRUME_OK;
}

static BrumeStatus set_option(void *settings, const BrumeOption *option, const char *value, BrumeError *error)
{
    void *member = (char *)settings + option->offset;
    switch (option->kind) {
    case BRUME_OPTION_FLAG:
        *(bool *)member = true;
        return BRUME_OK;
    case BRUME_OPTION_COUNT:
        *(int *)member += 1;
        return BRUME_OK;
    case BRUME_OPTION_INT:
        if (!brume_parse_int(value, option->least, option->most, member)) {
            return brume_fail(error, BRUME_BAD_INPUT, "--%s: '%s' is not a whole number from %d to %d", option->name,
                              value, option->least, option->most);
        }
        return BRUME_OK;
    case BRUME_OPTION_NUMBER:
        return set_number(member, option, value, error);
    case BRUME_OPTION_TEXT:
        *(const char **)member = value;
        return BRUME_OK;
    case BRUME_OPTION_LIST: {
        BrumeTextList *list = member;
        if (list->count == BRUME_MAX_LIST) {
            return brume_fail(error, BRUME_BAD_INPUT, "--%s is given more than %d times", option->name, BRUME_MAX_LIST);
        }
        list->texts[list->count++] = value;
        return BRUME_OK;
    }
    case BRUME_OPTION_CUSTOM:
        break;
    }
    char name[64];
    (void)snprintf(name, sizeof name, "--%s", option->name);
    return option->parse(member, name, value, error);
}

static BrumeStatus take_operand(const BrumeCommand *command, bool *named, const char **operand, const char *text,
                                BrumeError *error)
{
    if (!*named && strcmp(text, command->name) == 0) {
        *named = true;
        return BRUME_OK;
    }
    if (!command->operand) {
        return brume_fail(error, BRUME_BAD_INPUT, "unexpected argument '%s' ('%s' takes none)", text, command->name);
    }
    if (*operand) {
        return brume_fail(error, BRUME_BAD_INPUT, "unexpected argument '%s' ('%s' takes one %s, and has '%s')", text,
                          command->name, command->operand, *operand);
    }
    *operand = text;
    return BRUME_OK;
}

BrumeStatus brume_args_parse(const BrumeCommand *command, const BrumeCommand *const *commands, int argc, char **argv,
                             const char **operand, void *settings, BrumeError *error)
{
    *operand = NULL;
    Grammar grammar;
    start_grammar(&grammar);
    add_command(&grammar, command);
    bool named = false;
    BrumeStatus status = BRUME_OK;
    start_reading();
    for (int code;
         status == BRUME_OK && (code = getopt_long(argc, argv, grammar.letters, grammar.longs, NULL)) != -1;) {
        const BrumeOption *option = find_option(&grammar, code == ':' ? optopt : code);
        if (code == OPERAND) {
            status = take_operand(command, &named, operand, optarg, error);
        } else if (code == '?') {
            status = fail_option(error, &grammar, command, commands, argv);
        } else if (code == ':') {
            status =
                brume_fail(error, BRUME_BAD_INPUT, "option '--%s' needs a value (%s)", option->name, option->value);
        } else if (option != &help_option && option != &version_option) {
            status = set_option(settings, option, optarg, error);
        }
    }
    for (; status == BRUME_OK && optind < argc; optind++) {
        status = take_operand(command, &named, operand, argv[optind], error);
    }
    if (status == BRUME_OK && command->operand_needed && !*operand) {
        status = brume_fail(error, BRUME_BAD_INPUT, "no %s (usage: brume %s %s)", command->operand, command->name,
                            command->usage);
    }
    return status;
}
