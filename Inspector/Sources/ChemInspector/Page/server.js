// What the inspector's server is asked.

const storage = "chem-inspector-token";

/** An answer that isn't what was asked for: its status (0 if there is none), and what it says. */
export class Refusal extends Error {
    constructor(status, text) {
        super(text);
        this.status = status;
    }
}

/**
 * Takes the token out of the address, so that it isn't in pictures of the window. It is kept for as long as the window
 * is open, and for it alone.
 */
export function takeToken() {
    const shown = location.hash.match(/^#([0-9a-f]{32})$/);
    if (!shown) return;
    sessionStorage.setItem(storage, shown[1]);
    history.replaceState(null, "", "#/");
}

/** Asks for `/api/…`. */
export async function ask(...path) {
    let query = "";
    if (typeof path.at(-1) === "object") query = `?${new URLSearchParams(path.pop())}`;
    const address = `/api/${path.map(encodeURIComponent).join("/")}${query}`;
    let response, answer;
    try {
        response = await fetch(address, {
            headers: { Authorization: `Bearer ${sessionStorage.getItem(storage) ?? ""}` },
            signal: AbortSignal.timeout(10_000),
        });
        answer = await response.json();
    } catch (error) {
        throw new Refusal(0, "chem-inspector doesn't answer any more. Start it again, and open the address it prints.");
    }
    if (response.status === 401) {
        throw new Refusal(401, "This window may not look. Open the address that chem-inspector has printed, with all that follows the #.");
    }
    if (!response.ok) throw new Refusal(response.status, answer.error ?? `${response.status}`);
    return answer;
}
