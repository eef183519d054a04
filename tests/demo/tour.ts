import { type Api, type Json, until } from '../../simulator/demo/api.ts'
import { reviewPackages, reviewPatches } from './selection-tour.ts'
import { saveViews } from './views-tour.ts'

type Item = { id: string; name: string } & Json
type Items = { items: Item[] }

/** What people do with a fleet in the course of a year, in a minute. The data set has none of it. */
export async function takeTour(options: TourOptions): Promise<void> {
  const { api, address, depotCredential } = options
  const found = await lookAround(api)
  await limitDamage(api)
  await changeSettings(api, found)
  await replacePackages(api, found)
  await moveComputers(api, found)
  await reviewSelection(api, found)
  await reviewMoves(api, found)
  await saveViews(api)
  await exportExceptions(api, found)
  await patchAtOnce(api, found)
  await synchroniseDepot(api, address, depotCredential, found)
  await importDamagedThings(api)
  await deploy(options, found)
  // The last, because the audit trail shows the latest entries first, and only these people have names.
  await invitePeople(api, address)
}

export type TourOptions = {
  /** Calls with all roles. */
  api: Api
  address: string
  depotCredential: string
  /** What the answers contained so far. */
  seen: ReadonlySet<string>
  /** Lets all computers make a contact. */
  wake(): void
  /** Lets the rollouts go on until one has paused itself. */
  settleRollouts(): Promise<void>
}

type Found = Awaited<ReturnType<typeof lookAround>>

/** Ids of the data set by the names that people see. */
async function lookAround(api: Api) {
  const [computers, packages, groups, pmGroups, depots] = await Promise.all(
    ['computer?top=100', 'packages?top=100', 'group?top=500', 'pmgroup', 'system/depot-servers'].map((path) =>
      api.get<Items>(`/api/${path}`),
    ),
  )
  const variables = await api.get<{ items: { varId: number; dottedName: string }[] }>(
    '/api/variable-definitions?top=200',
  )
  const idIn = (list: Items | undefined, name: string) => list?.items.find((item) => item.name === name)?.id ?? ''
  const pilot = await api.get<Items>(`/api/group/${idIn(groups, 'Pilot')}/computers?top=60`)
  return {
    /** Computers of the pilot ring, which made a contact a moment ago. */
    computers: pilot.items.map(({ id }) => Number(id)),
    planned: Number(computers?.items.find(({ hostname }) => hostname === 'planned-server-01')?.id),
    packageId: (name: string, version?: string) =>
      packages?.items.find((one) => one.packageName === name && (!version || one.version === version))?.id ?? '',
    groupId: (name: string) => idIn(groups, name),
    pmGroupId: (name: string) => idIn(pmGroups, name),
    varId: (name: string) => variables.items.find(({ dottedName }) => dottedName === name)?.varId ?? 0,
    depot: Number((depots?.items[0] as { clientId?: number } | undefined)?.clientId),
  }
}

/** Somebody denies the request that waits, stops everything for a moment, and lifts the quota. */
async function limitDamage(api: Api): Promise<void> {
  const [waiting] = (await api.get<{ items: { approvalId: string }[] }>('/api/approvals?state=Pending')).items
  await api.delete(`/api/approvals/${waiting?.approvalId}`)
  await api.put('/api/freeze', { frozen: true, reason: 'Wrong package on the tills' })
  await api.put('/api/freeze', { frozen: false })
  await api.put('/api/blast-radius', { apiQuota: null, consoleQuota: 500 })
}

async function changeSettings(api: Api, { varId, groupId, computers }: Found): Promise<void> {
  const [computer] = computers
  const [berlin, america] = [groupId('Berlin'), groupId('America')]
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  await api.put(`/api/computer/${computer}/variables/${varId('CostCentre')}`, { value: '4712', schedule: soon })
  await api.put(`/api/group/${berlin}/variables/${varId('CostCentre')}`, { value: '4700', schedule: soon })
  await api.put(`/api/computer/${computer}/variables/${varId('Printing.Password')}`, { value: 'not-shown' })
  const shares = `variables/${varId('Shares')}/collection`
  const values = { Drive: 'S:', Path: '//files/sales', Password: 'not-shown' }
  for (const owner of [`computer/${computer}`, `group/${america}`]) {
    await api.post(`/api/${owner}/${shares}`, { values })
    await api.get(`/api/${owner}/${shares}`)
  }
  const owners = [
    ...computers.map((id) => `computer/${id}`),
    ...['Berlin', 'Austin'].map((name) => `group/${groupId(name)}`),
  ]
  for (const owner of owners) await api.post(`/api/${owner}/variables/search`, { includeInherited: true })
  await api.post('/api/catalog/plan', {
    catalog: { softwareClasses: [{ name: 'Browsers', packages: [] }], variableConfigurations: [] },
    removeMissing: true,
  })
}

/** Somebody hands over what was decided about vulnerabilities, for a group and for a computer. */
async function exportExceptions(api: Api, { groupId, computers }: Found): Promise<void> {
  for (const scope of [`groupId=${groupId('Europe')}`, `computerId=${computers[0]}`])
    await api.get(`/api/vulnerability-exceptions/vex?${scope}`)
}

