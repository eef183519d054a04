import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type ReportedResult = {
  package: string
  attempt: number
  status: string
  exitCode: number | null
  rebootRequired: boolean
}

type FakeWorkItem = { workId: number; package: string; attempt: number; isDone: boolean }

const maxAttempts = 3

type Content = { files: { path: string; size: number; sha256: string }[]; depots: { url: string }[] }

/** Fakes the agent channel: offers each computer these packages, up to three times, and keeps the reported results. */
export async function startFakeService(packages: readonly string[], content: Content = { files: [], depots: [] }) {
  const fetchedFiles: string[] = []
  const workItems = new Map<number, FakeWorkItem[]>()
  const results = new Map<string, ReportedResult[]>()
  const names: string[] = []

  function answer(path: string, who: number, body: Record<string, unknown>): object {
    if (path === 'enrolment') {
      const { name } = body.computer as { name: string }
      const known = names.indexOf(name)
      const clientId = known >= 0 ? known : names.push(name) - 1
      const newItems = packages.map((subject, at) => ({
        workId: clientId * 100 + at,
        package: subject,
        attempt: 1,
        isDone: false,
      }))
      if (known < 0) workItems.set(clientId, newItems)
      return { clientId, credential: `agent-${clientId}.secret` }
    }
    const own = workItems.get(who) ?? []
    if (path === 'contact') return contactAnswer(own.filter(({ isDone }) => !isDone))
    const [, workId, action, sha256 = ''] = path.split('/')
    const item = own.find((one) => one.workId === Number(workId))
    if (action === 'start') return { ...started, ...content }
    if (action === 'files') return { number: fetchedFiles.push(sha256) }
    if (action === 'progress') return { leaseSeconds: 900, cancelled: false }
    return { accepted: item ? recordResult(who, item, body) : false }
  }

  function recordResult(
    who: number,
    item: FakeWorkItem,
    { attempt, status, exitCode, rebootRequired }: Record<string, unknown>,
  ) {
    if (item.isDone || attempt !== item.attempt) return false
    const result = { package: item.package, attempt, status, exitCode, rebootRequired } as ReportedResult
    const name = names[who] ?? ''
    results.set(name, [...(results.get(name) ?? []), result])
    item.isDone = status === 'Success' || item.attempt === maxAttempts
    item.attempt++
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
    /** The reported results by computer name, ordered by package and attempt. */
    reports: () => new Map([...results].toSorted().map(([name, reported]) => [name, reported.toSorted(byPackage)])),
    /** Hashes of the files that computers fetched from this service. */
    fetchedFiles: () => fetchedFiles,
    isDone: (computers: number) =>
      workItems.size === computers && [...workItems.values()].flat().every(({ isDone }) => isDone),
  }
}

const byPackage = (a: ReportedResult, b: ReportedResult) => a.package.localeCompare(b.package) || a.attempt - b.attempt

const started = { leaseSeconds: 900, commands: {}, variables: {}, secrets: {}, patches: [] }

function contactAnswer(open: readonly FakeWorkItem[]): object {
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
