import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../database/embedded-postgres/muster.ts'
import { accessToken, type ServiceProcess } from '../world/service-process.ts'

export type ImportStatus = { status: string; message: string | null; progress: number | null; packageId: string | null }

/** Calls a running service with the roles that packages need. */
export async function packageClient(service: ServiceProcess) {
  const roles = ['package.read', 'package.write', 'computer.read']
  const created = await post(service, await accessToken(service), '/api/admin/local-principals', {
    description: 'packages',
    roles,
    expiresAtUtc: null,
  })
  const { clientId, plaintextKey } = (await created.json()) as { clientId: string; plaintextKey: string }
  const token = await tokenOf(service, clientId, plaintextKey)
  return clientWith(token)
}

/** The token stays valid after a restart of the service. Its address changes, so every call takes the service. */
function clientWith(token: string) {
  const get = async <T>({ address }: ServiceProcess, path: string) =>
    (await (await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()) as T
  const statusOf = (service: ServiceProcess, id: string) => get<ImportStatus>(service, `/api/packages/import/${id}`)
  return {
    statusOf,
    async startImport(service: ServiceProcess, folderPath: string) {
      const answer = await post(service, token, '/api/packages/import', { folderPath })
      return ((await answer.json()) as { trackingId: string }).trackingId
    },
    async ended(service: ServiceProcess, id: string) {
      return until(async () => {
        const found = await statusOf(service, id)
        return ['Success', 'Failed'].includes(found.status) ? found : undefined
      }, 90_000)
    },
    packages: (service: ServiceProcess) =>
      get<{ items: { id: string; hashState: string }[] }>(service, '/api/packages'),
    queue: (service: ServiceProcess) => get<{ items: { status: string }[] }>(service, '/api/queues'),
  }
}

function post({ address }: ServiceProcess, token: string, path: string, body: object) {
  return fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function tokenOf({ address }: ServiceProcess, clientId: string, clientSecret: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const answer = await fetch(`${address}/api/auth/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Writes a package with one sparse file of this size, which takes no space on disk, and many small files. */
export async function writeBulkyPackage(dataDirectory: string, name: string, bytes: number, smallFiles = 0) {
  const folder = join(dataDirectory, 'packages', name)
  await mkdir(join(folder, 'small'), { recursive: true })
  await writeFile(
    join(folder, 'muster-package.json'),
    JSON.stringify({
      name,
      version: '1',
      operatingSystems: ['Linux'],
      kind: 'software',
      commands: { install: { argv: ['true'] } },
    }),
  )
  await writeFile(join(folder, 'bulk'), '')
  await truncate(join(folder, 'bulk'), bytes)
  for (let number = 0; number < smallFiles; number++)
    await writeFile(join(folder, 'small', `${number}.txt`), `${number}`)
}

/** Makes the second attempt of an import short. The first has to be long enough to be interrupted. */
export async function shrinkBulkyPackage(dataDirectory: string, name: string, bytes: number): Promise<void> {
  await truncate(join(dataDirectory, 'packages', name, 'bulk'), bytes)
}
