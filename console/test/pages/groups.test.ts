import { expect, test } from 'vitest'
import { button, choose, click, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, type FakeService, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const path = '/api/fleet/groups/{id}'
const tree = '/api/fleet/group-tree'

type Page = AnswerOf<`GET ${typeof path}`>
type Assignment = Page['assignments'][number]

/** Configuration with Berlin, which has Tills, and Hamburg. Tills can be moved. */
function givenGroups(changes: Partial<Page> = {}) {
  const [known] = example(`GET ${tree}`) as [AnswerOf<`GET ${typeof tree}`>[number]]
  const places = { tills: 'berlin' }
  const pathOf = () => `Configuration/${places.tills === 'berlin' ? 'Berlin' : 'Hamburg'}/Tills`
  const group = (id: string, name: string, parentId: string | null, computers: number) =>
    ({ ...known, id, name, parentId, computers, kind: parentId ? 'Ordinary' : 'System' }) as typeof known
  const service: FakeService = fakeService()
    .on(`GET ${tree}`, () => [
      group('root', 'Configuration', null, 5),
      group('berlin', 'Berlin', 'root', places.tills === 'berlin' ? 5 : 0),
      group('hamburg', 'Hamburg', 'root', places.tills === 'hamburg' ? 5 : 0),
      group('tills', 'Tills', places.tills, 5),
    ])
    .on(`GET ${path}`, () =>
      example(`GET ${path}`, {
        ...{ id: 'tills', name: 'Tills', kind: 'Ordinary', computers: 5, members: 4 },
        ...{ parentId: places.tills, path: pathOf(), ...changes },
      }),
    )
    .on('GET /api/group/{id}', () =>
      example('GET /api/group/{id}', { id: 'tills', name: 'Tills', parentId: places.tills }),
    )
  return { service, places, pathOf }
}

/** The number below a label. */
const figure = (label: string) => screen.getByText(label, { selector: 'dt, dt *' }).closest('div')?.querySelector('dd')

test('the page of a group shows the numbers of the API, and never the value of a secret variable', async () => {
  const [known] = example(`GET ${path}`).assignments as [Assignment]
  const status = { total: 5, success: 3, failed: 1, pending: 1 }
  const own: Assignment = {
    ...known,
    objectId: 'p1',
    name: 'Card Reader Driver',
    isInherited: false,
    originGroupId: 'tills',
    status,
  }
  const inherited: Assignment = {
    ...{ ...known, objectId: 'p2', name: 'Example Editor', isInherited: true, status },
    ...{ originGroupId: 'berlin', originGroupPath: 'Configuration/Berlin' },
  }
  const { service } = givenGroups({
    health: { Healthy: 2, Warning: 1, Unreachable: 2 },
    assignments: [own, inherited],
  })
  const search = '/api/group/{id}/variables/search'
  const variable = example(`POST ${search}`).items[0] as AnswerOf<`POST ${typeof search}`>['items'][number]
  const secret = { ...variable, designation: 'StorePassword', dottedName: 'StorePassword', isSecret: true, value: null }
  service.on(`POST ${search}`, listOf([secret]))
  await openPage('/groups/tills/assignments')

  await screen.findByRole('heading', { name: 'Tills' })
  expect([figure('Computers')?.textContent, figure('Unreachable')?.textContent]).toEqual(['5', '2'])
  const results = '3 done, 1 failed, 1 pending'
  const [ownRow, inheritedRow] = [await row(/Card Reader Driver/), await row(/Example Editor/)]
  within(ownRow).getByText('This group')
  within(inheritedRow).getByText('Configuration/Berlin')
  for (const shown of [ownRow, inheritedRow]) expect(within(shown).getAllByText(results).length).toBeGreaterThan(0)
  await click(screen.getByRole('tab', { name: 'Variables' }))
  within(await row(/StorePassword/)).getByText('Secret')
})

test('a move shows beforehand what the group gains and loses, and can be undone', async () => {
  const move = '/api/group/{id}/parent'
  type Move = AnswerOf<`PUT ${typeof move}`>
  const known = example(`PUT ${move}`)
  const [gained] = known.gained as [Move['gained'][number]]
  const [variable] = known.variables as [Move['variables'][number]]
  const { service, places, pathOf } = givenGroups()
  service.onAny(`PUT ${move}`, ({ query, body }) => {
    const { parentId } = body as { parentId: string }
    const answer: Move = {
      ...{ ...known, groupId: 'tills', groups: 2, previousParentId: places.tills, parentId },
      path: `Configuration/${parentId === 'hamburg' ? 'Hamburg' : 'Berlin'}/Tills`,
      gained: [{ ...gained, name: 'Harbour Map', version: '2.1' }],
      lost: [{ ...gained, name: 'Example Editor', version: '4.2' }],
      variables: [{ ...variable, dottedName: 'ProxyServer', previousValue: 'proxy.berlin', value: 'proxy.example' }],
    }
    if (!query.has('dryRun')) places.tills = parentId
    return affecting(5, answer)
  })
  await openPage('/groups/tills/subgroups')

  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Move' }))
  const panel = await screen.findByRole('dialog')
  await choose(within(panel).getByRole('combobox', { name: /^New parent/ }), /Configuration\/Hamburg/, 'hamb')
  await within(panel).findByText('Moves 2 groups with 5 computers to Configuration/Hamburg/Tills.')
  within(panel).getByText('Harbour Map 2.1 (Package)')
  within(panel).getByText('Example Editor 4.2 (Package)')
  within(panel).getByText('ProxyServer: proxy.berlin → proxy.example')
  expect(places.tills).toBe('berlin')
  await click(button(panel, 'Move'))
  await waitFor(() => expect(places.tills).toBe('hamburg'))
  const above = () => within(screen.getByRole('navigation', { name: 'Groups above' }))
  await waitFor(() => above().getByRole('link', { name: 'Hamburg' }))
  await click(button(document.body, 'Undo'))

  await waitFor(() => above().getByRole('link', { name: 'Berlin' }))
  expect(pathOf()).toBe('Configuration/Berlin/Tills')
})
