import { describe, expect, test } from 'vitest'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { deleteLocalPrincipal } from '../../src/features/principals/api/delete-local-principal.ts'
import { getLocalPrincipal } from '../../src/features/principals/api/get-local-principal.ts'
import { listLocalPrincipals } from '../../src/features/principals/api/list-local-principals.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { app, as, db, given, withToken } = await openWorld()
const admin = as('admin.manage')
const body = { description: 'reports', roles: ['computer.read' as const], expiresAtUtc: null }

async function signedIn(principal: { id: number }) {
  return withToken(await app.services.tokens.issue(principal.id))
}

describe('creating', () => {
  test('creating a local principal shows a secret of 256 bits once, and nothing of it afterwards', async () => {
    const created = await admin.call(createLocalPrincipal, { body })

    const read = await admin.call(getLocalPrincipal, { params: { id: created.body.id } })
    const listed = await admin.call(listLocalPrincipals)

    const { plaintextKey, ...shown } = created.body
    expect(Buffer.from(plaintextKey, 'base64url')).toHaveLength(32)
    expect(read.body).toEqual(shown)
    expect(listed.body).toContainEqual(shown)
  })

  test('the secret of a local principal is stored as a keyed hash only', async () => {
    const created = await admin.call(createLocalPrincipal, { body })

    const stored = await db
      .selectFrom('principal_secrets')
      .select('secret_hash')
      .where('principal_id', '=', created.body.id)
      .executeTakeFirstOrThrow()

    expect(stored.secret_hash).toEqual(app.services.keys.hashSecret(created.body.plaintextKey))
    expect(stored.secret_hash.toString()).not.toContain(created.body.plaintextKey)
  })

  test('a new local principal is active and unprotected, and has a unique client id', async () => {
    const [one, two] = [
      await admin.call(createLocalPrincipal, { body }),
      await admin.call(createLocalPrincipal, { body }),
    ]

    expect(one).toMatchObject({ status: 200, body: { ...body, isRevoked: false, protected: false } })
    expect(one.body.clientId).not.toBe(two.body.clientId)
  })

  test.each(['description', 'roles', 'expiresAtUtc'] as const)(
    'creating a local principal requires the property %s',
    async (name) => {
      const { [name]: _, ...incomplete } = body

      const refused = await admin.send({ method: 'POST', url: '/api/admin/local-principals', payload: incomplete })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name, reason: 'is required' }] } })
    },
  )

  test('creating a local principal with an unknown role is refused and creates nothing', async () => {
    const before = await fingerprints(db)

    const refused = await admin.send({
      method: 'POST',
      url: '/api/admin/local-principals',
      payload: { ...body, roles: ['computer.read', 'computer.admin'] },
    })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'roles.1' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('a role that is listed twice is assigned once', async () => {
    const created = await admin.call(createLocalPrincipal, { body: { ...body, roles: ['pm.read', 'pm.read'] } })

    expect(created.body.roles).toEqual(['pm.read'])
  })

  test('an expiry without an offset is UTC, and other offsets are converted', async () => {
    const plain = await admin.call(createLocalPrincipal, { body: { ...body, expiresAtUtc: '2031-05-01T10:00:00' } })
    const offset = await admin.call(createLocalPrincipal, {
      body: { ...body, expiresAtUtc: '2031-05-01T10:00:00+02:00' },
    })

    expect(plain.body.expiresAtUtc).toBe('2031-05-01T10:00:00.000Z')
    expect(offset.body.expiresAtUtc).toBe('2031-05-01T08:00:00.000Z')
  })

  test('a local principal can be created with an expiry in the past, and is then expired', async () => {
    const created = await admin.call(createLocalPrincipal, { body: { ...body, expiresAtUtc: '2001-01-01T00:00:00Z' } })

    const refused = await (await signedIn(created.body)).call(whoAmI)

    expect(created.status).toBe(200)
    expect(refused.status).toBe(401)
  })
})

