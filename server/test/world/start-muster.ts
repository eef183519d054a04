import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { roleNames } from '../../src/platform/roles.ts'
import { temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { accessToken, repository, type ServiceOptions, startServiceProcess } from './service-process.ts'

export type Json = Record<string, unknown>

/** The real service as a process, with a package store and a caller with all roles. */
export async function startMuster(options: ServiceOptions = {}) {
  const store = options.env?.MUSTER_PACKAGE_STORE ?? (await temporaryFolder())
  const service = await startServiceProcess({ ...options, env: { ...options.env, MUSTER_PACKAGE_STORE: store } })
  const token = await tokenWithAllRoles(service.address)
  const api = callerOf(service.address, token)
  return { service, store, token, ...api, ...setUp(api, store) }
}

export type Muster = Awaited<ReturnType<typeof startMuster>>
type Api = ReturnType<typeof callerOf>

async function tokenWithAllRoles(address: string): Promise<string> {
  const admin = callerOf(address, await accessToken({ address }))
  const body = { description: 'end to end', roles: roleNames, expiresAtUtc: null }
  const { clientId, plaintextKey } = await admin.post('/api/admin/local-principals', body)
  const response = await fetch(`${address}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(clientId),
      client_secret: String(plaintextKey),
    }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Calls the API as an integrator does. Throws unless the call succeeds. */
function callerOf(address: string, token: string) {
  const send = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Json)
  }
  return {
    get: <T = Json>(path: string) => send('GET', path) as Promise<T>,
    post: <T = Json>(path: string, body: unknown = {}) => send('POST', path, body) as Promise<T>,
    put: (path: string, body: unknown) => send('PUT', path, body),
    delete: (path: string) => send('DELETE', path),
  }
}

type Preparations = {
  group(name: string): Promise<string>
  write(path: string, content: string): Promise<void>
  /** Imports a folder of the store and marks the package as ready to install. */
  importFolder(folderPath: string): Promise<string>
  /** Copies an example package from the repository into the store and imports it. */
  importExample(name: string): Promise<string>
  enrolmentToken(groupId: string, maxUses?: number): Promise<string>
}

/** Some tests import fifty folders at once, while others use the same cores. */
const importTimeoutMs = 30_000

function setUp({ get, post, put }: Api, store: string): Preparations {
  async function importFolder(folderPath: string): Promise<string> {
    const { trackingId } = await post('/api/packages/import', { folderPath, overwrite: true })
    const { packageId } = await until(async () => {
      const { status, message, packageId } = await get(`/api/packages/import/${trackingId}`)
      if (status === 'Failed') throw new Error(String(message))
      return status === 'Success' ? { packageId } : undefined
    }, importTimeoutMs)
    await put(`/api/packages/${packageId}/ready-to-install`, { operational: true })
    return String(packageId)
  }

  return {
    async group(name: string): Promise<string> {
      const { items } = await get<{ items: { id: string; parentId: string | null }[] }>(
        '/api/group?type=AssignmentGroups',
      )
      const root = items.find(({ parentId }) => parentId === null)
      const { id } = await post('/api/group', { name, type: 'AssignmentGroups', parentId: root?.id })
      return String(id)
    },
    async write(path: string, content: string): Promise<void> {
      await mkdir(dirname(join(store, path)), { recursive: true })
      await writeFile(join(store, path), content)
    },
    importFolder,
    async importExample(name: string): Promise<string> {
      await cp(join(repository, 'examples/packages', name), join(store, name), { recursive: true })
      return importFolder(name)
    },
    async enrolmentToken(groupId: string, maxUses?: number): Promise<string> {
      const expiresAtUtc = new Date(Date.now() + 3_600_000).toISOString()
      const { token } = await post('/api/enrolment-tokens', {
        description: 'end to end',
        groupId,
        maxUses: maxUses ?? null,
        expiresAtUtc,
      })
      return String(token)
    },
  }
}
