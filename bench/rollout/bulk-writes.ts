import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import type { Api } from '../api.ts'
import type { RolloutFleet } from './prepare.ts'

export type BulkContext = { api: Api; db: Database; fleet: RolloutFleet; packageStore: string }

/** Requests that concern one computer are sent this many at a time. */
const requestsAtOnce = 4
/** The largest number of computers in one request for emergency patching. */
const computersPerEmergency = 500
const patchCount = 20_000

/** The bulk writes, in the order in which they run: each finds what the ones before have left. */
export const bulkWrites: Record<string, (context: BulkContext) => Promise<void>> = {
  activation: ({ api, fleet }) => activate(api, fleet),
  async uninstall({ api, db, fleet }) {
    await api.put(`/api/group/${fleet.groupId}/distribution-options`, { commands: ['Uninstall'] })
    await recordAsInstalled(db)
    await activate(api, fleet)
  },
  async reinstall({ api, db, fleet }) {
    await api.put(`/api/group/${fleet.groupId}/distribution-options`, { commands: ['Install'] })
    const packageId = await findPackage(db, 'Software')
    await forEachMember(fleet, (id) => api.post(`/api/computer/${id}/software-reinstall`, { packageId }))
  },
  rescan: ({ api, fleet }) =>
    forEachMember(fleet, (id) => api.post(`/api/computer/${id}/rescan`, { scanType: 'Inventory' })),
  reboot: ({ api, fleet }) => forEachMember(fleet, (id) => api.post(`/api/computer/${id}/reboot`, {})),
  async 'emergency patching'({ api, fleet }) {
    const members = [...fleet.members.keys()]
    for (let from = 0; from < members.length; from += computersPerEmergency)
      await api.post('/api/pmgroup/1/emergency-patching', {
        computerIds: members.slice(from, from + computersPerEmergency),
      })
  },
  [`import of ${patchCount} patches`]: importPatches,
}

async function activate(api: Api, { groupId }: RolloutFleet): Promise<void> {
  const { trackingId } = await api.post<{ trackingId: string | null }>(`/api/group/${groupId}/activation`, {
    software: true,
  })
  if (trackingId === null) throw new Error('The activation has made no work.')
}

/** The packages of the group as agents leave them. */
async function recordAsInstalled(db: Database): Promise<void> {
  await sql`
    with closed as (
      update work set state = 'Success', closed_at = now(), leased_until = null where closed_at is null
    )
    update deployments set installation_state = 'Installed', result = 'Success', pending_since = null,
      installed_at = now(), installed_hash = (select content_hash from packages where id = package_id)`.execute(db)
}

async function findPackage(db: Database, kind: string): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select id from packages where kind = ${kind} order by name limit 1`.execute(db)
  return rows[0]?.id ?? ''
}

async function forEachMember({ members }: RolloutFleet, call: (id: number) => Promise<unknown>): Promise<void> {
  const waiting = [...members.keys()]
  const callNext = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await call(id)
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, callNext))
}

async function importPatches({ api, packageStore }: BulkContext): Promise<void> {
  await mkdir(join(packageStore, 'catalog'), { recursive: true })
  const patches = Array.from({ length: patchCount }, (_, at) => ({
    key: `KB${7_000_000 + at}`,
    name: `Update ${at}`,
    qNumber: `KB${7_000_000 + at}`,
    vendorSeverity: 'Important',
    products: [{ name: `Example Product ${at % 50}`, vendor: 'Example' }],
  }))
  const catalog = {
    format: 'muster-patch-catalog/1',
    name: 'Example',
    version: '1',
    releasedUtc: '2026-03-11T00:00:00Z',
    patches,
  }
  await writeFile(join(packageStore, 'catalog', 'example.json'), JSON.stringify(catalog))
  const { trackingId } = await api.post<{ trackingId: string }>('/api/patches/import', { folderPath: 'catalog' })
  for (;;) {
    const { status, message } = await api.get<{ status: string; message: string }>(`/api/patches/import/${trackingId}`)
    if (status === 'Success') return
    if (status === 'Failed') throw new Error(message)
    await sleep(500)
  }
}
