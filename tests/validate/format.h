/* format.h: a page in Markdown or HTML: headings, paragraphs, tables, pictures. Texts are plain,
 * with `names` between backticks and [text](link) for links. */
#ifndef VALIDATE_FORMAT_H
#define VALIDATE_FORMAT_H

#include <stdio.h>

typedef struct page {
    FILE *file;
    int html;
    int columns, coloured; /* of the table that is open; the column of verdicts */
} page;

/* "[text](#anchor-of-text)". */
void page_link(const char *text, char *out, size_t size);
void page_begin(page *p, const char *title);
void page_end(page *p);
void page_heading(page *p, int level, const char *text);
void page_text(page *p, const char *text);
void page_item(page *p, const char *text); /* one line of a list */
void page_list(page *p, int begins);
/* A table; cells of a row in the order of the heads. mood: "pass", "gap", "fail" or NULL colours
 * the cell of that column (-1: none). Texts in tables that wrap go over several lines. */
void page_table(page *p, int n, const char *const *heads, int coloured, int wraps);
void page_row(page *p, const char *const *cells, const char *mood);
void page_table_end(page *p);
void page_picture(page *p, const char *path, const char *text);

#endif
