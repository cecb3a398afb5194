/// What the browser is asked: expressions of JavaScript.
enum Script {
    /// DocC draws a page when it has fetched the page's JSON.
    static let isDrawn = "document.querySelector('h1.title')"
    static let isMissing = "!!document.querySelector('.generic-error')"

    /// All pictures are there, also those that would be fetched when they come into view, or have had five seconds.
    static func isSettled(width: Int, isDark: Bool) -> String {
        """
        (document.querySelectorAll('img[loading=lazy]').forEach(image => image.loading = 'eager'),
            innerWidth === \(width)
            && matchMedia('(prefers-color-scheme: dark)').matches === \(isDark)
            && [...document.images].every(image => image.complete && image.naturalWidth
                || performance.now() - (image.since\(width)\(isDark) ??= performance.now()) > 5000))
        """
    }

    static let names = "[...document.querySelectorAll('[id]')].map(element => element.id)"

    static let links = """
        [...new Set([...document.querySelectorAll('a[href]')]
            .filter(link => link.origin === location.origin)
            .map(link => link.pathname + link.hash))]
        """

    /// A list of sentences.
    ///
    /// What is wider than its place is cut off where an element around it hides the rest, and has to be scrolled where
    /// one lets it be scrolled.
    static func flaws(withScrolling: Bool) -> String {
        """
        (() => {
            const found = new Set();
            const text = element => element.textContent.trim().replace(/\\s+/g, ' ').slice(0, 80);
            for (const image of document.images) {
                if (!image.naturalWidth) found.add(`the picture ${image.getAttribute('src')} doesn't load`);
            }
            if (document.documentElement.scrollWidth > innerWidth) found.add('the page itself scrolls sideways');
            for (const element of document.querySelectorAll('.doc-topic :is(pre, .source, table, img, svg.picture)')) {
                const inner = element.querySelector(':scope > code') ?? element;
                const edge = inner.getBoundingClientRect().left + Math.max(inner.scrollWidth, inner.offsetWidth);
                const kind = element.tagName.toLowerCase();
                for (let place = element; place && place !== document.body; place = place.parentElement) {
                    const overflow = getComputedStyle(place).overflowX;
                    if (overflow === 'visible') continue;
                    const canScroll = overflow === 'auto' || overflow === 'scroll';
                    if (canScroll && place.scrollWidth > place.clientWidth + 1) {
                        if (\(withScrolling)) found.add(`${kind} has to be scrolled: ${text(element)}`);
                        break;
                    }
                    if (!canScroll && edge > place.getBoundingClientRect().right + 1) {
                        found.add(`${kind} is cut off: ${text(element)}`);
                        break;
                    }
                }
            }
            return [...found];
        })()
        """
    }
}
