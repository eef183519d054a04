import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { JobPlan } from '../../../src/channels/fusion/jobs/job-plan.ts'
import { openReadingQueue, ReaderBusy } from '../../../src/channels/fusion/messages/reading-queue.ts'
import { openReportReader } from '../../../src/channels/fusion/messages/report-reader.ts'
import { listSetupErrorLog } from '../../../src/features/deployments/api/history/list-setup-error-log.ts'
import { tableVersions } from '../../world/tables.ts'
import { deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'
import { workingAgent } from './working-agent.ts'

const jobRateLimit = 5
const world = await openFusionWorld({ jobRateLimit, agentDownloads: { max: 1, maxPerNetwork: 1 } })
const { app, enrolmentToken, post } = world

const mebibyte = 1024 * 1024

test('a flood of large messages with one secret is refused with 503, and those with other secrets are read', async () => {
  const { token: flooding } = await enrolmentToken()
  const large = Buffer.concat([Buffer.from('<REQUEST>'), randomBytes(3 * mebibyte)])
  const flood = Array.from({ length: 40 }, () => post(large, { secret: flooding, pack: (body) => Buffer.from(body) }))

  const other = await post(fromComputer(samples.fusionInventory, 'patient'))
  const answers = await Promise.all(flood)

  expect(other.status).toBe(200)
  const refused = answers.filter(({ status }) => status === 503)
  // Ten of them have 30 MiB. The others may be read, if they arrive when those have been read.
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 503]))
  expect(refused[0]?.headers['retry-after']).toBe('10')
  expect((await post(large, { secret: flooding })).status).toBe(400)
})

test('the messages that a process reads or keeps are bounded in bytes, in all and for each secret', async () => {
  const reader = openReportReader({ maxRunning: 1, maxRunningPerToken: 1, maxBytes: 3e6, maxBytesPerToken: 2e6 })
  const body = Buffer.from(samples.fusionInventory.padEnd(900_000))
  const read = async (tokenId: number) =>
    reader.read(body, tokenId).then(
      ({ action }) => action,
      (error: Error) => error.name,
    )

  const answers = await Promise.all([1, 1, 1, 2, 3].map(read))
  const later = await read(1)
  await reader.close()

  expect(answers).toEqual(['inventory', 'inventory', 'ReaderBusy', 'inventory', 'ReaderBusy'])
  expect(later).toBe('inventory')
})

test('the secrets take turns, and one alone does not occupy all threads', async () => {
  const queue = openReadingQueue({ maxRunning: 2, maxRunningPerToken: 1, maxBytes: 1e9, maxBytesPerToken: 1e9 })
  const [started, finish] = [[] as string[], new Map<string, () => void>()]
  const read = (name: string, tokenId: number) =>
    queue.run(tokenId, 1, () => {
      started.push(name)
      return new Promise<void>((resolve) => finish.set(name, resolve))
    })
  const all = [read('a1', 1), read('a2', 1), read('a3', 1), read('b1', 2), read('b2', 2), read('c1', 3)]
  const afterwards = () => new Promise((resolve) => setImmediate(resolve))

  await afterwards()
  const first = [...started]
  for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3']) {
    finish.get(name)?.()
    await afterwards()
  }
  await Promise.all(all)

  expect(first).toEqual(['a1', 'b1'])
  expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3'])
})

test('many small messages are bounded like large ones, because their requests need memory as well', async () => {
  const queue = openReadingQueue({
    maxRunning: 1,
    maxRunningPerToken: 1,
    maxBytes: mebibyte,
    maxBytesPerToken: mebibyte,
  })
  const [gate, open] = (({ promise, resolve }) => [promise, resolve] as const)(Promise.withResolvers<void>())

  const reads = Array.from({ length: 40 }, () => queue.run(1, 10, () => gate).catch((error: Error) => error))
  open()

  expect((await Promise.all(reads)).filter((error) => error instanceof ReaderBusy)).toHaveLength(8)
})

test('questions for jobs are limited per minute and address, alike for known and unknown devices', async () => {
  const agent = await workingAgent(world, 'asking')
  const ask = async (machineid: string, remoteAddress: string) => {
    const { statusCode, headers } = await app.http.inject({
      url: `/agent/fusion/${agent.secret}?action=getConfig&machineid=${machineid}`,
      remoteAddress,
    })
    return { status: statusCode, retryAfter: headers['retry-after'], limit: headers.ratelimit }
  }
  const askOften = async (machineid: string, address: string) => {
    const answers: Awaited<ReturnType<typeof ask>>[] = []
    for (let count = 0; count <= jobRateLimit; count++) answers.push(await ask(machineid, address))
    return answers.map(({ status }) => status)
  }

  const expected = [...Array(jobRateLimit).fill(200), 429]
  expect(await askOften(agent.machineid, '192.0.2.1')).toEqual(expected)
  expect(await askOften(deviceIdOf('unknown'), '192.0.2.2')).toEqual(expected)
  const refused = await ask(agent.machineid, '192.0.2.2')
  expect(refused.limit).toBe(`"job";r=0;t=${refused.retryAfter}`)
  expect(await ask(agent.machineid, '192.0.2.3')).toMatchObject({
    status: 200,
    limit: expect.stringMatching(`^"job";r=${jobRateLimit - 1};t=`),
  })
})

