import { basename } from 'node:path'
import { cleanText } from '../../common/texts.ts'
import { displayMode, formatSize } from './display-connectors.ts'
import { openPciNames, pciId } from './pci-names.ts'
import type { SystemAccess } from './system-access.ts'

const devices = '/sys/bus/pci/devices'

export async function collectVideoControllers(system: SystemAccess) {
  const names = await openPciNames(system)
  const addresses = await system.names(devices)
  const controllers = await Promise.all(
    addresses.map(async (address) => {
      const folder = `${devices}/${address}`
      if (!(await system.text(`${folder}/class`))?.startsWith('0x03')) return undefined
      const vendorId = (await pciId(system, `${folder}/vendor`)) ?? ''
      const deviceId = (await pciId(system, `${folder}/device`)) ?? ''
      const driver = await system.target(`${folder}/driver`)
      const model = names.device(vendorId, deviceId)
      const mode = await displayMode(system, folder)
      return {
        name: cleanText([names.vendor(vendorId), model ?? `${vendorId}:${deviceId}`].filter(Boolean).join(' ')),
        adapterCompatibility: names.vendor(vendorId),
        adapterRam: cleanText(await system.text(`${folder}/mem_info_vram_total`), 50),
        videoProcessor: model ?? (driver ? cleanText(basename(driver)) : null),
        videoModeDescription: mode ? formatSize(mode) : null,
        currentRefreshRate: mode?.refreshRate ? String(Math.round(mode.refreshRate * 100) / 100) : null,
      }
    }),
  )
  return { items: controllers.filter((one) => one !== undefined) }
}
