import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Api, apiOf, requestAccessToken } from '../../simulator/demo/api.ts'
import { importPackage } from '../../simulator/demo/packages.ts'
import { startService } from '../../simulator/demo/service.ts'
import { ensureSigningKey, publicKeyFile, signFolders } from '../../simulator/demo/signing.ts'

export type Muster = Awaited<ReturnType<typeof startMuster>>

const roles = [
  'admin.manage',
  'computer.read',
  'group.read',
  'group.write',
  'package.read',
  'package.write',
  'activation.execute',
]

/** Starts a service on a free port of this machine only, which trusts a key and uses an empty database. */
export async function startMuster(folder: string) {
  const store = join(folder, 'packages')
  await mkdir(store, { recursive: true })
  const key = join(folder, 'signing.key')
  await ensureSigningKey(key)
  const administrator = { clientId: 'administrator', clientSecret: randomBytes(32).toString('base64url') }
  const service = await startService({ dataDirectory: folder, port: 0, administrator, trustedKeys: publicKeyFile(key) })
  const api = await openApi(service.address, administrator)

  /** Imports a folder of the store and releases it. Returns the id of the package. */
  async function release(name: string): Promise<string> {
    const id = await importPackage(api, name)
    await api.put(`/api/packages/${id}/ready-to-install`, { operational: true })
    return id
  }

  /** Makes a released package the one from which computers with Linux get their agent. */
  async function designate(packageId: string): Promise<void> {
    await api.put('/api/agent-packages/Linux', { packageId })
  }

  return { ...service, api, store, release, designate, sign: (name: string) => signFolders(key, [join(store, name)]) }
}

/** Calls the API with the roles that the trial needs. */
async function openApi(
  address: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<Api> {
  const administrator = apiOf(address, await requestAccessToken(address, clientId, clientSecret))
  type Created = { clientId: string; plaintextKey: string }
  const principal = { description: 'Trial', roles, expiresAtUtc: null }
  const created = await administrator.post<Created>('/api/admin/local-principals', principal)
  return apiOf(address, await requestAccessToken(address, created.clientId, created.plaintextKey))
}
