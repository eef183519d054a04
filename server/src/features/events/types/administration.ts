import { enumOf, Id, nullable, Type } from '../../../platform/schema.ts'
import { changes, count, data, name, optionalName } from '../data-schemas.ts'
import { expression, numberOfRows, pathOf, source, utc } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const principal = { role: 'admin.manage', subject: 'The principal' } as const

const roleNames = (description: string) =>
  Type.Optional(Type.Array(name('computer.read'), { maxItems: 100, description }))

const signIn = (title: string) =>
  data(title, {
    principalId: nullable({ ...Id, description: 'Null if the caller is unknown' }),
    principalName: name('client-5b1f0e2a9c'),
    method: enumOf(['Console', 'Token'], { description: 'Sign-in to the console, or request of an access token' }),
    address: optionalName('192.0.2.17', 'Address of the caller'),
    status: Type.Integer({ examples: [200], description: 'HTTP status of the answer' }),
  })

const ofPrincipal = pathOf('getPrincipal', 'principal_id' as const)

const newPrincipals = [
  source({
    table: 'local_principals',
    on: 'insert',
    forEach: 'row',
    subject: ofPrincipal,
    data: { principalId: 'principal_id', kind: 'kind', name: 'client_id' },
  }),
  source({
    table: 'identity_principals',
    on: 'insert',
    forEach: 'row',
    subject: ofPrincipal,
    data: {
      principalId: 'principal_id',
      kind: 'subject_type',
      name: expression('coalesce(row.display_name, row.subject_id)'),
    },
  }),
]

/** Never a secret or the hash of one, only that there is another. */
const changedPrincipals = [
  source({
    table: 'local_principals',
    on: 'update',
    forEach: 'row',
    when: 'row is distinct from before',
    subject: ofPrincipal,
    data: { principalId: 'principal_id', changes: { changesExcept: ['principal_id', 'kind'] } },
  }),
  source({
    table: 'identity_principals',
    on: 'update',
    forEach: 'row',
    when: 'row is distinct from before',
    subject: ofPrincipal,
    data: { principalId: 'principal_id', changes: { changesExcept: ['principal_id'] } },
  }),
  ...(['insert', 'delete'] as const).flatMap((on) => [
    source({
      table: 'principal_roles',
      on,
      join: { principals: 'principal_id' },
      groupBy: ['principal_id'],
      subject: ofPrincipal,
      data: {
        principalId: 'principal_id',
        [on === 'insert' ? 'rolesAdded' : 'rolesRemoved']: { list: 'role', orderBy: ['row.role'] },
      },
    }),
    source({
      table: 'principal_secrets',
      on,
      join: { principals: 'principal_id' },
      groupBy: ['principal_id'],
      subject: ofPrincipal,
      data: { principalId: 'principal_id', [on === 'insert' ? 'secretsAdded' : 'secretsRemoved']: numberOfRows },
    }),
  ]),
]

/** As the audit trail has them: of those that repeat within an hour, the first. */
const signIns = (result: string) => [
  source({
    table: 'audit_entries',
    on: 'insert',
    forEach: 'row',
    when: `row.operation in ('signIn', 'requestToken') and ${result}`,
    subject: 'target',
    data: {
      principalId: 'principal_id',
      principalName: 'principal_name',
      method: expression(`case row.operation when 'requestToken' then 'Token' else 'Console' end`),
      address: expression(`row.request ->> 'address'`),
      status: 'status',
    },
  }),
]

export const administrationEvents = [
  eventType({
    type: 'muster.principal.created',
    summary: 'A principal was created',
    ...principal,
    data: data('PrincipalCreated', {
      principalId: Id,
      kind: enumOf(['local', 'client', 'user']),
      name: name('client-5b1f0e2a9c'),
    }),
    sources: newPrincipals,
  }),
  eventType({
    type: 'muster.principal.changed',
    summary: 'A principal was changed or revoked, or has other roles or secrets',
    ...principal,
    data: data('PrincipalChanged', {
      principalId: Id,
      changes: Type.Optional(changes),
      rolesAdded: roleNames('Roles that were granted'),
      rolesRemoved: roleNames('Roles that were withdrawn'),
      secretsAdded: Type.Optional(count('Number of new secrets')),
      secretsRemoved: Type.Optional(count('Number of deleted secrets')),
    }),
    sources: changedPrincipals,
  }),
  eventType({
    type: 'muster.principal.deleted',
    summary: 'A principal was deleted',
    ...principal,
    data: data('PrincipalDeleted', { principalId: Id, kind: enumOf(['local', 'client', 'user']) }),
    sources: [
      source({
        table: 'principals',
        on: 'delete',
        forEach: 'row',
        subject: pathOf('getPrincipal', 'id'),
        data: { principalId: 'id', kind: 'kind' },
      }),
    ],
  }),
  eventType({
    type: 'muster.sign-in.succeeded',
    summary:
      'Somebody signed in to the console, or got an access token. Of those that repeat within an hour, the first',
    role: 'admin.manage',
    subject: 'The operation',
    data: signIn('SignInSucceeded'),
    sources: signIns('row.status < 400'),
  }),
  eventType({
    type: 'muster.sign-in.failed',
    summary: 'A sign-in or the request of a token failed. Of those that repeat within an hour, the first',
    role: 'admin.manage',
    subject: 'The operation',
    data: signIn('SignInFailed'),
    sources: signIns('row.status >= 400'),
  }),
  eventType({
    type: 'muster.audit.anchored',
    summary: 'The ends of the audit trail were signed',
    role: 'admin.manage',
    subject: 'The audit trail',
    data: data('AuditAnchored', {
      takenAtUtc: Type.String({ format: 'date-time', examples: ['2026-03-14T09:26:53.000Z'] }),
      document: Type.String({ examples: ['{"installation":"…"}'], description: 'The signed anchor' }),
    }),
    sources: [
      source({
        table: 'audit_anchors',
        on: 'insert',
        forEach: 'row',
        subject: pathOf('listAuditEntries'),
        data: { takenAtUtc: utc('taken_at'), document: 'document' },
      }),
    ],
  }),
] as const
