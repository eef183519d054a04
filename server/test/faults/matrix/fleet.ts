import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { roleNames } from '../../../src/platform/roles.ts'
import { administrator } from '../../world/administrator.ts'
import type { Reading } from './ledger.ts'
import type { Authorization } from './operations.ts'

export type Api = Reading & { put(path: string, body: object): Promise<unknown> }

export type SimulatedAgent = { computerId: number; credential: string }

export type Fleet = {
  agents: SimulatedAgent[]
  /** The group below which the load creates groups. */
  groupId: string
  /** Enrols further agents, in the same group. */
  enrolmentToken: string
  /** A principal with all roles. */
  authorization: Authorization
  api: Api
}

/** Sets up over the API what the load needs: agents in a group whose activation reinstalls a package each time. */
export async function prepareFleet(
  address: string,
  packageStore: string,
  agentCount: number,
  credentials: Credentials = administrator,
): Promise<Fleet> {
  const authorization = await createPrincipal(address, credentials, roleNames)
  const api = openApi(address, authorization)
  const { items } = await api.get<{ items: { id: string; parentId: string | null }[] }>(
    '/api/group?type=AssignmentGroups',
  )
  const parentId = items.find((group) => group.parentId === null)?.id
  const { id: groupId } = await api.post<{ id: string }>('/api/group', {
    name: `Faults ${randomUUID()}`,
    type: 'AssignmentGroups',
    parentId,
  })
  await api.post(`/api/group/${groupId}/packages`, { packageId: await importPackage(api, packageStore) })
  await api.put(`/api/group/${groupId}/distribution-options`, { commands: ['Reinstall'] })
  const { token } = await api.post<{ token: string }>('/api/enrolment-tokens', {
    groupId,
    expiresAtUtc: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const agents = Array.from({ length: agentCount }, (_, number) =>
    enrolSimulatedAgent(api, token, `computer-${number}`),
  )
  return { agents: await Promise.all(agents), groupId, enrolmentToken: token, authorization, api }
}

export async function enrolSimulatedAgent(api: Api, token: string, name: string): Promise<SimulatedAgent> {
  type Enrolled = { clientId: number; credential: string }
  const { clientId, credential } = await api.post<Enrolled>('/agent/v1/enrolment', enrolmentOf(token, name))
  return { computerId: clientId, credential }
}

export function enrolmentOf(token: string, name: string): object {
  return {
    token,
    enrolmentKey: randomBytes(32).toString('hex'),
    computer: { name, domain: 'faults.example', isDomain: true, uuid: randomUUID(), macAddress: null },
    agent: { version: '1.0', platform: 'Linux' },
  }
}

async function importPackage(api: Api, store: string): Promise<string> {
  const folderPath = `tool-${randomUUID()}`
  await mkdir(join(store, folderPath), { recursive: true })
  const install = { shell: 'true', timeLimitMinutes: 1 }
  const manifest = {
    name: folderPath,
    version: '1',
    operatingSystems: ['Linux'],
    kind: 'software',
    commands: { install },
  }
  await writeFile(join(store, folderPath, 'muster-package.json'), JSON.stringify(manifest))
  const { trackingId } = await api.post<{ trackingId: string }>('/api/packages/import', { folderPath })
  for (;;) {
    type Import = { status: string; message: string | null; packageId: string }
    const { status, message, packageId } = await api.get<Import>(`/api/packages/import/${trackingId}`)
    if (status === 'Failed') throw new Error(`The import failed: ${message}`)
    if (status === 'Success') {
      await api.put(`/api/packages/${packageId}/ready-to-install`, { operational: true })
      return packageId
    }
    await sleep(50)
  }
}

/** Throws on any answer other than success. */
export function openApi(address: string, { header }: Pick<Authorization, 'header'>): Api {
  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(address + path, {
      method,
      // A connection that stays open would take the place of one of the load.
      headers: {
        authorization: header(),
        connection: 'close',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
  }
}

export type Credentials = { clientId: string; clientSecret: string }

export async function createPrincipal(
  address: string,
  credentials: Credentials,
  roles: readonly string[],
): Promise<Authorization> {
  const admin = openApi(address, await openAuthorization(address, credentials))
  const { clientId, plaintextKey } = await admin.post<{ clientId: string; plaintextKey: string }>(
    '/api/admin/local-principals',
    { description: 'Load of the fault matrix', roles, expiresAtUtc: null },
  )
  return openAuthorization(address, { clientId, clientSecret: plaintextKey })
}

/** An access token that is requested again when the service rejects it. Concurrent renewals share one request. */
async function openAuthorization(address: string, credentials: Credentials): Promise<Authorization> {
  let current = await requestToken(address, credentials)
  let renewal: Promise<void> | undefined
  return {
    header: () => current,
    async renew(rejected) {
      if (rejected !== current) return
      renewal ??= requestToken(address, credentials)
        .then((token) => {
          current = token
        })
        .finally(() => {
          renewal = undefined
        })
      // While no token can be had, the caller's next attempt is rejected again.
      await renewal.catch(() => sleep(500))
    },
  }
}

async function requestToken(address: string, { clientId, clientSecret }: Credentials): Promise<string> {
  const answer = await fetch(`${address}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`No token: ${answer.status} ${await answer.text()}`)
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`
}
