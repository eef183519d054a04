import { until } from '../database/embedded-postgres/muster.ts'
import { accessToken, type ServiceProcess } from '../world/service-process.ts'

type SyncJob = { status: string; result: string | null; packages: number; bytesTransferred: number }

/** A client of a running service with the roles to set up a depot. It keeps working after a restart of the service. */
export async function administratorClient(service: ServiceProcess) {
  const { address } = service
  const send = async <T>(token: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${address}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { clientId, plaintextKey } = await send<{ clientId: string; plaintextKey: string }>(
    await accessToken(service),
    '/api/admin/local-principals',
    {
      description: 'depots',
      roles: ['admin.manage', 'computer.read', 'computer.write', 'package.read', 'package.write'],
      expiresAtUtc: null,
    },
  )
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: plaintextKey }
  const answer = await fetch(`${address}/api/auth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token: token } = (await answer.json()) as { access_token: string }

  return {
    async importPackage(folderPath: string) {
      const { trackingId } = await send<{ trackingId: string }>(token, '/api/packages/import', { folderPath })
      await until(async () => {
        const { status } = await send<{ status: string }>(token, `/api/packages/import/${trackingId}`)
        return status === 'Success' ? true : undefined
      }, 60_000)
    },
    /** Creates a depot server and its credential. */
    async createDepot() {
      const computer = { name: 'depot', domain: 'example.org', isDomain: true, macAddress: '02-00-00-00-00-01' }
      const { id } = await send<{ id: number }>(token, '/api/computer', computer)
      const computerRoles = [{ name: computer.name, domain: computer.domain, role: 'DepotServer' }]
      await send(token, '/api/catalog/apply', { catalog: { computerRoles } })
      return send<{ credential: string }>(token, `/api/depots/${id}/credential`, {})
    },
    listSyncJobs: async () => (await send<{ items: SyncJob[] }>(token, '/api/system/sync-jobs')).items,
    listQueueEntries: async () => (await send<{ items: object[] }>(token, '/api/queues')).items,
  }
}