async function replacePackages(api: Api, { packageId, groupId, computers }: Found): Promise<void> {
  const replace = (newPackageId: string) =>
    api.post('/api/group/package-replacement', {
      oldPackageId: packageId('pdf-viewer', '24.1'),
      newPackageId,
      copyDistributionOptions: true,
    })
  const assign = (id: string, version: string) =>
    api.post(`/api/group/${id}/packages`, { packageId: packageId('pdf-viewer', version) })
  // One group has only the old version, another one both, and a third one is made for a reinstallation.
  await assign(groupId('Kiosks'), '24.1')
  await assign(groupId('Pilot'), '24.1')
  const [computer] = computers
  await api.post(`/api/computer/${computer}/software-reinstall`, { packageId: packageId('pdf-viewer', '24.1') })
  await replace(packageId('pdf-viewer', '24.2'))
  const berlin = `/api/group/${groupId('Berlin')}`
  const [bootImage] = (await api.get<Items>('/api/pxe-bootimages')).items
  const unlessInherited = { skipIfInherited: true }
  await api.post(`${berlin}/agent-template`, { packageId: packageId('demo-agents'), ...unlessInherited })
  await api.post(`${berlin}/os-image-sku`, { packageId: packageId('windows-11'), skuId: 1, ...unlessInherited })
  await api.post(`${berlin}/pxe-bootimage`, { pxeId: bootImage?.id, ...unlessInherited })
  await api.get(`/api/packages/${packageId('office-fonts')}/status?groupId=${groupId('Europe')}`)
  await api.get('/api/computer/issues/shared-package-failure/devices?packageName=Time%20Tracker')
}

async function moveComputers(api: Api, { groupId, computers }: Found): Promise<void> {
  const [first, second] = computers
  const kiosks = `/api/group/${groupId('Kiosks')}/computers`
  await api.post(kiosks, { computerIds: [first, 2_000_000_000] })
  await api.post(kiosks, { computerIds: [first] })
  await api.post(`/api/group/${groupId('Sales')}/computers`, { computerIds: computers.slice(0, 20) })
  await api.delete(`${kiosks}?computerIds=${first}&computerIds=${second}`)
  const { untilUtc } = { untilUtc: new Date(Date.now() + 3_600_000).toISOString() }
  await api.post(`/api/computer/${first}/re-enrolment`, { untilUtc })
}

/** Somebody selects computers in the console and looks at what each action would do. */
async function reviewSelection(api: Api, { groupId, computers }: Found): Promise<void> {
  const actions = [
    'computers/activation',
    'computers/rescan',
    'computers/reboot',
    `groups/${groupId('Sales')}/computers`,
  ]
  for (const action of actions)
    await api.post(`/api/fleet/${action}?dryRun=true`, {
      computerIds: computers,
      ...(action === 'computers/activation' && { wolNow: true }),
    })
  for (const one of [`computer/${computers[0]}`, `group/${groupId('Sales')}`])
    await api.post(`/api/${one}/activation?dryRun=true`, { software: true })
}

/** Somebody looks at what groups would gain and lose elsewhere. */
async function reviewMoves(api: Api, { groupId }: Found): Promise<void> {
  for (const [name, parent] of [
    ['Berlin', 'America'],
    ['Austin', 'Europe'],
  ] as const)
    await api.put(`/api/group/${groupId(name)}/parent?dryRun=true`, { parentId: groupId(parent) })
}

async function patchAtOnce(api: Api, { pmGroupId, computers, planned }: Found): Promise<void> {
  const id = pmGroupId('Windows updates')
  await reviewPatches(api, Number(id))
  await api.post(`/api/pmgroup/${id}/emergency-patching`, { computerIds: [...computers, planned, 2_000_000_000] })
  await api.get(`/api/pmgroup/${id}/emergency-patching`)
  for (const computer of computers) await api.post(`/api/computer/${computer}/patches-search`)
}

