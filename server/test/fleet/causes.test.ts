import { expect, test } from 'vitest'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { retryPackage } from '../../src/features/deployments/api/retry/retry-package.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { getIssuePage } from '../../src/features/fleet/api/get-issue-page.ts'
import { getPackagePage } from '../../src/features/fleet/api/get-package-page.ts'
import { listFleetPackages } from '../../src/features/fleet/api/list-fleet-packages.ts'
import { listIssueComputers } from '../../src/features/fleet/api/list-issue-computers.ts'
import { listPackageFailures } from '../../src/features/fleet/api/list-package-failures.ts'
import { listIssueOverview } from '../../src/features/issues/api/list-issue-overview.ts'
import { listLowDiskComputers } from '../../src/features/issues/api/list-low-disk-computers.ts'
import { issueNames } from '../../src/features/issues/issues.ts'
import { since } from '../issues/fleet-model.ts'
import { openIssuesWorld } from '../issues/issues-world.ts'

const world = await openIssuesWorld()
const { as, db, given } = world
const reader = as('computer.read', 'package.read')
const operator = as('activation.execute')

const berlin = await given.group({ name: 'Berlin' })
const released = { is_operational: true, hash_state: 'Current' }
const editor = await given.package({ name: 'Editor', package_name: 'editor', version: '1.0', ...released })
const newer = await given.package({ name: 'Editor', package_name: 'Editor', version: '2.0' })
const other = await given.package({ name: 'Other', version: '7', ...released })
await given.assignment(berlin, editor, 'package')
await given.assignment(berlin, other, 'package')

const outputs = ['disk full: /var/1', 'disk full: /srv/22', 'disk full: /opt/3', 'access denied'] as const
const computers: { id: number; name: string; output: string }[] = []
for (const [at, output] of outputs.entries()) {
  const computer = await given.computer({ name: `till-${at}`, lastSeen: since(at === 0 ? 100 : 1) })
  await given.member(berlin, computer)
  await world.disk(computer, { free: at === 3 ? 50 : 3, position: at === 2 ? 1 : 0 })
  computers.push({ ...computer, output })
}
await operator.call(activateGroup, { params: { id: berlin.id }, body: { software: true } })
await db.deleteFrom('work').execute()
for (const { output, ...computer } of computers) {
  const changes = { result: 'Failed', pending_since: null, failed_at: new Date() }
  await db
    .updateTable('deployments')
    .set(changes)
    .where('computer_id', '=', computer.id)
    .where('package_id', '=', editor.id)
    .execute()
  await world.setupError(computer, editor, { exit_code: 1, output })
}

async function causesOf(packageId: string) {
  const { body } = await reader.call(getPackagePage, { params: { id: packageId } })
  return body.failureCauses ?? []
}

test('a package shows its tags, its files and the other packages with its name, the latest first', async () => {
  const tag = await db.insertInto('tags').values({ designation: 'Tills' }).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('package_tags').values({ package_id: editor.id, tag_id: tag.id }).execute()

  const { body: page } = await reader.call(getPackagePage, { params: { id: editor.id } })

  expect(page.tags).toEqual([{ id: tag.id, designation: 'Tills' }])
  expect(page).toMatchObject({ folder: editor.folder, fileCount: 0, sizeBytes: 0 })
  expect(page.versions).toMatchObject([
    { id: newer.id, version: '2.0', operational: false, deployments: { success: 0, failed: 0, pending: 0 } },
    { id: editor.id, version: '1.0', operational: true, deployments: { failed: 4 } },
  ])
})

test('packages are found by words of their names, versions and tags, and by release, kind and failures', async () => {
  const found = async (query: object) => {
    const { body } = await reader.call(listFleetPackages, { query })
    return body.items.map(({ name, version }) => `${name} ${version}`)
  }

  expect(await found({ search: 'EDIT 2' })).toEqual(['Editor 2.0'])
  expect(await found({ search: 'tills' })).toEqual(['Editor 1.0'])
  expect(await found({ operational: false })).toEqual(['Editor 2.0'])
  expect(await found({ failing: true })).toEqual(['Editor 1.0'])
  expect(await found({ failing: false, operational: true })).toEqual(['Other 7'])
  expect(await found({ hashState: 'Mismatch' })).toEqual([])
  expect(await found({ kind: 'PatchScan' })).toEqual([])
})

