import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, fill, isDisabled, press } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { affecting, example, FakeAnswer, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

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
      example(`GET ${page}`, {
        products: [{ ...known, productId: 7, productName: 'Debian 12', isApproved }],
        pmGroups: [{ pmGroupId: 1, pmGroupName: 'Servers', productId: 7, productName: 'Debian 12' }],
      }),
    )
    .onAny(`POST ${approval}`, ({ query }) => change(true)(query))
    .onAny(`DELETE ${approval}`, ({ query }) => change(false)(query))
  await openPage('/patches/17')

  await click(await screen.findByRole('button', { name: 'Approve for Debian 12' }))
  const panel = await screen.findByRole('dialog')
  await within(panel).findByText(/1 of the 3 computers that lack it get it/)
  within(panel).getByText(/^They get it through these patch groups/)
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
  for (const tab of ['Patch groups', 'Compliance by group']) {
    await click(screen.getByRole('tab', { name: tab }))
    await screen.findByRole('table', { name: tab })
    screen.getByText('advisories/broken.json: It is not JSON.')
  }
  await click(screen.getByRole('tab', { name: 'Patches' }))
  await click(button(document.body, 'Hide'))
  expect(address()).toBe('/patches')
})

const list = '/api/fleet/patches'
const approveAll = '/api/fleet/patches/approval'
const revokeAll = '/api/fleet/patches/revocation'
type Approvals = AnswerOf<`POST ${typeof approveAll}`>

/** Three patches, and a patch group into which they can be approved. */
function givenPatches(answer: Partial<Approvals>) {
  const known = example(`GET ${list}`)
  const [patch] = known.items as [(typeof known.items)[number]]
  const [group] = example('GET /api/pmgroup').items as [AnswerOf<'GET /api/pmgroup'>['items'][number]]
  const patches = [1, 2, 3].map((patchId) => ({ ...patch, patchId, patchName: `patch-${patchId}` }))
  return fakeService()
    .on(`GET ${list}`, { ...known, ...listOf(patches) })
    .on('GET /api/pmgroup', listOf([{ ...group, id: 5, name: 'Servers', assignmentCount: 2 }]))
    .onAny(`POST ${approveAll}`, () => affecting(4, example(`POST ${approveAll}`, { patchCount: 2, ...answer })))
}

async function selectPatches(...names: RegExp[]) {
  for (const name of names) {
    const found = await screen.findByRole('row', { name })
    found.focus()
    await press(' ', found)
  }
}

test('several patches are approved into a patch group with the computers that they reach, which can be undone', async () => {
  const link = { patchId: 1, productId: 7 }
  const service = givenPatches({
    ...{ lackingComputers: 6, reachedComputers: 4, withoutGroupCount: 0, withoutGroup: [], otherCategory: 0 },
    firstPatches: [
      { patchId: 1, patchName: 'patch-1' },
      { patchId: 2, patchName: 'patch-2' },
    ],
    ...{ newApprovals: [link], pmGroupId: 5, added: [link] },
  }).on(`POST ${revokeAll}`, example(`POST ${revokeAll}`))
  await openPage('/patches')

  await selectPatches(/patch-1/, /patch-2/)
  await screen.findByText('2 patches selected')
  await click(button(document.body, 'Approve'))
  const panel = await dialog('Approve patches')
  await choose(within(panel).getByRole('combobox', { name: 'Add to patch group' }), 'Servers (2 assignments)')
  await within(panel).findByText('Approves 2 patches for all product versions, and adds them to Servers.')
  await within(panel).findByText('Reaches 4 of the 6 computers that lack one of them, after their next scan.')
  const named = within(panel)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  await expectAccessible(panel)
  await click(button(panel, 'Approve'))
  await click(await screen.findByRole('button', { name: 'Undo' }))

  await waitFor(() =>
    expect(service.bodies(`POST ${revokeAll}`)).toEqual([{ approvals: [link], pmGroupId: 5, pmGroupPatches: [link] }]),
  )
  expect(named).toEqual(['patch-1', 'patch-2'])
  expect(service.bodies(`POST ${approveAll}`)).toEqual([{ patchIds: [1, 2], pmGroupId: 5 }])
  expect(screen.queryByText('2 patches selected')).toBeNull()
})

test('the approval of patches that no patch group brings anywhere says that it reaches nobody', async () => {
  givenPatches({
    ...{ patchCount: 1, lackingComputers: 6, reachedComputers: 0, withoutGroupCount: 1, pmGroupId: null },
    withoutGroup: [{ patchId: 3, patchName: 'patch-3' }],
  })
  await openPage('/patches')

  await selectPatches(/patch-3/)
  await click(button(document.body, 'Approve'))
  const panel = await dialog('Approve patches')

  await within(panel).findByText('Reaches no computer; 6 computers lack one of them.')
  within(panel).getByText('1 patch reaches nobody')
  within(panel).getByText(/^No patch group that is assigned to computers contains them/)
})

test('the compliance of groups and the patch groups have tabs of their own, and groups have their paths', async () => {
  const compliance = '/api/fleet/patch-compliance'
  const known = example(`GET ${compliance}`)
  const [group] = known.items as [(typeof known.items)[number]]
  const missing = { critical: 2, important: 0, moderate: 0, low: 0, unknown: 0 }
  const counts = { computers: 5, scanned: 4, compliant: 2, missing }
  const service = fakeService().on(`GET ${compliance}`, {
    ...known,
    ...listOf([
      { ...group, groupId: 'g1', path: 'Configuration/Berlin/Finance', members: 5, ...counts },
      { ...group, groupId: 'g2', path: 'Configuration/Bonn', members: 1, ...counts },
    ]),
  })
  const { address } = await openPage('/patches')

  await click(await screen.findByRole('tab', { name: 'Compliance by group' }))
  const finance = await screen.findByRole('row', { name: /Configuration\/Berlin\/Finance/ })
  await screen.findByRole('row', { name: /Configuration\/Bonn/ })
  expect(address()).toBe('/patches/compliance')
  within(finance).getByText('50%')
  const links = screen.getAllByRole('link', { name: /^Critical: 2 computers of/ })
  expect(links.map((one) => one.getAttribute('href'))).toEqual(['/computers?groupId=g1&missingSeverity=Critical'])
  await fill(screen.getByRole('searchbox', { name: 'Group' }), 'berlin')
  await waitFor(() => expect(service.sent.at(-1)?.query.get('search')).toBe('berlin'))
  await click(screen.getByRole('tab', { name: 'Patch groups' }))

  await screen.findByRole('button', { name: 'Create patch group' })
  expect(address()).toBe('/patches/groups')
})
