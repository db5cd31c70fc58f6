/* print_json.h: what the subcommands print under --json: one object. */
#ifndef HOL_CLI_PRINT_JSON_H
#define HOL_CLI_PRINT_JSON_H

#include "cli/cli.h"
#include "common/json.h"

/* Open the outermost object on a stream, and close it with a line end. */
hol__json cli_json_start(FILE *out);
void cli_json_finish(hol__json *json);

/* The arrays "warnings", "errors" and "notes" of all messages so far as texts, and "diagnostics" of
 * the same in parts, with places and their ends. */
void cli_json_messages(hol__json *json, const cli_session *cli);

#endif
