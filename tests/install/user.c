/* user.c: a program outside the repository: it includes all public headers, makes a context, lets
 * the library report an error, and prints the version and the parts that are in. Its exit status is
 * 0 when all went well. */
#include <holonom/holonom.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    const hol_feature *part;
    printf("holonom %s\n", hol_version());
    for (int i = 0; (part = hol_feature_get(i)); i++)
        printf("%s %s\n", part->name, part->built ? "yes" : "no");
    hol_context *ctx = hol_context_new();
    if (!ctx || hol_message_count(ctx) != 0) return 1;
    hol_context_free(ctx);
    return strcmp(hol_version(), HOL_VERSION) != 0;
}
