import { File as NodeFile } from 'node:buffer'
import { fireEvent } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, fill, isDisabled, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeAnswer, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const planning = 'POST /api/catalog/state/plan'
const applying = 'POST /api/catalog/state/apply'

type Plan = AnswerOf<typeof planning>
type Change = Plan['changes'][number]

const change = (changes: Partial<Change>): Change => ({
  ...{ section: 'groups', name: 'Configuration/Berlin', action: 'add', fields: [], operations: ['createGroup'] },
  ...{ computers: 0, members: null, blockers: [], fingerprint: changes.name ?? 'f', ...changes },
})

const planOf = (changes: Change[], others: Partial<Plan> = {}): Plan => ({
  added: changes.filter(({ action }) => action === 'add').length,
  changed: changes.filter(({ action }) => action === 'change').length,
  removed: changes.filter(({ action }) => action === 'remove').length,
  changes,
  secrets: [],
  missingRoles: [],
  ...others,
})

const berlin = `groups:
  - path: Configuration/Berlin
    description: Desks by the river
    variables:
      - { variable: Printing.Password, secret: "env:PRINT" }
`

async function chooseFiles(files: Record<string, string>): Promise<void> {
  const input = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file]')
    expect(found).not.toBeNull()
    return found as HTMLInputElement
  })
  const chosen = Object.entries(files).map(([name, text]) =>
    Object.assign(new NodeFile([text], name), { webkitRelativePath: '' }),
  )
  Object.defineProperty(input, 'files', { value: chosen, configurable: true })
  fireEvent.change(input)
  await screen.findByText(Object.keys(files)[0] ?? '')
}

const showPlan = async () => click(await screen.findByRole('button', { name: 'Show plan' }))

test('the plan shows each change with old and new values, its place in the files, and what prevents it', async () => {
  const service = fakeService().on(
    planning,
    planOf([
      change({
        action: 'change',
        computers: 80,
        fields: [{ field: 'description', before: 'Desks', after: 'Desks by the river' }],
      }),
      change({
        section: 'groupVariables',
        name: 'Configuration/Berlin ← No.Where',
        blockers: ['No.Where does not exist'],
      }),
    ]),
  )
  await openPage('/admin/desired-state')
  await chooseFiles({ 'Berlin.yaml': berlin, 'readme.md': '# Not read' })
  screen.getByText('1 other file was left out: only .yaml, .yml and .json are read.')

  await click(screen.getByLabelText('Also remove what the files do not list'))
  await showPlan()

  await row(/Change.*Groups.*Configuration\/Berlin.*Berlin\.yaml:2.*Desks → Desks by the river.*80/)
  const blocked = await row(
    /Create.*Values of groups.*Configuration\/Berlin ← No\.Where.*Blocked: No\.Where does not exist/,
  )
  screen.getByText(/1 change cannot be made/)
  screen.getByText('This plan cannot be applied as it is.')
  await expectAccessible(document.body)
  await click(screen.getByText('Changed', { selector: 'label *, label' }))
  await waitFor(() => expect(blocked.isConnected).toBe(false))
  const state = { groups: [expect.objectContaining({ path: 'Configuration/Berlin' })] }
  expect(service.bodies(planning)).toEqual([{ state, prune: true }])
})

test('exactly the plan is applied, step by step, after secrets and the number of removals were typed', async () => {
  const plan = planOf(
    [change({ name: 'Configuration/Berlin' }), change({ name: 'Configuration/Old', action: 'remove' })],
    {
      secrets: ['env:PRINT'],
    },
  )
  const answers = [
    { applied: 1, remaining: 1, work: null },
    { applied: 1, remaining: 0, work: null },
  ]
  const service = fakeService()
    .on(planning, plan)
    .on(applying, ({ query }) =>
      query.has('dryRun')
        ? { applied: 2, remaining: 0, work: [{ group: 'Configuration/Berlin', computers: 80, workItems: 12 }] }
        : (answers.shift() ?? problem(500, 'InternalError')),
    )
  await openPage('/admin/desired-state')
  await chooseFiles({ 'state.yaml': berlin })
  await showPlan()

  await screen.findByText('Tried out and rolled back: all 2 changes succeed.')
  screen.getByText('A deployment to Configuration/Berlin would then create 12 work items for 80 computers.')
  const apply = button(document.body, 'Apply 2 changes')
  expect(isDisabled(apply)).toBe(true)
  await fill(screen.getByLabelText(/^env:PRINT/), 'a secret')
  await fill(screen.getByLabelText('1 object will be removed. Type 1 to confirm'), '1')
  await click(apply)

  const done = await screen.findByText('2 changes made')
  within(done.closest('[role=status]') as HTMLElement).getByText('Configuration/Berlin')
  const body = expect.objectContaining({
    plan: ['Configuration/Berlin', 'Configuration/Old'],
    expectedRemovals: 1,
    secrets: { 'env:PRINT': 'a secret' },
  })
  expect(service.bodies(applying)).toEqual([body, body])
})

