import { describe, expect, test } from 'vitest'
import { beginSync } from '../../../src/channels/depot/begin-sync.ts'
import { endSync } from '../../../src/channels/depot/end-sync.ts'
import { listWantedFiles } from '../../../src/channels/depot/list-wanted-files.ts'
import { listWantedPackages } from '../../../src/channels/depot/list-wanted-packages.ts'
import { reportHeartbeat } from '../../../src/channels/depot/report-heartbeat.ts'
import { applyCatalog } from '../../../src/features/catalog/api/apply-catalog.ts'
import { getCatalog } from '../../../src/features/catalog/api/get-catalog.ts'
import { planCatalog } from '../../../src/features/catalog/api/plan-catalog.ts'
import type { Catalog } from '../../../src/features/catalog/api/schemas.ts'
import { createDepotCredential } from '../../../src/features/depots/api/create-depot-credential.ts'
import { deleteDepotCredential } from '../../../src/features/depots/api/delete-depot-credential.ts'
import { listSyncDepots } from '../../../src/features/depots/api/synchronisation/list-sync-depots.ts'
import { setDepotTopologySetting } from '../../../src/features/depots/api/synchronisation/set-depot-topology-setting.ts'
import { triggerSyncJob } from '../../../src/features/depots/api/synchronisation/trigger-sync-job.ts'
import type { Role } from '../../../src/platform/roles.ts'
import { givenStoredPackage, sha256Of } from '../../depot-server/stored-packages.ts'
import { openDepotWorld } from '../../depots/depot-world.ts'
import { givenTag } from '../../depots/given-packages.ts'
import { fingerprints } from '../../world/tables.ts'

const { as, db, depot, given, store, withToken } = await openDepotWorld()
const admin = as('admin.manage')
const result = { status: 'Success' as const, message: 'Done.', packages: 2, filesTransferred: 3, bytesTransferred: 5e9 }

type ComputerRoles = NonNullable<Catalog['computerRoles']>
const applyAs = (roles: Role[], computerRoles: ComputerRoles) =>
  as(...roles).call(applyCatalog, { body: { catalog: { computerRoles }, removeMissing: true } })
const apply = async (computerRoles: ComputerRoles) => {
  expect((await applyAs(['package.write', 'computer.read', 'admin.manage'], computerRoles)).status).toBe(200)
}
const computerOf = (id: number) =>
  db.selectFrom('computers').select(['name', 'domain']).where('id', '=', id).executeTakeFirstOrThrow()

