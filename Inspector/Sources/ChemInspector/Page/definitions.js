// The list of definitions by name, and what one of them, or all of one name, look like inside.

import { element, shape, keep, setText, number, rate, duration, place, walkRows } from "/elements.js";
import { show } from "/drawing.js";
import { eventLine } from "/timeline.js";

const columns = [
    { key: "name", title: "Definition", by: (group) => group.name, text: true },
    { key: "definitions", title: "Count", by: (group) => group.definitions },
    { key: "rate", title: "/ s", hint: "Reactions in a second", by: (group) => group.rate ?? -1 },
    { key: "running", title: "Running", by: (group) => group.running },
    { key: "waiting", title: "Waiting", by: (group) => group.waitingCalls },
    { key: "wait", title: "Longest", by: (group) => group.longestWait ?? -1 },
    { key: "failed", title: "Failed", by: (group) => group.failed },
];

export class DefinitionsView {
    /** Undefined as long as the order is the program's: who waits longest, then who has done most. */
    #sorting;
    #overview;

    /** @param go Called with `{ group }` or `{ definition }` when one is chosen. */
    constructor(go) {
        this.go = go;
        this.list = document.querySelector("#groups tbody");
        this.details = document.querySelector("#details");
        this.filter = document.querySelector("#filter");
        this.count = document.querySelector("#group-count");
        this.filter.addEventListener("input", () => this.#update());
        document.querySelector("#definitions").addEventListener("keydown", walkRows);
        document.querySelector("#groups thead tr").append(
            ...columns.map((column) =>
                element("th", { scope: "col", "data-column": column.key, class: column.text ? "" : "number" },
                    element("button", { type: "button", title: column.hint, onclick: () => this.#sort(column) }, column.title))),
        );
    }

    /** Shows the groups of an overview, whose rates have been put in. */
    showGroups(overview, chosen, courses) {
        this.#overview = { overview, chosen, courses };
        this.#update();
    }

    #sort(column) {
        const turned = this.#sorting?.column === column;
        // The third time, it is the program's order again.
        if (turned && this.#sorting.turned) this.#sorting = undefined;
        else this.#sorting = { column, turned };
        for (const header of document.querySelectorAll("#groups th")) {
            const isOwn = header.dataset.column === this.#sorting?.column.key;
            const isAscending = (this.#sorting?.turned ?? false) !== (column.text ?? false);
            if (isOwn) header.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
            else header.removeAttribute("aria-sort");
        }
        this.#update();
    }

    #update() {
        if (!this.#overview) return;
        const { overview, chosen, courses } = this.#overview;
        const wanted = this.filter.value.trim().toLowerCase();
        let groups = overview.groups;
        if (wanted) groups = groups.filter((group) => `${group.name} ${group.location}`.toLowerCase().includes(wanted));
        if (this.#sorting) {
            const { column, turned } = this.#sorting;
            const sign = turned !== (column.text ?? false) ? 1 : -1;
            groups = [...groups].sort((one, other) => {
                const [first, second] = [column.by(one), column.by(other)];
                return first < second ? -sign : first > second ? sign : 0;
            });
        }
        keep(this.list, groups, (group) => group.id, (group) => this.#row(group), (row, group) => {
            const [name, definitions, rateCell, running, waiting, wait, failed] = row.children;
            row.setAttribute("aria-selected", String(group.id === chosen));
            if (group.id === chosen) name.firstChild.setAttribute("aria-current", "true");
            else name.firstChild.removeAttribute("aria-current");
            setText(definitions, number(group.definitions));
            setText(rateCell.lastChild, rate(group.rate));
            rateCell.querySelector("path").setAttribute("d", courses.course(group.id).rateLine(56, 16));
            setText(running, group.running ? number(group.running) : "");
            setText(waiting, group.waitingCalls ? number(group.waitingCalls) : "");
            setText(wait, duration(group.longestWait));
            wait.classList.toggle("long", group.longestWait > 1);
            setText(failed, group.failed ? number(group.failed) : "");
        });
        const left = overview.otherGroups ? `, and ${number(overview.otherGroups)} more that are quieter` : "";
        setText(this.count, `${number(groups.length)} of ${number(overview.groups.length)} names${left}`);
    }

    #row(group) {
        return element("tr", { onclick: () => this.go({ group: group.id }) },
            element("td", {}, element("button", { type: "button", class: "name" }, group.name), " ", place(group.location)),
            element("td", { class: "number" }),
            element("td", { class: "number" }, shape("svg", { class: "spark", "aria-hidden": "true" }, shape("path")), element("span")),
            element("td", { class: "number" }), element("td", { class: "number" }), element("td", { class: "number" }),
            element("td", { class: "number" }));
    }

    // What is chosen

    showNothing() {
        this.#frame("nothing", () => [element("p", { class: "hint" }, "Choose a definition to see its chemistry.")]);
    }

    showRefusal(text) {
        this.#frame(`refusal ${text}`, () => [element("p", { class: "hint" }, text)]);
    }

    showGroup(group) {
        const parts = this.#frame(`group ${group.id}`, () => [
            this.#title(group, `${number(group.definitions)} of this name`),
            element("p", { class: "latencies" }),
            ...this.#picture(group),
            element("h3", {}, "Each of them"),
            table("members", ["Definition", "Phase", "Waiting", "Longest", "Running", "Present", "Reactions"], 2),
            element("p", { class: "rest" }),
        ]);
        setText(parts.querySelector(".subtitle"), `${number(group.definitions)} of this name`);
        this.#showLatencies(parts.querySelector(".latencies"), group.id);
        this.#showPicture(parts, group);
        keep(parts.querySelector(".members tbody"), group.members, (member) => member.id,
            (member) => row(element("button", { type: "button", class: "name", onclick: () => this.go({ definition: member.id }) }, `#${member.id}`),
                7, 2),
            (line, member) => fill(line, [undefined, member.phase, member.waitingCalls || "", duration(member.longestWait),
                member.running || "", member.present ?? "", number(member.started)]));
        rest(parts.querySelector(".rest"), group.otherMembers, "others wait less and have done less");
    }

    /** How long calls waited and bodies ran. */
    #showLatencies(paragraph, id) {
        const group = this.#overview?.overview.groups.find((group) => group.id === id);
        const text = (what, latencies) =>
            latencies ? [`${what} ${duration(latencies.half)} or less (half), ${duration(latencies.most)} or less (99 of 100)`] : [];
        const texts = [...text("Calls waited", group?.waits), ...text("Bodies ran", group?.bodies)];
        paragraph.hidden = texts.length === 0;
        setText(paragraph, texts.join(" · "));
    }

    /** @param isAlone Whether there is no other one of its name. */
    showDefinition(definition, isAlone) {
        const parts = this.#frame(`definition ${definition.id} ${isAlone}`, () => [
            this.#title(definition, ""),
            ...this.#picture(definition),
            element("h3", { class: "of-calls" }, "Who waits here"),
            table("waiters", ["Call", "For", "Called at"], 1),
            element("p", { class: "rest" }),
            element("h3", {}, "Reactions"),
            table("reactions", ["Inputs", "Lacks", "Declared at"], 9),
            element("h3", {}, "Molecules"),
            table("molecules", ["Name", "Kind", "Present", "Injected", "Consumed"], 2),
            element("h3", { class: "of-events" }, "What happened last"),
            element("ol", { class: "events" }),
        ]);
        const group = element("button", { type: "button", class: "name", onclick: () => this.go({ group: definition.group }) }, "all of this name");
        const facts = [definition.phase, definition.started === 1 ? "1 reaction so far" : `${number(definition.started)} reactions so far`];
        if (definition.failed) facts.push(`${number(definition.failed)} failed`);
        if (definition.retries) facts.push(`${number(definition.retries)} to be tried again`);
        const subtitle = parts.querySelector(".subtitle");
        if (!subtitle.firstElementChild) subtitle.replaceChildren(element("span"), ...(isAlone ? [] : [" · ", group]));
        setText(subtitle.firstChild, `#${definition.id} · ${facts.filter(Boolean).join(", ")}`);
        this.#showPicture(parts, definition);

