import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, fill } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

const path = '/api/patch-policies/{id}'
type Policy = AnswerOf<`GET ${typeof path}`>
type Progress = AnswerOf<`GET ${typeof path}/progress`>['items'][number]
type Assignment = AnswerOf<`GET ${typeof path}/assignments`>['items'][number]
type Ruling = AnswerOf<'GET /api/computer/{id}/patch-rulings'>['items'][number]
type Rehearsal = AnswerOf<'POST /api/patch-policies/rehearsal'>

const [group] = example('GET /api/fleet/groups').items as [AnswerOf<'GET /api/fleet/groups'>['items'][number]]
const groupId = '00000000-0000-4000-8000-000000000007'

const critical = { name: 'Critical first', action: 'Approve', severities: ['Critical'], afterDays: 2 } as const
const policy: Policy = {
  ...{ id: 7, name: 'Workstations', description: '', priority: 100, assignmentCount: 1 },
  changedAtUtc: '2026-11-01T00:00:00.000Z',
  rules: [
    { ...critical, severities: ['Critical'] },
    { name: 'No previews', action: 'Decline', titles: ['*preview*'] },
    { name: 'The rest', action: 'Review', unconfirmed: true },
  ],
  rings: [],
  restart: null,
}
const rehearsal: Rehearsal = {
  ...example('POST /api/patch-policies/rehearsal'),
  ...{ patchCount: 3, computerCount: 240, isEstimate: true, undecidedCount: 4 },
  rules: [{ number: 1, patchCount: 3 }],
  days: [{ day: '2026-11-12', patchCount: 3, computerCount: 240, lackingCount: 12 }],
  patches: [
    {
      ...{ patchId: 1, patchName: 'KB1', productName: 'Windows 11', severity: 'Critical', ruleNumber: 1 },
      approvedUtc: '2026-11-12T00:00:00.000Z',
    },
  ],
}

/** Chooses from the list of this field: others on the page have the same groups. */
async function chooseGroup(field: HTMLElement, name: string): Promise<void> {
  await click(field)
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
  if (!list) throw new Error('The field has opened no list.')
  await click(await within(list).findByRole('option', { name }))
}

test('the list says in words what the rules of each policy do', async () => {
  fakeService().on('GET /api/patch-policies', listOf([policy]))

  await openPage('/patches/policies')

  const table = await screen.findByRole('table', { name: 'Patch policies' })
  within(table).getByRole('link', { name: 'Workstations' })
  within(table).getByText('Approve 2 days after the release: severity Critical')
  within(table).getByText('Decline: title *preview*')
  within(table).getByText('Leave to a person: also patches that only computers have reported')
  await expectAccessible(document.body)
})

test('a policy is created with rules in their order, after a rehearsal that changes nothing', async () => {
  const service = fakeService()
    .on('GET /api/patch-policies', listOf([]))
    .on('GET /api/fleet/groups', listOf([{ ...group, id: groupId, path: 'Configuration/Office' }]))
    .onAny('POST /api/patch-policies/rehearsal', () => rehearsal)
    .onAny('POST /api/patch-policies', ({ body }) => ({ ...policy, ...(body as object) }))
    .on(`GET ${path}`, policy)
    .on(`GET ${path}/assignments`, listOf([]))
  await openPage('/patches/policies')

  await click(await screen.findByRole('button', { name: 'New policy' }))
  const panel = await dialog('New policy')
  await fill(within(panel).getByRole('textbox', { name: /^Name(?! of)/ }), 'Servers')
  await click(button(panel, 'Add a rule'))
  const second = within(panel).getByRole('group', { name: 'Rule 2' })
  await fill(within(second).getByRole('textbox', { name: /^Name of the rule/ }), 'Later')
  await click(button(panel, 'Move Later up'))
  await choose(within(panel).getByRole('combobox', { name: 'On the computers of' }), 'Configuration/Office')
  await click(button(panel, 'Rehearse'))
  await within(panel).findByText('3 patches would have been approved, which about 240 computers have or lack.')
  await within(panel).findByText('Servers is assigned to no group yet: computers are not affected.')
  await click(button(panel, 'New policy'))

  await screen.findByText('The patch policy was created.')
  const rehearsals = service.sent.filter(({ name }) => name === 'POST /api/patch-policies/rehearsal')
  expect(rehearsals.map(({ body }) => body)).toMatchObject([{ days: 90, groupId, rules: [{ name: 'Later' }, {}] }])
  const sent = service.sent.filter(({ name, query }) => name === 'POST /api/patch-policies' && !query.has('dryRun'))
  expect(sent.map(({ body }) => body)).toMatchObject([
    {
      name: 'Servers',
      rules: [
        { name: 'Later', action: 'Approve', afterDays: 7 },
        { name: 'Approve 7 days after the release', action: 'Approve', afterDays: 7 },
      ],
    },
  ])
})

