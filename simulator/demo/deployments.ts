import type { Api } from './api.ts'
import { broad, developers, type Groups, groupId, linuxOnly, pilot } from './groups.ts'
import { type Packages, packageId } from './packages.ts'
import { serverDomain } from './settings.ts'

type Listed = { items: { id: number }[] }
type Images = { items: { id: string; skus: { skuId: number }[] }[] }

/** Assigns packages, software classes and everything that an OS deployment needs to groups. */
export async function assignAll(api: Api, groups: Groups, packages: Packages): Promise<void> {
  const { configuration, assignment } = groups
  const assign = (id: string, ...folders: string[]) =>
    folders.map((folder) => api.post(`/api/group/${id}/packages`, { packageId: packageId(packages, folder) }))
  const root = groupId(configuration, '')
  const [europe, america] = [groupId(configuration, 'Europe'), groupId(configuration, 'America')]
  const [forPilot, forAll] = [groupId(assignment, pilot), groupId(assignment, broad)]
  await Promise.all([
    ...assign(root, 'inventory-scan', 'patch-scan'),
    ...assign(europe, 'patch-fix', 'office-fonts-3.1', 'corporate-vpn-5.2.1'),
    ...assign(america, 'office-fonts-3.1', 'pdf-viewer-24.1'),
    ...assign(forPilot, 'pdf-viewer-24.2', 'runtime-8.0.11', 'crm-client-7.0', 'time-tracker-9.1', 'backup-client-4.0'),
    ...assign(forPilot, 'screen-recorder-2.3', 'expense-reports-6.3'),
    ...assign(forAll, 'pdf-viewer-24.2'),
    ...assign(groupId(assignment, linuxOnly), 'log-shipper-1.8.2'),
    ...assign(groupId(assignment, developers), 'cad-suite-2026.1'),
  ])
  const classes = await api.get<Listed>('/api/softwareclasses')
  const images = await api.get<Images>('/api/operating-system-imports')
  const bootImages = await api.get<Listed>('/api/pxe-bootimages')
  const [image] = images.items
  await Promise.all([
    api.post(`/api/group/${america}/software-classes`, { classId: classes.items[0]?.id }),
    api.post(`/api/group/${europe}/os-image-sku`, { packageId: image?.id, skuId: image?.skus[0]?.skuId }),
    api.post(`/api/group/${europe}/pxe-bootimage`, { pxeId: bootImages.items[0]?.id }),
    api.post(`/api/group/${groupId(configuration, 'Europe/Berlin')}/language-pack-imports`, {
      packageId: packageId(packages, 'german'),
    }),
  ])
  await setOptions(api, groups, packages)
}

const dayMs = 86_400_000

const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

const saturdays = { cron: '0 22 * * SAT', timeZone: 'Europe/Berlin', durationMinutes: 180 }

/** Optional packages, some that can be postponed until a deadline, one that starts in two days and is downloaded ahead, and maintenance windows on Saturdays. */
async function setOptions(api: Api, { configuration, assignment }: Groups, packages: Packages): Promise<void> {
  const set = (id: string, folder: string, options: object) =>
    api.put(`/api/group/${id}/distribution-options?packageId=${packageId(packages, folder)}`, options)
  await Promise.all([
    set(groupId(assignment, pilot), 'screen-recorder-2.3', {
      commands: ['Install', 'Optional'],
      optionalDate: inDays(90),
    }),
    set(groupId(configuration, 'Europe'), 'office-fonts-3.1', {
      commands: ['Install'],
      revokeCount: 3,
      revokeDate: inDays(30),
      userDeadline: {
        afterHours: 72,
        latestUtc: inDays(14),
        maxPostponements: 3,
        quietHours: { start: '08:00', end: '09:30' },
        closePrograms: ['soffice.bin', 'WINWORD.EXE'],
        noticeMinutes: 15,
      },
    }),
    set(groupId(assignment, broad), 'pdf-viewer-24.2', { commands: ['Install', 'Update', 'Hidden'], wol: true }),
    set(groupId(assignment, developers), 'cad-suite-2026.1', { commands: ['Reinstall', 'Force'], schedule: saturdays }),
    set(groupId(configuration, 'America'), 'pdf-viewer-24.1', {
      commands: ['Install'],
      schedule: { from: inDays(2), until: inDays(365) },
      preDownload: true,
    }),
  ])
}

