import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getWorkFile } from '../../src/channels/agent/get-work-file.ts'
import { setFreeze } from '../../src/features/blast-radius/api/set-freeze.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { listPreDownloads } from '../../src/features/pre-downloads/api/list-pre-downloads.ts'
import { openAgentWorld, sha256Of } from '../channels/agent/agent-world.ts'
import { countStatements } from '../world/statements.ts'

const { agent, as, db, given, letTimePass, readyPackage, state, work } = await openAgentWorld()

type Computer = Awaited<ReturnType<typeof agent>>
type Report = { workId: number; contentHash: string; state: 'Waiting' | 'Fetching' | 'Ready' | 'Failed' }

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const files = { 'install.sh': 'echo hello' }

/** A computer whose work with a package waits, and is downloaded ahead. */
async function waiting(columns: Partial<Parameters<typeof work>[2]> = {}) {
  const [computer, software] = [await agent(), await readyPackage({ files })]
  const workId = await work(computer, software, { not_before: inHours(8), pre_download: true, ...columns })
  return { computer, software, workId }
}

/** A contact of an agent that downloads ahead. */
const exchange = (computer: Computer, reports: Report[] = []) =>
  computer.exchange({ preDownloads: reports.map((report) => ({ fetchedBytes: 0, message: null, ...report })) })

async function upcomingOf(computer: Computer, reports: Report[] = []) {
  return (await exchange(computer, reports)).body.upcoming?.work
}

async function hashOf({ id }: { id: string }): Promise<string> {
  const row = await db.selectFrom('packages').select('content_hash').where('id', '=', id).executeTakeFirstOrThrow()
  return row.content_hash?.toString('hex') ?? ''
}

const counts = async (query: object) =>
  (await as('computer.read').call(listPreDownloads, { query })).body.map(({ earliestStartUtc: _, ...one }) => one)

describe('what is announced', () => {
  test('work that waits for its time is announced with its files, and without anything to run', async () => {
    const { computer, software, workId } = await waiting()

    const { body } = await exchange(computer)

    expect(body.work).toEqual([])
    expect(body.upcoming).toEqual({
      work: [
        {
          workId,
          package: expect.objectContaining({ packageId: software.id, contentHash: await hashOf(software) }),
          fetch: true,
          files: [{ path: 'install.sh', size: 10, sha256: sha256Of('echo hello') }],
        },
      ],
      depots: [],
      depotsAfterServer: [],
    })
    expect(JSON.stringify(body)).not.toContain('argv')
  })

  test('an agent that does not report what it has only learns that there is something, and an earlier one nothing new', async () => {
    const { computer } = await waiting()
    const idle = await agent()

    const [asked, other] = [(await computer.exchange()).body, (await idle.exchange()).body]

    expect(asked).toMatchObject({ hasUpcoming: true, work: [] })
    expect(asked.upcoming).toBeUndefined()
    expect(other).not.toHaveProperty('hasUpcoming')
    expect(other).not.toHaveProperty('upcoming')
  })

  test('files that the agent has reported are not listed again, and those of other content are', async () => {
    const { computer, software, workId } = await waiting()
    const contentHash = await hashOf(software)

    const known = await upcomingOf(computer, [{ workId, contentHash, state: 'Fetching' }])
    const replaced = await upcomingOf(computer, [{ workId, contentHash: 'a'.repeat(64), state: 'Ready' }])

    expect(known).toEqual([expect.not.objectContaining({ files: expect.anything() })])
    expect(replaced).toEqual([expect.objectContaining({ files: expect.any(Array) })])
  })

  test.each([
    ['without the option', { pre_download: false }],
    ['that uninstalls', { kind: 'Uninstall', commands: 4 }],
    ['that is only offered', { commands: 65 }],
    ['for which no window opens any more', { not_before: 'infinity' }],
  ])('work %s is not announced', async (_, columns) => {
    const { computer } = await waiting(columns as object)

    expect(await upcomingOf(computer)).toEqual([])
  })

  test('a package whose release is withdrawn is not announced any more, and its files cannot be downloaded', async () => {
    const { computer, software, workId } = await waiting()
    expect(await upcomingOf(computer)).toHaveLength(1)

    await db.updateTable('packages').set({ is_operational: false }).where('id', '=', software.id).execute()

    expect(await upcomingOf(computer)).toEqual([])
    expect((await download(computer, workId)).status).toBe(404)
  })

  test('cancelled work is not announced any more, and its files cannot be downloaded', async () => {
    const { computer, workId } = await waiting()
    await exchange(computer)

    await db.updateTable('work').set({ state: 'Cancelled', closed_at: new Date() }).where('id', '=', workId).execute()

    const report: Report = { workId, contentHash: 'a'.repeat(64), state: 'Fetching' }
    expect(await upcomingOf(computer, [report])).toEqual([])
    expect((await download(computer, workId)).status).toBe(404)
  })

  test('work that is handed out is still named, so the agent keeps its content', async () => {
    const { computer, workId, software } = await waiting()
    const report: Report = { workId, contentHash: await hashOf(software), state: 'Ready' }
    await exchange(computer, [report])
    await letTimePass(workId)

    const { body } = await exchange(computer, [report])

    expect(body.work).toEqual([expect.objectContaining({ workId })])
    expect(body.upcoming?.work).toEqual([expect.objectContaining({ workId, fetch: false })])
  })

  test('while the installation is frozen, agents keep what they have and download nothing', async () => {
    const { computer, workId } = await waiting()
    const freeze = (frozen: boolean) =>
      as('admin.manage').call(setFreeze, { body: { frozen, reason: frozen ? 'Wrong package' : null } })
    await freeze(true)

    const frozen = await upcomingOf(computer)
    const refused = await download(computer, workId)
    await freeze(false)

    expect(frozen).toEqual([expect.objectContaining({ workId, fetch: false })])
    expect(refused.status).toBe(404)
    expect(await upcomingOf(computer)).toEqual([expect.objectContaining({ workId, fetch: true })])
  })
})

