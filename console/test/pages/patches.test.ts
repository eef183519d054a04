import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, fill, isDisabled } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, FakeAnswer, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

test('a patch is approved for one product version with its count in view, and the approval is undone', async () => {
  const page = '/api/fleet/patches/{patchId}'
  const approval = '/api/patches/{patchId}/approval'
  type Product = AnswerOf<`GET ${typeof page}`>['products'][number]
  const known = example(`GET ${page}`).products[0] as Product
  let isApproved = false
  const change = (to: boolean) => (query: URLSearchParams) => {
    if (!query.has('dryRun')) isApproved = to
    return affecting(3, example(`POST ${approval}`))
  }
  const service = fakeService()
    .on(`GET ${page}`, () =>
      example(`GET ${page}`, { products: [{ ...known, productId: 7, productName: 'Debian 12', isApproved }] }),
    )
    .onAny(`POST ${approval}`, ({ query }) => change(true)(query))
    .onAny(`DELETE ${approval}`, ({ query }) => change(false)(query))
  await openPage('/patches/17')

  await click(await screen.findByRole('button', { name: 'Approve for Debian 12' }))
  const panel = await screen.findByRole('dialog')
  await within(panel).findByText(/3 computers lack it/)
  expect(isApproved).toBe(false)
  await click(button(panel, 'Approve'))
  await screen.findByRole('button', { name: 'Revoke the approval for Debian 12' })
  expect(isApproved).toBe(true)
  await click(button(document.body, 'Undo'))

  await screen.findByRole('button', { name: 'Approve for Debian 12' })
  expect(isApproved).toBe(false)
  const changes = service.sent.filter(({ name, query }) => name.endsWith(approval) && !query.has('dryRun'))
  expect(changes.map(({ query }) => query.get('productId'))).toEqual(['7', '7'])
})

test('emergency patching starts only with the typed count, and is stopped', async () => {
  const page = '/api/fleet/patch-groups/{id}'
  const candidates = '/api/fleet/patch-groups/{id}/computers'
  const path = '/api/pmgroup/{id}/emergency-patching'
  type Emergency = AnswerOf<`GET ${typeof page}`>['emergency']
  type Candidate = AnswerOf<`GET ${typeof candidates}`>['items'][number]
  const known = example(`GET ${candidates}`).items[0] as Candidate
  let emergency: Emergency = null
  const service = fakeService()
    .on(`GET ${page}`, () => example(`GET ${page}`, { emergency }))
    .on(
      `GET ${candidates}`,
      listOf([1, 2, 3].map((clientId) => ({ ...known, clientId, hostname: `till-${clientId}` }))),
    )
    .onAny(`POST ${path}`, ({ query }) => {
      if (!query.has('dryRun')) emergency = { groupId: 'g1', startedUtc: '2026-01-01T00:00:00.000Z', computers: 3 }
      return affecting(3, example(`POST ${path}`, { succeeded: 3, failed: 0 }))
    })
    .onAny(`DELETE ${path}`, ({ query }) => {
      if (!query.has('dryRun')) emergency = null
      return new FakeAnswer(undefined, { status: 204, headers: { 'muster-affected-computers': '3' } })
    })
  await openPage('/patch-groups/17')

  await click(await screen.findByRole('button', { name: 'Start emergency patching' }))
  const panel = await dialog('Start emergency patching?')
  await within(panel).findByText(/3 of 3 chosen/)
  await within(panel).findByText(/Patches 3 computers at the next contact/)
  const start = button(panel, 'Start emergency patching')
  const withoutCount = isDisabled(start)
  const count = within(panel).getByLabelText(/Type the number of computers \(3\) to confirm/)
  await fill(count, '2')
  const withWrongCount = isDisabled(start)
  await fill(count, '3')
  await expectAccessible(panel)
  await click(start)
  await screen.findByText(/^Runs on 3 computers since/)
  await click(button(document.body, 'Stop emergency patching'))
  await click(button(await screen.findByRole('dialog'), 'Stop emergency patching'))

  await screen.findByText('Not running.')
  expect([withoutCount, withWrongCount]).toEqual([true, true])
  expect(service.bodies(`POST ${path}`)).toEqual([{ computerIds: [1, 2, 3] }])
})
