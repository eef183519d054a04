import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, fill, gone, isDisabled, press, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, FakeAnswer, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const list = 'GET /api/fleet/computers'

/** The list of computers, of which the first ones are selected. */
async function givenSelection(count: number, service = fakeService()) {
  const known = example(list)
  const computer = known.items[0] as (typeof known.items)[number]
  const fleet = Array.from({ length: count }, (_, at) => ({ ...computer, id: at + 1, hostname: `desk-${at + 1}` }))
  service.on(list, { ...known, ...listOf(fleet) })
  const page = await openPage('/computers')
  for (const { hostname } of fleet) {
    const found = await row(new RegExp(`${hostname}\\b`))
    found.focus()
    await press(' ', found)
  }
  return page
}

const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

async function openFromMenu(name: string) {
  await click(button(document.body, 'More actions'))
  await click(await screen.findByRole('menuitem', { name }))
}

const group = example('GET /api/fleet/groups').items[0] as AnswerOf<'GET /api/fleet/groups'>['items'][number]
const groups = ['Configuration/Berlin/Finance', 'Configuration/Bonn/Finance', 'Configuration/Berlin'].map((path) => ({
  ...group,
  ...{ id: path, path },
}))
const findGroups = ({ query }: { query: URLSearchParams }) =>
  listOf(groups.filter(({ path }) => path.toLowerCase().includes(query.get('search') ?? '')))

function givenPackages() {
  const found = 'POST /api/packages/search'
  const known = example(found)
  const one = known.items[0] as (typeof known.items)[number]
  return fakeService().on(found, {
    ...known,
    ...listOf([{ ...one, id: 'p1', name: 'Editor', version: '2.0', operational: true }]),
  })
}

test('a group is chosen by its path, because several groups have one name', async () => {
  const members = 'POST /api/fleet/groups/{id}/computers'
  const service = fakeService()
    .on('GET /api/fleet/groups', findGroups)
    .onAny(members, ({ params }) => affecting(1, example(members, { groupId: params[0] ?? '', added: 1 })))
  await givenSelection(1, service)

  await openFromMenu('Add to group')
  const panel = await dialog('Add computers to a group')
  await choose(within(panel).getByRole('combobox', { name: 'Group' }), 'Configuration/Bonn/Finance', 'bonn')
  await within(panel).findByText('Adds 1 computer to Configuration/Bonn/Finance.')
  await click(button(panel, 'Add to group'))

  await waitFor(() =>
    expect(service.sent.filter(({ name, query }) => name === members && !query.has('dryRun'))).toMatchObject([
      { path: '/api/fleet/groups/Configuration%2FBonn%2FFinance/computers' },
    ]),
  )
})

test('selected computers are removed from a group, which can be undone, and only those that were in it return', async () => {
  const members = '/api/group/{id}/computers'
  const result = (clientId: number, status: string) => ({ clientId, status, success: true })
  const service = fakeService()
    .on('GET /api/fleet/groups', findGroups)
    .onAny(`DELETE ${members}`, () =>
      affecting(2, { ...example(`DELETE ${members}`), results: [result(1, 'Removed'), result(2, 'NotMember')] }),
    )
    .onAny(`POST ${members}`, () => example(`POST ${members}`))
  await givenSelection(2, service)

  await openFromMenu('Remove from group')
  const panel = await dialog('Remove computers from a group')
  await choose(within(panel).getByRole('combobox', { name: 'Group' }), 'Configuration/Berlin')
  await within(panel).findByText('Removes 1 computer from Configuration/Berlin.')
  await click(button(panel, 'Remove from group'))
  await click(await screen.findByRole('button', { name: 'Undo' }))

  await waitFor(() => expect(service.bodies(`POST ${members}`)).toEqual([{ computerIds: [1] }]))
  const [sent] = service.sent.filter(({ name, query }) => name === `DELETE ${members}` && !query.has('dryRun'))
  expect(sent?.query.getAll('computerIds').join()).toBe('1,2')
})

