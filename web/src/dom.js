// dom.js: elements made by code. Texts go in as text nodes, so that nothing in a model can become markup.

const SVG = 'http://www.w3.org/2000/svg';

// el('div', {class: 'x', onclick: f}, 'text', child, …)
export function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (key === 'class') element.className = value;
        else if (key in element && key !== 'list') element[key] = value;
        else element.setAttribute(key, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

// A line icon from the path data of a 24 × 24 grid.
export function icon(path, filled = false) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('class', filled ? 'icon filled' : 'icon');
    svg.setAttribute('aria-hidden', 'true');
    const shape = document.createElementNS(SVG, 'path');
    shape.setAttribute('d', path);
    svg.append(shape);
    return svg;
}

export const ICONS = {
    play: 'M8 5v14l11-7z',
    pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
    first: 'M6 5v14M19 5l-9 7 9 7z',
    back: 'M15 5l-8 7 8 7z',
    next: 'M9 5l8 7-8 7z',
    theme: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z',
    loop: 'M4 12a8 8 0 0 1 13.5-5.8L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.5 5.8L4 15.500M4 20v-4.500h4.500',
    fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
    plus: 'M12 5v14M5 12h14',
    close: 'M6 6l12 12M18 6L6 18',
    download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
    warning: 'M12 4 2.500 20h19zM12 10v5M12 17.500v.5',
};

// A button with an icon and a name for those who cannot see it.
export function iconButton(name, title, onclick, attributes = {}) {
    return el('button', { type: 'button', class: 'tool', title, 'aria-label': title, onclick, ...attributes }, icon(ICONS[name], name === 'play' || name === 'pause'));
}

// The value of a custom property of the style sheet.
export function styleValue(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
