import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FuzzRequest } from '../server/test/faults/fuzz/build-request.ts'
import { type Surface, surfaces } from '../server/test/faults/fuzz/documents.ts'
import { type FuzzTarget, prepareTarget } from '../server/test/faults/fuzz/prepare.ts'
import { type ProbeFigures, type Stall, stallMs, startProbe } from '../server/test/faults/fuzz/probe.ts'
import { openRandom } from '../server/test/faults/fuzz/random.ts'
import { openRecentRequests } from '../server/test/faults/fuzz/recent-requests.ts'
import {
  chooseRequest,
  type FuzzFigures,
  runFuzz,
  sendAndCheck,
  type Violation,
} from '../server/test/faults/fuzz/run-fuzz.ts'
import { openSender } from '../server/test/faults/fuzz/send.ts'
import { startService } from '../server/test/faults/matrix/service-process.ts'
import { administrator } from '../server/test/world/administrator.ts'
import { ensureBundle } from '../server/tools/service-bundle.ts'
import type { BenchOptions } from './options.ts'
import { reportTarget } from './target.ts'

const defaultRequests = 1_000_000
const connections = 12
const maxStoredViolations = 200
const secondsBetweenLines = 10

/** Requests that broke a promise are stored here so that they can be sent again. */
const folder = join(import.meta.dirname, '../artifacts/fuzz')

/** Sends requests with hostile values in every place to a service that also serves ordinary clients. */
export async function benchFuzz(options: BenchOptions): Promise<void> {
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
  const chosen = options.surface ? [options.surface] : surfaces
  await withFuzzTarget(async (target, pid) => {
    if (options.only !== undefined) return repeatRequest(target, { seed, chosen, number: options.only })
    console.log(`seed ${seed}`)
    await attack(target, { seed, chosen, pid, requests: options.requests ?? defaultRequests })
  })
}

async function withFuzzTarget(run: (target: FuzzTarget, pid: number) => Promise<void>): Promise<void> {
  await ensureBundle()
  const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-fuzz-'))
  await chmod(dataDirectory, 0o711)
  const packageStore = join(dataDirectory, 'packages')
  const settings = { MUSTER_TOKEN_LIFETIME: '86400', MUSTER_LOG_LEVEL: 'error' }
  const env = { MUSTER_DATA_DIR: dataDirectory, MUSTER_PACKAGE_STORE: packageStore, ...settings }
  const service = await startService({ env })
  try {
    await run(await prepareTarget({ address: service.address, packageStore, administrator }), service.pid)
    reportTarget('the service still runs', !service.hasEnded())
    // Also what failed in the background, after its request was answered.
    const errors = service.output().split('\n').filter(isErrorLine)
    for (const line of errors.slice(0, 5)) console.log(line)
    reportTarget(`errors in the log of the service: ${errors.length}`, errors.length === 0)
  } finally {
    if (!service.hasEnded()) await service.end('SIGTERM')
    await rm(dataDirectory, { recursive: true })
  }
}

/** Checks of readiness also fail because other programs keep the machine busy: the ordinary clients notice what matters. */
function isErrorLine(line: string): boolean {
  return /"level":[56]0/.test(line) && !line.includes('"check":')
}

type Attack = { seed: number; chosen: readonly Surface[]; requests: number; pid: number }

async function attack(target: FuzzTarget, { seed, chosen, requests, pid }: Attack): Promise<void> {
  const recent = openRecentRequests()
  const stalls: Stall[] = []
  const kinds = new Map<string, number>()
  const { address, fleet, probe: agent } = target
  const settings = { address, pid, authorization: fleet.authorization.header(), agent }
  const probe = startProbe(settings, (stall) => {
    stalls.push(stall)
    const [slowest] = recent.inProgress(stall.from, stall.until)
    console.log(
      `${stall.probe} waited ${stall.until - stall.from} ms; the service ran ${stall.busyMs} ms and had no processor for ` +
        `${stall.starvedMs} ms, beside ${slowest?.name} (${slowest?.number})`,
    )
  })
  const began = performance.now()
  let lastLine = began
  const figures = await runFuzz(target, {
    seed,
    requests,
    surfaces: chosen,
    connections,
    recent,
    onViolation: (violation) => void noteViolation(kinds, seed, violation),
    onProgress(done) {
      if (performance.now() - lastLine < 1000 * secondsBetweenLines) return
      lastLine = performance.now()
      console.log(`${done} of ${requests} requests, ${Math.round((1000 * done) / (lastLine - began))} per second`)
    },
  })
  const seconds = (performance.now() - began) / 1000
  report(figures, await probe.stop(), stalls, kinds)
  console.log(
    `${requests} requests in ${seconds.toFixed(0)} s, ${Math.round(requests / seconds)} per second, seed ${seed}`,
  )
}