test('a package is installed on a selection, its groups are named by their paths, and who joined one leaves it again', async () => {
  const install = 'POST /api/fleet/computers/software-install'
  const leave = 'DELETE /api/group/{id}/computers'
  const known = example(install).groups[0] as AnswerOf<typeof install>['groups'][number]
  const service = givenPackages()
    .onAny(install, () =>
      affecting(
        3,
        example(install, {
          ...{ computersWithWork: 3, alreadyInstalled: 1, notApplicable: 0, toUninstall: 0, plan: null },
          groups: [
            { ...known, groupId: 'g1', groupPath: 'Assignment/Requested software/Editor', selected: 2, isJoined: true },
            { ...known, groupId: 'g2', groupPath: 'Configuration/Berlin', selected: 1, isJoined: false },
          ],
          joinedComputerIds: [1, 2],
          trackingId: 't1',
        }),
      ),
    )
    .onAny(leave, () => example(leave))
  const { address } = await givenSelection(4, service)

  await click(button(document.body, 'Install package…'))
  const panel = await dialog('Install a package')
  await choose(within(panel).getByRole('combobox', { name: 'Package' }), 'Editor 2.0')
  await within(panel).findByText(/^Installs Editor 2.0 on 3 computers/)
  within(panel).getByText('2 computers join Assignment/Requested software/Editor')
  within(panel).getByText('1 computer has it assigned through Configuration/Berlin')
  within(panel).getByText('1 computer has it already.')
  await expectAccessible(panel)
  await click(button(panel, 'Install'))
  await waitFor(() => expect(address()).toBe('/tasks/t1'))
  await click(await screen.findByRole('button', { name: 'Undo' }))

  await waitFor(() => expect(service.sent.filter(({ name }) => name === leave)).toHaveLength(1))
  const [left] = service.sent.filter(({ name }) => name === leave)
  expect([left?.path, left?.query.getAll('computerIds')]).toEqual(['/api/group/g1/computers', ['1', '2']])
  const [sent] = service.sent.filter(({ name, query }) => name === install && !query.has('dryRun'))
  expect(sent?.query.get('expectedCount')).toBe('3')
  expect(sent?.body).toEqual({ computerIds: ids(4), packageId: 'p1' })
})

test('an uninstallation names the groups whose other computers follow, and these are typed even if they are few', async () => {
  const uninstall = 'POST /api/fleet/computers/software-uninstall'
  const cancel = `${uninstall}/cancellation` as const
  const known = example(uninstall).groups[0] as AnswerOf<typeof uninstall>['groups'][number]
  const service = givenPackages()
    .onAny(uninstall, () =>
      affecting(
        5,
        example(uninstall, {
          ...{ computersWithWork: 2, alreadyPending: 0, notInstalled: 0, notAssigned: 1, trackingId: 't1' },
          groups: [{ ...known, groupId: 'g2', groupPath: 'Configuration/Berlin', selected: 2, computers: 5 }],
        }),
      ),
    )
    .on(cancel, example(cancel))
  await givenSelection(3, service)

  await click(button(document.body, 'Uninstall package…'))
  const panel = await dialog('Uninstall a package')
  await choose(within(panel).getByRole('combobox', { name: 'Package' }), 'Editor 2.0')
  await within(panel).findByText(/^Uninstalls Editor 2.0 from 2 computers of the selection/)
  within(panel).getByText('Configuration/Berlin: 2 of 5 computers selected')
  within(panel).getByText(/^3 other computers of these groups will uninstall it, too/)
  within(panel).getByText(/^It is not assigned to 1 computer/)
  const withoutCount = isDisabled(button(panel, 'Uninstall'))
  await fill(within(panel).getByLabelText('Type the number of computers (5) to confirm'), '5')
  await expectAccessible(panel)
  await click(button(panel, 'Uninstall'))
  await click(await screen.findByRole('button', { name: 'Undo' }))

  await waitFor(() => expect(service.bodies(cancel)).toEqual([{ computerIds: ids(3), packageId: 'p1' }]))
  expect(withoutCount).toBe(true)
})

test('a selection is deleted after its computers are named and their number is typed, and is empty then', async () => {
  const deletion = 'POST /api/fleet/computers/deletion'
  const service = fakeService().onAny(deletion, () =>
    affecting(
      2,
      example(deletion, {
        ...{ deleted: 2, groupMembers: 1, listedDepots: 1, masterServers: 1, notFound: 0 },
        firstComputers: [
          { computerId: 1, name: 'desk-1' },
          { computerId: 2, name: 'desk-2' },
        ],
      }),
    ),
  )
  await givenSelection(3, service)

  await openFromMenu('Delete…')
  const panel = await dialog('Delete computers')
  await within(panel).findByText(/^Deletes 2 computers with inventory/)
  const named = within(panel)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  within(panel).getByText('The master server is kept.')
  within(panel).getByText(/^1 of them is a depot/)
  await fill(within(panel).getByLabelText('Type the number of computers (2) to confirm'), '2')
  await expectAccessible(panel)
  await click(button(panel, 'Delete'))

  await screen.findByText('Deleted 2 computers.')
  expect(named).toEqual(['desk-1', 'desk-2'])
  expect(service.bodies(deletion)).toEqual([{ computerIds: ids(3) }])
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
})