test('the computers of a cause are those whose outputs belong to it, and no others', async () => {
  const [full, denied] = await causesOf(editor.id)

  const { body: ofFull } = await reader.call(listPackageFailures, {
    params: { id: editor.id },
    query: { causeId: full?.causeId ?? '' },
  })
  const { body: all } = await reader.call(listPackageFailures, { params: { id: editor.id } })

  expect([full?.count, denied?.count]).toEqual([3, 1])
  expect(ofFull.items.map(({ hostname, output }) => [hostname, output])).toEqual(
    computers.slice(0, 3).map(({ name, output }) => [name, output]),
  )
  expect(all.totalCount).toBe(4)
})

test('every issue counts the computers of its sweep, and each of its causes lists as many as it counts', async () => {
  for (const issue of issueNames) {
    const { body: page } = await reader.call(getIssuePage, { params: { issue } })
    const { body: overview } = await reader.call(listIssueOverview, { query: { issues: issue, lastSeenDays: 0 } })

    expect(page.computers, issue).toBe(overview.totalCount)
    for (const { causeId, count } of page.causes) {
      const { body } = await reader.call(listIssueComputers, { params: { issue }, query: { causeId } })
      expect(body.totalCount, `${issue} ${causeId}`).toBe(count)
    }
  }
})

test('computers with low disks are grouped by volume, and failures of all packages by package, exit code and output', async () => {
  const { body: disks } = await reader.call(getIssuePage, { params: { issue: 'low-disk' } })
  const { body: sweep } = await reader.call(listLowDiskComputers)
  const { body: failed } = await reader.call(getIssuePage, { params: { issue: 'failed-deployment' } })
  const { body: ofFailure } = await reader.call(listIssueComputers, {
    params: { issue: 'failed-deployment' },
    query: { failureId: failed.failures[0]?.causeId ?? '' },
  })

  expect(disks.causes.map(({ name, count }) => [name, count])).toEqual([
    ['volume 0', 2],
    ['volume 1', 1],
  ])
  expect(disks.computers).toBe(sweep.totalCount)
  expect(failed.causes).toMatchObject([{ causeId: editor.id, name: 'Editor 1.0', count: 4 }])
  expect(failed.failures).toEqual(await causesOf(editor.id))
  expect(ofFailure.items.map(({ hostname }) => hostname)).toEqual(['till-0', 'till-1', 'till-2'])
})

test('a retry on named computers is about those of them that fail', async () => {
  const [first] = computers
  const computerIds = [first?.id ?? 0, (await given.computer()).id]

  const request = { params: { id: editor.id }, body: { computerIds }, query: { dryRun: true } }
  const tried = await operator.call(retryPackage, request)

  expect(tried.headers['muster-affected-computers']).toBe('1')
  expect(tried.body).toMatchObject({ computerCount: 1 })
})

test('a retry creates the failed work of one cause again, and of nothing else', async () => {
  const [, denied] = await causesOf(editor.id)
  const request = { params: { id: editor.id }, body: { causeId: denied?.causeId ?? '' } }

  const tried = await operator.call(retryPackage, { ...request, query: { dryRun: true } })
  const unexpected = await operator.call(retryPackage, { ...request, query: { expectedCount: 2 } })
  const { body: retried } = await operator.call(retryPackage, { ...request, query: { expectedCount: 1 } })

  expect(tried.headers['muster-affected-computers']).toBe('1')
  expect(unexpected).toMatchObject({ status: 409, problem: 'UnexpectedCount', raw: { actualCount: 1 } })
  expect(retried).toMatchObject({ packageId: editor.id, computerCount: 1 })
  const { body: task } = await reader.call(getTask, { params: { trackingId: retried.trackingId ?? '' } })
  expect(task).toMatchObject({ total: 1, open: 1, packageId: editor.id, createdBy: expect.any(String) })
  expect((await causesOf(editor.id)).map(({ count }) => count)).toEqual([3])
  const again = await operator.call(retryPackage, request)
  expect(again.body).toMatchObject({ computerCount: 0, trackingId: null })
})

test('a computer that no longer gets the package has no failure to retry', async () => {
  expect(await causesOf(editor.id)).not.toEqual([])
  const params = { id: berlin.id, packageId: editor.id }
  expect((await as('group.write').call(removeGroupPackage, { params })).status).toBe(204)

  const { body: retried } = await operator.call(retryPackage, { params: { id: editor.id }, body: {} })

  expect(await causesOf(editor.id)).toEqual([])
  expect(retried).toMatchObject({ computerCount: 0, trackingId: null })
})
