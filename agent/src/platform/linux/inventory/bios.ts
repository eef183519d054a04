import { firmwareText } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

const firmware = '/sys/class/dmi/id'

export async function collectBios(system: SystemAccess) {
  const read = async (name: string) => firmwareText(await system.text(`${firmware}/${name}`))
  const [vendor, version, release, serial, uuid] = await Promise.all(
    ['bios_vendor', 'bios_version', 'bios_release', 'product_serial', 'product_uuid'].map(read),
  )
  return {
    item: {
      caption: version ?? null,
      manufacturer: vendor ?? null,
      smBiosVersion: version ?? null,
      serialNumber: serial ?? (await read('chassis_serial')) ?? (await read('board_serial')),
      version: release ?? version ?? null,
      uuid: firmwareText(uuid?.toLowerCase(), 64),
    },
  }
}

/** The firmware date as ISO 8601. */
export async function biosDate(system: SystemAccess): Promise<string | null> {
  const text = await system.text(`${firmware}/bios_date`)
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text ?? '') ?? []
  return year ? `${year}-${month}-${day}` : firmwareText(text, 50)
}
