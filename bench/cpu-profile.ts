import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

type CallFrame = { functionName: string; url: string; lineNumber: number }
type Profile = {
  nodes: { id: number; callFrame: CallFrame }[]
  samples: number[]
  /** Microseconds before each sample. */
  timeDeltas: number[]
}

export type Share = { 'share in %': number; where: string }

export type CpuProfile = {
  seconds: number
  /** The share of the time in which the thread was idle. */
  idleShare: number
  /** Shares of the busy time, largest first. */
  byPlace: Share[]
  byFunction: Share[]
}

const samplingMicroseconds = 500
const maxShownShares = 12

/** Profiles the local process whose inspector listens on this port. */
export async function startCpuProfile(port: number): Promise<{ stop(): Promise<CpuProfile> }> {
  const inspector = await connectInspector(await findInspectorUrl(port))
  await inspector.call('Profiler.enable')
  await inspector.call('Profiler.setSamplingInterval', { interval: samplingMicroseconds })
  await inspector.call('Profiler.start')
  return {
    async stop() {
      const { profile } = await inspector.call<{ profile: Profile }>('Profiler.stop')
      inspector.close()
      return summaryOf(profile)
    },
  }
}

async function findInspectorUrl(port: number): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/json`).catch(() => undefined)
    const [target] = answer?.ok ? ((await answer.json()) as { webSocketDebuggerUrl: string }[]) : []
    if (target) return target.webSocketDebuggerUrl
    await sleep(100)
  }
  throw new Error(`No inspector answers on port ${port}.`)
}

type Answer = { id?: number; result?: unknown; error?: { message: string } }

async function connectInspector(url: string) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result, error } = JSON.parse(String(data)) as Answer
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  })
  let calls = 0
  return {
    call<T>(method: string, params: object = {}): Promise<T> {
      const answer = Promise.withResolvers<unknown>()
      waiting.set(++calls, answer)
      socket.send(JSON.stringify({ id: calls, method, params }))
      return answer.promise as Promise<T>
    },
    close: () => socket.close(),
  }
}

function summaryOf({ nodes, samples, timeDeltas }: Profile): CpuProfile {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const spent = samples.flatMap((id, at) => {
    const frame = frames.get(id)
    return frame ? [{ frame, time: timeDeltas[at] ?? 0 }] : []
  })
  const timeOf = (some: typeof spent) => some.reduce((sum, { time }) => sum + time, 0)
  const busy = spent.filter(({ frame }) => frame.functionName !== '(idle)')
  const [all, busyTime] = [timeOf(spent), timeOf(busy)]
  const shares = (nameOf: (frame: CallFrame) => string): Share[] =>
    [...Map.groupBy(busy, ({ frame }) => nameOf(frame))]
      .map(([where, some]) => ({ 'share in %': Math.round((1000 * timeOf(some)) / busyTime) / 10, where }))
      .toSorted((a, b) => b['share in %'] - a['share in %'])
      .slice(0, maxShownShares)
  return { seconds: all / 1e6, idleShare: 1 - busyTime / all, byPlace: shares(placeOf), byFunction: shares(functionOf) }
}

/** The npm package, the folder of the service or the module of Node. Native code has no URL and is named by its function. */
function placeOf({ url, functionName }: CallFrame): string {
  if (url.includes('/node_modules/'))
    return /^(@[^/]+\/)?[^/]+/.exec(url.slice(url.lastIndexOf('/node_modules/') + 14))?.[0] ?? url
  const ownIndex = url.lastIndexOf('/server/src/')
  if (ownIndex >= 0)
    return url
      .slice(ownIndex + 1)
      .split('/')
      .slice(0, -1)
      .slice(0, 4)
      .join('/')
  return url || functionName
}

function functionOf({ url, functionName, lineNumber }: CallFrame): string {
  const name = functionName || '(anonymous)'
  if (url === '') return name
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(?=server\/src\/)/, '')
  return `${name} ${file}:${lineNumber + 1}`
}
