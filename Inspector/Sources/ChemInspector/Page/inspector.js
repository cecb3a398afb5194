// What is shown, asked for five times a second.

import { setText, number, rate, keep, element } from "/elements.js";
import { ask, takeToken } from "/server.js";
import { Courses } from "/rates.js";
import { DefinitionsView, CallsView } from "/definitions.js";
import { TimelineView } from "/timeline.js";
import { StuckView } from "/stuck.js";

const interval = 200;
const tabs = ["definitions", "calls", "timeline", "stuck"];
/** Of how many rounds each asks, for what costs the program more. */
const rounds = { programs: 5, timeline: 2, stuck: 5 };

const $ = (selector) => document.querySelector(selector);

/** What is looked at; it stands in the address, so that the browser's buttons lead back and forth. */
class Route {
    constructor(fields) {
        Object.assign(this, { program: "", tab: "definitions", group: undefined, definition: undefined, from: undefined }, fields);
    }

    static get current() {
        const [program, tab, kind, id] = location.hash.replace(/^#\/?/, "").split("/").map((part) => {
            try { return decodeURIComponent(part); } catch { return ""; }
        });
        return new Route({
            program: program ?? "",
            tab: tabs.includes(tab) ? tab : "definitions",
            ...(kind && id ? { [{ g: "group", d: "definition", e: "from" }[kind] ?? "other"]: id } : {}),
        });
    }

    get address() {
        const parts = [this.program, this.tab];
        if (this.group !== undefined) parts.push("g", this.group);
        else if (this.definition !== undefined) parts.push("d", this.definition);
        else if (this.from !== undefined) parts.push("e", String(this.from));
        return `#/${parts.map(encodeURIComponent).join("/")}`;
    }
}

takeToken();
let route = Route.current;
let courses = new Courses();
let programs = [];
let isPaused = false;
/** A recording doesn't change; programs that come are looked for nevertheless. */
let isRecording = false;
let isInTrouble = false;
/** Whether what is chosen has just changed, so that it is asked for even if the numbers stand still. */
let isNew = true;
let round = 0;
let wake = () => {};

const definitions = new DefinitionsView((choice) => go({ tab: "definitions", ...choice }));
const calls = new CallsView((choice) => go({ tab: "definitions", ...choice }));
const timeline = new TimelineView((choice) => go({ tab: "timeline", ...choice }));
const stuck = new StuckView();

// MARK: Going elsewhere

function go(fields) {
    location.hash = new Route({ program: route.program, ...fields }).address;
}

$(".skip").addEventListener("click", (event) => {
    // The address says what is looked at.
    event.preventDefault();
    $("#content").focus();
});

addEventListener("hashchange", () => {
    takeToken();
    const next = Route.current;
    if (next.program !== route.program) {
        courses = new Courses();
        definitions.forget();
        for (const path of document.querySelectorAll(".tile path")) path.removeAttribute("d");
    }
    route = next;
    isNew = true;
    showTab();
    wake();
});

function showTab() {
    for (const name of tabs) {
        const isShown = name === route.tab;
        const tab = $(`#tab-${name}`);
        tab.setAttribute("aria-selected", String(isShown));
        tab.tabIndex = isShown ? 0 : -1;
        $(`#${name}`).hidden = !isShown;
    }
}

// MARK: Asking

/** What has failed, and what is shown instead of an answer. */
async function attempt(question, answered, refused) {
    try {
        await answered(await question);
    } catch (error) {
        if (error.status === undefined) throw error;
        refused(error);
    }
}