const maxComputersPerRequest = 500

/** Adds computers to the rings and activates the rings. */
export async function activateRings(api: Api, groups: Groups, members: Map<string, readonly number[]>): Promise<void> {
  for (const [path, computerIds] of members)
    for (let first = 0; first < computerIds.length; first += maxComputersPerRequest)
      await api.post(`/api/group/${groupId(groups.assignment, path)}/computers`, {
        computerIds: computerIds.slice(first, first + maxComputersPerRequest),
      })
  for (const path of members.keys())
    await api.post(`/api/group/${groupId(groups.assignment, path)}/activation`, { software: true, global: false })
}

export async function activateRegions(api: Api, groups: Groups): Promise<void> {
  for (const path of ['Europe', 'America'])
    await api.post(`/api/group/${groupId(groups.configuration, path)}/activation`, { software: true })
}

/** Sets the custom field of single computers, by which a package is for them. */
export async function setCostCentres(api: Api, computerIds: readonly number[]): Promise<void> {
  await Promise.all(
    computerIds.map((id, at) => api.patch(`/api/computer/${id}`, { custom: { Custom01: String(4700 + at) } })),
  )
}

/** Requests actions for single computers, as operators do. */
export async function requestActions(api: Api, packages: Packages, computerIds: readonly number[]): Promise<void> {
  const [first, second, third, fourth] = computerIds
  await Promise.all([
    api.post(`/api/computer/${first}/rescan`, { scanType: 'Inventory' }),
    api.post(`/api/computer/${second}/reboot`, { timeoutMinutes: 1, reminderMinutes: 1 }),
    api.post(`/api/computer/${third}/software-reinstall`, { packageId: packageId(packages, 'pdf-viewer-24.2') }),
    api.post(`/api/computer/${fourth}/software-reinstall`, { packageId: packageId(packages, 'time-tracker-9.1') }),
  ])
}

/** New computers wait for their operating system: one is ready, and one cannot be recognised when it boots. */
export async function requestInstallations(api: Api, { configuration }: Groups): Promise<void> {
  const group = await api.post<{ id: string }>('/api/group', {
    name: 'New computers',
    type: 'ConfigurationGroups',
    parentId: groupId(configuration, ''),
  })
  const images = await api.get<Images>('/api/operating-system-imports')
  const bootImages = await api.get<Listed>('/api/pxe-bootimages')
  const [image] = images.items
  await Promise.all([
    api.post(`/api/group/${group.id}/os-image-sku`, { packageId: image?.id, skuId: image?.skus[0]?.skuId }),
    api.post(`/api/group/${group.id}/pxe-bootimage`, { pxeId: bootImages.items[0]?.id }),
  ])
  const added = await Promise.all(
    [{ macAddress: '02:FF:00:00:00:10' }, { uuid: '7c9f0a52-7c1e-4f0a-9d55-0b8f6f8c1b11' }].map((identity, at) =>
      api.post<{ id: number }>('/api/computer', {
        name: `new-desk-0${at + 1}`,
        domain: serverDomain,
        isDomain: true,
        pxeSupport: true,
        inventoryId: `NEW-${at + 1}`,
        ...identity,
      }),
    ),
  )
  await api.post(`/api/group/${group.id}/computers`, { computerIds: added.map(({ id }) => id) })
  await Promise.all(added.map(({ id }) => api.post(`/api/computer/${id}/activation`, { pxe: true })))
}
