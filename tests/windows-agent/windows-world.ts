import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'
import { afterAll } from 'vitest'
import { buildOnce } from '../../agent/test/windows/build.ts'
import { openWine, seenByWine } from '../../agent/test/windows/wine.ts'
import { listen } from '../../server/src/platform/http/listeners.ts'
import { roleNames } from '../../server/src/platform/roles.ts'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { installerForWine } from './installer-for-wine.ts'
import { listProcesses } from './processes.ts'

type Json = Record<string, unknown>

/** A service that is reached over HTTPS with a certificate of its own, and a computer with Windows. */
export async function openWindowsWorld() {
  const folder = await openTemporaryFolder()
  const tls = { certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem'), port: 0 }
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  await Promise.all([writeFile(tls.certificateFile, cert), writeFile(tls.keyFile, key)])
  const muster = await openPackageWorld()
  const listeners = await listen(muster.app.http, {
    ...muster.app.services.configuration,
    port: 0,
    tls,
    plainHttp: false,
  })
  afterAll(() => listeners.close())
  const api = callers(muster)
  // Before Wine: if the build fails, nothing would end Wine.
  const agent = await buildOnce()
  const wine = await openWine()
  afterAll(() => wine.close())
  const state = join(wine.drive, 'ProgramData/Muster')

  return {
    ...muster,
    wine,
    agent,
    state,
    server: listeners.addresses[0] ?? '',
    authority: seenByWine(tls.certificateFile),
    installer: seenByWine(await installerForWine(wine, agent.installer)),
    program: 'C:\\Program Files\\Muster\\muster-agent.exe',
    ...api,
    ...preparations(muster, api),
    async contactedAt(computer: number): Promise<string> {
      const agent = await api.get<{ dailyStatus: { lastContactUtc: string } | null }>(
        `/api/computer/${computer}/uem-agent`,
      )
      return agent.dailyStatus?.lastContactUtc ?? ''
    },
    startService: () => wine.run(['sc', 'start', 'MusterAgent']),
    /** Ends processes of the agent at once, like a loss of power. Programs under Wine are processes of this machine. */
    async killAgent(partOfCommandLine = 'muster-agent.exe'): Promise<void> {
      // Again and again: one that was being started appears later, and would wait for the one that starts it forever.
      for (let quietLooks = 0; quietLooks < 3; ) {
        const running = listProcesses(wine.root, partOfCommandLine)
        for (const pid of running) kill(pid)
        quietLooks = running.length === 0 ? quietLooks + 1 : 0
        await sleep(50)
      }
    },
    log: () => readFile(join(state, 'agent.log'), 'utf8').catch(() => ''),
    /** Everything that the agent has stored, as text. */
    async stored(): Promise<string> {
      const entries = await readdir(state, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      return (await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))).join('\n')
    },
  }
}

/** It may have ended meanwhile. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

export type WindowsWorld = Awaited<ReturnType<typeof openWindowsWorld>>

/** Calls with all roles, as an integrator does. */
function callers({ as }: Pick<Awaited<ReturnType<typeof openPackageWorld>>, 'as'>) {
  const api = as(...roleNames)
  async function request<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object): Promise<T> {
    const { status, raw } = await api.send({ method, url, ...(payload && { payload }) })
    if (status >= 400) throw new Error(`${method} ${url} was answered with ${status}: ${JSON.stringify(raw)}`)
    return raw as T
  }
  return {
    get: <T = Json>(url: string) => request<T>('GET', url),
    post: <T = Json>(url: string, body: object = {}) => request<T>('POST', url, body),
    put: <T = Json>(url: string, body: object) => request<T>('PUT', url, body),
  }
}

type Deployment = { status: string; installationState: string; errorText: string | null }

function preparations(
  { folder, imported }: Awaited<ReturnType<typeof openPackageWorld>>,
  { get, post, put }: ReturnType<typeof callers>,
) {
  async function importReady(path: string, files: Record<string, string | Buffer | object>): Promise<string> {
    await folder(path, files)
    const { packageId, message } = await imported(path, true)
    if (!packageId) throw new Error(`The package was not imported: ${message}`)
    await put(`/api/packages/${packageId}/ready-to-install`, { operational: true })
    return packageId
  }

  return {
    /** Imports a package that can be installed, and returns its id. */
    importReady,
    async group(name: string): Promise<string> {
      const { items } = await get<{ items: { id: string; parentId: string | null }[] }>(
        '/api/group?type=AssignmentGroups',
      )
      const parentId = items.find((group) => group.parentId === null)?.id
      return (await post<{ id: string }>('/api/group', { name, type: 'AssignmentGroups', parentId })).id
    },
    async assignTemplate(groupId: string, settings: Json): Promise<void> {
      const manifest = { name: 'agents', version: '1', operatingSystems: ['Windows'], kind: 'agentTemplate', settings }
      const packageId = await importReady('agents', { 'muster-package.json': manifest })
      await post(`/api/group/${groupId}/agent-template`, { packageId })
    },
    importMsi: (name: string, version: string, msi: Buffer) =>
      importReady(`${name}-${version}`, {
        'muster-package.json': {
          name,
          version,
          operatingSystems: ['Windows'],
          kind: 'software',
          msi: { file: 'x.msi' },
        },
        'x.msi': msi,
      }),
    async waitForDeployment(computer: number, packageId: string, expected: Partial<Deployment>): Promise<void> {
      let last: Deployment | undefined
      const look = async () => {
        const path = `/api/computer/${computer}/software-deployment?packageId=${packageId}`
        last = (await get<Deployment[]>(path))[0]
        return (
          Object.entries(expected).every(([name, value]) => last?.[name as keyof Deployment] === value) || undefined
        )
      }
      // Each look is a request, and takes the time that Wine needs.
      await untilSlowly(look, 200).catch(() => {
        throw new Error(`The deployment stayed ${JSON.stringify(last)}.`)
      })
    },
  }
}

/** Reads until something is so. Programs under Wine are slow, above all on a busy machine. */
export const untilSlowly = <T>(check: () => T | undefined | Promise<T | undefined>, pauseMs?: number) =>
  until(check, 60_000, pauseMs)