async function look() {
    const wasNew = isNew;
    const isDue = (part) => wasNew || round % rounds[part] === 0;
    isNew = false;
    round += 1;
    if (isDue("programs")) {
        const list = await ask("programs");
        programs = list.programs;
        showPrograms(list);
    }
    const program = programs.find((program) => program.id === route.program) ?? (route.program ? undefined : programs[0]);
    if (!program && !route.program) return showNobody();
    // One that has ended is asked as well: the server knows what to say about it.
    const id = program?.id ?? route.program;
    if (!route.program) {
        history.replaceState(null, "", new Route({ ...route, program: id }).address);
        route = Route.current;
    }
    const address = route.address;
    const api = (...path) => ask("programs", id, ...path);
    // An answer that comes after somebody has gone elsewhere is for nobody.
    const isCurrent = () => route.address === address;
    const questions = [
        attempt(api("overview"), (overview) => { if (route.program === id) showOverview(overview); }, (error) => { throw error; }),
    ];
    if (route.tab === "definitions" && route.group !== undefined) {
        questions.push(attempt(api("groups", route.group), (group) => {
            if (!isCurrent()) return undefined;
            // Of one that is alone, all is shown.
            if (group.definitions === 1 && group.members.length === 1) {
                return attempt(api("definitions", group.members[0].id), (one) => definitions.showDefinition(one, true),
                    () => definitions.showGroup(group));
            }
            return definitions.showGroup(group);
        }, (error) => definitions.showRefusal(error.message)));
    } else if (route.tab === "definitions" && route.definition !== undefined) {
        questions.push(attempt(api("definitions", route.definition), (one) => {
            if (isCurrent()) definitions.showDefinition(one, false);
        }, (error) => definitions.showRefusal(error.message)));
    } else if (route.tab === "definitions") {
        definitions.showNothing();
    } else if (route.tab === "timeline" && (address !== shown || isDue("timeline"))) {
        const query = route.from === undefined ? {} : { from: route.from };
        questions.push(attempt(api("events", query), (answer) => { if (isCurrent()) timeline.show(answer); }, () => {}));
    } else if (route.tab === "stuck" && (address !== shown || isDue("stuck"))) {
        questions.push(attempt(api("stuck"), (report) => { if (isCurrent()) stuck.show(report); },
            (error) => stuck.showRefusal(error.message)));
    }
    shown = address;
    await Promise.all(questions);
}

/** The address that was last asked for. */
let shown;

async function run() {
    showTab();
    while (true) {
        const begin = performance.now();
        // A window that nobody sees asks nothing.
        if (!document.hidden && (!isPaused || isNew)) {
            try {
                await look();
                isInTrouble = false;
                notice("");
            } catch (error) {
                isInTrouble = true;
                showTrouble(error);
                // What isn't an answer is a mistake of this page, which goes on with the next answer.
                if (error.status === undefined) console.error(error);
            }
        }
        // What has been chosen meanwhile is asked for at once.
        const rest = isNew ? 0 : isPaused || document.hidden ? 3_600_000
            : Math.max(40, (isRecording || isInTrouble ? 1000 : interval) - (performance.now() - begin));
        await new Promise((resolve) => {
            const timer = setTimeout(resolve, rest);
            wake = () => { clearTimeout(timer); resolve(); };
        });
        // A question during this one has changed nothing about it.
        wake = () => {};
    }
}

// MARK: Showing

function showPrograms(list) {
    const select = $("#programs");
    const known = [...programs];
    if (route.program && !known.some((program) => program.id === route.program)) {
        known.push({ id: route.program, program: `${route.program} (gone)` });
    }
    keep(select, known, (program) => program.id, (program) => element("option", { value: program.id }), (option, program) => {
        const names = [program.program];
        if (program.machine && program.machine !== program.program) names.push(program.machine);
        if (program.process) names.push(`process ${program.process}`);
        if (program.answers === false) names.push("doesn't answer");
        setText(option, names.join(" · "));
    });
    for (const option of [...select.options]) if (!option.value) option.remove();
    select.value = route.program || known[0]?.id || "";
    setText($("#looked"), list.directory ? `Looked for in ${list.directory}.` : "");
}

function showNobody() {
    $("#empty").hidden = false;
    for (const part of ["#tiles", "#tabs", "#content"]) $(part).hidden = true;
    lamp("idle", "no program");
}

