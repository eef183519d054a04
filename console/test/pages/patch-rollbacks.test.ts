import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, fill } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

const path = '/api/patch-policies/{id}'
type Policy = AnswerOf<`GET ${typeof path}`>
type Progress = AnswerOf<`GET ${typeof path}/progress`>['items'][number]
type Rollback = AnswerOf<`GET ${typeof path}/progress/{patchId}/rollbacks`>['items'][number]

const policy: Policy = {
  ...{ id: 7, name: 'Workstations', description: '', priority: 100, assignmentCount: 1, rings: [], restart: null },
  changedAtUtc: '2026-11-01T00:00:00.000Z',
  rules: [{ name: 'All', action: 'Approve' }],
}

test('a patch is stopped with a rollback of the computers that have it, and each of them says what has become of it', async () => {
  const [known] = example(`GET ${path}/progress`).items as [Progress]
  const [rollback] = example(`GET ${path}/progress/{patchId}/rollbacks`).items as [Rollback]
  const open: Progress = {
    ...known,
    ...{
      patchId: 1,
      patchName: 'KB1',
      productId: 2,
      state: 'Open',
      rings: [],
      restart: null,
      rollback: null,
      message: 'Open.',
    },
  }
  const stopped: Progress = {
    ...open,
    ...{ patchId: 3, patchName: 'KB3', state: 'Stopped', message: 'Ann stopped it.' },
    rollback: { waiting: 1, rolledBack: 30, notRolledBack: 2 },
  }
  const reason = 'The version before it, 1.0, is no longer in the repositories.'
  const service = fakeService()
    .on(`GET ${path}`, policy)
    .on(`GET ${path}/assignments`, listOf([]))
    .on(`GET ${path}/progress`, listOf([open, stopped]))
    .on(
      `GET ${path}/progress/{patchId}/rollbacks`,
      listOf([
        { ...rollback, clientId: 17, hostname: 'pc-0017', state: 'NotRolledBack', message: reason },
        { ...rollback, clientId: 18, hostname: 'pc-0018', state: 'RolledBack', message: 'Now installed: x 1.0.' },
      ]),
    )
    .onAny(`POST ${path}/progress/{patchId}/stop`, ({ body }) =>
      affecting((body as { rollBack?: boolean }).rollBack ? 4 : 0, { items: [stopped] }),
    )
  await openPage('/patch-policies/7')

  const table = await screen.findByRole('table', { name: 'Patches in their rings' })
  await click(within(table).getByRole('button', { name: 'Stop KB1' }))
  const stopping = await dialog('Stop KB1')
  await click(within(stopping).getByRole('checkbox', { name: 'Also roll it back where it is installed' }))
  await within(stopping).findByText(/^4 computers of the policy have the patch\./)
  await fill(await within(stopping).findByRole('textbox', { name: /4/ }), '4')
  await click(button(stopping, 'Stop'))
  await screen.findByText('The patch is stopped.')
  await click(within(table).getByRole('button', { name: 'Computers: rollback of KB3' }))
  const listed = await dialog('Computers: rollback of KB3')
  await within(listed).findByText(reason)
  within(listed).getByText('Not possible')
  within(listed).getByRole('link', { name: 'pc-0018' })
  await expectAccessible(document.body)
  await click(within(listed).getByRole('button', { name: 'Close' }))
  await click(within(table).getByRole('button', { name: 'Roll back KB3' }))
  const again = await dialog('Roll back KB3')
  await fill(await within(again).findByRole('textbox', { name: /4/ }), '4')
  await click(button(again, 'Roll back'))
  await screen.findByText('The patch is being rolled back.')

  const sent = service.sent.filter(({ name, query }) => name.startsWith('POST') && !query.has('dryRun'))
  expect(sent.map(({ body, query }) => ({ body, expected: query.get('expectedCount') }))).toEqual([
    { body: { reason: null, rollBack: true }, expected: '4' },
    { body: { reason: null, rollBack: true }, expected: '4' },
  ])
})
