/** What an audit entry contains besides its operation. */
export type AuditedRequest = { body: Readonly<Record<string, unknown>>; status: number }

/**
 * A sentence about an operation. In braces: `who`, a kind of object such as `Group`, or a property of the body, whose value
 * is shown by its name if it is an id.
 */
export type AuditSentence = string | ((request: AuditedRequest) => string)