test('whatever steps and actions an agent invents, its job ends, and only exit codes of the planned actions are stored', async () => {
  const agent = await workingAgent(world, 'inventive')
  await world.work(agent, await world.readyPackage({ files: { 'install.sh': 'exit 0' } }))
  const job = await agent.firstJob()
  await agent.begins(job)
  for (const currentStep of ['constructor', '__proto__', 'toString']) await agent.report(job, { currentStep, msg: 'x' })
  for (const actionnum of ['1', '77', '1e300', '-5', 'NaN', '__proto__'])
    await agent.report(job, { currentStep: 'processing', actionnum, msg: "exit status: `9999999999'" })

  await agent.fails(job, 99, 'cmd: it did not work')

  const { plan, exit_codes } = await world.db
    .selectFrom('fusion_jobs')
    .select(['plan', 'exit_codes'])
    .where('id', '=', job.uuid)
    .executeTakeFirstOrThrow()
  const { steps, detect } = plan as unknown as JobPlan
  const planned = [...steps, ...(detect ? [detect] : [])].map(({ action }) => String(action))
  expect(planned).toEqual(expect.arrayContaining(Object.keys(exit_codes as object)))
})

/** An agent that has begun a job with a file. */
async function busyAgent(name: string) {
  const agent = await workingAgent(world, name)
  await world.work(agent, await world.readyPackage({ files: { 'install.sh': `# ${name}` } }))
  const { jobs, associatedFiles } = await agent.jobs()
  const [job] = jobs
  const [file] = Object.values(associatedFiles)
  if (!job || !file) throw new Error('The agent got no job with a file.')
  await agent.begins(job)
  return { ...agent, job, file }
}

test('a part of a file needs a place among the downloads', async () => {
  const { part, file } = await busyAgent('downloading')
  const { agents: downloads } = app.services.downloads
  const other = new PassThrough()
  await downloads.begin({ ip: '127.0.0.1', headers: {} }, { raw: other })

  const requested = part(file.mirrors[0] ?? '', file.multiparts[0] ?? '')
  await expect.poll(downloads.state).toEqual({ running: 1, waiting: 1 })
  other.destroy()

  expect((await requested).statusCode).toBe(200)
  await expect.poll(downloads.state).toEqual({ running: 0, waiting: 0 })
})

test('a job keeps the last thousand lines, and what a line rewrites does not grow with the lines before it', async () => {
  const { id, job, report, fails } = await busyAgent('verbose')
  const sizeOfJob = async () => {
    const { rows } = await sql<{ size: number }>`
      select pg_column_size(fusion_jobs.*) as size from fusion_jobs where id = ${job.uuid}`.execute(world.db)
    return rows[0]?.size ?? 0
  }
  const line = (text: string) => report(job, { currentStep: 'processing', actionnum: 1, msg: text })
  const before = await sizeOfJob()
  for (let count = 0; count < 20; count++) await line(randomBytes(1000).toString('base64'))
  const after = await sizeOfJob()
  await sql`
    with added as (
      insert into fusion_job_lines (job_id, position, line)
      select ${job.uuid}, n, 'line ' || n from generate_series(100, 3000) n
    )
    update fusion_jobs set line_count = 3000 where id = ${job.uuid}`.execute(world.db)
  await line('the last but one')

  await fails(job, 1, 'the end')

  expect(after).toBeLessThan(before + 100)
  const { body } = await world.as('computer.read').call(listSetupErrorLog, { params: { id } })
  const lines = body.items[0]?.output?.trimEnd().split('\n') ?? []
  expect(lines).toHaveLength(1024)
  expect([lines[0], ...lines.slice(-3)]).toEqual(['line 1979', 'line 3000', 'the last but one', 'the end'])
})

test('callbacks about a job whose result is known store nothing', async () => {
  const { job, report, runs, succeeds } = await busyAgent('talkative')
  await runs(job, 1, 'install', ['done'], 0)
  await succeeds(job)
  const before = await tableVersions(world.db)

  for (const currentStep of ['checking', 'downloading', 'processing'])
    await report(job, { currentStep, actionnum: 1, msg: "cmd: exit status: `1'" })

  expect(await tableVersions(world.db)).toEqual(before)
})
