import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createMasterClient } from '../../src/depot-server/master-client.ts'
import { synchronise } from '../../src/depot-server/synchronise.ts'
import { triggerSyncJob } from '../../src/features/depots/api/synchronisation/trigger-sync-job.ts'
import { temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { openDepotWorld } from '../depots/depot-world.ts'
import { cuttingProxy } from './cutting-proxy.ts'
import { spawnDepot } from './depot-process.ts'
import { givenStoredPackage, sha256Of } from './stored-packages.ts'

const { app, as, db, depot, store } = await openDepotWorld()
const master = new URL(await app.http.listen({ host: '127.0.0.1', port: 0 }))
const run = promisify(execFile)

test('a depot that is killed during a transfer resumes it and never serves an incomplete file', async () => {
  await db.deleteFrom('packages').execute()
  const large = randomBytes(4_000_000)
  await givenStoredPackage(db, store, { 'large.bin': large })
  const { credential, jobs } = await depot()
  const proxy = await cuttingProxy(master, { cuts: 1, afterBytes: 1_500_000, afterwards: 'wait' })
  const settings = {
    MUSTER_DEPOT_CREDENTIAL: credential,
    MUSTER_DEPOT_DIR: await temporaryFolder(),
    MUSTER_DEPOT_HEARTBEAT_SECONDS: '1',
    MUSTER_PORT: '0',
  }
  const start = async () => {
    const process = spawnDepot({ ...settings, MUSTER_DEPOT_MASTER: proxy.url.href })
    const address = await until(() => /listening on (\S+)/.exec(process.output())?.[1])
    return { process, file: () => fetch(`${address}/files/${sha256Of(large)}`) }
  }

  const first = await start()
  await until(() => proxy.ranges.length === 1 || undefined)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const incomplete = await first.file()
  await first.process.kill('SIGKILL')
  const second = await start()
  await until(async () => (await jobs())[0]?.status === 'Success' || undefined)

  expect(incomplete.status).toBe(404)
  expect(Buffer.from(await (await second.file()).arrayBuffer()).equals(large)).toBe(true)
  expect(proxy.ranges[1]).toMatch(/^bytes=[1-9]/)
})

test('a transfer that stops keeps the depot from no other package, and is continued by the next synchronisation', async () => {
  await db.deleteFrom('packages').execute()
  const large = randomBytes(2_000_000)
  await givenStoredPackage(db, store, { 'large.bin': large })
  await givenStoredPackage(db, store, { 'small.txt': 'small' })
  const { credential } = await depot()
  const proxy = await cuttingProxy(master, { cuts: 4, afterBytes: 100_000, afterwards: 'wait' })
  const directory = await temporaryFolder()
  const client = createMasterClient({ master: proxy.url, credential })
  const sync = () => synchronise(client, directory, AbortSignal.timeout(20_000), { windowMs: 500, minBytes: 64 * 1024 })

  const [first, second] = [await sync(), await sync()]

  expect(first).toMatchObject({ status: 'Failed', packages: 1, filesTransferred: 1, isInterrupted: true })
  expect(first.message).toContain('The master server sent only 0 bytes in 500 ms.')
  expect(second).toMatchObject({ status: 'Success', packages: 2, bytesTransferred: large.length - 400_000 })
})

// Only root can mount a file system that is small enough to fill.
test.runIf(process.getuid?.() === 0)(
  'a depot with a full disk reports it, keeps its files and continues once there is space',
  async () => {
    await db.deleteFrom('packages').execute()
    await givenStoredPackage(db, store, { 'small.txt': 'fits' })
    const directory = join(await temporaryFolder(), 'disk')
    await mkdir(directory)
    await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory])
    onTestFinished(async () => {
      await run('umount', ['--lazy', directory])
    })
    const { credential } = await depot()
    const sync = () => synchronise(createMasterClient({ master, credential }), directory, new AbortController().signal)

    const fitting = await sync()
    await givenStoredPackage(db, store, { 'large.bin': randomBytes(5_000_000) })
    const full = await sync()
    await run('mount', ['-o', 'remount,size=32m', directory])
    const enlarged = await sync()

    expect(fitting).toMatchObject({ status: 'Success', packages: 1 })
    expect(full).toMatchObject({ status: 'Failed', message: expect.stringMatching(/space|ENOSPC/i) })
    expect(enlarged).toMatchObject({ status: 'Success', packages: 2, filesTransferred: 1 })
  },
)

test('a depot without free file descriptors synchronises as soon as there are some, not at the next interval', async () => {
  await db.deleteFrom('packages').execute()
  const { id, credential, jobs } = await depot()
  const started = spawnDepot({
    MUSTER_DEPOT_CREDENTIAL: credential,
    MUSTER_DEPOT_DIR: await temporaryFolder(),
    MUSTER_DEPOT_HEARTBEAT_SECONDS: '1',
    MUSTER_DEPOT_MASTER: master.href,
    MUSTER_PORT: '0',
  })
  const allowDescriptors = (count: number) => run('prlimit', [`--pid=${started.pid}`, `--nofile=${count}:`])
  await until(async () => (await jobs())[0]?.status === 'Success' || undefined)
  await givenStoredPackage(db, store, { 'new.txt': 'new' })

  await allowDescriptors(1)
  await as('activation.execute').call(triggerSyncJob, { body: { depotClientIds: [id] } })
  const failed = await until(async () => (await jobs()).find(({ status }) => status === 'Failed'))
  await allowDescriptors(1_024)

  expect(failed).toMatchObject({ result: expect.stringContaining('EMFILE') })
  await until(async () => (await jobs()).filter(({ status }) => status === 'Success').length === 2 || undefined)
})
