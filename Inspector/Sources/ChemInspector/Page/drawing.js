// The picture of a definition, with its numbers.

import { shape } from "/elements.js";

/** What pictures consist of. Anything else that an answer holds is left out. */
const known = {
    svg: ["class", "role", "aria-label", "width", "height", "viewBox"],
    g: ["class"],
    rect: ["class", "x", "y", "width", "height", "rx"],
    path: ["class", "d"],
    text: ["class", "x", "y"],
};

/** Shows `text`, an SVG, in `frame`. The page's style sheet says how it looks, so it follows the page's theme. */
export function show(text, frame) {
    const room = frame.clientWidth - 2;
    if (frame.shown === text && frame.room === room) return;
    Object.assign(frame, { shown: text, room });
    const bare = text.replace(/<style>[^<]*<\/style>/g, "");
    const source = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
    const copy = source.localName === "svg" ? copied(source) : undefined;
    frame.replaceChildren(...(copy ? [copy] : []));
    if (!copy) return;
    // One that is somewhat too wide is made to fit; one that is much wider would be too small to read.
    const wide = Number(source.getAttribute("width"));
    if (room > 0 && wide > room) {
        const part = Math.max(room / wide, 0.7);
        copy.setAttribute("width", Math.floor(wide * part));
        copy.setAttribute("height", Math.ceil(Number(source.getAttribute("height")) * part));
    }
}

function copied(source) {
    const allowed = known[source.localName];
    if (!allowed) return undefined;
    const copy = shape(source.localName);
    for (const name of allowed) {
        const value = source.getAttribute(name);
        if (value !== null) copy.setAttribute(name, value);
    }
    for (const child of source.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
        else if (child.nodeType === Node.ELEMENT_NODE) copy.append(copied(child) ?? "");
    }
    return copy;
}
