import { sql } from 'kysely'
import { literal } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Id, Instant, nullable, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { findReferences, keyOf, namedKinds, resolveNames } from '../named-objects.ts'

const NamedObject = closed(
  {
    kind: Type.String({ examples: ['Computer'], description: `What it is: ${namedKinds.join(', ')}` }),
    id: Type.String({ examples: ['17'], description: 'The id in the path or in the body' }),
    name: Type.String({
      examples: ['pc-0017'],
      description: 'The current name or, of a deleted object, the last one that the audit trail contains',
    }),
  },
  { title: 'NamedObject' },
)

const AuditEntry = closed(
  {
    id: Id,
    occurredAtUtc: Instant,
    principalId: nullable({ ...Id, description: 'Null if no principal acted, as when an agent enrols' }),
    principalName: Type.String({
      examples: ['client-5b1f0e2a9c'],
      description:
        'Describes who it was if there is no principal, as for an agent, or a failed sign-in of an unknown client',
    }),
    principalDisplayName: nullable(
      Type.String({
        examples: ['Nightly inventory report'],
        description: 'The current description or display name of the principal; null if it has none or is deleted',
      }),
    ),
    operation: Type.String({ examples: ['updateLocalPrincipal'], description: 'The operationId' }),
    target: Type.String({
      examples: ['/api/admin/local-principals/17'],
      description: 'Path of the resource that was changed or created',
    }),
    names: Type.Array(NamedObject, {
      description:
        'The names of objects whose ids occur in the path or the body, that of the path first. Names that neither the roles of ' +
        'the caller nor the audit trail reveal are left out.',
    }),
    request: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      examples: [{ body: { isRevoked: true } }],
      description:
        'Query and body of the request; secrets are redacted. `callerRequestId` is what the caller sent as X-Request-Id, and ' +
        '`traceId` is the trace of its `traceparent`. Without one, the trace ID is `requestId` without hyphens.',
    }),
    status: Type.Integer({ format: 'int32', examples: [200], description: 'HTTP status of the answer' }),
    requestId: Type.String({
      examples: ['0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10'],
      description: 'The id that the service gave to the request',
    }),
    hash: Type.String({
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      description:
        'Hash of this entry and of the hash of the previous entry in its chain, and so of all earlier entries',
    }),
  },
  { title: 'AuditEntry' },
)

/** The name that people gave to the principal of an entry. Takes the alias of `audit_entries`. */
const displayNameOf = (entries: string) => sql<string | null>`(
  select coalesce(local.description, identity.display_name)
  from principals principal
    left join local_principals local on local.principal_id = principal.id
    left join identity_principals identity on identity.principal_id = principal.id
  where principal.id = ${sql.ref(`${entries}.principal_id`)})`

/** Entries are never deleted, so the chains know their number. Counting a trail of millions would take seconds. */
const numberOfEntries = sql<number>`(select sum(position) from audit_chains)`

export const listAuditEntries = operation({
  id: 'listAuditEntries',
  route: 'GET /api/audit',
  summary: 'List the entries of the audit trail, newest first',
  description:
    'Every committed change by a principal has an entry, as have sign-ins, failed sign-ins, sign-outs, token requests, enrolments of agents and restores. Token requests and failed sign-ins that repeat within an hour are counted: the next entry has their number as `repeats`. Reads, dry runs, other refused requests and reports of agents have none. The role `audit.read` suffices.',
  role: 'admin.manage',
  readerRole: 'audit.read',
  extension: true,
  query: closed({
    ...paging,
    principalId: Type.Optional(Id),
    operation: Type.Optional(text(255, 'updateLocalPrincipal', 'Only entries of this operationId')),
    target: Type.Optional(
      text(255, '/api/admin/local-principals/17', 'Only entries of this resource and of resources below its path'),
    ),
    after: Type.Optional(Instant),
    before: Type.Optional(Instant),
  }),
  returns: ok(pagedResultOf(AuditEntry)),
  async handle(call) {
    const { query, db, caller } = call
    let entries = db
      .selectFrom('audit_entries')
      .select([
        'id',
        'occurred_at as occurredAtUtc',
        'principal_id as principalId',
        'principal_name as principalName',
        displayNameOf('audit_entries').as('principalDisplayName'),
        'operation',
        'target',
        'request',
        'status',
        'request_id as requestId',
        sql<string>`encode(hash, 'hex')`.as('hash'),
      ])
    if (query.principalId !== undefined) entries = entries.where('principal_id', '=', query.principalId)
    if (query.operation !== undefined) entries = entries.where('operation', '=', query.operation)
    if (query.after) entries = entries.where('occurred_at', '>=', query.after)
    if (query.before) entries = entries.where('occurred_at', '<=', query.before)
    const { target } = query
    if (target !== undefined)
      entries = entries.where(({ eb, or }) =>
        or([eb('target', '=', target), eb('target', 'like', `${literal(target)}/%`)]),
      )
    const isFiltered = [query.principalId, query.operation, query.target, query.after, query.before].some(
      (filter) => filter !== undefined,
    )
    const all = { query: db.selectFrom('audit_entries').select('id'), once: false, totalCount: numberOfEntries }
    const page = await pageOf(call, entries, { columns: ['id'], descending: true }, isFiltered ? undefined : all)
    const references = page.items.map(({ target, request }) => findReferences(target, request))
    const distinct = new Map(references.flat().map((one) => [keyOf(one), one]))
    const names = await resolveNames(db, [...distinct.values()], caller.principal.roles)
    const items = page.items.map((item, at) => ({
      ...item,
      names: (references[at] ?? []).flatMap((one) => {
        const name = names.get(keyOf(one))
        return name === undefined ? [] : [{ ...one, name }]
      }),
    }))
    return { ...page, items }
  },
})
