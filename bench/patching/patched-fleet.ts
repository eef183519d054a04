import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '../../server/test/faults/fuzz/random.ts'
import { until } from '../api.ts'
import { chooseAbsence } from './presence.ts'
import { type ComputerKind, SimulatedComputer } from './simulated-computer.ts'

/** Sends a request, by default as a principal with all roles. Throws unless it succeeds. */
export type Caller = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  authorization?: string,
  // biome-ignore lint/suspicious/noExplicitAny: answers are used as the caller knows them.
) => Promise<any>

export type FleetMember = { kind: ComputerKind; absence: ReadonlySet<number>; computer: SimulatedComputer }

/** Desktops are patched and restarted at night. People at laptops are interrupted at noon only. */
export const restartWindows: Record<ComputerKind, { hour: number; minutes: number }> = {
  Desktop: { hour: 4, minutes: 90 },
  Laptop: { hour: 12, minutes: 60 },
}

const installationSchedules: Record<ComputerKind, string> = {
  Desktop: 'CRON=0 22 * * *;TZ=UTC;DURATION=360',
  Laptop: '',
}

const product = 'Example Linux 12'
const patchKeys = Array.from({ length: 10 }, (_, number) => `libexample${number} 1.0.${number}`)

export const patchCatalog = (released: Date) => ({
  format: 'muster-patch-catalog/1',
  name: 'Example vendor',
  version: '1',
  releasedUtc: released.toISOString(),
  patches: patchKeys.map((key) => ({
    key,
    name: key,
    vendorSeverity: 'Critical',
    patchType: 'SecurityPatch',
    releaseDate: released.toISOString().slice(0, 10),
    products: [{ name: product }],
  })),
})

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const rings = [
  { name: 'Pilot', percent: 10 },
  { name: 'Everybody else', afterDays: 1 },
]

type Size = { count: number; days: number; random: Random }

/** Two groups with a policy each, the fix package, and computers that have just enrolled. */
export async function prepareFleet(call: Caller, { count, days, random }: Size): Promise<FleetMember[]> {
  await finish(call, '/api/patches/import', { folderPath: 'catalogs' })
  const { packageId } = await finish(call, '/api/packages/import', { folderPath: 'patch-fix' })
  await call('PUT', `/api/packages/${packageId}/ready-to-install`, { operational: true })
  const { items } = await call('GET', '/api/group?type=ConfigurationGroups')
  const root = items.find(({ parentId }: { parentId: string | null }) => parentId === null)
  const kinds: ComputerKind[] = ['Desktop', 'Laptop']
  const tokens = await Promise.all(kinds.map((kind) => prepareGroup(call, kind, root.id, packageId)))
  const members: FleetMember[] = []
  for (let number = 0; number < count; number++) {
    const kind = kinds[number % 2] ?? 'Desktop'
    const { credential } = await call('POST', '/agent/v1/enrolment', enrolmentOf(tokens[number % 2] ?? '', number), '')
    const computer = new SimulatedComputer({
      kind,
      random,
      catalog: patchKeys.map((key) => ({ key, product })),
      call: (method, path, body) => call(method, `/agent/v1/${path}`, body, `Bearer ${credential}`),
    })
    members.push({ kind, absence: chooseAbsence(random, days), computer })
  }
  return members
}

async function prepareGroup(call: Caller, kind: ComputerKind, parentId: string, packageId: string): Promise<string> {
  const { id: groupId } = await call('POST', '/api/group', { name: `${kind}s`, type: 'ConfigurationGroups', parentId })
  await call('POST', `/api/group/${groupId}/packages`, { packageId })
  await call('PUT', `/api/group/${groupId}/distribution-options?packageId=${packageId}`, {
    commands: ['Install'],
    scheduleString: installationSchedules[kind],
  })
  const { hour, minutes } = restartWindows[kind]
  const { id } = await call('POST', '/api/patch-policies', {
    name: `${kind}s`,
    rules: [{ name: 'Everything', action: 'Approve' }],
    rings,
    restart: {
      windows: [{ days: weekdays, start: `${String(hour).padStart(2, '0')}:00`, durationMinutes: minutes }],
      timeZone: 'UTC',
      timeoutMinutes: 15,
    },
  })
  await call('POST', `/api/patch-policies/${id}/assignments`, { groupId })
  const expiresAtUtc = new Date(Date.now() + 86_400_000).toISOString()
  return (await call('POST', '/api/enrolment-tokens', { groupId, expiresAtUtc })).token
}

const enrolmentOf = (token: string, number: number) => ({
  token,
  enrolmentKey: randomBytes(32).toString('hex'),
  computer: { name: `pc-${number}`, domain: 'example.org', isDomain: true, uuid: randomUUID(), macAddress: null },
  agent: { version: '1.0', platform: 'Linux' },
})

/** Starts a job, and waits until it has succeeded. */
async function finish(call: Caller, path: string, body: object) {
  const { trackingId } = await call('POST', path, body)
  return until(async () => {
    const job = await call('GET', `${path}/${trackingId}`)
    if (job.status === 'Failed') throw new Error(`${path}: ${job.message}`)
    return job.status === 'Success' ? job : undefined
  }, `the end of ${path}`)
}
