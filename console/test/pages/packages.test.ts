import { expect, test } from 'vitest'
import { button, choose, click, contentOf, dialog, fill, row } from '../world/acts.ts'
import type { AnswerOf, BodyOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { affecting, etagOf, example, type FakeService, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const page = '/api/fleet/packages/{id}'
const tagsOf = '/api/packages/{id}/tags'

type Package = AnswerOf<'GET /api/packages/{id}'>
type Tag = AnswerOf<'GET /api/tags'>['items'][number]

const known = example('GET /api/tags').items[0] as Tag
const tag = (id: number, designation: string): Tag => ({ ...known, id, designation })

function givenPackage(changes: Partial<Package> = {}) {
  const service = fakeService()
  const value = example('GET /api/packages/{id}', { id: 'p1', name: 'Shared', operational: true, ...changes })
  const found = new FakeResource<Package>(value, 'PackageNotFound').serve(service, '/api/packages/{id}')
  service.on(`GET ${page}`, () => example(`GET ${page}`, { package: found.value as Package }))
  return { service, found }
}

async function openTags(): Promise<HTMLElement> {
  await click(await screen.findByRole('button', { name: 'Actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Edit tags' }))
  const panel = await dialog('Tags of Shared')
  await within(panel).findByLabelText('Tags', { selector: 'input' })
  return panel
}

/** The tags of a package, page by page, and all others. */
function givenTags(service: FakeService, own: Tag[], all: Tag[]) {
  const tags = { own }
  const pageOf = (top: number) => ({
    ...listOf(tags.own),
    items: tags.own.slice(0, top),
    hasMore: tags.own.length > top,
    top,
  })
  service
    .on('GET /api/tags', listOf(all))
    .onAny(`GET ${tagsOf}`, ({ query }) => pageOf(Number(query.get('top') ?? 50)))
    .onAny(`PUT ${tagsOf}`, ({ body, query, headers }) => {
      if (headers.get('if-match') !== etagOf(pageOf(50))) return problem(412, 'PreconditionFailed')
      const { tagIds } = body as BodyOf<`PUT ${typeof tagsOf}`>
      if (!query.has('dryRun')) tags.own = all.filter(({ id }) => tagIds.includes(id))
      return undefined
    })
  return tags
}

test('of two people who change the tags of a package, the second sees what changed and loses nothing chosen', async () => {
  const [office, kiosk, till] = [tag(1, 'Office'), tag(2, 'Kiosk'), tag(3, 'Till')]
  const { service } = givenPackage()
  const tags = givenTags(service, [office], [office, kiosk, till])
  await openPage('/packages/p1')

  const panel = await openTags()
  await choose(within(panel).getByLabelText('Tags', { selector: 'input' }), 'Till')
  await within(panel).findByText(/The package will have 2 tags\./)
  tags.own = [kiosk]
  await click(button(panel, 'Save'))
  await within(panel).findByText('Tags: Office → Kiosk')
  await within(panel).findByText(/Nothing was done\. Check it and confirm again\./)
  const untouched = tags.own
  await click(button(panel, 'Save'))

  await screen.findByText('The tags are saved.')
  expect([untouched, tags.own]).toEqual([[kiosk], [kiosk, till]])
})

test('a package keeps its tags when one is added, even if they fill more than one page', async () => {
  const sites = Array.from({ length: 61 }, (_, at) => tag(at + 1, `Site ${at + 1}`))
  const { service } = givenPackage()
  const tags = givenTags(service, sites.slice(0, 60), sites)
  await openPage('/packages/p1')

  const panel = await openTags()
  await choose(within(panel).getByLabelText('Tags', { selector: 'input' }), 'Site 61', 'Site 61')
  await within(panel).findByText(/The package will have 61 tags\./)
  await click(button(panel, 'Save'))

  await screen.findByText('The tags are saved.')
  expect(tags.own).toEqual(sites)
})

test('of two people who withdraw a package, the second sees it, and does not turn it into a release', async () => {
  const { service, found } = givenPackage()
  const path = '/api/packages/{id}/ready-to-install'
  service.onAny(
    `PUT ${path}`,
    found.update(({ body }, before) => ({ ...before, ...(body as BodyOf<`PUT ${typeof path}`>) })),
  )
  await openPage('/packages/p1')

  await click(await screen.findByRole('button', { name: 'Withdraw' }))
  const panel = await dialog('Withdraw Shared')
  await within(panel).findByText(/Withdraws the package\./)
  found.change({ operational: false })
  await click(button(panel, 'Withdraw'))
  await within(panel).findByText('Release: Released → Not released')
  await within(panel).findByText(/Nothing was done\. Check it and confirm again\./)
  await click(button(panel, 'Withdraw'))

  await screen.findByText('The package is withdrawn.')
  expect(found.value?.operational).toBe(false)
})

test('a package is released as it was seen, and withdrawn again by undoing it', async () => {
  const [seen, newer] = ['a'.repeat(64), 'b'.repeat(64)]
  const { service, found } = givenPackage({ name: 'Reader', operational: false, contentHash: seen })
  const path = '/api/packages/{id}/ready-to-install'
  service.onAny(
    `PUT ${path}`,
    found.update(({ body }, before) => ({ ...before, ...(body as BodyOf<`PUT ${typeof path}`>) })),
  )
  await openPage('/packages/p1')

  await click(await screen.findByRole('button', { name: 'Release' }))
  const panel = await dialog('Release Reader')
  await within(panel).findByText(/You have seen the content a{16}/)
  // Somebody imports other content meanwhile: what was not seen is not released.
  found.change({ contentHash: newer })
  await click(button(panel, 'Release'))
  await within(panel).findByText(/Someone else has changed this since you looked/)
  await within(panel).findByText(/Content: a{16} → b{16}/)
  const untouched = found.value?.operational
  await click(button(panel, 'Release'))
  const notice = (await screen.findByText('The package is released.')).closest<HTMLElement>('[role=alert]')
  const released = found.value?.operational
  await click(button(notice as HTMLElement, 'Withdraw'))

  await screen.findByText('The package is withdrawn.')
  expect([untouched, released, found.value?.operational]).toEqual([false, true, false])
})

test('a package is replaced in its groups after the review has shown what becomes of each', async () => {
  const path = '/api/group/package-replacement'
  type Version = AnswerOf<`GET ${typeof page}`>['versions'][number]
  const { service, found } = givenPackage({ name: 'Editor', version: '1.0' })
  const version = example(`GET ${page}`).versions[0] as Version
  const versions = [
    { ...version, id: 'p2', version: '2.0', revision: null, operational: true },
    { ...version, id: 'p1', version: '1.0', revision: null },
  ]
  const result = example(`POST ${path}`).results[0]
  if (!result) throw new Error('The example has no group.')
  service
    .on(`GET ${page}`, () => example(`GET ${page}`, { package: found.value as Package, versions }))
    .onAny(`POST ${path}`, () =>
      affecting(5, example(`POST ${path}`, { results: [{ ...result, groupPath: 'Configuration/Berlin' }] })),
    )
  const { address } = await openPage('/packages/p1')

  await click(await screen.findByRole('button', { name: 'Actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Replace in groups' }))
  const panel = await dialog('Replace Editor 1.0 in all groups')
  await choose(within(panel).getByLabelText(/^New package/, { selector: 'input' }), /Editor 2\.0/)
  await within(panel).findByText(/^Replaces the package in 1 group with 5 computers\./)
  await within(panel).findByRole('row', { name: /Configuration\/Berlin.*Replaced/ })
  expect(service.bodies(`POST ${path}`)).toEqual([])
  await click(button(panel, 'Replace in groups'))

  await waitFor(() => expect(address()).toBe('/packages/p2'))
  expect(service.bodies(`POST ${path}`)).toEqual([
    { oldPackageId: 'p1', newPackageId: 'p2', copyDistributionOptions: true },
  ])
})

test('the list of packages shows the numbers of the API, and its filters are in the address', async () => {
  const list = '/api/fleet/packages'
  type Summary = AnswerOf<`GET ${typeof list}`>['items'][number]
  const summary = example(`GET ${list}`).items[0] as Summary
  const none = { ...summary.deployments, success: 0, failed: 0, pending: 0 }
  const packages: Summary[] = [
    { ...summary, id: 'p1', name: 'Editor', version: '1.0', deployments: { ...none, success: 1, failed: 4 } },
    { ...summary, id: 'p2', name: 'Editor', version: '2.0', operational: true, deployments: none },
  ]
  fakeService().on(`GET ${list}`, ({ query }) =>
    listOf(
      packages.filter(({ name, version }) => `${name} ${version}`.toLowerCase().includes(query.get('search') ?? '')),
    ),
  )
  const { address } = await openPage('/packages')

  await row(/Editor 1\.0.*1 succeeded.*4 failed/)
  await row(/Editor 2\.0.*Released.*Not used yet/)
  await fill(screen.getByLabelText('Search'), 'editor 2')
  await waitFor(() => expect(screen.queryByRole('row', { name: /Editor 1\.0/ })).toBeNull())
  expect(address()).toBe('/packages?search=editor+2')
})

test('failures are grouped by cause with the output of one computer, and one cause is retried', async () => {
  const { service, found } = givenPackage({ name: 'Editor' })
  const [cause] = example(`GET ${page}`).failureCauses ?? []
  if (!cause) throw new Error('The example has no cause of a failure.')
  const full = {
    ...cause,
    packageId: 'p1',
    packageName: 'Editor',
    causeId: 'c1',
    cause: 'no space left on device',
    count: 3,
    exitCode: 1603,
  }
  const retry = '/api/packages/{id}/retry'
  service
    .on(`GET ${page}`, () => example(`GET ${page}`, { package: found.value as Package, failureCauses: [full] }))
    .onAny(`POST ${retry}`, ({ query }) => {
      const answer = example(`POST ${retry}`, { trackingId: 't1', computerCount: 3 })
      return query.has('dryRun') ? affecting(3, answer) : answer
    })
  const { address } = await openPage('/packages/p1')

  await click(await screen.findByRole('button', { name: /3 .*No space left on device.*Exit code 1603/ }))
  await waitFor(() => expect(address()).toBe('/packages/p1?cause=c1'))
  await screen.findByText(new RegExp(`Output on ${cause.exampleHostname}`))
  await click(button(document.body, 'Retry on 3 computers'))
  const panel = await dialog('Retry Editor')
  await within(panel).findByText(/Creates the failed work again on 3 computers/)
  await click(button(panel, 'Retry'))

  await waitFor(() => expect(address()).toBe('/tasks/t1'))
  expect(service.bodies(`POST ${retry}`)).toEqual([{ causeId: 'c1' }])
})

test('an import that fails keeps what was typed, and the corrected folder is imported with its log', async () => {
  const path = '/api/packages/import'
  const job = '/api/packages/import/{trackingId}'
  type Job = AnswerOf<`GET ${typeof job}`>
  const known = example(`GET ${job}`)
  const [line] = known.log as [Job['log'][number]]
  const failed: Job = { ...known, status: 'Failed', message: 'The folder has no muster-package.json.', packageId: null }
  const log = ['Found 2 files.', 'The manifest describes viewer 1.0.', 'Copied and hashed 2 files.']
  const imported: Job = {
    ...{ ...known, status: 'Success', message: 'Imported with 2 files.', packageId: 'p1' },
    log: log.map((text) => ({ ...line, text })),
  }
  const { service } = givenPackage({ name: 'Viewer', version: '1.0' })
  service
    .onAny(`POST ${path}`, () => {
      const isFirst = service.bodies(`POST ${path}`).length <= 1
      return example(`POST ${path}`, { trackingId: isFirst ? 'j1' : 'j2' })
    })
    .on(`GET ${job}`, ({ params }) => (params[0] === 'j1' ? failed : imported))
  const { address } = await openPage('/packages')

  await click(await screen.findByRole('button', { name: 'Import package' }))
  const panel = await dialog('Import package')
  within(panel).getByText('muster packages recipes apply FOLDER')
  await fill(within(panel).getByLabelText(/^Folder in the package store/), 'apps/viewer')
  await within(panel).findByText(/Copies and checks apps\/viewer/)
  await click(button(panel, 'Import'))
  await screen.findByText(/has no muster-package\.json/)
  await click(await screen.findByRole('button', { name: 'Import again' }))
  const again = await dialog('Import package')
  expect(contentOf(within(again).getByLabelText(/^Folder in the package store/))).toBe('apps/viewer')
  await click(button(again, 'Import'))
  await screen.findByText('Imported with 2 files.')
  const section = screen.getByRole('region', { name: 'Import' })
  expect(within(section).getByRole('list', { name: 'Log' }).textContent).toMatch(new RegExp(log.join('.*')))
  await click(within(section).getByRole('link', { name: 'Open package' }))

  await screen.findByRole('heading', { name: 'Viewer 1.0' })
  expect(address()).toBe('/packages/p1')
  const body = { folderPath: 'apps/viewer', overwrite: false }
  expect(service.bodies(`POST ${path}`)).toEqual([body, body])
})

test('a package is added from a repository after the service has checked it, with what the form asks for', async () => {
  const add = '/api/packages/from-repository'
  const service = fakeService()
  service.onAny(`POST ${add}`, () => example(`POST ${add}`, { trackingId: 'j1' }))
  const { address } = await openPage('/packages')

  await click(await screen.findByRole('button', { name: 'From a repository' }))
  const panel = await dialog('Add a package from a repository')
  await fill(within(panel).getByLabelText(/^Package/), 'deb:nginx')
  await click(within(panel).getByLabelText('Exactly'))
  await fill(within(panel).getByLabelText(/^Version number/), '1.26.3-3')
  await fill(within(panel).getByLabelText(/^Repository/), 'https://packages.example.org/debian')
  await fill(within(panel).getByLabelText(/^Public key/), 'the key')
  await within(panel).findByText(/installs: deb:nginx/)
  await click(button(panel, 'Add'))

  await waitFor(() => expect(address()).toBe('/packages?job=j1'))
  expect(service.bodies(`POST ${add}`).at(-1)).toMatchObject({
    source: {
      ...{ package: 'deb:nginx', version: '1.26.3-3', allowDowngrade: false },
      repository: {
        url: 'https://packages.example.org/debian',
        suite: 'stable',
        components: ['main'],
        key: 'the key\n',
      },
    },
  })
})
