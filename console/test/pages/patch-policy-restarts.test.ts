import { expect, test } from 'vitest'
import { button, click, dialog, fill } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

const path = '/api/patch-policies/{id}'
type Policy = AnswerOf<`GET ${typeof path}`>

const policy: Policy = {
  ...{ id: 7, name: 'Workstations', description: '', priority: 100, assignmentCount: 1, rings: [], restart: null },
  changedAtUtc: '2026-11-01T00:00:00.000Z',
  rules: [{ name: 'All', action: 'Approve' }],
}

test('a policy gets windows in which computers restart, and its page shows them', async () => {
  let shown: Policy = policy
  const service = fakeService()
    .onAny(`GET ${path}`, () => shown)
    .on(`GET ${path}/assignments`, listOf([]))
    .on(`GET ${path}/progress`, listOf([]))
    .onAny(`PATCH ${path}`, ({ body, query }) => {
      const changed = { ...policy, ...(body as object) }
      if (!query.has('dryRun')) shown = changed
      return affecting(12, changed)
    })
  await openPage('/patch-policies/7')

  await screen.findByText('The policy restarts nobody.')
  await click(await screen.findByRole('button', { name: 'Edit' }))
  const panel = await dialog('Edit Workstations')
  await click(within(panel).getByRole('switch', { name: /^Restart computers that need it/ }))
  const window = within(panel).getByRole('group', { name: 'Window 1' })
  await click(within(window).getByRole('checkbox', { name: 'Sun' }))
  await fill(within(window).getByRole('textbox', { name: 'Open for (hours)' }), '3')
  await fill(within(panel).getByRole('textbox', { name: 'Minutes until the restart is forced' }), '20')
  await within(panel).findByText(/^Changes what 12 computers get/)
  await click(button(panel, 'Save'))
  await screen.findByText('Saved')

  const sent = service.sent.filter(({ name, query }) => name === `PATCH ${path}` && !query.has('dryRun'))
  expect(sent[0]?.body).toEqual({
    restart: {
      windows: [{ days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], start: '22:00', durationMinutes: 180 }],
      timeZone: null,
      timeoutMinutes: 20,
      reminderMinutes: 10,
      userDeadline: null,
    },
  })
  await screen.findByText('Window: Mon, Tue, Wed, Thu, Fri, Sat from 22:00 for 3 hours')
  await screen.findByText('By the clock of each computer. People who are signed in get 20 minutes.')
})

test('somebody who may not restart computers cannot let a policy do so', async () => {
  fakeService({ roles: ['pm.read', 'pm.approve'] })
    .on(`GET ${path}`, policy)
    .on(`GET ${path}/assignments`, listOf([]))
    .on(`GET ${path}/progress`, listOf([]))
  await openPage('/patch-policies/7')

  await click(await screen.findByRole('button', { name: 'Edit' }))
  const panel = await dialog('Edit Workstations')

  within(panel).getByText('Only those who may restart computers can set this.')
  expect(within(panel).getByRole('switch', { name: /^Restart computers/ })).toHaveProperty('disabled', true)
})
