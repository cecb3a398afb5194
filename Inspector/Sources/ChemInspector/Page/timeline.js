// The last events: bodies as bars, calls as lines for as long as they wait, injections as dots, a lane for each definition.

import { element, shape, keep, setText, number, duration } from "/elements.js";

const laneHeight = 34;
const bodyHeight = 12;
const nameWidth = 190;

/** What a mark on the time line says besides its molecule. */
const markTexts = { putBack: ", put back", dropped: ", dropped" };

/** An event as a line of text. */
export function eventLine(event, now) {
    const subject = event.value === undefined ? event.subject : `${event.subject}(${event.value})`;
    const what = {
        injected: () => `${subject} injected${event.count > 1 ? ` ${number(event.count)} times` : ""}`,
        called: () => `${subject} called`,
        taken: () => `call of ${event.subject} taken`,
        withdrawn: () => `call of ${event.subject} withdrawn`,
        putBack: () => `${subject} put back${event.count > 1 ? `, ${number(event.count)} times` : ""}`,
        dropped: () => `${subject} dropped${event.count > 1 ? `, ${number(event.count)} times` : ""}`,
        started: () => `${event.subject} starts, #${event.number}`,
        ended: () => `${event.subject} ends, #${event.number}`,
        failed: () => `${event.subject} has thrown${event.number === 0 ? "" : `, #${event.number}`}`,
    }[event.kind]?.() ?? `${event.kind} ${event.subject}`;
    return `${duration(Math.max(0, now - event.time))} ago: ${what}${event.sender ? `, by ${event.sender}` : ""}`;
}

