// Why calls wait: from each call down to what it comes from.

import { element, keep, setText, number, duration, place } from "/elements.js";

export class StuckView {
    constructor() {
        this.section = document.querySelector("#stuck");
        this.hint = element("p", { class: "hint" });
        this.note = element("p", { class: "note" },
            "Without a recorder, nobody knows which bodies would have made what is missing. Make the machine with recorder: .flight to see further.");
        this.list = element("div", { class: "explanations" });
        this.rest = element("p", { class: "rest" });
        this.section.append(this.hint, this.note, this.list, this.rest);
    }

    show(report) {
        this.hint.hidden = report.calls.length > 0;
        setText(this.hint, "No call waits.");
        this.note.hidden = !report.lacksRecorder || report.calls.length === 0;
        keep(this.list, report.calls, (call) => `${call.call} ${call.location} ${JSON.stringify(call.causes)}`,
            (call) => explanation(call),
            (part, call) => {
                setText(part.querySelector(".wait"), `${call.count > 1 ? `${number(call.count)} calls, the longest ` : ""}for ${duration(call.wait)}`);
            });
        this.rest.hidden = !report.otherCalls;
        setText(this.rest, report.otherCalls ? `${number(report.otherCalls)} other calls wait less.` : "");
    }

    showRefusal(text) {
        this.hint.hidden = false;
        setText(this.hint, text);
        this.note.hidden = true;
        this.rest.hidden = true;
        keep(this.list, [], (call) => call, explanation, () => {});
    }
}

function explanation(call) {
    return element("details", { open: !call.see },
        element("summary", {}, element("code", {}, call.call), " ", place(call.location), " has waited ", element("span", { class: "wait" })),
        call.see ? element("p", { class: "see" }, `for the same reason as ${call.see}, above`) : causes(call.causes));
}

function causes(list) {
    if (list.length === 0) return undefined;
    return element("ul", {}, ...list.map((cause) =>
        // What has no cause of its own is where to look.
        element("li", { class: cause.causes.length === 0 ? "root" : "" }, element("span", {}, cause.text), causes(cause.causes))));
}