        const calls = definition.waitingCalls;
        for (const part of parts.querySelectorAll(".of-calls, .waiters")) part.hidden = calls.length === 0;
        keep(parts.querySelector(".waiters tbody"), calls.map((call, index) => ({ ...call, index })), (call) => call.index,
            () => row(element("span"), 3, 1),
            (line, call) => {
                setText(line.children[0], call.call);
                setText(line.children[1], duration(call.wait));
                setPlace(line.children[2], call.location);
            });
        rest(parts.querySelector(".rest"), definition.otherCalls, "others wait less");
        keep(parts.querySelector(".reactions tbody"), definition.reactions, (reaction) => `${reaction.inputs} ${reaction.location}`,
            () => row(element("code"), 3, 9),
            (line, reaction) => {
                setText(line.children[0].firstChild, reaction.inputs);
                setText(line.children[1], reaction.missing?.join(", ") ?? "");
                setPlace(line.children[2], reaction.location);
            });
        keep(parts.querySelector(".molecules tbody"), definition.molecules, (molecule) => molecule.name,
            () => row(element("code"), 5, 2),
            (line, molecule) => {
                setText(line.children[0].firstChild, molecule.name);
                fill(line, [undefined, molecule.kind ?? "", known(molecule.present), known(molecule.injected), known(molecule.consumed)]);
            });
        for (const part of parts.querySelectorAll(".of-events, .events")) part.hidden = definition.events.length === 0;
        keep(parts.querySelector(".events"), [...definition.events].reverse(), (event) => `${event.time} ${event.kind} ${event.number} ${event.subject}`,
            (event) => element("li", { class: event.kind }, eventLine(event, definition.time)),
            (line, event) => setText(line, eventLine(event, definition.time)));
    }

    #title(what, subtitle) {
        return element("header", {},
            element("h2", {}, what.name), place(what.location), element("p", { class: "subtitle" }, subtitle));
    }

    #picture(what) {
        if (!what.drawing) return [element("p", { class: "hint" }, "It had ended before it was drawn: a flight recorder draws what still exists.")];
        return [element("div", { class: "picture", tabindex: "0", role: "group", "aria-label": "Its molecules and reactions" })];
    }

    #showPicture(parts, what) {
        if (what.drawing) show(what.drawing, parts.querySelector(".picture"));
    }

    /** Another program is shown, whose definitions may be numbered alike. */
    forget() {
        this.details.frameName = undefined;
    }

    /** What is shown already is filled anew; something else is built. */
    #frame(name, build) {
        if (this.details.frameName !== name) {
            this.details.frameName = name;
            this.details.replaceChildren(...build());
            this.details.scrollTop = 0;
        }
        return this.details;
    }
}

