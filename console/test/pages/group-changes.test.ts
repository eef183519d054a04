import { expect, test } from 'vitest'
import { button, choose, click, fill, isDisabled, row, select } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { type GroupPage, givenGroups } from '../world/given-groups.ts'
import { openPage, screen, waitFor, within } from '../world/open-page.tsx'

test('computers become members of a group after a review', async () => {
  const add = 'POST /api/group/{id}/computers'
  const known = example('GET /api/fleet/computers')
  const bench = { ...(known.items[0] as (typeof known.items)[number]), id: 8, hostname: 'bench-1' }
  const { service } = givenGroups()
  let members: (typeof bench)[] = []
  service
    .on('GET /api/fleet/computers', ({ query }) => ({ ...known, ...listOf(query.has('groupId') ? members : [bench]) }))
    .on(add, ({ query, body }) => {
      if (!query.has('dryRun')) members = [bench]
      const results = body.computerIds.map((clientId) => ({ clientId, success: true, status: 'Added', message: '' }))
      return affecting(1, { ...example(add), results })
    })
  await openPage('/groups/tills')
  await screen.findByText('No direct members')

  await click(await screen.findByRole('button', { name: 'Add computers' }))
  const panel = await screen.findByRole('dialog')
  await choose(within(panel).getByRole('combobox', { name: 'Computers' }), 'bench-1', 'bench')
  await within(panel).findByText(/^Adds 1 computer\./)
  await click(button(panel, 'Add computers'))

  await screen.findByRole('link', { name: 'bench-1' })
  expect(service.bodies(add)).toEqual([{ computerIds: [8] }])
})

test('the value of a variable is set on a group after a review', async () => {
  const search = 'POST /api/group/{id}/variables/search'
  const variable = '/api/group/{id}/variables/{varId}'
  const { service } = givenGroups()
  const own = new FakeResource(example(`GET ${variable}`, { varId: 3, value: null }), 'VariableNotFound')
  own.serve(service, variable)
  service
    .onAny(
      `PUT ${variable}`,
      own.update(({ body }, before) => ({ ...before, ...(body as Partial<typeof before>) }), 5),
    )
    .on(search, () => {
      const known = example(search).items[0] as AnswerOf<typeof search>['items'][number]
      const { value = null } = own.value ?? {}
      const inherited = { value: 'proxy.berlin', source: 'group', sourceGroupId: 'berlin' } as const
      const shown = value === null ? inherited : ({ value, source: 'group', sourceGroupId: 'tills' } as const)
      return listOf([{ ...known, varId: 3, dottedName: 'ProxyServer', schedule: null, ...shown }])
    })
  await openPage('/groups/tills/variables')
  await row(/ProxyServer.*proxy\.berlin/)

  await click(button(document.body, 'Set ProxyServer'))
  const panel = await screen.findByRole('dialog')
  await fill(await within(panel).findByLabelText('Value'), 'proxy.tills')
  await within(panel).findByText('Sets ProxyServer for up to 5 computers.')
  await click(button(panel, 'Save'))

  await row(/ProxyServer.*proxy\.tills.*This group/)
  expect(own.value).toMatchObject({ value: 'proxy.tills', forced: false })
})

test('distribution options are set on a group and inherited again, each after a review', async () => {
  const path = '/api/group/{id}/distribution-options'
  type Options = AnswerOf<`GET ${typeof path}`>
  const changes: Partial<GroupPage> = { optionSources: [] }
  const { service } = givenGroups(changes)
  const defaults: Options = example(`GET ${path}`, { packageId: null, commands: ['Install'], scheduleString: '' })
  const options = new FakeResource<Options>(defaults, 'GroupNotFound').serve(service, path)
  const ownSource = { packageId: null, isForPackage: false, sourceGroupId: 'tills', sourceGroupPath: 'Tills' }
  const update = (apply: (body: unknown, before: Options) => Options) =>
    options.update(({ query, body }, before) => {
      const after = apply(body, before)
      if (!query.has('dryRun')) changes.optionSources = after === defaults ? [] : [ownSource]
      return after
    }, 5)
  service
    .onAny(
      `PUT ${path}`,
      update((body, before) => ({ ...before, ...(body as Partial<Options>) })),
    )
    .onAny(
      `DELETE ${path}`,
      update(() => defaults),
    )
  await openPage('/groups/tills/options')
  await screen.findByText('No group has options: packages are installed at once.')

  await click(button(document.body, 'Edit options'))
  const panel = await screen.findByRole('dialog')
  const command = await within(panel).findByRole('combobox', { name: 'Command' })
  await select(command, 'Update where an older version is installed')
  await within(panel).findByText(/^Changes the options for 5 computers/)
  await click(button(panel, 'Save'))
  await screen.findByText(/^Set on this group\./)
  expect(options.value?.commands).toEqual(['Update'])
  await click(button(document.body, 'Inherit options again'))
  const removal = await screen.findByRole('dialog')
  await within(removal).findByText(
    'Removes the options of this group. From their next deployment on, these apply to 5 computers:',
  )
  within(removal).getByText('Install where the package is missing')
  await click(button(removal, 'Remove own options'))

  await screen.findByText('No group has options: packages are installed at once.')
  expect(options.value).toEqual(defaults)
})

