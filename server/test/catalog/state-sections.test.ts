import { expect, test } from 'vitest'
import { getWebhook } from '../../src/features/webhooks/api/get-webhook.ts'
import { roleNames } from '../../src/platform/roles.ts'
import { firefox, openStateWorld, type State, vpn } from './state-world.ts'

const { as, caller, db, given, exportState, planOf, apply } = await openStateWorld()

const findGroup = async (path: string) => (await exportState()).groups?.find((group) => group.path === path)
const blockersOf = async (state: State) => (await planOf(state)).changes.flatMap(({ blockers }) => blockers)

test('the export of a secret column is a reference, and the reference of each secret has a name of its own', async () => {
  const children = [{ name: 'Key', secret: true }, networks]
  await apply({
    variableDefinitions: [{ name: 'Wireless', kind: 'Category', children }],
    groups: ['North', 'South'].map((site) => ({
      path: `Configuration/${site}`,
      variables: [{ variable: 'Wireless.Key', secret: 'env:KEY' }],
      collections: [
        { variable: 'Wireless.Networks', entries: [{ Name: 'guests', Password: { secret: 'env:GUESTS' } }] },
      ],
    })),
  })

  const sites = [await findGroup('Configuration/North'), await findGroup('Configuration/South')]

  const references = sites.flatMap((site) => [
    { secret: site?.variables?.[0]?.secret },
    site?.collections?.[0]?.entries[0]?.Password,
  ])
  expect(references).toEqual(Array(4).fill({ secret: expect.stringMatching(/^env:WIRELESS_/) }))
  expect(new Set(references.map((reference) => JSON.stringify(reference))).size).toBe(4)
})

test('a package whose name and version read like another package is not that package', async () => {
  const disguised = { name: 'vpn 5.2', version: 'revision 2' }
  const state: State = {
    packages: [{ ...disguised, released: true }],
    groups: [{ path: 'Configuration/Disguised', packages: [disguised, vpn] }],
  }

  const { changes } = await planOf(state)

  expect(changes.find(({ section }) => section === 'packages')).toMatchObject({
    name: 'vpn 5.2 "revision 2"',
    action: 'add',
    operations: [],
    blockers: ['it is not in the service: import it first'],
  })
  expect(changes.filter(({ section }) => section === 'groupPackages').map(({ name }) => name)).toEqual([
    'Configuration/Disguised ← vpn 5.2 "revision 2"',
    'Configuration/Disguised ← vpn 5.2 revision 2',
  ])
})

test('packages whose operating systems are listed in another order are different packages', async () => {
  const orders = [
    ['Debian', 'Ubuntu'],
    ['Ubuntu', 'Debian'],
  ]
  for (const operating_systems of orders) await given.package({ package_name: 'twin', version: '1', operating_systems })
  const twins = orders.map((operatingSystems) => ({ name: 'twin', version: '1', operatingSystems }))

  await apply({ groups: [{ path: 'Configuration/Twins', packages: twins.slice(1) }] })

  expect((await findGroup('Configuration/Twins'))?.packages).toEqual(twins.slice(1))
})

const networks = {
  name: 'Networks',
  kind: 'Collection' as const,
  children: [{ name: 'Name' }, { name: 'Password', secret: true }],
}

test('a variable of a group needs either a value or the reference of a secret', async () => {
  const planWith = (variable: object) =>
    apply({ groups: [{ path: 'Configuration', variables: [{ variable: 'Any', ...variable }] }] } as State, {
      plan: { changes: [], secrets: [], removed: 0 } as never,
    })

  for (const variable of [{}, { value: 'a', secret: 'env:A' }]) {
    const refused = await planWith(variable)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.raw)).toContain('needs a value or a secret')
  }
})

test('a secret is refused for a variable or a column that is not secret', async () => {
  const state = (secret: boolean): State => ({
    variableDefinitions: [
      {
        name: 'Mail',
        kind: 'Category',
        children: [
          { name: 'Token', secret },
          { name: 'Boxes', kind: 'Collection', children: [{ name: 'Name' }, { name: 'Key', secret }] },
        ],
      },
    ],
    groups: [
      {
        path: 'Configuration/Mail',
        variables: [{ variable: 'Mail.Token', secret: 'env:TOKEN' }],
        collections: [{ variable: 'Mail.Boxes', entries: [{ Name: 'a', Key: { secret: 'env:KEY' } }] }],
      },
    ],
  })
  const advice = 'define it as secret, or write a value instead of a secret'

  expect(await blockersOf(state(false))).toEqual([
    `Mail.Token is not a secret variable: ${advice}`,
    `Mail.Boxes.Key is not a secret variable: ${advice}`,
  ])
  expect(await apply(state(false))).toMatchObject({ status: 409 })
  expect(await blockersOf(state(true))).toEqual([])
  // What the database defines counts if the document defines nothing.
  await apply({ variableDefinitions: state(false).variableDefinitions ?? [] })
  const { groups = [] } = state(false)
  expect(await blockersOf({ groups })).toHaveLength(2)
})

test('the roots of the trees cannot be changed, and no other can be added', async () => {
  expect(await blockersOf({ groups: [{ path: 'Configuration', description: 'Mine' }] })).toEqual([
    'the root of a tree cannot be changed',
  ])
  expect(await blockersOf({ groups: [{ path: 'Elsewhere' }] })).toEqual([
    'its path does not begin with Configuration or Assignment',
  ])
})

test('a webhook can be created paused, and a later change keeps the reason of its pause', async () => {
  const webhook = { name: 'Chat', url: 'https://chat.example.org/hook', paused: true }
  const applied = await apply({ webhooks: [webhook] })
  const exported = (await exportState()).webhooks
  await db.updateTable('webhooks').set({ pause_reason: 'It has failed for three days.' }).execute()

  await apply({ webhooks: [{ ...webhook, url: 'https://chat.example.org/other' }] })

  expect(applied.body.remaining).toBe(0)
  expect(exported).toEqual([webhook])
  const { id } = await db.selectFrom('webhooks').select('id').executeTakeFirstOrThrow()
  expect((await caller.call(getWebhook, { params: { id } })).body).toMatchObject({
    url: 'https://chat.example.org/other',
    isPaused: true,
    pauseReason: 'It has failed for three days.',
  })
})

test('protected principals stay, and tags of every installation are not exported', async () => {
  await given.identityPrincipal({ isProtected: true })

  const { changes } = await planOf({ principals: [] }, true)

  expect(changes).toEqual([])
  expect((await exportState()).tags).toEqual([])
})

test('a dry run activates a group together with those below it, and nothing if the caller may not activate', async () => {
  const path = 'Assignment/Rehearsed'
  const below = `${path}/Below`
  await apply({ groups: [{ path }, { path: below }] })
  const { id } = await db.selectFrom('groups').select('id').where('path', '=', below).executeTakeFirstOrThrow()
  await given.member({ id }, await given.computer())
  const state = {
    groups: [
      { path, packages: [firefox] },
      { path: below, packages: [vpn] },
    ],
  }
  const others = as(...roleNames.filter((role) => role !== 'activation.execute'))

  const rehearsed = await apply(state, { dryRun: true })
  const withoutRole = await apply(state, { dryRun: true, who: others })

  expect(rehearsed.body).toMatchObject({ applied: 2, work: [{ group: path, computers: 1 }] })
  expect(rehearsed.body.work).toHaveLength(1)
  expect(withoutRole.body).toMatchObject({ applied: 2, work: null })
})
