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
