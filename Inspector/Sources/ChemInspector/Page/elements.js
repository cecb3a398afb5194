// Elements and texts. Whatever comes from a program is put in as text, never as markup.

/** An element with attributes, listeners (`onclick`) and children, which are elements or texts. */
export function element(name, attributes = {}, ...children) {
    const result = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith("on")) result.addEventListener(key.slice(2), value);
        else result.setAttribute(key, value === true ? "" : value);
    }
    result.append(...children.filter((child) => child !== undefined && child !== null));
    return result;
}

const svgSpace = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function shape(name, attributes = {}, ...children) {
    const result = document.createElementNS(svgSpace, name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== null) result.setAttribute(key, value);
    }
    result.append(...children.filter((child) => child !== undefined && child !== null));
    return result;
}

/** Sets a text only if it is another one, so that what a reader has selected stays selected. */
export function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
}

/**
 * Makes the children of `parent` those of `items`, in their order. An item that was there before keeps its element, so
 * focus, selection and scrolling stay where they are. An element that is moved loses the focus, and gets it again. Of
 * items with one key, each has an element.
 */
export function keep(parent, items, keyOf, make, update) {
    const old = parent.kept ?? new Map();
    const now = new Map();
    const focused = parent.contains(document.activeElement) ? document.activeElement : null;
    let place = parent.firstChild;
    const alike = new Map();
    for (const item of items) {
        const own = keyOf(item);
        const before = alike.get(own) ?? 0;
        alike.set(own, before + 1);
        const key = before ? `${own}\u0000${before}` : own;
        const child = old.get(key) ?? make(item);
        old.delete(key);
        now.set(key, child);
        update(child, item);
        if (child === place) place = place.nextSibling;
        else parent.insertBefore(child, place);
    }
    for (const child of old.values()) child.remove();
    if (focused && focused !== document.activeElement && parent.contains(focused)) focused.focus({ preventScroll: true });
    parent.kept = now;
}

/** Up and down lead from row to row, in whichever table the focus is. */
export function walkRows(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest?.("tbody tr");
    if (!step || !row) return;
    let next = row;
    do next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
    while (next && !next.querySelector("button"));
    next?.querySelector("button").focus();
    event.preventDefault();
}

const grouping = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function number(value) {
    return grouping.format(value);
}

export function rate(value) {
    if (value === undefined) return "–";
    return value >= 0.05 && value < 9.95 ? value.toFixed(1) : grouping.format(value);
}

/** Seconds, as people say them. */
export function duration(seconds) {
    if (seconds === undefined || seconds === null) return "";
    if (seconds > 0 && seconds < 1e-6) return `${Math.round(seconds * 1e9)} ns`;
    if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
    if (seconds < 1) return `${Math.round(seconds * 1e3)} ms`;
    if (seconds < 60) return `${seconds.toFixed(1)} s`;
    const whole = Math.floor(seconds);
    const two = (part) => String(part).padStart(2, "0");
    if (seconds < 3600) return `${Math.floor(whole / 60)}:${two(whole % 60)} min`;
    return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)} h`;
}

/** A part of a file's path that tells enough; the whole stands in the tooltip. */
export function place(location) {
    return element("span", { class: "place", title: location }, location.split("/").pop());
}