describe('depot credentials', () => {
  test('a depot credential is shown once, and only the newest one is valid', async () => {
    const first = await depot()
    const again = await admin.call(createDepotCredential, { params: { clientId: first.id } })

    expect(again.status).toBe(201)
    expect(again.body.credential).not.toBe(first.credential)
    expect(await first.itself.call(listWantedPackages)).toMatchObject({ status: 401, problem: 'Unauthorized' })
    expect((await withToken(again.body.credential).call(listWantedPackages)).status).toBe(200)
  })

  test('a depot credential is refused after it was deleted, or when the computer is no longer a depot', async () => {
    const [one, other] = [await depot(), await depot()]

    const removed = await admin.call(deleteDepotCredential, { params: { clientId: one.id } })
    await db.updateTable('computers').set({ role: 'Client' }).where('id', '=', other.id).execute()

    expect(removed.status).toBe(204)
    for (const { itself } of [one, other]) expect((await itself.call(listWantedPackages)).status).toBe(401)
  })

  test.each(['Client', 'MasterServer'] as const)(
    'a depot credential that ended when the computer became a %s does not work again when it is a depot server again',
    async (role) => {
      const [{ id, itself }, other] = [await depot(), await depot()]
      const kept = { ...(await computerOf(other.id)), role: 'DepotServer' as const }
      const computer = await computerOf(id)
      await apply(role === 'Client' ? [kept] : [kept, { ...computer, role }])
      const without = (await itself.call(listWantedPackages)).status
      await apply([kept, { ...computer, role: 'DepotServer' }])

      expect([without, (await itself.call(listWantedPackages)).status]).toEqual([401, 401])
      expect((await other.itself.call(listWantedPackages)).status).toBe(200)
    },
  )

  test('a depot credential can be deleted when the computer is no longer a depot', async () => {
    const { id } = await depot()
    await db.updateTable('computers').set({ role: 'Client' }).where('id', '=', id).execute()
    const remove = () => admin.call(deleteDepotCredential, { params: { clientId: id } })

    expect((await remove()).status).toBe(204)
    expect(await remove()).toMatchObject({ status: 404, problem: 'NotADepot' })
  })

  test('a principal that writes packages neither makes a computer a depot or the master server nor takes that role from it', async () => {
    const [{ id, itself }, client] = [await depot(), await given.computer()]
    const listRoles = () => db.selectFrom('computers').select(['id', 'role']).orderBy('id').execute()
    const before = await listRoles()
    const computer = await computerOf(client.id)
    const attempts = [
      await applyAs(['package.write'], [{ ...computer, role: 'DepotServer' }]),
      await applyAs(['package.write', 'computer.read'], [{ ...computer, role: 'MasterServer' }]),
      await applyAs(['package.write', 'computer.read'], []),
    ]

    for (const attempt of attempts) expect(attempt).toMatchObject({ status: 403, problem: 'Forbidden' })
    expect(await listRoles()).toEqual(before)
    const unchanged = (await as('package.read', 'computer.read').call(getCatalog)).body.computerRoles ?? []
    expect(unchanged).toContainEqual({ ...(await computerOf(id)), role: 'DepotServer' })
    expect((await applyAs(['package.write', 'computer.read'], unchanged)).status).toBe(200)
    expect((await itself.call(listWantedPackages)).status).toBe(200)
  })

  test('a principal that only reads packages does not learn which computers exist', async () => {
    const { name, domain } = await computerOf((await depot()).id)
    const reader = as('package.read')
    const plan = (computer: string) =>
      reader.call(planCatalog, {
        body: { catalog: { computerRoles: [{ name: computer, domain, role: 'DepotServer' }] } },
      })

    for (const computer of [name, 'nope'])
      expect(await plan(computer)).toMatchObject({ status: 403, problem: 'Forbidden' })
    expect(Object.keys((await reader.call(getCatalog)).body)).not.toContain('computerRoles')
  })

  test('a depot credential is valid only for the depot channel, which accepts nothing else', async () => {
    const { itself, id } = await depot()
    const forged = [undefined, `depot-${id}.`, `depot-${id}.${'x'.repeat(43)}`, 'depot-2000000.x', 'x', '\u00e4']

    expect((await itself.call(listSyncDepots)).status).toBe(401)
    expect((await as('admin.manage', 'package.read', 'computer.read').call(listWantedPackages)).status).toBe(401)
    for (const credential of forged) {
      const refused = await withToken(credential).call(listWantedPackages)
      expect(refused).toMatchObject({ status: 401, problem: 'Unauthorized' })
      expect(refused.headers['www-authenticate']).toBe('Bearer realm="muster-depot"')
    }
  })

  test('a depot credential can only be created for a depot, and only an existing one can be deleted', async () => {
    const [client, master] = [await given.computer(), await given.computer({ role: 'MasterServer' })]
    const bare = await given.computer({ role: 'DepotServer' })
    const before = await fingerprints(db)
    const create = (clientId: number) => admin.call(createDepotCredential, { params: { clientId } })

    expect(await create(2_000_000)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
    expect(await create(client.id)).toMatchObject({ status: 404, problem: 'NotADepot' })
    expect(await create(master.id)).toMatchObject({ status: 409, problem: 'MasterServer' })
    const removed = await admin.call(deleteDepotCredential, { params: { clientId: bare.id } })
    expect(removed).toMatchObject({ status: 404, problem: 'DepotCredentialNotFound' })
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('depots', () => {
  test('a depot is online after its first heartbeat', async () => {
    const { itself, id } = await depot()
    const shownDepot = async () =>
      (await as('computer.read').call(listSyncDepots)).body.items.find(({ clientId }) => clientId === id)
    const before = await shownDepot()

    const beat = await itself.call(reportHeartbeat, { body: { version: '1.2.3', nextSyncUtc: '2026-03-01T00:00:00Z' } })

    expect(before).toMatchObject({ heartbeat: 'pending', lastHeartbeatUtc: null })
    expect(beat).toMatchObject({ status: 200, body: { waitingJobId: null } })
    expect(await shownDepot()).toMatchObject({
      heartbeat: 'online',
      version: '1.2.3',
      nextRunUtc: '2026-03-01T00:00:00.000Z',
    })
  })

  test('a depot gets a triggered job, runs it and reports its result', async () => {
    const { itself, id, jobs } = await depot()
    const { body } = await as('activation.execute').call(triggerSyncJob, { body: { depotClientIds: [id] } })
    const jobId = body.jobs[0]?.id ?? ''

    const beat = await itself.call(reportHeartbeat, { body: { version: '1', nextSyncUtc: '2026-03-01T00:00:00Z' } })
    const begun = await itself.call(beginSync)
    const whileRunning = await jobs()
    const ended = await itself.call(endSync, { params: { id: jobId }, body: result })

    expect(beat.body.waitingJobId).toBe(jobId)
    expect(begun.body.jobId).toBe(jobId)
    expect(whileRunning).toMatchObject([{ status: 'Running', finishedUtc: null, lastRunUtc: expect.any(String) }])
    expect(ended.status).toBe(204)
    const { message, ...counts } = result
    expect(await jobs()).toMatchObject([
      { trigger: 'Manual', result: message, finishedUtc: expect.any(String), ...counts },
    ])
  })

  test('a depot starts scheduled jobs, and an unfinished job counts as interrupted', async () => {
    const { itself, jobs } = await depot()

    const [first, second] = [await itself.call(beginSync), await itself.call(beginSync)]

    expect(await jobs()).toMatchObject([
      { id: second.body.jobId, trigger: 'Schedule', status: 'Running' },
      { id: first.body.jobId, status: 'Failed', result: 'The depot was interrupted.' },
    ])
  })

  test('a depot can finish only its own running job', async () => {
    const [one, other] = [await depot(), await depot()]
    const { jobId } = (await one.itself.call(beginSync)).body

    const foreign = await other.itself.call(endSync, { params: { id: jobId }, body: result })
    await one.itself.call(endSync, { params: { id: jobId }, body: result })
    const twice = await one.itself.call(endSync, { params: { id: jobId }, body: { ...result, status: 'Failed' } })

    for (const refused of [foreign, twice]) expect(refused).toMatchObject({ status: 409, problem: 'SyncJobNotRunning' })
    expect(await one.jobs()).toMatchObject([{ status: 'Success' }])
  })

  test('the service keeps the last hundred jobs of a depot', async () => {
    const { itself, jobs } = await depot()

    for (let index = 0; index < 103; index++) await itself.call(beginSync)

    expect((await jobs()).length).toBeLessThanOrEqual(101)
  })

  test('calls of a depot leave no entries in the audit trail', async () => {
    const { itself } = await depot()
    const count = () => db.selectFrom('audit_entries').select('id').execute()
    const before = await count()

    await itself.call(beginSync, { headers: { 'idempotency-key': 'the-same-key-as-ever' } })

    expect(await count()).toHaveLength(before.length)
  })
})

describe('packages', () => {
  const topology = (isActive: boolean) => as('package.write').call(setDepotTopologySetting, { body: { isActive } })

  test('a depot needs all packages while the topology is inactive, and those with its tags or Global while it is active', async () => {
    const { id, wanted } = await depot()
    const [own, foreign] = [await givenTag(db), await givenTag(db)]
    await db.insertInto('depot_tags').values({ computer_id: id, tag_id: own.id }).execute()
    const files = { 'a.txt': 'a' }
    const [ofOwn, ofForeign, ofGlobal, untagged] = [
      await givenStoredPackage(db, store, files, [own, foreign]),
      await givenStoredPackage(db, store, files, [foreign]),
      await givenStoredPackage(db, store, files, [{ id: 1 }]),
      await givenStoredPackage(db, store, files),
    ]
    const all = [ofOwn, ofForeign, ofGlobal, untagged].map((one) => one.id)

    const inactive = await wanted()
    await topology(true)
    const active = await wanted()
    await topology(false)

    expect(inactive).toEqual(expect.arrayContaining(all))
    expect(active.filter((one) => all.includes(one)).toSorted()).toEqual([ofOwn.id, ofGlobal.id].toSorted())
  })

  test.each([{ hash_state: 'Mismatch' }, { hash_state: 'None', content_hash: null }])(
    'a depot does not need packages whose files are not what was imported: %j',
    async (columns) => {
      const { itself, wanted } = await depot()
      const { id } = await givenStoredPackage(db, store, { 'a.txt': 'a' })
      await db.updateTable('packages').set(columns).where('id', '=', id).execute()

      expect(await wanted()).not.toContain(id)
      const refused = await itself.call(listWantedFiles, { params: { id } })
      expect(refused).toMatchObject({ status: 404, problem: 'PackageNotWanted' })
    },
  )

  test('the files of a package are listed with size and hash', async () => {
    const { itself } = await depot()
    const { id } = await givenStoredPackage(db, store, { 'bin/run.sh': 'run', empty: '' })

    const { body } = await itself.call(listWantedFiles, { params: { id } })

    expect(body.files.toSorted((a, b) => a.size - b.size)).toEqual([
      { path: 'empty', size: 0, sha256: sha256Of('') },
      { path: 'bin/run.sh', size: 3, sha256: sha256Of('run') },
    ])
  })
})
