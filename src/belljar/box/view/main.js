// Made by `make web` from web/view and web/live: change it there.
// live/src/access.ts
var Access = class {
	#connection;
	#listener;
	constructor(connection, listener = {}) {
		this.#connection = connection;
		this.#listener = listener;
	}
	get mayDrive() {
		return this.#connection.getSnapshot().ready?.role === "drive";
	}
	/** Whether this viewer has control; moves of the pointer are sent only then. */
	get holdsControl() {
		const { ready, control } = this.#connection.getSnapshot();
		return this.#connection.isTakingControl || ready !== void 0 && control?.holder.viewer === ready.viewer;
	}
	/** Asked before each act.  What is free is taken with it; what somebody has is not taken from them. */
	mayAct() {
		const { control } = this.#connection.getSnapshot();
		if (!this.mayDrive || control === void 0) return false;
		if (this.holdsControl) return true;
		if (control.holder.kind !== "none") {
			this.#listener.onHeld?.(control.holder);
			return false;
		}
		this.#connection.call("control.take").catch((problem) => this.#listener.onRefused?.(problem));
		return true;
	}
	/** Take control, also from somebody, or give it back. */
	toggle() {
		return this.#connection.call(this.holdsControl ? "control.release" : "control.take");
	}
};
// live/src/asks.ts
var QUESTIONS = {
	select: "The page offers a choice",
	date: "The page asks for a date",
	time: "The page asks for a time",
	"datetime-local": "The page asks for a date and a time",
	month: "The page asks for a month",
	week: "The page asks for a week",
	color: "The page asks for a colour",
	datalist: "The page suggests",
	file: "The page asks for a file",
	menu: "Menu",
	auth: "A server asks for a name and a password",
	permission: "The site asks to be allowed something",
	print: "The page wants to be printed"
};
var PERMISSIONS = {
	geolocation: "know where it is",
	camera: "use a camera",
	microphone: "use a microphone",
	"clipboard-read": "read the clipboard",
	midi: "use MIDI devices",
	"local-fonts": "list the fonts that are installed",
	"window-management": "place windows on all screens"
};
var TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
var FILTERED = 12;
var ROWS = 8;
/** What is asked, in a sentence. */
function questionOf(ask) {
	const { kind, multiple, directory, origin, permission, waiting } = ask;
	const label = ask.label?.replace(TURNING, "");
	if (kind === "permission") return `${askerOf(ask)} asks to ${permission ? PERMISSIONS[permission] : "be allowed something"}${waiting ? ` (and ${waiting} more)` : ""}`;
	if (kind === "print") return `${askerOf(ask)} wants to be printed`;
	if (kind === "auth") return `${origin ?? "A server"} asks for a name and a password${label ? `, for “${label}”` : ""}`;
	const question = kind === "file" && directory ? "The page asks for a folder" : kind === "file" && multiple ? "The page asks for files" : QUESTIONS[kind];
	const asked = isForeign(ask) ? question.replace("The page", askerOf(ask)) : question;
	return label ? `${asked}: ${label}` : asked;
}
/** Whether a frame of another site asks than the tab shows. */
function isForeign({ origin, site }) {
	return Boolean(origin && site && origin !== site);
}
function askerOf(ask) {
	const asker = ask.origin && ask.origin !== "null" ? ask.origin : "A frame of nobody's";
	return isForeign(ask) ? `${asker}, a frame in ${ask.site},` : asker;
}
/** The form of one question.  Words of the page are text in it, never markup. */
function askForm(ask, actions) {
	const form = make("form", {
		className: "belljar-ask",
		noValidate: true
	});
	form.dataset["kind"] = ask.kind;
	form.setAttribute("role", "group");
	form.setAttribute("aria-label", questionOf(ask));
	form.append(make("p", {
		className: "belljar-ask-question",
		textContent: questionOf(ask)
	}));
	if (!actions.mayAnswer) return form;
	const ending = new AbortController();
	const problem = make("p", {
		className: "belljar-ask-problem",
		hidden: true
	});
	problem.setAttribute("role", "alert");
	const tried = (work) => {
		problem.hidden = true;
		work.then(actions.onDone, (failed) => {
			if (ending.signal.aborted) return;
			problem.textContent = failed.message ?? "It did not work.";
			problem.hidden = false;
		});
	};
	const part = (PARTS[ask.kind] ?? PARTS.value)(ask, {
		tools: actions.tools,
		close: () => close(),
		answer: (given) => tried(actions.answer(given)),
		upload: (files, onProgress) => tried(actions.upload(files, onProgress, ending.signal))
	});
	const cancel = make("button", {
		type: "button",
		className: "belljar-ask-cancel",
		textContent: [
			"datalist",
			"menu",
			"print"
		].includes(ask.kind) ? "Close" : "Cancel",
		hidden: ask.kind === "permission"
	});
	const close = () => {
		ending.abort();
		actions.answer({ cancel: true }).then(actions.onDone, actions.onDone);
	};
	cancel.onclick = close;
	form.onsubmit = (event) => {
		event.preventDefault();
		part.submit();
	};
	form.onkeydown = (event) => {
		event.stopPropagation();
		if (event.key === "Escape") close();
	};
	form.append(make("div", { className: "belljar-ask-row" }, ...part.fields, ...part.buttons, cancel), problem);
	return form;
}
/** Give the keyboard to what is to be filled in; suggestions leave it to the page, which is being typed into. */
function focusAsk(form) {
	if (form.dataset["kind"] === "datalist") return;
	form.querySelector("input, select, button")?.focus({ preventScroll: true });
}
var PARTS = {
	select(ask, { answer }) {
		const options = ask.options ?? [];
		const list = make("select", {
			multiple: ask.multiple === true,
			size: rowsOf(options),
			className: "belljar-ask-options"
		});
		list.setAttribute("aria-label", ask.label || "Options");
		fillOptions(list, ask, "");
		const filter = make("input", {
			type: "search",
			placeholder: ask.more ? "Find, or write a whole name" : "Find",
			className: "belljar-ask-filter"
		});
		filter.setAttribute("aria-label", "Find an option");
		filter.oninput = () => fillOptions(list, ask, filter.value);
		const submit = () => {
			const indexes = [...list.selectedOptions].map((option) => Number(option.value));
			if (ask.more && filter.value.trim() && (list.options.length === 0 || !indexes.length)) answer({ value: filter.value.trim() });
			else if (ask.multiple) answer({ indexes: indexes.concat(chosenElsewhere(list, ask)).sort((one, other) => one - other) });
			else if (indexes.length) answer({ indexes });
		};
		if (!ask.multiple) list.onclick = (event) => void (event.target instanceof HTMLOptionElement && !event.target.disabled && submit());
		list.onkeydown = (event) => {
			if (event.key !== "Enter") return;
			event.preventDefault();
			submit();
		};
		const isLong = options.length > FILTERED || Boolean(ask.more);
		const rest = ask.more ? [make("span", {
			className: "belljar-ask-hint",
			textContent: `${ask.more} more are not listed`
		})] : [];
		return {
			fields: [
				...isLong ? [filter] : [],
				list,
				...rest
			],
			buttons: [strong("Choose")],
			submit
		};
	},
	value(ask, { answer }) {
		const field = valueField(ask);
		const clear = make("button", {
			type: "button",
			textContent: "Clear",
			onclick: () => answer({ value: "" })
		});
		return {
			fields: [field],
			buttons: [strong("Set"), ...ask.kind === "color" || ask.required ? [] : [clear]],
			submit: () => answer({ value: field.value })
		};
	},
	datalist(ask, { answer }) {
		return {
			fields: [make("ul", { className: "belljar-ask-suggestions" }, ...(ask.options ?? []).slice(0, 50).map(({ label, value }) => {
				return make("li", {}, make("button", {
					type: "button",
					textContent: label,
					onclick: () => answer({ value: value ?? label })
				}));
			}))],
			buttons: [],
			submit: () => void 0
		};
	},
	menu(ask, { answer, close, tools }) {
		const item = (textContent, run) => make("button", {
			type: "button",
			textContent,
			onclick: () => {
				close();
				run();
			}
		});
		const { link, image, text, editable } = ask;
		const items = [
			...link ? [item("Open in a new tab", () => tools.run("tabs.create", { url: link })), item("Copy the link", () => tools.copyText(link))] : [],
			...image ? [make("button", {
				type: "button",
				textContent: "Save the picture",
				onclick: () => answer({ save: true })
			})] : [],
			...text ? [item("Copy", () => tools.copyText(text))] : [],
			...editable && tools.canPaste ? [item("Paste", () => tools.paste())] : [],
			item("Back", () => tools.run("back")),
			item("Forward", () => tools.run("forward")),
			item("Reload", () => tools.run("reload")),
			item("Find", () => tools.find()),
			item("Save as PDF", () => tools.print())
		];
		const hint = editable && !tools.canPaste ? [make("span", {
			className: "belljar-ask-hint",
			textContent: "Paste with Ctrl+V: without TLS a page may not read your clipboard."
		})] : [];
		return {
			fields: [make("div", { className: "belljar-ask-menu" }, ...items), ...hint],
			buttons: [],
			submit: () => void 0
		};
	},
	auth(_ask, { answer }) {
		const name = make("input", {
			type: "text",
			autocomplete: "off",
			placeholder: "Name"
		});
		name.setAttribute("aria-label", "Name");
		const password = make("input", {
			type: "password",
			autocomplete: "off",
			placeholder: "Password"
		});
		password.setAttribute("aria-label", "Password");
		return {
			fields: [name, password],
			buttons: [strong("Sign in")],
			submit: () => answer({
				username: name.value,
				password: password.value
			})
		};
	},
	permission(ask, { answer }) {
		const place = ask.positionNeeded ? [numberField("Latitude", 90), numberField("Longitude", 180)] : [];
		const decide = (decision) => {
			if ((decision === "deny" ? void 0 : place.find((field) => !field.reportValidity())) !== void 0) return;
			const [latitude, longitude] = place.map((field) => Number(field.value));
			answer({
				decision,
				...decision === "deny" || latitude === void 0 || longitude === void 0 ? {} : { position: {
					latitude,
					longitude,
					accuracy: 10
				} }
			});
		};
		const button = (textContent, decision) => make("button", {
			type: "button",
			textContent,
			onclick: () => decide(decision)
		});
		return {
			fields: place,
			buttons: [
				button("Allow once", "once"),
				button(`Allow for ${ask.site ?? "this site"}`, "site"),
				button("Deny", "deny")
			],
			submit: () => decide("once")
		};
	},
	print(ask, { answer, tools }) {
		const save = () => {
			tools.print(ask.tabId);
			answer({});
		};
		return {
			fields: [],
			buttons: [strong("Save as PDF")],
			submit: save
		};
	},
	file(ask, { upload }) {
		const field = make("input", {
			type: "file",
			multiple: ask.multiple === true || ask.directory === true,
			accept: ask.accept ?? ""
		});
		field.setAttribute("aria-label", "Files of this machine");
		if (ask.directory) field.webkitdirectory = true;
		const gone = make("progress", {
			max: 1,
			value: 0,
			hidden: true
		});
		gone.setAttribute("aria-label", "Sent");
		const send = () => {
			const files = [...field.files ?? []];
			if (!files.length) return;
			gone.hidden = false;
			upload(files, (part) => void (gone.value = part));
		};
		field.onchange = send;
		return {
			fields: [field, gone],
			buttons: [],
			submit: send
		};
	}
};
function rowsOf(options) {
	const groups = new Set(options.map(({ group }) => group ?? "").filter(Boolean));
	return Math.min(ROWS, Math.max(2, options.length + groups.size));
}
/** Those of a choice of several that the words looked for have hidden. */
function chosenElsewhere(list, { options = [] }) {
	const shown = new Set([...list.options].map((option) => Number(option.value)));
	return (options ?? []).flatMap(({ selected }, index) => selected && !shown.has(index) ? [index] : []);
}
function fillOptions(list, { options }, words) {
	const wanted = words.trim().toLowerCase();
	const groups = /* @__PURE__ */ new Map();
	list.replaceChildren();
	(options ?? []).forEach(({ label, group, disabled, selected }, index) => {
		if (wanted && !label.toLowerCase().includes(wanted)) return;
		const option = make("option", {
			value: String(index),
			textContent: label || "–",
			disabled: disabled === true,
			selected: selected === true
		});
		if (!group) return void list.append(option);
		let around = groups.get(group);
		if (around === void 0) {
			groups.set(group, around = make("optgroup", { label: group }));
			list.append(around);
		}
		around.append(option);
	});
	if (wanted && !list.multiple && list.selectedIndex < 0) list.selectedIndex = [...list.options].findIndex((option) => !option.disabled);
}
function valueField({ kind, label, value, min, max, step, required }) {
	const field = make("input", { type: kind });
	for (const [name, given] of Object.entries({
		min,
		max,
		step
	})) if (given) field.setAttribute(name, given);
	field.required = required === true;
	field.value = value ?? "";
	field.setAttribute("aria-label", label || questionOf({ kind }));
	return field;
}
function numberField(name, most) {
	const field = make("input", {
		type: "number",
		placeholder: name,
		step: "any",
		min: String(-most),
		max: String(most),
		required: true
	});
	field.setAttribute("aria-label", name);
	return field;
}
function strong(textContent) {
	return make("button", {
		type: "submit",
		className: "belljar-ask-strong",
		textContent
	});
}
function make(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}
// live/src/address.ts
/** What somebody types into an address bar. */
var SCHEME = /^[a-z][a-z0-9+.-]*:/i;
var HOST_AND_PORT = /^[^/\s]+:\d+(\/|\?|#|$)/;
var LOCAL = /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|10(\.\d+){3}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|192\.168(\.\d+){2})(:|\/|\?|#|$)/i;
/**
* The address that is meant: a scheme is kept, what is on this machine or its network gets http, a name with a dot gets
* https.  Undefined where it is no address: words are made into no host, and told to nobody without being asked.
*/
function addressOf(typed) {
	const text = typed.trim();
	if (SCHEME.test(text) && !HOST_AND_PORT.test(text)) return /\s/.test(text) && !/^(data|javascript):/i.test(text) ? void 0 : text;
	if (LOCAL.test(text)) return `http://${text}`;
	return isHost(text) ? `https://${text}` : void 0;
}
function isHost(text) {
	const host = text.split(/[/?#]/)[0] ?? "";
	if (/\s/.test(text.split(/[?#]/)[0] ?? "") || host === "") return false;
	return /^[^.\s]+(\.[^.\s]+)+\.?(:\d+)?$/.test(host) || /^\[[0-9a-f:]+\](:\d+)?$/i.test(host) || HOST_AND_PORT.test(text);
}
var FAILURES = [
	[/NAME_NOT_RESOLVED|NAME_RESOLUTION/, "There is no server of that name. Look at how the address is written."],
	[/CONNECTION_REFUSED/, "The server takes no connections there. Look at the port, and whether it runs."],
	[/TIMED_OUT/, "The server did not answer in time. Try again, or later."],
	[/CERT_|SSL_/, "The server's certificate does not hold, so nothing was sent to it."],
	[/TUNNEL_CONNECTION_FAILED|PROXY_CONNECTION_FAILED|BLOCKED_BY/, "What may be reached from here does not include it. Its operator can allow the host."],
	[/INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NETWORK_/, "There is no way to the server from here."],
	[/EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED)/, "The server closed the connection. Try again."],
	[/TOO_MANY_REDIRECTS/, "The site leads round in a circle. Its cookies may be to blame."]
];
/** Why a page did not come, from Chromium's `ERR_…`, and what to do about it. */
function failureOf(error) {
	return `${FAILURES.find(([word]) => word.test(error))?.[1] ?? "The page did not come."} (${error.slice(0, 100)})`;
}
// live/src/frames.ts
var HEAD_BYTES = 16;
var JPEG = 1;
var VIDEO = {
	2: "h264",
	3: "vp8"
};
/** The one or the other; nothing for a kind that is not known here, or for what is no frame at all. */
function readFrame(buffer) {
	if (buffer.byteLength <= HEAD_BYTES) return void 0;
	const view = new DataView(buffer);
	const [kind, flags] = [view.getUint8(0), view.getUint8(1)];
	const shared = {
		small: (flags & 1) === 1,
		viewport: {
			w: view.getUint16(2),
			h: view.getUint16(4),
			dpr: view.getUint16(6) / 100
		},
		timestamp: view.getFloat64(8)
	};
	if (!Number.isFinite(shared.timestamp)) return void 0;
	const data = new Uint8Array(buffer, HEAD_BYTES);
	const format = VIDEO[kind];
	if (kind === JPEG) return { shot: {
		...shared,
		jpeg: new Blob([data], { type: "image/jpeg" })
	} };
	return format === void 0 ? void 0 : { chunk: {
		...shared,
		format,
		isKey: (flags & 2) === 2,
		data
	} };
}
// live/src/connection.ts
var FIRST_WAIT_MS = 400;
var LONGEST_WAIT_MS = 1e4;
var PING_MS$1 = 2e3;
var SILENCE_MS$1 = 12e3;
var KEPT_AS = "belljar-viewer";
var TAKE = "control.take";
var Connection = class extends EventTarget {
	state = "closed";
	latency = null;
	source;
	/** What the server does not see of how it goes: set by what shows video. */
	measure;
	#isTaking = false;
	#storage;
	#storageKey;
	#key;
	#socket = null;
	#opening = 0;
	#calls = /* @__PURE__ */ new Map();
	#number = 0;
	#wait = FIRST_WAIT_MS;
	#timer;
	#pinging;
	#heard = 0;
	#snapshot = nothing("closed");
	#subscribers = /* @__PURE__ */ new Set();
	#retry = () => this.#retryNow();
	constructor(source, options = {}) {
		super();
		this.source = source;
		this.#storage = options.storage === void 0 ? sessionStorageIfAllowed() : options.storage;
		this.#storageKey = options.storageKey ?? KEPT_AS;
		this.#key = this.#storage?.getItem(this.#storageKey) ?? "";
	}
	open() {
		globalThis.addEventListener?.("online", this.#retry);
		globalThis.document?.addEventListener("visibilitychange", this.#retry);
		this.#open();
	}
	close() {
		globalThis.removeEventListener?.("online", this.#retry);
		globalThis.document?.removeEventListener("visibilitychange", this.#retry);
		clearTimeout(this.#timer);
		clearInterval(this.#pinging);
		this.#opening++;
		this.#socket?.close();
		this.#socket = null;
		this.#failCalls("The connection was closed.");
		this.#move("closed");
	}
	/** Now, whatever the back-off says. */
	again() {
		clearTimeout(this.#timer);
		this.#wait = FIRST_WAIT_MS;
		this.open();
	}
	/** What is not sent while there is no connection is lost: it was meant for what was shown then. */
	send(message) {
		if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
	}
	/** Whether control was asked for, and the server has not said yet who has it.  What is sent behind that is taken in this order. */
	get isTakingControl() {
		return this.#isTaking;
	}
	/** Run a command; rejects with the problem it failed with. */
	call(method, params = {}) {
		return new Promise((resolve, reject) => {
			if (this.#socket?.readyState !== 1) return reject({ message: "Not connected." });
			const id = ++this.#number;
			this.#calls.set(id, {
				resolve,
				reject,
				method
			});
			if (method === TAKE) this.#isTaking = true;
			this.send({
				id,
				type: "cmd",
				method,
				params
			});
		});
	}
	/** Be told of one kind of thing; gives what ends it. */
	on(name, listener) {
		const hear = (event) => listener(event.detail);
		this.addEventListener(name, hear);
		return () => this.removeEventListener(name, hear);
	}
	/** With `getSnapshot`, as stores have them: `useSyncExternalStore(connection.subscribe, connection.getSnapshot)`. */
	subscribe = (listener) => {
		this.#subscribers.add(listener);
		return () => void this.#subscribers.delete(listener);
	};
	getSnapshot = () => this.#snapshot;
	/** How what is shown comes: told by what shows it. */
	note(part) {
		this.#change(part);
	}
	async #open() {
		const opening = ++this.#opening;
		this.#move("connecting");
		let socket;
		try {
			socket = await this.#connect();
		} catch {
			if (opening === this.#opening) this.#closed(void 0, {
				code: 1006,
				reason: ""
			});
			return;
		}
		if (opening !== this.#opening) {
			socket.close();
			return;
		}
		this.#socket = socket;
		socket.binaryType = "arraybuffer";
		if (socket.readyState === 1) this.#opened();
		else socket.onopen = () => this.#opened();
		socket.onmessage = (event) => this.#heardFrom(event.data);
		socket.onclose = (event) => this.#closed(socket, event);
	}
	#connect() {
		return typeof this.source === "string" ? openLive(this.source, this.#key) : this.source(this.#key);
	}
	#opened() {
		this.#wait = FIRST_WAIT_MS;
		this.#heard = performance.now();
		this.#move("open");
		clearInterval(this.#pinging);
		this.#pinging = setInterval(() => this.#ping(), PING_MS$1);
		this.#ping();
	}
	#ping() {
		if (performance.now() - this.#heard > SILENCE_MS$1) this.#socket?.close();
		else this.send({
			type: "ping",
			t: performance.now()
		});
	}
	#heardFrom(data) {
		this.#heard = performance.now();
		if (data instanceof ArrayBuffer) return this.#frame(data);
		const message = read(data);
		if (message.type === "pong") {
			this.latency = performance.now() - Number(message.t);
			this.#emit("latency", this.latency);
		} else if (message.type === "result") {
			const call = this.#calls.get(message.id);
			this.#calls.delete(message.id);
			if (message.ok) call?.resolve(message.result);
			else if (call?.method === TAKE) this.#isTaking = false;
			if (!message.ok) call?.reject(message.error ?? { message: "It failed." });
		} else if (message.type === "event" && typeof message.data === "object" && message.data !== null) this.#event(message.name, message.data);
	}
	async #event(name, data) {
		const socket = this.#socket;
		const known = data;
		if (name === "ready") {
			this.#key = data.key;
			this.#storage?.setItem(this.#storageKey, this.#key);
		} else if (name === "stats" && this.measure !== void 0) {
			Object.assign(data, await this.measure(data));
			if (socket !== this.#socket) return;
		}
		this.#learn(name, known);
		this.#emit(name, known);
	}
	#frame(buffer) {
		const read = readFrame(buffer);
		if (read === void 0) return;
		if ("shot" in read) this.#emit("frame", read.shot);
		else this.#emit("chunk", read.chunk);
	}
	#closed(socket, event) {
		if (socket !== void 0 && socket !== this.#socket) return;
		clearInterval(this.#pinging);
		this.#socket = null;
		this.#failCalls("The connection was lost.");
		if (this.state === "closed") return;
		this.#move("waiting");
		this.#emit("lost", {
			code: event.code,
			reason: event.reason
		});
		if (this.state !== "waiting") return;
		this.#timer = setTimeout(() => void this.#open(), this.#wait * (.7 + Math.random() * .6));
		this.#wait = Math.min(this.#wait * 1.8, LONGEST_WAIT_MS);
	}
	#failCalls(message) {
		for (const { reject } of this.#calls.values()) reject({ message });
		this.#calls.clear();
	}
	#retryNow() {
		if (this.state !== "waiting" || globalThis.document?.hidden) return;
		clearTimeout(this.#timer);
		this.#open();
	}
	#move(state) {
		if (this.state === state) return;
		this.state = state;
		this.#isTaking = false;
		this.#change(state === "open" ? { state } : {
			...nothing(state),
			ready: this.#snapshot.ready
		});
		this.#emit("state", state);
	}
	#learn(name, data) {
		if (name === "ready" || name === "control") this.#isTaking = false;
		if (name === "ready") {
			const ready = data;
			const { tabs = [], dialogs = [], asks = [], downloads = [] } = ready;
			this.#change({
				ready,
				tabs,
				control: ready.control,
				...waiting(tabs, dialogs, asks),
				downloads
			});
		} else if (name === "tabs") {
			const { tabs } = data;
			this.#change({
				tabs,
				...waiting(tabs, this.#snapshot.dialogs, this.#snapshot.asks)
			});
		} else if (name === "control") this.#change({ control: data });
		else if (name === "dialog") {
			const dialog = data;
			const others = this.#snapshot.dialogs.filter(({ tabId }) => tabId !== dialog.tabId);
			this.#change(waiting(this.#snapshot.tabs, dialog.dialog == null ? others : [...others, dialog], this.#snapshot.asks));
		} else if (name === "asks") {
			const { tabId, asks } = data;
			const others = this.#snapshot.asks.filter((ask) => ask.tabId !== tabId);
			this.#change(waiting(this.#snapshot.tabs, this.#snapshot.dialogs, [...others, ...asks]));
		} else if (name === "download") {
			const download = data;
			const others = this.#snapshot.downloads.filter(({ id }) => id !== download.id);
			this.#change({ downloads: [...others, download].slice(-20) });
		} else if (name === "stats") this.#change({ stats: data });
		else if (name === "error") this.#change({ error: data });
	}
	#change(part) {
		const now = {
			...this.#snapshot,
			...part
		};
		this.#snapshot = {
			...now,
			mayAct: mayAct(now)
		};
		for (const listener of [...this.#subscribers]) listener();
	}
	#emit(name, detail) {
		this.dispatchEvent(new CustomEvent(name, { detail }));
	}
};
/** The socket of the box at `address`, with a slash at its end; the token goes as a subprotocol, never into the address. */
function openLive(address, viewer, token) {
	const url = new URL("v1/live", address);
	url.protocol = url.protocol.replace("http", "ws");
	if (viewer) url.searchParams.set("viewer", viewer);
	return new WebSocket(url, [
		"belljar.binary",
		"belljar",
		...token === void 0 ? [] : [`belljar.bearer.${token}`]
	]);
}
/** Frames of other sites may be forbidden to keep anything, and servers have nowhere to. */
function sessionStorageIfAllowed() {
	try {
		return globalThis.document === void 0 ? null : globalThis.sessionStorage;
	} catch {
		return null;
	}
}
function nothing(state) {
	return {
		state,
		ready: void 0,
		tabs: [],
		control: void 0,
		dialog: void 0,
		dialogs: [],
		asks: [],
		downloads: [],
		stats: void 0,
		error: void 0,
		transport: "jpeg",
		format: "jpeg",
		peerLost: void 0,
		sound: "none",
		mayAct: false
	};
}
/** What waits in tabs that are there, those of the tab in front first. */
function waiting(tabs, dialogs, asks) {
	const place = new Map(tabs.map(({ id, active }) => [id, active ? 0 : 1]));
	const inOrder = (items) => items.filter(({ tabId }) => place.has(tabId) || tabs.length === 0).sort((one, other) => (place.get(one.tabId) ?? 0) - (place.get(other.tabId) ?? 0));
	const open = inOrder(dialogs);
	return {
		dialog: open[0],
		dialogs: open,
		asks: inOrder(asks)
	};
}
function mayAct({ state, ready, control }) {
	if (state !== "open" || ready === void 0 || ready.role === "view") return false;
	const holder = control?.holder;
	return holder === void 0 || holder.kind === "none" || holder.kind === "viewer" && holder.viewer === ready.viewer;
}
/** A message; one that says nothing for what is none. */
function read(data) {
	try {
		return Object(JSON.parse(String(data)));
	} catch {
		return {};
	}
}
// live/src/embed.ts
/** The viewer page of a box in a frame of another site's page, which hands it a token: cookies do not go into such frames. */
/** What the page in the frame asks for, and what it is answered with. */
var TOKEN_WANTED = "belljar.token-wanted";
// live/src/files.ts
/** Give files to the page that asks for them, and to nothing that asks in its place meanwhile.  Rejects with the problem it failed with. */
function uploadFiles({ address, token, viewer }, ask, files, onProgress, signal) {
	const form = new FormData();
	form.append("tabId", ask.tabId);
	form.append("ask", ask.id);
	for (const file of files) form.append("file", file, file.name);
	return new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open("POST", new URL("v1/browser/upload", address));
		if (token !== void 0) request.setRequestHeader("Authorization", `Bearer ${token}`);
		if (viewer !== void 0) request.setRequestHeader("Belljar-Viewer", viewer);
		request.upload.onprogress = ({ loaded, total, lengthComputable }) => lengthComputable && onProgress(loaded / total);
		request.onload = () => request.status < 400 ? resolve() : reject(problemOf(request.responseText));
		request.onerror = () => reject({ message: "The file could not be sent: the connection was lost, or the file is too large." });
		request.onabort = () => reject({ message: "It was not sent." });
		signal?.addEventListener("abort", () => request.abort(), { once: true });
		request.send(form);
	});
}
/** Save what the box answers with, a download or the page as PDF, to this machine. */
async function saveFile({ address, token }, path, name) {
	const url = new URL(path, address);
	if (token === void 0) return follow(url.href, name);
	const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
	if (!answer.ok) throw problemOf(await answer.text());
	const blob = URL.createObjectURL(await answer.blob());
	follow(blob, name);
	setTimeout(() => URL.revokeObjectURL(blob), 6e4);
}
function follow(href, download) {
	const link = Object.assign(document.createElement("a"), {
		href,
		download
	});
	document.body.append(link);
	link.click();
	link.remove();
}
function problemOf(text) {
	try {
		const { detail, title, code } = JSON.parse(text);
		return {
			message: detail ?? title ?? "It failed.",
			...code === void 0 ? {} : { code }
		};
	} catch {
		return { message: "It failed." };
	}
}
// live/src/find.ts
function findForm({ find, onClose }) {
	const form = Object.assign(document.createElement("form"), { className: "belljar-find" });
	form.setAttribute("role", "search");
	form.setAttribute("aria-label", "Find on the page");
	const field = Object.assign(document.createElement("input"), {
		type: "search",
		placeholder: "Find on the page",
		autocomplete: "off",
		maxLength: 1e3
	});
	field.setAttribute("aria-label", "Words to find");
	const count = Object.assign(document.createElement("output"), { className: "belljar-find-count" });
	let index = 0;
	let newest = 0;
	const look = () => {
		const number = ++newest;
		find(field.value, index).then((found) => {
			if (number !== newest) return;
			index = found.index ?? 0;
			count.textContent = !field.value.trim() ? "" : found.count ? `${index + 1} of ${found.count}${found.more ? "+" : ""}` : "Nothing";
		}, (problem) => number === newest && (count.textContent = problem.message ?? "It did not work."));
	};
	const go = (step) => {
		index += step;
		look();
	};
	field.oninput = () => {
		index = 0;
		look();
	};
	const button = (textContent, name, onclick) => {
		const made = Object.assign(document.createElement("button"), {
			type: "button",
			textContent,
			title: name,
			onclick
		});
		made.setAttribute("aria-label", name);
		return made;
	};
	const close = () => {
		newest++;
		find("", 0).catch(() => void 0);
		onClose();
	};
	form.onsubmit = (event) => {
		event.preventDefault();
		go(1);
	};
	form.onkeydown = (event) => {
		event.stopPropagation();
		if (event.key === "Escape") close();
		else if (event.key === "Enter" && event.shiftKey) {
			event.preventDefault();
			go(-1);
		}
	};
	form.append(field, count, button("↑", "The one before", () => go(-1)), button("↓", "The next one", () => go(1)), button("×", "Close", close));
	return form;
}
// live/src/tools.ts
var Tools = class {
	#connection;
	#files;
	#listener;
	constructor(connection, files, listener) {
		this.#connection = connection;
		this.#files = files;
		this.#listener = listener;
	}
	/** Whether this page may read the clipboard: with TLS, or on this machine. */
	get canPaste() {
		return globalThis.navigator?.clipboard?.readText !== void 0;
	}
	run(method, params = {}) {
		this.#connection.call(method, params).catch(this.#listener.onProblem);
	}
	find() {
		this.#listener.onFind();
	}
	search(text, index) {
		return this.#connection.call("find", {
			text,
			index
		});
	}
	copyText(text) {
		copied(text).then((isDone) => this.#listener.onCopied(text, isDone));
	}
	/** Copy what is selected on the page to this machine. */
	async copy() {
		try {
			const { text } = await this.#connection.call("selection");
			if (text) this.copyText(text);
		} catch (problem) {
			this.#listener.onProblem(problem);
		}
	}
	/** Put what this machine's clipboard has into the page. */
	async paste() {
		try {
			const text = await navigator.clipboard.readText();
			if (text) this.#connection.send({
				type: "input",
				device: "key",
				action: "char",
				text: text.slice(0, 1e5)
			});
		} catch {
			this.#listener.onProblem({ message: "The browser did not allow it. Paste with Ctrl+V." });
		}
	}
	/** The page as PDF, to this machine. */
	async print(tabId) {
		const active = this.#connection.getSnapshot().tabs.find((tab) => tabId === void 0 ? tab.active : tab.id === tabId);
		await this.#save(`v1/browser/pdf${active === void 0 ? "" : `?tabId=${encodeURIComponent(active.id)}`}`, `${active?.title.replace(/[\\/:*?"<>|]+/g, " ").trim() || "page"}.pdf`);
	}
	/** A finished download of the browser, to this machine. */
	save({ id, filename }) {
		return this.#save(`v1/browser/downloads/${encodeURIComponent(id)}`, filename);
	}
	/** For `Input`: with video Chromium shows its own bar and its own sheet. */
	shortcut(name) {
		const { ready, format } = this.#connection.getSnapshot();
		if (ready?.mode !== "browser" || ready.role === "view") return false;
		if (name === "cut") return this.copy();
		if (name === "copy") this.copy();
		if (name === "copy" || format !== "jpeg") return false;
		if (name === "find") this.find();
		else this.print();
		return true;
	}
	async #save(path, name) {
		try {
			const box = await this.#files();
			if (box === void 0) throw { message: "This viewer does not know where its files are." };
			await saveFile(box, path, name);
		} catch (problem) {
			this.#listener.onProblem(problem);
		}
	}
};
/** Whether it is in this machine's clipboard now: with TLS always, without while a key or click has just been pressed. */
async function copied(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copiedByEvent(text);
	}
}
function copiedByEvent(text) {
	let isDone = false;
	const give = (event) => {
		event.clipboardData?.setData("text/plain", text);
		event.preventDefault();
		event.stopImmediatePropagation();
		isDone = true;
	};
	const want = (event) => event.preventDefault();
	document.addEventListener("beforecopy", want, { capture: true });
	document.addEventListener("copy", give, {
		capture: true,
		once: true
	});
	const isAllowed = document.execCommand("copy");
	document.removeEventListener("beforecopy", want, { capture: true });
	document.removeEventListener("copy", give, { capture: true });
	return isAllowed && isDone;
}
// live/src/zoom.ts
var LARGEST = 6;
var Zoom = class {
	scale = 1;
	#x = 0;
	#y = 0;
	#elements;
	/** `elements` lie in the same place: the picture, and what takes the input on it. */
	constructor(...elements) {
		this.#elements = elements;
		for (const element of elements) element.style.transformOrigin = "0 0";
	}
	/** Two fingers that were in one place and are in another. */
	pinch(before, now) {
		const [from, to] = [middle(before), middle(now)];
		const around = this.#elements[0]?.parentElement?.getBoundingClientRect();
		if (from === void 0 || to === void 0 || around === void 0 || from.apart === 0) return;
		const scale = Math.min(LARGEST, Math.max(1, this.scale * to.apart / from.apart));
		const grown = scale / this.scale;
		const place = (was, first, second, start, size) => Math.min(0, Math.max(size * (1 - scale), second - start - (first - start - was) * grown));
		this.#x = place(this.#x, from.x, to.x, around.left, around.width);
		this.#y = place(this.#y, from.y, to.y, around.top, around.height);
		this.scale = scale;
		this.#show();
	}
	reset() {
		[this.scale, this.#x, this.#y] = [
			1,
			0,
			0
		];
		this.#show();
	}
	#show() {
		for (const { style } of this.#elements) style.transform = this.scale === 1 ? "" : `translate(${this.#x}px, ${this.#y}px) scale(${this.scale})`;
	}
};
function middle([one, other]) {
	if (one === void 0 || other === void 0) return void 0;
	const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
	return {
		x: (one.clientX + other.clientX) / 2,
		y: (one.clientY + other.clientY) / 2,
		apart
	};
}
// live/src/input.ts
var BUTTONS = [
	"left",
	"middle",
	"right",
	"back",
	"forward"
];
var CLICK_MS = 500;
var CLICK_DISTANCE = 5;
var TAP_DISTANCE = 10;
var SOMETHING = "​";
var EDITS = {
	deleteContentBackward: "Backspace",
	deleteWordBackward: "Backspace",
	deleteContentForward: "Delete",
	insertLineBreak: "Enter",
	insertParagraph: "Enter"
};
/** CDP's bits: 1 Alt, 2 Control, 4 Meta, 8 Shift. */
function modifiersOf(event) {
	return (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);
}
/** A point of `element` and its size, in the same unit: the server maps one to the page by the other. */
function place(event, element) {
	const box = element.getBoundingClientRect();
	return {
		x: event.clientX - box.left,
		y: event.clientY - box.top,
		surface: {
			w: box.width,
			h: box.height
		}
	};
}
var SHORTCUTS = {
	c: "copy",
	x: "cut",
	f: "find",
	p: "print"
};
var Input = class {
	#send;
	#element;
	#mayAct;
	#mayPoint;
	#wheelNeedsFocus;
	#onShortcut;
	#zoom;
	#fingers = /* @__PURE__ */ new Map();
	#move = null;
	#wheel = null;
	#click = {
		at: 0,
		x: 0,
		y: 0,
		count: 0,
		button: void 0
	};
	#touch = null;
	#down = /* @__PURE__ */ new Set();
	#pressed = /* @__PURE__ */ new Set();
	#isComposing = false;
	#ending = new AbortController();
	/**
	* `element` is a textarea over the picture; `mayAct` is asked before each press whether to send it, `mayPoint` before
	* each move: to point at something is not to ask for control.
	*/
	constructor(element, send, mayAct, mayPoint, options = {}) {
		this.#element = element;
		this.#send = send;
		this.#mayAct = mayAct;
		this.#mayPoint = mayPoint;
		this.#wheelNeedsFocus = options.wheelNeedsFocus ?? false;
		this.#onShortcut = options.onShortcut;
		this.#zoom = options.zoom;
		const { signal } = this.#ending;
		const on = (name, handle, options = {}) => element.addEventListener(name, handle, {
			...options,
			signal
		});
		on("pointerdown", (event) => this.#press(event));
		on("pointerup", (event) => this.#released(event));
		on("pointercancel", (event) => this.#released(event));
		on("pointermove", (event) => this.#moved(event));
		on("wheel", (event) => this.#turned(event), { passive: false });
		on("contextmenu", (event) => event.preventDefault());
		on("dragstart", (event) => event.preventDefault());
		on("keydown", (event) => this.#key(event, "keydown"));
		on("keyup", (event) => this.#key(event, "keyup"));
		on("beforeinput", (event) => this.#edited(event));
		on("input", (event) => void (event.isComposing || this.#typed()));
		on("compositionupdate", (event) => this.#composed(event.data));
		on("compositionend", () => this.#typed());
		on("paste", (event) => this.#pasted(event));
		on("blur", () => this.#releaseKeys());
		this.empty();
	}
	/** What is held down is released, and nothing is listened to any more. */
	end() {
		this.#releaseKeys();
		this.#ending.abort();
	}
	#mouse(action, event, more = {}) {
		this.#send({
			type: "input",
			device: "mouse",
			action,
			...place(event, this.#element),
			modifiers: modifiersOf(event),
			...more
		});
	}
	#press(event) {
		event.preventDefault();
		this.#element.focus({
			preventScroll: true,
			focusVisible: true
		});
		if (event.pointerType === "touch" && this.#zoom !== void 0) {
			this.#fingers.set(event.pointerId, event);
			if (this.#fingers.size > 1) {
				this.#touch = null;
				this.#element.setPointerCapture(event.pointerId);
				return;
			}
		}
		if (!this.#mayAct()) return;
		this.#element.setPointerCapture(event.pointerId);
		if (event.pointerType === "touch") {
			this.#touch = {
				id: event.pointerId,
				x: event.clientX,
				y: event.clientY,
				moved: false
			};
			return;
		}
		this.#flush();
		this.#pressed.add(buttonOf(event));
		this.#mouse("down", event, {
			button: buttonOf(event),
			clickCount: this.#count(event)
		});
	}
	#released(event) {
		this.#fingers.delete(event.pointerId);
		if (this.#touch?.id === event.pointerId) return this.#lifted(event, this.#touch.moved);
		if (event.button < 0) return;
		event.preventDefault();
		if (!this.#pressed.delete(buttonOf(event))) return;
		this.#flush();
		this.#mouse("up", event, {
			button: buttonOf(event),
			clickCount: Math.max(1, this.#click.count)
		});
	}
	/** A finger that did not move is a click; one that did has scrolled. */
	#lifted(event, hasMoved) {
		this.#touch = null;
		if (hasMoved || event.type === "pointercancel") return;
		const { clientX, clientY, timeStamp } = event;
		const clickCount = this.#count({
			clientX,
			clientY,
			timeStamp,
			button: 0
		});
		this.#mouse("move", event);
		this.#mouse("down", event, {
			button: "left",
			clickCount
		});
		this.#mouse("up", event, {
			button: "left",
			clickCount
		});
	}
	#moved(event) {
		if (this.#fingers.has(event.pointerId)) {
			const before = [...this.#fingers.values()];
			this.#fingers.set(event.pointerId, event);
			if (before.length === 2) return this.#zoom?.pinch(before, [...this.#fingers.values()]);
		}
		if (this.#touch?.id === event.pointerId) return this.#dragged(event, this.#touch);
		if (event.pointerType === "touch" || !this.#mayPoint()) return;
		if (!this.#move) requestAnimationFrame(() => this.#flush());
		this.#move = event;
	}
	#dragged(event, touch) {
		const [deltaX, deltaY] = [touch.x - event.clientX, touch.y - event.clientY];
		if (!touch.moved && Math.hypot(deltaX, deltaY) < TAP_DISTANCE) return;
		Object.assign(touch, {
			moved: true,
			x: event.clientX,
			y: event.clientY
		});
		this.#mouse("wheel", event, {
			deltaX,
			deltaY
		});
	}
	#turned(event) {
		const { activeElement } = this.#element.getRootNode();
		if (this.#wheelNeedsFocus && activeElement !== this.#element) return;
		event.preventDefault();
		if (!this.#mayAct()) return;
		if (this.#wheel?.event.deltaMode === event.deltaMode) {
			this.#wheel.x += event.deltaX;
			this.#wheel.y += event.deltaY;
			this.#wheel.event = event;
			return;
		}
		if (!this.#wheel) requestAnimationFrame(() => this.#flush());
		this.#wheel = {
			event,
			x: event.deltaX,
			y: event.deltaY
		};
	}
	/** At most one move and one turn of the wheel for each picture shown; before a press, at once. */
	#flush() {
		const [move, wheel] = [this.#move, this.#wheel];
		this.#move = this.#wheel = null;
		if (move) this.#mouse("move", move);
		if (wheel) {
			const deltaMode = wheel.event.deltaMode;
			this.#mouse("wheel", wheel.event, {
				deltaX: wheel.x,
				deltaY: wheel.y,
				deltaMode
			});
		}
	}
	#count(event) {
		const last = this.#click;
		const button = buttonOf(event);
		const isNear = Math.hypot(event.clientX - last.x, event.clientY - last.y) < CLICK_DISTANCE;
		const count = button === last.button && isNear && event.timeStamp - last.at < CLICK_MS ? last.count % 3 + 1 : 1;
		this.#click = {
			at: event.timeStamp,
			x: event.clientX,
			y: event.clientY,
			count,
			button
		};
		return count;
	}
	#key(event, action) {
		if (event.isComposing || event.keyCode === 229 || event.key === "Process" || event.key === "Dead") return;
		if (event.key === "Escape" && event.shiftKey) {
			event.preventDefault();
			if (action === "keydown") this.#element.blur();
			return;
		}
		if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "v") return;
		event.preventDefault();
		const shortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey ? SHORTCUTS[event.key.toLowerCase()] : void 0;
		if (shortcut !== void 0 && action === "keydown" && !event.repeat) {
			const done = this.#onShortcut?.(shortcut);
			if (done === true) return;
			if (done instanceof Promise) {
				const again = () => this.#strike(event, "keydown");
				done.then(again, again);
				return;
			}
		}
		this.#strike(event, action);
	}
	#strike(event, action) {
		if (action === "keydown") {
			if (!this.#mayAct()) return;
			this.#down.add(event.code);
		} else if (!this.#down.delete(event.code)) return;
		const isAltGraph = event.getModifierState("AltGraph");
		const text = isAltGraph && event.key.length === 1 && action === "keydown" ? { text: event.key } : {};
		this.#send({
			type: "input",
			device: "key",
			action,
			key: event.key,
			code: event.code,
			repeat: event.repeat,
			modifiers: isAltGraph ? modifiersOf(event) & -4 : modifiersOf(event),
			...text
		});
	}
	/** What a phone's keyboard does without a key: it is a key in the page all the same. */
	#edited(event) {
		const key = EDITS[event.inputType];
		if (!key || event.isComposing) return;
		event.preventDefault();
		if (!this.#mayAct()) return;
		for (const action of ["keydown", "keyup"]) this.#send({
			type: "input",
			device: "key",
			action,
			key,
			code: key
		});
	}
	#composed(text) {
		if (!this.#mayAct()) return;
		this.#isComposing = true;
		this.#compose(text);
	}
	#compose(text) {
		this.#send({
			type: "input",
			device: "key",
			action: "compose",
			text: text.slice(0, 1e3)
		});
		this.#element.dispatchEvent(new CustomEvent("composing", { detail: text }));
	}
	#typed() {
		const text = this.#element.value.replaceAll(SOMETHING, "");
		this.empty();
		if (this.#isComposing && !text) this.#compose("");
		else if (this.#isComposing) this.#element.dispatchEvent(new CustomEvent("composing", { detail: "" }));
		this.#isComposing = false;
		this.#char(text);
	}
	/** Before the first key, and after each. */
	empty() {
		this.#element.value = matchMedia("(pointer: coarse)").matches ? SOMETHING : "";
		this.#element.setSelectionRange(1, 1);
	}
	#pasted(event) {
		event.preventDefault();
		this.#char(event.clipboardData?.getData("text/plain") ?? "");
	}
	#char(text) {
		if (text && this.#mayAct()) this.#send({
			type: "input",
			device: "key",
			action: "char",
			text: text.slice(0, 1e5)
		});
	}
	#releaseKeys() {
		for (const code of this.#down) this.#send({
			type: "input",
			device: "key",
			action: "keyup",
			key: "",
			code
		});
		this.#down.clear();
	}
};
function buttonOf(event) {
	return BUTTONS[event.button] ?? "none";
}
// live/src/mp4.ts
/** H.264 as it comes (Annex B) in fragments of MP4, as Media Source Extensions take it: a head, then a fragment for each frame. */
var [SPS, PPS] = [7, 8];
var MOST_PIXELS = 16384;
var TIMESCALE = 1e3;
/** The units of an access unit, without their start codes. */
function unitsOf(data) {
	const units = [];
	let begin = -1;
	for (let at = 0; at + 2 < data.length; at++) {
		if (data[at] !== 0 || data[at + 1] !== 0 || data[at + 2] !== 1) continue;
		if (begin >= 0) units.push(data.subarray(begin, data[at - 1] === 0 ? at - 1 : at));
		begin = at + 3;
		at += 2;
	}
	if (begin >= 0) units.push(data.subarray(begin));
	return units.filter((unit) => unit.length > 0);
}
/** Of a key frame's units; nothing where they tell no size that could be one. */
function headOf(units) {
	const [sps, pps] = [SPS, PPS].map((kind) => units.find((unit) => (unit[0] & 31) === kind));
	if (sps === void 0 || pps === void 0 || sps.length < 4) return void 0;
	const size = sizeOf(sps);
	return size === void 0 ? void 0 : {
		sps,
		pps,
		...size
	};
}
/** Numbers of a bit stream; 0 beyond its end. */
var Bits = class {
	#data;
	#at = 0;
	constructor(data) {
		this.#data = data;
	}
	get isOver() {
		return this.#at > this.#data.length * 8;
	}
	bit() {
		return (this.#data[this.#at >> 3] ?? 0) >> 7 - (this.#at++ & 7) & 1;
	}
	/** Exp-Golomb. */
	number() {
		let zeros = 0;
		while (this.bit() === 0 && zeros < 32 && !this.isOver) zeros++;
		let value = 1;
		for (let count = 0; count < zeros; count++) value = value * 2 + this.bit();
		return value - 1;
	}
};
/** The profiles without a choice of colours, which are those that are made for viewers: baseline and main. */
function sizeOf(sps) {
	if (sps[1] !== 66 && sps[1] !== 77) return void 0;
	const bits = new Bits(sps.filter((byte, index) => byte !== 3 || index < 2 || sps[index - 1] !== 0 || sps[index - 2] !== 0).subarray(4));
	bits.number();
	bits.number();
	const order = bits.number();
	if (order === 0) bits.number();
	else if (order === 1) return void 0;
	bits.number();
	bits.bit();
	const across = bits.number() + 1;
	const down = bits.number() + 1;
	const isWhole = bits.bit();
	if (isWhole === 0) bits.bit();
	bits.bit();
	const [left, right, top, bottom] = bits.bit() === 1 ? [
		bits.number(),
		bits.number(),
		bits.number(),
		bits.number()
	] : [
		0,
		0,
		0,
		0
	];
	const width = across * 16 - 2 * (left + right);
	const height = (2 - isWhole) * (down * 16 - 2 * (top + bottom));
	return !bits.isOver && width > 0 && height > 0 && width <= MOST_PIXELS && height <= MOST_PIXELS ? {
		width,
		height
	} : void 0;
}
/** As a source buffer is asked for it. */
function mimeOf({ sps }) {
	return `video/mp4; codecs="avc1.${[...sps.subarray(1, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}
function bytesOf(parts) {
	const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		made.set(part, at);
		at += part.length;
	}
	return made;
}
var u16 = (value) => [value >> 8 & 255, value & 255];
var u32 = (value) => [
	value >>> 24 & 255,
	value >>> 16 & 255,
	value >>> 8 & 255,
	value & 255
];
var u64 = (value) => [...u32(Math.floor(value / 2 ** 32)), ...u32(value % 2 ** 32)];
var zeros = (count) => Array.from({ length: count }, () => 0);
var letters = (text) => [...text].map((letter) => letter.charCodeAt(0));
function box$1(name, ...parts) {
	return bytesOf([
		u32(parts.reduce((sum, part) => sum + part.length, 8)),
		letters(name),
		...parts
	]);
}
var MATRIX = [
	...u32(65536),
	...zeros(12),
	...u32(65536),
	...zeros(12),
	...u32(1073741824)
];
/** What comes first, and again where the size changes.  It has no duration: browsers show what is live without delay. */
function initSegment({ sps, pps, width, height }) {
	const avcC = box$1("avcC", [1], sps.subarray(1, 4), [255, 225], u16(sps.length), sps, [1], u16(pps.length), pps);
	const size = [...u16(width), ...u16(height)];
	const avc1 = box$1("avc1", zeros(6), u16(1), zeros(16), size, u32(4718592), u32(4718592), u32(0), u16(1), zeros(32), u16(24), [255, 255], avcC);
	const nothing = (name) => box$1(name, zeros(8));
	const tables = [
		box$1("stsd", zeros(4), u32(1), avc1),
		nothing("stts"),
		nothing("stsc"),
		box$1("stsz", zeros(12)),
		nothing("stco")
	];
	const data = box$1("dinf", box$1("dref", zeros(4), u32(1), box$1("url ", [
		0,
		0,
		0,
		1
	])));
	const media = box$1("minf", box$1("vmhd", [
		0,
		0,
		0,
		1
	], zeros(8)), data, box$1("stbl", ...tables));
	const track = box$1("trak", box$1("tkhd", [
		0,
		0,
		0,
		7
	], zeros(8), u32(1), zeros(8), zeros(8), zeros(8), MATRIX, u32(width * 65536), u32(height * 65536)), box$1("mdia", box$1("mdhd", zeros(12), u32(TIMESCALE), u32(0), [
		85,
		196,
		0,
		0
	]), box$1("hdlr", zeros(8), letters("vide"), zeros(12), letters("video"), [0]), media));
	const movie = box$1("mvhd", zeros(12), u32(TIMESCALE), u32(0), u32(65536), [1, 0], zeros(10), MATRIX, zeros(24), u32(2));
	const extends_ = box$1("mvex", box$1("trex", zeros(4), u32(1), u32(1), u32(0), u32(0), u32(0)));
	return bytesOf([box$1("ftyp", letters("isom"), u32(1), letters("isomavc1")), box$1("moov", movie, track, extends_)]);
}
/** One frame, from `time` on for `duration`, in milliseconds. */
function fragment(units, isKey, number, time, duration) {
	const sample = bytesOf(units.filter((unit) => ![SPS, PPS].includes(unit[0] & 31)).flatMap((unit) => [u32(unit.length), unit]));
	const flags = u32(isKey ? 33554432 : 16842752);
	const moof = (offset) => box$1("moof", box$1("mfhd", zeros(4), u32(number)), box$1("traf", box$1("tfhd", u32(131072), u32(1)), box$1("tfdt", [
		1,
		0,
		0,
		0
	], u64(time)), box$1("trun", u32(1793), u32(1), u32(offset), u32(duration), u32(sample.length), flags)));
	return bytesOf([moof(moof(0).length + 8), box$1("mdat", sample)]);
}
// live/src/video_frames.ts
/** Gives what ends it. */
function watchFrames(video, show) {
	let isOver = false;
	let handle = 0;
	const draw = () => {
		if (isOver) return;
		if (video.videoWidth > 0) show({
			image: video,
			width: video.videoWidth,
			height: video.videoHeight
		});
		next();
	};
	const hasCallback = typeof video.requestVideoFrameCallback === "function";
	const next = () => void (handle = hasCallback ? video.requestVideoFrameCallback(draw) : requestAnimationFrame(draw));
	next();
	return () => {
		isOver = true;
		if (hasCallback) video.cancelVideoFrameCallback(handle);
		else cancelAnimationFrame(handle);
	};
}
// live/src/mse.ts
var FRAME_MS = 34;
var BEHIND_SECONDS = .15;
var NEAR_SECONDS = .05;
var MOST_BYTES = 25165824;
var MOST_WAITING = 60;
function canUseMse() {
	return globalThis.MediaSource?.isTypeSupported?.("video/mp4; codecs=\"avc1.42e01f\"") ?? false;
}
var MseDecoder = class {
	#listener;
	#video;
	#source;
	#address;
	#stopWatching;
	#buffer = null;
	#isOver = false;
	#head = "";
	#mime = "";
	#number = 0;
	#bytes = 0;
	#time = 0;
	#lastTimestamp = 0;
	#newest = null;
	#waiting = [];
	constructor(listener) {
		this.#listener = listener;
		this.#source = new MediaSource();
		this.#address = URL.createObjectURL(this.#source);
		this.#video = Object.assign(document.createElement("video"), {
			muted: true,
			playsInline: true,
			autoplay: true,
			src: this.#address
		});
		this.#video.onerror = () => this.#fail();
		this.#source.addEventListener("sourceopen", () => this.#append());
		this.#stopWatching = watchFrames(this.#video, (drawn) => this.#newest && listener.shown(drawn, this.#newest));
	}
	decode(chunk) {
		if (this.#isOver) return;
		const units = unitsOf(chunk.data);
		if (chunk.isKey) {
			const head = headOf(units);
			if (head === void 0) return this.#fail();
			const known = `${head.sps.join()} ${head.pps.join()}`;
			if (known !== this.#head) this.#waiting.push({ data: initSegment(head) });
			this.#head = known;
			this.#mime ||= mimeOf(head);
		} else if (this.#head === "") return;
		if (this.#number > 0) this.#time += Math.min(Math.max(1, Math.round(chunk.timestamp - this.#lastTimestamp)), FRAME_MS);
		this.#lastTimestamp = chunk.timestamp;
		this.#waiting.push({
			data: fragment(units, chunk.isKey, ++this.#number, this.#time, FRAME_MS),
			chunk
		});
		this.#bytes += chunk.data.length;
		if (this.#bytes > MOST_BYTES || this.#waiting.length > MOST_WAITING) return this.#fail();
		this.#append();
	}
	close() {
		this.#isOver = true;
		this.#stopWatching();
		this.#waiting = [];
		this.#video.onerror = null;
		this.#video.removeAttribute("src");
		this.#video.load();
		URL.revokeObjectURL(this.#address);
	}
	#append() {
		if (this.#isOver || this.#source.readyState !== "open" || this.#buffer?.updating) return;
		const next = this.#waiting.shift();
		if (next === void 0) return this.#keepUp();
		try {
			this.#buffer ??= this.#begin();
			this.#buffer.appendBuffer(next.data);
			if (next.chunk === void 0) return;
			this.#newest = next.chunk;
			this.#listener.taken(next.chunk);
		} catch {
			this.#fail();
		}
	}
	#begin() {
		const buffer = this.#source.addSourceBuffer(this.#mime);
		buffer.addEventListener("updateend", () => this.#append());
		buffer.addEventListener("error", () => this.#fail());
		this.#video.play().catch(() => void 0);
		return buffer;
	}
	/** As near to what came last as playing allows. */
	#keepUp() {
		const behind = this.#time / 1e3 - this.#video.currentTime;
		if (behind > BEHIND_SECONDS) this.#video.playbackRate = 2;
		else if (behind < NEAR_SECONDS) this.#video.playbackRate = 1;
	}
	#fail() {
		if (this.#isOver) return;
		this.close();
		this.#listener.failed(this.#bytes > MOST_BYTES ? "full" : "broken");
	}
};
// live/src/peer.ts
var PING_MS = 250;
var SILENCE_MS = 1100;
var NO_FRAME_MS = 4e3;
var PROBE_MS = 1e4;
var [PING, PONG] = [7, 3];
/** What this browser can be sent by WebRTC, best first; nothing where it has none. */
function receivable() {
	const codecs = globalThis.RTCRtpReceiver?.getCapabilities?.("video")?.codecs ?? [];
	return ["h264", "vp8"].filter((name) => codecs.some(({ mimeType }) => mimeType.toLowerCase() === `video/${name}`));
}
var Peer = class {
	#number;
	#listener;
	#video;
	#stopWatching;
	#timer;
	#began = performance.now();
	#peer = null;
	#channel = null;
	#asked = null;
	#isProved = false;
	#isHeard = false;
	#isOver = false;
	#frames = 0;
	#frameAt = 0;
	#measured = {
		frames: 0,
		bytes: 0,
		at: performance.now()
	};
	constructor(number, codecs, crop, listener) {
		this.#number = number;
		this.#listener = listener;
		this.#video = Object.assign(document.createElement("video"), {
			muted: true,
			playsInline: true,
			autoplay: true
		});
		this.#stopWatching = watchFrames(this.#video, (drawn) => this.#framed(drawn));
		this.#timer = setInterval(() => this.#check(), PING_MS);
		listener.send({
			type: "webrtc",
			action: "start",
			peer: number,
			codecs,
			...crop === void 0 ? {} : { crop }
		});
	}
	/** What the server tells of it. */
	hear(changed) {
		if (this.#isOver || changed.peer !== this.#number) return;
		if (changed.state === "offered") this.#answer(changed);
		else if (changed.state === "gone") this.#lose(changed.reason ?? "it is gone", this.#peer === null);
	}
	/** Let its sound be heard, or not; whether it is, which browsers refuse until a person has clicked. */
	async listen(isHeard) {
		this.#isHeard = isHeard;
		this.#video.muted = !isHeard;
		try {
			await this.#video.play();
		} catch {
			this.#video.muted = true;
			this.#video.play().catch(() => void 0);
		}
		return !this.#video.muted;
	}
	close() {
		if (this.#isOver) return;
		this.#isOver = true;
		clearInterval(this.#timer);
		this.#stopWatching();
		if (this.#peer !== null) this.#peer.onconnectionstatechange = this.#peer.ontrack = this.#peer.ondatachannel = null;
		this.#peer?.close();
		this.#video.srcObject = null;
		this.#listener.send({
			type: "webrtc",
			action: "stop",
			peer: this.#number
		});
	}
	/** Frames and kilobits a second since it was asked last. */
	async measure() {
		let bytes = 0;
		for (const one of (await this.#peer?.getStats() ?? /* @__PURE__ */ new Map()).values()) if (one.type === "inbound-rtp") bytes += one.bytesReceived ?? 0;
		const [before, now] = [this.#measured, {
			frames: this.#frames,
			bytes,
			at: performance.now()
		}];
		this.#measured = now;
		const seconds = Math.max(.1, (now.at - before.at) / 1e3);
		return {
			fps: Math.round((now.frames - before.frames) / seconds),
			kbps: Math.max(0, Math.round((now.bytes - before.bytes) * 8 / 1e3 / seconds))
		};
	}
	async #answer({ sdp, iceServers }) {
		try {
			const peer = this.#peer = new RTCPeerConnection({ iceServers: iceServers ?? [] });
			peer.ontrack = ({ streams, track }) => {
				const stream = streams[0] ?? new MediaStream([track]);
				if (this.#video.srcObject !== stream) this.#video.srcObject = stream;
				this.listen(this.#isHeard);
				if (track.kind === "audio") this.#listener.sounds();
			};
			peer.ondatachannel = ({ channel }) => this.#open(channel);
			peer.onconnectionstatechange = () => {
				if (peer.connectionState === "failed" || peer.connectionState === "closed") this.#lose(`the connection ${peer.connectionState}`);
			};
			await peer.setRemoteDescription({
				type: "offer",
				sdp: sdp ?? ""
			});
			await peer.setLocalDescription(await peer.createAnswer());
			if (this.#isOver) return peer.close();
			this.#listener.send({
				type: "webrtc",
				action: "answer",
				peer: this.#number,
				sdp: peer.localDescription?.sdp ?? ""
			});
		} catch (error) {
			this.#lose(String(error));
		}
	}
	#open(channel) {
		channel.binaryType = "arraybuffer";
		channel.onmessage = ({ data }) => {
			if (data instanceof ArrayBuffer && data.byteLength >= 3 && new DataView(data).getUint8(0) === PONG) this.#asked = null;
		};
		this.#channel = channel;
	}
	#framed(drawn) {
		this.#frames++;
		this.#frameAt = performance.now();
		if (!this.#isProved && this.#channel?.readyState === "open") {
			this.#isProved = true;
			this.#listener.proved();
		}
		this.#listener.shown(drawn);
	}
	#check() {
		const now = performance.now();
		if (!this.#isProved && now - this.#began > PROBE_MS) return this.#lose("it did not connect in time");
		if (this.#asked !== null && now - this.#asked > SILENCE_MS) return this.#lose("it does not answer");
		if (globalThis.document?.hidden) this.#frameAt = now;
		else if (this.#isProved && now - this.#frameAt > NO_FRAME_MS) return this.#lose("no frames come");
		if (this.#channel?.readyState !== "open") return;
		this.#asked ??= now;
		const ping = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(11));
		ping.setUint8(0, PING);
		ping.setUint16(1, 8);
		ping.setUint32(7, now);
		this.#channel.send(ping.buffer);
	}
	#lose(reason, isRefused = false) {
		if (this.#isOver) return;
		this.close();
		this.#listener.lost(reason, isRefused);
	}
};
// live/src/webcodecs.ts
/** As the protocol and as WebCodecs name them, best first. */
var CODECS = {
	h264: "avc1.42e01f",
	vp8: "vp8"
};
/** What of them this browser decodes so. */
async function decodable() {
	if (globalThis.VideoDecoder === void 0) return [];
	const found = [];
	for (const [format, codec] of Object.entries(CODECS)) if ((await VideoDecoder.isConfigSupported({
		codec,
		optimizeForLatency: true
	}).catch(() => null))?.supported) found.push(format);
	return found;
}
var WebCodecsDecoder = class {
	#listener;
	#decoder;
	#needsKey = true;
	#chunks = /* @__PURE__ */ new Map();
	/** Throws what WebCodecs makes of a codec that it does not know. */
	constructor(codec, listener) {
		this.#listener = listener;
		this.#decoder = new VideoDecoder({
			output: (frame) => this.#decoded(frame),
			error: () => listener.failed("broken")
		});
		this.#decoder.configure({
			codec,
			optimizeForLatency: true
		});
	}
	decode(chunk) {
		if (this.#needsKey && !chunk.isKey) return;
		const timestamp = Math.round(chunk.timestamp * 1e3);
		if (chunk.isKey) this.#chunks.clear();
		this.#chunks.set(timestamp, chunk);
		try {
			this.#decoder.decode(new EncodedVideoChunk({
				type: chunk.isKey ? "key" : "delta",
				timestamp,
				data: chunk.data
			}));
			this.#needsKey = false;
		} catch {
			this.#listener.failed("broken");
		}
	}
	close() {
		if (this.#decoder.state !== "closed") this.#decoder.close();
		this.#chunks.clear();
	}
	#decoded(frame) {
		const chunk = this.#chunks.get(frame.timestamp);
		this.#chunks.delete(frame.timestamp);
		if (chunk !== void 0) {
			this.#listener.shown({
				image: frame,
				width: frame.displayWidth,
				height: frame.displayHeight
			}, chunk);
			this.#listener.taken(chunk);
		}
		frame.close();
	}
};
// live/src/video.ts
var SMALL = .55;
var RETRY_MS = [
	2e3,
	1e4,
	6e4,
	3e5
];
var Video = class {
	#connection;
	#show;
	#only;
	#surface;
	#shown;
	#isSmall = false;
	#toldSurface = {
		w: 0,
		h: 0
	};
	#ends;
	#means;
	#formats = [];
	#decoder = null;
	#format = "jpeg";
	#viewport = {
		w: 0,
		h: 0,
		dpr: 1
	};
	#peer = null;
	#isPeerProved = false;
	#hasSound = false;
	#isHeard = false;
	#peerCodecs = receivable();
	#peers = 0;
	#losses = 0;
	#retry;
	#isOver = false;
	/** `show` is given each frame, which is gone after the call. */
	constructor(connection, show, options = {}) {
		this.#connection = connection;
		this.#show = show;
		this.#only = options.transport;
		this.#surface = options.surface;
		this.#shown = options.show ?? "page";
		const online = () => this.#online();
		this.#ends = [
			connection.on("ready", () => this.#begin()),
			connection.on("video", (changed) => this.#change(changed)),
			connection.on("chunk", (chunk) => this.#format === chunk.format && this.#decoder?.decode(chunk)),
			connection.on("webrtc", (changed) => this.#peer?.hear(changed)),
			connection.on("state", (state) => state === "open" || this.#reset()),
			() => globalThis.removeEventListener?.("online", online)
		];
		globalThis.addEventListener?.("online", online);
		connection.measure = (stats) => this.#measure(stats);
		this.#look().then(() => this.#begin());
	}
	end() {
		this.#isOver = true;
		for (const end of this.#ends) end();
		this.#connection.measure = void 0;
		this.#reset();
	}
	/** What this browser can decode of what comes over the socket, and by what. */
	async #look() {
		const may = (transport) => this.#only === void 0 || this.#only === transport;
		this.#formats = may("webcodecs") ? await decodable() : [];
		if (this.#formats.length > 0) this.#means = "webcodecs";
		else if (may("mse") && canUseMse()) [this.#means, this.#formats] = ["mse", ["h264"]];
		if (!may("webrtc")) this.#peerCodecs = [];
	}
	/** The page alone, or all of the window. */
	show(shown) {
		if (shown === this.#shown) return;
		this.#shown = shown;
		this.#dropPeer();
		this.#begin();
	}
	/** Let sound be heard, as soon as there is any, or not: browsers want it to be a person's click that asks. */
	hear(isHeard) {
		this.#isHeard = isHeard;
		this.#listen();
	}
	async #listen() {
		const peer = this.#hasSound ? this.#peer : null;
		const isPlaying = await peer?.listen(this.#isHeard) ?? false;
		if (peer === (this.#hasSound ? this.#peer : null)) this.#connection.note({ sound: peer === null ? "none" : isPlaying ? "playing" : "muted" });
	}
	/** It may be shown larger or smaller now. */
	resized() {
		if (this.#format === "jpeg" ? this.#isLarger : this.#isShownSmall !== this.#isSmall) this.#wish();
	}
	/** Pictures have as many pixels as the largest surface that was told of. */
	get #isLarger() {
		const surface = this.#surface?.();
		return surface !== void 0 && (surface.w > this.#toldSurface.w * 1.1 || surface.h > this.#toldSurface.h * 1.1);
	}
	get #isShownSmall() {
		const surface = this.#surface?.();
		return surface !== void 0 && surface.w > 0 && this.#viewport.w > 0 && Math.min(surface.w / this.#viewport.w, surface.h / this.#viewport.h) <= SMALL;
	}
	get #isWanted() {
		const { state, ready } = this.#connection.getSnapshot();
		return !this.#isOver && this.#only !== "jpeg" && state === "open" && ready !== void 0 && ready.mode !== "none";
	}
	get #crop() {
		return this.#shown === "page" && this.#connection.getSnapshot().ready?.mode === "browser" ? "page" : void 0;
	}
	/** Connected, or something else is shown. */
	#begin() {
		this.#losses = 0;
		this.#wish();
		if (this.#isWanted) this.#connect();
		else this.#dropPeer();
	}
	#wish() {
		if (this.#isOver || this.#connection.getSnapshot().state !== "open") return;
		const codecs = this.#isWanted ? [...this.#isPeerProved ? ["webrtc"] : [], ...this.#formats] : [];
		if (codecs.length === 0 && this.#format === "jpeg") return;
		const [crop, surface] = [this.#crop, this.#surface?.()];
		this.#isSmall = this.#isShownSmall;
		this.#toldSurface = surface ?? this.#toldSurface;
		this.#connection.send({
			type: "video",
			codecs,
			...crop === void 0 ? {} : { crop },
			...surface === void 0 || surface.w <= 0 || surface.h <= 0 ? {} : { surface }
		});
	}
	#change(changed) {
		this.#closeDecoder();
		this.#format = changed.format;
		this.#viewport = changed.viewport ?? this.#viewport;
		if (changed.format !== "jpeg" && this.#isShownSmall !== this.#isSmall) queueMicrotask(() => this.resized());
		if (changed.format === "h264" || changed.format === "vp8") try {
			this.#decoder = this.#decoderFor(changed.codec ?? CODECS[changed.format]);
		} catch {
			return this.#giveUp();
		}
		const transport = changed.format === "jpeg" || changed.format === "webrtc" ? changed.format : this.#means ?? "jpeg";
		this.#connection.note({
			transport,
			format: changed.format
		});
	}
	#decoderFor(codec) {
		const listener = {
			shown: (drawn, chunk) => this.#isOver || made !== this.#decoder || this.#show(drawn, chunk.viewport),
			taken: ({ timestamp }) => this.#connection.send({
				type: "ack",
				timestamp
			}),
			failed: (why) => {
				if (made !== this.#decoder) return;
				if (why === "full") this.#wish();
				else this.#giveUp();
			}
		};
		const made = this.#means === "mse" ? new MseDecoder(listener) : new WebCodecsDecoder(codec, listener);
		return made;
	}
	#giveUp() {
		this.#formats = this.#formats.filter((one) => one !== this.#format);
		this.#closeDecoder();
		this.#wish();
	}
	#closeDecoder() {
		this.#decoder?.close();
		this.#decoder = null;
	}
	#connect() {
		clearTimeout(this.#retry);
		if (this.#peer !== null || !this.#isWanted || this.#peerCodecs.length === 0) return;
		const peer = new Peer(++this.#peers, this.#peerCodecs, this.#crop, {
			send: (wish) => this.#connection.send(wish),
			proved: () => {
				this.#isPeerProved = true;
				this.#wish();
			},
			shown: (drawn) => this.#format === "webrtc" && this.#show(drawn, this.#viewport),
			sounds: () => {
				this.#hasSound = true;
				this.#listen();
			},
			lost: (reason, isRefused) => this.#lostPeer(reason, isRefused)
		});
		this.#peer = peer;
	}
	#lostPeer(reason, isRefused) {
		const wasProved = this.#isPeerProved;
		this.#forgetPeer();
		if (wasProved) this.#wish();
		this.#connection.note({ peerLost: reason });
		if (!wasProved && !isRefused) this.#peerCodecs.push(...this.#peerCodecs.splice(0, 1));
		if (isRefused || this.#isOver) return;
		const wait = RETRY_MS[Math.min(this.#losses++, RETRY_MS.length - 1)];
		this.#retry = setTimeout(() => this.#connect(), wait);
	}
	/** The network is another: what did not connect may now. */
	#online() {
		this.#losses = 0;
		this.#connect();
	}
	async #measure(stats) {
		if (this.#format !== "webrtc" || this.#peer === null) return stats;
		return {
			...stats,
			...await this.#peer.measure()
		};
	}
	#dropPeer() {
		clearTimeout(this.#retry);
		this.#peer?.close();
		this.#forgetPeer();
	}
	#forgetPeer() {
		this.#peer = null;
		this.#isPeerProved = false;
		if (this.#hasSound) this.#connection.note({ sound: "none" });
		this.#hasSound = false;
	}
	#reset() {
		this.#dropPeer();
		this.#closeDecoder();
		this.#format = "jpeg";
	}
};
// live/src/picture.ts
var Picture = class {
	viewport = null;
	#canvas;
	#context;
	#connection;
	#end;
	#video;
	#resizing;
	#next = null;
	#isDrawing = false;
	constructor(canvas, connection, options = {}) {
		const context = canvas.getContext("2d", {
			alpha: false,
			desynchronized: true
		});
		if (context === null) throw new TypeError("This canvas cannot be drawn on.");
		this.#canvas = canvas;
		this.#context = context;
		this.#connection = connection;
		this.#end = connection.on("frame", (shot) => {
			this.#next = shot;
			this.#draw();
		});
		const show = (drawn, viewport) => {
			this.#next = null;
			this.#paint(drawn, viewport);
		};
		const surface = () => ({
			w: canvas.clientWidth * devicePixelRatio,
			h: canvas.clientHeight * devicePixelRatio
		});
		this.#video = new Video(connection, show, {
			surface,
			...options
		});
		this.#resizing = new ResizeObserver(() => this.#video.resized());
		this.#resizing.observe(canvas);
	}
	/** Of a browser with a window: its page alone, or all of it. */
	show(shown) {
		this.#video.show(shown);
	}
	/** Sound is muted until this is called, after a person's click: see `sound` of the connection's snapshot. */
	hear(isHeard) {
		this.#video.hear(isHeard);
	}
	clear() {
		this.viewport = null;
		this.#next = null;
		this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
	}
	/** Draws nothing any more. */
	end() {
		this.#end();
		this.#video.end();
		this.#resizing.disconnect();
		this.#next = null;
	}
	async #draw() {
		if (this.#isDrawing) return;
		this.#isDrawing = true;
		while (this.#next) {
			const frame = this.#next;
			this.#next = null;
			try {
				const bitmap = await createImageBitmap(frame.jpeg);
				this.#paint({
					image: bitmap,
					width: bitmap.width,
					height: bitmap.height
				}, frame.viewport);
				bitmap.close();
			} catch {}
			this.#connection.send({
				type: "ack",
				timestamp: frame.timestamp
			});
		}
		this.#isDrawing = false;
	}
	#paint({ image, width, height }, viewport) {
		if (this.#canvas.width !== width || this.#canvas.height !== height) {
			this.#canvas.width = width;
			this.#canvas.height = height;
		}
		this.#context.drawImage(image, 0, 0);
		this.viewport = viewport;
		this.#canvas.dispatchEvent(new CustomEvent("shown", { detail: viewport }));
	}
};
// live/src/transports.ts
var FORMATS = {
	jpeg: "pictures",
	h264: "H.264",
	vp8: "VP8",
	webrtc: "WebRTC"
};
function nameOfTransport({ transport, format }) {
	return transport === "mse" ? `${FORMATS[format]} (MSE)` : FORMATS[format];
}
// live/src/embedded.ts
/** A page of ours (`/view`, the web app) in a frame of another site: its token comes from the page around it, and is kept nowhere. */
var FIRST_PAUSE_MS = 200;
var LONGEST_PAUSE_MS = 1e4;
/** Whose pages may have this one in a frame, as the server says in its head. */
function allowedOrigins() {
	return (document.querySelector("meta[name=\"belljar-embed-origins\"]")?.content ?? "").split(" ").filter(Boolean);
}
/** Whether a page of another origin has this one in a frame; browsers show it there only for the origins above. */
function isEmbedded() {
	return parent !== window && !isOwn(parent);
}
function isOwn(other) {
	try {
		return other.location.origin === location.origin;
	} catch {
		return false;
	}
}
/**
* A token from the page around this one, asked for until it comes.  What others say is not heard: it must be that very
* page, of an origin that the server allows.
*/
function tokenFromEmbedder() {
	return new Promise((resolve) => {
		const origins = allowedOrigins();
		let pause = FIRST_PAUSE_MS;
		let timer;
		const ask = () => {
			const around = location.ancestorOrigins?.[0];
			for (const origin of around === void 0 ? origins : origins.filter((one) => one === around)) parent.postMessage({ type: TOKEN_WANTED }, origin);
			timer = setTimeout(ask, pause = Math.min(pause * 2, LONGEST_PAUSE_MS));
		};
		const hear = (event) => {
			if (event.source !== parent || !origins.includes(event.origin)) return;
			const given = event.data;
			if (given?.type !== "belljar.token" || typeof given.token !== "string" || given.token === "") return;
			removeEventListener("message", hear);
			clearTimeout(timer);
			resolve(given.token);
		};
		addEventListener("message", hear);
		ask();
	});
}
// view/src/panels.ts
var MAX_LINES = 300;
var TOAST_MS = 6e3;
/** An element of index.html, which has all that are asked for. */
function $(id) {
	return document.getElementById(id);
}
function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}
function toast(text, { bad = false, action } = {}) {
	const made = element("div", { className: bad ? "toast bad" : "toast" }, text);
	const remove = () => made.remove();
	if (action) {
		const act = () => {
			remove();
			action.run();
		};
		made.append(element("button", {
			textContent: action.label,
			onclick: act
		}));
	}
	$("toasts").append(made);
	while ($("toasts").children.length > 4) $("toasts").firstChild?.remove();
	setTimeout(remove, TOAST_MS);
}
function showTabs(tabs, { mayDrive, activate, close, create }) {
	const rows = tabs.map((tab) => {
		const name = tab.title || tab.url || "New tab";
		const open = element("button", {
			textContent: name,
			title: tab.url,
			disabled: !mayDrive,
			onclick: () => activate(tab.id)
		});
		open.setAttribute("role", "tab");
		open.setAttribute("aria-selected", String(tab.active));
		const shut = element("button", {
			textContent: "×",
			title: "Close tab",
			onclick: () => close(tab.id)
		});
		shut.setAttribute("aria-label", `Close ${name}`);
		return element("div", { className: tab.active ? "tab active" : "tab" }, open, ...mayDrive ? [shut] : []);
	});
	const add = element("button", {
		textContent: "+",
		title: "New tab",
		className: "icon",
		onclick: create
	});
	add.setAttribute("aria-label", "New tab");
	$("tabs").replaceChildren(...rows, ...mayDrive ? [add] : []);
}
var ConsoleLines = class {
	#count = 0;
	/** Lines of before, above what came since; those that came in between are not told twice. */
	putBefore(earlier) {
		const shown = [...$("console").children].map((line) => line.textContent);
		const since = shown.length ? earlier.findLastIndex((_, start) => shown.every((text, index) => earlier[start + index]?.text.startsWith(text ?? "") ?? true)) : -1;
		const before = since < 0 ? earlier : earlier.slice(0, since);
		$("console").prepend(...before.map(({ level, text }) => element("li", {
			className: level,
			textContent: text.slice(0, 2e3)
		})));
		$("console-count").textContent = String(this.#count += before.length);
	}
	add({ level, text }) {
		const list = $("console");
		const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 5;
		list.append(element("li", {
			className: level,
			textContent: text
		}));
		while (list.children.length > MAX_LINES) list.firstChild?.remove();
		if (isAtEnd) list.scrollTop = list.scrollHeight;
		$("console-count").textContent = String(++this.#count);
	}
};
var MAIN_PARAMETERS = {
	navigate: "url",
	evaluate: "expression",
	press: "key",
	"tabs.create": "url",
	"control.give": "to"
};
/** `name {json}`, or `name text` for the parameter that matters most. */
function parseCommand(line) {
	const [, method, rest] = /^\s*(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
	if (!method) throw new Error("Type a command's name.");
	if (!rest) return [method, {}];
	if (rest.trimStart().startsWith("{")) return [method, JSON.parse(rest)];
	if (method.startsWith("tabs.") && method !== "tabs.create") return [method, { id: rest }];
	return [method, { [MAIN_PARAMETERS[method] ?? "selector"]: rest }];
}
var METHODS = [
	...[
		"navigate",
		"back",
		"forward",
		"reload",
		"click",
		"dblclick",
		"hover",
		"type",
		"press",
		"select",
		"scroll"
	],
	...[
		"waitForSelector",
		"setViewport",
		"evaluate",
		"screenshot",
		"dialog"
	],
	...[
		"tabs.list",
		"tabs.create",
		"tabs.activate",
		"tabs.close"
	],
	...[
		"control.take",
		"control.request",
		"control.renew",
		"control.release",
		"control.give"
	]
];
function toggle(button, panel) {
	const isShown = panel.hidden === true;
	panel.hidden = !isShown;
	button.setAttribute("aria-expanded", String(isShown));
	return isShown;
}
// view/src/sign_in.ts
/** How a person comes in: by a one-time link or a token, against a cookie that scripts cannot read. */
/** The page is at `<box>/view`; everything of the box is beside it, at whatever prefix. */
var box = new URL(".", location.href);
/** Why it did not work, or nothing. */
async function signIn(credential) {
	const request = {
		method: "POST",
		body: JSON.stringify({
			...credential,
			path: box.pathname
		}),
		headers: { "Content-Type": "application/json" },
		credentials: "same-origin"
	};
	const answer = await fetch(new URL("view/session", box), request).catch(() => null);
	if (!answer) return "the box cannot be reached";
	if (answer.ok) return null;
	const problem = await answer.json().catch(() => ({}));
	return problem.details?.message ?? problem.detail ?? "That did not work.";
}
async function signOut() {
	await fetch(new URL(`view/session?path=${encodeURIComponent(box.pathname)}`, box), { method: "DELETE" });
}
/**
* What keeps this page out: `token` where a sign-in would help, `over` where nothing will, else nothing.  Asked with the
* cookie, or with the token that the page around this one gave.
*/
async function whatIsWrong(given) {
	const request = given === void 0 ? { credentials: "same-origin" } : {
		credentials: "omit",
		headers: { Authorization: `Bearer ${given}` }
	};
	const answer = await fetch(new URL("v1/control", box), request).catch(() => null);
	if (!answer) return {};
	if (answer.status === 401) return { token: true };
	const { code, detail } = answer.ok ? {} : await answer.json().catch(() => ({}));
	return code === "session_over" || code === "session_not_found" ? { over: detail } : {};
}
/** The ticket of a link, which is taken out of the address and of the history at once. */
function takeTicket() {
	const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket");
	if (ticket) history.replaceState(null, "", location.pathname + location.search);
	return ticket;
}
// view/src/main.ts
var given;
var isTokenAwaited = false;
var connection = new Connection(isEmbedded() ? openAsEmbedded : box.href);
var TRANSPORTS = [
	"jpeg",
	"webcodecs",
	"mse",
	"webrtc"
];
var asked = new URLSearchParams(location.search).get("transport");
var picture = new Picture($("picture"), connection, { transport: TRANSPORTS.find((one) => one === asked) });
var lines = new ConsoleLines();
var keys = $("keys");
var url = $("url");
var ready = null;
var control = null;
var hidesQuestion = false;
var tabs = [];
var askedBy = /* @__PURE__ */ new Set();
var ended = "";
var failed = (problem) => toast(problem.message ?? "It did not work.", { bad: true });
var run = (method, params) => void connection.call(method, params).catch(failed);
var access = new Access(connection, {
	onRefused: failed,
	onHeld({ kind, name }) {
		if ($("toasts").children.length) return;
		toast(`${kind === "agent" ? "The agent" : name} has control.`, { action: {
			label: "Take it",
			run: () => run("control.take")
		} });
	}
});
async function openAsEmbedded(viewer) {
	isTokenAwaited = true;
	showNote();
	given = await tokenFromEmbedder();
	isTokenAwaited = false;
	showNote();
	return openLive(box.href, viewer, given);
}
function showStage() {
	$("sign-in").hidden = true;
	for (const id of [
		"bar",
		"stage",
		"foot"
	]) $(id).hidden = false;
}
function showOver(why) {
	showStage();
	ended = why;
	connection.close();
}
function askForToken(why) {
	connection.close();
	for (const id of [
		"bar",
		"stage",
		"foot"
	]) $(id).hidden = true;
	$("sign-in").hidden = false;
	$("sign-in-why").classList.toggle("bad", Boolean(why));
	if (why) $("sign-in-why").textContent = why;
	$("token").focus();
}
var sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
function begin() {
	showStage();
	connection.close();
	connection.open();
}
async function start() {
	const ticket = takeTicket();
	if (isEmbedded()) return begin();
	if (ticket) {
		const why = await signIn({ ticket });
		const wrong = why ? await whatIsWrong() : {};
		if (why && wrong.token) return askForToken(sentence(why));
		return wrong.over ? showOver(wrong.over) : begin();
	}
	if (connection.state !== "closed") return;
	const { token, over } = await whatIsWrong();
	if (token) askForToken("");
	else if (over) showOver(over);
	else begin();
}
var STATES = {
	open: ["connected", "good"],
	connecting: ["connecting…", "warn"],
	waiting: ["reconnecting…", "warn"],
	closed: ["closed", "bad"]
};
function showState() {
	const [words, kind] = STATES[connection.state];
	$("state").textContent = words;
	$("state").className = `pill ${kind}`;
	$("state").dataset["state"] = connection.state;
	showNote();
}
function note() {
	if (connection.state === "closed") return ended || "Not connected.";
	if (connection.state === "waiting") return "The connection was lost. Trying again…";
	if (isTokenAwaited) return "Waiting for a token from the page around this one…";
	if (connection.state === "connecting") return "Connecting to the box…";
	if (ready?.mode === "none") return "Nothing is running. The picture begins when a browser or the desktop starts.";
	return picture.viewport ? "" : "Waiting for the first picture…";
}
function showNote() {
	const text = note();
	$("note-text").textContent = text;
	$("note").hidden = !text;
	$("again").hidden = connection.state !== "closed" && connection.state !== "waiting";
	$("again").textContent = connection.state === "closed" ? "Connect again" : "Try now";
	$("stage").classList.toggle("stale", connection.state !== "open");
	$("stage").classList.toggle("empty", !picture.viewport);
}
function nameOfHolder({ kind, name }) {
	if (access.holdsControl) return "You have control";
	if (kind === "none") return "Nobody has control";
	return kind === "agent" ? "The agent has control" : `${name} has control`;
}
function showControl() {
	if (!control || !ready) return;
	const { mayDrive, holdsControl } = access;
	const { kind } = control.holder;
	const who = nameOfHolder(control.holder);
	$("holder").textContent = mayDrive ? who : `${who} · view only`;
	$("holder").className = `pill ${holdsControl ? "good" : kind !== "none" ? "warn" : mayDrive ? "nobody" : ""}`;
	$("control").textContent = holdsControl ? "Give back" : "Take control";
	$("control").hidden = !mayDrive;
	$("stage").classList.toggle("watching", !mayDrive);
	for (const id of [
		"back",
		"forward",
		"reload",
		"stop",
		"url"
	]) $(id).disabled = !mayDrive || ready.mode !== "browser";
	$("show-command").hidden = !mayDrive;
	showQuestion();
	showRequests(control);
}
/** Others who ask for the control that this viewer has. */
function showRequests({ requests = [] }) {
	for (const request of requests) {
		const to = request.viewer ?? "agent";
		if (!access.holdsControl || askedBy.has(to)) continue;
		askedBy.add(to);
		toast(`${request.name ?? "The agent"} asks for control.`, { action: {
			label: "Give",
			run: () => run("control.give", { to })
		} });
	}
	if (!requests.length) askedBy = /* @__PURE__ */ new Set();
}
/** What an agent asks of a person, with the next step of helping: to take control, then to give it back. */
function showQuestion() {
	const question = control?.question ?? "";
	if (question !== $("question-text").textContent) hidesQuestion = false;
	$("question-text").textContent = question;
	$("question").hidden = !question || hidesQuestion;
	$("question-take").textContent = access.holdsControl ? "Done: give control back" : "Help: take control";
	$("question-take").hidden = !access.mayDrive;
}
var failure = "";
/** Why what the tab was led to did not come, once. */
function showFailure({ id, url: address, error }) {
	const now = error ? `${id} ${address} ${error}` : "";
	if (now !== failure && error) toast(failureOf(error), {
		bad: true,
		...access.mayDrive ? { action: {
			label: "Try again",
			run: () => run("reload")
		} } : {}
	});
	failure = now;
}
function drawTabs() {
	showTabs(tabs, {
		mayDrive: access.mayDrive,
		activate: (id) => run("tabs.activate", { id }),
		close: (id) => run("tabs.close", { id }),
		create: () => run("tabs.create", {})
	});
	$("tabs").hidden = !tabs.length;
	const active = tabs.find((tab) => tab.active);
	if (active) {
		document.title = `${active.title || active.url} – Belljar`;
		$("loading").hidden = $("stop").hidden = !active.loading;
		$("reload").hidden = active.loading === true;
		showFailure(active);
		if (document.activeElement !== url) url.value = active.url === "about:blank" ? "" : active.url;
	}
}
var files = () => ({
	address: box.href,
	token: given,
	viewer: ready?.key
});
var tools = new Tools(connection, files, {
	onFind: showFind,
	onProblem: failed,
	onCopied: (text, isDone) => isDone ? toast("Copied.") : toast("Without TLS a page may copy only in a click.", { action: {
		label: "Copy",
		run: () => tools.copyText(text)
	} })
});
function showFind() {
	const form = findForm({
		find: (text, index) => tools.search(text, index),
		onClose() {
			$("find").hidden = true;
			keys.focus({ preventScroll: true });
		}
	});
	$("find").replaceChildren(form);
	$("find").hidden = false;
	form.querySelector("input")?.focus();
}
var shownAsk = "";
/** What the page asks and no picture shows: one at a time. */
function showAsk() {
	const { asks, ready: now } = connection.getSnapshot();
	const ask = asks[0];
	const mayAnswer = access.mayDrive && (access.holdsControl || control?.holder.kind === "none");
	const is = JSON.stringify([
		ask,
		mayAnswer,
		now?.viewer
	]);
	if (is === shownAsk) return;
	shownAsk = is;
	$("asks").hidden = ask === void 0;
	if (ask === void 0) return $("asks").replaceChildren();
	const form = askForm(ask, {
		mayAnswer,
		answer: (answer) => connection.call("answer", {
			...answer,
			id: ask.id,
			tabId: ask.tabId
		}),
		upload: (chosen, onProgress, signal) => uploadFiles(files(), ask, chosen, onProgress, signal),
		tools,
		onDone: () => keys.focus({ preventScroll: true })
	});
	$("asks").replaceChildren(form);
	if (document.activeElement === keys) focusAsk(form);
}
function showDialog({ dialog, tabId }) {
	const ask = $("ask");
	const text = $("ask-text");
	ask.hidden = !dialog || !access.mayDrive;
	if (!dialog) return;
	if (!access.mayDrive) return toast(`The page says: ${dialog.message}`);
	$("ask-message").textContent = dialog.message;
	text.hidden = dialog.type !== "prompt";
	text.value = dialog.defaultPrompt ?? "";
	$("ask-cancel").hidden = dialog.type === "alert";
	const answer = (accept) => {
		ask.hidden = true;
		run("dialog", {
			accept,
			tabId,
			...dialog.type === "prompt" && accept ? { text: text.value } : {}
		});
	};
	ask.onsubmit = (event) => {
		event.preventDefault();
		answer(true);
	};
	$("ask-cancel").onclick = () => answer(false);
	(dialog.type === "prompt" ? text : ask.querySelector("button"))?.focus();
}
var hasEarlier = false;
/** What the page had written before this viewer came, and what was downloaded; where it may not be read, nothing. */
async function showEarlier({ downloads = [] }) {
	hasEarlier = true;
	const done = downloads.filter(({ state }) => state === "completed").at(-1);
	if (done !== void 0 && access.mayDrive) toast(`Downloaded before: ${done.filename}`, { action: {
		label: "Save",
		run: () => void tools.save(done)
	} });
	const headers = given === void 0 ? {} : { Authorization: `Bearer ${given}` };
	const answer = await fetch(new URL("v1/browser/console?limit=200", box), { headers }).catch(() => void 0);
	if (answer?.ok !== true) return;
	const { messages } = await answer.json();
	lines.putBefore(messages);
}
connection.on("state", showState);
connection.on("ready", (data) => {
	if (data.mode !== ready?.mode) picture.clear();
	ready = data;
	control = data.control;
	tabs = data.tabs ?? [];
	if (data.dialogs?.[0] !== void 0) showDialog(data.dialogs[0]);
	if (!hasEarlier && data.mode === "browser") showEarlier(data);
	$("stage").dataset["mode"] = data.mode;
	drawTabs();
	showControl();
	showNote();
});
connection.on("control", (data) => {
	control = data;
	showControl();
});
connection.on("tabs", (data) => {
	tabs = data.tabs;
	drawTabs();
});
connection.on("navigated", (data) => {
	tabs = tabs.map((tab) => tab.id === data.tabId ? {
		...tab,
		url: data.url
	} : tab);
	drawTabs();
});
connection.on("console", (line) => lines.add(line));
connection.on("dialog", showDialog);
connection.on("download", ({ id, state, filename }) => {
	const save = {
		label: "Save",
		run: () => void tools.save({
			id,
			filename
		})
	};
	if (state === "inProgress") toast(`Downloading ${filename}`);
	else if (state === "completed") toast(`Download complete: ${filename}`, access.mayDrive ? { action: save } : {});
	else toast(`Download ${state}: ${filename}`);
});
connection.on("error", (problem) => {
	if (problem.code === "box_ending") {
		ended = problem.message;
		connection.close();
	} else if (problem.code !== "rate_limited") failed(problem);
});
connection.on("lost", async () => {
	const { token, over } = await whatIsWrong(given);
	if (token && !isEmbedded()) askForToken("Your sign-in is over. Paste a token, or open a new link.");
	else if (over) {
		ended = over;
		connection.close();
	}
});
connection.on("stats", ({ fps, kbps, rendition, viewers }) => {
	const latency = connection.latency === null ? "" : ` · ${Math.round(connection.latency)} ms`;
	const small = rendition === "small" ? " · reduced" : "";
	const others = viewers > 1 ? ` · ${viewers} viewers` : "";
	const moves = fps ? `${fps} fps` : "nothing moves";
	$("stats").textContent = `${moves}${latency} · ${(kbps / 1e3).toFixed(1)} Mb/s · ${nameOfTransport(connection.getSnapshot())}${small}${others}`;
});
connection.subscribe(() => {
	showAsk();
	const { transport, format, ready: now, sound } = connection.getSnapshot();
	$("stage").dataset["transport"] = transport;
	$("window").hidden = now?.mode !== "browser" || format === "jpeg";
	$("sound").hidden = sound === "none";
	$("sound").setAttribute("aria-pressed", String(sound === "playing"));
	$("sound").textContent = sound === "playing" ? "Mute" : "Sound is muted";
	$("fit").hidden = now?.role !== "drive" || format === "jpeg";
});
$("picture").addEventListener("shown", () => $("note").hidden || showNote());
new Input(keys, (message) => connection.send(message), () => access.mayAct(), () => access.holdsControl, {
	onShortcut: (name) => tools.shortcut(name),
	zoom: new Zoom($("picture"), keys)
});
$("control").onclick = () => void access.toggle().catch(failed);
$("question-take").onclick = $("control").onclick;
$("question-hide").onclick = () => {
	hidesQuestion = true;
	showQuestion();
};
$("window").onclick = () => {
	const isWhole = $("window").getAttribute("aria-pressed") !== "true";
	$("window").setAttribute("aria-pressed", String(isWhole));
	picture.show(isWhole ? "window" : "page");
};
$("sound").onclick = () => picture.hear(connection.getSnapshot().sound !== "playing");
$("fit").onclick = () => {
	const { clientWidth, clientHeight } = $("picture");
	connection.send({
		type: "resize",
		w: Math.max(1, clientWidth),
		h: Math.max(1, clientHeight)
	});
};
$("back").onclick = () => run("back");
$("forward").onclick = () => run("forward");
$("reload").onclick = () => run("reload");
$("stop").onclick = () => run("stop");
$("go").onsubmit = (event) => {
	event.preventDefault();
	const typed = url.value.trim();
	if (!typed) return;
	const address = addressOf(typed);
	if (address === void 0) return failed({ message: `That is no address: ${typed}` });
	keys.focus();
	run("navigate", { url: address });
};
$("command").onsubmit = async (event) => {
	event.preventDefault();
	const result = $("command-result");
	result.hidden = false;
	try {
		const [method, params] = parseCommand($("command-text").value);
		result.textContent = "…";
		const value = await connection.call(method, params);
		result.textContent = JSON.stringify(value ?? null, null, 2).slice(0, 2e4);
	} catch (error) {
		const problem = error;
		result.textContent = problem.code ? `${problem.code}: ${problem.message}` : problem.message;
	}
};
$("show-command").onclick = () => {
	if (toggle($("show-command"), $("command-panel"))) $("command-text").focus();
};
$("show-console").onclick = () => void toggle($("show-console"), $("console-panel"));
$("again").onclick = () => {
	ended = "";
	connection.again();
};
var help = $("help-dialog");
$("help").onclick = () => help.showModal();
addEventListener("keydown", (event) => {
	if (event.key === "?" && !event.target.closest("input, textarea, dialog")) $("help").click();
});
$("keyboard").onclick = () => {
	const isShown = $("keyboard").getAttribute("aria-pressed") !== "true";
	$("keyboard").setAttribute("aria-pressed", String(isShown));
	keys.inputMode = isShown ? "text" : "none";
	keys.blur();
	if (isShown) keys.focus({ preventScroll: true });
};
keys.inputMode = matchMedia("(pointer: coarse)").matches ? "none" : "text";
keys.addEventListener("composing", (event) => {
	const { detail } = event;
	$("composing").textContent = detail;
	$("composing").hidden = !detail || ready?.mode === "browser" && connection.getSnapshot().format === "jpeg";
});
$("sign-out").hidden = isEmbedded();
$("sign-out").onclick = async () => {
	await signOut();
	help.close();
	askForToken("");
};
$("sign-in-form").onsubmit = async (event) => {
	event.preventDefault();
	const field = $("token");
	const why = await signIn({ token: field.value.trim() });
	field.value = "";
	if (why) askForToken(sentence(why));
	else begin();
};
$("methods").append(...METHODS.map((value) => element("option", { value })));
addEventListener("hashchange", () => void start());
start();
