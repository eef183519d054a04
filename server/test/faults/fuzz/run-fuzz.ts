import { buildRequest, type FuzzRequest } from './build-request.ts'
import { findViolation, isNotOffered } from './check-answer.ts'
import type { FuzzOperation, Surface } from './documents.ts'
import { buildFusionRequest } from './fusion-requests.ts'
import type { FuzzTarget } from './prepare.ts'
import { openRandom, type Random } from './random.ts'
import type { RecentRequests } from './recent-requests.ts'
import { listArrayPaths, repeatItems } from './repeated-items.ts'
import { type FuzzAnswer, openSender, type Sender } from './send.ts'

export type FuzzOptions = {
  seed: number
  requests: number
  surfaces: readonly Surface[]
  /** How many requests are in progress at the same time. */
  connections: number
  recent: RecentRequests
  onViolation(violation: Violation): void
  onProgress?(done: number): void
}

export type Violation = { number: number; request: FuzzRequest; answer: FuzzAnswer | undefined; sentence: string }

export type SurfaceFigures = {
  requests: number
  operations: Set<string>
  /** Answers by the first digit of their status, and those that refuse work for now. */
  statuses: Record<'2xx' | '3xx' | '4xx' | '5xx', number>
  /** How often each operation refused work for now. */
  shed: Map<string, number>
  violations: number
}

/** Foreign agents send large messages, and depots have few operations. */
const weights: Record<Surface, number> = { api: 0.74, agent: 0.18, depot: 0.04, fusion: 0.04 }

const requestsBetweenRestorations = 5_000
const harvestShare = 0.4
/** How many requests name the items of an array twice, if they can. */
const repetitionShare = 0.05

export type FuzzFigures = { bySurface: Record<string, SurfaceFigures>; restorations: Restorations }

/** How often the callers got back what hostile requests took, and how often that failed. */
export type Restorations = { tried: number; failed: number }

/** Sends the requests and checks every answer. */
export async function runFuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzFigures> {
  const sender = openSender(target.address, options.connections)
  const figures = Object.fromEntries(options.surfaces.map((surface) => [surface, emptyFigures()]))
  const restorations = { tried: 0, failed: 0 }
  const operations = Map.groupBy(target.operations, ({ surface }) => surface)
  let [next, done] = [0, 0]
  let restoration: Promise<void> | undefined

  async function client(): Promise<void> {
    while (next < options.requests) {
      const number = next++
      if (number > 0 && number % requestsBetweenRestorations === 0) restoration = restore(target, restorations)
      await restoration
      const random = openRandom(options.seed, number)
      const request = chooseRequest(random, target, options.surfaces, operations)
      const end = options.recent.begin(number, request.name)
      const { answer, sentence } = await sendAndCheck(sender, request)
      end()
      count(figures[request.surface], request, answer, sentence)
      if (sentence) options.onViolation({ number, request, answer, sentence })
      if (answer && random.chance(harvestShare)) keepValues(target, request, answer)
      options.onProgress?.(++done)
    }
  }

  await Promise.all(Array.from({ length: options.connections }, client))
  sender.close()
  return { bySurface: figures, restorations }
}

/** The request of this number, as a run with the seed begins with it. */
export function chooseRequest(
  random: Random,
  { harvest, callers, fusionSecret }: FuzzTarget,
  surfaces: readonly Surface[],
  operations: ReadonlyMap<Surface, FuzzOperation[]>,
): FuzzRequest {
  const surface = chooseSurface(random, surfaces)
  const operation = random.find(operations.get(surface) ?? [])
  if (!operation) return buildFusionRequest(random, fusionSecret())
  const path = random.chance(repetitionShare) ? random.find(listArrayPaths(operation)) : undefined
  if (!path) return buildRequest(random, operation, harvest, callers)
  return repeatItems(random, operation, { path, isPlain: random.chance(0.5) }, harvest, callers)
}

function chooseSurface(random: Random, surfaces: readonly Surface[]): Surface {
  let rest = random.next() * surfaces.reduce((sum, surface) => sum + weights[surface], 0)
  for (const surface of surfaces) {
    rest -= weights[surface]
    if (rest < 0) return surface
  }
  return surfaces[0] ?? 'api'
}

export async function sendAndCheck(sender: Sender, request: FuzzRequest) {
  try {
    const answer = await sender.send(request)
    return { answer, sentence: findViolation(request, answer) }
  } catch (error) {
    return { answer: undefined, sentence: `There was no answer: ${(error as Error).message}` }
  }
}

async function restore(target: FuzzTarget, restorations: Restorations): Promise<void> {
  restorations.tried++
  // What cannot be restored now, because requests compete with it, is restored the next time.
  await target.restore().catch((error: Error) => {
    restorations.failed++
    console.warn(`The callers were not renewed: ${error.message}`)
  })
}

function emptyFigures(): SurfaceFigures {
  const statuses = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
  return { requests: 0, operations: new Set(), statuses, shed: new Map(), violations: 0 }
}

function count(
  figures: SurfaceFigures | undefined,
  request: FuzzRequest,
  answer: FuzzAnswer | undefined,
  sentence: string | undefined,
): void {
  if (!figures) return
  figures.requests++
  figures.operations.add(request.name)
  if (sentence) figures.violations++
  if (!answer) return
  if (answer.status === 503) {
    const what = `${request.name} ${(answer.json as { code?: string })?.code}`
    figures.shed.set(what, (figures.shed.get(what) ?? 0) + 1)
  } else if (isNotOffered(request, answer)) figures.statuses['4xx']++
  else figures.statuses[`${Math.floor(answer.status / 100)}xx` as '2xx']++
}

function keepValues({ harvest }: FuzzTarget, { operation, path }: FuzzRequest, { status, headers, json }: FuzzAnswer) {
  if (status >= 300 || !operation) return
  harvest.add(path, json)
  if (headers.etag) harvest.add('', { ETag: headers.etag })
}