test('a policy is edited with the number of its computers in view, and assigned to a group', async () => {
  const [assignment] = example(`GET ${path}/assignments`).items as [Assignment]
  const service = fakeService()
    .on(`GET ${path}`, policy)
    .on(`GET ${path}/assignments`, listOf([{ ...assignment, policyId: 7, groupPath: 'Office', computerCount: 12 }]))
    .on('GET /api/fleet/groups', listOf([{ ...group, id: groupId, path: 'Configuration/Tills' }]))
    .onAny(`PATCH ${path}`, () => affecting(12, policy))
    .onAny(`POST ${path}/assignments`, () => affecting(30, { ...assignment, groupId }))
    .onAny(`DELETE ${path}/assignments/{groupId}`, () => affecting(12, undefined))
  await openPage('/patch-policies/7')

  await screen.findByText('Critical first')
  await click(await screen.findByRole('button', { name: 'Edit' }))
  const panel = await dialog('Edit Workstations')
  const first = within(panel).getByRole('group', { name: 'Rule 1' })
  await fill(within(first).getByRole('textbox', { name: 'Days after the release' }), '5')
  await within(panel).findByText(/^Changes what 12 computers get/)
  await click(button(panel, 'Save'))
  await screen.findByText('Saved')
  await click(await screen.findByRole('button', { name: 'Assign to group' }))
  const assigning = await dialog('Assign to a group of computers?')
  await chooseGroup(within(assigning).getByRole('combobox', { name: 'Group' }), 'Configuration/Tills')
  await within(assigning).findByText(/^The rules apply to 30 computers/)
  await click(button(assigning, 'Assign to group'))
  await screen.findByText('The patch policy was assigned.')
  await click(await screen.findByRole('button', { name: 'Remove the assignment to Office' }))
  await click(button(await dialog('Remove the assignment?'), 'Remove'))
  await screen.findByText('The assignment was removed.')

  const sent = service.sent.filter(({ name, query }) => name === `PATCH ${path}` && !query.has('dryRun'))
  const assigned = service.sent.find(({ name, query }) => name === `POST ${path}/assignments` && !query.has('dryRun'))
  expect(assigned?.body).toEqual({ groupId })
  expect(sent[0]?.body).toEqual({ rules: [{ ...critical, afterDays: 5 }, ...policy.rules.slice(1)] })
})

const gate = { minInstalledPercent: 80, maxFailedPercent: 5, minComputers: 1 }

test('a policy gets rings: a share of the computers, a group, and everybody else', async () => {
  const service = fakeService()
    .on(`GET ${path}`, policy)
    .on(`GET ${path}/assignments`, listOf([]))
    .on(`GET ${path}/progress`, listOf([]))
    .on('GET /api/fleet/groups', listOf([{ ...group, id: groupId, path: 'Configuration/Tills' }]))
    .onAny(`PATCH ${path}`, () => affecting(12, policy))
  await openPage('/patch-policies/7')

  await click(await screen.findByRole('button', { name: 'Edit' }))
  const panel = await dialog('Edit Workstations')
  const ring = (place: number) => within(panel).getByRole('group', { name: `Ring ${place}` })
  await click(button(panel, 'Add a ring'))
  await choose(within(ring(1)).getByRole('combobox', { name: 'Computers' }), 'A group')
  await chooseGroup(within(ring(1)).getByRole('combobox', { name: /^Group of the ring/ }), 'Configuration/Tills')
  await fill(within(ring(1)).getByRole('textbox', { name: 'Results at least' }), '4')
  await click(button(panel, 'Add a ring'))
  await fill(within(ring(2)).getByRole('textbox', { name: /^Name of the ring/ }), 'Early')
  await fill(within(ring(2)).getByRole('textbox', { name: 'Percent' }), '5')
  within(ring(3)).getByText('All other computers.')
  await within(panel).findByText(/^Changes what 12 computers get/)
  await click(button(panel, 'Save'))
  await screen.findByText('Saved')

  const sent = service.sent.filter(({ name, query }) => name === `PATCH ${path}` && !query.has('dryRun'))
  expect(sent[0]?.body).toEqual({
    rings: [
      { name: 'Pilot', groupId, afterDays: 0, gate: { ...gate, minComputers: 4 } },
      { name: 'Early', percent: 5, afterDays: 0, gate },
      { name: 'Everybody else', afterDays: 2, gate },
    ],
  })
})

