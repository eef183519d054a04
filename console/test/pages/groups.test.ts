import { expect, test } from 'vitest'
import { button, choose, click, fill, press, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { type GroupPage, givenGroups } from '../world/given-groups.ts'
import { openPage, screen, waitFor, within } from '../world/open-page.tsx'

type Assignment = GroupPage['assignments'][number]

/** The number below a label. */
const figure = (label: string) => screen.getByText(label, { selector: 'dt, dt *' }).closest('div')?.querySelector('dd')

test('the page of a group shows the numbers of the API, and never the value of a secret variable', async () => {
  const [known] = example('GET /api/fleet/groups/{id}').assignments as [Assignment]
  const status = { total: 5, success: 3, failed: 1, pending: 1, notApplicable: 0 }
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

test('the tree is used with the keyboard alone, and the address keeps what is open and chosen', async () => {
  givenGroups()
  const { address, close } = await openPage('/groups')
  const tree = await screen.findByRole('tree')
  const item = (name: RegExp) => screen.findByRole('treeitem', { name })
  const current = () => document.querySelector(`[id="${tree.getAttribute('aria-activedescendant')}"] [title]`)
  const shows = (name: string) => waitFor(() => expect(current()?.getAttribute('title')).toBe(name))
  // Without a pause, which would begin another word.
  const type = (text: string) => Promise.all([...text].map((letter) => press(letter, tree)))

  expect(tree.tabIndex).toBe(0)
  tree.focus()
  await press('Home', tree)
  await press('ArrowDown', tree)
  await shows('Berlin')
  await press('ArrowRight', tree)
  await item(/^Tills.*5 computers/)
  await press('ArrowRight', tree)
  await shows('Tills')
  await press('ArrowLeft', tree)
  await shows('Berlin')
  await type('ham')
  await shows('Hamburg')
  await press('End', tree)
  await press('Home', tree)
  await shows('Configuration')
  await type('ti')
  await press('Enter', tree)
  await screen.findByRole('heading', { name: 'Tills' })
  expect(document.activeElement).toBe(tree)

  const kept = address()
  close()
  givenGroups()
  await openPage(kept)
  expect((await item(/^Tills/)).getAttribute('aria-selected')).toBe('true')
  expect((await item(/^Berlin/)).getAttribute('aria-expanded')).toBe('true')
  await fill(screen.getByRole('searchbox', { name: 'Search groups' }), 'till')
  await waitFor(() => expect(screen.queryByRole('treeitem', { name: /^Hamburg/ })).toBeNull())
  await item(/^Tills/)
})

test('the review of a deployment says in total and by package what is installed and removed, and where nothing is to be done', async () => {
  const activation = 'POST /api/group/{id}/activation'
  const none = { install: 0, remove: 0, offer: 0, pending: 0, nothingToDo: 0, notApplicable: 0 }
  const packages = [
    { ...none, packageId: 'p1', name: 'Editor', version: '2.0', install: 3, nothingToDo: 2, requiredBy: [] },
    { ...none, packageId: 'p2', name: 'Viewer', version: null, remove: 1, pending: 1, requiredBy: [] },
  ]
  const plan = { ...none, install: 3, remove: 1, pending: 1, nothingToDo: 1, packages }
  const { service } = givenGroups()
  service.on(activation, () => affecting(5, { ...example(activation), plan }))
  await openPage('/groups/tills')

  await click(await screen.findByRole('button', { name: 'Deploy' }))
  const panel = await screen.findByRole('dialog')

  await within(panel).findByText(
    'In total: install on 3 computers, remove from 1 computer, already on its way on 1 computer, nothing to do for 1 computer.',
  )
  expect(
    within(panel)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Editor 2.0: install on 3 computers, nothing to do for 2 computers',
    'Viewer: remove from 1 computer, already on its way on 1 computer',
  ])
})

test('a rollout shows its rings beforehand, is started with its windows and deadline, and lands on its page', async () => {
  const create = 'POST /api/rollouts'
  const activation = 'POST /api/group/{id}/activation'
  const known = example(create)
  const [ring] = known.rings as [(typeof known.rings)[number]]
  const { service } = givenGroups()
  let started = known
  service
    .on(activation, () => affecting(5, example(activation)))
    .on(create, ({ body }) => {
      const rings = body.rings.map(({ name }, index) => {
        return {
          ...ring,
          ring: index + 1,
          name: name ?? '',
          doneAtUtc: null,
          windows: body.windows ?? [],
        } as typeof ring
      })
      started = { ...known, rolloutId: 'r9', ringCount: rings.length, rings }
      return affecting(5, started)
    })
    .on('GET /api/rollouts/{id}', () => ({ ...example('GET /api/rollouts/{id}'), ...started }))
  const { address } = await openPage('/groups/tills')

  await click(await screen.findByRole('button', { name: 'Deploy' }))
  const panel = await screen.findByRole('dialog')
  await click(await within(panel).findByRole('radio', { name: /^In rings/ }))
  await within(panel).findByText(/^Reaches the 5 computers of Configuration\/Berlin\/Tills in 3 rings\./)
  const rings = within(within(panel).getByRole('table', { name: 'Rings' })).getAllByRole('row')
  const nameIn = ({ textContent }: HTMLElement) => /^(Pilot|Early|Everybody)/.exec(textContent ?? '')?.[0]
  expect(rings.map(nameIn)).toEqual([undefined, 'Pilot', 'Early', 'Everybody'])
  await click(button(panel, 'Remove ring 2'))
  await within(panel).findByText(/^Reaches the 5 computers of Configuration\/Berlin\/Tills in 2 rings\./)
  await click(button(panel, /^Advanced/))
  await click(await within(panel).findByRole('button', { name: 'Add window' }))
  await click(await within(panel).findByLabelText('Sat'))
  await fill(within(panel).getByLabelText('Opens at'), '21:30')
  await fill(within(panel).getByLabelText('Deadline'), '2030-02-01T06:00')
  await fill(within(panel).getByLabelText('Pause at this many failed restarts'), '')
  await within(panel).findByText(/^Reaches the 5 computers of Configuration\/Berlin\/Tills in 2 rings\./)
  await click(button(panel, 'Deploy'))

  await waitFor(() => expect(address()).toBe('/rollouts/r9'))
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
  expect(service.bodies(create)).toMatchObject([
    {
      groupId: 'tills',
      rings: [{ name: 'Pilot' }, {}],
      windows: [{ days, start: '21:30', durationMinutes: 240 }],
      deadlineUtc: new Date('2030-02-01T06:00').toISOString(),
      criteria: { bootFailures: null },
    },
  ])
  await screen.findAllByText(/Window: Mon, Tue, Wed, Thu, Fri, Sat from 21:30 for 4 hours/)
})

test('a large group is deployed in rings unless somebody chooses otherwise, and a small one at once', async () => {
  const chosen = async (computers: number) => {
    const { service } = givenGroups({ computers })
    service.on('POST /api/rollouts', affecting(computers, example('POST /api/rollouts')))
    service.on('POST /api/group/{id}/activation', affecting(computers, example('POST /api/group/{id}/activation')))
    const { close } = await openPage('/groups/tills')
    await click(await screen.findByRole('button', { name: 'Deploy' }))
    const panel = within(await screen.findByRole('dialog'))
    const radio = (await panel.findByRole('radio', { name: /^In rings/ })) as HTMLInputElement
    const { checked } = radio
    close()
    return checked
  }

  expect([await chosen(101), await chosen(100)]).toEqual([true, false])
})

test('the members of a group say that computers choose by what they report whether they get secrets', async () => {
  const { rule } = example('GET /api/fleet/groups/{id}')
  const warning = { code: 'ReportedPropertiesGiveSecrets', message: 'A sentence of the service' } as const
  givenGroups({
    rule: { ...rule, state: 'Active', criteria: { networks: ['192.0.2.0/24'] }, restlessComputers: 2, warning },
  })
  await openPage('/groups/tills/members')

  await screen.findByText(/gets the secret values that the group has or inherits/)
  await screen.findByText(/2 computers kept where they are, because they keep joining and leaving/)
})

test('setting a secret value says that computers choose by what they report whether they get it', async () => {
  const [search, path] = ['POST /api/group/{id}/variables/search', '/api/group/{id}/variables/{varId}'] as const
  const { service } = givenGroups()
  const warning = { code: 'SecretForReportedProperties', message: 'A sentence of the service' } as const
  const [known] = example(search).items as [AnswerOf<typeof search>['items'][number]]
  service
    .on(search, listOf([{ ...known, varId: 3, dottedName: 'StorePassword', isSecret: true, value: null }]))
    .on(`GET ${path}`, example(`GET ${path}`, { varId: 3, isSecret: true, value: null, warning }))
  await openPage('/groups/tills/variables')
  await row(/StorePassword/)

  await click(button(document.body, 'Set StorePassword'))

  await within(await screen.findByRole('dialog')).findByText(/joins and gets this secret value/)
})
