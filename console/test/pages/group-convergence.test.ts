import { expect, test } from 'vitest'
import { button, click, fill, select } from '../world/acts.ts'
import { affecting, example } from '../world/fake-service.ts'
import { givenGroups } from '../world/given-groups.ts'
import { openPage, screen, waitFor, within } from '../world/open-page.tsx'

const path = '/api/group/{id}/convergence'
const off = example(`GET ${path}`, {
  groupId: 'tills',
  state: 'Off',
  isInherited: true,
  sourceGroupId: null,
  sourceGroupPath: null,
  rings: null,
  criteria: null,
  timeZone: null,
  expectedComputers: null,
  expectedPercent: null,
  maxRemovals: null,
  maxRepairsPerDay: null,
  openWaves: 0,
  waiting: null,
})

test('the members of a group are kept converged after a review', async () => {
  const { service } = givenGroups({ convergence: off })
  service.on(`GET ${path}`, off).on(`PUT ${path}`, () => affecting(5, example(`PUT ${path}`)))
  await openPage('/groups/tills/assignments')
  const card = await screen.findByRole('region', { name: 'Convergence' })
  within(card).getByText(/becomes work when somebody deploys it/)

  await click(button(card, 'Change'))
  const panel = await screen.findByRole('dialog')
  await fill(await within(panel).findByLabelText('Computers within a day without a person'), '50')
  await within(panel).findByText(/become work within two minutes/)
  await click(button(panel, 'Apply'))

  await waitFor(() => expect(service.bodies(`PUT ${path}`)).toHaveLength(1))
  expect(service.bodies(`PUT ${path}`).at(-1)).toMatchObject({
    state: 'On',
    rings: [{ percent: 10 }, {}],
    expectedComputers: 50,
    maxRemovals: 10,
  })
})

test('a group can have the convergence of the groups above it again', async () => {
  const own = { ...example(`GET ${path}`), state: 'On' as const, isInherited: false }
  const { service } = givenGroups({ convergence: own })
  service
    .on(`GET ${path}`, own)
    .on(`PUT ${path}`, () => affecting(5, own))
    .on(`DELETE ${path}`, () => affecting(5, undefined))
  await openPage('/groups/tills/assignments')

  await click(button(await screen.findByRole('region', { name: 'Convergence' }), 'Change'))
  const panel = await screen.findByRole('dialog')
  await select(await within(panel).findByLabelText('Members'), 'As in the groups above')
  await within(panel).findByText(/has the setting of the groups above it/)
  await click(button(panel, 'Apply'))

  await waitFor(() => expect(service.bodies(`DELETE ${path}`)).toHaveLength(1))
})

test('the page of a group says why changes wait, and leads to the wave', async () => {
  const waiting = { code: 'WaveNeedsPerson', sinceUtc: null, rolloutId: 'wave-1', problemCode: null } as const
  givenGroups({ convergence: { ...example(`GET ${path}`), state: 'On', openWaves: 2, waiting } })
  await openPage('/groups/tills/assignments')

  await screen.findByText(/A wave of this group is paused/)
  expect(screen.getByRole('link', { name: 'Open the wave' }).getAttribute('href')).toBe('/rollouts/wave-1')
  screen.getByRole('link', { name: 'Show 2 waves' })
})

test('maintenance windows and criteria of the waves are edited like those of a rollout', async () => {
  const windows = [{ days: ['Sat' as const], start: '22:00', durationMinutes: 240 }]
  const own = {
    ...example(`GET ${path}`),
    ...{ state: 'On' as const, isInherited: false, timeZone: 'Europe/Berlin' },
    rings: [{ name: 'Pilot', percent: 10, windows }, { windows }],
  }
  const { service } = givenGroups({ convergence: own })
  service.on(`GET ${path}`, own).on(`PUT ${path}`, () => affecting(5, own))
  await openPage('/groups/tills/assignments')

  await click(button(await screen.findByRole('region', { name: 'Convergence' }), 'Change'))
  const panel = await screen.findByRole('dialog')
  await click(await within(panel).findByRole('button', { name: /^Advanced/ }))
  await fill(await within(panel).findByLabelText('Opens at'), '20:00')
  await fill(within(panel).getByLabelText('Successes that a ring needs (%)'), '80')
  await within(panel).findByText(/become work within two minutes/)
  await click(button(panel, 'Apply'))

  await waitFor(() => expect(service.bodies(`PUT ${path}`)).toHaveLength(1))
  const changed = [{ days: ['Sat'], start: '20:00', durationMinutes: 240 }]
  expect(service.bodies(`PUT ${path}`).at(-1)).toMatchObject({
    rings: [{ percent: 10, windows: changed }, { windows: changed }],
    criteria: { minSuccessPercent: 80 },
    timeZone: 'Europe/Berlin',
  })
})

test('windows that differ from ring to ring stay unless all rings get the same', async () => {
  const windows = [{ days: ['Sat' as const], start: '22:00', durationMinutes: 240 }]
  const own = {
    ...example(`GET ${path}`),
    ...{ state: 'On' as const, isInherited: false, rings: [{ percent: 10 }, { windows }] },
  }
  const { service } = givenGroups({ convergence: own })
  service.on(`GET ${path}`, own).on(`PUT ${path}`, () => affecting(5, own))
  await openPage('/groups/tills/assignments')

  await click(button(await screen.findByRole('region', { name: 'Convergence' }), 'Change'))
  const panel = await screen.findByRole('dialog')
  await click(await within(panel).findByRole('button', { name: /^Advanced/ }))
  await within(panel).findByText(/The rings have different maintenance windows/)
  await within(panel).findByText(/become work within two minutes/)
  await click(button(panel, 'Apply'))
  await waitFor(() => expect(service.bodies(`PUT ${path}`)).toHaveLength(1))
  expect(service.bodies(`PUT ${path}`).at(-1)).toMatchObject({ rings: [{ windows: [] }, { windows }] })

  await click(button(await screen.findByRole('region', { name: 'Convergence' }), 'Change'))
  const again = await screen.findByRole('dialog')
  await click(await within(again).findByRole('button', { name: /^Advanced/ }))
  await click(button(again, 'Set the same for all rings'))
  await within(again).findByText(/Work starts at any time/)
  await click(button(again, 'Apply'))
  await waitFor(() => expect(service.bodies(`PUT ${path}`)).toHaveLength(2))
  expect(service.bodies(`PUT ${path}`).at(-1)).toMatchObject({ rings: [{ windows: [] }, { windows: [] }] })
})