test('a plan that is no longer true is not applied, and can be made again', async () => {
  const service = fakeService()
    .on(planning, planOf([change({})]))
    .on(applying, ({ query }) =>
      query.has('dryRun')
        ? { applied: 1, remaining: 0, work: null }
        : new FakeAnswer(
            {
              ...{
                type: 'about:blank',
                title: 'Conflict',
                status: 409,
                detail: 'stale',
                code: 'StalePlan',
                requestId: 'r-1',
              },
              ...{ errors: [], changes: [{ section: 'groups', name: 'Configuration/Other', action: 'remove' }] },
            },
            { status: 409 },
          ),
    )
  await openPage('/admin/desired-state')
  await chooseFiles({ 'state.yaml': berlin })
  await showPlan()
  await click(await screen.findByRole('button', { name: 'Apply 1 change' }))

  const alert = await screen.findByRole('alert')
  within(alert).getByText('The installation has changed since this plan was made, and nothing was applied')
  within(alert).getByText('Groups: Configuration/Other')
  await click(button(alert, 'Plan again'))

  await waitFor(() => expect(service.bodies(planning)).toHaveLength(2))
  await screen.findByRole('button', { name: 'Apply 1 change' })
})

test('a step that waits for an approval leads to it, and says what is made', async () => {
  const changes = [change({ name: 'a' }), change({ name: 'b' }), change({ name: 'c' })]
  const failed = { section: 'groups', name: 'c', code: 'ApprovalRequired', detail: 'Beyond the quota.' }
  fakeService()
    .on(planning, planOf(changes))
    .on(applying, ({ query }) =>
      query.has('dryRun')
        ? { applied: 3, remaining: 0, work: null }
        : new FakeAnswer(
            {
              ...{ type: 'about:blank', title: 'Conflict', status: 409, detail: 'refused', code: 'StateStepFailed' },
              ...{ requestId: 'r-1', errors: [], applied: 2, remaining: 1, failed },
            },
            { status: 409 },
          ),
    )
  await openPage('/admin/desired-state')
  await chooseFiles({ 'state.yaml': berlin })
  await showPlan()
  await click(await screen.findByRole('button', { name: 'Apply 3 changes' }))

  const alert = await screen.findByRole('alert')
  within(alert).getByText('Groups: c waits for the approval of a second administrator. Continue afterwards.')
  expect(within(alert).getByRole('link', { name: 'Approvals' }).getAttribute('href')).toBe('/admin/approvals')
  screen.getByText('2 of 3 changes are made and stay. Continue to make the others.')
  screen.getByRole('button', { name: 'Continue' })
})

test('mistakes in files are shown with their place, whether the console or the service finds them', async () => {
  fakeService().on(planning, () =>
    problem(400, 'InvalidRequest', 'wrong', [
      { in: 'body', name: 'state.groups.0.description', reason: 'is an unknown property' },
    ]),
  )
  await openPage('/admin/desired-state')
  await chooseFiles({ 'broken.yaml': 'groups:\n  - path: [' })
  await screen.findByText(/^broken\.yaml:2:\d+: /)
  expect(isDisabled(await screen.findByRole('button', { name: 'Show plan' }))).toBe(true)
  await click(button(document.body, 'Remove broken.yaml'))

  await chooseFiles({ 'state.yaml': berlin })
  await showPlan()

  await screen.findByText("state.yaml:3: 'description' is an unknown property")
})

test('the current state is listed by section, and shown as files contain it', async () => {
  fakeService().on('GET /api/catalog/state', {
    tags: [{ name: 'Kiosks' }, { name: 'Branch offices', description: 'All sites' }],
    groups: [],
  })
  await openPage('/admin/desired-state/current', { language: 'de' })

  await row(/Tags.*tags.*2/)
  await row(/Gruppen.*groups.*0/)
  await click(button(document.body, 'Tags'))

  const drawer = await screen.findByRole('dialog', { name: 'Tags' })
  within(drawer).getByText(/- name: Branch offices/)
  await expectAccessible(drawer)
})
