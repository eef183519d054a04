import { expect, test } from 'vitest'
import { machineChannels } from '../../server/src/channels/index.ts'
import { addUpTaskChanges } from '../../server/src/features/deployments/jobs/add-up-task-changes.ts'
import { historyMetrics } from '../../server/src/features/fleet-history/history-samples.ts'
import { recordFleetHistory } from '../../server/src/features/fleet-history/record-history.ts'
import { refreshFleetGauges } from '../../server/src/features/fleet-history/refresh-gauges.ts'
import { operations } from '../../server/src/features/index.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { recordIssueFindings } from '../../server/src/features/issues/issue-findings.ts'
import { issueNames } from '../../server/src/features/issues/issues.ts'
import { countVulnerableComputers } from '../../server/src/features/vulnerabilities/compare/count-computers.ts'
import type { AnyOperation } from '../../server/src/platform/operation.ts'
import { roleNames } from '../../server/src/platform/roles.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { listDeclaredValues } from '../../server/test/world/answer-values.ts'
import { addressOf } from '../../server/test/world/caller.ts'
import { listUnusedColumns } from '../../server/test/world/column-values.ts'
import { openDemoFleet } from '../world/demo-fleet.ts'
import { takeTour } from './tour.ts'
import { unseenValues, unusedColumns } from './without-example.ts'

const { as, db, fleet, seen, withToken } = await openDemoFleet(takeTour)
await refreshFleetStatistics(db)
await recordFleetHistory(db)
await refreshFleetGauges(db)
await addUpTaskChanges(db)
await recordIssueFindings(db)
await countVulnerableComputers(db)
await sequenceAll(db)
const machineOperations = machineChannels.flatMap(({ sections }) => sections.flatMap(({ operations }) => operations))
const reader = as(...roleNames)

/** Reads that need a query parameter, or something that the data set does not have. */
const withoutExample = [
  'getPrincipal',
  'getPackageImport',
  'getPackageUploadProposal',
  'getPackageLine',
  'getUpgradeProposal',
  'searchWingetPackages',
  'getWingetPackage',
  'getPackageTrial',
  'getPatchCatalogImport',
  'getVulnerabilityImport',
  'getEmergencyPatching',
  'listTagPackages',
  'listSharedFailureDevices',
  'getFleetHistory',
  'listFilterValues',
  'searchFleet',
  'listSoftwareNames',
  'listSoftwareVersions',
  'explainComputer',
  'explainGroup',
]

const reads = operations.filter(
  ({ id, method, answerType }) => method === 'GET' && !answerType && !withoutExample.includes(id),
)

/** The lists whose items complete the paths of other operations, and the property with their ids. */
const lists: Record<string, { list: string; key: string }> = {
  clientId: { list: '/api/system/depot-servers', key: 'clientId' },
  packageId: { list: '/api/packages', key: 'id' },
  key: { list: '/api/vulnerabilities', key: 'key' },
  patchId: { list: '/api/patches', key: 'patchId' },
  varId: { list: '/api/variable-definitions', key: 'varId' },
  trackingId: { list: '/api/tasks', key: 'trackingId' },
}

/** Lists whose items have an id that is not called `id`. */
const keysOfLists: Record<string, string> = {
  '/api/approvals': 'approvalId',
  '/api/package-requests': 'requestId',
  '/api/package-upgrades': 'upgradeId',
  '/api/rollouts': 'rolloutId',
}

/** Pages whose items another operation lists. */
const listsOfPages: Record<string, string> = { '/api/fleet/patch-groups': '/api/pmgroup' }

const maxAddresses = 60

/** Every operation answers for at least as many objects, which are spread over the data set. */
const minAnswers = 6

const knownLists = new Map<string, Promise<Record<string, unknown>[]>>()

/** Reading changes nothing, so each list is read once. */
function listItems(url: string): Promise<Record<string, unknown>[]> {
  const known = knownLists.get(url) ?? reader.send({ method: 'GET', url }).then(({ body }) => itemsOf(body))
  knownLists.set(url, known)
  return known
}

const itemsOf = (body: unknown) =>
  (Array.isArray(body) ? body : (body as { items: unknown[] }).items) as Record<string, unknown>[]

