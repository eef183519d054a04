import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, fill, isDisabled } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
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

test('a patch group is renamed, unless somebody has changed it meanwhile', async () => {
  const page = '/api/fleet/patch-groups/{id}'
  const path = '/api/pmgroup/{id}'
  const known = example(`GET ${path}`, { name: 'Servers', description: 'Monthly' })
  const pmGroup = new FakeResource(known, 'PmGroupNotFound')
  const service = fakeService()
    .on(`GET ${page}`, () => example(`GET ${page}`, { pmGroup: pmGroup.value ?? known, emergency: null }))
    .onAny(`GET ${path}`, pmGroup.read)
    .onAny(
      `PATCH ${path}`,
      pmGroup.update(({ body }, before) => ({ ...before, ...(body as { name: string }) })),
    )
  await openPage('/patch-groups/3')

  await click(await screen.findByRole('button', { name: 'Rename or describe' }))
  const panel = await dialog('Edit Servers')
  await fill(await within(panel).findByLabelText(/^Patch group/), 'Servers in Berlin')
  await within(panel).findByText('The patch group will be called Servers in Berlin. Computers are not affected.')
  await expectAccessible(panel)
  pmGroup.change({ description: 'Weekly' })
  await click(button(panel, 'Save'))
  await within(panel).findByText('Description: Monthly → Weekly')
  await within(panel).findByText(/^Someone else has changed this/, { selector: 'p, div' })
  await click(button(panel, 'Save'))
  await screen.findByRole('heading', { name: 'Servers in Berlin' })

  expect(pmGroup.value).toMatchObject({ name: 'Servers in Berlin', description: 'Weekly' })
  expect(service.bodies(`PATCH ${path}`).at(-1)).toEqual({ name: 'Servers in Berlin' })
})

test('a catalog is imported, and the page says which documents were refused', async () => {
  const status = '/api/patches/import/{trackingId}'
  const service = fakeService()
    .on('POST /api/patches/import', { trackingId: 't-1' })
    .on(
      `GET ${status}`,
      example(`GET ${status}`, {
        ...{ status: 'Success', message: null, progress: 100 },
        ...{ documents: 3, imported: 2, unchanged: 0, refused: 1 },
        faults: [{ file: 'advisories/broken.json', reason: 'It is not JSON.' }],
      }),
    )
  const { address } = await openPage('/patches')

  await click(await screen.findByRole('button', { name: 'Import catalog' }))
  const panel = await dialog('Import catalog')
  await fill(within(panel).getByLabelText(/^File or folder/), 'advisories')
  await within(panel).findByText('Imports advisories in the background. Approvals and patch groups do not change.')
  await expectAccessible(panel)
  await click(button(panel, 'Start import'))

  await screen.findByText('3 documents: 2 imported, 0 unchanged, 1 refused.')
  screen.getByText('advisories/broken.json: It is not JSON.')
  expect(address()).toBe('/patches?catalogImport=t-1')
  expect(service.bodies('POST /api/patches/import')).toEqual([{ folderPath: 'advisories', format: null }])
  await click(button(document.body, 'Hide'))
  expect(address()).toBe('/patches')
})