/** What waits longest in the whole machine. */
export class CallsView {
    constructor(go) {
        this.go = go;
        this.section = document.querySelector("#calls");
        this.section.addEventListener("keydown", walkRows);
        this.hint = element("p", { class: "hint" }, "No call waits.");
        this.table = table("calls", ["Call", "For", "Called at"], 1);
        this.section.append(this.hint, this.table);
    }

    show(overview) {
        const calls = overview.oldestCalls;
        this.hint.hidden = calls.length > 0;
        this.table.hidden = calls.length === 0;
        keep(this.table.querySelector("tbody"), calls.map((call, index) => ({ ...call, index })), (call) => call.index,
            () => row(element("button", { type: "button", class: "name", onclick: (event) => this.go({ definition: event.currentTarget.definition }) }), 3, 1),
            (line, call) => {
                const button = line.children[0].firstChild;
                button.definition = call.definition;
                setText(button, call.call);
                setText(line.children[1], duration(call.wait));
                line.children[1].classList.toggle("long", call.wait > 1);
                setPlace(line.children[2], call.location);
            });
    }
}

/** @param firstNumber From this column on, there are numbers, which stand at the right. */
function table(name, titles, firstNumber) {
    return element("table", { class: name },
        element("thead", {}, element("tr", {}, ...titles.map((title, index) =>
            element("th", { scope: "col", class: isNumber(index, firstNumber, titles.length) ? "number" : "" }, title)))),
        element("tbody"));
}

function row(first, count, firstNumber) {
    return element("tr", {}, element("td", {}, first), ...Array.from({ length: count - 1 }, (_, index) =>
        element("td", { class: isNumber(index + 1, firstNumber, count) ? "number" : "" })));
}

/** In a table of three, the last column is a place. */
function isNumber(index, firstNumber, count) {
    return index >= firstNumber && !(count === 3 && index === 2);
}

function fill(line, texts) {
    texts.forEach((text, index) => {
        if (text !== undefined) setText(line.children[index], String(text));
    });
}

function known(value) {
    return value === undefined ? "" : number(value);
}

function setPlace(cell, location) {
    if (cell.location === location) return;
    cell.location = location;
    cell.replaceChildren(location ? place(location) : "");
}

function rest(paragraph, count, what) {
    paragraph.hidden = !count;
    setText(paragraph, count ? `${number(count)} ${what}.` : "");
}
