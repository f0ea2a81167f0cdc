#include "app/complete.h"

#include "app/commands.h"
#include "scene/format/schema.h"

#include <stdio.h>
#include <string.h>

// prints a word with its explanation on one line
static void print_word(const char *word, const char *text)
{
    (void)printf("%s\t", word);
    for (; *text; text++) {
        (void)putchar(*text == '\n' ? ' ' : *text);
    }
    (void)putchar('\n');
}

// prints "PATH=", or with `words` each "PATH=WORD" of a value that is one of several words
static void print_setting(const char *path, const BrumeSetting *setting, bool words)
{
    const char *word;
    if (!words) {
        (void)printf("%s=\n", path);
    }
    for (int n = 0; words && brume_setting_has_words(setting) && (word = brume_setting_word(setting, n)) != NULL; n++) {
        (void)printf("%s=%s\n", path, word);
    }
}

// Prints the dotted paths of the values of a scene that -D can set, without items of lists, such as
// `emitters.0.radius`. `prefix` is the path of the section followed by a dot, or "".
static void print_section(const BrumeSection *section, const char *prefix, bool words)
{
    enum { MAX_PATH = 256 };
    BrumeKey key;
    for (int n = 0; brume_section_key(section, n, &key); n++) {
        char path[MAX_PATH];
        (void)snprintf(path, sizeof path, "%s%s", prefix, brume_key_name(&key));
        if (key.kind == BRUME_KEY_VALUE) {
            print_setting(path, key.setting, words);
        } else if (key.kind == BRUME_KEY_MAP) {
            BrumeKey scalar; // the value of the key in place of a map, such as `y_max: open`
            if (key.section->shorthand && brume_section_find(key.section, key.section->shorthand, &scalar) &&
                scalar.kind == BRUME_KEY_VALUE) {
                print_setting(path, scalar.setting, words);
            }
            char inner[MAX_PATH];
            (void)snprintf(inner, sizeof inner, "%.200s.", path);
            print_section(key.section, inner, words);
        }
    }
}

// prints the words of a list, which are separated by blanks, one on a line
static void print_list(const char *list)
{
    for (; *list; list++) {
        (void)putchar(*list == ' ' ? '\n' : *list);
    }
    (void)putchar('\n');
}

static void print_commands(void)
{
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        print_word((*command)->name, (*command)->summary);
    }
}

// prints the possible values of `name`; `typed` follows the first `kept` bytes of the word
static void print_value(BrumeCompletion complete, const char *name, int kept, const char *typed)
{
    switch (complete.kind) {
    case BRUME_COMPLETE_FILES:
        (void)printf("files %d%s%s\n", kept, complete.list ? " " : "", complete.list ? complete.list : "");
        break;
    case BRUME_COMPLETE_FOLDERS:
        (void)printf("folders %d\n", kept);
        break;
    case BRUME_COMPLETE_NOTHING:
        (void)printf("nothing %d %s\n", kept, name);
        break;
    case BRUME_COMPLETE_WORDS:
    case BRUME_COMPLETE_SETTINGS:
    case BRUME_COMPLETE_COMMANDS:
        (void)printf("words %d\n", kept);
        if (complete.kind == BRUME_COMPLETE_WORDS) {
            print_list(complete.list);
        } else if (complete.kind == BRUME_COMPLETE_SETTINGS) {
            print_section(&brume_scene_section, "", strchr(typed, '=') != NULL);
        } else {
            print_commands();
        }
        break;
    }
}

// returns the option at `index`: of a command, including --help, or of the program if `command` is NULL
static const BrumeOption *option_at(const BrumeCommand *command, int index)
{
    int count = 0;
    while (command && brume_command_option(command, count)) {
        count++;
    }
    if (index < count) {
        return brume_command_option(command, index);
    }
    return command && index > count ? NULL : brume_program_option(index - count);
}

static void print_options(const BrumeCommand *command)
{
    const BrumeOption *option;
    (void)printf("words 0\n");
    for (int n = 0; (option = option_at(command, n)) != NULL; n++) {
        char word[64];
        if (option->letter) {
            (void)snprintf(word, sizeof word, "-%c", option->letter);
            print_word(word, option->help);
        }
        (void)snprintf(word, sizeof word, "--%s", option->name);
        print_word(word, option->help);
    }
}

// returns the option with a value that a word names; `*behind` is the length of its name in the word, with "="
static const BrumeOption *find_option(const BrumeCommand *command, const char *word, int *behind)
{
    const BrumeOption *option;
    const size_t length = strcspn(word, "=");
    for (int n = 0; word[0] == '-' && (option = option_at(command, n)) != NULL; n++) {
        const bool is_long =
            word[1] == '-' && strlen(option->name) + 2 == length && strncmp(option->name, word + 2, length - 2) == 0;
        if (option->value && (is_long || (option->letter && word[1] == option->letter))) {
            *behind = is_long ? (int)length + (word[length] == '=') : 2;
            return option;
        }
    }
    return NULL;
}

void brume_complete(int count, char **words)
{
    const char *word = count > 0 ? words[count - 1] : "";
    const char *previous = count > 1 ? words[count - 2] : "";
    const BrumeCommand *command = NULL;
    for (int n = 0; n + 1 < count && !command; n++) {
        command = brume_find_command(brume_commands, words[n]);
    }
    int behind;
    const BrumeOption *option = find_option(command, previous, &behind);
    if (option && !option->value_optional && !previous[behind] && previous[behind - 1] != '=') {
        print_value(brume_option_completion(option), option->value, 0, word);
        return;
    }
    option = find_option(command, word, &behind);
    if (option && (word[behind] || word[behind - 1] == '=')) {
        print_value(brume_option_completion(option), option->value, behind, word + behind);
    } else if (word[0] == '-') {
        print_options(command);
    } else if (!command) {
        print_value((BrumeCompletion){BRUME_COMPLETE_COMMANDS, NULL}, "", 0, word);
    } else if (command->operand) {
        print_value(command->complete, command->operand, 0, word);
    }
}
