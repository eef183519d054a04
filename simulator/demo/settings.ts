import type { Api } from './api.ts'
import { type Groups, groupId } from './groups.ts'
import { type Packages, packageId } from './packages.ts'

/** Two depots. Only the first one ever sends heartbeats. */
export const depotNames = ['depot-ber-01', 'depot-bos-01'] as const
export const plannedServer = 'planned-server-01'
export const plannedMacAddress = '02:FF:00:00:00:03'
/** The boards of both depots have it: their vendor gave all of them the same. */
const uuidOfDepotBoards = '4c4c4544-0051-3510-8052-b4c04f4d3332'
export const serverDomain = 'corp.example.org'

/** Creates computers without an agent: the two depots and a planned server. */
export async function createServers(api: Api): Promise<number[]> {
  const names = [...depotNames, plannedServer]
  const created = await Promise.all(
    names.map((name, at) =>
      api.post<{ id: number }>('/api/computer', {
        name,
        // Depots boot from their disks only.
        pxeSupport: name === plannedServer,
        domain: serverDomain,
        isDomain: true,
        macAddress: `02:FF:00:00:00:0${at + 1}`,
        ipAddress: `10.1.0.${10 + at}`,
        subnetMask: '255.255.0.0',
        standardGateway: '10.1.0.1',
        ...(at < depotNames.length && { uuid: uuidOfDepotBoards }),
        inventoryId: `SRV-${100 + at}`,
        ou: 'OU=Servers,DC=corp,DC=example,DC=org',
      }),
    ),
  )
  return created.map(({ id }) => id)
}

/** Defines variables and a variable configuration. */
export async function defineVariables(api: Api): Promise<void> {
  await api.post('/api/catalog/apply', {
    catalog: {
      variableDefinitions: [
        {
          name: 'Printing',
          kind: 'Category',
          children: [
            { name: 'Server', description: 'Server of the print queues', default: 'print01' },
            { name: 'Password', secret: true },
            {
              name: 'Queues',
              kind: 'Collection',
              children: [
                { name: 'Name', description: 'Name of the queue' },
                { name: 'Colour', default: 'no' },
              ],
            },
          ],
        },
        { name: 'Vpn', kind: 'Category', children: [{ name: 'Gateway', default: 'vpn.example.org' }] },
        { name: 'CostCentre', description: 'Cost centre that pays for the computer', default: '1000' },
        {
          name: 'Shares',
          kind: 'Collection',
          children: [{ name: 'Drive' }, { name: 'Path' }, { name: 'Password', secret: true }],
        },
        { name: 'Note', kind: 'UserDefined' },
      ],
      variableConfigurations: [
        {
          name: 'Branch office',
          description: 'For sites with fewer than 50 computers',
          values: [
            { variable: 'Printing.Server', value: 'print-branch' },
            { variable: 'Vpn.Gateway', value: 'vpn-branch.example.org', schedule: '2026-03-01T22:00:00Z' },
          ],
        },
      ],
    },
  })
}

/** Defines a custom field. Packages can be for computers with some of its values. */
export async function defineCustomField(api: Api): Promise<void> {
  await api.patch('/api/custom-field-configuration/Custom01', { designation: 'Cost centre', isActive: true })
}

/** Defines a software class and the roles of the depots. */
export async function defineClassesAndRoles(api: Api, packages: Packages): Promise<void> {
  await api.post('/api/catalog/apply', {
    catalog: {
      softwareClasses: [
        { name: 'Browsers', description: 'Exactly one browser', packages: [packageId(packages, 'browser-131.0')] },
      ],
      computerRoles: depotNames.map((name) => ({ name, domain: serverDomain, role: 'DepotServer' })),
    },
  })
}

type Variables = { items: { varId: number; dottedName: string }[] }
type Configurations = { items: { id: number; name: string }[] }