test('a group is deleted only after the number of its computers is typed', async () => {
  const { service } = givenGroups()
  service.on('DELETE /api/group/{id}', () => affecting(5))
  const { address } = await openPage('/groups/tills')

  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const panel = await screen.findByRole('dialog')
  const count = await within(panel).findByLabelText('Type the number of computers (5) to confirm')
  expect(isDisabled(button(panel, 'Delete'))).toBe(true)
  await fill(count, '4')
  expect(isDisabled(button(panel, 'Delete'))).toBe(true)
  await fill(count, '5')
  await click(button(panel, 'Delete'))

  await waitFor(() => expect(address()).toBe('/groups/berlin'))
  const deletions = service.sent.filter(({ name, query }) => name === 'DELETE /api/group/{id}' && !query.has('dryRun'))
  expect(deletions.map(({ query }) => query.get('expectedCount'))).toEqual(['5'])
})

test('a deadline for people is set on a group, and is refused without an end', async () => {
  const path = '/api/group/{id}/distribution-options'
  type Options = AnswerOf<`GET ${typeof path}`>
  const { service } = givenGroups({ optionSources: [] })
  const plain: Options = example(`GET ${path}`, { packageId: null, commands: ['Install'], userDeadline: null })
  const options = new FakeResource<Options>(plain, 'GroupNotFound').serve(service, path)
  service.onAny(
    `PUT ${path}`,
    options.update(({ body }, before) => ({ ...before, ...(body as Partial<Options>) }), 5),
  )
  await openPage('/groups/tills/options')
  await click(await screen.findByRole('button', { name: 'Edit options' }))
  const panel = await screen.findByRole('dialog')

  await click(await within(panel).findByRole('checkbox', { name: 'Ask the person, with a deadline' }))
  const hours = within(panel).getByRole('textbox', { name: 'Hours after the computer got the work' })
  await fill(hours, '')
  await within(panel).findByText('Enter hours or a latest time.')
  await fill(hours, '24')
  await fill(within(panel).getByRole('textbox', { name: 'Programs to close' }), 'firefox, soffice.bin')
  await within(panel).findByText(/^Changes the options for 5 computers/)
  await click(button(panel, 'Save'))

  await screen.findByText('24 hours after the computer got the work')
  expect(options.value?.userDeadline).toMatchObject({ afterHours: 24, closePrograms: ['firefox', 'soffice.bin'] })
})

test('a shutdown after a deployment shows 15 minutes of warning, which can be changed and cannot be left out', async () => {
  const activation = 'POST /api/group/{id}/activation'
  const { service } = givenGroups()
  service.on(activation, () => affecting(5, example(activation)))
  await openPage('/groups/tills')
  await click(await screen.findByRole('button', { name: 'Deploy' }))
  const panel = await screen.findByRole('dialog')

  await select(within(panel).getByLabelText('When all work is done'), 'Shutdown')
  const warning = within(panel).getByLabelText('Minutes of warning for the person')
  expect((warning as HTMLInputElement).value).toBe('15')
  const sent = () => (service.sent.findLast(({ name }) => name === activation)?.body ?? {}) as { srl?: object }
  await waitFor(() => expect(sent().srl).toEqual({ action: 'Shutdown', timeoutMinutes: 15 }))
  await fill(warning, '')
  await waitFor(() => expect(isDisabled(button(panel, 'Deploy'))).toBe(true))
  await fill(warning, '30')
  await waitFor(() => expect(sent().srl).toEqual({ action: 'Shutdown', timeoutMinutes: 30 }))
})

test('a deployment ends with a shutdown that people may delay, if that is chosen', async () => {
  const activation = 'POST /api/group/{id}/activation'
  const { service } = givenGroups()
  service.on(activation, () => affecting(5, example(activation)))
  await openPage('/groups/tills')
  await click(await screen.findByRole('button', { name: 'Deploy' }))
  const panel = await screen.findByRole('dialog')

  expect(within(panel).queryByRole('checkbox', { name: 'Ask the person, with a deadline' })).toBeNull()
  await select(within(panel).getByLabelText('When all work is done'), 'Shutdown')
  await click(await within(panel).findByRole('checkbox', { name: 'Ask the person, with a deadline' }))
  await within(panel).findByText(
    'Brings everything assigned to 2 of the 5 computers of Configuration/Berlin/Tills, at once; the others have it.',
  )
  await click(button(panel, 'Deploy'))

  await waitFor(() =>
    expect(service.bodies(activation).at(-1)).toMatchObject({
      srl: { action: 'Shutdown', timeoutMinutes: 15, userDeadline: { afterHours: 48, maxPostponements: 3 } },
    }),
  )
})