export class TimelineView {
    /** @param go Called with `{ from }` to see other events of a recording. */
    constructor(go) {
        this.go = go;
        this.section = document.querySelector("#timeline");
        this.hint = element("p", { class: "hint" });
        this.older = element("button", { type: "button", onclick: () => this.#turn(-1) }, "← older");
        this.newer = element("button", { type: "button", onclick: () => this.#turn(1) }, "newer →");
        this.range = element("span");
        this.bar = element("div", { class: "bar", hidden: true }, this.older, this.newer, this.range);
        this.legend = element("p", { class: "legend" },
            element("i", { class: "key body" }), "a body runs ", element("i", { class: "key failed" }), "it has thrown ",
            element("i", { class: "key call" }), "a call waits ", element("i", { class: "key injected" }), "injected; where much happens at once, time is drawn wider");
        this.picture = element("div", { class: "lanes", tabindex: "0", role: "group", "aria-label": "The last events on a time line" });
        this.list = element("ol", { class: "events" });
        this.section.append(this.hint, this.bar, this.legend, this.picture, this.list);
    }

    show(answer) {
        this.answer = answer;
        const events = answer.events;
        this.bar.hidden = answer.total === undefined;
        if (answer.total !== undefined) {
            const end = answer.from + events.length;
            setText(this.range, `events ${number(answer.from + 1)} to ${number(end)} of ${number(answer.total)}`);
            this.older.disabled = answer.from === 0;
            this.newer.disabled = end >= answer.total;
        }
        this.hint.hidden = events.length > 0;
        setText(this.hint, answer.recorder === "off"
            ? "This machine records nothing. Make it with recorder: .flight, or run the program with CHEMACTORS_RECORDER=flight."
            : "Nothing has happened yet.");
        for (const part of [this.legend, this.picture, this.list]) part.hidden = events.length === 0;
        if (events.length === 0) return;
        this.picture.replaceChildren(draw(events, this.picture.clientWidth || 900));
        keep(this.list, [...events].reverse(), (event) => `${event.time} ${event.lane} ${event.kind} ${event.number} ${event.subject}`,
            (event) => element("li", { class: event.kind }, element("b", {}, event.definition), " ", element("span")),
            (line, event) => setText(line.lastChild, eventLine(event, answer.time)));
    }

    #turn(direction) {
        const { from, events } = this.answer;
        this.go({ from: Math.max(0, direction < 0 ? from - 200 : from + events.length) });
    }
}

/** Bars, lines and dots of the events. Places of events are their positions in the list, from 0. */
function draw(events, width) {
    const last = events.length - 1;
    const axis = new Axis(events.map((event) => event.time), nameWidth, width - 24);
    const x = (index) => axis.place(index).toFixed(1);
    const lasted = (from, to) => duration(events[to].time - events[from].time);
    const lanes = new Map();
    events.forEach((event, index) => {
        const lane = lanes.get(event.lane) ?? { name: event.definition, bars: [], calls: [], marks: [], open: new Map(), waiting: new Map() };
        lanes.set(event.lane, lane);
        const call = `${event.subject} ${event.number}`;
        // What began before the first of these events is shown from the edge.
        switch (event.kind) {
        case "started":
            lane.open.set(event.number, { from: index, event });
            break;
        case "failed":
            // A flight recorder doesn't know the number of each.
            if (event.number === 0) break;
            lane.open.set(event.number, { from: 0, event, ...lane.open.get(event.number), hasFailed: true });
            break;
        case "ended":
            lane.bars.push({ from: 0, event, ...lane.open.get(event.number), to: index });
            lane.open.delete(event.number);
            break;
        case "called":
            lane.waiting.set(call, { from: index, event });
            break;
        case "taken": case "withdrawn":
            lane.calls.push({ from: 0, event, ...lane.waiting.get(call), to: index });
            lane.waiting.delete(call);
            break;
        default:
            lane.marks.push({ index, event });
        }
    });
    const parts = [];
    const tops = new Map();
    let top = 22;
    for (const [number, lane] of lanes) {
        for (const bar of lane.open.values()) lane.bars.push({ ...bar, to: last, isOpen: true });
        for (const call of lane.waiting.values()) lane.calls.push({ ...call, to: last, isOpen: true });
        // Bodies that overlap lie below each other.
        const ends = [];
        for (const bar of lane.bars.sort((one, other) => one.from - other.from)) {
            let row = ends.findIndex((end) => end <= bar.from);
            if (row < 0) row = ends.length;
            ends[row] = bar.to;
            bar.row = Math.min(row, 7);
        }
        const rows = Math.max(1, Math.min(ends.length, 8));
        const height = Math.max(laneHeight, 18 + rows * (bodyHeight + 2));
        tops.set(number, top);
        parts.push(shape("line", { class: "edge", x1: 0, x2: width, y1: top, y2: top }));
        parts.push(shape("text", { class: "lane", x: 6, y: top + height / 2 + 4 }, short(lane.name), shape("title", {}, lane.name)));
        for (const call of lane.calls) {
            parts.push(shape("path", { class: "call", d: `M${x(call.from)} ${top + 8}H${Math.max(axis.place(call.to), axis.place(call.from) + 2).toFixed(1)}` },
                shape("title", {}, `${call.event.subject}: ${call.isOpen ? "has waited" : "waited"} ${lasted(call.from, call.to)}`)));
        }
        for (const bar of lane.bars) {
            const y = top + 14 + bar.row * (bodyHeight + 2);
            const wide = Math.max(2, axis.place(bar.to) - axis.place(bar.from));
            const kind = `body${bar.hasFailed ? " failed" : ""}${bar.isOpen ? " open" : ""}`;
            parts.push(shape("rect", { class: kind, x: x(bar.from), y, width: wide.toFixed(1), height: bodyHeight, rx: 2 },
                shape("title", {}, `${bar.event.subject} #${bar.event.number}: ${bar.isOpen ? "has run " : ""}${lasted(bar.from, bar.to)}\n${bar.event.location ?? ""}`)));
            if (wide > 7 * bar.event.subject.length) {
                parts.push(shape("text", { class: "inside", x: axis.place(bar.from) + 5, y: y + 10 }, bar.event.subject));
            }
        }
        top += height;
    }
    for (const lane of lanes.values()) {
        for (const { index, event } of lane.marks) {
            const [own, sender] = [tops.get(event.lane), tops.get(event.senderLane)];
            if (sender !== undefined && sender !== own) {
                parts.push(shape("path", { class: "sent", d: `M${x(index)} ${sender + 20}V${own + 8}` }));
            }
            parts.push(shape("circle", { class: event.kind, cx: x(index), cy: own + 8, r: 2.5 },
                shape("title", {}, `${event.subject}${markTexts[event.kind] ?? ""}${event.count > 1 ? ` × ${event.count}` : ""}${event.sender ? `\nby ${event.sender}` : ""}`)));
        }
    }
    let before = "";
    for (const index of axis.ticks(110)) {
        const text = `+${label(events[index].time - events[0].time)}`;
        if (text === before) continue;
        before = text;
        parts.unshift(shape("line", { class: "tick", x1: x(index), x2: x(index), y1: 16, y2: top }));
        parts.push(shape("text", { class: "tick", x: x(index), y: 11 }, text));
    }
    return shape("svg", { width, height: top + 6, viewBox: `0 0 ${width} ${top + 6}`, class: "timeline" }, ...parts);
}

/**
 * Where events lie. Half of the room is for time, in which long pauses are cut short; the other half is for the order,
 * the same from event to event, so that bursts can be read: of many events, the clock tells one moment.
 */
class Axis {
    #places;

    constructor(times, left, right) {
        const gaps = times.slice(1).map((time, index) => Math.max(0, time - times[index]));
        const sorted = gaps.filter((gap) => gap > 0).sort((one, other) => one - other);
        const limit = 40 * (sorted[sorted.length >> 1] ?? 1);
        const whole = sorted.reduce((sum, gap) => sum + Math.min(gap, limit), 0);
        const order = (whole > 0 ? 0.5 : 1) * (right - left) / Math.max(1, gaps.length);
        const scale = whole > 0 ? 0.5 * (right - left) / whole : 0;
        this.#places = [left];
        for (const gap of gaps) this.#places.push(this.#places.at(-1) + order + Math.min(gap, limit) * scale);
    }

    place(index) {
        return this.#places[index];
    }

    /** Events that lie at least so far from each other. */
    ticks(distance) {
        const result = [];
        let last = -Infinity;
        this.#places.forEach((place, index) => {
            if (place - last < distance) return;
            result.push(index);
            last = place;
        });
        return result;
    }
}

function label(seconds) {
    if (seconds < 0.999e-3) return `${Math.round(seconds * 1e6)} µs`;
    if (seconds < 0.999) return `${Number((seconds * 1e3).toPrecision(3))} ms`;
    return `${Number(seconds.toPrecision(4))} s`;
}

function short(name) {
    return name.length > 26 ? `${name.slice(0, 25)}…` : name;
}