/** Values of a path parameter that exist in the data set. `id` means an item of the list above it. */
async function listValues({ path }: AnyOperation, parameter: string): Promise<unknown[]> {
  if (parameter === 'skuId') return [1, 2]
  if (parameter === 'issue') return [...issueNames]
  const above = path.slice(0, path.indexOf('/:'))
  const { list, key } = lists[parameter] ?? { list: listsOfPages[above] ?? above, key: keysOfLists[above] ?? 'id' }
  return (await listItems(list)).map((item) => item[key]).slice(0, maxAddresses)
}

async function listAddresses(operation: AnyOperation): Promise<string[]> {
  let params: Record<string, unknown>[] = [{}]
  for (const name of Object.keys(operation.params.properties)) {
    const values = await listValues(operation, name)
    params = params.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))).slice(0, maxAddresses)
  }
  return params.map((one) => addressOf(operation, one))
}

const reasons = new Set(Object.values(unseenValues).flat())

const isUnseen = (value: string) => !seen.has(value) && !reasons.has(value)

/** The same items, but neighbours are far from each other: computers that are alike follow each other in a list. */
function spread<T>(items: readonly T[]): T[] {
  const strides = Map.groupBy(items, (_, at) => at % Math.ceil(items.length / minAnswers))
  return [...strides.values()].flat()
}

/** Asks at least this often, and until everything that the operation declares occurred. Returns what was answered. */
async function ask<Answer>(id: string, urls: readonly string[], min = minAnswers): Promise<Answer[]> {
  const operation = operations.find((one) => one.id === id) ?? expect.unreachable()
  const declared = [...listDeclaredValues([operation])]
  const answers: Answer[] = []
  for (const url of urls) {
    if (answers.length >= min && !declared.some(isUnseen)) break
    const { status, raw } = await reader.send({ method: 'GET', url })
    if (status === 200) answers.push(raw as Answer)
  }
  return answers
}

test.for(reads)(
  '$id answers as declared for objects of the data set, until everything declared occurred',
  async (operation) => {
    const answers = await ask(operation.id, spread(await listAddresses(operation)))

    // The world compares every answer with its declaration. Here it only matters that there was one to compare.
    expect(answers.length).toBeGreaterThan(0)
  },
)

