import type { components } from '@muster/client'
import type { Role } from '../../src/api/client.ts'
import type { Session } from '../../src/api/session.ts'
import { en } from '../../src/texts/en.ts'
import { example, type FakeService, listOf } from './fake-service.ts'

type Schemas = components['schemas']

const roleNames = Object.keys(en.roles.explained) as Role[]

export type SessionOptions = {
  /** All unless given. */
  roles?: readonly Role[]
  idleMinutes?: number
}

export const visitor = { clientId: 'client-visitor', secret: 'the secret of the visitor' }

type SessionAnswer = Omit<Session, 'idleMilliseconds' | 'endsAt'>

export function sessionOf({ roles = roleNames, idleMinutes = 30 }: SessionOptions = {}): SessionAnswer {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  return {
    principal: { id: 1, kind: 'local', subjectId: visitor.clientId, displayName: 'The visitor', roles: [...roles] },
    provider: null,
    csrfToken: 'csrf',
    idleExpiresAtUtc: inMinutes(idleMinutes),
    expiresAtUtc: inMinutes(600),
    confirmCountAbove: 100,
  }
}

/** The visitor is signed in, and the service works as it should. */
export function givenSession(service: FakeService, options: SessionOptions): FakeService {
  const ready: Schemas['Readiness'] = { status: 'ready', checks: [] }
  const features: Schemas['AdminFeatures'] = { idpEnabled: false, localAdminEnabled: true, oidcLoginProviders: [] }
  // All kinds of principals share their ids, but the examples of both lists have the same one.
  const users = example('GET /api/admin/principals').map((user) => ({ ...user, id: user.id + 1 }))
  return service
    .onAny('GET /admin/session', () => sessionOf(options))
    .onAny('GET /admin/features', () => features)
    .onAny('GET /health/ready', () => ready)
    .on('GET /api/freeze', { frozen: false, reason: null, frozenAtUtc: null, frozenBy: null })
    .on('GET /api/approvals', listOf<never>([]))
    .on('GET /api/fleet/decisions', { decisions: [] })
    .on('GET /api/admin/principals', users)
    .on(
      'GET /api/admin/roles',
      roleNames.map((role) => ({ role, description: `What ${role} allows.` })),
    )
}
