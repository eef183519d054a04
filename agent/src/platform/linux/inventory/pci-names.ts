import { cleanText } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

export type PciNames = {
  vendor(id: string): string | null
  device(vendorId: string, deviceId: string): string | null
  /** The name of the device with this folder in /sys. */
  deviceAt(folder: string | undefined): Promise<string | null>
}

const places = ['/usr/share/hwdata/pci.ids', '/usr/share/misc/pci.ids']

/** Looks up names of PCI devices, if pci.ids is installed. */
export async function openPciNames(system: SystemAccess): Promise<PciNames> {
  const lists = await Promise.all(places.map((place) => system.text(place)))
  const list = lists.find(Boolean) ?? ''
  const vendor = (id: string) => cleanText(new RegExp(`^${id}  (.+)$`, 'm').exec(list)?.[1])
  const device = (vendorId: string, deviceId: string) => {
    const start = list.search(new RegExp(`^${vendorId}  `, 'm'))
    if (start < 0) return null
    const [, ...lines] = list.slice(start, start + 400_000).split('\n')
    const end = lines.findIndex((line) => /^[\da-fC]/.test(line))
    const own = end < 0 ? lines : lines.slice(0, end)
    return cleanText(own.find((line) => line.startsWith(`\t${deviceId}  `))?.slice(deviceId.length + 3))
  }
  return {
    vendor,
    device,
    async deviceAt(folder) {
      const [vendorId, deviceId] = await Promise.all([
        pciId(system, `${folder}/vendor`),
        pciId(system, `${folder}/device`),
      ])
      if (!folder || !vendorId || !deviceId) return null
      return cleanText([vendor(vendorId), device(vendorId, deviceId)].filter(Boolean).join(' '))
    },
  }
}

/** The four hexadecimal digits of `0x8086`. */
export async function pciId(system: SystemAccess, path: string): Promise<string | undefined> {
  return /^0x([\da-f]{4})$/.exec((await system.text(path)) ?? '')?.[1]
}
