// Made from openapi/box.json by web/codegen: `make web-types`. Not to be edited.

export interface paths {
    "/api/download/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download
         * @description A file of the workspace and of nowhere else; symbolic links are not followed.
         */
        get: operations["downloadWorkspaceFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health
         * @description Whether the browser runs, when it was last seen and used, who watches, and how smoothly.
         */
        get: operations["getLiveHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Healthz
         * @description For a liveness probe: the process answers.  No token.
         */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Speak MCP
         * @description A message of the Model Context Protocol (streamable HTTP, without sessions): `initialize`, `tools/list`, `tools/call`, `resources/read`. GET and DELETE, which are for sessions, answer 405. The tools are in docs/reference/mcp.md.
         */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics
         * @description Prometheus metrics.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readyz
         * @description For a readiness probe: requests are served, in a second line whether without a jail.  No token.
         *
         *     Nothing listens before every part is up.
         */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer
         * @description Answer what a page asks, with the events that a person's choice brings, or close it.
         */
        post: operations["browserAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/asks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Asks
         * @description What waits for a person: fields that one opened, and files that a page asks for; in all tabs, or in one.
         */
        get: operations["getBrowserAsks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Back
         * @description Go back in history; at its beginning the page stays and `moved` is false.
         */
        post: operations["browserBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/cdp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cdp Without Websocket
         * @description A WebSocket, for `connect_over_cdp` of Playwright and `connect` of Puppeteer.  A plain request is refused.
         */
        get: operations["connectBrowserCdp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/cdp/json/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cdp Targets
         * @description The open tabs, as Chromium's own debugging port would list them, each with a WebSocket of its own.
         */
        get: operations["getBrowserCdpTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/cdp/json/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cdp Version
         * @description What Chromium's own debugging port would say: how Playwright finds the WebSocket from a plain http address.
         *
         *     The address carries the caller's own credential, since the WebSocket that follows may carry no header.  Behind a
         *     control plane there is none here: the gateway puts the caller's there.
         */
        get: operations["getBrowserCdpVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/click": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Click
         * @description Click an element when it is there, shows, is enabled and would get the click.
         */
        post: operations["browserClick"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Console
         * @description What the tab's scripts logged and threw, the last 1,000; with `follow` as server-sent events.
         */
        get: operations["getBrowserConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Content
         * @description The page's HTML as it is now, after its scripts; with a selector what is inside that element.
         */
        get: operations["getBrowserContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/contexts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Contexts
         * @description Every saved context, the oldest first, with its size on disk.
         */
        get: operations["getBrowserContexts"];
        put?: never;
        /**
         * Create Context
         * @description Make a context, empty or as a copy of another one that is not in use; pass its id to start.
         */
        post: operations["createBrowserContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/contexts/{context_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Context
         * @description Delete a context with all it holds; refused while the browser uses it.
         */
        delete: operations["deleteBrowserContext"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/cookies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Cookies
         * @description The cookies of all sites, or those for one address; `httpOnly` and partitioned ones too.
         */
        get: operations["getBrowserCookies"];
        put?: never;
        /**
         * Set Cookies
         * @description Set cookies: all of them, or none when one cannot be set.
         */
        post: operations["setBrowserCookies"];
        /**
         * Delete Cookies
         * @description Delete cookies by name, by domain, by both; all of them when neither is given.
         */
        delete: operations["deleteBrowserCookies"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/crawl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Crawl
         * @description Visit pages from an address along its links, in tabs of their own.  A client that hangs up ends it.
         */
        post: operations["crawlBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/crawls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Crawls
         * @description Crawls that run, and the last twenty that ended.
         */
        get: operations["getBrowserCrawls"];
        put?: never;
        /**
         * Start Crawl
         * @description As `crawl`, but the answer comes at once and the crawl goes on by itself.
         */
        post: operations["startBrowserCrawl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/crawls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Crawl
         * @description How far a crawl has come, and the pages it has found.
         */
        get: operations["getBrowserCrawl"];
        put?: never;
        post?: never;
        /**
         * Cancel Crawl
         * @description End a crawl that runs; what it found stays.
         */
        delete: operations["cancelBrowserCrawl"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/crawls/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow Crawl
         * @description Server-sent events: `page` for each page, from the first one on, and `end` with the crawl's state.
         */
        get: operations["followBrowserCrawl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/dialog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open Dialog
         * @description The dialog that is open, if one is.
         */
        get: operations["getBrowserDialog"];
        put?: never;
        /**
         * Answer Dialog
         * @description Answer the open dialog; the page goes on.
         */
        post: operations["browserDialog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Downloads
         * @description Downloads since the box began, in the order they were started; the last hundred are kept.
         */
        get: operations["getBrowserDownloads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/downloads/{download_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch Download
         * @description The file itself, streamed, a part of it with `Range`; an attachment: a page's file must not run as ours.
         */
        get: operations["readBrowserDownload"];
        put?: never;
        post?: never;
        /**
         * Delete Download
         * @description Forget a download, with its file.
         */
        delete: operations["deleteBrowserDownload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/drag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drag
         * @description Drag with the mouse from one element or point to another; HTML drag and drop works too.
         */
        post: operations["browserDrag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/elements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Elements
         * @description What of the page can be acted on, with the refs that actions take; a snapshot's lines as values.
         */
        get: operations["getBrowserElements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/emulation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Emulate
         * @description Change locale, time zone, user agent and the like for every tab, those to come included.
         *
         *     What is left out stays as it is.  Init scripts are added, and run from each page's next document on.
         */
        post: operations["emulateBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Events
         * @description States, tabs, crashes, dialogs and downloads, the last 1,000; also over stops and starts.
         */
        get: operations["getBrowserEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute Script
         * @description Evaluate JavaScript in the page's own world, at the top level as in a console.
         *
         *     With `--evaluate isolated`, in a world that sees the DOM and not the page's own scripts; with `off`, never.
         */
        post: operations["executeBrowserScript"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/fill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill
         * @description Replace what a field holds, at once: with `beforeinput` and `input` events, without those of keys.
         */
        post: operations["browserFill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find Words
         * @description Find words on the page: all places are marked, and one is shown.
         */
        post: operations["browserFind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/forward": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forward
         * @description Go forward in history; at its end the page stays and `moved` is false.
         */
        post: operations["browserForward"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/hover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hover
         * @description Bring the pointer over an element.
         */
        post: operations["browserHover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Links
         * @description Every link of the page, its frames' too, absolute and with its text; with `frame` those of that frame.
         */
        get: operations["getBrowserLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/markdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Markdown
         * @description The rendered page as markdown: its main content, or all of it but the furniture.
         */
        get: operations["getBrowserMarkdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/navigate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Navigate To
         * @description Load an address and wait for it.  A download or a 204 leaves the page where it was, and says so.
         */
        post: operations["browserNavigate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/network": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Network
         * @description The tab's last 1,000 requests, failed ones too; with `follow` as server-sent events, one for each change.
         */
        get: operations["getBrowserNetwork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/network/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Request Details
         * @description One request with its headers, timing and what began it; without cookies, credentials, tokens and query values.
         */
        get: operations["getBrowserNetworkRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/network/{id}/body": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Response Body
         * @description The body of a response, decoded, as long as Chromium has it: until the tab goes to another page, mostly.
         */
        get: operations["getBrowserNetworkBody"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/partitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Partitions
         * @description Every partition, in the order they were made.
         */
        get: operations["getBrowserPartitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/partitions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Partition
         * @description Make a partition, or say what holds for tabs that one will have.
         *
         *     Its tabs share cookies and storage with each other and with no other tab.  They are never listed among the others
         *     nor active, so nobody who watches sees them; name them by id.  All of it is gone when the browser stops.
         */
        put: operations["putBrowserPartition"];
        post?: never;
        /**
         * Delete Partition
         * @description Throw a partition away, with its tabs, cookies and storage.
         */
        delete: operations["deleteBrowserPartition"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pdf
         * @description The page as a PDF, as it would be printed.
         */
        get: operations["getBrowserPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/press": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Press
         * @description Strike a key, with modifiers as in `Control+a`, in an element or where the focus is.
         */
        post: operations["browserPress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reload Page
         * @description Load the page again, with `ignoreCache` past the cache.
         */
        post: operations["browserReload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/scrape": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scrape Page
         * @description For each name the text of every element its selector matches, through open shadow roots and into frames.
         */
        post: operations["scrapeBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/screenshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Screenshot
         * @description A picture of what is in view, of an element, or of the whole page.  The tab need not be in front.
         */
        get: operations["takeBrowserScreenshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/scroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scroll
         * @description Scroll the page or what an element is in, by pixels; an element without pixels is brought into view.
         */
        post: operations["browserScroll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/select": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Select
         * @description Choose options of a `<select>`, with the input and change events that a person's choice brings.
         */
        post: operations["browserSelect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/selection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Selection
         * @description The words that are selected on the page, to be copied; never those of a password.
         */
        get: operations["getBrowserSelection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Snapshot
         * @description The page for a model: roles, names, values, states, and refs that actions take; with `since` only changes.
         */
        get: operations["getBrowserSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start
         * @description Start Chromium on a display of its own, or headless, and open the first page.
         */
        post: operations["startBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Status
         * @description How the browser is; also what is missing where it cannot be started.  `stderr` is not for the role `view`.
         */
        get: operations["getBrowserStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop
         * @description End Chromium and its display.  Not running is fine.
         */
        post: operations["stopBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/stop-loading": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop Loading
         * @description Stop what is on its way, as a browser's Stop does; whoever waits for it goes on with what has come.
         */
        post: operations["browserStopLoading"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Storage
         * @description Cookies, local storage and IndexedDB, in the form of Playwright's `storageState`.
         */
        get: operations["getBrowserStorage"];
        put?: never;
        /**
         * Set Storage
         * @description Put a storage state into the profile, beside what is there.  Sites see it from their next page on.
         */
        post: operations["setBrowserStorage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/tabs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Tabs
         * @description Every open tab, in the order they were opened.
         */
        get: operations["getBrowserTabs"];
        put?: never;
        /**
         * Create Tab
         * @description Open a tab, which becomes the active one unless it is a partition's, and load its address.
         */
        post: operations["createBrowserTab"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/tabs/{tab_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Close Tab
         * @description Close a tab.  Another one becomes active; closing the last one leaves a blank one.
         */
        delete: operations["closeBrowserTab"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/tabs/{tab_id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate Tab
         * @description Bring a tab to the front; it is the active one from now on.
         */
        post: operations["activateBrowserTab"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Text
         * @description The text of the page, or of an element, as it is rendered (`innerText`).
         */
        get: operations["getBrowserText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/type": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Type Text
         * @description Type into a field, key by key.  Dates, times, colours and ranges take their value as a whole.
         */
        post: operations["browserType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload Files
         * @description Give files to a file input, to what opens one, or without an element to the chooser that is open.
         *
         *     As JSON with the `path` of a file in the box, or as multipart with the files themselves.
         */
        post: operations["browserUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/viewport": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resize
         * @description Set the size of every tab's page, headful and headless.
         */
        post: operations["setBrowserViewport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browser/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait
         * @description Wait until an element, text, address, script or the page itself is as asked; `found` says whether it came.
         */
        post: operations["browserWait"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim
         * @description Give the box to a session, with what it may use and do, or move its times; one session only, ever.
         *
         *     Only the operator's token may.
         */
        post: operations["claimBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/control": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show
         * @description Who holds control now, until when, and who asked for it; with `until` once that has changed.
         */
        get: operations["getControl"];
        put?: never;
        /**
         * Move
         * @description Take, request, renew, release or give control as the agent, or ask for a person's help.
         *
         *     What a person holds an agent can ask for and wait for, not take; the operator can end anyone's with `force`.
         */
        post: operations["setControl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/accessibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accessibility
         * @description What the running programs tell a screen reader; `available: false` with a reason where there is no bus for it.
         */
        get: operations["getDesktopAccessibility"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/clipboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Clipboard
         * @description The content of a selection; text is empty where it has none.
         */
        get: operations["getDesktopClipboard"];
        put?: never;
        /**
         * Set Clipboard
         * @description Put text or a picture on a selection; it stays until another program takes its place.
         */
        post: operations["setDesktopClipboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/display/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Display Info
         * @description The display, its size, and what it is used for.
         */
        get: operations["getDesktopDisplayInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/display/resize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resize Display
         * @description Give the running screen another size, up to the one it was started with, without a restart.
         */
        post: operations["resizeDesktopDisplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/keyboard/down": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Down
         * @description Press a key and keep it down.
         */
        post: operations["keyDownDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/keyboard/press": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Press
         * @description Press a key or a combination and let it go.
         */
        post: operations["pressDesktopKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/keyboard/type": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Type Text
         * @description Type text, whatever the keyboard's layout; it answers when the last key is up.
         */
        post: operations["typeDesktopText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/keyboard/up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Up
         * @description Let a key or combination go.
         */
        post: operations["keyUpDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Launch
         * @description Start a program on the desktop; with `wait`, answer when its window is there, or after 5 s.
         */
        post: operations["launchDesktopApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/mouse/click": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Click
         * @description Move there and click, once or several times.
         */
        post: operations["clickDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/mouse/down": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Down
         * @description Press a button and keep it down.
         */
        post: operations["mouseDownDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/mouse/drag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drag
         * @description Press at the start, move to the end in steps, and let go.
         */
        post: operations["dragDesktopMouse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/mouse/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move
         * @description Move the pointer to a pixel of the screen.
         */
        post: operations["moveDesktopMouse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/mouse/position": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Position
         * @description Where the pointer is, and over which window.
         */
        get: operations["getDesktopMousePosition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/mouse/scroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scroll
         * @description Turn the wheel: deltas are notches, fractions add up.
         */
        post: operations["scrollDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/mouse/up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Up
         * @description Let a button go, after moving there where a place is given.
         */
        post: operations["mouseUpDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open Target
         * @description Open a file or an address with the program that is meant for it.
         */
        post: operations["openDesktopTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/recording/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start
         * @description Film the screen, at 1 to 60 frames a second, or a tab, at 1 to 8; 409 while another recording is active.
         */
        post: operations["startDesktopRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/recording/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop
         * @description Finish the film; it answers when the file is complete.
         */
        post: operations["stopDesktopRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recordings
         * @description Every recording in the state folder, those of earlier runs included.
         */
        get: operations["listDesktopRecordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/recordings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recording
         * @description One recording; `bytes` grows while it is being made.
         */
        get: operations["getDesktopRecording"];
        put?: never;
        post?: never;
        /**
         * Delete
         * @description Delete a recording and its film; 409 while it is being made.
         */
        delete: operations["deleteDesktopRecording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/recordings/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download
         * @description The film; while it is being recorded, as far as it has got.
         */
        get: operations["downloadDesktopRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/screenshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Screenshot
         * @description The whole screen.
         */
        get: operations["takeDesktopScreenshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/screenshot/region": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Region
         * @description A part of the screen; what lies over its edge is cut off.
         */
        get: operations["takeDesktopRegionScreenshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start
         * @description Start the desktop; active already, its status is the answer.  409 while a browser has the display.
         */
        post: operations["startDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Status
         * @description What runs, what is missing, what went wrong last, and the windows that are open.
         */
        get: operations["getDesktopStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop
         * @description Stop the desktop and all that runs on it, completing a recording.
         */
        post: operations["stopDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/stream/signaling": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Signaling Without Upgrade
         * @description A WebSocket with Neko's messages; a plain request is refused.
         */
        get: operations["connectDesktopStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/stream/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream Start
         * @description Let viewers connect by WebRTC; 409 without a display, or with `--webrtc off`.
         */
        post: operations["startDesktopStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/stream/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream Status
         * @description Whether viewers can connect by WebRTC; a headful browser has a stream from its start.
         */
        get: operations["getDesktopStreamStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/stream/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream Stop
         * @description End the stream; viewers are disconnected.
         */
        post: operations["stopDesktopStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Windows
         * @description Every window, from the bottom to the top.
         */
        get: operations["listDesktopWindows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/windows/focused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Focused
         * @description The window that has the keyboard.
         */
        get: operations["getDesktopFocusedWindow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/windows/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close
         * @description Ask a window to close, as its close button would.
         */
        post: operations["closeDesktopWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/windows/{id}/focus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Focus
         * @description Bring a window to the front and give it the keyboard; a minimised one is shown again.
         */
        post: operations["focusDesktopWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/windows/{id}/maximize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Maximize
         * @description Let a window fill the screen.
         */
        post: operations["maximizeDesktopWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/windows/{id}/minimize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Minimize
         * @description Hide a window; `focus` shows it again.
         */
        post: operations["minimizeDesktopWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/windows/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move
         * @description Move a window: the upper left corner of its frame goes to this place.
         */
        post: operations["moveDesktopWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/desktop/windows/{id}/resize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resize
         * @description Give a window another size; a terminal snaps to its cells.
         */
        post: operations["resizeDesktopWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/egress/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Log
         * @description Each connection: when it is decided and, in the stream, again when it ends.
         */
        get: operations["getEgressLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/egress/loosen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Loosen
         * @description Put permissions before the policy in force, or have it learn, for as long as the box runs; the operator may.
         *
         *     It holds when this answers.  Asking twice is as good as once.
         */
        post: operations["loosenEgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/egress/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Policy
         * @description The policy in force.
         */
        get: operations["getEgressPolicy"];
        /**
         * Set Policy
         * @description Replace the policy.  It holds when this answers, and connections that it does not allow are cut.
         *
         *     Whoever drives the box may only tighten: put `deny` rules before what is there, or allow nothing at all.
         */
        put: operations["setEgressPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/egress/restrict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restrict
         * @description Put refusals before the policy in force, for as long as the box runs; whoever drives it may.
         *
         *     It holds when this answers, and connections that it does not allow are cut.  Asking twice is as good as once.
         */
        post: operations["restrictEgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/egress/suggestion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Suggestion
         * @description After a time in learn mode: the policy that fits.
         */
        get: operations["getEgressSuggestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Events
         * @description What agent, person, page and policy did, oldest first, as far as the caller's role may be told.
         *
         *     Everything that happened before it is asked for is in it.  With `follow` as server-sent events, and then what comes;
         *     after a cut `Last-Event-ID` goes on where it ended, without losing or doubling anything.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Events
         * @description The whole record, as other programs read it; it is sent as it is made.
         */
        get: operations["exportEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/marks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark
         * @description Mark this moment, to find it again in the record and in films; with `film` also keep the minutes before it.
         */
        post: operations["markEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/pictures/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Picture
         * @description A picture that events of kind `screen` name.
         */
        get: operations["getEventPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Proof
         * @description The public half of the key that signs the record, and its last head: over all that happened until now.
         */
        get: operations["getEventsProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Entries
         * @description What is in a directory, by name.
         */
        get: operations["listFsEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/entry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Entry
         * @description Delete a file or an empty directory; with `recursive` a directory and everything in it.
         */
        delete: operations["deleteFsEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read File
         * @description A regular file, streamed; a part of it with `Range`.
         */
        get: operations["readFsFile"];
        /**
         * Write File
         * @description Write a file, with the directories on the way.  It is there whole or not at all.
         */
        put: operations["writeFsFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/mkdir": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make Directory
         * @description Make a directory, with those on the way; one that is there already is fine.
         */
        post: operations["mkdirFs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move
         * @description Move or rename; what is there already is replaced only with `overwrite`.
         */
        post: operations["moveFs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/stat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stat
         * @description What a path names; of a symbolic link, the link itself.
         */
        get: operations["statFs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/upload-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload Batch
         * @description Unpack a tar archive into a directory, which is made where it is missing.
         */
        post: operations["uploadFsBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health
         * @description Published clients wait for `status: "ok"` before their first call.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/live/glance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Glance
         * @description What is shown and who drives it, without a picture; asking for it is no use of a box.
         */
        get: operations["getLiveGlance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/live/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make Link
         * @description A one-time link that opens the viewer page, for a person to watch or to take over from whoever asks.
         */
        post: operations["createLiveLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Processes
         * @description Running and ended processes, in the order they were started.
         */
        get: operations["listProcesses"];
        put?: never;
        /**
         * Create Process
         * @description Start a program that goes on running.
         */
        post: operations["createProcess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Config
         * @description The limits of the process runtime.
         */
        get: operations["getProcessConfig"];
        put?: never;
        /**
         * Set Config
         * @description Set all limits at once.  `defaultRunTimeoutMs` is lowered to `maxRunTimeoutMs` where it is above.
         */
        post: operations["setProcessConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run Process
         * @description Run a program to its end and answer with its output.  A client that hangs up ends it.
         */
        post: operations["runProcess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Process
         * @description One process.
         */
        get: operations["getProcess"];
        put?: never;
        post?: never;
        /**
         * Delete Process
         * @description Forget a process that has ended, with its log.  Streams that follow it end.
         */
        delete: operations["deleteProcess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/{id}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send Input
         * @description Write to the standard input or terminal of a process.  One that leaves it unread for 5 s is a conflict.
         */
        post: operations["sendProcessInput"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/{id}/kill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Kill Process
         * @description Kill a process with everything it started (SIGKILL).
         */
        post: operations["killProcess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Logs
         * @description What a process wrote, as far as it is kept: at once, or as server-sent events that go on until it is deleted.
         */
        get: operations["getProcessLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop Process
         * @description Ask a process and its group to end (SIGTERM).  The answer says whether it has; otherwise there is `kill`.
         */
        post: operations["stopProcess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/{id}/terminal/resize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resize Terminal
         * @description Resize the terminal of a process.
         */
        post: operations["resizeProcessTerminal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/processes/{id}/terminal/ws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Terminal Needs A Websocket
         * @description A WebSocket: the terminal of a process (see the guide).  A plain request is refused.
         */
        get: operations["connectProcessTerminal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint
         * @description Sign a token for somebody else, to drive or only to watch, and a one-time link that opens the viewer page.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/view/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign In
         * @description Exchange a one-time link's ticket, or a token, for the cookie that the viewer page and its WebSocket use.
         */
        post: operations["signInToView"];
        /**
         * Sign Out
         * @description Forget the cookie in this browser.
         */
        delete: operations["signOutOfView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** BrowserActionResponse */
        BrowserActionResponse: {
            /** @description A dialog that the action opened. */
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /** @description A file that the action began to save. */
            download?: components["schemas"]["BrowserStartedDownload"] | null;
            /** @description Set when the page asked for files. */
            fileChooser?: components["schemas"]["BrowserFileChooser"] | null;
            /**
             * Navigated
             * @description The address of the document that the action led to.
             */
            navigated?: string | null;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
            /** @description A tab that the action opened. */
            popup?: components["schemas"]["BrowserPopup"] | null;
            /** @description With `report: true`. */
            report?: components["schemas"]["BrowserReport"] | null;
        };
        /**
         * BrowserAnswerRequest
         * @description The answer to one ask; `cancel` where there is none.
         */
        BrowserAnswerRequest: {
            /**
             * Cancel
             * @description Close it, as with the Escape key; the page stays as it is.
             * @default false
             */
            cancel?: boolean;
            /** @description With `permission`. */
            decision?: components["schemas"]["BrowserPermissionDecision"] | null;
            /** Id */
            id: string;
            /**
             * Indexes
             * @description With `select`: the options to choose, counted from 0 as they came.
             */
            indexes?: number[] | null;
            /**
             * Password
             * @description With `auth`.
             */
            password?: string | null;
            /** @description With `permission`: where the browser is. */
            position?: components["schemas"]["BrowserGeolocation"] | null;
            /**
             * Save
             * @description With `menu`: save the picture, as a download of the browser.
             * @default false
             */
            save?: boolean;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /**
             * Username
             * @description With `auth`.
             */
            username?: string | null;
            /**
             * Value
             * @description What to write into the field; empty clears it. With `select`: the label or value of an option, also of one that was left out.
             */
            value?: string | null;
        };
        /**
         * BrowserAsk
         * @description Something that a page waits for a person with: Chromium's own widget for it is in no picture of the page.
         */
        BrowserAsk: {
            /**
             * Accept
             * @description With `file`: which files the page would like, as in HTML.
             */
            accept?: string | null;
            /** @description Absent where the field is not in the main frame. */
            box?: components["schemas"]["BrowserAskBox"] | null;
            /**
             * Directory
             * @description With `file`: whether it wants all files of a folder.
             */
            directory?: boolean | null;
            /**
             * Editable
             * @description With `menu`: whether text can be put there.
             */
            editable?: boolean | null;
            /** Id */
            id: string;
            /**
             * Image
             * @description With `menu`: the address of the picture that was clicked.
             */
            image?: string | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "select" | "date" | "time" | "datetime-local" | "month" | "week" | "color" | "datalist" | "file" | "menu" | "auth" | "permission" | "print";
            /**
             * Label
             * @description What the page calls the field.
             * @default
             */
            label: string;
            /**
             * Link
             * @description With `menu`: where the link leads that was clicked.
             */
            link?: string | null;
            /** Max */
            max?: string | null;
            /** Min */
            min?: string | null;
            /**
             * More
             * @description Options that are left out here; they can be named by their label.
             */
            more?: number | null;
            /** Multiple */
            multiple?: boolean | null;
            /** Options */
            options?: components["schemas"]["BrowserAskOption"][] | null;
            /**
             * Origin
             * @description Whose document asks: of `file`, `permission` and `print` the frame's, in Chromium's words; with `auth` the server that asks for a name and a password.
             */
            origin?: string | null;
            /** @description With `permission`: what the site wants to be allowed. */
            permission?: components["schemas"]["BrowserPermission"] | null;
            /**
             * Positionneeded
             * @description With `permission`: whether allowing it takes a `position`, as nothing else knows one.
             */
            positionNeeded?: boolean | null;
            /** Required */
            required?: boolean | null;
            /**
             * Site
             * @description With `file`, `permission` and `print`: the site that the tab shows, which may be another.
             */
            site?: string | null;
            /** Step */
            step?: string | null;
            /** Tabid */
            tabId: string;
            /**
             * Text
             * @description With `menu`: the words that are selected.
             */
            text?: string | null;
            /** Value */
            value?: string | null;
            /**
             * Waiting
             * @description With `permission`: how many more the page waits for after this.
             */
            waiting?: number | null;
        };
        /**
         * BrowserAskBox
         * @description Where the field is on the page, in CSS pixels of the main frame's viewport.
         */
        BrowserAskBox: {
            /** H */
            h: number;
            /** W */
            w: number;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /** BrowserAskListResponse */
        BrowserAskListResponse: {
            /** Asks */
            asks: components["schemas"]["BrowserAsk"][];
        };
        /** BrowserAskOption */
        BrowserAskOption: {
            /** Disabled */
            disabled?: boolean | null;
            /**
             * Group
             * @description The label of its `optgroup`.
             */
            group?: string | null;
            /** Label */
            label: string;
            /** Selected */
            selected?: boolean | null;
            /**
             * Value
             * @description With `datalist`: what choosing it would write.
             */
            value?: string | null;
        };
        /**
         * BrowserCdpTarget
         * @description A tab, in the names of a debugging port.
         */
        BrowserCdpTarget: {
            /** Id */
            id: string;
            /** Title */
            title: string;
            /**
             * Type
             * @default page
             */
            type: string;
            /** Url */
            url: string;
            /** Websocketdebuggerurl */
            webSocketDebuggerUrl: string;
        };
        /**
         * BrowserCdpVersion
         * @description Chromium's own names, which clients look for.
         */
        BrowserCdpVersion: {
            /** Browser */
            Browser: string;
            /** Protocol-Version */
            "Protocol-Version": string;
            /** User-Agent */
            "User-Agent": string;
            /** V8-Version */
            "V8-Version": string;
            /** Websocketdebuggerurl */
            webSocketDebuggerUrl: string;
        };
        /** BrowserClickRequest */
        BrowserClickRequest: {
            /** @default left */
            button?: components["schemas"]["BrowserMouseButton"];
            /**
             * Clickcount
             * @description 2 is a double click.
             * @default 1
             */
            clickCount?: number;
            /**
             * Failfast
             * @description Refuse a covered or disabled element as soon as nothing is changing, not at the deadline.
             * @default false
             */
            failFast?: boolean;
            /**
             * Force
             * @description Only find it and scroll to it; check nothing else.
             * @default false
             */
            force?: boolean;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Modifiers
             * @description Keys held meanwhile.
             * @default []
             */
            modifiers?: components["schemas"]["BrowserKeyModifier"][];
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /**
         * BrowserColorScheme
         * @enum {string}
         */
        BrowserColorScheme: "light" | "dark" | "no-preference";
        /**
         * BrowserConsoleLevel
         * @enum {string}
         */
        BrowserConsoleLevel: "log" | "warn" | "error" | "info" | "debug";
        /** BrowserConsoleMessage */
        BrowserConsoleMessage: {
            /** @description Uncaught exceptions and unhandled rejections are `error`. */
            level: components["schemas"]["BrowserConsoleLevel"];
            /**
             * Line
             * @description 1-based.
             */
            line?: number | null;
            /** Text */
            text: string;
            /**
             * Timestamp
             * Format: date-time
             */
            timestamp: string;
            /** Url */
            url?: string | null;
        };
        /**
         * BrowserConsoleResponse
         * @description Oldest first.
         */
        BrowserConsoleResponse: {
            /**
             * Cursor
             * @description Give it as `since` to get only what comes after this answer.
             */
            cursor: number;
            /** Messages */
            messages: components["schemas"]["BrowserConsoleMessage"][];
        };
        /** BrowserContentResponse */
        BrowserContentResponse: {
            /** Html */
            html: string;
            /** Title */
            title: string;
            /**
             * Truncated
             * @description True when `maxChars` cut it.
             */
            truncated?: boolean | null;
            /** Url */
            url: string;
        };
        /** BrowserContextCreateRequest */
        BrowserContextCreateRequest: {
            /**
             * Copyof
             * @description A context whose profile to begin with.
             */
            copyOf?: string | null;
            /** Name */
            name: string;
        };
        /** BrowserContextInfo */
        BrowserContextInfo: {
            /** Createdat */
            createdAt: string;
            /** Id */
            id: string;
            /**
             * Inuse
             * @description Whether the running browser uses it.
             */
            inUse: boolean;
            /** Name */
            name: string;
            /** Sizebytes */
            sizeBytes: number;
        };
        /** BrowserContextListResponse */
        BrowserContextListResponse: {
            /** Contexts */
            contexts: components["schemas"]["BrowserContextInfo"][];
        };
        /** BrowserCookie */
        BrowserCookie: {
            /**
             * Domain
             * @description With a leading dot it also counts for what is below.
             */
            domain: string;
            /**
             * Expires
             * @description Seconds since 1970; -1 for a cookie that ends with the browser.
             */
            expires: number;
            /** Httponly */
            httpOnly: boolean;
            /** Name */
            name: string;
            partitionKey?: components["schemas"]["BrowserCookiePartitionKey"] | null;
            /** Path */
            path: string;
            /**
             * @description Lax where the site did not say: how it is treated.
             * @default Lax
             */
            sameSite: components["schemas"]["BrowserCookieSameSite"];
            /** Secure */
            secure: boolean;
            /** Value */
            value: string;
        };
        /**
         * BrowserCookiePartitionKey
         * @description The site in whose pages a partitioned cookie exists.
         */
        BrowserCookiePartitionKey: {
            /**
             * Hascrosssiteancestor
             * @default false
             */
            hasCrossSiteAncestor?: boolean;
            /**
             * Toplevelsite
             * @example https://example.com
             */
            topLevelSite: string;
        };
        /**
         * BrowserCookieSameSite
         * @enum {string}
         */
        BrowserCookieSameSite: "Strict" | "Lax" | "None";
        /** BrowserCookiesDeleteResponse */
        BrowserCookiesDeleteResponse: {
            /** Deleted */
            deleted: number;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
        };
        /** BrowserCookiesResponse */
        BrowserCookiesResponse: {
            /** Cookies */
            cookies: components["schemas"]["BrowserCookie"][];
        };
        /** BrowserCookiesSetRequest */
        BrowserCookiesSetRequest: {
            /** Cookies */
            cookies: components["schemas"]["BrowserSetCookie"][];
        };
        /**
         * BrowserCrawlExtract
         * @enum {string}
         */
        BrowserCrawlExtract: "markdown" | "html" | "text" | "links";
        /**
         * BrowserCrawlInfo
         * @description A crawl that runs, or ran, as a job.
         */
        BrowserCrawlInfo: {
            /** Endedat */
            endedAt?: string | null;
            /** Error */
            error?: string | null;
            /** Id */
            id: string;
            /**
             * Startedat
             * Format: date-time
             */
            startedAt: string;
            state: components["schemas"]["BrowserCrawlState"];
            /** Url */
            url: string;
            /**
             * Visited
             * @description Pages so far.
             */
            visited: number;
            /**
             * Waiting
             * @description Addresses found and not visited yet.
             */
            waiting: number;
        };
        /** BrowserCrawlJob */
        BrowserCrawlJob: {
            /** Endedat */
            endedAt?: string | null;
            /** Error */
            error?: string | null;
            /** Id */
            id: string;
            /** @description What was found so far. */
            result: components["schemas"]["BrowserCrawlResponse"];
            /**
             * Startedat
             * Format: date-time
             */
            startedAt: string;
            state: components["schemas"]["BrowserCrawlState"];
            /** Url */
            url: string;
            /**
             * Visited
             * @description Pages so far.
             */
            visited: number;
            /**
             * Waiting
             * @description Addresses found and not visited yet.
             */
            waiting: number;
        };
        /** BrowserCrawlListResponse */
        BrowserCrawlListResponse: {
            /** Crawls */
            crawls: components["schemas"]["BrowserCrawlInfo"][];
        };
        /** BrowserCrawlPage */
        BrowserCrawlPage: {
            /** Content */
            content: string;
            /** Depth */
            depth: number;
            /**
             * Error
             * @description Why there is no content: timeout, download, ERR_CONNECTION_REFUSED, …
             * @example timeout
             */
            error?: string | null;
            /** Links */
            links: string[];
            /** Mimetype */
            mimeType?: string | null;
            /**
             * Requestedurl
             * @description The address that led there, when it was another one.
             */
            requestedUrl?: string | null;
            /**
             * Status
             * @description 0 when there was no answer.
             */
            status: number;
            /** Title */
            title: string;
            /**
             * Url
             * @description Where it is, redirects followed.
             */
            url: string;
        };
        /** BrowserCrawlRequest */
        BrowserCrawlRequest: {
            /**
             * Alloweddomains
             * @description Only these and what is below them; the start's host where absent.
             */
            allowedDomains?: string[] | null;
            /**
             * Delay
             * @description Milliseconds between two requests to one host.
             * @default 100
             */
            delay?: number;
            /**
             * @description What `content` is.
             * @default markdown
             */
            extract?: components["schemas"]["BrowserCrawlExtract"];
            /**
             * Maxdepth
             * @description Links away from the start; 0 is the start alone.
             * @default 2
             */
            maxDepth?: number;
            /**
             * Maxpages
             * @description Pages at most; over 100 is refused.
             * @default 10
             */
            maxPages?: number;
            /**
             * Pagetimeout
             * @description Milliseconds for one page; a slower one is an error in its place.
             * @default 15000
             */
            pageTimeout?: number;
            /**
             * Parallel
             * @description Tabs at the same time; at most two of them on one host.
             * @default 3
             */
            parallel?: number;
            /**
             * Robots
             * @description Whether robots.txt is respected.
             * @default true
             */
            robots?: boolean;
            /**
             * Timeout
             * @description Milliseconds for all; what was found until then is returned.
             * @default 600000
             */
            timeout?: number;
            /**
             * Url
             * @example https://example.com/
             */
            url: string;
            /**
             * @description How far each page must have come.
             * @default load
             */
            waitUntil?: components["schemas"]["BrowserWaitUntil"];
        };
        /** BrowserCrawlResponse */
        BrowserCrawlResponse: {
            /** Pages */
            pages: components["schemas"]["BrowserCrawlPage"][];
            /**
             * Skipped
             * @description Addresses that robots.txt forbids, or that lead outside `allowedDomains`; at most 100.
             */
            skipped?: components["schemas"]["BrowserCrawlSkippedAddress"][] | null;
            /** Totalpages */
            totalPages: number;
            /**
             * Truncated
             * @description True when there was more to visit than `maxPages` or the time allowed.
             */
            truncated: boolean;
        };
        /** BrowserCrawlSkippedAddress */
        BrowserCrawlSkippedAddress: {
            /** Reason */
            reason: string;
            /** Url */
            url: string;
        };
        /**
         * BrowserCrawlState
         * @enum {string}
         */
        BrowserCrawlState: "running" | "done" | "cancelled" | "failed";
        /**
         * BrowserDialogInfo
         * @description A dialog that is open.
         */
        BrowserDialogInfo: {
            /**
             * Defaultprompt
             * @description What a prompt offers; used when it is accepted without text.
             */
            defaultPrompt?: string | null;
            /** Message */
            message: string;
            type: components["schemas"]["BrowserDialogType"];
        };
        /** BrowserDialogRequest */
        BrowserDialogRequest: {
            /**
             * Accept
             * @description True presses OK (or Leave), false Cancel (or Stay).
             */
            accept: boolean;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Text
             * @description What to enter in a prompt; its default where absent.
             */
            text?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /** BrowserDialogResponse */
        BrowserDialogResponse: {
            /** @description The dialog that was answered. */
            dialog: components["schemas"]["BrowserDialogInfo"];
            /** @description With `report`: a file that began to be saved. */
            download?: components["schemas"]["BrowserStartedDownload"] | null;
            /**
             * Navigated
             * @description With `report`: the address that the answer led to.
             */
            navigated?: string | null;
            /** @description With `report`: a dialog that the page opened after it. */
            next?: components["schemas"]["BrowserDialogInfo"] | null;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
            /** @description With `report`: a tab that the answer opened. */
            popup?: components["schemas"]["BrowserPopup"] | null;
            /** @description With `report: true`. */
            report?: components["schemas"]["BrowserReport"] | null;
        };
        /** BrowserDialogStatusResponse */
        BrowserDialogStatusResponse: {
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /** Tabid */
            tabId: string;
        };
        /**
         * BrowserDialogType
         * @enum {string}
         */
        BrowserDialogType: "alert" | "confirm" | "prompt" | "beforeunload";
        /**
         * BrowserDirectories
         * @description Where files for `upload` may come from, and where downloads go.
         */
        BrowserDirectories: {
            /** Downloads */
            downloads: string;
            /** Home */
            home: string;
            /** Uploads */
            uploads: string;
        };
        /** BrowserDownloadInfo */
        BrowserDownloadInfo: {
            /** Id */
            id: string;
            /**
             * Name
             * @description What the page or server called the file; a suggestion, not to be trusted.
             */
            name: string;
            /** Reason */
            reason?: string | null;
            /** Receivedbytes */
            receivedBytes: number;
            /** Startedat */
            startedAt: string;
            state: components["schemas"]["BrowserDownloadState"];
            /** Totalbytes */
            totalBytes?: number | null;
            /** Url */
            url: string;
        };
        /** BrowserDownloadListResponse */
        BrowserDownloadListResponse: {
            /** Downloads */
            downloads: components["schemas"]["BrowserDownloadInfo"][];
        };
        /**
         * BrowserDownloadState
         * @enum {string}
         */
        BrowserDownloadState: "in_progress" | "completed" | "canceled";
        /**
         * BrowserDragPlace
         * @description An element, or a point of the tab's viewport in CSS pixels.
         */
        BrowserDragPlace: {
            /** Ref */
            ref?: string | null;
            /** Selector */
            selector?: string | null;
            /** X */
            x?: number | null;
            /** Y */
            y?: number | null;
        };
        /**
         * BrowserDragRequest
         * @description A place may also be a plain string: a ref or a selector.
         */
        BrowserDragRequest: {
            /**
             * Failfast
             * @default false
             */
            failFast?: boolean;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /** From */
            from: components["schemas"]["BrowserDragPlace"] | string;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /** To */
            to: components["schemas"]["BrowserDragPlace"] | string;
        };
        /** BrowserElement */
        BrowserElement: {
            /** Name */
            name: string;
            /**
             * Ref
             * @example e12
             */
            ref: string;
            /** Role */
            role: string;
            /**
             * Tag
             * @example button
             */
            tag: string;
        };
        /**
         * BrowserElementsResponse
         * @description What can be acted on, frame by frame in document order.
         */
        BrowserElementsResponse: {
            /** Elements */
            elements: components["schemas"]["BrowserElement"][];
            /** Tabid */
            tabId: string;
            /** Title */
            title: string;
            /**
             * Truncated
             * @description True when there are more than `limit`.
             */
            truncated?: boolean | null;
            /** Url */
            url: string;
        };
        /**
         * BrowserEmulationRequest
         * @description Absent leaves a setting as it is.
         */
        BrowserEmulationRequest: {
            colorScheme?: components["schemas"]["BrowserColorScheme"] | null;
            /**
             * Extraheaders
             * @description Sent with every request of every page.
             */
            extraHeaders?: {
                [key: string]: string;
            } | null;
            geolocation?: components["schemas"]["BrowserGeolocation"] | null;
            /** @description For servers that ask for HTTP authentication. */
            httpCredentials?: components["schemas"]["BrowserHttpCredentials"] | null;
            /**
             * Initscripts
             * @description Run in every document before its own scripts.
             */
            initScripts?: string[] | null;
            /**
             * Locale
             * @example de-DE
             */
            locale?: string | null;
            /**
             * Permissions
             * @description Granted to every origin, by the Permissions API's names; others are denied.
             */
            permissions?: string[] | null;
            /**
             * Timezone
             * @example Europe/Berlin
             */
            timezone?: string | null;
            /** Useragent */
            userAgent?: string | null;
        };
        /** BrowserErrorInfo */
        BrowserErrorInfo: {
            /** Code */
            code: string;
            /** Message */
            message: string;
            /**
             * Stderr
             * @description The last lines a Chromium wrote that did not come up, without this host's paths and secrets.
             */
            stderr?: string[] | null;
        };
        /** BrowserEvent */
        BrowserEvent: {
            /** Downloadid */
            downloadId?: string | null;
            kind: components["schemas"]["BrowserEventKind"];
            /**
             * Reason
             * @description The code of the error that led to a state.
             */
            reason?: string | null;
            /**
             * State
             * @description Of the browser, or of the download.
             */
            state?: string | null;
            /** Tabid */
            tabId?: string | null;
            /** Timestamp */
            timestamp: string;
        };
        /**
         * BrowserEventKind
         * @enum {string}
         */
        BrowserEventKind: "state" | "tab_opened" | "tab_closed" | "tab_crashed" | "dialog_opened" | "download";
        /** BrowserEventsResponse */
        BrowserEventsResponse: {
            /**
             * Cursor
             * @description Pass it as `since` to get only what came after.
             */
            cursor: number;
            /** Events */
            events: components["schemas"]["BrowserEvent"][];
        };
        /** BrowserExecuteRequest */
        BrowserExecuteRequest: {
            /**
             * Awaitpromise
             * @description Whether a promise is waited for.
             * @default true
             */
            awaitPromise?: boolean;
            /**
             * Expression
             * @example document.title
             */
            expression: string;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /**
         * BrowserExecuteResponse
         * @description `result` is the JSON value; what has none is null there and described.
         */
        BrowserExecuteResponse: {
            /**
             * Description
             * @description For what has no JSON value: NaN, functions, nodes, cycles.
             */
            description?: string | null;
            /** @description A dialog that the script opened. */
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /** @description With `report`: a file that began to be saved. */
            download?: components["schemas"]["BrowserStartedDownload"] | null;
            /** @description With `report`: set when the page asked for files. */
            fileChooser?: components["schemas"]["BrowserFileChooser"] | null;
            /**
             * Navigated
             * @description With `report`: the address that the script led to.
             */
            navigated?: string | null;
            /** @description With `report`: a tab that the script opened. */
            popup?: components["schemas"]["BrowserPopup"] | null;
            /** @description With `report: true`. */
            report?: components["schemas"]["BrowserReport"] | null;
            /** Result */
            result?: unknown;
            /**
             * Truncated
             * @description True when the value was over the limit and is left out.
             */
            truncated?: boolean | null;
            /**
             * Type
             * @description undefined, null, boolean, number, bigint, string, symbol, function, object, …
             * @example number
             */
            type: string;
        };
        /**
         * BrowserFileChooser
         * @description The page asks for files: give them with POST /v1/browser/upload without a selector.
         */
        BrowserFileChooser: {
            /** Multiple */
            multiple: boolean;
        };
        /** BrowserFillRequest */
        BrowserFillRequest: {
            /**
             * Failfast
             * @description Refuse a covered or disabled element as soon as nothing is changing, not at the deadline.
             * @default false
             */
            failFast?: boolean;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /**
             * Value
             * @description What the field shall hold; empty clears it.
             */
            value: string;
        };
        /**
         * BrowserFindRequest
         * @description Words to find on the page; none take the marks away again.
         */
        BrowserFindRequest: {
            /**
             * Casesensitive
             * @default false
             */
            caseSensitive?: boolean;
            /**
             * Index
             * @description Which place to show, counted round.
             * @default 0
             */
            index?: number;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /** Text */
            text: string;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /** BrowserFindResponse */
        BrowserFindResponse: {
            /**
             * Count
             * @description At most 1,000 in a frame.
             */
            count: number;
            /**
             * Index
             * @description The place that is shown.
             */
            index?: number | null;
            /**
             * More
             * @description Whether there are more than were counted.
             */
            more?: boolean | null;
        };
        /** BrowserGeolocation */
        BrowserGeolocation: {
            /**
             * Accuracy
             * @default 10
             */
            accuracy?: number;
            /** Latitude */
            latitude: number;
            /** Longitude */
            longitude: number;
        };
        /** BrowserHistoryRequest */
        BrowserHistoryRequest: {
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /** @default load */
            waitUntil?: components["schemas"]["BrowserWaitUntil"];
        };
        /** BrowserHoverRequest */
        BrowserHoverRequest: {
            /**
             * Failfast
             * @description Refuse a covered or disabled element as soon as nothing is changing, not at the deadline.
             * @default false
             */
            failFast?: boolean;
            /**
             * Force
             * @default false
             */
            force?: boolean;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Modifiers
             * @default []
             */
            modifiers?: components["schemas"]["BrowserKeyModifier"][];
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /** BrowserHttpCredentials */
        BrowserHttpCredentials: {
            /**
             * Origin
             * @description Whom they are given to; every server that asks where absent.
             */
            origin?: string | null;
            /** Password */
            password: string;
            /** Username */
            username: string;
        };
        /**
         * BrowserKeyModifier
         * @enum {string}
         */
        BrowserKeyModifier: "Alt" | "Control" | "Meta" | "Shift";
        /** BrowserLink */
        BrowserLink: {
            /**
             * Href
             * @description Absolute.
             */
            href: string;
            /** Text */
            text: string;
        };
        /**
         * BrowserLinksResponse
         * @description In document order, of all frames' or of one frame; the same address and text once.
         */
        BrowserLinksResponse: {
            /** Links */
            links: components["schemas"]["BrowserLink"][];
            /** Url */
            url: string;
        };
        /**
         * BrowserMarkdownMode
         * @enum {string}
         */
        BrowserMarkdownMode: "auto" | "article" | "page";
        /** BrowserMarkdownResponse */
        BrowserMarkdownResponse: {
            /** Markdown */
            markdown: string;
            /** @description What was done: `article` or `page`. */
            mode: components["schemas"]["BrowserMarkdownMode"];
            /** Title */
            title: string;
            /**
             * Truncated
             * @description True when `maxChars` cut it.
             */
            truncated?: boolean | null;
            /** Url */
            url: string;
        };
        /**
         * BrowserMouseButton
         * @enum {string}
         */
        BrowserMouseButton: "left" | "right" | "middle";
        /** BrowserNavigateRequest */
        BrowserNavigateRequest: {
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /**
             * Url
             * @example https://example.com/
             */
            url: string;
            /**
             * @description How far the page must have come.
             * @default load
             */
            waitUntil?: components["schemas"]["BrowserWaitUntil"];
        };
        /** BrowserNetworkHeader */
        BrowserNetworkHeader: {
            /** Name */
            name: string;
            /**
             * Value
             * @description `[redacted]` for cookies, credentials and tokens; addresses without query values.
             */
            value: string;
        };
        /** BrowserNetworkInitiator */
        BrowserNetworkInitiator: {
            /** Line */
            line?: number | null;
            /**
             * Requestid
             * @description Of a preflight: the request it is for.
             */
            requestId?: string | null;
            /**
             * Stack
             * @description The scripts' calls that led to it, the innermost first; ten.
             */
            stack: components["schemas"]["BrowserNetworkStackFrame"][];
            /**
             * Type
             * @description parser, script, preload, preflight, other, …
             * @example parser
             */
            type: string;
            /**
             * Url
             * @description The document or script that it stands in.
             */
            url?: string | null;
        };
        /** BrowserNetworkRequest */
        BrowserNetworkRequest: {
            /**
             * Decodedsize
             * @description Bytes of the body after decompression.
             */
            decodedSize: number;
            /**
             * Duration
             * @description Milliseconds; 0 while it runs.
             */
            duration: number;
            /**
             * Error
             * @description Why it failed.
             * @example ERR_CONNECTION_REFUSED
             */
            error?: string | null;
            /**
             * Fromcache
             * @description True when nothing was fetched.
             */
            fromCache?: boolean | null;
            /** Id */
            id: string;
            /** Method */
            method: string;
            /** Mimetype */
            mimeType: string;
            /**
             * Pending
             * @description True while it runs.
             */
            pending?: boolean | null;
            /**
             * Responsesize
             * @description Bytes on the wire, the response's headers among them.
             */
            responseSize: number;
            /**
             * Status
             * @description 0 while it runs and when it failed.
             */
            status: number;
            /**
             * Timestamp
             * Format: date-time
             */
            timestamp: string;
            /**
             * Type
             * @description document, script, image, fetch, xhr, websocket, …
             * @example document
             */
            type: string;
            /** Url */
            url: string;
        };
        /**
         * BrowserNetworkRequestDetails
         * @description Redacted, as the record is: `url` has the names of its query, not the values.
         */
        BrowserNetworkRequestDetails: {
            /** Connectionreused */
            connectionReused?: boolean | null;
            /**
             * Cut
             * @description True when headers were too long, or dropped for newer requests.
             */
            cut?: boolean | null;
            /**
             * Decodedsize
             * @description Bytes of the body after decompression.
             */
            decodedSize: number;
            /**
             * Duration
             * @description Milliseconds; 0 while it runs.
             */
            duration: number;
            /**
             * Error
             * @description Why it failed.
             * @example ERR_CONNECTION_REFUSED
             */
            error?: string | null;
            /**
             * Fromcache
             * @description True when nothing was fetched.
             */
            fromCache?: boolean | null;
            /** Id */
            id: string;
            /** @description What began it. */
            initiator?: components["schemas"]["BrowserNetworkInitiator"] | null;
            /** Method */
            method: string;
            /** Mimetype */
            mimeType: string;
            /**
             * Pending
             * @description True while it runs.
             */
            pending?: boolean | null;
            /**
             * Protocol
             * @description Empty while nothing came.
             * @example http/1.1
             */
            protocol: string;
            /**
             * Provisional
             * @description True when the request's headers are those asked for: Chromium did not say what was sent.
             */
            provisional?: boolean | null;
            /** Requestheaders */
            requestHeaders: components["schemas"]["BrowserNetworkHeader"][];
            /** Responseheaders */
            responseHeaders: components["schemas"]["BrowserNetworkHeader"][];
            /**
             * Responsesize
             * @description Bytes on the wire, the response's headers among them.
             */
            responseSize: number;
            /**
             * Status
             * @description 0 while it runs and when it failed.
             */
            status: number;
            /** Statustext */
            statusText: string;
            /**
             * Timestamp
             * Format: date-time
             */
            timestamp: string;
            /** @description Absent while nothing came, and for what a cache gave. */
            timing?: components["schemas"]["BrowserNetworkTiming"] | null;
            /**
             * Type
             * @description document, script, image, fetch, xhr, websocket, …
             * @example document
             */
            type: string;
            /** Url */
            url: string;
        };
        /**
         * BrowserNetworkResponse
         * @description In the order they last changed.
         */
        BrowserNetworkResponse: {
            /**
             * Cursor
             * @description Give it as `since` to get only what came or changed after this answer.
             */
            cursor: number;
            /** Requests */
            requests: components["schemas"]["BrowserNetworkRequest"][];
        };
        /** BrowserNetworkStackFrame */
        BrowserNetworkStackFrame: {
            /** Column */
            column: number;
            /** Functionname */
            functionName: string;
            /** Line */
            line: number;
            /** Url */
            url: string;
        };
        /**
         * BrowserNetworkTiming
         * @description Milliseconds for each part of a request; absent where there was none, as on a connection used before.
         */
        BrowserNetworkTiming: {
            /**
             * Blocked
             * @description Until it could begin.
             */
            blocked?: number | null;
            /**
             * Connect
             * @description TLS among it.
             */
            connect?: number | null;
            /** Dns */
            dns?: number | null;
            /**
             * Receive
             * @description Until the last byte.
             */
            receive?: number | null;
            /** Send */
            send?: number | null;
            /** Tls */
            tls?: number | null;
            /**
             * Wait
             * @description For the first byte.
             */
            wait?: number | null;
        };
        /**
         * BrowserOnTab
         * @description A request that works on one tab within a deadline.
         */
        BrowserOnTab: {
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /**
         * BrowserPageInfo
         * @description Where the tab is now.
         */
        BrowserPageInfo: {
            /** @description A dialog that opened before the page was there. */
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /**
             * Download
             * @description True when the address was a download.
             */
            download?: boolean | null;
            /**
             * Moved
             * @description False when the page stayed where it was: the end of history, 204, a download.
             * @default true
             */
            moved: boolean;
            /** @description With `report`: a tab that the page opened. */
            popup?: components["schemas"]["BrowserPopup"] | null;
            /** @description With `report: true`. */
            report?: components["schemas"]["BrowserReport"] | null;
            /**
             * Status
             * @description The document's HTTP status, redirects followed; 0 where no HTTP was involved.
             */
            status?: number | null;
            /** Tabid */
            tabId: string;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /** BrowserPartitionInfo */
        BrowserPartitionInfo: {
            /** Alloweddomains */
            allowedDomains?: string[] | null;
            /** Name */
            name: string;
            /**
             * Sparetab
             * @default false
             */
            spareTab: boolean;
            /**
             * Tabs
             * @description Ids of its tabs, without the spare one.
             */
            tabs: string[];
            viewport?: components["schemas"]["BrowserViewportRequest"] | null;
        };
        /** BrowserPartitionListResponse */
        BrowserPartitionListResponse: {
            /** Partitions */
            partitions: components["schemas"]["BrowserPartitionInfo"][];
        };
        /** BrowserPartitionPutRequest */
        BrowserPartitionPutRequest: {
            /**
             * Alloweddomains
             * @description Hosts, each with those below it, whose documents frames may show; all where absent.
             */
            allowedDomains?: string[] | null;
            /**
             * Sparetab
             * @description Whether a blank tab is kept ready when one is closed, so that the next one opens at once.
             * @default false
             */
            spareTab?: boolean;
            /** @description The size of its pages; otherwise that of the others. */
            viewport?: components["schemas"]["BrowserViewportRequest"] | null;
        };
        /**
         * BrowserPdfFormat
         * @enum {string}
         */
        BrowserPdfFormat: "a4" | "letter" | "legal";
        /**
         * BrowserPermission
         * @description What a page may be allowed, as the Permissions API calls it.
         * @enum {string}
         */
        BrowserPermission: "geolocation" | "camera" | "microphone" | "clipboard-read" | "midi" | "local-fonts" | "window-management";
        /**
         * BrowserPermissionDecision
         * @enum {string}
         */
        BrowserPermissionDecision: "once" | "site" | "deny";
        /**
         * BrowserPopup
         * @description A tab that the action opened; it is the active one now.
         */
        BrowserPopup: {
            /** Tabid */
            tabId: string;
            /** Url */
            url: string;
        };
        /**
         * BrowserPressRequest
         * @description Without an element the key goes to whatever has the focus.
         */
        BrowserPressRequest: {
            /**
             * Failfast
             * @default false
             */
            failFast?: boolean;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Key
             * @example Control+a
             */
            key: string;
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /** BrowserProcessInfo */
        BrowserProcessInfo: {
            /** Name */
            name: string;
            /** Pid */
            pid?: number | null;
            /** Running */
            running: boolean;
        };
        /** BrowserReloadRequest */
        BrowserReloadRequest: {
            /**
             * Ignorecache
             * @default false
             */
            ignoreCache?: boolean;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /** @default load */
            waitUntil?: components["schemas"]["BrowserWaitUntil"];
        };
        /**
         * BrowserReport
         * @description What the action changed, once the page was quiet.
         */
        BrowserReport: {
            /**
             * Consoleerrors
             * @default []
             */
            consoleErrors: string[];
            /**
             * Quiet
             * @description False when the page did not come to rest in time.
             * @default true
             */
            quiet: boolean;
            /**
             * Revision
             * @description Of the snapshot after the action, for `since`.
             */
            revision: number;
            /**
             * Snapshot
             * @description The snapshot's changes: `+` new, `-` gone, `~` changed, `@` where; empty for none.
             */
            snapshot: string;
            /** Url */
            url: string;
            /**
             * Whole
             * @description True when `snapshot` is all of it, because too much changed.
             * @default false
             */
            whole: boolean;
        };
        /**
         * BrowserReportOptions
         * @description How a report shall be, where the usual way does not fit.
         */
        BrowserReportOptions: {
            /**
             * Eager
             * @description Do not wait for rest once the page has changed and has set no timer since the action, asked for no frame, and made no request that is not answered.
             * @default false
             */
            eager?: boolean;
            /**
             * Sincelast
             * @description Tell what changed since the tab was last looked at, not since just before the action.
             * @default false
             */
            sinceLast?: boolean;
            /**
             * Still
             * @description Milliseconds without a change that are taken for rest.
             * @default 100
             */
            still?: number;
        };
        /** BrowserResolution */
        BrowserResolution: {
            /** Dpi */
            dpi?: number | null;
            /** Height */
            height: number;
            /** Width */
            width: number;
        };
        /**
         * BrowserSandbox
         * @description Chromium's own sandbox.
         */
        BrowserSandbox: {
            /** Enabled */
            enabled: boolean;
            /**
             * Reason
             * @description Why it is off.
             */
            reason?: string | null;
        };
        /** BrowserScrapeRequest */
        BrowserScrapeRequest: {
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Selectors
             * @example {
             *       "price": ".price",
             *       "title": "h1"
             *     }
             */
            selectors: {
                [key: string]: string;
            };
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /**
             * Url
             * @description Go there first.
             */
            url?: string | null;
            /** @default load */
            waitUntil?: components["schemas"]["BrowserWaitUntil"];
        };
        /**
         * BrowserScrapeResponse
         * @description For each name the text of every element that its selector matches.
         */
        BrowserScrapeResponse: {
            /** Data */
            data: {
                [key: string]: string[];
            };
            /** Title */
            title: string;
            /**
             * Truncated
             * @description True when there was more than is returned.
             */
            truncated?: boolean | null;
            /** Url */
            url: string;
        };
        /**
         * BrowserScreenshotFormat
         * @enum {string}
         */
        BrowserScreenshotFormat: "png" | "jpeg" | "webp";
        /** BrowserScrollPosition */
        BrowserScrollPosition: {
            /**
             * Maxx
             * @description As far as it can be scrolled to the right.
             */
            maxX: number;
            /**
             * Maxy
             * @description As far as it can be scrolled down.
             */
            maxY: number;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /**
         * BrowserScrollRequest
         * @description Without deltas the element is scrolled into view.
         */
        BrowserScrollRequest: {
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /**
             * Wheel
             * @description Turn the mouse wheel over it, for pages that scroll by themselves.
             * @default false
             */
            wheel?: boolean;
            /**
             * X
             * @description Pixels to the right.
             */
            x?: number | null;
            /**
             * Y
             * @description Pixels down.
             */
            y?: number | null;
        };
        /** BrowserScrollResponse */
        BrowserScrollResponse: {
            /** @description A dialog that the action opened. */
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /** @description A file that the action began to save. */
            download?: components["schemas"]["BrowserStartedDownload"] | null;
            /** @description Set when the page asked for files. */
            fileChooser?: components["schemas"]["BrowserFileChooser"] | null;
            /**
             * Navigated
             * @description The address of the document that the action led to.
             */
            navigated?: string | null;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
            /** @description A tab that the action opened. */
            popup?: components["schemas"]["BrowserPopup"] | null;
            position?: components["schemas"]["BrowserScrollPosition"] | null;
            /** @description With `report: true`. */
            report?: components["schemas"]["BrowserReport"] | null;
        };
        /**
         * BrowserSelectRequest
         * @description The options that shall be chosen, no others; a list for several.
         */
        BrowserSelectRequest: {
            /**
             * Failfast
             * @description Refuse a covered or disabled element as soon as nothing is changing, not at the deadline.
             * @default false
             */
            failFast?: boolean;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Index
             * @description By place, 0 for the first.
             */
            index?: number | number[] | null;
            /**
             * Label
             * @description By the words that show.
             */
            label?: string | string[] | null;
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /**
             * Value
             * @description By value; one that no option has is taken for a label.
             */
            value?: string | string[] | null;
        };
        /** BrowserSelectResponse */
        BrowserSelectResponse: {
            /** @description A dialog that the action opened. */
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /** @description A file that the action began to save. */
            download?: components["schemas"]["BrowserStartedDownload"] | null;
            /** @description Set when the page asked for files. */
            fileChooser?: components["schemas"]["BrowserFileChooser"] | null;
            /**
             * Navigated
             * @description The address of the document that the action led to.
             */
            navigated?: string | null;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
            /** @description A tab that the action opened. */
            popup?: components["schemas"]["BrowserPopup"] | null;
            /** @description With `report: true`. */
            report?: components["schemas"]["BrowserReport"] | null;
            /**
             * Values
             * @description The values that are chosen now.
             */
            values?: string[] | null;
        };
        /**
         * BrowserSelectionResponse
         * @description The words that are selected on the page; never those of a password.
         */
        BrowserSelectionResponse: {
            /** Text */
            text: string;
        };
        /**
         * BrowserSetCookie
         * @description Without `url` and `domain` it is a cookie of the active tab's page.
         */
        BrowserSetCookie: {
            /** Domain */
            domain?: string | null;
            /**
             * Expires
             * @description Seconds since 1970; absent or -1 for the browser's life.
             */
            expires?: number | null;
            /** Httponly */
            httpOnly?: boolean | null;
            /** Name */
            name: string;
            partitionKey?: components["schemas"]["BrowserCookiePartitionKey"] | null;
            /** Path */
            path?: string | null;
            sameSite?: components["schemas"]["BrowserCookieSameSite"] | null;
            /** Secure */
            secure?: boolean | null;
            /**
             * Url
             * @description The page it is a cookie of; gives domain, path and whether it is secure.
             */
            url?: string | null;
            /** Value */
            value: string;
        };
        /**
         * BrowserSnapshotResponse
         * @description Lines of `role "name" [ref] states = "value"`, indented by one space a level; a line in quotes is text.
         */
        BrowserSnapshotResponse: {
            /**
             * Delta
             * @description True when only changes are returned: `+` new, `-` gone, `~` changed, `@` where.
             */
            delta?: boolean | null;
            /**
             * Revision
             * @description Names what was seen; give it as `since` the next time.
             */
            revision: number;
            /** Snapshot */
            snapshot: string;
            /** Tabid */
            tabId: string;
            /** Title */
            title: string;
            /**
             * Truncated
             * @description True when `maxChars` cut it.
             */
            truncated?: boolean | null;
            /**
             * Unchanged
             * @description True when nothing changed since the revision given.
             */
            unchanged?: boolean | null;
            /** Url */
            url: string;
        };
        /** BrowserStartRequest */
        BrowserStartRequest: {
            colorScheme?: components["schemas"]["BrowserColorScheme"] | null;
            /**
             * Contextid
             * @description A saved context whose profile to use.
             */
            contextId?: string | null;
            /**
             * Dpi
             * @default 96
             */
            dpi?: number;
            /**
             * Extraheaders
             * @description Sent with every request of every page.
             */
            extraHeaders?: {
                [key: string]: string;
            } | null;
            geolocation?: components["schemas"]["BrowserGeolocation"] | null;
            /**
             * Headless
             * @description Run without a display. The live view still works.
             * @default false
             */
            headless?: boolean;
            /**
             * Height
             * @default 720
             */
            height?: number;
            /** @description For servers that ask for HTTP authentication. */
            httpCredentials?: components["schemas"]["BrowserHttpCredentials"] | null;
            /**
             * Initscripts
             * @description Run in every document before its own scripts.
             */
            initScripts?: string[] | null;
            /**
             * Kiosk
             * @description Without the browser's own bars.
             * @default false
             */
            kiosk?: boolean;
            /**
             * Locale
             * @example de-DE
             */
            locale?: string | null;
            /**
             * Permissions
             * @description Granted to every origin, by the Permissions API's names; others are denied.
             */
            permissions?: string[] | null;
            /**
             * Recordingfps
             * @default 30
             */
            recordingFps?: number;
            /**
             * Streamaudiocodec
             * @description How sound is coded for viewers by WebRTC; with none of it pages are muted.
             * @default none
             * @enum {string}
             */
            streamAudioCodec?: "none" | "opus" | "g722";
            /**
             * Streamframerate
             * @default 30
             */
            streamFrameRate?: number;
            /**
             * Streamvideocodec
             * @default vp8
             * @enum {string}
             */
            streamVideoCodec?: "vp8" | "vp9" | "h264";
            /**
             * Timezone
             * @example Europe/Berlin
             */
            timezone?: string | null;
            /**
             * Url
             * @description Opened first; about:blank where absent.
             */
            url?: string | null;
            /** Useragent */
            userAgent?: string | null;
            /** @description The page's size; otherwise what the window leaves. */
            viewport?: components["schemas"]["BrowserViewportRequest"] | null;
            /**
             * Webgl
             * @description Software WebGL. It costs the GPU process its sandbox.
             * @default false
             */
            webgl?: boolean;
            /**
             * Webrtcportrange
             * @default 59050-59070
             */
            webrtcPortRange?: string;
            /**
             * Width
             * @description Of the display, or of the headless window. Left out, a display has room for `viewport`.
             * @default 1280
             */
            width?: number;
        };
        /** BrowserStartedDownload */
        BrowserStartedDownload: {
            /**
             * Id
             * @description As in GET /v1/browser/downloads.
             */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * BrowserState
         * @enum {string}
         */
        BrowserState: "inactive" | "starting" | "active" | "stopping" | "failed" | "install_required";
        /** BrowserStatusResponse */
        BrowserStatusResponse: {
            /**
             * Cdpurl
             * @description The WebSocket for Playwright and Puppeteer: this server's own. Not with `--cdp off`.
             */
            cdpUrl?: string | null;
            /** Contextid */
            contextId?: string | null;
            directories?: components["schemas"]["BrowserDirectories"] | null;
            /**
             * Display
             * @example :99
             */
            display?: string | null;
            /** Headless */
            headless?: boolean | null;
            /** Installcommand */
            installCommand?: string | null;
            lastError?: components["schemas"]["BrowserErrorInfo"] | null;
            /**
             * Missingdependencies
             * @default []
             */
            missingDependencies: string[];
            /** @description What the box's display is used for, while there is one. */
            mode?: components["schemas"]["DesktopDisplayMode"] | null;
            /**
             * Processes
             * @default []
             */
            processes: components["schemas"]["BrowserProcessInfo"][];
            resolution?: components["schemas"]["BrowserResolution"] | null;
            /**
             * Restarts
             * @description How often Chromium was brought back since start.
             */
            restarts?: number | null;
            sandbox?: components["schemas"]["BrowserSandbox"] | null;
            /**
             * Starttimings
             * @description Milliseconds each step of the start took.
             */
            startTimings?: {
                [key: string]: number;
            } | null;
            /** Startedat */
            startedAt?: string | null;
            state: components["schemas"]["BrowserState"];
            /**
             * Tabid
             * @description The active tab.
             */
            tabId?: string | null;
            /** Title */
            title?: string | null;
            /** Url */
            url?: string | null;
            /**
             * Version
             * @example Chrome/156.0.8078.79
             */
            version?: string | null;
            viewport?: components["schemas"]["BrowserViewport"] | null;
        };
        /** BrowserStopResponse */
        BrowserStopResponse: {
            /** @default inactive */
            state: components["schemas"]["BrowserState"];
        };
        /**
         * BrowserStorageDatabase
         * @description An IndexedDB database.  Values that JSON does not have are marked: `{"$date": …}`, `{"$bytes": …}`.
         */
        BrowserStorageDatabase: {
            /** Name */
            name: string;
            /** Stores */
            stores: {
                [key: string]: unknown;
            }[];
            /** Version */
            version: number;
        };
        /** BrowserStorageItem */
        BrowserStorageItem: {
            /** Name */
            name: string;
            /** Value */
            value: string;
        };
        /** BrowserStorageOrigin */
        BrowserStorageOrigin: {
            /**
             * Indexeddb
             * @default []
             */
            indexedDB?: components["schemas"]["BrowserStorageDatabase"][];
            /**
             * Localstorage
             * @default []
             */
            localStorage?: components["schemas"]["BrowserStorageItem"][];
            /**
             * Origin
             * @example https://example.com
             */
            origin: string;
        };
        /**
         * BrowserStorageRestoreRequest
         * @description As `StorageState`, or what Playwright's `storageState` writes.
         */
        BrowserStorageRestoreRequest: {
            /**
             * Cookies
             * @default []
             */
            cookies?: components["schemas"]["BrowserSetCookie"][];
            /**
             * Origins
             * @default []
             */
            origins?: components["schemas"]["BrowserStorageOrigin"][];
        };
        /** BrowserStorageRestoreResponse */
        BrowserStorageRestoreResponse: {
            /** Cookies */
            cookies: number;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
            /** Origins */
            origins: number;
            /** Skipped */
            skipped?: string[] | null;
        };
        /** BrowserStorageState */
        BrowserStorageState: {
            /** Cookies */
            cookies: components["schemas"]["BrowserCookie"][];
            /** Origins */
            origins: components["schemas"]["BrowserStorageOrigin"][];
            /**
             * Skipped
             * @description What could not be taken along: origins that did not answer, values that have no JSON form.
             */
            skipped?: string[] | null;
        };
        /** BrowserTabCloseResponse */
        BrowserTabCloseResponse: {
            /** @description A beforeunload dialog that keeps the tab open. */
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
        };
        /** BrowserTabCreateRequest */
        BrowserTabCreateRequest: {
            /**
             * Dismissdialogs
             * @description Whether its dialogs are cancelled as they open, and those of tabs it opens.
             * @default false
             */
            dismissDialogs?: boolean;
            /**
             * Partition
             * @description A tab of this partition; never active, nor listed.
             */
            partition?: string | null;
            /** Timeout */
            timeout?: number | null;
            /**
             * Url
             * @description about:blank where absent.
             */
            url?: string | null;
        };
        /** BrowserTabInfo */
        BrowserTabInfo: {
            /**
             * Active
             * @description Whether it receives what names no tab.
             */
            active: boolean;
            /** Crashed */
            crashed?: boolean | null;
            /** @description A dialog open in it. */
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /** Id */
            id: string;
            /**
             * Openerid
             * @description The tab that opened it.
             */
            openerId?: string | null;
            /**
             * Partition
             * @description The partition it is in, when it is in one.
             */
            partition?: string | null;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /** BrowserTabListResponse */
        BrowserTabListResponse: {
            /** Tabs */
            tabs: components["schemas"]["BrowserTabInfo"][];
        };
        /** BrowserTextResponse */
        BrowserTextResponse: {
            /** Text */
            text: string;
            /** Title */
            title: string;
            /**
             * Truncated
             * @description True when `maxChars` cut it.
             */
            truncated?: boolean | null;
            /** Url */
            url: string;
        };
        /** BrowserTypeRequest */
        BrowserTypeRequest: {
            /**
             * Clear
             * @description Empty the field first; otherwise the text is added at its end.
             * @default false
             */
            clear?: boolean;
            /**
             * Delay
             * @description Milliseconds between keys.
             * @default 0
             */
            delay?: number;
            /**
             * Failfast
             * @description Refuse a covered or disabled element as soon as nothing is changing, not at the deadline.
             * @default false
             */
            failFast?: boolean;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Text
             * @description Newline is Enter, tab is Tab.
             */
            text: string;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /**
         * BrowserUploadRequest
         * @description Without an element the files go to the chooser that the page has opened.
         */
        BrowserUploadRequest: {
            /**
             * Ask
             * @description The `id` of the `file` ask that this answers: no other chooser gets the files.
             */
            ask?: string | null;
            /**
             * Failfast
             * @default false
             */
            failFast?: boolean;
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Path
             * @description A file in the box's home, upload or download directory.
             */
            path?: string | null;
            /** Paths */
            paths?: string[] | null;
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Report
             * @description Whether, and how, to answer with what the action caused, once the page is quiet.
             * @default false
             */
            report?: boolean | components["schemas"]["BrowserReportOptions"];
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
        };
        /** BrowserUploadResponse */
        BrowserUploadResponse: {
            /** @description A dialog that the action opened. */
            dialog?: components["schemas"]["BrowserDialogInfo"] | null;
            /** @description A file that the action began to save. */
            download?: components["schemas"]["BrowserStartedDownload"] | null;
            /** @description Set when the page asked for files. */
            fileChooser?: components["schemas"]["BrowserFileChooser"] | null;
            /**
             * Files
             * @description The files that the page was given, as paths in the box.
             */
            files?: string[] | null;
            /**
             * Navigated
             * @description The address of the document that the action led to.
             */
            navigated?: string | null;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
            /** @description A tab that the action opened. */
            popup?: components["schemas"]["BrowserPopup"] | null;
            /** @description With `report: true`. */
            report?: components["schemas"]["BrowserReport"] | null;
        };
        /**
         * BrowserViewport
         * @description What is left of the window for the page, in CSS pixels.
         */
        BrowserViewport: {
            /** Dpr */
            dpr: number;
            /** H */
            h: number;
            /** W */
            w: number;
        };
        /** BrowserViewportRequest */
        BrowserViewportRequest: {
            /** Devicescalefactor */
            deviceScaleFactor?: number | null;
            /** Height */
            height: number;
            /** Width */
            width: number;
        };
        /**
         * BrowserWaitRequest
         * @description What is given must all be true at the same time.
         */
        BrowserWaitRequest: {
            /**
             * Frame
             * @description A frame of the tab, by id or by a selector of its element; the main frame where absent.
             */
            frame?: string | null;
            /**
             * Function
             * @description JavaScript, an expression or a function, that gives something true.
             */
            function?: string | null;
            /**
             * Ref
             * @description An element of a snapshot.
             */
            ref?: string | null;
            /**
             * Selector
             * @description CSS, text=, role=, xpath=, chained with >>.
             */
            selector?: string | null;
            /**
             * @description Of the element, or how far the page has come.
             * @default visible
             */
            state?: components["schemas"]["BrowserWaitState"];
            /**
             * Tabid
             * @description The tab; the active one where absent.
             */
            tabId?: string | null;
            /**
             * Text
             * @description Text that shows in some frame.
             */
            text?: string | null;
            /**
             * Timeout
             * @description Milliseconds; the server's default where absent.
             */
            timeout?: number | null;
            /**
             * Url
             * @description The tab's address; `*` stands for anything but a slash, `**` for anything.
             */
            url?: string | null;
        };
        /** BrowserWaitResponse */
        BrowserWaitResponse: {
            /**
             * Found
             * @description Whether it came true before the timeout.
             */
            found: boolean;
        };
        /**
         * BrowserWaitState
         * @enum {string}
         */
        BrowserWaitState: "visible" | "hidden" | "attached" | "detached" | "domcontentloaded" | "load" | "networkidle";
        /**
         * BrowserWaitUntil
         * @enum {string}
         */
        BrowserWaitUntil: "load" | "domcontentloaded" | "networkidle";
        /**
         * CdpRelay
         * @enum {string}
         */
        CdpRelay: "on" | "off";
        /**
         * ClaimRequest
         * @description Sent by the control plane, again whenever something of it changes.
         */
        ClaimRequest: {
            /** @description What the session may use and do; the box only tightens. */
            allowance?: components["schemas"]["SessionAllowance"] | null;
            /**
             * Asked
             * @description Limits that the caller named: those must be enforced, or refused.
             * @default []
             */
            asked?: string[];
            /**
             * Expiresat
             * @description Seconds since 1970; the box ends itself then.
             */
            expiresAt: number;
            /**
             * Idletimeout
             * @description Seconds; 0 for never.
             * @default 0
             */
            idleTimeout?: number;
            /** Sessionid */
            sessionId: string;
        };
        /** ClaimResponse */
        ClaimResponse: {
            /** Boxid */
            boxId?: string | null;
            /** Expiresat */
            expiresAt: number;
            isolation: components["schemas"]["SessionIsolation"];
            /** Sessionid */
            sessionId: string;
        };
        /**
         * ContainerUsage
         * @description What the container around a box uses.
         */
        ContainerUsage: {
            /** Cpuseconds */
            cpuSeconds: number;
            /**
             * Memory
             * @description Bytes, without pages of files that could be dropped.
             */
            memory: number;
            /** Processes */
            processes: number;
        };
        /**
         * ControlAction
         * @enum {string}
         */
        ControlAction: "take" | "request" | "renew" | "release" | "give" | "ask";
        /**
         * ControlHolder
         * @description `viewer` is the connection's id, `name` whom its token was made for; both only with kind `viewer`.
         */
        ControlHolder: {
            kind: components["schemas"]["ControlHolderKind"];
            /** Name */
            name?: string | null;
            /** Viewer */
            viewer?: string | null;
        };
        /**
         * ControlHolderKind
         * @enum {string}
         */
        ControlHolderKind: "none" | "agent" | "viewer";
        /**
         * ControlMoment
         * @enum {string}
         */
        ControlMoment: "person" | "free";
        /** ControlRequest */
        ControlRequest: {
            action: components["schemas"]["ControlAction"];
            /**
             * Force
             * @description With `release`, for the operator: end it whoever holds it.
             * @default false
             */
            force?: boolean;
            /**
             * Question
             * @description With `ask`: what a person shall do; without it the last one is taken back.
             */
            question?: string | null;
            /**
             * Timeout
             * @description With `take`: milliseconds to wait for a person to finish.
             * @default 0
             */
            timeout?: number;
            /**
             * To
             * @description With `give`: a viewer's id, or `agent`.
             */
            to?: string | null;
        };
        /**
         * ControlResponse
         * @description Who holds control, until when if they stay silent, and who asked for it.
         */
        ControlResponse: {
            /** Expiresat */
            expiresAt?: string | null;
            holder: components["schemas"]["ControlHolder"];
            /**
             * Question
             * @description What an agent asks of a person; until one gives control back.
             */
            question?: string | null;
            /**
             * Requests
             * @default []
             */
            requests: components["schemas"]["ControlHolder"][];
            /**
             * Since
             * Format: date-time
             */
            since: string;
        };
        /** DesktopAccessibilityResponse */
        DesktopAccessibilityResponse: {
            /**
             * Applications
             * @default []
             */
            applications: components["schemas"]["DesktopAccessibleNode"][];
            /**
             * Available
             * @description Whether the desktop's accessibility bus is there.
             */
            available: boolean;
            /**
             * Reason
             * @description Why it is not.
             */
            reason?: string | null;
            /**
             * Truncated
             * @description Whether the tree was cut at the node limit.
             * @default false
             */
            truncated: boolean;
        };
        /** DesktopAccessibleNode */
        DesktopAccessibleNode: {
            bounds?: components["schemas"]["DesktopBounds"] | null;
            /**
             * Children
             * @default []
             */
            children: components["schemas"]["DesktopAccessibleNode"][];
            /** Description */
            description?: string | null;
            /** Name */
            name: string;
            /**
             * Role
             * @example push button
             */
            role: string;
            /**
             * States
             * @default []
             * @example [
             *       "enabled",
             *       "focusable",
             *       "showing",
             *       "visible"
             *     ]
             */
            states: string[];
            /** Text */
            text?: string | null;
            /** Value */
            value?: number | null;
        };
        /**
         * DesktopBounds
         * @description On the screen, in pixels.
         */
        DesktopBounds: {
            /** Height */
            height: number;
            /** Width */
            width: number;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /**
         * DesktopClipboardFormat
         * @enum {string}
         */
        DesktopClipboardFormat: "text" | "png";
        /** DesktopClipboardResponse */
        DesktopClipboardResponse: {
            /**
             * Formats
             * @description The types the owner offers, as it names them.
             * @default []
             */
            formats: string[];
            /**
             * Image
             * @description A PNG in base64, where asked for and on offer.
             */
            image?: string | null;
            /**
             * Selection
             * @example clipboard
             */
            selection: string;
            /** Text */
            text: string;
        };
        /**
         * DesktopClipboardWriteRequest
         * @description Text, or an image, or both.
         */
        DesktopClipboardWriteRequest: {
            /**
             * Image
             * @description A PNG in base64.
             */
            image?: string | null;
            /**
             * Selection
             * @description `clipboard` or `primary`.
             */
            selection?: string | null;
            /** Text */
            text?: string | null;
        };
        /** DesktopDisplayInfoResponse */
        DesktopDisplayInfoResponse: {
            /**
             * Display
             * @example :99
             */
            display: string;
            /** Maxheight */
            maxHeight: number;
            /**
             * Maxwidth
             * @description The widest the screen can get without a restart.
             */
            maxWidth: number;
            mode: components["schemas"]["DesktopDisplayMode"];
            resolution: components["schemas"]["DesktopResolution"];
        };
        /**
         * DesktopDisplayMode
         * @description What the one display of a box is used for; the other mode has to wait until it is stopped.
         * @enum {string}
         */
        DesktopDisplayMode: "browser" | "desktop";
        /** DesktopDisplayResizeRequest */
        DesktopDisplayResizeRequest: {
            /** Dpi */
            dpi?: number | null;
            /** Height */
            height: number;
            /** Width */
            width: number;
        };
        /** DesktopErrorInfo */
        DesktopErrorInfo: {
            /** Code */
            code: string;
            /** Message */
            message: string;
        };
        /**
         * DesktopFilmMoment
         * @description A time as the record has it: the film shows what happened at `t` when `t` minus the first frame's has passed.
         */
        DesktopFilmMoment: {
            /**
             * Mono
             * @description Microseconds since the box began, by its monotonic clock.
             */
            mono: number;
            /**
             * T
             * @description Microseconds since 1970.
             */
            t: number;
        };
        /** DesktopKeyModifiers */
        DesktopKeyModifiers: {
            /** Alt */
            alt?: boolean | null;
            /**
             * Cmd
             * @description The super key.
             */
            cmd?: boolean | null;
            /** Ctrl */
            ctrl?: boolean | null;
            /** Shift */
            shift?: boolean | null;
        };
        /** DesktopKeyboardHoldRequest */
        DesktopKeyboardHoldRequest: {
            /**
             * Key
             * @description An X keysym name, a web key name or a character; `+` joins a combination.
             * @example shift
             */
            key: string;
        };
        /** DesktopKeyboardPressRequest */
        DesktopKeyboardPressRequest: {
            /**
             * Key
             * @description An X keysym name, a web key name or a character; `+` joins a combination.
             * @example Enter
             * @example ctrl+shift+a
             */
            key: string;
            modifiers?: components["schemas"]["DesktopKeyModifiers"] | null;
        };
        /** DesktopKeyboardTypeRequest */
        DesktopKeyboardTypeRequest: {
            /**
             * Delayms
             * @description Between two keys; 10 where none is given.
             */
            delayMs?: number | null;
            /**
             * Text
             * @description Any Unicode text; a newline presses Return, a tab Tab.
             */
            text: string;
        };
        /** DesktopLaunchRequest */
        DesktopLaunchRequest: {
            /**
             * App
             * @description A program in PATH, or a path.
             * @example xterm
             */
            app: string;
            /** Args */
            args?: string[] | null;
            /**
             * Wait
             * @description Answer when its window is there, or after 5 s.
             */
            wait?: boolean | null;
        };
        /** DesktopLaunchResponse */
        DesktopLaunchResponse: {
            /** Pid */
            pid: number;
            /** Processid */
            processId: string;
            /**
             * Windowid
             * @description Where `wait` was given and a window came.
             */
            windowId?: string | null;
        };
        /**
         * DesktopMouseButton
         * @enum {string}
         */
        DesktopMouseButton: "left" | "middle" | "right";
        /**
         * DesktopMouseButtonRequest
         * @description `x` and `y` come together or not at all; where given, the pointer moves first.
         */
        DesktopMouseButtonRequest: {
            button?: components["schemas"]["DesktopMouseButton"] | null;
            /** X */
            x?: number | null;
            /** Y */
            y?: number | null;
        };
        /** DesktopMouseClickRequest */
        DesktopMouseClickRequest: {
            button?: components["schemas"]["DesktopMouseButton"] | null;
            /**
             * Clickcount
             * @description 1 where none is given; 2 is a double click.
             */
            clickCount?: number | null;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /** DesktopMouseDragRequest */
        DesktopMouseDragRequest: {
            button?: components["schemas"]["DesktopMouseButton"] | null;
            /** Endx */
            endX: number;
            /** Endy */
            endY: number;
            /** Startx */
            startX: number;
            /** Starty */
            startY: number;
        };
        /** DesktopMouseMoveRequest */
        DesktopMouseMoveRequest: {
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /** DesktopMousePositionResponse */
        DesktopMousePositionResponse: {
            /**
             * Screen
             * @default 0
             */
            screen: number;
            /**
             * Window
             * @description The window under the pointer, the root window where there is no other.
             */
            window: string;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /**
         * DesktopMouseScrollRequest
         * @description Deltas count wheel notches; a fraction is kept until it adds up to one.
         */
        DesktopMouseScrollRequest: {
            /**
             * Deltax
             * @description To the right; negative to the left.
             */
            deltaX?: number | null;
            /**
             * Deltay
             * @description Down; negative up.
             * @example 3
             */
            deltaY?: number | null;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /** DesktopOpenRequest */
        DesktopOpenRequest: {
            /**
             * Target
             * @description A file or an address for the desktop's preferred application.
             */
            target: string;
        };
        /** DesktopOpenResponse */
        DesktopOpenResponse: {
            /** Pid */
            pid: number;
            /** Processid */
            processId: string;
        };
        /** DesktopProcessInfo */
        DesktopProcessInfo: {
            /**
             * Name
             * @example Xvfb
             */
            name: string;
            /** Pid */
            pid?: number | null;
            /**
             * Processid
             * @description Its id under /v1/processes.
             */
            processId?: string | null;
            /** Running */
            running: boolean;
        };
        /**
         * DesktopRecordingGap
         * @description While nothing could be filmed; the picture before it stands still.
         */
        DesktopRecordingGap: {
            from: components["schemas"]["DesktopFilmMoment"];
            /**
             * Reason
             * @example the display was restarted
             */
            reason: string;
            /** @description Of the first frame after it; absent while it lasts. */
            to?: components["schemas"]["DesktopFilmMoment"] | null;
        };
        /** DesktopRecordingInfo */
        DesktopRecordingInfo: {
            /** Bytes */
            bytes: number;
            /**
             * Durationms
             * @description How long the film runs.
             */
            durationMs?: number | null;
            /** Endedat */
            endedAt?: string | null;
            /**
             * Error
             * @description Why it failed.
             */
            error?: string | null;
            /**
             * Filename
             * @example rec_1.mp4
             */
            fileName: string;
            /** @description When the film's first frame was taken. */
            firstFrame?: components["schemas"]["DesktopFilmMoment"] | null;
            /**
             * Fps
             * @description At most, of a tab.
             */
            fps?: number | null;
            /**
             * Gaps
             * @description When nothing could be filmed, if ever.
             */
            gaps?: components["schemas"]["DesktopRecordingGap"][] | null;
            /** Height */
            height?: number | null;
            /**
             * Id
             * @example rec_1
             */
            id: string;
            /**
             * Processid
             * @description The encoder's. It is the box's own: the process API does not list it.
             */
            processId?: string | null;
            /** @default display */
            source: components["schemas"]["DesktopRecordingSource"];
            /**
             * Startedat
             * @description RFC 3339: when it was asked for.
             */
            startedAt: string;
            status: components["schemas"]["DesktopRecordingStatus"];
            /**
             * Tabid
             * @description Of a film of one tab.
             */
            tabId?: string | null;
            /** Width */
            width?: number | null;
        };
        /** DesktopRecordingListResponse */
        DesktopRecordingListResponse: {
            /** Recordings */
            recordings: components["schemas"]["DesktopRecordingInfo"][];
        };
        /**
         * DesktopRecordingSource
         * @enum {string}
         */
        DesktopRecordingSource: "display" | "tab";
        /** DesktopRecordingStartRequest */
        DesktopRecordingStartRequest: {
            /**
             * Fps
             * @description Frames a second, 1 to 60; of a tab 1 to 8.
             */
            fps?: number | null;
            /** @description What to film; where absent the display, and in a headless browser the active tab. */
            source?: components["schemas"]["DesktopRecordingSource"] | null;
            /**
             * Tabid
             * @description Film only this tab, while it is in front and until it is closed; means `source: tab`.
             */
            tabId?: string | null;
        };
        /**
         * DesktopRecordingStatus
         * @enum {string}
         */
        DesktopRecordingStatus: "recording" | "completed" | "failed";
        /** DesktopResolution */
        DesktopResolution: {
            /** Dpi */
            dpi: number;
            /** Height */
            height: number;
            /** Width */
            width: number;
        };
        /**
         * DesktopScreenshotFormat
         * @enum {string}
         */
        DesktopScreenshotFormat: "png" | "jpeg" | "webp";
        /** DesktopStartRequest */
        DesktopStartRequest: {
            /**
             * Displaynum
             * @description The display number to try first; taken ones are skipped upwards.
             * @default 99
             */
            displayNum?: number;
            /**
             * Dpi
             * @default 96
             */
            dpi?: number;
            /**
             * Height
             * @description Pixels.
             * @default 900
             * @example 720
             */
            height?: number;
            /**
             * Recordingfps
             * @description Frames a second of recordings that do not say, 1 to 60.
             * @default 30
             */
            recordingFps?: number;
            /**
             * Statedir
             * @description Accepted and not used, as in the reference.
             */
            stateDir?: string | null;
            /**
             * Streamaudiocodec
             * @description Sound for viewers by WebRTC: `opus`, `g722` or `none` (default).
             */
            streamAudioCodec?: string | null;
            /**
             * Streamframerate
             * @description The most frames a second, 1 to 60; 30.
             */
            streamFrameRate?: number | null;
            /**
             * Streamvideocodec
             * @description Of the stream: `vp8` (default) or `h264`.
             */
            streamVideoCodec?: string | null;
            /**
             * Webrtcportrange
             * @description Of the one UDP port that the stream takes; 59050-59070.
             */
            webrtcPortRange?: string | null;
            /**
             * Width
             * @description Pixels.
             * @default 1440
             * @example 1280
             */
            width?: number;
        };
        /**
         * DesktopState
         * @enum {string}
         */
        DesktopState: "inactive" | "install_required" | "starting" | "active" | "stopping" | "failed";
        /** DesktopStatusResponse */
        DesktopStatusResponse: {
            /**
             * Display
             * @example :99
             */
            display?: string | null;
            /** Installcommand */
            installCommand?: string | null;
            lastError?: components["schemas"]["DesktopErrorInfo"] | null;
            /**
             * Missingdependencies
             * @default []
             */
            missingDependencies: string[];
            /** @description What the display is used for, while there is one. */
            mode?: components["schemas"]["DesktopDisplayMode"] | null;
            /**
             * Processes
             * @default []
             */
            processes: components["schemas"]["DesktopProcessInfo"][];
            resolution?: components["schemas"]["DesktopResolution"] | null;
            /** Runtimelogpath */
            runtimeLogPath: string;
            /**
             * Startedat
             * @description RFC 3339.
             */
            startedAt?: string | null;
            state: components["schemas"]["DesktopState"];
            /** Windows */
            windows?: components["schemas"]["DesktopWindowInfo"][] | null;
        };
        /** DesktopStreamStatusResponse */
        DesktopStreamStatusResponse: {
            /** Active */
            active: boolean;
            /** Processid */
            processId?: string | null;
            /**
             * Reason
             * @description Why there is no stream.
             */
            reason?: string | null;
            /** Windowid */
            windowId?: string | null;
        };
        /** DesktopWindowCloseResponse */
        DesktopWindowCloseResponse: {
            /**
             * Closed
             * @description False where the program keeps it open, to ask a question for instance.
             */
            closed: boolean;
            /** Id */
            id: string;
        };
        /**
         * DesktopWindowInfo
         * @description `x`, `y`, `width` and `height` are those of the client area, without the window manager's frame.
         */
        DesktopWindowInfo: {
            /**
             * Classname
             * @description The class part of WM_CLASS.
             * @example XTerm
             */
            className?: string | null;
            /**
             * Desktop
             * @description Virtual desktop; -1 where it is on all of them.
             */
            desktop?: number | null;
            /** Height */
            height: number;
            /**
             * Id
             * @description The X window id, in decimal.
             * @example 6291457
             */
            id: string;
            /** Isactive */
            isActive: boolean;
            /**
             * Ismaximized
             * @default false
             */
            isMaximized: boolean;
            /**
             * Isminimized
             * @default false
             */
            isMinimized: boolean;
            /** Pid */
            pid?: number | null;
            /** Title */
            title: string;
            /** Width */
            width: number;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /** DesktopWindowListResponse */
        DesktopWindowListResponse: {
            /**
             * Windows
             * @description From the bottom to the top.
             */
            windows: components["schemas"]["DesktopWindowInfo"][];
        };
        /**
         * DesktopWindowMoveRequest
         * @description Where the upper left corner of the window's frame goes.
         */
        DesktopWindowMoveRequest: {
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /**
         * DesktopWindowResizeRequest
         * @description The size of the client area.
         */
        DesktopWindowResizeRequest: {
            /** Height */
            height: number;
            /** Width */
            width: number;
        };
        /**
         * DiskLimit
         * @description What programs may take of the disk; no `limitBytes` is no limit.
         */
        DiskLimit: {
            /** @default none */
            enforcedBy: components["schemas"]["LimitHolder"];
            /** Limitbytes */
            limitBytes?: number | null;
        };
        /**
         * EgressConnection
         * @description A connection to somewhere, or a refusal.
         */
        EgressConnection: {
            /**
             * Address
             * @description What was dialled; `box` for the box's own loopback.
             */
            address?: string | null;
            /** Bytesreceived */
            bytesReceived: number;
            /** Bytessent */
            bytesSent: number;
            /**
             * Decision
             * @description `allow` or `deny`.
             */
            decision: string;
            /**
             * Durationms
             * @description Absent while it is open.
             */
            durationMs?: number | null;
            /** Host */
            host: string;
            /** Id */
            id: number;
            /** Port */
            port: number;
            /** Reason */
            reason?: string | null;
            /** Requests */
            requests: number;
            /** Rule */
            rule: string;
            /**
             * Scheme
             * @description `http` for plain requests, `tunnel` for CONNECT and SOCKS.
             */
            scheme: string;
            /**
             * Time
             * @description When it was decided, in seconds since 1970.
             */
            time: number;
            /** Upstream */
            upstream?: string | null;
        };
        /** EgressLogResponse */
        EgressLogResponse: {
            /**
             * Connections
             * @description The newest records, oldest first.
             */
            connections: components["schemas"]["EgressConnection"][];
        };
        /**
         * EgressLoosenRequest
         * @description Where a box may connect to beside what its policy allows: the operator's to say.
         */
        EgressLoosenRequest: {
            /**
             * Allow
             * @description Hosts, `*.example.com` for those below one, each with an optional `:port`.
             * @default []
             */
            allow?: string[];
            /**
             * Learn
             * @description Whether what no rule matches is allowed from now on and written down, where it is public; left out, it stays as it is.
             */
            learn?: boolean | null;
        };
        /** EgressPolicy */
        EgressPolicy: {
            /**
             * Allow
             * @description Hosts and ports allowed before the policy is asked.
             */
            allow?: string[];
            /**
             * Policy
             * @description `public`, `open`, `none`, `learn`, or the text of a policy, one rule a line. Credentials of upstreams are left out of answers.
             * @example public
             * @example allow *.example.com port 443
             *     allow 10.1.0.0/16 port 5432
             */
            policy: string;
        };
        /**
         * EgressRestrictRequest
         * @description Where a box may not connect to, beside what its policy forbids: never more than that allows.
         */
        EgressRestrictRequest: {
            /**
             * Deny
             * @description Hosts, `*.example.com` for those below one.
             * @default []
             */
            deny?: string[];
            /**
             * Only
             * @description Hosts in the same way; where there are any, no others can be reached.
             * @default []
             */
            only?: string[];
        };
        /** EgressSuggestionResponse */
        EgressSuggestionResponse: {
            /**
             * Policy
             * @description The smallest policy that would have allowed what was allowed so far.
             */
            policy: string;
        };
        /**
         * Evaluate
         * @enum {string}
         */
        Evaluate: "on" | "isolated" | "off";
        /**
         * ExportFormat
         * @enum {string}
         */
        ExportFormat: "jsonl" | "har" | "playwright" | "markdown" | "zip";
        /** FsActionResponse */
        FsActionResponse: {
            /** Path */
            path: string;
        };
        /** FsEntry */
        FsEntry: {
            /** @description `file` for everything that is no directory, links included. */
            entryType: components["schemas"]["FsEntryType"];
            /** Modified */
            modified?: string | null;
            /** Name */
            name: string;
            /** Path */
            path: string;
            /** Size */
            size: number;
        };
        /**
         * FsEntryType
         * @enum {string}
         */
        FsEntryType: "file" | "directory";
        /** FsMoveRequest */
        FsMoveRequest: {
            /**
             * From
             * @description What is to be moved.
             */
            from: string;
            /**
             * Overwrite
             * @description Replace what is there.
             */
            overwrite?: boolean | null;
            /**
             * To
             * @description Its new path, its name included.
             */
            to: string;
        };
        /** FsMoveResponse */
        FsMoveResponse: {
            /** From */
            from: string;
            /** To */
            to: string;
        };
        /** FsStat */
        FsStat: {
            /** @description `file` for everything that is no directory, links included. */
            entryType: components["schemas"]["FsEntryType"];
            /** Modified */
            modified?: string | null;
            /** Path */
            path: string;
            /** Size */
            size: number;
        };
        /** FsUploadBatchResponse */
        FsUploadBatchResponse: {
            /**
             * Paths
             * @description What was unpacked, in the archive's order.
             */
            paths: string[];
            /**
             * Truncated
             * @description Whether `paths` was cut; everything was unpacked all the same.
             */
            truncated: boolean;
        };
        /** FsWriteResponse */
        FsWriteResponse: {
            /** Byteswritten */
            bytesWritten: number;
            /** Path */
            path: string;
        };
        /** HealthResponse */
        HealthResponse: {
            /**
             * Egressbytes
             * @description Through connections that have ended, both ways.
             * @default 0
             */
            egressBytes: number;
            /**
             * Egressreceived
             * @default 0
             */
            egressReceived: number;
            /**
             * Egresssent
             * @default 0
             */
            egressSent: number;
            /** Expiresat */
            expiresAt?: string | null;
            isolation?: components["schemas"]["Isolation"] | null;
            /** Lastactivity */
            lastActivity?: string | null;
            /**
             * Openstreams
             * @default 0
             */
            openStreams: number;
            /**
             * Status
             * @default ok
             * @constant
             */
            status: "ok";
            /** Uptimeseconds */
            uptimeSeconds: number;
            usage?: components["schemas"]["ContainerUsage"] | null;
            /** Version */
            version: string;
        };
        /** Isolation */
        Isolation: {
            /** @default none */
            cpuLimit: components["schemas"]["LimitHolder"];
            /**
             * @default {
             *       "enforcedBy": "none"
             *     }
             */
            disk: components["schemas"]["DiskLimit"];
            /** @default none */
            diskLimit: components["schemas"]["LimitHolder"];
            /**
             * Diskstops
             * @default 0
             */
            diskStops: number;
            /**
             * Egress
             * @default public
             */
            egress: string;
            /** Jail */
            jail: boolean;
            lock?: components["schemas"]["Lock"] | null;
            /**
             * Memorykills
             * @default 0
             */
            memoryKills: number;
            /** @default none */
            memoryLimit: components["schemas"]["LimitHolder"];
            /**
             * Network
             * @default host
             */
            network: string;
            /** @default none */
            processLimit: components["schemas"]["LimitHolder"];
            /** Reason */
            reason?: string | null;
            /** Remedy */
            remedy?: string | null;
            /** Uid */
            uid?: number | null;
        };
        /**
         * LimitHolder
         * @description Who enforces a limit.
         * @enum {string}
         */
        LimitHolder: "cgroup" | "container" | "rlimit" | "image" | "watched" | "none";
        /**
         * LiveAck
         * @description A frame was shown.  A viewer that sends these is never more than a few frames behind.
         */
        LiveAck: {
            /** Timestamp */
            timestamp: number;
            /**
             * Type
             * @constant
             */
            type: "ack";
        };
        /**
         * LiveAsksChanged
         * @description The data of the event `asks`: all that one tab asks of a person now, oldest first.
         */
        LiveAsksChanged: {
            /** Asks */
            asks: components["schemas"]["BrowserAsk"][];
            /** Tabid */
            tabId: string;
        };
        /** LiveCommand */
        LiveCommand: {
            /** Id */
            id: number | string;
            /** Method */
            method: string;
            /** Params */
            params?: {
                [key: string]: unknown;
            };
            /**
             * Type
             * @constant
             */
            type: "cmd";
        };
        /**
         * LiveConsoleLine
         * @description The data of the event `console`.
         */
        LiveConsoleLine: {
            /**
             * Level
             * @description The method of `console` that was called.
             */
            level: string;
            /** Tabid */
            tabId: string;
            /** Text */
            text: string;
            /**
             * Timestamp
             * @description Milliseconds since 1970.
             */
            timestamp: number;
        };
        /**
         * LiveDialogChanged
         * @description The data of the event `dialog`.
         */
        LiveDialogChanged: {
            /** @description null once it is answered. */
            dialog: components["schemas"]["BrowserDialogInfo"] | null;
            /** Tabid */
            tabId: string;
        };
        /**
         * LiveDownloadChanged
         * @description The data of the event `download`: when one begins and when it ends.
         */
        LiveDownloadChanged: {
            /** Bytes */
            bytes?: number | null;
            /** Filename */
            filename: string;
            /** Id */
            id: string;
            /**
             * State
             * @enum {string}
             */
            state: "inProgress" | "completed" | "canceled";
        };
        /** LiveEvent */
        LiveEvent: {
            /** Data */
            data: {
                [key: string]: unknown;
            };
            name: components["schemas"]["LiveEventName"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event";
        };
        /**
         * LiveEventName
         * @enum {string}
         */
        LiveEventName: "ready" | "navigated" | "console" | "error" | "tabs" | "dialog" | "asks" | "download" | "control" | "stats" | "video" | "webrtc";
        /** LiveFrame */
        LiveFrame: {
            /**
             * Data
             * @description Base64.
             */
            data: string;
            /**
             * Format
             * @default jpeg
             * @constant
             */
            format: "jpeg";
            /**
             * Timestamp
             * @description Milliseconds since 1970.
             */
            timestamp: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "frame";
            viewport: components["schemas"]["LiveFrameViewport"];
        };
        /**
         * LiveFrameViewport
         * @description What is shown, in the pixels in which input counts; `dpr`: of a frame or a video how many pixels each of these
         *     has in the picture itself, in `ready` how many device pixels the page has for each.
         */
        LiveFrameViewport: {
            /** Dpr */
            dpr: number;
            /** H */
            h: number;
            /** W */
            w: number;
        };
        /**
         * LiveGlance
         * @description What a box shows and who drives it, without a picture: for lists of many.
         */
        LiveGlance: {
            /**
             * Dialog
             * @description What the page in front says and waits for an answer to.
             */
            dialog?: string | null;
            /** @description Who holds control. */
            holder: components["schemas"]["ControlHolder"];
            mode: components["schemas"]["LiveMode"];
            /**
             * Question
             * @description What an agent asks of a person.
             */
            question?: string | null;
            /**
             * Seq
             * @description The newest event of the record: it changes when something happened.
             */
            seq: number;
            /** Title */
            title?: string | null;
            /**
             * Url
             * @description Of the tab in front.
             */
            url?: string | null;
            /** Viewers */
            viewers: number;
        };
        /**
         * LiveHealthResponse
         * @description `GET /health`.
         */
        LiveHealthResponse: {
            /** Browserrunning */
            browserRunning: boolean;
            /** Droppedframes */
            droppedFrames: number;
            /** Fps */
            fps: number;
            /**
             * Lastactivity
             * Format: date-time
             */
            lastActivity: string;
            /** Lastcommandat */
            lastCommandAt?: string | null;
            /** Lastframeat */
            lastFrameAt?: string | null;
            mode: components["schemas"]["LiveMode"];
            /** Viewers */
            viewers: number;
        };
        /**
         * LiveIceServer
         * @description As WebRTC's `RTCIceServer`.
         */
        LiveIceServer: {
            /** Credential */
            credential?: string | null;
            /** Urls */
            urls: string[];
            /** Username */
            username?: string | null;
        };
        /**
         * LiveKeyAction
         * @enum {string}
         */
        LiveKeyAction: "keydown" | "keyup" | "char" | "compose";
        /** LiveKeyInput */
        LiveKeyInput: {
            action: components["schemas"]["LiveKeyAction"];
            /**
             * Code
             * @description As in DOM's KeyboardEvent.
             * @default
             */
            code?: string;
            /**
             * Device
             * @constant
             */
            device: "key";
            /**
             * Key
             * @description As in DOM's KeyboardEvent.
             * @default
             */
            key?: string;
            /**
             * Modifiers
             * @default 0
             */
            modifiers?: number;
            /**
             * Repeat
             * @default false
             */
            repeat?: boolean;
            /** Text */
            text?: string | null;
            /**
             * Type
             * @constant
             */
            type: "input";
        };
        /** LiveLinkCreateRequest */
        LiveLinkCreateRequest: {
            /**
             * @description What the person may do; no more than the caller may.
             * @default drive
             */
            role?: components["schemas"]["TokenRole"];
        };
        /**
         * LiveLinkResponse
         * @description `link` opens the viewer page for a person, once, until `expiresAt`.
         */
        LiveLinkResponse: {
            /**
             * Expiresat
             * Format: date-time
             */
            expiresAt: string;
            /** Link */
            link: string;
            role: components["schemas"]["TokenRole"];
        };
        /**
         * LiveMode
         * @enum {string}
         */
        LiveMode: "none" | "browser" | "desktop";
        /**
         * LiveMouseAction
         * @enum {string}
         */
        LiveMouseAction: "move" | "down" | "up" | "wheel";
        /**
         * LiveMouseButton
         * @enum {string}
         */
        LiveMouseButton: "none" | "left" | "middle" | "right" | "back" | "forward";
        /** LiveMouseInput */
        LiveMouseInput: {
            action: components["schemas"]["LiveMouseAction"];
            /** @default none */
            button?: components["schemas"]["LiveMouseButton"];
            /**
             * Clickcount
             * @default 1
             */
            clickCount?: number;
            /**
             * Deltamode
             * @description As in DOM: 0 pixels, 1 lines, 2 pages.
             * @default 0
             * @enum {integer}
             */
            deltaMode?: 0 | 1 | 2;
            /**
             * Deltax
             * @default 0
             */
            deltaX?: number;
            /**
             * Deltay
             * @default 0
             */
            deltaY?: number;
            /**
             * Device
             * @constant
             */
            device: "mouse";
            /**
             * Modifiers
             * @default 0
             */
            modifiers?: number;
            /** @description Absent: `x` and `y` are the page's own. */
            surface?: components["schemas"]["LiveSurface"] | null;
            /**
             * Type
             * @constant
             */
            type: "input";
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /**
         * LiveNavigated
         * @description The data of the event `navigated`; also within a document.
         */
        LiveNavigated: {
            /** Tabid */
            tabId: string;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /**
         * LivePeerChanged
         * @description The data of the event `webrtc`: how it goes with the peer that the viewer asked for.
         */
        LivePeerChanged: {
            /** Iceservers */
            iceServers?: components["schemas"]["LiveIceServer"][] | null;
            /**
             * Peer
             * @description As the viewer numbered it.
             */
            peer: number;
            /**
             * Reason
             * @description Why it is gone, or never was.
             */
            reason?: string | null;
            /**
             * Sdp
             * @description The offer, with all of the server's candidates.
             */
            sdp?: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "offered" | "connected" | "gone";
        };
        /**
         * LivePeerWish
         * @description A WebRTC peer that brings the picture, signalled here: `start` has one offered, `answer` takes the offer.
         */
        LivePeerWish: {
            /**
             * Action
             * @enum {string}
             */
            action: "start" | "answer" | "stop";
            /**
             * Codecs
             * @description With `start`: what the viewer would have, best first: `h264`, `vp8`.
             * @default []
             */
            codecs?: string[];
            /**
             * Crop
             * @description With `start`, as in `video`.
             */
            crop?: "page" | null;
            /**
             * Peer
             * @description The viewer's own number for it, by which it is told of it.
             * @default 0
             */
            peer?: number;
            /**
             * Sdp
             * @description With `answer`.
             * @default
             */
            sdp?: string;
            /**
             * Type
             * @constant
             */
            type: "webrtc";
        };
        /** LivePing */
        LivePing: {
            /** T */
            t?: number | string | null;
            /**
             * Type
             * @constant
             */
            type: "ping";
        };
        /** LivePong */
        LivePong: {
            /** T */
            t?: number | string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pong";
        };
        /**
         * LiveProblem
         * @description The data of the event `error`: a problem, whose further members depend on `code`, and its sentence.
         */
        LiveProblem: {
            /** Code */
            code: string;
            /** Detail */
            detail: string;
            /** Message */
            message: string;
            /** Status */
            status: number;
            /** Title */
            title: string;
            /** Type */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * LiveReady
         * @description The data of the event `ready`: the first message, and again whenever something else is shown.
         */
        LiveReady: {
            /**
             * Asks
             * @description What pages ask of a person already.
             * @default []
             */
            asks: components["schemas"]["BrowserAsk"][];
            /** Boxid */
            boxId: string;
            control: components["schemas"]["ControlResponse"];
            /**
             * Dialogs
             * @description Those that are open already.
             * @default []
             */
            dialogs: components["schemas"]["LiveDialogChanged"][];
            /**
             * Downloads
             * @description The last ones, oldest first.
             * @default []
             */
            downloads: components["schemas"]["LiveDownloadChanged"][];
            /**
             * Key
             * @description Its own secret; give it as `?viewer=` to be the same one after a reconnect.
             */
            key: string;
            mode: components["schemas"]["LiveMode"];
            /** Name */
            name: string;
            /** Role */
            role: string;
            /**
             * Tabs
             * @default []
             */
            tabs: components["schemas"]["LiveTab"][];
            /** Version */
            version: string;
            /**
             * Viewer
             * @description This viewer's id, which others see.
             */
            viewer: string;
            viewport?: components["schemas"]["LiveFrameViewport"] | null;
        };
        /**
         * LiveResize
         * @description Give the display this size, or the nearest it can have; the viewer's own, in CSS pixels.
         */
        LiveResize: {
            /** H */
            h: number;
            /**
             * Type
             * @constant
             */
            type: "resize";
            /** W */
            w: number;
        };
        /**
         * LiveResult
         * @description `error` is the problem that REST would answer with, and `message`; `stack` only for the page's own errors.
         */
        LiveResult: {
            /** Error */
            error?: {
                [key: string]: unknown;
            } | null;
            /** Id */
            id: number | string;
            /** Ok */
            ok: boolean;
            /** Result */
            result?: unknown;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "result";
        };
        /**
         * LiveStats
         * @description The data of the event `stats`, about this viewer's own stream over the last second or so.
         */
        LiveStats: {
            /**
             * Droppedframes
             * @description Frames this viewer never got, since it connected.
             */
            droppedFrames: number;
            /** Fps */
            fps: number;
            /** Kbps */
            kbps: number;
            /**
             * Rendition
             * @enum {string}
             */
            rendition: "full" | "small";
            /** Viewers */
            viewers: number;
        };
        /**
         * LiveSurface
         * @description The size of what the viewer shows the picture on, in the unit of `x` and `y`.
         */
        LiveSurface: {
            /** H */
            h: number;
            /** W */
            w: number;
        };
        /** LiveTab */
        LiveTab: {
            /** Active */
            active: boolean;
            /**
             * Error
             * @description Why its document did not come, as Chromium says: `ERR_…`.
             */
            error?: string | null;
            /** Id */
            id: string;
            /**
             * Loading
             * @description True while its document, or what that is made of, comes.
             */
            loading?: boolean | null;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /**
         * LiveTabsChanged
         * @description The data of the event `tabs`.
         */
        LiveTabsChanged: {
            /** Tabs */
            tabs: components["schemas"]["LiveTab"][];
        };
        /**
         * LiveVideoArea
         * @description A part of the display, in its pixels.
         */
        LiveVideoArea: {
            /** H */
            h: number;
            /** W */
            w: number;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /**
         * LiveVideoChanged
         * @description The data of the event `video`: what frames come as from now on, to a viewer that has asked for video.
         */
        LiveVideoChanged: {
            /**
             * Codec
             * @description As WebCodecs names it: `avc1.42e01f`, `vp8`; absent with jpeg.
             */
            codec?: string | null;
            /** @description The part of the display that is shown; absent: all of it. */
            crop?: components["schemas"]["LiveVideoArea"] | null;
            /**
             * Format
             * @description `webrtc`: none come here, but by the peer.
             * @enum {string}
             */
            format: "jpeg" | "h264" | "vp8" | "webrtc";
            /**
             * Reason
             * @description Why it is jpeg, where the viewer would rather have video.
             */
            reason?: string | null;
            /** @description How large what is shown is, and in what input counts. */
            viewport?: components["schemas"]["LiveFrameViewport"] | null;
        };
        /**
         * LiveVideoWish
         * @description Video instead of pictures, in the first of these codecs that the box makes; none of them, pictures again.
         *
         *     A name that the box does not know is passed over.
         */
        LiveVideoWish: {
            /**
             * Codecs
             * @description Best first: `h264`, `vp8`; with `webrtc` no frames come here while the peer is connected.
             */
            codecs: string[];
            /**
             * Crop
             * @description Of a browser's display, what its active page shows alone; absent: all of the display.
             */
            crop?: "page" | null;
            /**
             * Fps
             * @description Frames a second at most; absent: as it was started with.
             */
            fps?: number | null;
            /** @description How large the viewer shows it, in its device pixels: pictures and video have about as many. */
            surface?: components["schemas"]["LiveSurface"] | null;
            /**
             * Type
             * @constant
             */
            type: "video";
        };
        /**
         * Lock
         * @description What of a host or a container keeps a jail from being made.
         * @enum {string}
         */
        Lock: "seccomp" | "apparmor" | "selinux" | "masked_proc" | "user_namespaces";
        /** Ok */
        Ok: {
            /**
             * Ok
             * @default true
             */
            ok: boolean;
        };
        /** @description RFC 9457. Further members depend on `code`: see docs/reference/problems.md. */
        Problem: {
            code: string;
            detail: string;
            status: number;
            title: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * ProcessConfig
         * @description The limits of the process runtime.  All are required and positive when they are set.
         */
        ProcessConfig: {
            /**
             * Defaultruntimeoutms
             * @example 30000
             */
            defaultRunTimeoutMs: number;
            /**
             * Maxconcurrentprocesses
             * @description Running ones of all owners; run-once apart.
             * @example 64
             */
            maxConcurrentProcesses: number;
            /**
             * Maxinputbytesperrequest
             * @example 65536
             */
            maxInputBytesPerRequest: number;
            /**
             * Maxlogbytesperprocess
             * @description The oldest are dropped.
             * @example 10485760
             */
            maxLogBytesPerProcess: number;
            /**
             * Maxoutputbytes
             * @description Per stream of a run-once.
             * @example 1048576
             */
            maxOutputBytes: number;
            /**
             * Maxruntimeoutms
             * @example 300000
             */
            maxRunTimeoutMs: number;
        };
        /** ProcessCreateRequest */
        ProcessCreateRequest: {
            /**
             * Args
             * @default []
             * @example [
             *       "-m",
             *       "http.server"
             *     ]
             */
            args?: string[];
            /**
             * Command
             * @description A program in PATH, or a path.
             * @example python3
             */
            command: string;
            /**
             * Cwd
             * @description Working directory; the server's own where none is given.
             */
            cwd?: string | null;
            /**
             * Env
             * @description Added to a clean base environment (PATH, HOME, LANG, …).
             * @default {}
             */
            env?: {
                [key: string]: string;
            };
            /**
             * Interactive
             * @description A note for clients; input is accepted either way.
             * @default false
             */
            interactive?: boolean;
            /** @description `never` where none is given. */
            restartPolicy?: components["schemas"]["ProcessRestartPolicy"] | null;
            /**
             * Tty
             * @description Give it a terminal (24 rows, 80 columns) instead of pipes.
             * @default false
             */
            tty?: boolean;
        };
        /** ProcessInfo */
        ProcessInfo: {
            /** Args */
            args: string[];
            /** Command */
            command: string;
            /** Createdatms */
            createdAtMs: number;
            /** Cwd */
            cwd?: string | null;
            /**
             * Exitcode
             * @description Absent when a signal ended it.
             */
            exitCode?: number | null;
            /** Exitedatms */
            exitedAtMs?: number | null;
            /**
             * Id
             * @example proc_1
             */
            id: string;
            /** Interactive */
            interactive: boolean;
            owner: components["schemas"]["ProcessOwner"];
            /**
             * Pid
             * @description Only while running.
             */
            pid?: number | null;
            restartPolicy: components["schemas"]["ProcessRestartPolicy"];
            /**
             * Restarts
             * @description How often it was started again.
             */
            restarts: number;
            /**
             * Signal
             * @description The signal that ended it.
             * @example SIGKILL
             */
            signal?: string | null;
            status: components["schemas"]["ProcessState"];
            /** Tty */
            tty: boolean;
        };
        /** ProcessInputRequest */
        ProcessInputRequest: {
            /** Data */
            data: string;
            /**
             * Encoding
             * @description `base64` (the default), `utf8` or `text`.
             */
            encoding?: string | null;
        };
        /** ProcessInputResponse */
        ProcessInputResponse: {
            /** Byteswritten */
            bytesWritten: number;
        };
        /** ProcessListResponse */
        ProcessListResponse: {
            /** Processes */
            processes: components["schemas"]["ProcessInfo"][];
        };
        /** ProcessLogEntry */
        ProcessLogEntry: {
            /** Data */
            data: string;
            /**
             * Encoding
             * @default base64
             * @constant
             */
            encoding: "base64";
            /**
             * Sequence
             * @description From 1, per process, over restarts.
             */
            sequence: number;
            stream: components["schemas"]["ProcessLogsStream"];
            /** Timestampms */
            timestampMs: number;
        };
        /** ProcessLogsResponse */
        ProcessLogsResponse: {
            /** Entries */
            entries: components["schemas"]["ProcessLogEntry"][];
            /** Processid */
            processId: string;
            stream: components["schemas"]["ProcessLogsStream"];
        };
        /**
         * ProcessLogsStream
         * @enum {string}
         */
        ProcessLogsStream: "stdout" | "stderr" | "combined" | "pty";
        /**
         * ProcessOwner
         * @description Who had a process started.
         * @enum {string}
         */
        ProcessOwner: "user" | "desktop" | "system";
        /**
         * ProcessRestartPolicy
         * @description What happens when a process ends by itself.  Stop and kill end a caller's for good under every policy.
         * @enum {string}
         */
        ProcessRestartPolicy: "never" | "always" | "on-failure";
        /** ProcessRunRequest */
        ProcessRunRequest: {
            /**
             * Args
             * @default []
             * @example [
             *       "-c",
             *       "echo hello"
             *     ]
             */
            args?: string[];
            /**
             * Command
             * @example sh
             */
            command: string;
            /** Cwd */
            cwd?: string | null;
            /** Env */
            env?: {
                [key: string]: string;
            } | null;
            /**
             * Maxoutputbytes
             * @description Per stream; capped at the configured value.
             */
            maxOutputBytes?: number | null;
            /**
             * Timeoutms
             * @description 0 or absent: the configured default.
             */
            timeoutMs?: number | null;
        };
        /** ProcessRunResponse */
        ProcessRunResponse: {
            /** Durationms */
            durationMs: number;
            /**
             * Exitcode
             * @description null when a signal or the timeout ended it.
             */
            exitCode: number | null;
            /** Stderr */
            stderr: string;
            /** Stderrtruncated */
            stderrTruncated: boolean;
            /** Stdout */
            stdout: string;
            /** Stdouttruncated */
            stdoutTruncated: boolean;
            /** Timedout */
            timedOut: boolean;
        };
        /**
         * ProcessState
         * @enum {string}
         */
        ProcessState: "running" | "exited";
        /**
         * ProcessTerminalClose
         * @description Closes the WebSocket; the process lives on.
         */
        ProcessTerminalClose: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "close";
        };
        /**
         * ProcessTerminalError
         * @description A message that could not be taken, or output that was skipped; the WebSocket stays open.
         */
        ProcessTerminalError: {
            /** Message */
            message: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
        };
        /** ProcessTerminalExit */
        ProcessTerminalExit: {
            /**
             * Exitcode
             * @description null when a signal ended it.
             */
            exitCode?: number | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exit";
        };
        /**
         * ProcessTerminalInput
         * @description Text unless `encoding` says otherwise.
         */
        ProcessTerminalInput: {
            /** Data */
            data: string;
            /** Encoding */
            encoding?: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input";
        };
        /**
         * ProcessTerminalReady
         * @description The first message; output follows in binary ones.
         */
        ProcessTerminalReady: {
            /** Processid */
            processId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ready";
        };
        /** ProcessTerminalResize */
        ProcessTerminalResize: {
            /** Cols */
            cols: number;
            /** Rows */
            rows: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resize";
        };
        /** ProcessTerminalSize */
        ProcessTerminalSize: {
            /** Cols */
            cols: number;
            /** Rows */
            rows: number;
        };
        /** RecordActor */
        RecordActor: {
            /**
             * Id
             * @description Of the token or key, or a viewer's name; never a token.
             */
            id?: string | null;
            kind: components["schemas"]["RecordActorKind"];
            /** @default none */
            via: components["schemas"]["RecordActorVia"];
        };
        /**
         * RecordActorKind
         * @enum {string}
         */
        RecordActorKind: "agent" | "viewer" | "operator" | "page" | "system";
        /**
         * RecordActorVia
         * @enum {string}
         */
        RecordActorVia: "rest" | "mcp" | "cdp" | "live" | "none";
        /** RecordEvent */
        RecordEvent: {
            actor: components["schemas"]["RecordActor"];
            /**
             * Chain
             * @description Over this event and all before it.
             */
            chain: string;
            /**
             * Data
             * @default {}
             */
            data: {
                [key: string]: unknown;
            };
            kind: components["schemas"]["RecordEventKind"];
            /**
             * Mono
             * @description Microseconds since the box began.
             */
            mono: number;
            /**
             * Name
             * @description What of that kind, such as `browserClick.begin`.
             */
            name: string;
            /**
             * Requestid
             * @description Of the call that it belongs to.
             */
            requestId?: string | null;
            /**
             * Seq
             * @description Without gaps among what was written.
             */
            seq: number;
            /**
             * T
             * @description Microseconds since 1970, by the clock that the box began with.
             */
            t: number;
            /** Tabid */
            tabId?: string | null;
            /**
             * Traceid
             * @description Of the W3C trace that the call belongs to.
             */
            traceId?: string | null;
        };
        /**
         * RecordEventKind
         * @enum {string}
         */
        RecordEventKind: "call" | "cdp" | "input" | "control" | "nav" | "tab" | "dialog" | "download" | "upload" | "console" | "network" | "egress" | "process" | "viewer" | "film" | "screen" | "mark" | "ask" | "system";
        /**
         * RecordFilmMode
         * @enum {string}
         */
        RecordFilmMode: "off" | "on_failure" | "on";
        /**
         * RecordHead
         * @description Where the record stood at `t`, signed: the chain of its last event.
         */
        RecordHead: {
            /** Chain */
            chain: string;
            /**
             * Key
             * @description The first 16 digits of SHA-256 over the public key.
             */
            key: string;
            /** Seq */
            seq: number;
            /**
             * Signature
             * @description Ed25519 over `belljar-head-1 <seq> <chain> <t>`, in base64.
             */
            signature: string;
            /**
             * T
             * @description Microseconds since 1970.
             */
            t: number;
        };
        /**
         * RecordKey
         * @description The public half of the key that signs heads.
         */
        RecordKey: {
            /**
             * Algorithm
             * @default ed25519
             */
            algorithm: string;
            /**
             * Box
             * @description Whose it is; none of an installation's own.
             */
            box?: string | null;
            /**
             * Certificate
             * @description An installation's signature over `belljar-box-key-1 <box> <publicKey>`, in base64.
             */
            certificate?: string | null;
            /** Id */
            id: string;
            /**
             * Publickey
             * @description In base64.
             */
            publicKey: string;
        };
        /**
         * RecordLevel
         * @enum {string}
         */
        RecordLevel: "none" | "actions" | "content";
        /** RecordMarkRequest */
        RecordMarkRequest: {
            /**
             * Film
             * @description Keep the last minutes as a film; for sessions with `film: on_failure`.
             * @default false
             */
            film?: boolean;
            /**
             * Text
             * @description What to find again; kept as it is, at every level.
             */
            text: string;
        };
        /** RecordMarkResponse */
        RecordMarkResponse: {
            /**
             * Recordingid
             * @description The film that was kept, where `film` asked for one.
             */
            recordingId?: string | null;
            /**
             * T
             * @description When it was, as in the event.
             */
            t: number;
        };
        /** RecordPageResponse */
        RecordPageResponse: {
            /**
             * Cursor
             * @description How far was read: `since` of the next page.
             */
            cursor: number;
            /** Events */
            events: components["schemas"]["RecordEvent"][];
            level: components["schemas"]["RecordLevel"];
            /**
             * More
             * @description Whether there is more to read after `cursor`.
             */
            more: boolean;
            /**
             * Newest
             * @description The last one that was written; 0 before there is one.
             */
            newest: number;
            /**
             * Oldest
             * @description The first event that is still there.
             */
            oldest: number;
        };
        /**
         * RecordProof
         * @description The key, and the last head that was signed; none before something was written.
         */
        RecordProof: {
            head?: components["schemas"]["RecordHead"] | null;
            key: components["schemas"]["RecordKey"];
        };
        /**
         * SessionAllowance
         * @description What a session may use and do, as it is enforced; a limit that is absent is none.
         */
        SessionAllowance: {
            /** @default on */
            cdp?: components["schemas"]["CdpRelay"];
            /** Commandrate */
            commandRate?: number | null;
            /** Cpus */
            cpus?: number | null;
            /** Diskmb */
            diskMb?: number | null;
            /** @default on */
            evaluate?: components["schemas"]["Evaluate"];
            /** @default off */
            film?: components["schemas"]["RecordFilmMode"];
            /** Inputrate */
            inputRate?: number | null;
            /** Memorymb */
            memoryMb?: number | null;
            /** Processes */
            processes?: number | null;
            /** @default actions */
            record?: components["schemas"]["RecordLevel"];
            /**
             * Recordkinds
             * @description Absent: all.
             */
            recordKinds?: components["schemas"]["RecordEventKind"][] | null;
            /** Viewers */
            viewers?: number | null;
        };
        /**
         * SessionIsolation
         * @description What of it whoever uses a session has to know; the remedy is the operator's business.
         */
        SessionIsolation: {
            /**
             * @default {
             *       "enforcedBy": "none"
             *     }
             */
            disk: components["schemas"]["DiskLimit"];
            /**
             * Jail
             * @description Whether programs run in namespaces of their own, behind a system-call filter.
             */
            jail: boolean;
            /**
             * Reason
             * @description Why there is no jail.
             */
            reason?: string | null;
        };
        /** TokenCreateRequest */
        TokenCreateRequest: {
            /**
             * Name
             * @description Whom it is for, as others see it; made up when not given.
             */
            name?: string | null;
            /**
             * Once
             * @description Good for opening one WebSocket, within five minutes at most, and nothing else; it stays open.
             * @default false
             */
            once?: boolean;
            role: components["schemas"]["TokenRole"];
            /**
             * Ttl
             * @description Seconds until the token ends.
             * @default 3600
             */
            ttl?: number;
        };
        /**
         * TokenCreateResponse
         * @description `token` is shown once.  `link` opens the viewer page for a person, once, within five minutes.
         */
        TokenCreateResponse: {
            /**
             * Expiresat
             * Format: date-time
             */
            expiresAt: string;
            /** Id */
            id: string;
            /** Link */
            link: string;
            /** Name */
            name: string;
            role: components["schemas"]["TokenRole"];
            /** Token */
            token: string;
        };
        /**
         * TokenRole
         * @enum {string}
         */
        TokenRole: "drive" | "view";
        /**
         * ViewSignInRequest
         * @description Either a one-time link's `ticket` or a `token`.
         */
        ViewSignInRequest: {
            /**
             * Path
             * @description Where the box is, as the browser sees it: the cookie's Path behind a proxy that does not say.
             */
            path?: string | null;
            /** Ticket */
            ticket?: string | null;
            /** Token */
            token?: string | null;
        };
        /** ViewSignInResponse */
        ViewSignInResponse: {
            /**
             * Expiresat
             * Format: date-time
             */
            expiresAt: string;
            /** Name */
            name: string;
            role: components["schemas"]["TokenRole"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    downloadWorkspaceFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as an attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The bytes that `Range` asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLiveHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveHealthResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: {
                /** @description `true` starts the browser on a display. */
                headed?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of a request; a notification has none. */
                    id?: string | number;
                    /** @constant */
                    jsonrpc: "2.0";
                    /**
                     * @example tools/list
                     * @example tools/call
                     */
                    method?: string;
                    /**
                     * @example {
                     *       "arguments": {
                     *         "url": "https://example.com"
                     *       },
                     *       "name": "navigate"
                     *     }
                     */
                    params?: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description The answer, alone or as the event of a stream, as `Accept` allows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "text/event-stream": unknown;
                };
            };
            /** @description A notification was taken. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    browserAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserAnswerRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserActionResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `ask_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserAsks: {
        parameters: {
            query?: {
                tabId?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserAskListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserBack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BrowserHistoryRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserPageInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `navigation_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connectBrowserCdp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description `websocket_required` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserCdpTargets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCdpTarget"][];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `cdp_disabled` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserCdpVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCdpVersion"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `cdp_disabled` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserClick: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserClickRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserActionResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserConsole: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                level?: components["schemas"]["BrowserConsoleLevel"] | null;
                /** @description Only texts with a match (RE2's syntax). */
                pattern?: string | null;
                /** @description The last so many. */
                limit?: number;
                /** @description Only what came after this cursor. */
                since?: number;
                /** @description Answer with an event stream. */
                follow?: boolean;
            };
            header?: {
                "last-event-id"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserConsoleResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserContent: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
                /** @description A frame of the tab, by id or by a selector of its element; the main frame where absent. */
                frame?: string | null;
                /** @description Only what is inside this element. */
                selector?: string | null;
                /** @description Characters at most. */
                maxChars?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserContentResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `frame_navigated` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserContexts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserContextListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createBrowserContext: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserContextCreateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserContextInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `context_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `context_in_use` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBrowserContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                context_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `context_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `context_in_use` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserCookies: {
        parameters: {
            query?: {
                /** @description Only those that a request there would carry. */
                url?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCookiesResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setBrowserCookies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserCookiesSetRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBrowserCookies: {
        parameters: {
            query?: {
                /** @description Only those of this name. */
                name?: string | null;
                /** @description Only those of this domain and below it. */
                domain?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCookiesDeleteResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    crawlBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserCrawlRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCrawlResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserCrawls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCrawlListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startBrowserCrawl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserCrawlRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCrawlInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserCrawl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCrawlJob"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `crawl_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelBrowserCrawl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserCrawlJob"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `crawl_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followBrowserCrawl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `crawl_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserDialog: {
        parameters: {
            query?: {
                tabId?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserDialogStatusResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserDialog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserDialogRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserDialogResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `dialog_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserDownloads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserDownloadListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readBrowserDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                download_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as an attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The bytes that `Range` asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `download_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `download_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBrowserDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                download_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `download_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserDrag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserDragRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserActionResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserElements: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
                /** @description Elements at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserElementsResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `frame_navigated` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    emulateBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserEmulationRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserEvents: {
        parameters: {
            query?: {
                since?: number;
                /** @description Answer with an event stream. */
                follow?: boolean;
                /** @description Milliseconds to wait for something to tell, at most. */
                timeout?: number;
            };
            header?: {
                "last-event-id"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserEventsResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    executeBrowserScript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserExecuteRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserExecuteResponse"];
                };
            };
            /** @description `script_error` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `evaluate_disabled` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserFill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserFillRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserActionResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserFind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserFindRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserFindResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserForward: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BrowserHistoryRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserPageInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `navigation_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserHover: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserHoverRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserActionResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserLinks: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
                /** @description A frame of the tab, by id or by a selector of its element; the main frame where absent. */
                frame?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserLinksResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `frame_navigated` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserMarkdown: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
                /** @description The main content, the whole page, or what fits. */
                mode?: components["schemas"]["BrowserMarkdownMode"];
                /** @description Only this element. */
                selector?: string | null;
                /** @description Whether the contents of frames are taken in, whatever their origin. */
                frames?: boolean;
                /** @description Characters at most. */
                maxChars?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserMarkdownResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `frame_navigated` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `content_not_convertible` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserNavigate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserNavigateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserPageInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `egress_denied`, `address_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `navigation_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserNetwork: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Only addresses with a match (RE2's syntax). */
                urlPattern?: string | null;
                /** @description The last so many. */
                limit?: number;
                /** @description Only what came or changed after this cursor. */
                since?: number;
                /** @description Answer with an event stream. */
                follow?: boolean;
            };
            header?: {
                "last-event-id"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserNetworkResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserNetworkRequest: {
        parameters: {
            query?: {
                tabId?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserNetworkRequestDetails"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `request_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserNetworkBody: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `request_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `response_body_gone` */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserPartitions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserPartitionListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putBrowserPartition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BrowserPartitionPutRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserPartitionInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBrowserPartition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `partition_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserPdf: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
                format?: components["schemas"]["BrowserPdfFormat"];
                landscape?: boolean;
                printBackground?: boolean;
                scale?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserPress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserPressRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserActionResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserReload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BrowserReloadRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserPageInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `navigation_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    scrapeBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserScrapeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserScrapeResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `egress_denied`, `address_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `frame_navigated` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `navigation_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takeBrowserScreenshot: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
                /** @description A frame of the tab, by id or by a selector of its element; the main frame where absent. */
                frame?: string | null;
                format?: components["schemas"]["BrowserScreenshotFormat"];
                /** @description For jpeg and webp; 80 where absent. */
                quality?: number | null;
                /** @description The whole page, as far as it scrolls. */
                fullPage?: boolean;
                /** @description Only this element, scrolled to. */
                selector?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description `browser_invalid_selector`, `screenshot_too_large` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout`, `element_not_ready` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserScroll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserScrollRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserScrollResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserSelect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserSelectRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSelectResponse"];
                };
            };
            /** @description `browser_invalid_selector`, `option_not_found` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserSelection: {
        parameters: {
            query?: {
                tabId?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSelectionResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserSnapshot: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
                /** @description A frame of the tab, by id or by a selector of its element; the main frame where absent. */
                frame?: string | null;
                /** @description Only this element and what is in it. */
                selector?: string | null;
                /** @description Levels of the tree at most. */
                depth?: number | null;
                /** @description Only what can be acted on, without the structure around it. */
                interactiveOnly?: boolean;
                /** @description Characters at most; cut at a line. */
                maxChars?: number | null;
                /** @description Whether links and pictures come with their absolute address. */
                urls?: boolean;
                /** @description A revision seen before: only what changed since is returned. */
                since?: number | null;
                /** @description As `since`, for the tab's last snapshot with the same options. */
                sinceLast?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSnapshotResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `frame_navigated` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BrowserStartRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserStatusResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `address_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `context_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_already_active`, `browser_desktop_conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_install_required` */
            424: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_start_failed` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserStatusResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserStopResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserStopLoading: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BrowserOnTab"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserStorage: {
        parameters: {
            query?: {
                /** @description Origins to look at beside those that are known. */
                origins?: string[] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserStorageState"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setBrowserStorage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserStorageRestoreRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserStorageRestoreResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserTabs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserTabListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createBrowserTab: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BrowserTabCreateRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserTabInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `egress_denied`, `address_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `partition_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `navigation_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeBrowserTab: {
        parameters: {
            query?: {
                /** @description Whether to answer when it is closed, or when that has begun. */
                wait?: boolean;
            };
            header?: never;
            path: {
                tab_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserTabCloseResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateBrowserTab: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tab_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserTabInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrowserText: {
        parameters: {
            query?: {
                /** @description The tab; the active one where absent. */
                tabId?: string | null;
                /** @description Milliseconds; the server's default where absent. */
                timeout?: number | null;
                /** @description A frame of the tab, by id or by a selector of its element; the main frame where absent. */
                frame?: string | null;
                /** @description Only what is inside this element. */
                selector?: string | null;
                /** @description Characters at most. */
                maxChars?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserTextResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `frame_navigated` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserType: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserTypeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserActionResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserUploadRequest"];
                "multipart/form-data": {
                    ask?: string;
                    file?: string[];
                    ref?: string;
                    selector?: string;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserUploadResponse"];
                };
            };
            /** @description `browser_invalid_selector` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found`, `frame_not_found`, `element_not_found`, `ask_not_found`, `file_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref`, `element_not_ready`, `chooser_not_open` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `element_not_ready`, `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setBrowserViewport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserViewportRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browserWait: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrowserWaitRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserWaitResponse"];
                };
            };
            /** @description `browser_invalid_selector`, `script_error` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `evaluate_disabled` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_not_active`, `dialog_open`, `stale_ref` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `browser_timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    claimBox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `box_not_tightened`, `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_honoured`, `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getControl: {
        parameters: {
            query?: {
                /** @description Answer when it is so; at the timeout as it is then. */
                until?: components["schemas"]["ControlMoment"] | null;
                /** @description With `until`: milliseconds to wait at most. */
                timeout?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setControl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ControlRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `viewer_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `control_held` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDesktopAccessibility: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopAccessibilityResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDesktopClipboard: {
        parameters: {
            query?: {
                /** @description `clipboard` or `primary`. */
                selection?: string;
                /** @description `png` adds the picture, where there is one. */
                format?: components["schemas"]["DesktopClipboardFormat"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopClipboardResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `clipboard_failed` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setDesktopClipboard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopClipboardWriteRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `clipboard_failed` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDesktopDisplayInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopDisplayInfoResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resizeDesktopDisplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopDisplayResizeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopDisplayInfoResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive`, `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keyDownDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopKeyboardHoldRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pressDesktopKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopKeyboardPressRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    typeDesktopText: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopKeyboardTypeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keyUpDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopKeyboardHoldRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    launchDesktopApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopLaunchRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopLaunchResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `app_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `app_exited` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    clickDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopMouseClickRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopMousePositionResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mouseDownDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopMouseButtonRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopMousePositionResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dragDesktopMouse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopMouseDragRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopMousePositionResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    moveDesktopMouse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopMouseMoveRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopMousePositionResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDesktopMousePosition: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopMousePositionResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    scrollDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopMouseScrollRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopMousePositionResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mouseUpDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopMouseButtonRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopMousePositionResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_input_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openDesktopTarget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopOpenRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopOpenResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `app_exited` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startDesktopRecording: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopRecordingStartRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopRecordingInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tab_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`, `browser_not_active` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `disk_full` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopDesktopRecording: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopRecordingInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDesktopRecordings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopRecordingListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDesktopRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopRecordingInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDesktopRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadDesktopRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The film; ranges are served. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": unknown;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takeDesktopScreenshot: {
        parameters: {
            query?: {
                format?: components["schemas"]["DesktopScreenshotFormat"];
                /** @description 1 to 100, for jpeg and webp. */
                quality?: number;
                /** @description 0.1 to 1.0; applies after a region is cut. */
                scale?: number;
                showCursor?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_screenshot_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takeDesktopRegionScreenshot: {
        parameters: {
            query: {
                x: number;
                y: number;
                width: number;
                height: number;
                format?: components["schemas"]["DesktopScreenshotFormat"];
                /** @description 1 to 100, for jpeg and webp. */
                quality?: number;
                /** @description 0.1 to 1.0; applies after a region is cut. */
                scale?: number;
                showCursor?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_screenshot_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopStartRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopStatusResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_dependencies_missing`, `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDesktopStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopStatusResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopStatusResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connectDesktopStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopStreamStatusResponse"];
                };
            };
            /** @description `websocket_required` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startDesktopStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopStreamStatusResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDesktopStreamStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopStreamStatusResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopDesktopStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopStreamStatusResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDesktopWindows: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopWindowListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDesktopFocusedWindow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopWindowInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `no_focused_window` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeDesktopWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopWindowCloseResponse"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `window_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    focusDesktopWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopWindowInfo"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `window_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    maximizeDesktopWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopWindowInfo"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `window_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    minimizeDesktopWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopWindowInfo"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `window_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    moveDesktopWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopWindowMoveRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopWindowInfo"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `window_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resizeDesktopWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesktopWindowResizeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopWindowInfo"];
                };
            };
            /** @description `desktop_invalid_action` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `window_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_inactive` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `desktop_runtime_failed` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEgressLog: {
        parameters: {
            query?: {
                /** @description Answer with an event stream. */
                follow?: "true" | "false";
                /** @description Only these. */
                decision?: ("allow" | "deny") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressLogResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    loosenEgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EgressLoosenRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressPolicy"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `policy_invalid`, `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEgressPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressPolicy"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setEgressPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EgressPolicy"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressPolicy"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restrictEgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EgressRestrictRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressPolicy"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEgressSuggestion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressSuggestionResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description Only events after this `seq`. */
                since?: number;
                /** @description Only these kinds, separated by commas. */
                kinds?: string | null;
                /** @description Only what these did. */
                actor?: components["schemas"]["RecordActorKind"] | null;
                /** @description Only what belongs to this tab. */
                tab?: string | null;
                /** @description Only from this time on. */
                from?: number | null;
                /** @description Only until this time. */
                to?: number | null;
                /** @description At most so many. */
                limit?: number;
                /** @description Answer with an event stream, which goes on with what comes. */
                follow?: boolean;
            };
            header?: {
                "last-event-id"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordPageResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportEvents: {
        parameters: {
            query?: {
                /** @description What to make of it. */
                format?: components["schemas"]["ExportFormat"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordMarkRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordMarkResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `disk_full` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEventPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEventsProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordProof"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFsEntries: {
        parameters: {
            query?: {
                /** @description As programs in the box see it; their home where left out. */
                path?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsEntry"][];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteFsEntry: {
        parameters: {
            query: {
                /** @description As programs in the box see it; relative to their home. */
                path: string;
                recursive?: boolean | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsActionResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `stream_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readFsFile: {
        parameters: {
            query: {
                /** @description As programs in the box see it; relative to their home. */
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The bytes that `Range` asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    writeFsFile: {
        parameters: {
            query: {
                /** @description As programs in the box see it; relative to their home. */
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The file's bytes. */
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsWriteResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `stream_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `disk_full` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mkdirFs: {
        parameters: {
            query: {
                /** @description As programs in the box see it; relative to their home. */
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsActionResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `stream_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `disk_full` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    moveFs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FsMoveRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsMoveResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `stream_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `disk_full` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    statFs: {
        parameters: {
            query: {
                /** @description As programs in the box see it; relative to their home. */
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsStat"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uploadFsBatch: {
        parameters: {
            query?: {
                /** @description As programs in the box see it; their home where left out. */
                path?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A tar archive, not compressed. */
        requestBody: {
            content: {
                "application/x-tar": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsUploadBatchResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `stream_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `disk_full` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLiveGlance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveGlance"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLiveLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LiveLinkCreateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveLinkResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProcesses: {
        parameters: {
            query?: {
                owner?: components["schemas"]["ProcessOwner"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessListResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProcess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProcessCreateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `stream_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProcessConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessConfig"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setProcessConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProcessConfig"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessConfig"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runProcess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProcessRunRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessRunResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `stream_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProcess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteProcess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendProcessInput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProcessInputRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessInputResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    killProcess: {
        parameters: {
            query?: {
                /** @description How long to wait for the end, at most 10 minutes. */
                waitMs?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProcessLogs: {
        parameters: {
            query?: {
                stream?: components["schemas"]["ProcessLogsStream"] | null;
                /** @description Only the last so many entries. */
                tail?: number | null;
                /** @description Only entries after this sequence. */
                since?: number | null;
                /** @description Answer with an event stream. */
                follow?: "true" | "false";
            };
            header?: {
                "last-event-id"?: string | null;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessLogsResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopProcess: {
        parameters: {
            query?: {
                /** @description How long to wait for the end, at most 10 minutes. */
                waitMs?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resizeProcessTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProcessTerminalSize"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessTerminalSize"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connectProcessTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description `websocket_required` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenCreateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreateResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signInToView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewSignInRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewSignInResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_request` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOutOfView: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
