import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Api } from '../api.ts'
import { importPackage } from '../import-package.ts'
import { buildKernel } from './programs.ts'
import type { Firmware } from './tools.ts'

const examples = join(import.meta.dirname, '../../examples/packages')

export type PxeComputer = { id: number; name: string; mac: string }

/** Creates a computer for each firmware, in a group with a boot image and an operating system. */
export async function prepareComputers(api: Api, store: string): Promise<Record<Firmware, PxeComputer>> {
  const groupId = await createGroup(api)
  await assignBootImage(api, store, groupId)
  await assignOperatingSystem(api, store, groupId)
  const create = async (name: string, mac: string) => {
    const body = { name, domain: 'example.org', isDomain: true, macAddress: mac }
    const { id } = await api.post<{ id: number }>('/api/computer', body)
    await api.post(`/api/group/${groupId}/computers`, { computerIds: [id] })
    return { id, name, mac }
  }
  return {
    SeaBIOS: await create('pc-bios', '02:00:00:00:00:17'),
    OVMF: await create('pc-uefi', '02:00:00:00:00:18'),
  }
}

async function createGroup(api: Api): Promise<string> {
  type Group = { id: string; parentId: string | null }
  const { items } = await api.get<{ items: Group[] }>('/api/group?type=AssignmentGroups')
  const parentId = items.find((group) => group.parentId === null)?.id
  const group = { name: 'Installed over PXE', type: 'AssignmentGroups', parentId }
  return (await api.post<Group>('/api/group', group)).id
}

async function assignBootImage(api: Api, store: string, groupId: string): Promise<void> {
  await cp(join(examples, 'boot-image'), join(store, 'boot-image'), { recursive: true })
  await writeFile(join(store, 'boot-image/vmlinuz'), buildKernel())
  const imported = await importPackage(api, 'boot-image')
  const { items } = await api.get<{ items: { id: number; packageId: string }[] }>('/api/pxe-bootimages')
  const pxeId = items.find(({ packageId }) => packageId === imported)?.id
  await api.post(`/api/group/${groupId}/pxe-bootimage`, { pxeId })
}

async function assignOperatingSystem(api: Api, store: string, groupId: string): Promise<void> {
  await cp(join(examples, 'operating-system'), join(store, 'operating-system'), { recursive: true })
  const packageId = await importPackage(api, 'operating-system')
  const { skus } = await api.get<{ skus: { skuId: number }[] }>(`/api/operating-system-imports/${packageId}`)
  await api.post(`/api/group/${groupId}/os-image-sku`, { packageId, skuId: skus[0]?.skuId })
}