test('a restart of a selection gives users time unless somebody chooses otherwise', async () => {
  const reboot = 'POST /api/fleet/computers/reboot'
  const service = fakeService().onAny(reboot, () =>
    affecting(2, example(reboot, { requested: 2, alreadyRequested: 0, withoutGroup: 0, trackingId: null })),
  )
  await givenSelection(2, service)

  await click(button(document.body, 'Restart'))
  const panel = await dialog('Restart computers')
  await within(panel).findByText(/^Restarts 2 computers after work that has begun\..*15 minutes\.$/)
  await fill(within(panel).getByLabelText(/^Minutes until/), '1440')
  await within(panel).findByText(/logged-on users have 24 hours\.$/)
  await fill(within(panel).getByLabelText(/^Minutes until/), '15')
  await within(panel).findByText(/15 minutes\.$/)
  await click(button(panel, 'Restart'))
  await gone(panel)
  await click(button(document.body, 'Restart'))
  const again = await dialog('Restart computers')
  await click(within(again).getByLabelText('At the next contact'))
  await within(again).findByText(/^Restarts 2 computers at the next contact/)
  await click(button(again, 'Restart'))

  await waitFor(() => expect(service.bodies(reboot)).toHaveLength(2))
  expect(service.bodies(reboot).map(({ timeoutMinutes }) => timeoutMinutes)).toEqual([15, -1])
})

test('a deployment asks for the number of computers that it says to deploy to, and names the packages', async () => {
  const activation = 'POST /api/fleet/computers/activation'
  const known = example(activation)
  const plan = known.plan as NonNullable<typeof known.plan>
  const [one] = plan.packages
  const service = fakeService().onAny(activation, () =>
    affecting(
      304,
      example(activation, {
        ...{ computerCount: 304, computersWithWork: 265, packageCount: 1, trackingId: 't1' },
        plan: { ...plan, packages: one ? [{ ...one, name: 'Editor', version: '2.0', requiredBy: [] }] : [] },
      }),
    ),
  )
  const { address } = await givenSelection(2, service)

  await click(button(document.body, 'Deploy'))
  const panel = await dialog('Deploy assigned software')
  await within(panel).findByText('Deploys to 265 of 304 computers, at once.')
  within(panel).getByText(/^Editor 2.0:/)
  within(panel).getByText(/^To deploy in rings/)
  await fill(within(panel).getByLabelText('Type the number of computers (265) to confirm'), '265')
  await click(button(panel, 'Deploy'))

  await waitFor(() => expect(address()).toBe('/tasks/t1'))
  const [sent] = service.sent.filter(({ name, query }) => name === activation && !query.has('dryRun'))
  expect(sent?.query.get('expectedCount')).toBe('304')
})

test('what exceeds the quota is requested from the panel, and waits for a second administrator', async () => {
  const deletion = 'POST /api/fleet/computers/deletion'
  const service = fakeService().onAny(
    deletion,
    () =>
      new FakeAnswer(
        {
          ...{ type: 'about:blank', title: 'ApprovalRequired', status: 409, code: 'ApprovalRequired', detail: 'Wait.' },
          ...{ requestId: 'r-1', computerCount: 3, quota: 2, usedInLastHour: 1, approvalId: null },
        },
        { status: 409 },
      ),
  )
  await givenSelection(3, service)

  await openFromMenu('Delete…')
  const panel = await dialog('Delete computers')
  await within(panel).findByText(/^It affects 3 computers\. You may affect 2 computers within an hour/)
  await fill(within(panel).getByLabelText('Type the number of computers (3) to confirm'), '3')
  await expectAccessible(panel)
  await click(button(panel, 'Request approval'))

  await within(panel).findByText(/^It exceeds the quota of destructive actions/)
  expect(within(panel).queryByRole('button', { name: 'Request approval' })).toBeNull()
  const [sent] = service.sent.filter(({ name, query }) => name === deletion && !query.has('dryRun'))
  expect(sent?.query.has('expectedCount')).toBe(false)
})
