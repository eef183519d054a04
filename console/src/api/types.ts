// Generated from the declarations of the API by `npm run console:types`; do not edit.
export interface paths {
    "/api/admin/principals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all principals of identity providers */
        get: operations["listPrincipals"];
        put?: never;
        /**
         * Create or update a principal of an identity provider
         * @description Subject type (`isUser`), subject id and issuer identify the principal. If it exists, its display name and roles are replaced; otherwise it is created.
         */
        post: operations["upsertPrincipal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/principals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a principal of an identity provider */
        get: operations["getPrincipal"];
        /**
         * Replace the display name, issuer and roles of a principal of an identity provider
         * @description Replaces all three; roles that are not listed are removed. Changes take effect with the next request of the principal, even with existing access tokens.
         */
        put: operations["updatePrincipal"];
        post?: never;
        /**
         * Delete a principal of an identity provider
         * @description Deletes its roles and sessions with it; its access tokens are refused from the next request on. A protected principal requires `force=true`. The account at the identity provider is not changed.
         */
        delete: operations["deletePrincipal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/local-principals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all local principals */
        get: operations["listLocalPrincipals"];
        put?: never;
        /**
         * Create a local principal
         * @description The service generates client id and secret. The answer is the only place where the secret is shown; it cannot be read again.
         */
        post: operations["createLocalPrincipal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/local-principals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a local principal */
        get: operations["getLocalPrincipal"];
        /**
         * Replace the description, expiry and roles of a local principal
         * @description Replaces all three; roles that are not listed are removed. Changes take effect with the next request of the principal, even with existing access tokens. The last active local administrator must keep admin.manage.
         */
        put: operations["updateLocalPrincipal"];
        post?: never;
        /**
         * Delete a local principal
         * @description Deletes its roles and sessions with it; its access tokens are refused from the next request on. A protected principal requires `force=true`. The last active local administrator cannot be deleted. To keep the principal, revoke it instead.
         */
        delete: operations["deleteLocalPrincipal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/local-principals/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Revoke or restore a local principal
         * @description The access tokens of a revoked principal are refused from the next request on; after it is restored, unexpired ones are valid again. Its sessions end for good. The last active local administrator cannot be revoked.
         */
        patch: operations["setLocalPrincipalRevoked"];
        trace?: never;
    };
    "/api/admin/local-principals/{id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the valid secrets of a local principal, newest first
         * @description Shows when each of them was created, ends and was last used. The secrets themselves cannot be read.
         */
        get: operations["listLocalPrincipalSecrets"];
        put?: never;
        /**
         * Create a new secret for a local principal
         * @description Replaces a secret without an interruption: the previous secrets stay valid for the given time, in which programs change over to the new one. The answer is the only place where the secret is shown. Access tokens that were issued before stay valid until they expire.
         */
        post: operations["createLocalPrincipalSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/local-principals/{id}/secrets/{secretId}": {
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
         * Delete a secret of a local principal
         * @description The secret is refused from the next request on, and the sessions that were opened with client id and secret end. Access tokens stay valid until they expire; revoke the principal to end them as well. If the remaining secrets were to end, the newest of them stays valid. The last secret cannot be deleted.
         */
        delete: operations["deleteLocalPrincipalSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all roles
         * @description No role includes another: a principal needs every role that its operations require.
         */
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/role-operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the operations that each role allows
         * @description Every operation of the API appears once, under the role that it requires. Operations without a role appear under `any valid token` or `no token`.
         */
        get: operations["listRoleOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get which sign-in methods are available
         * @description Lists the configured identity providers, and whether local principals can sign in with client id and secret.
         */
        get: operations["getAdminFeatures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description Lists the groups of all trees, including root groups, ordered by id.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group
         * @description The group becomes a child of `parentId`; `type` must be the tree of that parent. Answers 409 if the parent is a Reinstall, EOL or Restore group or already has a child with this name.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrolment-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the enrolment tokens
         * @description Includes expired, revoked and used-up tokens. The tokens themselves are not shown.
         */
        get: operations["listEnrolmentTokens"];
        put?: never;
        /**
         * Create an enrolment token
         * @description Agents exchange the token for a credential. A token that names a group also requires the role group.write. The answer is the only place that shows the token; the service stores its hash.
         */
        post: operations["createEnrolmentToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrolment-tokens/{id}": {
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
         * Revoke an enrolment token
         * @description Muster agents that have enrolled with it stay enrolled; agents of others that use it are shut out. Revoking a token again changes nothing.
         */
        delete: operations["revokeEnrolmentToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantined-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents in quarantine
         * @description Agents that claim to run on an existing computer and match it by less than its UUID, and agents of FusionInventory, GLPI and OCS that claim a computer with another agent. They get no settings, no work and no files, and nothing that they report is stored.
         */
        get: operations["listQuarantinedAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantined-agents/{id}/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm that an agent in quarantine runs on its computer
         * @description The agent becomes the agent of the computer with the credential that it has, and gets its work at its next contact. A previous agent of the computer is shut out, and others that claim it are rejected.
         */
        post: operations["confirmQuarantinedAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantined-agents/{id}": {
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
         * Reject an agent in quarantine
         * @description Its credential is refused from now on. The computer stays without an agent.
         */
        delete: operations["rejectQuarantinedAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the versions of the service, its database and its patch catalog
         * @description The properties of the patch catalog are null before the first import of patches.
         */
        get: operations["getSystem"];
        put?: never;
        post?: never;
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
         * List the entries of the audit trail, newest first
         * @description Every committed change by a principal has an entry, as have sign-ins, failed sign-ins, sign-outs, token requests, enrolments of agents and restores. Token requests and failed sign-ins that repeat within an hour are counted: the next entry has their number as `repeats`. Reads, dry runs, other refused requests and reports of agents have none.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blast-radius": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the hourly quotas for destructive actions
         * @description The quotas apply to each principal and are counted over all nodes.
         */
        get: operations["getBlastRadius"];
        /**
         * Change the hourly quotas for destructive actions
         * @description A destructive action that would exceed the quota of its caller answers 409 and waits for the approval of a second principal. 0 demands an approval for every destructive action. The quotas take effect with the next request.
         */
        put: operations["setBlastRadius"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether the hand-out of new work is stopped */
        get: operations["getFreeze"];
        /**
         * Stop or resume the hand-out of new work
         * @description While the installation is frozen, agents get no new work, do not start work that they have not started yet, and no computer boots from the network. It takes effect at the next contact of each agent, on every node. Work that has started continues and reports its result. Work can still be requested: it waits. A freeze needs a reason.
         */
        put: operations["setFreeze"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests that need an approval, newest first
         * @description Administrators (admin.manage) see all requests, other principals their own. Decided and expired requests are listed for about thirty days.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a request that needs an approval
         * @description Administrators (admin.manage) see all requests, other principals their own.
         */
        get: operations["getApproval"];
        put?: never;
        /**
         * Approve a request and carry it out
         * @description Carries the request out once, as the principal that made it and with the roles that it has now. The principal that made the request cannot approve it. If the request fails, for example because it would affect more computers than it shows, nothing is changed, `state` is `Failed` and `problemCode` says why.
         */
        post: operations["approveRequest"];
        /**
         * Deny or withdraw a request that needs an approval
         * @description Administrators (admin.manage) can deny every request, other principals can withdraw their own.
         */
        delete: operations["denyRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that this node can do its work
         * @description For load balancers and monitoring. Answers 503 if a check failed, and 200 otherwise, even with warnings. The checks run in the background, so the answer comes at once and costs the database nothing. If the node has several workers, the answer is that of the worker that got the request.
         */
        get: operations["getReadiness"];
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
        /** AdminFeatures */
        AdminFeatures: {
            /**
             * @description Whether at least one identity provider is configured
             * @example false
             */
            idpEnabled: boolean;
            /**
             * @description Whether local administrators can sign in to the console with client id and secret
             * @example true
             */
            localAdminEnabled: boolean;
            oidcLoginProviders: components["schemas"]["OidcLoginProvider"][];
        };
        /** Approval */
        Approval: {
            /**
             * Format: uuid
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            approvalId: string;
            state: components["schemas"]["ApprovalState"];
            /**
             * Format: int32
             * @description Id of the principal that made the request
             * @example 17
             */
            requesterId: number;
            /**
             * @description Its name at that time
             * @example client-5b1f0e2a9c
             */
            requesterName: string;
            /**
             * @description The operationId of the request
             * @example deleteGroup
             */
            operation: string;
            /**
             * @description The path of the request
             * @example /api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            target: string;
            /**
             * @description The path of that group or the name of that computer; null once it is deleted
             * @example Configuration/Europe/Tills
             */
            targetName: string | null;
            /**
             * @description Query and body of the request. Secrets are redacted.
             * @example {
             *       "query": {
             *         "force": true
             *       }
             *     }
             */
            request: {
                [key: string]: unknown;
            };
            /**
             * Format: int32
             * @description How many computers the request affects
             * @example 1200
             */
            computerCount: number;
            /**
             * Format: date-time
             * @description When the request was made
             * @example 2026-03-14T09:26:53.000Z
             */
            requestedAtUtc: string;
            /**
             * Format: date-time
             * @description Until when it can be approved
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string;
            /**
             * Format: date-time
             * @description When it was approved or denied
             * @example 2026-03-14T09:26:53.000Z
             */
            decidedAtUtc: string | null;
            /**
             * @description Name of the principal that approved or denied it
             * @example client-77c0d2e41a
             */
            decidedBy: string | null;
            /**
             * Format: int32
             * @description HTTP status with which the approved request was answered
             * @example 204
             */
            answerStatus: number | null;
            /**
             * @description Why the approved request failed; null if it succeeded
             * @example GroupNotFound
             */
            problemCode: string | null;
        };
        /**
         * ApprovalState
         * @enum {string}
         */
        ApprovalState: "Pending" | "Expired" | "Executed" | "Failed" | "Denied";
        /** AuditEntry */
        AuditEntry: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            occurredAtUtc: string;
            /**
             * Format: int32
             * @description Null if no principal acted, as when an agent enrols
             * @example 17
             */
            principalId: number | null;
            /**
             * @description Describes who it was if there is no principal, as for an agent, or a failed sign-in of an unknown client
             * @example client-5b1f0e2a9c
             */
            principalName: string;
            /**
             * @description The operationId
             * @example updateLocalPrincipal
             */
            operation: string;
            /**
             * @description Path of the resource that was changed or created
             * @example /api/admin/local-principals/17
             */
            target: string;
            /** @description The names of objects whose ids occur in the path or the body, that of the path first. Names that neither the roles of the caller nor the audit trail reveal are left out. */
            names: components["schemas"]["NamedObject"][];
            /**
             * @description Query and body of the request; secrets are redacted. `callerRequestId` is what the caller sent as X-Request-Id.
             * @example {
             *       "body": {
             *         "isRevoked": true
             *       }
             *     }
             */
            request: {
                [key: string]: unknown;
            };
            /**
             * Format: int32
             * @description HTTP status of the answer
             * @example 200
             */
            status: number;
            /**
             * @description The id that the service gave to the request
             * @example 0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10
             */
            requestId: string;
            /**
             * @description Hash of this entry and of the hash of the previous entry in its chain, and so of all earlier entries
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
        };
        /** BlastRadius */
        BlastRadius: {
            /**
             * Format: int32
             * @description How many computers a principal with an access token may affect by destructive actions within an hour without an approval; null: any number
             * @example null
             */
            apiQuota: number | null;
            /**
             * Format: int32
             * @description How many computers a principal that is signed in to the console may affect by destructive actions within an hour without an approval; null: any number
             * @example 500
             */
            consoleQuota: number | null;
        };
        /** CreateGroupRequest */
        CreateGroupRequest: {
            /**
             * @description Must not be blank or contain / or \. Unique among the children of a parent, regardless of case
             * @example Workstations
             */
            name: string;
            type: components["schemas"]["GroupType"];
            /**
             * Format: uuid
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            parentId: string;
            /** @example Desks on the second floor */
            description?: string | null;
        };
        /** CreateLocalPrincipalRequest */
        CreateLocalPrincipalRequest: {
            /** @example Nightly inventory report */
            description: string | null;
            /**
             * @example [
             *       "computer.read",
             *       "group.read"
             *     ]
             */
            roles: components["schemas"]["Role"][];
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string | null;
        };
        /** CreateLocalPrincipalResponse */
        CreateLocalPrincipalResponse: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * @description Client id for token requests
             * @example client-5b1f0e2a9c
             */
            clientId: string;
            /** @example Nightly inventory report */
            description: string | null;
            /**
             * @example [
             *       "computer.read",
             *       "group.read"
             *     ]
             */
            roles: string[];
            /** @example false */
            isRevoked: boolean;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string | null;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            createdAtUtc: string;
            /**
             * @description Whether the principal can only be deleted with force=true
             * @example false
             */
            protected: boolean;
            /**
             * Format: date-time
             * @description When the principal last made a request, to within five minutes. Not part of the original contract.
             * @example 2026-03-14T09:26:53.000Z
             */
            lastUsedUtc: string | null;
            /**
             * @description The client secret. It is shown only in this answer and cannot be read again.
             * @example the-secret-is-shown-here-once
             */
            plaintextKey: string;
        };
        /** CreateSecretRequest */
        CreateSecretRequest: {
            /**
             * @description For how many hours the previous secrets stay valid. With 0, they end at once, and so do the sessions of the principal that were opened with client id and secret.
             * @example 24
             */
            previousValidHours: number;
        };
        /** CreatedEnrolmentToken */
        CreatedEnrolmentToken: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * @description What the token is for
             * @example Tills of the northern branches
             */
            description: string | null;
            /**
             * Format: uuid
             * @description Group that computers join when they enrol with the token
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            groupId: string | null;
            /**
             * @description Names of that group and of its ancestors; null without a group or without the role group.read
             * @example Configuration/Branches/North
             */
            groupPath: string | null;
            /**
             * Format: int32
             * @description How many computers may enrol with the token; null for any number
             * @example 250
             */
            maxUses: number | null;
            /**
             * Format: int32
             * @description How many computers have enrolled with the token
             * @example 3
             */
            uses: number;
            /**
             * Format: date-time
             * @description When the token was created
             * @example 2026-03-14T09:26:53.000Z
             */
            createdAtUtc: string;
            /**
             * Format: date-time
             * @description When the token expires
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string;
            /**
             * Format: date-time
             * @description When the token was revoked; null when it was not
             * @example 2026-03-14T09:26:53.000Z
             */
            revokedAtUtc: string | null;
            /**
             * @description What agents enrol with. It is shown only once.
             * @example enrol-the-token-is-shown-here-once
             */
            token: string;
        };
        /** CreatedPrincipalSecret */
        CreatedPrincipalSecret: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            createdAtUtc: string;
            /**
             * @description Client id of the principal
             * @example client-5b1f0e2a9c
             */
            clientId: string;
            /**
             * @description The client secret. It is shown only in this answer and cannot be read again.
             * @example the-secret-is-shown-here-once
             */
            plaintextKey: string;
        };
        /** EnrolmentToken */
        EnrolmentToken: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * @description What the token is for
             * @example Tills of the northern branches
             */
            description: string | null;
            /**
             * Format: uuid
             * @description Group that computers join when they enrol with the token
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            groupId: string | null;
            /**
             * @description Names of that group and of its ancestors; null without a group or without the role group.read
             * @example Configuration/Branches/North
             */
            groupPath: string | null;
            /**
             * Format: int32
             * @description How many computers may enrol with the token; null for any number
             * @example 250
             */
            maxUses: number | null;
            /**
             * Format: int32
             * @description How many computers have enrolled with the token
             * @example 3
             */
            uses: number;
            /**
             * Format: date-time
             * @description When the token was created
             * @example 2026-03-14T09:26:53.000Z
             */
            createdAtUtc: string;
            /**
             * Format: date-time
             * @description When the token expires
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string;
            /**
             * Format: date-time
             * @description When the token was revoked; null when it was not
             * @example 2026-03-14T09:26:53.000Z
             */
            revokedAtUtc: string | null;
        };
        /** EnrolmentTokenRequest */
        EnrolmentTokenRequest: {
            /**
             * @description What the token is for
             * @example Tills of the northern branches
             */
            description?: string | null;
            /**
             * Format: uuid
             * @description Group that computers join when they enrol with the token
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            groupId?: string | null;
            /**
             * Format: int32
             * @description How many computers may enrol with the token; null for any number
             * @example 250
             */
            maxUses?: number | null;
            /**
             * Format: date-time
             * @description When the token expires
             * @example 2099-12-31T00:00:00.000Z
             */
            expiresAtUtc: string;
        };
        /** Freeze */
        Freeze: {
            /**
             * @description Whether the hand-out of new work is stopped
             * @example true
             */
            frozen: boolean;
            /**
             * @description Why no work is handed out
             * @example Wrong package on the tills
             */
            reason: string | null;
            /**
             * Format: date-time
             * @description Since when
             * @example 2026-03-14T09:26:53.000Z
             */
            frozenAtUtc: string | null;
            /**
             * @description Name of the principal that stopped it
             * @example client-5b1f0e2a9c
             */
            frozenBy: string | null;
        };
        /** FreezeRequest */
        FreezeRequest: {
            /**
             * @description True stops the hand-out of new work, false resumes it
             * @example true
             */
            frozen: boolean;
            /**
             * @description Why no work is handed out
             * @example Wrong package on the tills
             */
            reason?: string | null;
        };
        /** Group */
        Group: {
            /**
             * Format: uuid
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            id: string;
            /** @example Workstations */
            name: string;
            /** @example ConfigurationGroups */
            assignedToTree: string;
            /**
             * Format: uuid
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            parentId: string | null;
            /** @example Desks on the second floor */
            description: string | null;
        };
        /**
         * GroupType
         * @enum {string}
         */
        GroupType: "ConfigurationGroups" | "AssignmentGroups";
        /**
         * GroupTypeFilter
         * @enum {string}
         */
        GroupTypeFilter: "ConfigurationGroups" | "AssignmentGroups" | "Configuration" | "Assignment";
        /** HealthCheckResult */
        HealthCheckResult: {
            /** @example disk */
            name: string;
            /** @enum {string} */
            status: "passed" | "warning" | "failed";
            /**
             * @description What is wrong, for programs; null if the check passes
             * @example DiskLow
             */
            code: string | null;
            /**
             * @description The same as a sentence for people
             * @example A disk of the service has little room left.
             */
            detail: string | null;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            sinceUtc: string;
        };
        /** LocalPrincipalDto */
        LocalPrincipalDto: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * @description Client id for token requests
             * @example client-5b1f0e2a9c
             */
            clientId: string;
            /** @example Nightly inventory report */
            description: string | null;
            /**
             * @example [
             *       "computer.read",
             *       "group.read"
             *     ]
             */
            roles: string[];
            /** @example false */
            isRevoked: boolean;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string | null;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            createdAtUtc: string;
            /**
             * @description Whether the principal can only be deleted with force=true
             * @example false
             */
            protected: boolean;
            /**
             * Format: date-time
             * @description When the principal last made a request, to within five minutes. Not part of the original contract.
             * @example 2026-03-14T09:26:53.000Z
             */
            lastUsedUtc: string | null;
        };
        /** NamedObject */
        NamedObject: {
            /**
             * @description What it is: Computer, Group, Package, PmGroup, Tag, LocalPrincipal, Principal, EnrolmentToken
             * @example Computer
             */
            kind: string;
            /**
             * @description The id in the path or in the body
             * @example 17
             */
            id: string;
            /**
             * @description The current name or, of a deleted object, the last one that the audit trail contains
             * @example pc-0017
             */
            name: string;
        };
        /** OidcLoginProvider */
        OidcLoginProvider: {
            /** @example corporate */
            name: string;
            /** @example Corporate login */
            displayName: string;
        };
        /** PagedResultOfApproval */
        PagedResultOfApproval: {
            items: components["schemas"]["Approval"][];
            /**
             * Format: int32
             * @description Number of items before this page
             * @example 0
             */
            skip: number;
            /**
             * Format: int32
             * @description Page size that was applied
             * @example 50
             */
            top: number;
            /**
             * Format: int32
             * @description Number of items on all pages
             * @example 1
             */
            totalCount: number;
            /**
             * @description Whether more pages follow
             * @example false
             */
            hasMore: boolean;
        };
        /** PagedResultOfAuditEntry */
        PagedResultOfAuditEntry: {
            items: components["schemas"]["AuditEntry"][];
            /**
             * Format: int32
             * @description Number of items before this page
             * @example 0
             */
            skip: number;
            /**
             * Format: int32
             * @description Page size that was applied
             * @example 50
             */
            top: number;
            /**
             * Format: int32
             * @description Number of items on all pages
             * @example 1
             */
            totalCount: number;
            /**
             * @description Whether more pages follow
             * @example false
             */
            hasMore: boolean;
        };
        /** PagedResultOfEnrolmentToken */
        PagedResultOfEnrolmentToken: {
            items: components["schemas"]["EnrolmentToken"][];
            /**
             * Format: int32
             * @description Number of items before this page
             * @example 0
             */
            skip: number;
            /**
             * Format: int32
             * @description Page size that was applied
             * @example 50
             */
            top: number;
            /**
             * Format: int32
             * @description Number of items on all pages
             * @example 1
             */
            totalCount: number;
            /**
             * @description Whether more pages follow
             * @example false
             */
            hasMore: boolean;
        };
        /** PagedResultOfGroup */
        PagedResultOfGroup: {
            items: components["schemas"]["Group"][];
            /**
             * Format: int32
             * @description Number of items before this page
             * @example 0
             */
            skip: number;
            /**
             * Format: int32
             * @description Page size that was applied
             * @example 50
             */
            top: number;
            /**
             * Format: int32
             * @description Number of items on all pages
             * @example 1
             */
            totalCount: number;
            /**
             * @description Whether more pages follow
             * @example false
             */
            hasMore: boolean;
        };
        /** PagedResultOfQuarantinedAgent */
        PagedResultOfQuarantinedAgent: {
            items: components["schemas"]["QuarantinedAgent"][];
            /**
             * Format: int32
             * @description Number of items before this page
             * @example 0
             */
            skip: number;
            /**
             * Format: int32
             * @description Page size that was applied
             * @example 50
             */
            top: number;
            /**
             * Format: int32
             * @description Number of items on all pages
             * @example 1
             */
            totalCount: number;
            /**
             * @description Whether more pages follow
             * @example false
             */
            hasMore: boolean;
        };
        /**
         * PatchCatalogMetadata
         * @description All null as long as there is no patch catalog.
         */
        PatchCatalogMetadata: {
            /** @example 2026.03.11 */
            version: string | null;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            releasedUtc: string | null;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            importedUtc: string | null;
            /**
             * Format: int32
             * @example 42
             */
            patchCount: number | null;
        };
        /** PrincipalDto */
        PrincipalDto: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /** @enum {string} */
            subjectType: "client" | "user";
            /**
             * @description Subject id at the identity provider
             * @example 3f0c9a52
             */
            subjectId: string;
            /** @example Ada Lovelace */
            displayName: string | null;
            /**
             * @description Issuer of the identity provider, exactly as in its tokens
             * @example https://login.example.org/
             */
            issuer: string | null;
            /**
             * @example [
             *       "computer.read",
             *       "group.read"
             *     ]
             */
            roles: string[];
            /**
             * @description Whether the principal can only be deleted with force=true
             * @example false
             */
            protected: boolean;
            /**
             * Format: date-time
             * @description When the principal last made a request, to within five minutes. Not part of the original contract.
             * @example 2026-03-14T09:26:53.000Z
             */
            lastUsedUtc: string | null;
        };
        /** PrincipalSecret */
        PrincipalSecret: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            createdAtUtc: string;
            /**
             * Format: date-time
             * @description Null if the secret is valid as long as the principal is
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string | null;
            /**
             * Format: date-time
             * @description When a token was last requested with the secret, or a session opened, to within five minutes
             * @example 2026-03-14T09:26:53.000Z
             */
            lastUsedUtc: string | null;
        };
        /**
         * ProblemDetails
         * @description Problem details (RFC 9457), extended by further properties such as ids of the resources concerned.
         */
        ProblemDetails: {
            /**
             * @description Identifies the type of problem
             * @example urn:muster:problem:PrincipalNotFound
             */
            type: string;
            /**
             * @description Reason phrase of the status
             * @example Not Found
             */
            title: string;
            /** @example 404 */
            status: number;
            /**
             * @description What is wrong with this request
             * @example No principal of this kind has this id.
             */
            detail: string;
            /**
             * @description URL of the request
             * @example /api/admin/principals/17
             */
            instance: string;
            /**
             * @description Identifies the problem for programs; never changes
             * @example PrincipalNotFound
             */
            code: string;
            /**
             * @description For people; the same for every problem with this code
             * @example No principal of this kind has this id.
             */
            message: string;
            /**
             * @description Identifies the request in the log of the service
             * @example 0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10
             */
            requestId: string;
            errors?: {
                /**
                 * @description Part of the request: path, query, header or body
                 * @example body
                 */
                in: string;
                /**
                 * @description Name of the property or parameter
                 * @example colour
                 */
                name: string;
                /**
                 * @description What is wrong with it
                 * @example is an unknown property
                 */
                reason: string;
            }[];
        };
        /** QuarantinedAgent */
        QuarantinedAgent: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * Format: int32
             * @description Id of the computer that the agent claims to run on
             * @example 17
             */
            clientId: number;
            /**
             * @description Name of that computer
             * @example till-7
             */
            hostname: string;
            /**
             * @description Whether that computer has an agent, which the confirmation would shut out
             * @example false
             */
            hasAgent: boolean;
            /**
             * @description What the computer and the agent have in common. Name stands for name and domain.
             * @example [
             *       "Name"
             *     ]
             */
            matchedBy: ("Uuid" | "SerialNumber" | "MacAddress" | "Name")[];
            /**
             * @description Name that the agent reported
             * @example till-7
             */
            reportedName: string;
            /**
             * @description Domain that the agent reported
             * @example corp.example.org
             */
            reportedDomain: string;
            /**
             * Format: uuid
             * @description UUID that the agent reported
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            reportedUuid: string | null;
            /**
             * @description MAC address that the agent reported
             * @example 02:00:5E:00:53:17
             */
            reportedMacAddress: string | null;
            /**
             * @description Serial number that the agent reported
             * @example PF-3K9Q2
             */
            reportedSerialNumber: string | null;
            /**
             * @description Which program the agent is
             * @enum {string}
             */
            agentKind: "Muster" | "FusionInventory" | "GLPI" | "OCS";
            /**
             * @description Version of the agent
             * @example 0.1.0
             */
            agentVersion: string;
            /**
             * @description Platform of the agent
             * @example Linux
             */
            platform: string;
            /**
             * Format: int32
             * @description The token that the agent used
             * @example 17
             */
            enrolmentTokenId: number | null;
            /**
             * @description IP address from which the agent enrolled
             * @example 192.0.2.17
             */
            address: string | null;
            /**
             * Format: date-time
             * @description When the agent enrolled
             * @example 2026-03-14T09:26:53.000Z
             */
            enrolledAtUtc: string;
        };
        /** Readiness */
        Readiness: {
            /**
             * @description degraded: a check has a warning, and requests are answered. unavailable: a check failed.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            checks: components["schemas"]["HealthCheckResult"][];
        };
        /**
         * Role
         * @enum {string}
         */
        Role: "computer.read" | "computer.write" | "group.read" | "group.write" | "package.read" | "package.write" | "activation.execute" | "reinstall.execute" | "scan.execute" | "reboot.execute" | "pm.read" | "pm.write" | "pm.approve" | "pm.execute" | "admin.manage";
        /** RoleDto */
        RoleDto: {
            /** @example computer.read */
            role: string;
            /** @example Read computers and their inventory. */
            description: string;
        };
        /** RoleOperation */
        RoleOperation: {
            /** @example getComputer */
            operationId: string;
            /** @enum {string} */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @example /api/computer/{id} */
            path: string;
            /** @example Get a computer */
            summary: string;
        };
        /** RoleOperations */
        RoleOperations: {
            /**
             * @description A role, 'any valid token' or 'no token'
             * @example computer.read
             */
            role: string;
            /** @example Read computers and their inventory. */
            description: string;
            operations: components["schemas"]["RoleOperation"][];
        };
        /** SetRevokedRequest */
        SetRevokedRequest: {
            /** @example true */
            isRevoked: boolean;
        };
        /** System */
        System: {
            /** @example 0.1.0 */
            serviceVersion: string;
            /** @example PostgreSQL 18.4 */
            databaseVersion: string;
            /**
             * @description The newest migration of the database
             * @example 0013_depots
             */
            databaseMigration: string;
            patchCatalog: components["schemas"]["PatchCatalogMetadata"];
        };
        /** UpdateLocalPrincipalRequest */
        UpdateLocalPrincipalRequest: {
            /** @example Nightly inventory report */
            description: string | null;
            /**
             * @example [
             *       "computer.read",
             *       "group.read"
             *     ]
             */
            roles: components["schemas"]["Role"][];
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string | null;
        };
        /** UpdatePrincipalRequest */
        UpdatePrincipalRequest: {
            /** @example Ada Lovelace */
            displayName: string | null;
            /**
             * @description Issuer of the identity provider, exactly as in its tokens
             * @example https://login.example.org/
             */
            issuer: string | null;
            /**
             * @example [
             *       "computer.read",
             *       "group.read"
             *     ]
             */
            roles: components["schemas"]["Role"][];
        };
        /** UpsertPrincipalRequest */
        UpsertPrincipalRequest: {
            /** @example true */
            isUser: boolean;
            /** @example 3f0c9a52 */
            subjectId: string;
            /** @example Ada Lovelace */
            displayName: string | null;
            /**
             * @description Issuer of the identity provider, exactly as in its tokens
             * @example https://login.example.org/
             */
            issuer: string | null;
            /**
             * @example [
             *       "computer.read",
             *       "group.read"
             *     ]
             */
            roles: components["schemas"]["Role"][];
        };
    };
    responses: never;
    parameters: {
        /** @description Version of the API. */
        ApiVersion: "1" | "1.0";
        /** @description Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing. */
        IdempotencyKey: string;
        /** @description Make the change only if the resource has this ETag. */
        IfMatch: string;
        /** @description Answer 304 without a body if the resource has this ETag. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description The URL of the next page, with a cursor. Missing on the last page. */
        Link: string;
        /** @description Version of the resource, for If-Match and If-None-Match. */
        ETag: string;
        /** @description Number of seconds to wait before the next request. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPrincipals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 17,
                     *         "subjectType": "client",
                     *         "subjectId": "3f0c9a52",
                     *         "displayName": "Ada Lovelace",
                     *         "issuer": "https://login.example.org/",
                     *         "roles": [
                     *           "computer.read",
                     *           "group.read"
                     *         ],
                     *         "protected": false,
                     *         "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PrincipalDto"][];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    upsertPrincipal: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isUser": true,
                 *       "subjectId": "3f0c9a52",
                 *       "displayName": "Ada Lovelace",
                 *       "issuer": "https://login.example.org/",
                 *       "roles": [
                 *         "computer.read",
                 *         "group.read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpsertPrincipalRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "subjectType": "client",
                     *       "subjectId": "3f0c9a52",
                     *       "displayName": "Ada Lovelace",
                     *       "issuer": "https://login.example.org/",
                     *       "roles": [
                     *         "computer.read",
                     *         "group.read"
                     *       ],
                     *       "protected": false,
                     *       "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used for a different request. Use a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getPrincipal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "subjectType": "client",
                     *       "subjectId": "3f0c9a52",
                     *       "displayName": "Ada Lovelace",
                     *       "issuer": "https://login.example.org/",
                     *       "roles": [
                     *         "computer.read",
                     *         "group.read"
                     *       ],
                     *       "protected": false,
                     *       "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    updatePrincipal: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Ada Lovelace",
                 *       "issuer": "https://login.example.org/",
                 *       "roles": [
                 *         "computer.read",
                 *         "group.read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdatePrincipalRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "subjectType": "client",
                     *       "subjectId": "3f0c9a52",
                     *       "displayName": "Ada Lovelace",
                     *       "issuer": "https://login.example.org/",
                     *       "roles": [
                     *         "computer.read",
                     *         "group.read"
                     *       ],
                     *       "protected": false,
                     *       "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `DuplicatePrincipal`: Another principal has this subject type, subject id and issuer. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    deletePrincipal: {
        parameters: {
            query?: {
                /** @description Must be true to delete a protected principal. */
                force?: boolean;
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Protected`: The principal is protected. Repeat the request with force=true to delete it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listLocalPrincipals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 17,
                     *         "clientId": "client-5b1f0e2a9c",
                     *         "description": "Nightly inventory report",
                     *         "roles": [
                     *           "computer.read",
                     *           "group.read"
                     *         ],
                     *         "isRevoked": false,
                     *         "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *         "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *         "protected": false,
                     *         "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LocalPrincipalDto"][];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    createLocalPrincipal: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Nightly inventory report",
                 *       "roles": [
                 *         "computer.read",
                 *         "group.read"
                 *       ],
                 *       "expiresAtUtc": "2026-03-14T09:26:53.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["CreateLocalPrincipalRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "clientId": "client-5b1f0e2a9c",
                     *       "description": "Nightly inventory report",
                     *       "roles": [
                     *         "computer.read",
                     *         "group.read"
                     *       ],
                     *       "isRevoked": false,
                     *       "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "protected": false,
                     *       "lastUsedUtc": "2026-03-14T09:26:53.000Z",
                     *       "plaintextKey": "the-secret-is-shown-here-once"
                     *     }
                     */
                    "application/json": components["schemas"]["CreateLocalPrincipalResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used for a different request. Use a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getLocalPrincipal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "clientId": "client-5b1f0e2a9c",
                     *       "description": "Nightly inventory report",
                     *       "roles": [
                     *         "computer.read",
                     *         "group.read"
                     *       ],
                     *       "isRevoked": false,
                     *       "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "protected": false,
                     *       "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LocalPrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    updateLocalPrincipal: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Nightly inventory report",
                 *       "roles": [
                 *         "computer.read",
                 *         "group.read"
                 *       ],
                 *       "expiresAtUtc": "2026-03-14T09:26:53.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateLocalPrincipalRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "clientId": "client-5b1f0e2a9c",
                     *       "description": "Nightly inventory report",
                     *       "roles": [
                     *         "computer.read",
                     *         "group.read"
                     *       ],
                     *       "isRevoked": false,
                     *       "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "protected": false,
                     *       "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LocalPrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `LastAdministrator`: Nobody would be left who can manage principals. Assign the role admin.manage to another local principal first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    deleteLocalPrincipal: {
        parameters: {
            query?: {
                /** @description Must be true to delete a protected principal. */
                force?: boolean;
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `Protected`: The principal is protected. Repeat the request with force=true to delete it.
             *
             *     `LastAdministrator`: Nobody would be left who can manage principals. Assign the role admin.manage to another local principal first.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    setLocalPrincipalRevoked: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isRevoked": true
                 *     }
                 */
                "application/json": components["schemas"]["SetRevokedRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "clientId": "client-5b1f0e2a9c",
                     *       "description": "Nightly inventory report",
                     *       "roles": [
                     *         "computer.read",
                     *         "group.read"
                     *       ],
                     *       "isRevoked": false,
                     *       "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "protected": false,
                     *       "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LocalPrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `LastAdministrator`: Nobody would be left who can manage principals. Assign the role admin.manage to another local principal first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listLocalPrincipalSecrets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 17,
                     *         "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *         "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *         "lastUsedUtc": "2026-03-14T09:26:53.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PrincipalSecret"][];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    createLocalPrincipalSecret: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "previousValidHours": 24
                 *     }
                 */
                "application/json": components["schemas"]["CreateSecretRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "clientId": "client-5b1f0e2a9c",
                     *       "plaintextKey": "the-secret-is-shown-here-once"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedPrincipalSecret"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PrincipalNotFound`: No principal of this kind has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `TooManySecrets`: The principal has too many secrets that are still valid. Delete one of them first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used for a different request. Use a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    deleteLocalPrincipalSecret: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                id: number;
                secretId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `PrincipalNotFound`: No principal of this kind has this id.
             *
             *     `SecretNotFound`: The principal has no secret with this id.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `LastSecret`: The principal would have no secret left. Create another one first, or revoke the principal. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "computer.read",
                     *         "description": "Read computers and their inventory."
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RoleDto"][];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listRoleOperations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "computer.read",
                     *         "description": "Read computers and their inventory.",
                     *         "operations": [
                     *           {
                     *             "operationId": "getComputer",
                     *             "method": "GET",
                     *             "path": "/api/computer/{id}",
                     *             "summary": "Get a computer"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RoleOperations"][];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getAdminFeatures: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "idpEnabled": false,
                     *       "localAdminEnabled": true,
                     *       "oidcLoginProviders": [
                     *         {
                     *           "name": "corporate",
                     *           "displayName": "Corporate login"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminFeatures"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Number of items to skip. */
                skip?: number;
                /** @description Page size, at most 1000. Higher values are lowered to that; the answer contains the size that was applied. */
                top?: number;
                /** @description Continues after the last item of a page, instead of `skip`. The `Link` header of that page contains it. */
                cursor?: string;
                type?: components["schemas"]["GroupTypeFilter"];
                /** @description Only groups whose name contains this text, regardless of case */
                nameContains?: string;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *           "name": "Workstations",
                     *           "assignedToTree": "ConfigurationGroups",
                     *           "parentId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *           "description": "Desks on the second floor"
                     *         }
                     *       ],
                     *       "skip": 0,
                     *       "top": 50,
                     *       "totalCount": 1,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["PagedResultOfGroup"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Workstations",
                 *       "type": "ConfigurationGroups",
                 *       "parentId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                 *       "description": "Desks on the second floor"
                 *     }
                 */
                "application/json": components["schemas"]["CreateGroupRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "name": "Workstations",
                     *       "assignedToTree": "ConfigurationGroups",
                     *       "parentId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "description": "Desks on the second floor"
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `ParentNotFound`: No group has the id given as parentId. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `ParentSpecialGroup`: The parent is a Reinstall, EOL or Restore group, which cannot have child groups.
             *
             *     `DuplicateName`: The parent already has a child group with this name.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used for a different request. Use a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listEnrolmentTokens: {
        parameters: {
            query?: {
                /** @description Number of items to skip. */
                skip?: number;
                /** @description Page size, at most 1000. Higher values are lowered to that; the answer contains the size that was applied. */
                top?: number;
                /** @description Continues after the last item of a page, instead of `skip`. The `Link` header of that page contains it. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 17,
                     *           "description": "Tills of the northern branches",
                     *           "groupId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *           "groupPath": "Configuration/Branches/North",
                     *           "maxUses": 250,
                     *           "uses": 3,
                     *           "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *           "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *           "revokedAtUtc": "2026-03-14T09:26:53.000Z"
                     *         }
                     *       ],
                     *       "skip": 0,
                     *       "top": 50,
                     *       "totalCount": 1,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["PagedResultOfEnrolmentToken"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    createEnrolmentToken: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Tills of the northern branches",
                 *       "groupId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                 *       "maxUses": 250,
                 *       "expiresAtUtc": "2099-12-31T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["EnrolmentTokenRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "description": "Tills of the northern branches",
                     *       "groupId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "groupPath": "Configuration/Branches/North",
                     *       "maxUses": 250,
                     *       "uses": 3,
                     *       "createdAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "revokedAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "token": "enrol-the-token-is-shown-here-once"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedEnrolmentToken"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `GroupNotFound`: No group has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `SpecialGroup`: The group is a Reinstall, EOL or Restore group.
             *
             *     `NotEditableTree`: The groups of this tree cannot be changed over the API.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used for a different request. Use a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    revokeEnrolmentToken: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `EnrolmentTokenNotFound`: No enrolment token has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listQuarantinedAgents: {
        parameters: {
            query?: {
                /** @description Number of items to skip. */
                skip?: number;
                /** @description Page size, at most 1000. Higher values are lowered to that; the answer contains the size that was applied. */
                top?: number;
                /** @description Continues after the last item of a page, instead of `skip`. The `Link` header of that page contains it. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 17,
                     *           "clientId": 17,
                     *           "hostname": "till-7",
                     *           "hasAgent": false,
                     *           "matchedBy": [
                     *             "Name"
                     *           ],
                     *           "reportedName": "till-7",
                     *           "reportedDomain": "corp.example.org",
                     *           "reportedUuid": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *           "reportedMacAddress": "02:00:5E:00:53:17",
                     *           "reportedSerialNumber": "PF-3K9Q2",
                     *           "agentKind": "Muster",
                     *           "agentVersion": "0.1.0",
                     *           "platform": "Linux",
                     *           "enrolmentTokenId": 17,
                     *           "address": "192.0.2.17",
                     *           "enrolledAtUtc": "2026-03-14T09:26:53.000Z"
                     *         }
                     *       ],
                     *       "skip": 0,
                     *       "top": 50,
                     *       "totalCount": 1,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["PagedResultOfQuarantinedAgent"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    confirmQuarantinedAgent: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `QuarantinedAgentNotFound`: No agent in quarantine has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used for a different request. Use a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    rejectQuarantinedAgent: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `QuarantinedAgentNotFound`: No agent in quarantine has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "serviceVersion": "0.1.0",
                     *       "databaseVersion": "PostgreSQL 18.4",
                     *       "databaseMigration": "0013_depots",
                     *       "patchCatalog": {
                     *         "version": "2026.03.11",
                     *         "releasedUtc": "2026-03-14T09:26:53.000Z",
                     *         "importedUtc": "2026-03-14T09:26:53.000Z",
                     *         "patchCount": 42
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["System"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Number of items to skip. */
                skip?: number;
                /** @description Page size, at most 1000. Higher values are lowered to that; the answer contains the size that was applied. */
                top?: number;
                /** @description Continues after the last item of a page, instead of `skip`. The `Link` header of that page contains it. */
                cursor?: string;
                principalId?: number;
                /** @description Only entries of this operationId */
                operation?: string;
                /** @description Only entries of this resource and of resources below its path */
                target?: string;
                after?: string;
                before?: string;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 17,
                     *           "occurredAtUtc": "2026-03-14T09:26:53.000Z",
                     *           "principalId": 17,
                     *           "principalName": "client-5b1f0e2a9c",
                     *           "operation": "updateLocalPrincipal",
                     *           "target": "/api/admin/local-principals/17",
                     *           "names": [
                     *             {
                     *               "kind": "Computer",
                     *               "id": "17",
                     *               "name": "pc-0017"
                     *             }
                     *           ],
                     *           "request": {
                     *             "body": {
                     *               "isRevoked": true
                     *             }
                     *           },
                     *           "status": 200,
                     *           "requestId": "0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10",
                     *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ],
                     *       "skip": 0,
                     *       "top": 50,
                     *       "totalCount": 1,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["PagedResultOfAuditEntry"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getBlastRadius: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Answer 304 without a body if the resource has this ETag. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiQuota": null,
                     *       "consoleQuota": 500
                     *     }
                     */
                    "application/json": components["schemas"]["BlastRadius"];
                };
            };
            /** @description The resource still has the ETag that If-None-Match names. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    setBlastRadius: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiQuota": null,
                 *       "consoleQuota": 500
                 *     }
                 */
                "application/json": components["schemas"]["BlastRadius"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiQuota": null,
                     *       "consoleQuota": 500
                     *     }
                     */
                    "application/json": components["schemas"]["BlastRadius"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getFreeze: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Answer 304 without a body if the resource has this ETag. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "frozen": true,
                     *       "reason": "Wrong package on the tills",
                     *       "frozenAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "frozenBy": "client-5b1f0e2a9c"
                     *     }
                     */
                    "application/json": components["schemas"]["Freeze"];
                };
            };
            /** @description The resource still has the ETag that If-None-Match names. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    setFreeze: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "frozen": true,
                 *       "reason": "Wrong package on the tills"
                 *     }
                 */
                "application/json": components["schemas"]["FreezeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "frozen": true,
                     *       "reason": "Wrong package on the tills",
                     *       "frozenAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "frozenBy": "client-5b1f0e2a9c"
                     *     }
                     */
                    "application/json": components["schemas"]["Freeze"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Number of items to skip. */
                skip?: number;
                /** @description Page size, at most 1000. Higher values are lowered to that; the answer contains the size that was applied. */
                top?: number;
                /** @description Continues after the last item of a page, instead of `skip`. The `Link` header of that page contains it. */
                cursor?: string;
                state?: components["schemas"]["ApprovalState"];
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "approvalId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *           "state": "Pending",
                     *           "requesterId": 17,
                     *           "requesterName": "client-5b1f0e2a9c",
                     *           "operation": "deleteGroup",
                     *           "target": "/api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *           "targetName": "Configuration/Europe/Tills",
                     *           "request": {
                     *             "query": {
                     *               "force": true
                     *             }
                     *           },
                     *           "computerCount": 1200,
                     *           "requestedAtUtc": "2026-03-14T09:26:53.000Z",
                     *           "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *           "decidedAtUtc": "2026-03-14T09:26:53.000Z",
                     *           "decidedBy": "client-77c0d2e41a",
                     *           "answerStatus": 204,
                     *           "problemCode": "GroupNotFound"
                     *         }
                     *       ],
                     *       "skip": 0,
                     *       "top": 50,
                     *       "totalCount": 1,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["PagedResultOfApproval"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Answer 304 without a body if the resource has this ETag. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approvalId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "state": "Pending",
                     *       "requesterId": 17,
                     *       "requesterName": "client-5b1f0e2a9c",
                     *       "operation": "deleteGroup",
                     *       "target": "/api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "targetName": "Configuration/Europe/Tills",
                     *       "request": {
                     *         "query": {
                     *           "force": true
                     *         }
                     *       },
                     *       "computerCount": 1200,
                     *       "requestedAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "decidedAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "decidedBy": "client-77c0d2e41a",
                     *       "answerStatus": 204,
                     *       "problemCode": "GroupNotFound"
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description The resource still has the ETag that If-None-Match names. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `ApprovalNotFound`: The caller can see no approval with this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    approveRequest: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approvalId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "state": "Pending",
                     *       "requesterId": 17,
                     *       "requesterName": "client-5b1f0e2a9c",
                     *       "operation": "deleteGroup",
                     *       "target": "/api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "targetName": "Configuration/Europe/Tills",
                     *       "request": {
                     *         "query": {
                     *           "force": true
                     *         }
                     *       },
                     *       "computerCount": 1200,
                     *       "requestedAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "decidedAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "decidedBy": "client-77c0d2e41a",
                     *       "answerStatus": 204,
                     *       "problemCode": "GroupNotFound"
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal does not have the role that this operation requires. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `ApprovalNotFound`: The caller can see no approval with this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `ApprovalDecided`: The request was approved or denied before, or has expired. If it is still wanted, make it again.
             *
             *     `OwnRequest`: The principal that made the request cannot approve it.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used for a different request. Use a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    denyRequest: {
        parameters: {
            query?: {
                /** @description Make the change, answer as usual and roll everything back. Nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Make the change only if the resource has this ETag. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approvalId": "3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "state": "Pending",
                     *       "requesterId": 17,
                     *       "requesterName": "client-5b1f0e2a9c",
                     *       "operation": "deleteGroup",
                     *       "target": "/api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11",
                     *       "targetName": "Configuration/Europe/Tills",
                     *       "request": {
                     *         "query": {
                     *           "force": true
                     *         }
                     *       },
                     *       "computerCount": 1200,
                     *       "requestedAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "expiresAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "decidedAtUtc": "2026-03-14T09:26:53.000Z",
                     *       "decidedBy": "client-77c0d2e41a",
                     *       "answerStatus": 204,
                     *       "problemCode": "GroupNotFound"
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `ApprovalNotFound`: The caller can see no approval with this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `ApprovalDecided`: The request was approved or denied before, or has expired. If it is still wanted, make it again. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource does not have the version that If-Match names. Read it again, then repeat the change. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is larger than the service accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UriTooLong`: A part of the URL is longer than the service accepts. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `UnsupportedMediaType`: The service does not accept this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseUnavailable`: The database cannot be reached. Try again in a few seconds.
             *
             *     `DatabaseBusy`: The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.
             *
             *     `ResourceBusy`: Another request is changing the same resource. Try again in a few seconds.
             *
             *     `ResourcesExhausted`: The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the API. */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "checks": [
                     *         {
                     *           "name": "disk",
                     *           "status": "passed",
                     *           "code": "DiskLow",
                     *           "detail": "A disk of the service has little room left.",
                     *           "sinceUtc": "2026-03-14T09:26:53.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /**
             * @description `InvalidRequest`: The request is not valid. The property detail says why.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported. The property supported lists the versions that are.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. Its log contains the cause under the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "checks": [
                     *         {
                     *           "name": "disk",
                     *           "status": "passed",
                     *           "code": "DiskLow",
                     *           "detail": "A disk of the service has little room left.",
                     *           "sinceUtc": "2026-03-14T09:26:53.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