function showOverview(overview) {
    $("#empty").hidden = true;
    for (const part of ["#tiles", "#tabs", "#content"]) $(part).hidden = false;
    const time = overview.time;
    isRecording = overview.recording === true;
    const whole = courses.course("machine");
    whole.add(time, overview.started);
    const names = new Set(["machine", "definitions", "running", "waiting", "failed"]);
    for (const group of overview.groups) {
        const course = courses.course(group.id);
        course.add(time, group.started);
        group.rate = course.rate;
        names.add(group.id);
    }
    courses.keepOnly(names);
    tile("rate", rate(whole.rate), whole.rateLine(96, 24));
    for (const [name, value] of [["definitions", overview.definitions], ["running", overview.running],
        ["waiting", overview.waitingCalls], ["failed", overview.failed]]) {
        const course = courses.course(name);
        course.add(time, value);
        tile(name, number(value), course.line(96, 24));
    }
    const oldest = overview.oldestCalls[0]?.wait ?? 0;
    $("#tile-waiting").classList.toggle("alarm", oldest > 1);
    $("#tile-failed").classList.toggle("alarm", overview.failed > 0);
    definitions.showGroups(overview, route.group, courses);
    calls.show(overview);
    const recorder = { off: "nothing recorded", flight: "flight recorder on", full: "everything recorded" }[overview.recorder];
    if (overview.recording) lamp("idle", `a recording of ${number(overview.events)} events`);
    else lamp(isPaused ? "paused" : "live", `${isPaused ? "stopped" : "live"}, ${recorder ?? overview.recorder}`);
    document.title = `${overview.program} – ChemActors Inspector`;
}

function tile(name, text, line) {
    setText($(`#tile-${name} b`), text);
    $(`#tile-${name} path`).setAttribute("d", line);
}

function lamp(state, text) {
    $("#status .lamp").className = `lamp ${state}`;
    setText($("#status .text"), text);
}

function showTrouble(error) {
    notice(error.status === 410 ? "This program has ended. What is shown is how it was last." : error.message);
    lamp("trouble", { 0: "no inspector", 401: "no token", 410: "ended", 504: "doesn't answer" }[error.status] ?? "trouble");
}

function notice(text) {
    $("#notice").hidden = !text;
    setText($("#notice"), text);
}

// MARK: Hands

function pause() {
    isPaused = !isPaused;
    $("#pause").setAttribute("aria-pressed", String(isPaused));
    setText($("#pause"), isPaused ? "Go on" : "Pause");
    isNew = true;
    wake();
}

const themes = ["system", "light", "dark"];

function setTheme(theme) {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem("chem-inspector-theme", theme);
    setText($("#theme"), `Theme: ${theme}`);
}

let theme = localStorage.getItem("chem-inspector-theme") ?? "system";
setTheme(themes.includes(theme) ? theme : "system");
$("#theme").addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    setTheme(theme);
});
$("#pause").addEventListener("click", pause);
$("#help").addEventListener("click", () => $("#keys").showModal());
$("#programs").addEventListener("change", (event) => {
    location.hash = new Route({ program: event.target.value, tab: route.tab }).address;
});
$("#tabs").addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) go({ tab: tab.getAttribute("aria-controls") });
});
$("#tabs").addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    const place = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1
        : steps[event.key] ? (tabs.indexOf(route.tab) + steps[event.key] + tabs.length) % tabs.length : undefined;
    if (place === undefined) return;
    go({ tab: tabs[place] });
    $(`#tab-${tabs[place]}`).focus();
    event.preventDefault();
});
addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("#keys").open) return;
    const isTyping = event.target.matches("input, select");
    if (event.key === "Escape") {
        if (isTyping) {
            // What was typed stays: the browser would clear it.
            event.preventDefault();
            event.target.blur();
        } else if (route.group !== undefined || route.definition !== undefined) {
            const row = $("#groups tr[aria-selected=true] button");
            go({ tab: "definitions" });
            row?.focus();
        }
        return;
    }
    if (isTyping) return;
    if (["1", "2", "3", "4"].includes(event.key)) {
        go({ tab: tabs[event.key - 1] });
        $(`#tab-${tabs[event.key - 1]}`).focus();
    } else if (event.key === "/") {
        if (route.tab !== "definitions") go({ tab: "definitions" });
        showTab();
        setTimeout(() => $("#filter").focus());
        event.preventDefault();
    } else if (event.key === "?") {
        $("#keys").showModal();
    } else if (event.key === " " && !event.target.matches("button, summary")) {
        pause();
        event.preventDefault();
    } else if (event.key === "ArrowDown" && event.target === document.body) {
        document.querySelector("[role=tabpanel]:not([hidden]) tbody button")?.focus();
        event.preventDefault();
    }
});
document.addEventListener("visibilitychange", () => wake());

await run();
