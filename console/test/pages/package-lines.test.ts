import { expect, test } from 'vitest'
import { button, click, dialog, fill, gone } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const page = '/api/fleet/packages/{id}'
const upgradePath = '/api/packages/{id}/upgrade'
const rollBackPath = '/api/package-upgrades/{id}/roll-back'

type Line = AnswerOf<'GET /api/packages/{id}/line'>
type Upgrade = AnswerOf<'GET /api/package-upgrades/{id}'>

const line = example('GET /api/packages/{id}/line')
const [version] = line.versions as [Line['versions'][number]]
const versions = [
  { ...version, id: 'p2', version: '24.09', state: 'Unused' as const, groupCount: 0, groups: [], installedCount: 0 },
  { ...version, id: 'p1', version: '23.01', state: 'InUse' as const, installedCount: 50 },
]

function givenLine() {
  const ofPackage = { id: 'p1', name: '7-Zip', version: '23.01', type: 'Software', subType: null }
  const shown = { ...example(`GET ${page}`).package, ...ofPackage }
  const upgrade: Upgrade = {
    ...example('GET /api/package-upgrades/{id}'),
    ...{
      upgradeId: 'u1',
      name: '7-Zip',
      version: '24.09',
      state: 'Running',
      rolledBackAtUtc: null,
      rolledBackBy: null,
    },
  }
  const service = fakeService()
    .on(`GET ${page}`, example(`GET ${page}`, { package: shown }))
    .on('GET /api/packages/{id}/line', {
      ...{ name: '7-Zip', key: '7-zip', platform: 'Windows', versions },
      proposal: { packageId: 'p2', version: '24.09', groupCount: 1 },
    })
    .on('GET /api/package-upgrades', listOf([upgrade]))
  return { service, upgrade }
}

test('the page of a package shows the state of its versions, and brings the proposed one to the chosen groups', async () => {
  const { service, upgrade } = givenLine()
  const proposal = example('GET /api/packages/{id}/upgrade-proposal')
  const [group] = proposal.groups as [(typeof proposal.groups)[number]]
  const groups = ['Berlin', 'Bonn'].map((path) => ({ ...group, groupId: path, path, obstacle: null }))
  service
    .on('GET /api/packages/{id}/upgrade-proposal', { ...proposal, groups })
    .onAny(`POST ${upgradePath}`, () => affecting(50, upgrade))
  await openPage('/packages/p1')

  await screen.findByText('Unused')
  await screen.findByText('In use')
  await click(await screen.findByRole('button', { name: 'Upgrade groups' }))
  const panel = await dialog('Bring 7-Zip 24.09 to groups with an older version')
  await click(await within(panel).findByRole('checkbox', { name: 'Bonn' }))
  await within(panel).findByText(/50 computers gets? this version in place of the older one/)
  await click(button(panel, 'Start the upgrade'))

  await screen.findByText('The upgrade has begun.')
  const sent = service.sent.filter(({ name, query }) => name === `POST ${upgradePath}` && !query.has('dryRun'))
  expect(sent).toMatchObject([
    {
      path: '/api/packages/p2/upgrade',
      body: { groupIds: ['Berlin'], rings: [{ percent: 10 }, { releaseMinutes: 0 }] },
    },
  ])
})

test('an upgrade is rolled back after its dry run, which names the groups that cannot go back', async () => {
  const { service, upgrade } = givenLine()
  const [group] = example(`POST ${rollBackPath}`).groups
  const groups = [
    { ...group, groupId: 'g1', path: 'Berlin', obstacle: null, oldVersion: '23.01' },
    { ...group, groupId: 'g2', path: 'Bonn', obstacle: 'PackageDeleted' as const, oldVersion: null },
  ]
  service.onAny(`POST ${rollBackPath}`, () => affecting(3, { computerCount: 2, withdrawnCount: 1, groups, upgrade }))
  await openPage('/packages/p1')

  await click(await screen.findByRole('button', { name: 'Roll back' }))
  const panel = await dialog('Roll 7-Zip 24.09 back')
  await within(panel).findByText(/2 computers get the previous version again/)
  await within(panel).findByText('the previous version was deleted')
  await click(button(panel, 'Roll back'))

  await screen.findByText('The rollback has begun.')
})

test('the clean-up deletes what a person has chosen, and the newest version of a line only if it is chosen', async () => {
  const [item] = example('GET /api/package-lines/unused').items as [
    AnswerOf<'GET /api/package-lines/unused'>['items'][number],
  ]
  const items = [
    { ...item, id: 'a', name: 'Old', version: '1.0', isNewest: false },
    { ...item, id: 'b', name: 'New', version: '2.0', isNewest: true },
  ]
  const service = fakeService()
    .on('GET /api/package-lines/unused', { items, freedBytes: 10 })
    .onAny('POST /api/package-lines/clean-up', () => ({ deletedCount: 1, freedBytes: 10, deleted: ['Old 1.0'] }))
  await openPage('/package-lines')

  await click(await screen.findByRole('button', { name: 'Clean up' }))
  const panel = await dialog('Delete versions that nothing refers to')
  await within(panel).findByText(/1 package will be deleted/)
  await click(button(panel, 'Delete'))

  await screen.findByText('1 package was deleted.')
  await waitFor(() =>
    expect(service.sent.findLast(({ name }) => name === 'POST /api/package-lines/clean-up')?.body).toEqual({
      packageIds: ['a'],
      expectedPackages: 1,
    }),
  )
})

test('a package becomes a version of the line of another name, and of its own again', async () => {
  const path = '/api/packages/{id}/line'
  const { service } = givenLine()
  service.onAny(`PUT ${path}`, ({ body }) => ({ ...line, name: (body as { line: string | null }).line ?? '7-Zip' }))
  await openPage('/packages/p1')
  const change = async (typed: string, expected: RegExp) => {
    await click(await screen.findByRole('button', { name: 'Actions' }))
    await click(await screen.findByRole('menuitem', { name: 'Change line' }))
    const panel = await dialog('Line of 7-Zip')
    await fill(within(panel).getByLabelText('Name of the line'), typed)
    await within(panel).findByText(expected)
    await click(button(panel, 'Save'))
    await gone(panel)
  }

  await change('Igor Archiver', /versions? of Igor Archiver\. Computers are not affected\.$/)
  await change('', /versions? of 7-Zip\. Computers are not affected\.$/)

  expect(service.bodies(`PUT ${path}`)).toEqual([{ line: 'Igor Archiver' }, { line: null }])
})
