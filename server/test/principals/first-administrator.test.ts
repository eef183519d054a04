import { expect, test } from 'vitest'
import { deleteLocalPrincipal } from '../../src/features/principals/api/delete-local-principal.ts'
import { listLocalPrincipals } from '../../src/features/principals/api/list-local-principals.ts'
import { requestToken } from '../../src/features/principals/api/token/request-token.ts'
import { seedFirstAdministrator } from '../../src/features/principals/first-administrator.ts'
import { openWorld } from '../world/open-world.ts'

const { app, db, given, withToken } = await openWorld()
await db.deleteFrom('principals').execute()
const seed = (clientId?: string, clientSecret?: string) =>
  seedFirstAdministrator(db, app.services.keys, { clientId, clientSecret })

test('several nodes that start at once create one first administrator, protected and with admin.manage only', async () => {
  const seeded = (await Promise.all([seed('first', 'given-secret'), seed('first', 'given-secret'), seed()])).filter(
    (result) => result !== undefined,
  )

  const [first] = seeded
  expect(seeded).toHaveLength(1)
  expect(await seed('second', 'other')).toBeUndefined()
  const { clientId, generatedSecret = 'given-secret' } = first ?? { clientId: '', generatedSecret: '' }
  const token = await withToken(undefined).call(requestToken, {
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: generatedSecret },
  })
  const listed = await withToken(token.body.access_token).call(listLocalPrincipals)
  expect(listed.body).toMatchObject([{ clientId, roles: ['admin.manage'], protected: true, isRevoked: false }])
})

test('a later start does not restore a deleted first administrator', async () => {
  const { id } = await given.localPrincipal({ roles: ['admin.manage'] })
  const colleague = await app.services.tokens.issue(id)
  const [first] = (await withToken(colleague).call(listLocalPrincipals)).body
  await withToken(colleague).call(deleteLocalPrincipal, { params: { id: first?.id ?? 0 }, query: { force: true } })

  const again = await seed('first', 'given-secret')

  expect(again).toBeUndefined()
  expect((await withToken(colleague).call(listLocalPrincipals)).body).toHaveLength(1)
})
