/* json.h: one JSON object, written as it comes. Keys are NULL inside an array. */
#ifndef HOL_CLI_JSON_H
#define HOL_CLI_JSON_H

#include "cli/cli.h"

typedef struct cli_json {
    FILE *out;
    int depth;
    int filled; /* the innermost object or array has members */
} cli_json;

/* Open the outermost object, and close it with a line end. */
cli_json cli_json_start(FILE *out);
void cli_json_finish(cli_json *json);

/* Open and close an object or array. */
void cli_json_open(cli_json *json, const char *key, char bracket);
void cli_json_close(cli_json *json, char bracket);

/* Members: NULL texts and numbers that are not finite are written as null. */
void cli_json_text(cli_json *json, const char *key, const char *text);
void cli_json_number(cli_json *json, const char *key, double value);
void cli_json_integer(cli_json *json, const char *key, long value);
void cli_json_bool(cli_json *json, const char *key, int value);

/* The arrays "warnings", "errors" and "notes" of all messages so far. */
void cli_json_messages(cli_json *json, const cli_session *cli);

#endif
