/* format.c: headings, paragraphs, tables and pictures as Markdown or as HTML. */
#include "format.h"

#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--line:#d5dae0;--soft:#f4f6f8;--ink:#1c2733;--dim:#5b6875;"
    "--pass:#17703c;--gap:#8a5a00;--fail:#b3261e;--link:#0b57d0}\n"
    "@media(prefers-color-scheme:dark){:root{--line:#3a444e;--soft:#1d242b;--ink:#e4e9ee;"
    "--dim:#9aa7b4;--pass:#6fd194;--gap:#e8b75c;--fail:#ff8a80;--link:#8ab4f8}"
    "img{filter:invert(.92) hue-rotate(180deg)}}\n"
    "*{box-sizing:border-box}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:Canvas;max-width:72rem;"
    "margin:0 auto;padding:1rem}\n"
    "h1{line-height:1.2}h2{margin-top:3rem;border-top:1px solid var(--line);padding-top:1.5rem}\n"
    "a{color:var(--link)}code{font-size:.9em;background:var(--soft);padding:.05em .3em;"
    "border-radius:3px;overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto;margin:1rem 0}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:left;"
    "white-space:nowrap}\n"
    ".wraps th,.wraps td:first-child,.wraps td:last-child{white-space:normal;min-width:7rem}\n"
    "th{color:var(--dim);font-weight:600;vertical-align:bottom}\n"
    ".pass,.gap,.fail{font-weight:600}.pass{color:var(--pass)}.gap{color:var(--gap)}"
    ".fail{color:var(--fail)}\n"
    "img{max-width:100%;height:auto;background:#fff}\n";

/* Text as HTML: signs that mean something escaped, `code` and [text](link) turned into tags. */
static void put_html(FILE *file, const char *text) {
    int code = 0;
    for (; *text; text++) {
        const char *close = *text == '[' ? strstr(text, "](") : NULL;
        const char *end = close ? strchr(close, ')') : NULL;
        if (end && !code) {
            fprintf(file, "<a href=\"%.*s\">", (int)(end - close - 2), close + 2);
            for (const char *c = text + 1; c < close; c++)
                if (*c != '`') fputc(*c, file);
            fputs("</a>", file);
            text = end;
        } else if (*text == '`')
            fputs((code = !code) ? "<code>" : "</code>", file);
        else if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
    }
}

/* Text as Markdown in lines of at most 140 characters, those behind the first after `indent`. */
static void put_wrapped(FILE *file, const char *text, const char *indent) {
    size_t column = strlen(indent);
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (column > strlen(indent) && column + 1 + word > 140) {
            fprintf(file, "\n%s", indent);
            column = strlen(indent);
        } else if (column > strlen(indent)) {
            fputc(' ', file);
            column++;
        }
        fprintf(file, "%.*s", (int)word, text);
        column += word;
        text += word + strspn(text + word, " ");
    }
    fputc('\n', file);
}

void page_begin(page *p, const char *title) {
    if (p->html) {
        fprintf(p->file,
                "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s</h1>\n",
                title, style, title);
    } else
        fprintf(p->file,
                "# %s\n\n<!-- Written by ./dev validate out of tests/validation.yaml. -->\n",
                title);
}

void page_end(page *p) {
    if (p->html) fputs("</body>\n</html>\n", p->file);
}

/* The anchor of a heading, as the usual renderers of Markdown make it. */
static void make_anchor(const char *text, char *out, size_t size) {
    size_t n = 0;
    for (; *text && n + 1 < size; text++) {
        const char c = *text;
        if (c == ' ')
            out[n++] = '-';
        else if (c >= 'A' && c <= 'Z')
            out[n++] = (char)(c + ('a' - 'A'));
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')
            out[n++] = c;
    }
    out[n] = 0;
}

void page_link(const char *text, char *out, size_t size) {
    char anchor[256];
    make_anchor(text, anchor, sizeof anchor);
    snprintf(out, size, "[%s](#%s)", text, anchor);
}

void page_heading(page *p, int level, const char *text) {
    char anchor[256];
    make_anchor(text, anchor, sizeof anchor);
    if (p->html) {
        fprintf(p->file, "<h%d id=\"%s\">", level, anchor);
        put_html(p->file, text);
        fprintf(p->file, "</h%d>\n", level);
    } else
        fprintf(p->file, "\n%.*s %s\n", level, "######", text);
}

void page_text(page *p, const char *text) {
    fputs(p->html ? "<p>" : "\n", p->file);
    if (p->html) {
        put_html(p->file, text);
        fputs("</p>\n", p->file);
    } else
        put_wrapped(p->file, text, "");
}

void page_list(page *p, int begins) {
    if (p->html)
        fputs(begins ? "<ul>\n" : "</ul>\n", p->file);
    else if (begins)
        fputs("\n", p->file);
}

void page_item(page *p, const char *text) {
    fputs(p->html ? "<li>" : "- ", p->file);
    if (p->html) {
        put_html(p->file, text);
        fputs("</li>\n", p->file);
    } else
        put_wrapped(p->file, text, "  ");
}

void page_table(page *p, int n, const char *const *heads, int coloured, int wraps) {
    p->columns = n;
    p->coloured = coloured;
    if (p->html) {
        fprintf(p->file, "<div class=\"wide\"><table%s>\n<thead><tr>",
                wraps ? " class=\"wraps\"" : "");
        for (int i = 0; i < n; i++) {
            fputs("<th>", p->file);
            put_html(p->file, heads[i]);
            fputs("</th>", p->file);
        }
        fputs("</tr></thead>\n<tbody>\n", p->file);
        return;
    }
    fputs("\n|", p->file);
    for (int i = 0; i < n; i++) fprintf(p->file, " %s |", heads[i]);
    fputs("\n|", p->file);
    for (int i = 0; i < n; i++) fputs("---|", p->file);
    fputs("\n", p->file);
}

void page_row(page *p, const char *const *cells, const char *mood) {
    fputs(p->html ? "<tr>" : "|", p->file);
    for (int i = 0; i < p->columns; i++) {
        const int colours = i == p->coloured && mood;
        if (!p->html) {
            fprintf(p->file, colours && strcmp(mood, "pass") ? " **%s** |" : " %s |", cells[i]);
            continue;
        }
        if (colours)
            fprintf(p->file, "<td class=\"%s\">", mood);
        else
            fputs("<td>", p->file);
        put_html(p->file, cells[i]);
        fputs("</td>", p->file);
    }
    fputs(p->html ? "</tr>\n" : "\n", p->file);
}

void page_table_end(page *p) {
    if (p->html) fputs("</tbody>\n</table></div>\n", p->file);
}

void page_picture(page *p, const char *path, const char *text) {
    if (p->html)
        fprintf(p->file, "<img src=\"%s\" alt=\"%s\" loading=\"lazy\">\n", path, text);
    else
        fprintf(p->file, "\n![%s](%s)\n", text, path);
}