describe('changing', () => {
  test('updating a local principal replaces description, expiry and roles, and nothing else', async () => {
    const { id, clientId } = await given.localPrincipal({ roles: ['pm.read', 'pm.write'], description: 'old' })

    const updated = await admin.call(updateLocalPrincipal, {
      params: { id },
      body: { description: null, roles: ['pm.read', 'scan.execute'], expiresAtUtc: '2040-01-01T00:00:00Z' },
    })

    const read = await admin.call(getLocalPrincipal, { params: { id } })
    expect(updated.body).toMatchObject({
      clientId,
      description: null,
      roles: ['pm.read', 'scan.execute'],
      expiresAtUtc: '2040-01-01T00:00:00.000Z',
      isRevoked: false,
    })
    expect(read.body).toEqual(updated.body)
  })

  test('updating a local principal takes effect with its next request', async () => {
    const principal = await given.localPrincipal({ roles: ['admin.manage'] })
    const client = await signedIn(principal)
    const allowed = await client.call(listLocalPrincipals)

    await admin.call(updateLocalPrincipal, { params: { id: principal.id }, body })

    const refused = await client.call(listLocalPrincipals)
    expect([allowed.status, refused.status]).toEqual([200, 403])
  })

  test('updating an unknown local principal is refused', async () => {
    const refused = await admin.call(updateLocalPrincipal, { params: { id: 2_000_000_000 }, body })

    expect(refused).toMatchObject({ status: 404, problem: 'PrincipalNotFound', raw: { principalId: 2_000_000_000 } })
  })
})

describe('revoking', () => {
  test('the tokens of a revoked principal are refused at once, and are valid again after it is restored', async () => {
    const principal = await given.localPrincipal()
    const client = await signedIn(principal)
    const revoke = (isRevoked: boolean) =>
      admin.call(setLocalPrincipalRevoked, { params: { id: principal.id }, body: { isRevoked } })

    const revoked = await revoke(true)
    const refused = await client.call(whoAmI)
    const restored = await revoke(false)
    const accepted = await client.call(whoAmI)

    expect(revoked.body.isRevoked).toBe(true)
    expect(refused.status).toBe(401)
    expect(restored.body.isRevoked).toBe(false)
    expect(accepted.status).toBe(200)
  })

  test('revoking an unknown local principal is refused', async () => {
    const refused = await admin.call(setLocalPrincipalRevoked, { params: { id: 999_999 }, body: { isRevoked: true } })

    expect(refused).toMatchObject({ status: 404, problem: 'PrincipalNotFound' })
  })
})

describe('deleting', () => {
  test('deleting a local principal deletes its roles, and its tokens are refused at once', async () => {
    const principal = await given.localPrincipal({ roles: ['pm.read'] })
    const client = await signedIn(principal)

    const deleted = await admin.call(deleteLocalPrincipal, { params: { id: principal.id } })

    expect(deleted).toMatchObject({ status: 200, raw: undefined })
    expect((await client.call(whoAmI)).status).toBe(401)
    expect((await admin.call(getLocalPrincipal, { params: { id: principal.id } })).status).toBe(404)
    const roles = await db.selectFrom('principal_roles').selectAll().where('principal_id', '=', principal.id).execute()
    expect(roles).toEqual([])
  })

  test('deleting a protected local principal requires force', async () => {
    const { id } = await given.localPrincipal({ isProtected: true })

    const refused = await admin.call(deleteLocalPrincipal, { params: { id } })
    const kept = await admin.call(getLocalPrincipal, { params: { id } })
    const forced = await admin.call(deleteLocalPrincipal, { params: { id }, query: { force: true } })

    expect(refused).toMatchObject({ status: 409, problem: 'Protected' })
    expect(kept.body.protected).toBe(true)
    expect(forced.status).toBe(200)
  })

  test('principals of identity providers cannot be deleted as local principals', async () => {
    const { id } = await given.identityPrincipal()

    const refused = await admin.call(deleteLocalPrincipal, { params: { id } })

    expect(refused).toMatchObject({ status: 404, problem: 'PrincipalNotFound' })
  })
})
