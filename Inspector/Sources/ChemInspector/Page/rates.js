// How fast numbers grow, and how they went.

/** For how long numbers are remembered, in seconds of the program. */
const memory = 60;
/** Over how long a rate is taken. */
const span = 1;

/** The last minute of a number. */
export class Course {
    #points = [];

    /** A time that isn't later than the last one brings nothing new: the program has told the same again. */
    add(time, value) {
        const last = this.#points.at(-1);
        if (last && time <= last.time) return;
        this.#points.push({ time, value });
        while (this.#points.length > 2 && this.#points[1].time < time - memory) this.#points.shift();
    }

    /** How much it has grown in a second, lately. Undefined before there are two points. */
    get rate() {
        return this.#rateAt(this.#points.length - 1);
    }

    #rateAt(index) {
        const point = this.#points[index];
        let before = index - 1;
        while (before > 0 && point.time - this.#points[before].time < span) before -= 1;
        if (before < 0) return undefined;
        return Math.max(0, point.value - this.#points[before].value) / (point.time - this.#points[before].time);
    }

    /** A line through the values in a box of that size, with the latest at its right edge. */
    line(width, height) {
        return this.#line(this.#points, width, height);
    }

    /** The same of the rates. */
    rateLine(width, height) {
        const rates = this.#points.map((point, index) => ({ time: point.time, value: this.#rateAt(index) }));
        return this.#line(rates.slice(1), width, height);
    }

    #line(points, width, height) {
        if (points.length < 2) return "";
        const end = points.at(-1).time;
        const top = Math.max(...points.map((point) => point.value));
        const x = (time) => (width * (1 - (end - time) / memory)).toFixed(1);
        // What is always zero lies at the bottom; what never changes otherwise, in the middle.
        const bottom = Math.min(...points.map((point) => point.value));
        const y = (value) => {
            const part = top === 0 ? 0 : top === bottom ? 0.5 : value / top;
            return (height - 1 - part * (height - 2)).toFixed(1);
        };
        return "M" + points.map((point) => `${x(point.time)} ${y(point.value)}`).join("L");
    }
}

/** Courses by name. Those that nobody has added to for long are forgotten. */
export class Courses {
    #all = new Map();

    course(name) {
        let course = this.#all.get(name);
        if (!course) this.#all.set(name, (course = new Course()));
        return course;
    }

    keepOnly(names) {
        for (const name of this.#all.keys()) if (!names.has(name)) this.#all.delete(name);
    }
}
