import { beforeEach, describe, expect, test } from 'vitest'
import { deleteLocalPrincipal } from '../../src/features/principals/api/delete-local-principal.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { app, db, given, withToken } = await openWorld()
const keeps = { description: null, roles: ['admin.manage' as const], expiresAtUtc: null }

/** An installation with this one administrator and a colleague who has other roles. */
async function onlyAdministrator() {
  await db.deleteFrom('principals').execute()
  const { id } = await given.localPrincipal({ roles: ['admin.manage'] })
  await given.localPrincipal({ roles: ['computer.write'] })
  return { id, admin: withToken(await app.services.tokens.issue(id)) }
}

let { id, admin } = await onlyAdministrator()
beforeEach(async () => {
  ;({ id, admin } = await onlyAdministrator())
})

describe('the last active administrator', () => {
  test.each([
    ['deleted', () => admin.call(deleteLocalPrincipal, { params: { id } })],
    ['deleted by force', () => admin.call(deleteLocalPrincipal, { params: { id }, query: { force: true } })],
    ['revoked', () => admin.call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked: true } })],
    [
      'deprived of the role',
      () => admin.call(updateLocalPrincipal, { params: { id }, body: { ...keeps, roles: ['pm.read'] } }),
    ],
    [
      'set to expire in the past',
      () =>
        admin.call(updateLocalPrincipal, { params: { id }, body: { ...keeps, expiresAtUtc: '2001-01-01T00:00:00Z' } }),
    ],
  ])('the last active administrator cannot be %s', async (_, attempt) => {
    const before = await fingerprints(db)

    const refused = await attempt()

    expect(refused).toMatchObject({ status: 409, problem: 'LastAdministrator' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each([
    ['is revoked', (colleague: number) => revoke(colleague)],
    ['has expired', (colleague: number) => expire(colleague)],
  ])('an administrator cannot be deleted if the only other one %s', async (_, disable) => {
    const colleague = await given.localPrincipal({ roles: ['admin.manage'] })
    await disable(colleague.id)

    const refused = await admin.call(deleteLocalPrincipal, { params: { id } })

    expect(refused).toMatchObject({ status: 409, problem: 'LastAdministrator' })
  })
})

async function revoke(principalId: number) {
  await admin.call(setLocalPrincipalRevoked, { params: { id: principalId }, body: { isRevoked: true } })
}

async function expire(principalId: number) {
  const body = { ...keeps, expiresAtUtc: '2001-01-01T00:00:00Z' }
  await admin.call(updateLocalPrincipal, { params: { id: principalId }, body })
}

test('an administrator can be deleted while another one exists', async () => {
  await given.localPrincipal({ roles: ['admin.manage'] })

  const deleted = await admin.call(deleteLocalPrincipal, { params: { id } })

  expect(deleted.status).toBe(200)
})

test('of two administrators who revoke each other at once, only one succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const one = await onlyAdministrator()
    const { id: otherId } = await given.localPrincipal({ roles: ['admin.manage'] })
    const other = withToken(await app.services.tokens.issue(otherId))

    const results = await Promise.all([
      one.admin.call(setLocalPrincipalRevoked, { params: { id: otherId }, body: { isRevoked: true } }),
      other.call(setLocalPrincipalRevoked, { params: { id: one.id }, body: { isRevoked: true } }),
    ])

    const statuses = results.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(200)
    expect([401, 409]).toContain(statuses[1])
  }
})
