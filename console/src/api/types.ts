// Generated from the declarations of the API by `npm run console:types`; do not edit.
export interface paths {
    "/api/admin/principals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the principals of identity providers */
        get: operations["listPrincipals"];
        put?: never;
        /** Create or update the principal with this subject type, subject id and issuer */
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
        /** Read one principal of an identity provider */
        get: operations["getPrincipal"];
        /** Replace the display name, issuer and roles of a principal */
        put: operations["updatePrincipal"];
        post?: never;
        /** Delete a principal of an identity provider, with its roles */
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
        /** List the local principals */
        get: operations["listLocalPrincipals"];
        put?: never;
        /** Create a local principal and show its secret, once */
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
        /** Read one local principal */
        get: operations["getLocalPrincipal"];
        /** Replace the description, expiry and roles of a local principal */
        put: operations["updateLocalPrincipal"];
        post?: never;
        /** Delete a local principal for good, with its roles */
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
         * @description The tokens of a revoked principal are refused from the next request on. Once it is restored, those that have not expired are valid again.
         */
        patch: operations["setLocalPrincipalRevoked"];
        trace?: never;
    };
    "/api/admin/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all roles that can be assigned */
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
        /** List what each role may call, and what needs no role */
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
        /** Read which ways to sign in are offered */
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
        /** List the groups */
        get: operations["listGroups"];
        put?: never;
        /** Create a group below another one */
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
        /** List the enrolment tokens, also those that are of no use any more */
        get: operations["listEnrolmentTokens"];
        put?: never;
        /** Create a token with which agents enrol, and show it, once */
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
         * @description Agents that enrolled with it stay enrolled.
         */
        delete: operations["revokeEnrolmentToken"];
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
        /** Read the versions of the service, its database and its patch catalog */
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
        /** List who changed what, newest first */
        get: operations["listAuditEntries"];
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
             * @description Identity-provider principals can sign in
             * @example false
             */
            idpEnabled: boolean;
            /**
             * @description Local administrators can sign in to the pages
             * @example true
             */
            localAdminEnabled: boolean;
            oidcLoginProviders: components["schemas"]["OidcLoginProvider"][];
        };
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
             * @example 17
             */
            principalId: number;
            /** @example client-5b1f0e2a9c */
            principalName: string;
            /**
             * @description The operationId
             * @example updateLocalPrincipal
             */
            operation: string;
            /**
             * @description Path of the resource that was changed or made
             * @example /api/admin/local-principals/17
             */
            target: string;
            /**
             * @description Query and body of the request, without secrets
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
             * @description Status of the answer
             * @example 200
             */
            status: number;
            /** @example 0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10 */
            requestId: string;
            /**
             * @description Hash of this entry and, through the one before it in its chain, of all earlier ones
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
        };
        /** CreateGroupRequest */
        CreateGroupRequest: {
            /**
             * @description Neither empty nor blank, without / and \, unique below its parent whatever the case
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
             * @description Client id used for the token request
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
             * @description Can only be deleted with force=true
             * @example false
             */
            protected: boolean;
            /**
             * @description The client secret. It is shown here only and cannot be read again.
             * @example the-secret-is-shown-here-once
             */
            plaintextKey: string;
        };
        /** CreatedEnrolmentToken */
        CreatedEnrolmentToken: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /** @example Tills of the northern branches */
            description: string | null;
            /**
             * Format: uuid
             * @description Group into which computers are put that enrol with it
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            groupId: string | null;
            /**
             * Format: int32
             * @description How many computers may enrol with it; null for any number
             * @example 250
             */
            maxUses: number | null;
            /**
             * Format: int32
             * @description Computers that enrolled with it
             * @example 3
             */
            uses: number;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            createdAtUtc: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            revokedAtUtc: string | null;
            /**
             * @description What agents enrol with. It cannot be read again.
             * @example enrol-the-token-is-shown-here-once
             */
            token: string;
        };
        /** EnrolmentToken */
        EnrolmentToken: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /** @example Tills of the northern branches */
            description: string | null;
            /**
             * Format: uuid
             * @description Group into which computers are put that enrol with it
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            groupId: string | null;
            /**
             * Format: int32
             * @description How many computers may enrol with it; null for any number
             * @example 250
             */
            maxUses: number | null;
            /**
             * Format: int32
             * @description Computers that enrolled with it
             * @example 3
             */
            uses: number;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            createdAtUtc: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            expiresAtUtc: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            revokedAtUtc: string | null;
        };
        /** EnrolmentTokenRequest */
        EnrolmentTokenRequest: {
            /** @example Tills of the northern branches */
            description?: string | null;
            /**
             * Format: uuid
             * @description Group into which computers are put that enrol with it
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            groupId?: string | null;
            /**
             * Format: int32
             * @description How many computers may enrol with it; null for any number
             * @example 250
             */
            maxUses?: number | null;
            /**
             * Format: date-time
             * @example 2099-12-31T00:00:00.000Z
             */
            expiresAtUtc: string;
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
        /** LocalPrincipalDto */
        LocalPrincipalDto: {
            /**
             * Format: int32
             * @example 17
             */
            id: number;
            /**
             * @description Client id used for the token request
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
             * @description Can only be deleted with force=true
             * @example false
             */
            protected: boolean;
        };
        /** OidcLoginProvider */
        OidcLoginProvider: {
            /** @example corporate */
            name: string;
            /** @example Corporate login */
            displayName: string;
        };
        /** PagedResultOfAuditEntry */
        PagedResultOfAuditEntry: {
            items: components["schemas"]["AuditEntry"][];
            /**
             * Format: int32
             * @description Items skipped
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
             * @description Matching items in all
             * @example 1
             */
            totalCount: number;
            /**
             * @description True while further pages exist
             * @example false
             */
            hasMore: boolean;
        };
        /** PagedResultOfEnrolmentToken */
        PagedResultOfEnrolmentToken: {
            items: components["schemas"]["EnrolmentToken"][];
            /**
             * Format: int32
             * @description Items skipped
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
             * @description Matching items in all
             * @example 1
             */
            totalCount: number;
            /**
             * @description True while further pages exist
             * @example false
             */
            hasMore: boolean;
        };
        /** PagedResultOfGroup */
        PagedResultOfGroup: {
            items: components["schemas"]["Group"][];
            /**
             * Format: int32
             * @description Items skipped
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
             * @description Matching items in all
             * @example 1
             */
            totalCount: number;
            /**
             * @description True while further pages exist
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
             * @description Token issuer of the identity provider
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
             * @description Can only be deleted with force=true
             * @example false
             */
            protected: boolean;
        };
        /**
         * ProblemDetails
         * @description A problem after RFC 9457, with ids of the resources in question beside it.
         */
        ProblemDetails: {
            /**
             * @description Identifies the kind of problem
             * @example urn:muster:problem:PrincipalNotFound
             */
            type: string;
            /**
             * @description The reason phrase of the status
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
             * @description The address that was called
             * @example /api/admin/principals/17
             */
            instance: string;
            /**
             * @description For programs; it never changes
             * @example PrincipalNotFound
             */
            code: string;
            /**
             * @description For people; the same for every problem of this code
             * @example No principal of this kind has this id.
             */
            message: string;
            /**
             * @description Finds the request in the log of the service
             * @example 0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10
             */
            requestId: string;
            errors?: {
                /**
                 * @description The part of the request: path, query, header or body
                 * @example body
                 */
                in: string;
                /**
                 * @description The property or parameter
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
            /** @example Read one computer */
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
             * @description Token issuer of the identity provider
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
             * @description Token issuer of the identity provider
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
        /** @description Version of the interface. */
        ApiVersion: "1" | "1.0";
        /** @description Makes a repetition safe: for 24 hours, a request under the same key is answered with the first answer. */
        IdempotencyKey: string;
        /** @description The change is made only while the resource has this ETag. */
        IfMatch: string;
        /** @description The resource is not sent again while it has this ETag. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description Leads to the next page by a cursor, where there is one. */
        Link: string;
        /** @description Version of the resource, for If-Match. */
        ETag: string;
        /** @description Seconds to wait. */
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
                /** @description Version of the interface. */
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
                     *         "protected": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PrincipalDto"][];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes a repetition safe: for 24 hours, a request under the same key is answered with the first answer. */
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
                     *       "protected": false
                     *     }
                     */
                    "application/json": components["schemas"]["PrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `UnsupportedMediaType`: The service does not take this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used before, for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description The resource is not sent again while it has this ETag. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
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
                     *       "protected": false
                     *     }
                     */
                    "application/json": components["schemas"]["PrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description The change is made only while the resource has this ETag. */
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
                     *       "protected": false
                     *     }
                     */
                    "application/json": components["schemas"]["PrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `PreconditionFailed`: The resource has changed since the version that If-Match names. */
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
            /** @description `UnsupportedMediaType`: The service does not take this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description The change is made only while the resource has this ETag. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `PreconditionFailed`: The resource has changed since the version that If-Match names. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Version of the interface. */
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
                     *         "protected": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LocalPrincipalDto"][];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes a repetition safe: for 24 hours, a request under the same key is answered with the first answer. */
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
                     *       "plaintextKey": "the-secret-is-shown-here-once"
                     *     }
                     */
                    "application/json": components["schemas"]["CreateLocalPrincipalResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `UnsupportedMediaType`: The service does not take this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used before, for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description The resource is not sent again while it has this ETag. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
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
                     *       "protected": false
                     *     }
                     */
                    "application/json": components["schemas"]["LocalPrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description The change is made only while the resource has this ETag. */
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
                     *       "protected": false
                     *     }
                     */
                    "application/json": components["schemas"]["LocalPrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `LastAdministrator`: Nobody would be left who can manage principals. Give admin.manage to another local principal first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource has changed since the version that If-Match names. */
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
            /** @description `UnsupportedMediaType`: The service does not take this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description The change is made only while the resource has this ETag. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
             *     `LastAdministrator`: Nobody would be left who can manage principals. Give admin.manage to another local principal first.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource has changed since the version that If-Match names. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description The change is made only while the resource has this ETag. */
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
                     *       "protected": false
                     *     }
                     */
                    "application/json": components["schemas"]["LocalPrincipalDto"];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `LastAdministrator`: Nobody would be left who can manage principals. Give admin.manage to another local principal first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `PreconditionFailed`: The resource has changed since the version that If-Match names. */
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
            /** @description `UnsupportedMediaType`: The service does not take this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Version of the interface. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Version of the interface. */
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
                     *             "summary": "Read one computer"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RoleOperations"][];
                };
            };
            /**
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Version of the interface. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Items to skip. */
                skip?: number;
                /** @description Page size. More than 1000 is taken as 1000; the answer tells the size that was applied. */
                top?: number;
                /** @description Continues behind the last item of a page, instead of `skip`. It comes from the `Link` header of that page. */
                cursor?: string;
                type?: components["schemas"]["GroupTypeFilter"];
                /** @description Only groups in whose name this text occurs */
                nameContains?: string;
            };
            header?: {
                /** @description Version of the interface. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes a repetition safe: for 24 hours, a request under the same key is answered with the first answer. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `ParentNotFound`: No group has the id that is given for the parent. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `ParentSpecialGroup`: The parent is a Reinstall, EOL or Restore group, which has no groups below it.
             *
             *     `DuplicateName`: The parent already has a group of this name.
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
            /** @description `UnsupportedMediaType`: The service does not take this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used before, for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Items to skip. */
                skip?: number;
                /** @description Page size. More than 1000 is taken as 1000; the answer tells the size that was applied. */
                top?: number;
                /** @description Continues behind the last item of a page, instead of `skip`. It comes from the `Link` header of that page. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
                "api-version"?: components["parameters"]["ApiVersion"];
                /** @description Makes a repetition safe: for 24 hours, a request under the same key is answered with the first answer. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
             *     `NotEditableTree`: The groups of this tree are not changed over the API.
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
            /** @description `UnsupportedMediaType`: The service does not take this content type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `IdempotencyKeyReused`: This Idempotency-Key was used before, for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Do everything but keep nothing: the answer is the one that the request would get. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Version of the interface. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
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
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Version of the interface. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
                /** @description Items to skip. */
                skip?: number;
                /** @description Page size. More than 1000 is taken as 1000; the answer tells the size that was applied. */
                top?: number;
                /** @description Continues behind the last item of a page, instead of `skip`. It comes from the `Link` header of that page. */
                cursor?: string;
                principalId?: number;
                /** @description Only this operationId */
                operation?: string;
                /** @description Only this resource and what lies below its path */
                target?: string;
                after?: string;
                before?: string;
            };
            header?: {
                /** @description Version of the interface. */
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
             * @description `InvalidRequest`: The request does not match its description.
             *
             *     `UnsupportedApiVersion`: This api-version is not supported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `Forbidden`: The principal lacks the role that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `InternalError`: The service failed. The request id finds the cause in its log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description `IdentityProviderUnavailable`: The identity provider of the token is out of reach at the moment. Try again soon.
             *
             *     `DatabaseUnavailable`: The database is out of reach at the moment. Try again soon.
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
}
