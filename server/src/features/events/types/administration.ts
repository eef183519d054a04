import { enumOf, Id, nullable, Type } from '../../../platform/schema.ts'
import { changes, count, data, name, optionalName } from '../data-schemas.ts'
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
  }),
  eventType({
    type: 'muster.principal.deleted',
    summary: 'A principal was deleted',
    ...principal,
    data: data('PrincipalDeleted', { principalId: Id, kind: enumOf(['local', 'client', 'user']) }),
  }),
  eventType({
    type: 'muster.sign-in.succeeded',
    summary:
      'Somebody signed in to the console, or got an access token. Of those that repeat within an hour, the first',
    role: 'admin.manage',
    subject: 'The operation',
    data: signIn('SignInSucceeded'),
  }),
  eventType({
    type: 'muster.sign-in.failed',
    summary: 'A sign-in or the request of a token failed. Of those that repeat within an hour, the first',
    role: 'admin.manage',
    subject: 'The operation',
    data: signIn('SignInFailed'),
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
  }),
] as const
