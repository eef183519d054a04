import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Api, until } from '../api.ts'
import { buildKernel } from './programs.ts'
import type { Firmware } from './tools.ts'

const examples = join(import.meta.dirname, '../../../examples/packages')

export type PxeComputer = { id: number; name: string; mac: string }

/** Creates a computer for each firmware, in a group with a boot image and an operating system. */
export async function prepareComputers(api: Api, store: string): Promise<Record<Firmware, PxeComputer>> {
  await cp(join(examples, 'boot-image'), join(store, 'boot-image'), { recursive: true })
  await cp(join(examples, 'operating-system'), join(store, 'operating-system'), { recursive: true })
  await writeFile(join(store, 'boot-image/vmlinuz'), buildKernel())
  const imageId = await importPackage(api, 'boot-image')
  const osId = await importPackage(api, 'operating-system')
  type Group = { id: string; parentId: string | null }
  const { items } = await api.get<{ items: Group[] }>('/api/group?type=AssignmentGroups')
  const parentId = items.find((group) => group.parentId === null)?.id
  const group = await api.post<Group>('/api/group', { name: 'Installed over PXE', type: 'AssignmentGroups', parentId })
  const images = await api.get<{ items: { id: number; packageId: string }[] }>('/api/pxe-bootimages')
  const pxeId = images.items.find(({ packageId }) => packageId === imageId)?.id
  await api.post(`/api/group/${group.id}/pxe-bootimage`, { pxeId })
  const os = await api.get<{ skus: { skuId: number }[] }>(`/api/operating-system-imports/${osId}`)
  await api.post(`/api/group/${group.id}/os-image-sku`, { packageId: osId, skuId: os.skus[0]?.skuId })
  const create = async (name: string, mac: string) => {
    const body = { name, domain: 'example.org', isDomain: true, macAddress: mac }
    const { id } = await api.post<{ id: number }>('/api/computer', body)
    await api.post(`/api/group/${group.id}/computers`, { computerIds: [id] })
    return { id, name, mac }
  }
  return {
    SeaBIOS: await create('pc-bios', '02:00:00:00:00:17'),
    OVMF: await create('pc-uefi', '02:00:00:00:00:18'),
  }
}

async function importPackage(api: Api, folderPath: string): Promise<string> {
  const { trackingId } = await api.post<{ trackingId: string }>('/api/packages/import', { folderPath })
  const packageId = await until(async () => {
    type Import = { status: string; message: string | null; packageId: string | null }
    const state = await api.get<Import>(`/api/packages/import/${trackingId}`)
    if (state.status === 'Failed') throw new Error(`The import of ${folderPath} failed: ${state.message}`)
    return state.status === 'Success' ? (state.packageId ?? undefined) : undefined
  }, `the import of ${folderPath}`)
  await api.put(`/api/packages/${packageId}/ready-to-install`, { operational: true })
  return packageId
}
