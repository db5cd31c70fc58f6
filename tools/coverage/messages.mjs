// messages.mjs: every message that the library and the program can give, from the sources, and which of them were given.
//
// A message is a call of a function that reports. These are hol__report and cli_report, the macros that stand for them, and each
// function that hands a text of its own on to one of them: found by reading the functions again until none is added.

// Texts that are not said to anyone by themselves: how the functions at the root are called.
const ROOTS = ['hol__report', 'hol__vreport', 'hol__error', 'hol__verror', 'hol__warn', 'cli_report'];

// The words, texts and signs of a C source, each with its line; comments and directives are left out.
export function tokens(text) {
    const found = [];
    const sign = /\/\*[^]*?\*\/|\/\/[^\n]*|^[ \t]*#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\w+|\.\.\.|\n|[^\s\w]/gm;
    let line = 1;
    for (const [part] of text.matchAll(sign)) {
        if (!/^(\/[/*]|\n|[ \t]*#)/.test(part)) found.push({ text: part, line });
        line += part.split('\n').length - 1;
    }
    return found;
}

// The index of the sign that closes the bracket at i.
function closing(list, i) {
    let depth = 0;
    for (; i < list.length; i++) {
        if ('([{'.includes(list[i].text)) depth++;
        if (')]}'.includes(list[i].text) && --depth === 0) break;
    }
    return i;
}

// The names of the parameters that are texts ("..." for further ones), of the tokens between the parentheses.
function textParameters(list) {
    const names = [];
    let part = [];
    for (const { text } of [...list, { text: ',' }]) {
        if (text !== ',') {
            part.push(text);
            continue;
        }
        if (part.includes('...') || part.includes('va_list')) names.push('...');
        else if (part.includes('char') && part.includes('*')) names.push(part.at(-1));
        part = [];
    }
    return names;
}

// The functions that a source defines: name, whether it is static, its parameters that are texts, its body.
export function functions(list) {
    const found = [];
    for (let i = 0, from = 0; i < list.length; i++) {
        const { text } = list[i];
        if (text === ';') from = i + 1;
        if (text === '(' && /^\w+$/.test(list[i - 1]?.text ?? '')) {
            const end = closing(list, i);
            if (list[end + 1]?.text === '{') {
                const last = closing(list, end + 1);
                found.push({
                    name: list[i - 1].text,
                    static: list.slice(from, i).some((token) => token.text === 'static'),
                    texts: textParameters(list.slice(i + 1, end)),
                    body: list.slice(end + 1, last + 1),
                });
                i = from = last;
            } else i = end;
        } else if (text === '{') i = from = closing(list, i);
    }
    return found;
}

// The calls in a body for which `wanted(name)` holds, with their arguments.
function calls(body, wanted) {
    const found = [];
    body.forEach((token, i) => {
        if (body[i + 1]?.text === '(' && wanted(token.text)) {
            const end = closing(body, i + 1);
            found.push({ name: token.text, line: token.line, last: body[end].line, words: body.slice(i + 2, end) });
        }
    });
    return found;
}

// Whether a function hands a text of its own on: a parameter of it stands in the call, or it formats one ("...").
function handsOn(f, call) {
    return f.texts.includes('...') || call.words.some((word) => f.texts.includes(word.text));
}

// What a call says: its texts that hold a blank, those that stand side by side joined.
function words(call) {
    const texts = [];
    call.words.forEach(({ text }, i) => {
        if (!text.startsWith('"')) return;
        if (!call.words[i - 1]?.text.startsWith('"')) texts.push('');
        texts[texts.length - 1] += text.slice(1, -1);
    });
    return texts.filter((text) => text.includes(' ')).join(' / ');
}

// All messages of the sources (name → text): {file, line, last, name, text}, in the order of the files.
export function findMessages(sources) {
    const all = [...sources].map(([file, text]) => ({ file, functions: functions(tokens(text)) }));
    const everywhere = new Set(ROOTS);
    const within = new Map(all.map(({ file }) => [file, new Set()]));
    const reports = (file) => (name) => everywhere.has(name) || within.get(file).has(name);
    for (let grown = true; grown; ) {
        grown = false;
        for (const { file, functions: list } of all)
            for (const f of list) {
                const names = f.static ? within.get(file) : everywhere;
                if (names.has(f.name) || !calls(f.body, reports(file)).some((call) => handsOn(f, call))) continue;
                names.add(f.name);
                grown = true;
            }
    }
    const found = [];
    for (const { file, functions: list } of all)
        for (const f of list)
            for (const call of calls(f.body, reports(file))) {
                const text = words(call);
                if (text) found.push({ file, ...call, text });
            }
    return found;
}

// Whether a call ran: its line did, and no part of the line was left out (`if (wrong) return hol__error(…);` in one line).
export function wasGiven(message, lines) {
    for (let number = message.line; number <= message.last; number++) {
        const line = lines?.get(number);
        if (line) return line.whole;
    }
    return false;
}