/** Sets values on three levels, with entries of a collection. One value is forced, and one takes effect next year. */
export async function setVariables(api: Api, { configuration }: Groups): Promise<void> {
  const { items } = await api.get<Variables>('/api/variable-definitions?top=200')
  const configurations = await api.get<Configurations>('/api/variable-configurations')
  const idOf = (name: string) => items.find(({ dottedName }) => dottedName === name)?.varId
  const set = (path: string, name: string, value: string, options: { forced?: boolean; schedule?: string } = {}) =>
    api.put(`/api/group/${groupId(configuration, path)}/variables/${idOf(name)}`, { value, ...options })
  const addQueue = (path: string, values: Record<string, string>) =>
    api.post(`/api/group/${groupId(configuration, path)}/variables/${idOf('Printing.Queues')}/collection`, { values })
  const nextYear = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`
  await Promise.all([
    set('Europe', 'Printing.Server', 'print-eu'),
    set('Europe/Berlin', 'Printing.Server', 'print-ber'),
    set('Europe/Berlin/Finance', 'CostCentre', '4711'),
    set('Europe', 'Vpn.Gateway', 'vpn-eu.example.org', { forced: true }),
    set('America', 'Printing.Server', 'print-us', { schedule: nextYear }),
    addQueue('Europe/Berlin', { Name: 'floor-2', Colour: 'yes' }),
    addQueue('Europe/Berlin', { Name: 'floor-3' }),
    set('America', 'Printing.Password', 'not-shown-to-anybody'),
    api.post(`/api/group/${groupId(configuration, 'America/Austin')}/variable-configurations`, {
      configId: configurations.items.find(({ name }) => name === 'Branch office')?.id,
    }),
  ])
}

/** Sets tags of packages and depots and a failover list, and creates principals. */
export async function setTagsAndPrincipals(
  api: Api,
  groups: Groups,
  packages: Packages,
  depots: readonly number[],
): Promise<void> {
  const tags = await Promise.all(
    ['Europe', 'America', 'Standard'].map((designation) =>
      api.post<{ id: number }>('/api/tags', { designation, description: `Packages for ${designation}` }),
    ),
  )
  const [europe, america, standard] = tags.map(({ id }) => id)
  const [first, second] = depots
  const tagged = ['corporate-vpn-5.2.1', 'browser-131.0', 'pdf-viewer-24.2']
  await Promise.all([
    ...tagged.map((folder) =>
      api.put(`/api/packages/${packageId(packages, folder)}/tags`, { tagIds: [standard, europe] }),
    ),
    api.post(`/api/depots/${first}/tags`, { tagId: europe }),
    api.post(`/api/depots/${second}/tags`, { tagId: america }),
    api.put(`/api/group/${groupId(groups.configuration, 'Europe')}/depot-servers`, { depotServers: [first, second] }),
    createPausedWebhook(api),
    createReports(api, groupId(groups.configuration, 'Europe')),
    saveViews(api),
    ...['Help desk', 'Reporting script'].map((description) =>
      api.post('/api/admin/local-principals', { description, roles: ['computer.read'], expiresAtUtc: null }),
    ),
    api.post('/api/admin/local-principals', { description: 'Prometheus', roles: ['metrics.read'], expiresAtUtc: null }),
  ])
}

/** A report that is made each week and was asked for once. It is sent nowhere, because the demo sends nothing to other hosts. */
async function createReports(api: Api, group: string): Promise<void> {
  await api.put('/api/admin/mail-server', {
    host: 'smtp.example.org',
    port: 587,
    tlsMode: 'StartTls',
    userName: 'muster',
    password: 'not-shown-to-anybody',
    fromAddress: 'muster@example.org',
    recipientDomains: ['example.org'],
  })
  await api.post('/api/licences', { name: 'Browser for everybody', productPattern: '*browser*', owned: 10 })
  await api.post('/api/licences', { name: 'Time Tracker', productPattern: 'Time Tracker*', owned: 3 })
  const schedule = { frequency: 'Weekly', weekday: 'Monday', time: '06:30', timeZone: 'Europe/Berlin' }
  const { id } = await api.post<{ id: string }>('/api/reports', {
    name: 'Licences in Europe',
    kind: 'Licences',
    format: 'Pdf',
    groupId: group,
    schedule,
  })
  await api.post(`/api/reports/${id}/runs`, {})
}

/** Two views that everybody who reads computers finds, and one that nobody else does. */
async function saveViews(api: Api): Promise<void> {
  const save = (view: object) => api.post('/api/views', { page: 'computers', ...view })
  await save({
    name: 'Late agents',
    filters: { nextContact: ['Overdue'] },
    sort: 'lastSeenUtc',
    columns: ['hostname', 'agentStatus', 'lastSeenUtc', 'nextContactUtc', 'groups'],
    sharedWith: ['computer.read'],
  })
  await save({
    name: 'Critical patches by model',
    filters: { missingSeverity: ['Critical'] },
    sort: 'model',
    columns: ['hostname', 'operatingSystem', 'osVersion', 'model', 'issues'],
    density: 'Compact',
    sharedWith: ['computer.read', 'pm.read'],
  })
  await save({ name: 'My watch list', filters: { healthStatus: ['Warning', 'Unreachable'] }, descending: true })
}

/** Paused, because the demo sends nothing to other hosts. */
async function createPausedWebhook(api: Api): Promise<void> {
  const { id } = await api.post<{ id: string }>('/api/webhooks', {
    name: 'Failures to chat',
    url: 'https://chat.example.org/hooks/muster',
    types: ['muster.deployment.failed', 'muster.work.abandoned'],
  })
  await api.patch(`/api/webhooks/${id}`, { isPaused: true })
}