async function synchroniseDepot(api: Api, address: string, credential: string, { depot }: Found): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${address}/depot/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} failed with ${answer.status}: ${text}`)
    return JSON.parse(text || '{}') as Json
  }
  const heartbeat = { version: '0.1.0', nextSyncUtc: new Date(Date.now() + 60_000).toISOString() }
  for (const status of ['Success', 'Failed']) {
    await api.post('/api/system/sync-jobs', { depotClientIds: [depot] })
    await call('POST', 'heartbeat', { ...heartbeat, url: 'https://depot.example.org' })
    const { jobId } = await call('POST', 'sync-jobs')
    await api.get('/api/system/sync-jobs')
    const counts = { packages: 20, filesTransferred: 12, bytesTransferred: 48_000_000 }
    await api.get('/api/system/sync-jobs/depots')
    await call('POST', `sync-jobs/${jobId}/result`, { status, message: 'See the log.', ...counts })
  }
  // Nobody requests this one.
  await call('POST', 'sync-jobs')
  await api.put('/api/system/depot-topology-setting', { isActive: true })
  await api.post('/api/system/sync-jobs', { depotClientIds: [depot] })
  const [wanted] = (await call('GET', 'packages')) as unknown as Item[]
  await call('GET', `packages/${wanted?.id}/files`)
}

async function importDamagedThings(api: Api): Promise<void> {
  for (const kind of ['packages', 'patches']) {
    const { trackingId } = await api.post<{ trackingId: string }>(`/api/${kind}/import`, { folderPath: 'demo' })
    await until(async () => {
      const { status } = await api.get<{ status: string }>(`/api/${kind}/import/${trackingId}`)
      return status === 'Failed' || undefined
    }, 'an import that fails')
  }
}

async function invitePeople(api: Api, address: string): Promise<void> {
  const issuer = 'https://login.example.org/'
  for (const isUser of [true, false]) {
    const name = { displayName: isUser ? 'Ada Lovelace' : 'Nightly report', issuer, roles: ['computer.read'] }
    const { id } = await api.post('/api/admin/principals', { isUser, subjectId: `subject-${isUser}`, ...name })
    await api.get(`/api/admin/principals/${id}`)
  }
  const { id, clientId, plaintextKey } = await api.post<Record<string, string>>('/api/admin/local-principals', {
    description: 'Audit of this quarter',
    roles: ['computer.read'],
    expiresAtUtc: new Date(Date.now() + 86_400_000).toISOString(),
  })
  await fetch(`${address}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId ?? '',
      client_secret: plaintextKey ?? '',
    }),
  })
  await api.post(`/api/admin/local-principals/${id}/secrets`, { previousValidHours: 24 })
  await api.get(`/api/admin/local-principals/${id}/secrets`)
  await api.patch(`/api/admin/local-principals/${id}/revoke`, { isRevoked: true })
}

const deadlineOfRestart = {
  ...{ afterHours: 8, latestUtc: null, maxPostponements: 3, quietHours: null },
  ...{ closePrograms: ['soffice.bin'], noticeMinutes: 15 },
}

async function deploy(
  { api, seen, wake }: TourOptions,
  { computers, planned, groupId, packageId }: Found,
): Promise<void> {
  const [, second, third, fourth] = computers
  const failing = (await api.get<Items>('/api/fleet/packages?failing=true')).items
  for (const { id } of failing) await api.post(`/api/packages/${id}/retry`, {})
  const actions = ['None', 'Reboot', 'Shutdown', 'LogOff']
  // Suspended computers get no work, so there are several for each action.
  for (const [index, computer] of computers.entries())
    await api.post(`/api/computer/${computer}/activation`, {
      software: true,
      wolNow: true,
      srl: { action: actions[index % actions.length], timeoutMinutes: 5, reminderMinutes: 1 },
    })
  await api.post(`/api/group/${groupId('Finance')}/computers`, { computerIds: [planned] })
  await api.post(`/api/computer/${planned}/activation`, { software: false, pxe: true, pull: true })
  await api.post(`/api/group/${groupId('Berlin')}/activation`, {
    software: true,
    wolNow: true,
    srl: { action: 'Reboot', userDeadline: deadlineOfRestart },
  })
  const runtime = packageId('runtime')
  const owners = await findComputers(api, computers, runtime, 'Installed')
  await reviewPackages(api, computers, runtime)
  await api.post(`/api/computer/${owners[0]}/software-uninstall`, { packageId: runtime })
  await reviewPackages(api, computers, runtime)
  for (const id of owners) await api.post(`/api/computer/${id}/activation`, { software: true })
  const pdfViewer = { packageId: packageId('pdf-viewer', '24.2') }
  const { reinstallGroupId } = await api.post(`/api/computer/${second}/software-reinstall`, pdfViewer)
  await api.delete(`/api/computer/${second}/software-reinstall?reinstallGroupId=${reinstallGroupId}`)
  await api.delete(`/api/computer/${third}/activation?software=true&global=true`)
  await api.delete(`/api/group/${groupId('Austin')}/activation?software=true&global=true`)
  await api.post(`/api/computer/${fourth}/rescan`, { scanType: 'Patch' })
  const wanted = actions.filter((action) => action !== 'None').map((action) => `WorkPower.action=${action}`)
  await until(async () => {
    wake()
    return wanted.every((value) => seen.has(value)) || undefined
  }, 'the power actions')
  await findComputers(api, owners, runtime, 'Uninstalled')
}

type Deployment = { softwareId: string; installationState: string }

/** Waits for computers whose agents have reported this state of the package. */
function findComputers(api: Api, computers: readonly number[], packageId: string, state: string): Promise<number[]> {
  const hasState = ({ softwareId, installationState }: Deployment) =>
    softwareId === packageId && installationState === state
  return until(async () => {
    const found: number[] = []
    for (const id of computers)
      if ((await api.get<Deployment[]>(`/api/computer/${id}/software-deployment`)).some(hasState)) found.push(id)
    return found.length > 0 ? found : undefined
  }, `a computer with the package ${state}`)
}
