// picked.js: which cases are picked, and who wants to know; and the response that is looked at.

export class State {
    constructor(count) {
        this.count = count;
        this.mask = null; // Uint8Array by row of the cases; null: none is picked
        this.words = '';
        this.response = 0;
        this.listeners = { picked: [], response: [], theme: [] };
        this.waiting = false;
    }

    on(kind, listener) {
        this.listeners[kind].push(listener);
    }

    tell(kind) {
        for (const listener of this.listeners[kind]) listener();
    }

    // Pick the rows that hold, told at the next frame.
    pick(test, words) {
        this.mask = test ? Uint8Array.from({ length: this.count }, (_, i) => (test(i) ? 1 : 0)) : null;
        this.words = test ? words : '';
        this.picked = this.mask ? this.mask.reduce((sum, x) => sum + x, 0) : 0;
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.tell('picked');
        });
    }

    look(response) {
        this.response = response;
        this.tell('response');
    }
}
