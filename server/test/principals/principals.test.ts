import { describe, expect, test } from 'vitest'
import { deletePrincipal } from '../../src/features/principals/api/delete-principal.ts'
import { getPrincipal } from '../../src/features/principals/api/get-principal.ts'
import { listLocalPrincipals } from '../../src/features/principals/api/list-local-principals.ts'
import { listPrincipals } from '../../src/features/principals/api/list-principals.ts'
import { updatePrincipal } from '../../src/features/principals/api/update-principal.ts'
import { upsertPrincipal } from '../../src/features/principals/api/upsert-principal.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const admin = as('admin.manage')
const issuer = 'https://login.example.org/'
const person = { isUser: true, subjectId: 'ada', displayName: 'Ada', issuer, roles: ['pm.read' as const] }

describe('upserting', () => {
  test('upserting creates a principal, then updates the one with the same subject type, subject id and issuer', async () => {
    const created = await admin.call(upsertPrincipal, { body: person })
    const updated = await admin.call(upsertPrincipal, {
      body: { ...person, displayName: 'Countess', roles: ['pm.write', 'pm.approve'] },
    })

    const read = await admin.call(getPrincipal, { params: { id: created.body.id } })
    expect(created).toMatchObject({
      status: 200,
      body: { subjectType: 'user', subjectId: 'ada', displayName: 'Ada', issuer, roles: ['pm.read'], protected: false },
    })
    expect(updated.body.id).toBe(created.body.id)
    expect(read.body).toMatchObject({ displayName: 'Countess', roles: ['pm.approve', 'pm.write'] })
  })

  test('principals differ if their subject type, subject id or issuer differs', async () => {
    const body = { ...person, subjectId: 'grace' }

    const ids = await Promise.all(
      [
        body,
        { ...body, isUser: false },
        { ...body, issuer: 'https://other.example.org/' },
        { ...body, issuer: null },
      ].map(async (variant) => (await admin.call(upsertPrincipal, { body: variant })).body.id),
    )

    expect(new Set(ids).size).toBe(4)
  })

  test('upserting with the issuer null twice updates the same principal', async () => {
    const body = { ...person, subjectId: 'no-issuer', issuer: null }

    const [one, two] = [await admin.call(upsertPrincipal, { body }), await admin.call(upsertPrincipal, { body })]

    expect(two.body.id).toBe(one.body.id)
  })

  test('role names are accepted in any letter case and shown as they are declared', async () => {
    const payload = { ...person, subjectId: 'shouting', roles: ['PM.READ', 'Computer.Write'] }

    const created = await admin.send({ method: 'POST', url: '/api/admin/principals', payload })

    expect(created).toMatchObject({ status: 200, raw: { roles: ['computer.write', 'pm.read'] } })
  })

  test('fifty concurrent upserts of one subject create exactly one principal', async () => {
    const body = { ...person, subjectId: 'racer' }

    const results = await Promise.all(Array.from({ length: 50 }, () => admin.call(upsertPrincipal, { body })))

    const listed = await admin.call(listPrincipals)
    expect(results.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(listed.body.filter(({ subjectId }) => subjectId === 'racer')).toHaveLength(1)
    const orphans = await db
      .selectFrom('principals')
      .leftJoin('identity_principals', 'identity_principals.principal_id', 'principals.id')
      .select('id')
      .where('kind', '!=', 'local')
      .where('principal_id', 'is', null)
      .execute()
    expect(orphans).toEqual([])
  })

  test.each(['isUser', 'subjectId', 'displayName', 'issuer', 'roles'] as const)(
    'upserting a principal requires the property %s',
    async (name) => {
      const { [name]: _, ...incomplete } = person

      const refused = await admin.send({ method: 'POST', url: '/api/admin/principals', payload: incomplete })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name, reason: 'is required' }] } })
    },
  )

  test('upserting a principal with an unknown role or an empty subject id is refused', async () => {
    const before = await fingerprints(db)

    const [role, subject] = await Promise.all(
      [{ roles: ['root'] }, { subjectId: '' }].map((change) =>
        admin.send({ method: 'POST', url: '/api/admin/principals', payload: { ...person, ...change } }),
      ),
    )

    expect(role).toMatchObject({ status: 400, raw: { errors: [{ name: 'roles.0' }] } })
    expect(subject).toMatchObject({ status: 400, raw: { errors: [{ name: 'subjectId' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('updating', () => {
  test('updating a principal replaces display name, issuer and roles only', async () => {
    const { id, subjectId } = await given.identityPrincipal({ subjectType: 'client', roles: ['pm.read'] })

    const updated = await admin.call(updatePrincipal, {
      params: { id },
      body: { displayName: 'Robot', issuer: null, roles: ['scan.execute'] },
    })

    expect(updated).toMatchObject({
      status: 200,
      body: { id, subjectType: 'client', subjectId, displayName: 'Robot', issuer: null, roles: ['scan.execute'] },
    })
  })

  test('updating a principal to an issuer that already has the subject is refused and changes nothing', async () => {
    const taken = await given.identityPrincipal({ issuer: 'https://taken.example.org/' })
    const { id } = await given.identityPrincipal({ subjectId: taken.subjectId })
    const before = await fingerprints(db)

    const refused = await admin.call(updatePrincipal, {
      params: { id },
      body: { displayName: null, issuer: taken.issuer, roles: [] },
    })

    expect(refused).toMatchObject({ status: 409, problem: 'DuplicatePrincipal' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each([
    ['an unknown id', async () => 2_000_000_000],
    ['a local principal', async () => (await given.localPrincipal()).id],
  ])('updating %s as a principal of an identity provider is answered with 404', async (_, idOf) => {
    const id = await idOf()

    const refused = await admin.call(updatePrincipal, {
      params: { id },
      body: { displayName: null, issuer: null, roles: [] },
    })

    expect(refused).toMatchObject({ status: 404, problem: 'PrincipalNotFound' })
  })
})

describe('deleting', () => {
  test('deleting a principal deletes its roles and answers 200 without a body', async () => {
    const { id } = await given.identityPrincipal()

    const deleted = await admin.call(deletePrincipal, { params: { id } })
    const again = await admin.call(deletePrincipal, { params: { id } })

    expect(deleted).toMatchObject({ status: 200, raw: undefined })
    expect(again).toMatchObject({ status: 404, problem: 'PrincipalNotFound' })
    expect(await db.selectFrom('principal_roles').select('role').where('principal_id', '=', id).execute()).toEqual([])
  })

  test('deleting a protected principal requires force', async () => {
    const { id } = await given.identityPrincipal({ isProtected: true })

    const refused = await admin.call(deletePrincipal, { params: { id } })
    const forced = await admin.call(deletePrincipal, { params: { id }, query: { force: true } })

    expect(refused).toMatchObject({ status: 409, problem: 'Protected' })
    expect(forced.status).toBe(200)
  })
})

test('each of the two lists of principals shows its own kind, ordered by id', async () => {
  const identity = await given.identityPrincipal()
  const local = await given.localPrincipal()

  const identities = (await admin.call(listPrincipals)).body.map(({ id }) => id)
  const locals = (await admin.call(listLocalPrincipals)).body.map(({ id }) => id)

  expect(identities).toContain(identity.id)
  expect(identities).not.toContain(local.id)
  expect(locals).toContain(local.id)
  expect(locals).not.toContain(identity.id)
  expect(identities).toEqual(identities.toSorted((a, b) => a - b))
})

test.each(['abc', '0', '-1', '2147483648', '1.5', '%20'])(
  'the malformed principal id %s is refused with 400',
  async (id) => {
    const refused = await admin.send({ method: 'GET', url: `/api/admin/principals/${id}` })

    expect(refused).toMatchObject({
      status: 400,
      problem: 'InvalidRequest',
      raw: { errors: [{ in: 'path', name: 'id' }] },
    })
  },
)