test('the page of a policy shows how far each patch is, and pauses, resumes and stops it', async () => {
  const [known] = example(`GET ${path}/progress`).items as [Progress]
  const ring = (at: number, name: string, installed: number, lacking: number, failed = 0) => ({
    ...{ ring: at, name, installed, lacking, failed, away: 0 },
  })
  const progress: Progress = {
    ...known,
    ...{
      patchId: 1,
      patchName: 'KB1',
      productId: 2,
      state: 'Open',
      openRing: 1,
      isApprovedByPerson: false,
      rollback: null,
    },
    rings: [ring(1, 'Pilot', 31, 19, 2), ring(2, 'Everybody', 0, 400)],
    message: 'Ring 2 (Everybody) opens once ring 1 has installed it on 80 % (now 62 % of 50 computers).',
  }
  const paused: Progress = { ...progress, patchId: 3, patchName: 'KB3', state: 'Paused', message: 'Ann paused it.' }
  const service = fakeService()
    .on(`GET ${path}`, {
      ...policy,
      rings: [
        { name: 'Pilot', percent: 5, afterDays: 0, gate },
        { name: 'Everybody', afterDays: 3, gate },
      ],
    })
    .on(`GET ${path}/assignments`, listOf([]))
    .on(`GET ${path}/progress`, listOf([progress, paused]))
    .onAny(`POST ${path}/progress/{patchId}/pause`, () => ({ items: [paused] }))
    .onAny(`POST ${path}/progress/{patchId}/stop`, () => affecting(0, { items: [paused] }))
    .onAny(`POST ${path}/progress/{patchId}/resume`, () => affecting(19, { items: [progress] }))
  await openPage('/patch-policies/7')

  const table = await screen.findByRole('table', { name: 'Patches in their rings' })
  within(table).getByText(progress.message)
  within(table).getAllByText('Pilot: 31 of 50, 2 failed')
  screen.getByText('3 days after the ring before has met its gate.', { exact: false })
  await click(within(table).getByRole('button', { name: 'Pause KB1' }))
  const pausing = await dialog('Pause KB1')
  await fill(within(pausing).getByRole('textbox', { name: 'Reason' }), 'It breaks printing')
  await within(pausing).findByText(/^No further computer begins/)
  await click(button(pausing, 'Pause'))
  await screen.findByText('The patch is paused.')
  await click(within(table).getByRole('button', { name: 'Stop KB1' }))
  const stopping = await dialog('Stop KB1')
  await within(stopping).findByText(/^The policy no longer releases the patch/)
  await click(button(stopping, 'Stop'))
  await screen.findByText('The patch is stopped.')
  await click(within(table).getByRole('button', { name: 'Resume KB3' }))
  const resuming = await dialog('Resume KB3')
  await within(resuming).findByText(/^19 computers of the policy lack the patch/)
  await click(button(resuming, 'Resume'))
  await screen.findByText('The patch was resumed.')

  const sent = service.sent.filter(({ name, query }) => name.startsWith('POST') && !query.has('dryRun'))
  expect(sent.map(({ body }) => body)).toEqual([
    { reason: 'It breaks printing' },
    { reason: null, rollBack: false },
    undefined,
  ])
  await expectAccessible(document.body)
})

test('somebody without pm.approve sees policies and rehearsals, and changes nothing', async () => {
  fakeService({ roles: ['pm.read'] })
    .on(`GET ${path}`, policy)
    .on(`GET ${path}/assignments`, listOf([]))

  await openPage('/patch-policies/7')

  await screen.findByText('Not assigned to any group: it has no effect.')
  await screen.findByRole('button', { name: 'Rehearse' })
  for (const name of ['Edit', 'Delete', 'Assign to group']) expect(screen.queryByRole('button', { name })).toBeNull()
})

test('the patches of a computer say which rule decides about them', async () => {
  const patches = '/api/computer/{id}/patches-search'
  const [known] = example(`POST ${patches}`).items as [AnswerOf<`POST ${typeof patches}`>['items'][number]]
  const [ruling] = example('GET /api/computer/{id}/patch-rulings').items as [Ruling]
  fakeService()
    .on('GET /api/fleet/computers/{id}', example('GET /api/fleet/computers/{id}'))
    .onAny(`POST ${patches}`, () => listOf([{ ...known, patchId: 1, productId: 2 }]))
    .on(
      'GET /api/computer/{id}/patch-rulings',
      listOf([
        {
          ...ruling,
          ...{ patchId: 1, productId: 2, state: 'Waiting', policyId: 7, policyName: 'Workstations', pmGroupName: null },
          ...{ ruleName: 'Critical first', approvedUtc: '2026-11-21T00:00:00.000Z', isApprovedByPerson: false },
        },
      ]),
    )

  await openPage('/computers/17/patches')

  await screen.findByText('Waits')
  await screen.findByRole('link', { name: /from .*21.* by rule Critical first of Workstations/ })
})
