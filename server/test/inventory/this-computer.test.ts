import { expect, test } from 'vitest'
import { collectSections } from '../../../agent/src/inventory/collect.ts'
import { getBios } from '../../src/areas/computers/inventory/get-bios.ts'
import { getComputerInventory } from '../../src/areas/computers/inventory/get-computer-inventory.ts'
import { getComputerSystem } from '../../src/areas/computers/inventory/get-computer-system.ts'
import { getSecurityPosture } from '../../src/areas/computers/inventory/get-security-posture.ts'
import { getSystemInfo } from '../../src/areas/computers/inventory/get-system-info.ts'
import { listBatteries } from '../../src/areas/computers/inventory/list-batteries.ts'
import { listInstalledSoftware } from '../../src/areas/computers/inventory/list-installed-software.ts'
import { listServices } from '../../src/areas/computers/inventory/list-services.ts'
import { hardwareLists } from './hardware-lists.ts'
import { openInventoryWorld } from './inventory-world.ts'

const { as, given, report } = await openInventoryWorld()
const reader = as('computer.read')

type Item = Record<string, unknown>

test('what the agent finds on this computer is read back through every operation', async () => {
  const computer = await given.computer()
  const sections = await collectSections()
  const item = (name: string) => (sections[name]?.body as { item: Item } | undefined)?.item ?? {}
  const items = (name: string) => (sections[name]?.body as { items: Item[] } | undefined)?.items ?? []

  for (const [name, { hash, body }] of Object.entries(sections)) {
    const content = 'items' in body ? body.items : (body.item as object)
    expect(await report(computer, name, content, { hash })).toMatchObject({ status: 204 })
  }

  const at = { params: { id: computer.id }, query: { top: 1000 } }
  for (const [name, list] of hardwareLists) expect((await reader.call(list, at)).body.items).toMatchObject(items(name))
  expect((await reader.call(listBatteries, { params: at.params })).body).toMatchObject(items('batteries'))
  expect((await reader.call(listInstalledSoftware, at)).body.totalCount).toBe(items('installedSoftware').length)
  expect((await reader.call(listServices, at)).body.totalCount).toBe(items('services').length)
  expect((await reader.call(getBios, { params: at.params })).body).toEqual(item('bios'))
  expect((await reader.call(getComputerSystem, { params: at.params })).body).toEqual(item('computerSystem'))
  expect((await reader.call(getSystemInfo, { params: at.params })).body).toMatchObject(item('system'))
  expect((await reader.call(getSecurityPosture, { params: at.params })).body).toMatchObject(item('security'))
  expect((await reader.call(getComputerInventory, { params: at.params })).body.disks).toMatchObject(items('disks'))
})
