import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { deleteUnusedPackages } from '../../src/features/package-lines/api/delete-unused-packages.ts'
import { listUnusedPackages } from '../../src/features/package-lines/api/list-unused-packages.ts'
import { contentPathOf } from '../../src/features/packages/content/content-folder.ts'
import { ensureContent } from '../../src/features/packages/content/open-content.ts'
import { purgeUnreferencedContent } from '../../src/features/packages/jobs/purge-content.ts'
import { sha256Of } from '../channels/agent/agent-world.ts'
import { openLineWorld } from './line-world.ts'

const world = await openLineWorld()
const { db, doWork, given, groupWith, line, person, readyPackage, rollBack, store, tickAll, upgrade, versions } = world

const unused = async () => (await person.call(listUnusedPackages)).body

const isListed = async ({ id }: { id: string }) => (await unused()).items.some((item) => item.id === id)

const cleanUp = (packages: readonly { id: string }[], body: object = {}, query: object = {}) =>
  person.call(deleteUnusedPackages, { body: { packageIds: packages.map(({ id }) => id), ...body }, query })

test('the clean-up lists versions that nothing refers to, with the bytes that only they have', async () => {
  const [first, second, third] = await versions(['1.0', '2.0', '3.0'])
  const files = [
    { of: first, path: 'shared.txt', size: 1000, content: 'shared' },
    { of: first, path: 'own.txt', size: 300, content: 'first' },
    { of: third, path: 'shared.txt', size: 1000, content: 'shared' },
  ]
  for (const { of, path, size, content } of files)
    await db
      .insertInto('package_files')
      .values({ package_id: of.id, path, size, sha256: Buffer.from(sha256Of(content), 'hex') })
      .execute()
  await groupWith(third, 1)

  const { items } = await unused()

  const own = items.filter(({ name }) => name === first.name)
  expect(own).toMatchObject([
    { id: second.id, state: 'Superseded', isNewest: false, freedBytes: 0 },
    { id: first.id, state: 'Superseded', isNewest: false, sizeBytes: 1300, freedBytes: 300 },
  ])
})

test('a version that nothing refers to is deleted, and its content with it', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  await groupWith(current, 1)
  const content = 'only in the old version'
  const extra = await readyPackage({ files: { 'old.txt': content } })
  await sql`update package_files set package_id = ${old.id} where package_id = ${extra.id}`.execute(db)
  const hash = sha256Of(content)
  const file = { folder: extra.folder ?? '', path: 'old.txt', size: content.length, sha256: hash }
  expect(await ensureContent(store, file)).toBe(true)
  const path = contentPathOf(store, hash)
  const longAgo = new Date(Date.now() - 48 * 3_600_000)
  await utimes(path, longAgo, longAgo)
  const tried = await cleanUp([old], {}, { dryRun: true })
  expect(tried.body).toMatchObject({ deletedCount: 1, freedBytes: content.length })
  expect(await isListed(old)).toBe(true)

  const deleted = await cleanUp([old], { expectedPackages: 1 })

  expect(deleted).toMatchObject({ status: 200, body: { deletedCount: 1, freedBytes: content.length } })
  expect((await line(current)).versions.map(({ id }) => id)).toEqual([current.id])
  await purgeUnreferencedContent(db, store, new AbortController().signal)
  expect(await readdir(join(path, '..')).catch(() => [])).not.toContain(hash)
})

test('nothing is deleted unless as many packages as expected are', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  await groupWith(current, 0)

  expect((await cleanUp([old], { expectedPackages: 2 })).status).toBe(400)
  expect(await isListed(old)).toBe(true)
})

const references: [string, (version: { id: string; name: string }) => Promise<unknown>][] = [
  ['a group assigns it', async (made) => given.assignment(await given.group(), made, 'package')],
  ['a software class contains it', (made) => given.softwareClass({ packages: [made] })],
  [
    'a computer has it',
    (made) =>
      groupWith(made, 1).then(({ group }) => sql`delete from group_packages where group_id = ${group.id}`.execute(db)),
  ],
  [
    'a rollout has not ended',
    (made) =>
      sql`insert into rollouts (name, group_id, package_id, criteria, created_by)
        values ('Any', ${crypto.randomUUID()}, ${made.id}, '{}', 'somebody')`.execute(db),
  ],
  ['another package requires it', ({ name }) => readyPackage({ requires: [name.toUpperCase()] })],
]

test.for(references)('a version is not deleted if %s', async ([, refer]) => {
  const [only] = await versions(['1.0'])
  expect(await isListed(only)).toBe(true)
  await refer(only)

  expect(await isListed(only)).toBe(false)
  expect(await cleanUp([only])).toMatchObject({ status: 409, problem: 'PackageInUse' })
})

test('of a required name, older versions can be deleted and the newest cannot', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  await readyPackage({ requires: [old.name] })

  expect([await isListed(old), await isListed(current)]).toEqual([true, false])
})

test('the previous version stays while an upgrade can be rolled back, and so does the new one', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 1)
  const { upgradeId } = (await upgrade(current, [group], { rings: [{}] })).body
  await tickAll()
  await doWork(agents)
  await tickAll()
  expect(await isListed(old)).toBe(false)

  await rollBack(upgradeId)
  for (let round = 0; round < 3; round++) {
    await tickAll()
    await doWork(agents)
  }
  await sql`update rollouts set state = 'Completed', ended_at = now() where upgrade_id = ${upgradeId}`.execute(db)

  expect([await isListed(old), await isListed(current)]).toEqual([false, true])
})

test('a package that is assigned during the clean-up is either deleted or assigned, never both', async () => {
  const group = await given.group()
  for (let round = 0; round < 5; round++) {
    const [only] = await versions(['1.0'])
    const [deleted, assigned] = await Promise.all([
      cleanUp([only]),
      person.call(assignGroupPackage, { params: { id: group.id }, body: { packageId: only.id } }),
    ])

    expect([deleted.status, assigned.status].toSorted()).toEqual(deleted.status === 200 ? [200, 404] : [201, 409])
  }
})

test('one package in use keeps all others', async () => {
  const [one, other] = await versions(['1.0', '2.0'])
  await groupWith(other, 0)

  const refused = await cleanUp([one, other])

  expect(refused).toMatchObject({ status: 409, raw: { packageIds: [other.id] } })
  expect(await isListed(one)).toBe(true)
})