/** Prints each kind of violation once, and stores the requests of the first ones. */
async function noteViolation(kinds: Map<string, number>, seed: number, violation: Violation): Promise<void> {
  const { number, request, answer, sentence } = violation
  const kind = `${request.method} ${request.name}: ${sentence}`.slice(0, 500)
  const count = (kinds.get(kind) ?? 0) + 1
  if (kinds.size < maxStoredViolations || count > 1) kinds.set(kind, count)
  if (count > 1 || kinds.size >= maxStoredViolations) return
  console.log(`${number}: ${kind}`)
  const { method, path, headers, body, surface, name } = request
  const stored = {
    surface,
    name,
    method,
    path,
    headers,
    body: body?.toString('base64'),
    sentence,
    answer: answer?.text,
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${seed}-${number}.json`), JSON.stringify(stored, null, 2))
}

/** Sends one request again: as it was stored, or as the seed makes it on a new installation. */
async function repeatRequest(
  target: FuzzTarget,
  { seed, chosen, number }: Pick<Attack, 'seed' | 'chosen'> & { number: number },
) {
  const request = (await findStored(target, seed, number)) ?? generate(target, { seed, chosen, number })
  const sender = openSender(target.address, 1)
  const { answer, sentence } = await sendAndCheck(sender, request)
  sender.close()
  console.log(`${request.method} ${request.path} (${request.name})`)
  console.log(request.headers, request.body?.toString().slice(0, 5_000))
  console.log(answer?.status, answer?.text.slice(0, 5_000))
  reportTarget(sentence ?? 'the answer is as declared', sentence === undefined)
}

function generate(
  target: FuzzTarget,
  { seed, chosen, number }: Pick<Attack, 'seed' | 'chosen'> & { number: number },
): FuzzRequest {
  const operations = Map.groupBy(target.operations, ({ surface }) => surface)
  return chooseRequest(openRandom(seed, number), target, chosen, operations)
}

type Stored = Omit<FuzzRequest, 'body' | 'operation'> & { body?: string }

/** The credentials of that installation are gone, so the request gets those of this one. */
async function findStored(target: FuzzTarget, seed: number, number: number): Promise<FuzzRequest | undefined> {
  const text = await readFile(join(folder, `${seed}-${number}.json`), 'utf8').catch(() => undefined)
  if (!text) return undefined
  const stored = JSON.parse(text) as Stored
  const authorization = target.callers.authorization(openRandom(0, 0), stored.surface)
  const headers = { ...stored.headers, ...(authorization && { Authorization: authorization }) }
  const body = stored.body === undefined ? undefined : Buffer.from(stored.body, 'base64')
  const operation = target.operations.find(({ id }) => id === stored.name)
  return { ...stored, headers, body, operation }
}

function report(
  { bySurface, restorations }: FuzzFigures,
  probes: ProbeFigures[],
  stalls: readonly Stall[],
  kinds: ReadonlyMap<string, number>,
): void {
  const rows = Object.entries(bySurface).map(([surface, { requests, operations, statuses, shed, violations }]) => ({
    surface,
    requests,
    operations: operations.size,
    ...statuses,
    '503 for now': shed.values().reduce((total, count) => total + count, 0),
    violations,
  }))
  console.table(rows)
  console.table(probes)
  for (const { shed } of Object.values(bySurface))
    for (const [what, count] of shed) console.log(`${count} × 503 of ${what}`)
  for (const [kind, count] of kinds) console.log(`${count} × ${kind}`)
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  reportTarget(`answers 5xx: ${sum((row) => row['5xx'])}`, sum((row) => row['5xx']) === 0)
  reportTarget(
    `answers that violate their declaration: ${sum((row) => row.violations)}`,
    sum((row) => row.violations) === 0,
  )
  reportTarget(
    `answers 503, under ordinary load: ${sum((row) => row['503 for now'])}`,
    sum((row) => row['503 for now']) === 0,
  )
  // Callers without their rights would get nothing but refusals, and find nothing.
  const { tried, failed: notRestored } = restorations
  reportTarget(`failed restorations of the callers: ${notRestored} of ${tried}`, 10 * notRestored <= tried)
  const failed = probes.reduce((total, probe) => total + probe.failed, 0)
  reportTarget(`failed requests of ordinary clients: ${failed}`, failed === 0)
  // Other programs on the machine are not the fault of a request.
  const own = stalls.filter(({ from, until, starvedMs }) => until - from - starvedMs >= stallMs).length
  const waits = `${own}, and ${stalls.length - own} because the machine had no processor for the service`
  reportTarget(`waits of ordinary clients of ${stallMs} ms and more because of a request: ${waits}`, own === 0)
}
