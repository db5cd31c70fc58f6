/* user.c: a program outside the repository: it includes all public headers, makes a context, lets
 * the library report an error, and prints the version and the parts that are in. Its exit status is
 * 0 when all went well. */
#include <holonom/holonom.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    int n = 0;
    const hol_feature *parts = hol_features(&n);
    printf("holonom %s\n", hol_version());
    for (int i = 0; i < n; i++) printf("%s %s\n", parts[i].name, parts[i].built ? "yes" : "no");
    hol_context *ctx = hol_context_new();
    if (!ctx || hol_message_count(ctx) != 0) return 1;
    hol_context_free(ctx);
    return strcmp(hol_version(), HOL_VERSION) != 0;
}