test('the history of the fleet and the time lines of tasks answer as declared', async () => {
  const { body } = await reader.send({ method: 'GET', url: '/api/tasks?top=1000' })
  const tasks = (body as { items: { trackingId: string }[] }).items
  const metrics = historyMetrics.map(
    (metric) => `metric=${metric}${metric === 'packageVersions' ? '&packageName=pdf-viewer' : ''}`,
  )

  const answers = await Promise.all(
    [
      ...tasks.map(({ trackingId }) => `/api/tasks/${trackingId}?include=timeLine&top=1000`),
      ...metrics.map((query) => `/api/fleet/history?${query}`),
      '/api/fleet/history?metric=computers&resolution=Day',
      '/api/fleet/distribution-events?limit=500',
    ].map((url) => reader.send({ method: 'GET', url })),
  )

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

const packagesWithRelations = ['backup-client', 'cad-libraries', 'cad-suite', 'crm-client']

test('explanations of the data set have several verdicts and reasons', async () => {
  const list = async <T>(path: string) =>
    ((await reader.send({ method: 'GET', url: path })).body as { items: T[] }).items
  const [computers, packages, groups, variables, patches] = [
    await list<{ id: number }>('/api/computer?top=60'),
    await list<{ id: string; packageName: string }>('/api/packages?top=40'),
    await list<{ id: string }>('/api/group?top=3'),
    await list<{ varId: number }>('/api/variable-definitions?top=20'),
    await list<{ patchId: number }>('/api/patches?top=20'),
  ]
  const subjects = [
    ...packages.map(({ id }) => `packageId=${id}`),
    ...variables.map(({ varId }) => `variableId=${varId}`),
    ...patches.map(({ patchId }) => `patchId=${patchId}`),
    'setting=contactIntervalMinutes',
    'operatingSystem=true',
  ]
  const explained = [...subjects, ...subjects, ...subjects].map(
    (subject, place) => `/api/computer/${computers[(place * 7) % computers.length]?.id}/explain?${subject}`,
  )
  // What a requirement means depends on the system of the computer and on its ring.
  const related = packages.filter(({ packageName }) => packagesWithRelations.includes(packageName))
  explained.push(
    ...related.flatMap(({ id }) => computers.map((one) => `/api/computer/${one.id}/explain?packageId=${id}`)),
  )
  const ofGroups = groups.flatMap(({ id }) =>
    packages.map(({ id: packageId }) => `/api/group/${id}/explain?packageId=${packageId}`),
  )

  type Explanation = { verdict: string; blockers: { reason: string }[] }
  const explanations = await ask<Explanation>('explainComputer', explained, subjects.length)
  await ask('explainGroup', ofGroups, packages.length)

  expect(new Set(explanations.map(({ verdict }) => verdict)).size).toBeGreaterThan(4)
  expect(new Set(explanations.flatMap(({ blockers }) => blockers.map(({ reason }) => reason))).size).toBeGreaterThan(4)
})

/** Values by which people look for the objects of a list, of some of its objects. */
const searchedValues: Record<string, string[]> = {
  '/api/fleet/computers?top=20': ['id', 'hostname', 'loggedOnUser', 'serialNumber', 'ipAddress'],
  '/api/computer?top=20': ['macAddress'],
  '/api/fleet/packages?top=10': ['name'],
  '/api/fleet/groups?top=10': ['name'],
  '/api/rollouts': ['name'],
  '/api/fleet/patches?top=100': ['patchName', 'qNumber', 'cves'],
  '/api/admin/local-principals': ['clientId', 'description'],
}

test('the search finds the objects of the data set by their values, and software by its name', async () => {
  const searched: unknown[] = []
  for (const [list, keys] of Object.entries(searchedValues))
    for (const item of await listItems(list)) searched.push(...keys.flatMap((key) => item[key] ?? []))
  const addresses = [...new Set(searched.map(String))].map(
    (text) => `/api/fleet/search?${new URLSearchParams({ top: '20', search: text })}`,
  )

  const found = await ask<Record<string, unknown[]>>('searchFleet', addresses, addresses.length)
  const [names = []] = await ask<string[]>('listSoftwareNames', ['/api/fleet/software/names?search=e'])
  const versions = names.map((name) => `/api/fleet/software?${new URLSearchParams({ software: name })}`)
  const installed = await ask<{ computers: number }>('listSoftwareVersions', versions)
  await ask(
    'listFleetComputers',
    names.map((name) => `/api/fleet/computers?${new URLSearchParams({ software: name })}`),
  )

  expect(found.length).toBe(addresses.length)
  expect(found.filter((answer) => Object.values(answer).every((matches) => matches.length === 0))).toEqual([])
  expect(installed.length).toBeGreaterThan(0)
  expect(installed.filter(({ computers }) => computers === 0)).toEqual([])
})

test('the package of a rollout is explained for a computer of each ring', async () => {
  type Placed = { computerId: number; ring: number }
  const { body } = await reader.send({ method: 'GET', url: '/api/rollouts' })
  const ringStates = new Set<string>()

  for (const { rolloutId, packageId } of (body as { items: { rolloutId: string; packageId: string }[] }).items) {
    const computers = await reader.send({ method: 'GET', url: `/api/rollouts/${rolloutId}/computers?top=1000` })
    const byRing = new Map(
      (computers.body as { items: Placed[] }).items.map(({ ring, computerId }) => [ring, computerId]),
    )
    for (const computerId of byRing.values()) {
      const explained = await reader.send({
        method: 'GET',
        url: `/api/computer/${computerId}/explain?packageId=${packageId}`,
      })
      for (const { ringState } of (explained.body as { rollouts: { ringState: string }[] }).rollouts)
        ringStates.add(ringState)
    }
  }

  expect([...ringStates]).toEqual(expect.arrayContaining(['Open', 'Waiting']))
})

test('users see the software of their computers', async () => {
  const statuses = new Set<number>()
  for (const credential of fleet.credential.filter(Boolean))
    statuses.add((await withToken(credential).send({ method: 'GET', url: '/agent/v1/software' })).status)

  // The agent of a computer that was deleted has no credential any more.
  expect([...statuses]).toContain(200)
})

test('every property of every answer has a value, and every value of an enumeration occurs', () => {
  const declared = [...listDeclaredValues([...operations, ...machineOperations])]

  expect(declared.filter(isUnseen)).toEqual([])
  expect([...reasons].filter((value) => !declared.includes(value))).toEqual([])
})

test('every column has a value that is not its default', async () => {
  const unused = await listUnusedColumns(db)
  const reasons = Object.values(unusedColumns).flat()
  const hasReason = (column: string) => reasons.includes(column) || reasons.includes(`${column.split('.')[0]}.*`)

  expect(unused.filter((column) => !hasReason(column))).toEqual([])
})
