import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Told = {
  package: string
  attempt: number
  status: string
  exitCode: number | null
  rebootRequired: boolean
}

type Piece = { workId: number; package: string; attempt: number; isDone: boolean }

const mostAttempts = 3

type Content = { files: { path: string; size: number; sha256: string }[]; depots: { url: string }[] }

/** Plays the agent channel: hands each computer these packages, up to three times, and keeps what it is told. */
export async function startFakeService(packages: readonly string[], content: Content = { files: [], depots: [] }) {
  const fetched: string[] = []
  const pieces = new Map<number, Piece[]>()
  const results = new Map<string, Told[]>()
  const names: string[] = []

  function answer(path: string, who: number, body: Record<string, unknown>): object {
    if (path === 'enrolment') {
      const { name } = body.computer as { name: string }
      const known = names.indexOf(name)
      const clientId = known >= 0 ? known : names.push(name) - 1
      const fresh = packages.map((subject, at) => ({
        workId: clientId * 100 + at,
        package: subject,
        attempt: 1,
        isDone: false,
      }))
      if (known < 0) pieces.set(clientId, fresh)
      return { clientId, credential: `agent-${clientId}.secret` }
    }
    const own = pieces.get(who) ?? []
    if (path === 'contact') return contactAnswer(own.filter(({ isDone }) => !isDone))
    const [, workId, action, sha256 = ''] = path.split('/')
    const piece = own.find((one) => one.workId === Number(workId))
    if (action === 'start') return { ...started, ...content }
    if (action === 'files') return { number: fetched.push(sha256) }
    if (action === 'progress') return { leaseSeconds: 900, cancelled: false }
    return { accepted: piece ? noteResult(who, piece, body) : false }
  }

  function noteResult(
    who: number,
    piece: Piece,
    { attempt, status, exitCode, rebootRequired }: Record<string, unknown>,
  ) {
    if (piece.isDone || attempt !== piece.attempt) return false
    const told = { package: piece.package, attempt, status, exitCode, rebootRequired } as Told
    const name = names[who] ?? ''
    results.set(name, [...(results.get(name) ?? []), told])
    piece.isDone = status === 'Success' || piece.attempt === mostAttempts
    piece.attempt++
    return true
  }

  const server = createServer(async (request, response) => {
    const who = Number(/agent-(\d+)/.exec(request.headers.authorization ?? '')?.[1] ?? -1)
    const content = answer(request.url?.replace('/agent/v1/', '') ?? '', who, await bodyOf(request))
    response.writeHead(request.method === 'PUT' ? 204 : 200, { 'content-type': 'application/json' })
    response.end(request.method === 'PUT' ? undefined : JSON.stringify(content))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What each computer has told, by its name; in the order of packages and attempts. */
    told: () => new Map([...results].toSorted().map(([name, told]) => [name, told.toSorted(byPackage)])),
    /** Hashes of the files that were fetched here. */
    fetched: () => fetched,
    isDone: (computers: number) =>
      pieces.size === computers && [...pieces.values()].flat().every(({ isDone }) => isDone),
  }
}

const byPackage = (a: Told, b: Told) => a.package.localeCompare(b.package) || a.attempt - b.attempt

const started = { leaseSeconds: 900, commands: {}, variables: {}, secrets: {}, patches: [] }

function contactAnswer(open: readonly Piece[]): object {
  return {
    serverTimeUtc: new Date().toISOString(),
    nextContactSeconds: 0.05,
    settings: null,
    sections: [],
    offers: [],
    work: open.map(({ workId, attempt, package: name }) => ({
      workId,
      attempt,
      kind: 'Install',
      leaseSeconds: 900,
      package: { packageId: name, name, version: '1.0', kind: 'Software', operatingSystems: [], contentHash: '' },
      postponable: { remaining: 0, untilUtc: null },
      hidden: false,
      forced: false,
      power: null,
    })),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}