const download = (computer: Computer, workId: number, content = 'echo hello') =>
  computer.itself.call(getWorkFile, { params: { workId, sha256: sha256Of(content) } })

describe('files before their time', () => {
  test('an agent downloads the files of its announced work, and no others', async () => {
    const { computer, workId } = await waiting()
    const other = await waiting()
    const unannounced = await waiting({ pre_download: false })

    expect((await download(computer, workId)).status).toBe(200)
    expect((await download(computer, other.workId)).status).toBe(404)
    expect((await download(unannounced.computer, unannounced.workId)).status).toBe(404)
    expect((await download(computer, workId, 'another file')).status).toBe(404)
    expect(await state.work(workId)).toMatchObject({ state: 'Due', attempt: 0, leased_until: null })
  })
})

describe('what agents report', () => {
  test('what agents report is counted for the group, the package, the task and the rollout', async () => {
    const [software, group] = [await readyPackage({ files }), await given.group()]
    const columns = { not_before: inHours(8), pre_download: true, group_id: group.id }
    const computers = await Promise.all(Array.from({ length: 4 }, () => agent()))
    const [ready, fetching, failed] = computers
    const items = await Promise.all(computers.map((computer) => work(computer, software, columns)))
    const contentHash = await hashOf(software)
    const report = (at: number, reported: Report['state']) => ({
      workId: items[at] ?? 0,
      contentHash,
      state: reported,
      fetchedBytes: 7,
      message: reported === 'Failed' ? 'The disk is full.' : null,
    })
    await ready?.exchange({ preDownloads: [report(0, 'Ready')] })
    await fetching?.exchange({ preDownloads: [report(1, 'Fetching')] })
    await failed?.exchange({ preDownloads: [report(2, 'Failed')] })

    const counted = { total: 4, ready: 1, fetching: 1, failed: 1, waiting: 1, bytes: 10 }
    const expected = { packageId: software.id, ...counted }
    expect(await counts({ groupId: group.id })).toEqual([expect.objectContaining(expected)])
    expect(await counts({ packageId: software.id })).toEqual([expect.objectContaining(expected)])
    const { task_id } = await state.work(items[0] ?? 0)
    expect(await counts({ trackingId: task_id })).toEqual([expect.objectContaining({ total: 1, ready: 1 })])
    expect(await counts({ rolloutId: task_id })).toEqual([])
    expect(await counts({ groupId: (await given.group()).id })).toEqual([])
    const explained = await as('computer.read').call(explainComputer, {
      params: { id: failed?.id ?? 0 },
      query: { packageId: software.id },
    })
    expect(explained.body.work?.preDownload).toMatchObject({
      ...{ state: 'Failed', fetchedBytes: 7, message: 'The disk is full.' },
    })
  })

  test('what was ready is not ready any more when an import has replaced the content', async () => {
    const { computer, software, workId } = await waiting()
    await exchange(computer, [{ workId, contentHash: await hashOf(software), state: 'Ready' }])
    expect(await counts({ packageId: software.id })).toEqual([expect.objectContaining({ ready: 1 })])

    const content_hash = Buffer.alloc(32, 7)
    await db.updateTable('packages').set({ content_hash }).where('id', '=', software.id).execute()

    expect(await counts({ packageId: software.id })).toEqual([expect.objectContaining({ ready: 0, waiting: 1 })])
  })

  test('work that is done is not counted', async () => {
    const { computer, software, workId } = await waiting()
    const report: Report = { workId, contentHash: await hashOf(software), state: 'Ready' }
    await exchange(computer, [report])
    await letTimePass(workId)
    await exchange(computer, [report])
    await computer.report(workId)

    expect(await counts({ packageId: software.id })).toEqual([])
    expect(await upcomingOf(computer, [report])).toEqual([])
  })

  test('a contact does not wait for work that somebody has locked, and reports it the next time', async () => {
    const { computer, software, workId } = await waiting()
    const report: Report = { workId, contentHash: await hashOf(software), state: 'Ready' }

    const during = await db.transaction().execute(async (transaction) => {
      await sql`select from work where id = ${workId} for update`.execute(transaction)
      return exchange(computer, [report])
    })

    expect(during.status).toBe(200)
    expect(await counts({ packageId: software.id })).toEqual([expect.objectContaining({ ready: 0 })])
    await exchange(computer, [report])
    expect(await counts({ packageId: software.id })).toEqual([expect.objectContaining({ ready: 1 })])
  })
})

