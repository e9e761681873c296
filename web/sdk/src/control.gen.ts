// Made from openapi/control.json by web/codegen: `make web-types`. Not to be edited.

export interface paths {
    "/api/apps/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer App Request
         * @description Let an app in, to act for you over MCP, or do not; either way the browser goes back to it.
         */
        post: operations["answerAppRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/question": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Describe App Request
         * @description What an app asks for, to be shown to the person who may let it in.
         */
        post: operations["describeAppRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Audit
         * @description Who did what: keys, tokens, sessions, profiles, hosts, control of boxes.  Oldest first unless told otherwise.
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Checks
         * @description Whether this host can do what sessions need, as `belljar doctor` tries it, and what would mend the rest.
         */
        get: operations["getChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Hosts
         * @description Hosts with their control planes, sessions, room and warm boxes.
         */
        get: operations["listHosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts/{name}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drain Host
         * @description Take no more sessions on this host, until `undrain` and over restarts.  Nothing is ended.  Twice is fine.
         */
        post: operations["drainHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts/{name}/undrain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undrain Host
         * @description Take sessions again.  Twice is fine.
         */
        post: operations["undrainHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Keys
         * @description Every key, revoked ones included, without their secrets.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create Key
         * @description Make a key.  It is shown in this answer and never again.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Key
         * @description One key, and what its revocation would end.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke Key
         * @description Make a key worthless, with all tokens, links and cookies that go back to it, and close what they opened.
         *
         *     Sessions that it started go on unless told to end.  Twice is fine.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}/admit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Admit Person
         * @description Let a person whom a provider signs in, and who was shut out, sign in again.  What that ended stays so.
         *
         *     Only a person (`kind: "person"`): a key that was revoked stays so.  Twice is fine.
         */
        post: operations["admitPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Limits
         * @description What sessions get and may have, alone and together, and who is near that.
         */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Me
         * @description Whose key this is.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Profiles
         * @description Your profiles; an admin sees everyone's.
         */
        get: operations["listProfiles"];
        put?: never;
        /**
         * Create Profile
         * @description An empty profile, to be used by sessions one after another.
         */
        post: operations["createProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Profile
         * @description One profile, and the session that runs on it.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        /**
         * Delete Profile
         * @description Remove a profile with everything in it.  Not while a session runs on it.
         */
        delete: operations["deleteProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/record/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Record Key
         * @description The public key of this installation, which certifies those of its boxes: keep it, to verify records with.
         */
        get: operations["getRecordKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sessions
         * @description Sessions, newest first, those that are over included as long as they are kept.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Create Session
         * @description Start a session.  Answers once its box is usable, or at once with `wait=false`.
         */
        post: operations["createSession"];
        /**
         * Delete Sessions
         * @description End every session of yours that has all these tags, side by side, on whatever host they run.
         *
         *     Where another host cannot be reached the answer is `wrong_host`, with what was `removed` and what is `left`.
         */
        delete: operations["deleteSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Session
         * @description One session, for as long as it is kept.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Delete Session
         * @description End a session; answers when its box is gone.  Ending it twice is fine.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /**
         * Patch Session
         * @description Extend a session, or change its tags and metadata.  The box learns of new times too.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/api/sessions/{id}/egress": {
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
         * @description Let a session that runs reach further hosts, or have its policy learn; it holds when this answers.
         *
         *     Only an admin may, and only where the operator started the control plane with `--admin-egress`.
         */
        post: operations["loosenSessionEgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Session Events
         * @description The session's life as server-sent events, from its beginning; ends when the session or the key is over.
         */
        get: operations["followSessionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Session Logs
         * @description The box's own log, also after the session's end, for as long as it is kept.
         */
        get: operations["getSessionLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Session Record
         * @description What happened in a session, oldest first; with `follow` as server-sent events, until the session is over.
         */
        get: operations["getSessionRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/record/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Record
         * @description The whole record, as other programs read it.
         */
        get: operations["exportSessionRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/record/pictures/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Session Picture
         * @description A picture that events of kind `screen` name.
         */
        get: operations["getSessionRecordPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/record/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Session Proof
         * @description The key of the session's box, certified by the installation's, and the last head that the database has.
         */
        get: operations["getSessionRecordProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Session Recordings
         * @description The session's films, also after its end, for as long as they are kept.
         */
        get: operations["listSessionRecordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/recordings/{recording_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Session Recording
         * @description One film.
         */
        get: operations["downloadSessionRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke Session
         * @description Make every token of the session worthless, close its connections and end it.
         */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Session Thumbnail
         * @description A small picture of what the session shows now.
         */
        get: operations["getSessionThumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Tickets
         * @description Addresses that open once each, and only what they say, so that no secret of lasting use stands in one.
         */
        post: operations["createSessionTickets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Tokens
         * @description The session's tokens, without their secrets.
         */
        get: operations["listSessionTokens"];
        put?: never;
        /**
         * Create Token
         * @description A token for somebody else: to watch only, or for a short time.
         */
        post: operations["createSessionToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/tokens/{token_id}": {
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
         * Revoke Token
         * @description Make one token worthless, with what it was exchanged for, and close the connections they opened.
         */
        delete: operations["revokeSessionToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Settings
         * @description Every setting of this control plane: its value, where that comes from, what it may be; and what boxes get.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sign Ins
         * @description Browsers in which you are signed in, and apps that you let in; an admin sees everyone's.
         */
        get: operations["listSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-ins/{id}": {
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
         * End Sign In
         * @description Sign a browser out, or shut an app out, and close what they opened.  Twice is fine.
         */
        delete: operations["endSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage
         * @description What sessions used, per user; an admin sees everyone's.  Covers what `--retain` keeps.
         *
         *     To the millisecond and the byte.  A session counts, with all that it used, for the day on which it was asked for,
         *     in UTC.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage Csv
         * @description The same as CSV.  Text that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["getUsageCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Users
         * @description Everybody who has a key or had sessions that are kept, by name, with what they used.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Webhooks
         * @description Every webhook, without its secret.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create Webhook
         * @description Be told of sessions at an address.  The secret is shown in this answer and never again.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
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
         * Delete Webhook
         * @description Tell this address nothing more.  What was still to be sent is forgotten.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Deliveries
         * @description What was sent and what is to be, newest first, for as long as `--retain` says.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver
         * @description Send one again that is over, delivered or dead, with all its attempts before it.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate Secret
         * @description A new secret, shown in this answer alone.  For a day both sign.  Enables one whose receiver was gone.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send Test
         * @description Send a `webhook.test`, as anything else would be sent; the deliveries say what became of it.
         */
        post: operations["testWebhook"];
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
         * @description For a liveness probe: the process answers, and every task runs that it cannot do without.  No key.
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
         * @description Prometheus metrics; an admin's key.
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
         * @description For a readiness probe: the database takes what is written and new sessions are taken.  No key.
         *
         *     A second line says so where sessions have no jail.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AdminEgress
         * @description Which hosts a key may allow to sessions that run, beside their policy.
         * @enum {string}
         */
        AdminEgress: "off" | "public" | "any";
        /** ApiKey */
        ApiKey: {
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /** Id */
            id: string;
            /**
             * Key
             * @description The key itself; only in the answer that makes it.
             */
            key?: string | null;
            /** @default key */
            kind: components["schemas"]["KeyKind"];
            /**
             * Lastusedat
             * @description To within some seconds; none before its first use.
             */
            lastUsedAt?: string | null;
            /** Maxsessions */
            maxSessions?: number | null;
            /** Maxttl */
            maxTtl?: number | null;
            /** Name */
            name: string;
            /** Revokedat */
            revokedAt?: string | null;
            role: components["schemas"]["KeyRole"];
            /** User */
            user: string;
        };
        /** AppAnswer */
        AppAnswer: {
            /**
             * Redirectto
             * @description Where the browser goes now.
             */
            redirectTo: string;
        };
        /**
         * AppConsent
         * @description The same, with what the person says to it.
         */
        AppConsent: {
            /** Allow */
            allow: boolean;
            /** Clientid */
            clientId: string;
            /**
             * Codechallenge
             * @default
             */
            codeChallenge?: string;
            /**
             * Codechallengemethod
             * @default
             */
            codeChallengeMethod?: string;
            /** Redirecturi */
            redirectUri: string;
            /** Resource */
            resource?: string | null;
            /**
             * Responsetype
             * @default
             */
            responseType?: string;
            /**
             * @description What the app may do; no more than it asked for.
             * @default view
             */
            role?: components["schemas"]["TokenRole"];
            /** Scope */
            scope?: string | null;
            /**
             * State
             * @default
             */
            state?: string;
        };
        /**
         * AppQuestion
         * @description What a person is told before they let an app in.
         */
        AppQuestion: {
            /** @description What it asked for. */
            asked: components["schemas"]["TokenRole"];
            /**
             * Name
             * @description What the app calls itself, which nobody has checked.
             */
            name: string;
            /**
             * Redirecthost
             * @description Where the browser goes afterwards.
             */
            redirectHost: string;
            /** Resource */
            resource: string;
            /**
             * Roles
             * @description What it may be given, the least first.
             */
            roles: components["schemas"]["TokenRole"][];
            /** User */
            user: string;
        };
        /**
         * AppRequest
         * @description What an app asks for, as it stands in the address of the page that asks the person.
         */
        AppRequest: {
            /** Clientid */
            clientId: string;
            /**
             * Codechallenge
             * @default
             */
            codeChallenge?: string;
            /**
             * Codechallengemethod
             * @default
             */
            codeChallengeMethod?: string;
            /** Redirecturi */
            redirectUri: string;
            /** Resource */
            resource?: string | null;
            /**
             * Responsetype
             * @default
             */
            responseType?: string;
            /** Scope */
            scope?: string | null;
            /**
             * State
             * @default
             */
            state?: string;
        };
        /**
         * BoxFlag
         * @description What every box is started with, unless its session asked for less.
         */
        BoxFlag: {
            /** Flag */
            flag: string;
            /** Value */
            value: string;
        };
        /**
         * CdpRelay
         * @enum {string}
         */
        CdpRelay: "on" | "off";
        /** Check */
        Check: {
            /** Detail */
            detail: string;
            /**
             * Fix
             * @description The one line that mends it.
             */
            fix?: string | null;
            /** Id */
            id: string;
            level: components["schemas"]["CheckLevel"];
            /** Title */
            title: string;
        };
        /**
         * CheckLevel
         * @enum {string}
         */
        CheckLevel: "ok" | "warning" | "missing";
        /** CheckListResponse */
        CheckListResponse: {
            /**
             * Checkedat
             * Format: date-time
             */
            checkedAt: string;
            /** Checks */
            checks: components["schemas"]["Check"][];
            /** Host */
            host: string;
            /** Ok */
            ok: boolean;
            /** Version */
            version: string;
        };
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
        /** DayUsage */
        DayUsage: {
            /**
             * Day
             * Format: date
             * @description In UTC.
             */
            day: string;
            /**
             * Egressbytes
             * @description Both ways, through connections that have ended.
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
            /**
             * Peakmemorymb
             * @description Of the one that had most.
             */
            peakMemoryMb: number;
            /** Running */
            running: number;
            /**
             * Seconds
             * @description That they had a box, to the millisecond.
             */
            seconds: number;
            /** Sessions */
            sessions: number;
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
         * Evaluate
         * @enum {string}
         */
        Evaluate: "on" | "isolated" | "off";
        /**
         * ExportFormat
         * @enum {string}
         */
        ExportFormat: "jsonl" | "har" | "playwright" | "markdown" | "zip";
        /** Host */
        Host: {
            /**
             * Drainedat
             * @description Since when it takes no more sessions.
             */
            drainedAt?: string | null;
            /** Drainedby */
            drainedBy?: string | null;
            /** Freediskmb */
            freeDiskMb?: number | null;
            /** Freememorymb */
            freeMemoryMb?: number | null;
            /** Isalive */
            isAlive: boolean;
            /** Isthis */
            isThis: boolean;
            /** Launcher */
            launcher?: string | null;
            /** Name */
            name: string;
            /** Planes */
            planes: components["schemas"]["HostPlane"][];
            /** Running */
            running: number;
            /**
             * Sessions
             * @description That are not over.
             */
            sessions: number;
            /** Warm */
            warm: number;
            /**
             * Warmstarting
             * @default 0
             */
            warmStarting: number;
            /**
             * Warmwanted
             * @default 0
             */
            warmWanted: number;
        };
        /** HostListResponse */
        HostListResponse: {
            /** Hosts */
            hosts: components["schemas"]["Host"][];
        };
        /**
         * HostPlane
         * @description A control plane, as it last said.
         */
        HostPlane: {
            /** Id */
            id: string;
            /** Isalive */
            isAlive: boolean;
            /**
             * Isthis
             * @description Whether it is the one that answers.
             */
            isThis: boolean;
            /** Peerurl */
            peerUrl?: string | null;
            /**
             * Seenat
             * Format: date-time
             */
            seenAt: string;
            /**
             * Startedat
             * Format: date-time
             */
            startedAt: string;
            /** Version */
            version?: string | null;
        };
        /** KeyCreateRequest */
        KeyCreateRequest: {
            /**
             * Maxsessions
             * @description Instead of the setting, for this key's user.
             */
            maxSessions?: number | null;
            /**
             * Maxttl
             * @description Largest ttl in seconds that this key may ask for.
             */
            maxTtl?: number | null;
            /**
             * Name
             * @default
             */
            name?: string;
            /** @default user */
            role?: components["schemas"]["KeyRole"];
            /** User */
            user: string;
        };
        /**
         * KeyKind
         * @enum {string}
         */
        KeyKind: "key" | "person";
        /** KeyListResponse */
        KeyListResponse: {
            /** Keys */
            keys: components["schemas"]["ApiKey"][];
        };
        /**
         * KeyReachResponse
         * @description A key, and what ends with it.
         */
        KeyReachResponse: {
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /** Id */
            id: string;
            /**
             * Key
             * @description The key itself; only in the answer that makes it.
             */
            key?: string | null;
            /** @default key */
            kind: components["schemas"]["KeyKind"];
            /**
             * Lastusedat
             * @description To within some seconds; none before its first use.
             */
            lastUsedAt?: string | null;
            /** Maxsessions */
            maxSessions?: number | null;
            /** Maxttl */
            maxTtl?: number | null;
            /** Name */
            name: string;
            /** Revokedat */
            revokedAt?: string | null;
            role: components["schemas"]["KeyRole"];
            /**
             * Sessions
             * @description Sessions it started that are not over; they go on unless told to end.
             */
            sessions: string[];
            /**
             * Signins
             * @description Browsers and apps that are signed in by it.
             * @default 0
             */
            signIns: number;
            /**
             * Sockets
             * @description Open connections that it, or one of those, opened here.
             */
            sockets: number;
            /**
             * Tokens
             * @description Good tokens that go back to it.
             */
            tokens: number;
            /** User */
            user: string;
        };
        /** KeyRevokeResponse */
        KeyRevokeResponse: {
            /**
             * Ok
             * @default true
             */
            ok: boolean;
            /**
             * Sessions
             * @description Sessions that were ended with it.
             */
            sessions: string[];
            /** Sockets */
            sockets: number;
            /** Tokens */
            tokens: number;
        };
        /**
         * KeyRole
         * @enum {string}
         */
        KeyRole: "user" | "admin";
        /**
         * LimitHolder
         * @description Who enforces a limit.
         * @enum {string}
         */
        LimitHolder: "cgroup" | "container" | "rlimit" | "image" | "watched" | "none";
        /** LimitUse */
        LimitUse: {
            /**
             * Limit
             * @description None for no limit.
             */
            limit?: number | null;
            /** Name */
            name: string;
            /** Used */
            used: number;
        };
        /** LimitsResponse */
        LimitsResponse: {
            default: components["schemas"]["SessionAllowance"];
            /** Idletimeout */
            idleTimeout: number;
            /** Maxttl */
            maxTtl: number;
            most: components["schemas"]["SessionAllowance"];
            perUser: components["schemas"]["TogetherLimits"];
            sessions: components["schemas"]["LimitUse"];
            /** Ttl */
            ttl: number;
            /**
             * Users
             * @description Those with sessions, the nearest to a limit first.
             */
            users: components["schemas"]["UserLimits"][];
            waiting: components["schemas"]["LimitUse"];
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
         * LiveMode
         * @enum {string}
         */
        LiveMode: "none" | "browser" | "desktop";
        /**
         * MeResponse
         * @description Whom a key belongs to.
         */
        MeResponse: {
            /**
             * @description Which hosts this key may allow to sessions that run: what `--admin-egress` says.
             * @default off
             */
            egress: components["schemas"]["AdminEgress"];
            /** Keyid */
            keyId: string;
            role: components["schemas"]["KeyRole"];
            /** User */
            user: string;
        };
        /** Ok */
        Ok: {
            /**
             * Ok
             * @default true
             */
            ok: boolean;
        };
        /**
         * PersonSignIn
         * @description A browser in which somebody is signed in, or an app that somebody let in.
         */
        PersonSignIn: {
            /**
             * Address
             * @description Where it came from, as far as the server saw.
             */
            address: string;
            /**
             * Clientid
             * @description Of an app.
             */
            clientId?: string | null;
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /**
             * Expiresat
             * Format: date-time
             */
            expiresAt: string;
            /** Id */
            id: string;
            /**
             * Iscurrent
             * @description Whether this request came by it.
             * @default false
             */
            isCurrent: boolean;
            kind: components["schemas"]["SignInKind"];
            /**
             * Name
             * @description What the browser or app calls itself.
             */
            name: string;
            /**
             * Redirecthost
             * @description Where an app was sent back to when it was let in.
             */
            redirectHost?: string | null;
            /** @description What an app may do. */
            role?: components["schemas"]["TokenRole"] | null;
            /**
             * Seenat
             * Format: date-time
             * @description When it last asked for something, to a few seconds.
             */
            seenAt: string;
            /** User */
            user: string;
            via: components["schemas"]["SignInVia"];
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
        /** Profile */
        Profile: {
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /**
             * Sessionid
             * @description The running session that uses it.
             */
            sessionId?: string | null;
            /** Userid */
            userId: string;
        };
        /** ProfileCreateRequest */
        ProfileCreateRequest: {
            /**
             * Name
             * @default
             */
            name?: string;
        };
        /** ProfileListResponse */
        ProfileListResponse: {
            /** Profiles */
            profiles: components["schemas"]["Profile"][];
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
        /** Session */
        Session: {
            /** Capabilities */
            capabilities: string[];
            /** Cdpurl */
            cdpUrl: string;
            /** @description One-time addresses; only in the answer to its creation. */
            connect?: components["schemas"]["SessionConnectResponse"] | null;
            /** Cpuseconds */
            cpuSeconds?: number | null;
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /**
             * Detail
             * @description A sentence about the reason, where there is more to say.
             */
            detail?: string | null;
            /** Endedat */
            endedAt?: string | null;
            /**
             * Expiresat
             * Format: date-time
             */
            expiresAt: string;
            /** @description What it shows and who drives it; only while a list is followed. */
            glance?: components["schemas"]["LiveGlance"] | null;
            /** Headless */
            headless: boolean;
            /** Host */
            host?: string | null;
            /** Httpurl */
            httpUrl: string;
            /** Id */
            id: string;
            /** Idletimeout */
            idleTimeout: number;
            /** Idletimeoutat */
            idleTimeoutAt?: string | null;
            /** @description What keeps its programs in; once it runs. */
            isolation?: components["schemas"]["SessionIsolation"] | null;
            /** Lastactivity */
            lastActivity?: string | null;
            /**
             * @description What it may use and do at most.
             * @default {
             *       "cdp": "on",
             *       "evaluate": "on",
             *       "film": "off",
             *       "record": "actions"
             *     }
             */
            limits: components["schemas"]["SessionAllowance"];
            /** Memorymb */
            memoryMb?: number | null;
            /** Metadata */
            metadata: {
                [key: string]: unknown;
            };
            mode: components["schemas"]["SessionMode"];
            /** Profileid */
            profileId?: string | null;
            /**
             * Readonly
             * @default false
             */
            readOnly: boolean;
            reason?: components["schemas"]["SessionEndReason"] | null;
            /** Revoked */
            revoked: boolean;
            /** Sandboxid */
            sandboxId?: string | null;
            /** @description The display: a headful browser's bars stand above the page. */
            screen?: components["schemas"]["SessionViewport"] | null;
            /** Startedat */
            startedAt?: string | null;
            state: components["schemas"]["SessionState"];
            /** Tags */
            tags: {
                [key: string]: string;
            };
            /**
             * Token
             * @description Opens this session and no other; only in the answer to its creation.
             */
            token?: string | null;
            /** Url */
            url?: string | null;
            /** Userid */
            userId: string;
            /** Viewurl */
            viewUrl: string;
            /** @description The page's; of a desktop the screen's. */
            viewport: components["schemas"]["SessionViewport"];
            /** Wsurl */
            wsUrl: string;
        };
        /**
         * SessionAllowance
         * @description What a session may use and do, as it is enforced; a limit that is absent is none.
         */
        SessionAllowance: {
            /** @default on */
            cdp: components["schemas"]["CdpRelay"];
            /** Commandrate */
            commandRate?: number | null;
            /** Cpus */
            cpus?: number | null;
            /** Diskmb */
            diskMb?: number | null;
            /** @default on */
            evaluate: components["schemas"]["Evaluate"];
            /** @default off */
            film: components["schemas"]["RecordFilmMode"];
            /** Inputrate */
            inputRate?: number | null;
            /** Memorymb */
            memoryMb?: number | null;
            /** Processes */
            processes?: number | null;
            /** @default actions */
            record: components["schemas"]["RecordLevel"];
            /**
             * Recordkinds
             * @description Absent: all.
             */
            recordKinds?: components["schemas"]["RecordEventKind"][] | null;
            /** Viewers */
            viewers?: number | null;
        };
        /**
         * SessionConnectResponse
         * @description Addresses that open once, without another secret: each holds a ticket.
         */
        SessionConnectResponse: {
            /** Cdpurl */
            cdpUrl: string;
            /**
             * Expiresat
             * Format: date-time
             */
            expiresAt: string;
            /** Viewurl */
            viewUrl: string;
            /** Wsurl */
            wsUrl: string;
        };
        /** SessionCreateRequest */
        SessionCreateRequest: {
            /** @description What is filmed unasked: nothing, all, or the last minutes before a failure. */
            film?: components["schemas"]["RecordFilmMode"] | null;
            /**
             * Headless
             * @default false
             */
            headless?: boolean;
            /**
             * Id
             * @description Chosen by the caller; a taken one is `session_exists`.
             */
            id?: string | null;
            /**
             * Idletimeout
             * @description Seconds without activity; 0 never ends it for that.
             */
            idleTimeout?: number | null;
            limits?: components["schemas"]["SessionLimits"] | null;
            /**
             * Metadata
             * @description Up to 16 KiB of JSON.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @default browser */
            mode?: components["schemas"]["SessionMode"];
            policy?: components["schemas"]["SessionPolicy"] | null;
            /** Profileid */
            profileId?: string | null;
            /**
             * Proxy
             * @description Upstream proxy for everything the session fetches; an admin's key only.
             */
            proxy?: string | null;
            /**
             * Readonly
             * @description Run on a copy of the profile; nothing is kept.
             * @default false
             */
            readOnly?: boolean;
            /** @description What is written down of what happens; never more than the operator's ceiling. */
            record?: components["schemas"]["RecordLevel"] | null;
            /**
             * Recordkinds
             * @description Only events of these kinds.
             */
            recordKinds?: components["schemas"]["RecordEventKind"][] | null;
            /**
             * Tags
             * @default {}
             */
            tags?: {
                [key: string]: string;
            };
            /**
             * Ttl
             * @description Seconds until the session ends whatever happens.
             */
            ttl?: number | null;
            /**
             * Url
             * @description The page to open first.
             */
            url?: string | null;
            /**
             * @default {
             *       "height": 720,
             *       "width": 1280
             *     }
             */
            viewport?: components["schemas"]["SessionViewportRequest"];
            /**
             * Wait
             * @description False answers at once; the session is still pending or starting then.
             * @default true
             */
            wait?: boolean;
        };
        /** SessionDeleteResponse */
        SessionDeleteResponse: {
            /** Removed */
            removed: string[];
        };
        /**
         * SessionEndReason
         * @enum {string}
         */
        SessionEndReason: "released" | "expired" | "idle" | "crashed" | "oom" | "revoked" | "evicted" | "failed";
        /** SessionEvent */
        SessionEvent: {
            /** Actor */
            actor: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Detail
             * @default {}
             */
            detail: {
                [key: string]: unknown;
            };
            /** Id */
            id: number;
            /** Kind */
            kind: string;
            /** Sessionid */
            sessionId?: string | null;
            /** Userid */
            userId?: string | null;
        };
        /** SessionEventListResponse */
        SessionEventListResponse: {
            /** Events */
            events: components["schemas"]["SessionEvent"][];
            /** Next */
            next?: number | null;
            /**
             * Total
             * @description How many there are in all, where `count` asked for it.
             */
            total?: number | null;
        };
        /**
         * SessionGone
         * @description A session that is not in the list any more: it was forgotten, or a filter does not find it now.
         */
        SessionGone: {
            /** Id */
            id: string;
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
        /**
         * SessionLimits
         * @description What a session may use at most: never more than the operator's ceilings, which `above_ceiling` names.
         */
        SessionLimits: {
            /**
             * Commandrate
             * @description Commands a second, per viewer.
             */
            commandRate?: number | null;
            /**
             * Cpus
             * @description Processors; 1.5 is one and a half.
             */
            cpus?: number | null;
            /** Diskmb */
            diskMb?: number | null;
            /**
             * Inputrate
             * @description Input messages a second, per viewer.
             */
            inputRate?: number | null;
            /**
             * Memorymb
             * @description Of all its programs.
             */
            memoryMb?: number | null;
            /**
             * Processes
             * @description Threads count too.
             */
            processes?: number | null;
            /**
             * Viewers
             * @description Live viewers at once.
             */
            viewers?: number | null;
        };
        /** SessionListResponse */
        SessionListResponse: {
            /**
             * Next
             * @description Give it as `after` to get the next page.
             */
            next?: string | null;
            /** Sessions */
            sessions: components["schemas"]["Session"][];
        };
        /**
         * SessionMode
         * @enum {string}
         */
        SessionMode: "browser" | "desktop" | "none";
        /**
         * SessionPolicy
         * @description What a session may not do, beside what the control plane forbids everyone: never more than that.
         */
        SessionPolicy: {
            /** @description Whether CDP clients may connect. */
            cdp?: components["schemas"]["CdpRelay"] | null;
            /**
             * Deny
             * @description Hosts, `*.example.com` for those below one.
             * @default []
             */
            deny?: string[];
            /**
             * Egress
             * @description `none` cuts it off from everything.
             */
            egress?: "none" | null;
            /** @description Where callers' scripts run. */
            evaluate?: components["schemas"]["Evaluate"] | null;
            /**
             * Only
             * @description Hosts in the same way; where there are any, no others can be reached.
             * @default []
             */
            only?: string[];
        };
        /**
         * SessionRecordProof
         * @description Who vouches for a session's record, and its last head as the database has it, which its host cannot change.
         */
        SessionRecordProof: {
            head?: components["schemas"]["RecordHead"] | null;
            installation: components["schemas"]["RecordKey"];
            key: components["schemas"]["RecordKey"];
        };
        /** SessionRecording */
        SessionRecording: {
            /** Bytes */
            bytes: number;
            /**
             * Id
             * @example rec_1
             */
            id: string;
            /** Url */
            url: string;
            /**
             * Writtenat
             * Format: date-time
             * @description When its last part was written.
             */
            writtenAt: string;
        };
        /** SessionRecordingListResponse */
        SessionRecordingListResponse: {
            /** Recordings */
            recordings: components["schemas"]["SessionRecording"][];
        };
        /**
         * SessionState
         * @enum {string}
         */
        SessionState: "pending" | "starting" | "running" | "stopping" | "stopped" | "failed";
        /** SessionTicketCreateRequest */
        SessionTicketCreateRequest: {
            /** @default drive */
            role?: components["schemas"]["TokenRole"];
        };
        /** SessionToken */
        SessionToken: {
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /**
             * Expiresat
             * Format: date-time
             */
            expiresAt: string;
            /** Id */
            id: string;
            /**
             * Note
             * @default
             */
            note: string;
            /**
             * Revoked
             * @default false
             */
            revoked: boolean;
            role: components["schemas"]["TokenRole"];
            /** Sessionid */
            sessionId: string;
            /**
             * Token
             * @description Only in the answer that makes it.
             */
            token?: string | null;
            /** Viewurl */
            viewUrl?: string | null;
        };
        /** SessionTokenCreateRequest */
        SessionTokenCreateRequest: {
            /**
             * Note
             * @default
             */
            note?: string;
            /** @default view */
            role?: components["schemas"]["TokenRole"];
            /**
             * Ttl
             * @description Seconds; the session's own end comes first.
             * @default 3600
             */
            ttl?: number;
        };
        /** SessionTokenListResponse */
        SessionTokenListResponse: {
            /** Tokens */
            tokens: components["schemas"]["SessionToken"][];
        };
        /** SessionUpdateRequest */
        SessionUpdateRequest: {
            /** Idletimeout */
            idleTimeout?: number | null;
            /**
             * Metadata
             * @description Replaces what was there.
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Tags
             * @description Merged; null removes a tag.
             */
            tags?: {
                [key: string]: string | null;
            } | null;
            /**
             * Ttl
             * @description Seconds from now until the session ends.
             */
            ttl?: number | null;
        };
        /** SessionUsage */
        SessionUsage: {
            /** Createdat */
            createdAt?: string | null;
            /** Egressbytes */
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
            /** Peakmemorymb */
            peakMemoryMb: number;
            /** Seconds */
            seconds: number;
            /** Sessionid */
            sessionId: string;
            /** Userid */
            userId: string;
        };
        /** SessionViewport */
        SessionViewport: {
            /**
             * Height
             * @default 720
             */
            height: number;
            /**
             * Width
             * @default 1280
             */
            width: number;
        };
        /** SessionViewportRequest */
        SessionViewportRequest: {
            /**
             * Height
             * @default 720
             */
            height?: number;
            /**
             * Width
             * @default 1280
             */
            width?: number;
        };
        /**
         * SessionsListed
         * @description All that there is has been told: these and no others; from here on, what changes.
         */
        SessionsListed: {
            /** Ids */
            ids: string[];
        };
        /** SettingInForce */
        SettingInForce: {
            /** Default */
            default?: string | null;
            /** Description */
            description: string;
            /** Flag */
            flag: string;
            /** Maybe */
            mayBe: string;
            /** Name */
            name: string;
            source: components["schemas"]["SettingSource"];
            /**
             * Value
             * @description Secrets are masked; none where nothing is set.
             */
            value?: string | null;
            /** Variable */
            variable: string;
        };
        /**
         * SettingSource
         * @enum {string}
         */
        SettingSource: "flag" | "variable" | "default" | "start";
        /** SettingsResponse */
        SettingsResponse: {
            /** Boxes */
            boxes: components["schemas"]["BoxFlag"][];
            /** Settings */
            settings: components["schemas"]["SettingInForce"][];
        };
        /**
         * SignInKind
         * @enum {string}
         */
        SignInKind: "browser" | "app";
        /** SignInList */
        SignInList: {
            /** Signins */
            signIns: components["schemas"]["PersonSignIn"][];
        };
        /**
         * SignInVia
         * @description How somebody came in.
         * @enum {string}
         */
        SignInVia: "link" | "key" | "oidc" | "consent";
        /**
         * TagUsage
         * @description Of the sessions that have a tag; one with several counts for each of them.
         */
        TagUsage: {
            /**
             * Egressbytes
             * @description Both ways, through connections that have ended.
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
            /** Name */
            name: string;
            /**
             * Peakmemorymb
             * @description Of the one that had most.
             */
            peakMemoryMb: number;
            /** Running */
            running: number;
            /**
             * Seconds
             * @description That they had a box, to the millisecond.
             */
            seconds: number;
            /** Sessions */
            sessions: number;
            /** Value */
            value: string;
        };
        /**
         * TogetherLimits
         * @description What the sessions of one user may have together; none is no limit.
         */
        TogetherLimits: {
            /** Cpus */
            cpus?: number | null;
            /** Diskmb */
            diskMb?: number | null;
            /** Memorymb */
            memoryMb?: number | null;
            /** Processes */
            processes?: number | null;
            /** Sessions */
            sessions: number;
            /** Viewers */
            viewers?: number | null;
        };
        /**
         * TokenRole
         * @enum {string}
         */
        TokenRole: "drive" | "view";
        /**
         * UsageGroup
         * @enum {string}
         */
        UsageGroup: "user" | "day" | "tag" | "session";
        /** UsageResponse */
        UsageResponse: {
            /**
             * Days
             * @default []
             */
            days: components["schemas"]["DayUsage"][];
            /**
             * Sessions
             * @default []
             */
            sessions: components["schemas"]["SessionUsage"][];
            /**
             * Tags
             * @default []
             */
            tags: components["schemas"]["TagUsage"][];
            total: components["schemas"]["UsageSum"];
            /** Users */
            users: components["schemas"]["UserUsage"][];
        };
        /**
         * UsageSum
         * @description What sessions used together.  A session counts for the day on which it was asked for, with all that it used.
         */
        UsageSum: {
            /**
             * Egressbytes
             * @description Both ways, through connections that have ended.
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
            /**
             * Peakmemorymb
             * @description Of the one that had most.
             */
            peakMemoryMb: number;
            /** Running */
            running: number;
            /**
             * Seconds
             * @description That they had a box, to the millisecond.
             */
            seconds: number;
            /** Sessions */
            sessions: number;
        };
        /**
         * User
         * @description Somebody who has a key, or had sessions that are kept.
         */
        User: {
            /**
             * Keys
             * @description Good ones.
             */
            keys: number;
            /**
             * Lastusedat
             * @description When one of their keys was last used.
             */
            lastUsedAt?: string | null;
            /**
             * Live
             * @description Sessions that are not over.
             */
            live: number;
            /** @description The most that their keys may; none without a good key. */
            role?: components["schemas"]["KeyRole"] | null;
            used: components["schemas"]["UsageSum"];
            /** Userid */
            userId: string;
        };
        /** UserLimits */
        UserLimits: {
            /** Limits */
            limits: components["schemas"]["LimitUse"][];
            /**
             * Share
             * @description Of the limit that they are nearest to: 1 is all of it.
             */
            share: number;
            /** Userid */
            userId: string;
        };
        /** UserListResponse */
        UserListResponse: {
            /** Next */
            next?: string | null;
            /** Users */
            users: components["schemas"]["User"][];
        };
        /**
         * UserUsage
         * @description What a user's sessions used, of those still kept.
         */
        UserUsage: {
            /**
             * Egressbytes
             * @description Both ways, through connections that have ended.
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
            /**
             * Peakmemorymb
             * @description Of the one that had most.
             */
            peakMemoryMb: number;
            /** Running */
            running: number;
            /**
             * Seconds
             * @description That they had a box, to the millisecond.
             */
            seconds: number;
            /** Sessions */
            sessions: number;
            /** Userid */
            userId: string;
        };
        /** Webhook */
        Webhook: {
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /**
             * Disabledat
             * @description Since when its receiver says that it is gone (410).
             */
            disabledAt?: string | null;
            /** Id */
            id: string;
            /** Kinds */
            kinds: components["schemas"]["WebhookKind"][];
            /** Name */
            name: string;
            /**
             * Secret
             * @description `whsec_…`; only in the answer that makes it.
             */
            secret?: string | null;
            /** Url */
            url: string;
        };
        /** WebhookCreateRequest */
        WebhookCreateRequest: {
            /**
             * Kinds
             * @description What to tell of; everything when not given.
             */
            kinds?: components["schemas"]["WebhookKind"][] | null;
            /**
             * Name
             * @default
             */
            name?: string;
            /**
             * Url
             * @description https://…; http:// only to what --webhook-network names.
             */
            url: string;
        };
        /**
         * WebhookDelivery
         * @description `id` is what the receiver gets as `webhook-id`, the same at each attempt.
         */
        WebhookDelivery: {
            /** Attempts */
            attempts: number;
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /**
             * Error
             * @description Why the last attempt failed.
             */
            error?: string | null;
            /** Finishedat */
            finishedAt?: string | null;
            /** Id */
            id: string;
            kind: components["schemas"]["WebhookKind"];
            /**
             * Nextattemptat
             * @description While it is pending.
             */
            nextAttemptAt?: string | null;
            /** Sessionid */
            sessionId?: string | null;
            state: components["schemas"]["WebhookDeliveryState"];
            /**
             * Status
             * @description What the receiver answered last.
             */
            status?: number | null;
        };
        /** WebhookDeliveryListResponse */
        WebhookDeliveryListResponse: {
            /** Deliveries */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /**
             * Next
             * @description As `after`, for those that came before.
             */
            next?: string | null;
        };
        /**
         * WebhookDeliveryState
         * @enum {string}
         */
        WebhookDeliveryState: "pending" | "delivered" | "dead";
        /**
         * WebhookKind
         * @description What can be told of.
         * @enum {string}
         */
        WebhookKind: "session.created" | "session.running" | "session.stopped" | "session.failed" | "control.taken" | "control.left" | "session.mark" | "session.ask" | "webhook.test";
        /** WebhookListResponse */
        WebhookListResponse: {
            /** Webhooks */
            webhooks: components["schemas"]["Webhook"][];
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
    answerAppRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppConsent"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppAnswer"];
                };
            };
            /** @description `app_refused` */
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
            /** @description `database_unavailable` */
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
    describeAppRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppQuestion"];
                };
            };
            /** @description `app_refused` */
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
            /** @description `database_unavailable` */
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
    getAudit: {
        parameters: {
            query?: {
                /** @description Oldest first, from after this one. */
                after?: number;
                session?: string | null;
                /** @description Whom it was about. */
                user?: string | null;
                limit?: number;
                /** @description Newest first, from before this one. */
                before?: number | null;
                /** @description Newest first. */
                newest?: boolean;
                /** @description Who did it. */
                actor?: string | null;
                /** @description A kind, or `session.` for all of that. */
                action?: string | null;
                /** @description Text anywhere in it. */
                q?: string | null;
                since?: string | null;
                until?: string | null;
                /** @description Also say how many there are in all. */
                count?: boolean;
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
                    "application/json": components["schemas"]["SessionEventListResponse"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    getChecks: {
        parameters: {
            query?: {
                /** @description Try everything now, not some minutes ago. */
                fresh?: boolean;
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
                    "application/json": components["schemas"]["CheckListResponse"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    listHosts: {
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
                    "application/json": components["schemas"]["HostListResponse"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    drainHost: {
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
                    "application/json": components["schemas"]["Host"];
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
            /** @description `database_unavailable` */
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
    undrainHost: {
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
                    "application/json": components["schemas"]["Host"];
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
            /** @description `database_unavailable` */
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
    listKeys: {
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
                    "application/json": components["schemas"]["KeyListResponse"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyCreateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
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
            /** @description `database_unavailable` */
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
    getKey: {
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
                    "application/json": components["schemas"]["KeyReachResponse"];
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
            /** @description `key_not_found` */
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
            /** @description `database_unavailable` */
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
    revokeKey: {
        parameters: {
            query?: {
                /** @description Also end the sessions that it started. */
                endSessions?: boolean;
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
                    "application/json": components["schemas"]["KeyRevokeResponse"];
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
            /** @description `key_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `wrong_host` */
            421: {
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
            /** @description `database_unavailable` */
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
    admitPerson: {
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
                    "application/json": components["schemas"]["ApiKey"];
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
            /** @description `key_not_found` */
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
            /** @description `database_unavailable` */
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
    getLimits: {
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
                    "application/json": components["schemas"]["LimitsResponse"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    getMe: {
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
                    "application/json": components["schemas"]["MeResponse"];
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
            /** @description `database_unavailable` */
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
    listProfiles: {
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
                    "application/json": components["schemas"]["ProfileListResponse"];
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
            /** @description `database_unavailable` */
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
    createProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProfileCreateRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
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
            /** @description `database_unavailable` */
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
    getProfile: {
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
                    "application/json": components["schemas"]["Profile"];
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
            /** @description `profile_not_found` */
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
            /** @description `database_unavailable` */
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
    deleteProfile: {
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
            /** @description `profile_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `profile_in_use` */
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
            /** @description `database_unavailable` */
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
    getRecordKey: {
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
                    "application/json": components["schemas"]["RecordKey"];
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
            /** @description `database_unavailable` */
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
    listSessions: {
        parameters: {
            query?: {
                /** @description Those in one of these states. */
                state?: components["schemas"]["SessionState"][] | null;
                /** @description An admin's filter; others see their own anyway. */
                user?: string | null;
                /** @description `name` or `name:value`; all must match. */
                tag?: string[];
                limit?: number;
                /** @description `next` of the page before. */
                after?: string | null;
                /** @description Answer with an event stream, which goes on with what changes. */
                follow?: boolean;
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
                    "application/json": components["schemas"]["SessionListResponse"];
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
            /** @description `database_unavailable` */
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
    createSession: {
        parameters: {
            query?: {
                /** @description Instead of the body's `wait`. */
                wait?: boolean | null;
            };
            header?: {
                "idempotency-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SessionCreateRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
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
            /** @description `profile_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `profile_in_use`, `session_exists`, `session_over` */
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
            /** @description `above_ceiling`, `not_honoured`, `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `no_room`, `too_many_sessions`, `user_ceiling` */
            429: {
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
            /** @description `draining`, `launch_failed`, `database_unavailable` */
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
    deleteSessions: {
        parameters: {
            query: {
                tag: string[];
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
                    "application/json": components["schemas"]["SessionDeleteResponse"];
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
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `wrong_host` */
            421: {
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
            /** @description `box_unreachable` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `box_timeout` */
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
    getSession: {
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
                    "application/json": components["schemas"]["Session"];
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
            /** @description `session_not_found` */
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
            /** @description `database_unavailable` */
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
    deleteSession: {
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
                    "application/json": components["schemas"]["Session"];
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
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `wrong_host` */
            421: {
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
            /** @description `box_unreachable` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `box_timeout` */
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
    updateSession: {
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
                "application/json": components["schemas"]["SessionUpdateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
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
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_over` */
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
            /** @description `wrong_host` */
            421: {
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
            /** @description `box_unreachable` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `box_timeout` */
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
    loosenSessionEgress: {
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
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_over` */
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
            /** @description `above_ceiling`, `validation_failed` */
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
            /** @description `box_unreachable` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    followSessionEvents: {
        parameters: {
            query?: {
                /** @description An event's id. */
                after?: number;
            };
            header?: {
                /** @description As `after`; what browsers send to go on. */
                "last-event-id"?: number;
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
            /** @description `session_not_found` */
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
            /** @description `database_unavailable` */
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
    getSessionLogs: {
        parameters: {
            query?: {
                /** @description The last so many lines. */
                tail?: number;
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
            /** @description `session_not_found` */
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
            /** @description `artifacts_unavailable`, `database_unavailable` */
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
    getSessionRecord: {
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
                /** @description As `since`; what browsers send to go on. */
                "last-event-id"?: number;
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
            /** @description `session_not_found` */
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
            /** @description `artifacts_unavailable`, `database_unavailable` */
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
    exportSessionRecord: {
        parameters: {
            query?: {
                /** @description What to make of it. */
                format?: components["schemas"]["ExportFormat"];
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
            /** @description `session_not_found`, `not_found` */
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
            /** @description `artifacts_unavailable`, `database_unavailable` */
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
    getSessionRecordPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
            /** @description `session_not_found`, `not_found` */
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
            /** @description `artifacts_unavailable`, `database_unavailable` */
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
    getSessionRecordProof: {
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
                    "application/json": components["schemas"]["SessionRecordProof"];
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
            /** @description `session_not_found`, `not_found` */
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
            /** @description `database_unavailable` */
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
    listSessionRecordings: {
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
                    "application/json": components["schemas"]["SessionRecordingListResponse"];
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
            /** @description `session_not_found` */
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
            /** @description `artifacts_unavailable`, `database_unavailable` */
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
    downloadSessionRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                recording_id: string;
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
            /** @description `session_not_found`, `not_found` */
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
            /** @description `artifacts_unavailable`, `database_unavailable` */
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
    revokeSession: {
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
                    "application/json": components["schemas"]["Session"];
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
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `wrong_host` */
            421: {
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
            /** @description `box_unreachable` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `box_timeout` */
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
    getSessionThumbnail: {
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
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_over` */
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
            /** @description `box_unreachable` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    createSessionTickets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SessionTicketCreateRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionConnectResponse"];
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
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_over` */
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
            /** @description `database_unavailable` */
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
    listSessionTokens: {
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
                    "application/json": components["schemas"]["SessionTokenListResponse"];
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
            /** @description `session_not_found` */
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
            /** @description `database_unavailable` */
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
    createSessionToken: {
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
                "application/json": components["schemas"]["SessionTokenCreateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionToken"];
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
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_over` */
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
            /** @description `database_unavailable` */
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
    revokeSessionToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token_id: string;
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
            /** @description `session_not_found`, `not_found` */
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
            /** @description `database_unavailable` */
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
    getSettings: {
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
                    "application/json": components["schemas"]["SettingsResponse"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    listSignIns: {
        parameters: {
            query?: {
                /** @description Whose; an admin sees everyone's without it. */
                user?: string | null;
                /** @description Browsers or apps alone. */
                kind?: components["schemas"]["SignInKind"] | null;
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
                    "application/json": components["schemas"]["SignInList"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    endSignIn: {
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
            /** @description `database_unavailable` */
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
    getUsage: {
        parameters: {
            query?: {
                /** @description Also list every session. */
                sessions?: boolean;
                /** @description What to list beside the total; users unless said. */
                by?: components["schemas"]["UsageGroup"][] | null;
                /** @description Sessions that were asked for at this time, or later. */
                since?: string | null;
                /** @description Before this time. */
                until?: string | null;
                /** @description An admin's filter; others see their own anyway. */
                user?: string | null;
                /** @description `name` or `name:value`; all must match. */
                tag?: string[];
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
                    "application/json": components["schemas"]["UsageResponse"];
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
            /** @description `database_unavailable` */
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
    getUsageCsv: {
        parameters: {
            query?: {
                /** @description What a line is for. */
                by?: components["schemas"]["UsageGroup"];
                /** @description Sessions that were asked for at this time, or later. */
                since?: string | null;
                /** @description Before this time. */
                until?: string | null;
                /** @description An admin's filter; others see their own anyway. */
                user?: string | null;
                /** @description `name` or `name:value`; all must match. */
                tag?: string[];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    listUsers: {
        parameters: {
            query?: {
                /** @description What names have in them. */
                q?: string;
                /** @description `next` of the page before. */
                after?: string;
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
                    "application/json": components["schemas"]["UserListResponse"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    listWebhooks: {
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
                    "application/json": components["schemas"]["WebhookListResponse"];
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
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
            /** @description `database_unavailable` */
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
    deleteWebhook: {
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
            /** @description `forbidden` */
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
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `database_unavailable` */
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
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `dead` for those that were given up. */
                state?: components["schemas"]["WebhookDeliveryState"] | null;
                /** @description A delivery's id. */
                after?: string | null;
                limit?: number;
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
                    "application/json": components["schemas"]["WebhookDeliveryListResponse"];
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
            /** @description `database_unavailable` */
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
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
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
            /** @description `database_unavailable` */
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
    rotateWebhookSecret: {
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
                    "application/json": components["schemas"]["Webhook"];
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
            /** @description `database_unavailable` */
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
    testWebhook: {
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
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
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
            /** @description `database_unavailable` */
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
            /** @description `database_unavailable` */
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
    mcp: {
        parameters: {
            query?: {
                /** @description A session by name; one of the caller's own without it. */
                session?: string;
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
            /** @description `forbidden` */
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
            /** @description `database_unavailable` */
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
            /** @description `database_unavailable` */
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
}
