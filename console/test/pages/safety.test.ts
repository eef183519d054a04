import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, fill, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, type FakeService, listOf } from '../world/fake-service.ts'
import { FakeEventSource } from '../world/fake-stream.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const approvals = '/api/approvals'
type Approval = AnswerOf<`GET ${typeof approvals}`>['items'][number]
type State = Approval['state']

const changed = () => FakeEventSource.emit({ type: 'muster.approval.requested', data: {} })

function deletion(approvalId: string, group: string, computerCount: number): Approval {
  const known = example(`GET ${approvals}`).items[0] as Approval
  const name = (computerId: number) => ({ computerId, name: `till-${computerId}`, currentName: `till-${computerId}` })
  return {
    ...known,
    approvalId,
    state: 'Pending',
    requesterId: 99,
    requesterName: 'Nightly job',
    operation: 'deleteGroup',
    target: `/api/group/${group}`,
    targetName: `Configuration/${group}`,
    subjects: [{ kind: 'Group', id: group, name: `Configuration/${group}`, currentName: `Configuration/${group}` }],
    computerCount,
    firstComputers: Array.from({ length: Math.min(computerCount, 10) }, (_, at) => name(at + 1)),
  }
}

/** Requests above the quota, which a decision changes. */
function givenRequests(...requests: Approval[]) {
  const service: FakeService = fakeService()
  let list = requests
  const decide = (id: string | undefined, state: State) => {
    list = list.map((one) => (one.approvalId === id ? { ...one, state, problemCode: null } : one))
    return list.find(({ approvalId }) => approvalId === id) as Approval
  }
  service
    .on(`GET ${approvals}`, ({ query }) => listOf(list.filter(({ state }) => (query.get('state') ?? state) === state)))
    .on(`POST ${approvals}/{id}`, ({ params }) => decide(params[0], 'Executed'))
    .on(`DELETE ${approvals}/{id}`, ({ params }) => decide(params[0], 'Denied'))
  // What waits in all lists, as the navigation counts it.
  service.on('GET /api/fleet/decisions', () => ({
    decisions: list.length === 0 ? [] : [{ kind: 'Approval' as const, count: list.length, items: [] }],
  }))
  return {
    set(...now: Approval[]) {
      list = now
    },
  }
}

test('a request above the quota is approved with its count and content in view, and another one is denied', async () => {
  givenRequests(deletion('a', 'Tills', 3), deletion('b', 'Kiosks', 2))
  await openPage('/admin/approvals')

  await row(/Delete a group.*Tills.*3.*Waiting/)
  await click(button(document.body, 'Approve: Delete a group, Configuration/Tills'))
  const asked = await dialog('Approve “Delete a group”?')
  within(asked).getByText(/affects 3 computers/)
  await expectAccessible(asked)
  within(asked).getByText(/till-1, till-2, till-3/)
  within(asked).getByText(/"target": "\/api\/group\/Tills"/)
  await click(button(asked, 'Approve'))
  await row(/Tills.*Carried out/)
  await click(button(document.body, 'Deny: Delete a group, Configuration/Kiosks'))
  await click(button(await dialog(/Deny/), 'Deny'))

  await row(/Kiosks.*Denied/)
})

test('a badge in the navigation counts the requests that wait, and follows them without a reload', async () => {
  const requests = givenRequests()
  await openPage('/admin/approvals')
  const link = (name: string) => screen.findByRole('link', { name })
  await link('Approvals')

  requests.set(deletion('a', 'Tills', 1))
  await changed()
  await link('Approvals 1 waiting')
  requests.set(deletion('a', 'Tills', 1), deletion('b', 'Kiosks', 25))
  await changed()
  await link('Approvals 2 waiting')
  await screen.findByText('and 22 more')
  requests.set()
  await changed()
  await link('Approvals')
})

test('a person who cannot approve sees no badge, and asks for no requests', async () => {
  const service = fakeService({ roles: ['computer.read'] })
  await openPage('/computers')
  await screen.findByRole('link', { name: 'Computers' })

  expect(screen.queryByText(/waiting/)).toBeNull()
  expect(service.sent.filter(({ path }) => path === approvals)).toEqual([])
})

test('a freeze is started with a reason, shown above every page, and ended', async () => {
  let freeze: AnswerOf<'GET /api/freeze'> = { frozen: false, reason: null, frozenAtUtc: null, frozenBy: null }
  const service = fakeService()
    .on('GET /api/freeze', () => freeze)
    .on('PUT /api/freeze', ({ body }) => {
      freeze = {
        ...freeze,
        frozen: body.frozen,
        reason: body.reason ?? null,
        frozenBy: 'The visitor',
        frozenAtUtc: '2026-01-01T00:00:00.000Z',
      }
      return freeze
    })
  await openPage('/admin/safety')

  await fill(await screen.findByLabelText(/^Reason/), 'Wrong package on the tills')
  await click(button(document.body, 'Freeze'))
  await screen.findByText(/No new work is handed out/)
  await click(screen.getByRole('link', { name: 'About' }))
  await screen.findByRole('heading', { name: 'About' })
  screen.getByText(/Wrong package on the tills/)
  await expectAccessible(screen.getByRole('main'))
  await click(screen.getByRole('link', { name: 'Open safety limits' }))
  await click(await screen.findByRole('button', { name: 'End freeze' }))
  await click(button(await dialog(/End/), 'End freeze'))

  await screen.findByText('Work is handed out as usual.')
  expect(service.bodies('PUT /api/freeze')).toMatchObject([
    { frozen: true, reason: 'Wrong package on the tills' },
    { frozen: false },
  ])
  await waitFor(() => expect(screen.queryByText(/No new work is handed out/)).toBeNull())
})

test('the quotas are changed, and an empty field means no limit', async () => {
  const service = fakeService()
    .on('GET /api/blast-radius', { apiQuota: 100, consoleQuota: 500 })
    .on('PUT /api/blast-radius', ({ body }) => ({
      apiQuota: body.apiQuota ?? null,
      consoleQuota: body.consoleQuota ?? null,
    }))
  await openPage('/admin/safety', { language: 'de' })

  await fill(await screen.findByLabelText('Programme mit Zugriffstoken'), '1200')
  await fill(screen.getByLabelText('Personen in dieser Konsole'), '')
  await click(button(document.body, 'Kontingente speichern'))

  await screen.findByText('Gespeichert')
  expect(service.bodies('PUT /api/blast-radius')).toEqual([{ apiQuota: 1200, consoleQuota: null }])
})