describe('what it costs', () => {
  test('contacts of agents without such work cost as many statements as before', async () => {
    const idle = await agent()
    const { computer } = await waiting()
    for (const one of [idle, computer]) await one.exchange()

    expect(await countStatements(() => idle.exchange())).toBe(1)
    expect(await countStatements(() => exchange(idle))).toBe(1)
    expect(await countStatements(() => computer.exchange())).toBe(1)
  })

  test('an agent that has everything costs one statement more, and one that has not two more for its depots and files', async () => {
    const { computer, software, workId } = await waiting()
    await exchange(computer)
    const report: Report = { workId, contentHash: await hashOf(software), state: 'Ready' }
    await exchange(computer, [report])

    expect(await countStatements(() => exchange(computer, [report]))).toBe(2)
    // Its files were read before by this process.
    expect(await countStatements(() => exchange(computer))).toBe(3)
  })
})

describe('the option', () => {
  test('the option of an assignment reaches its work, and its change reaches waiting work at the next activation', async () => {
    const [computer, group, software] = [await agent(), await given.group(), await readyPackage({ files })]
    await given.member(group, computer)
    await given.assignment(group, software, 'package')
    const target = { params: { id: group.id }, query: { packageId: software.id } }
    const set = (preDownload?: boolean) =>
      as('group.write').call(setDistributionOptions, {
        ...target,
        body: {
          commands: ['Install'],
          schedule: { from: inHours(8).toISOString() },
          ...(preDownload !== undefined && { preDownload }),
        },
      })
    const activate = () =>
      as('activation.execute').call(activateComputer, { params: { id: computer.id }, body: { software: true } })

    expect((await set(true)).body.preDownload).toBe(true)
    await activate()
    expect(await upcomingOf(computer)).toHaveLength(1)

    expect((await set()).body.preDownload).toBe(false)
    expect((await as('group.read').call(getDistributionOptions, target)).body.preDownload).toBe(false)
    await activate()
    expect(await upcomingOf(computer)).toEqual([])
  })
})
