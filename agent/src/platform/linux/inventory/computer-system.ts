import { firmwareText } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

export async function collectComputerSystem(system: SystemAccess) {
  const read = async (path: string) => firmwareText(await system.text(path))
  return {
    item: {
      manufacturer: await read('/sys/class/dmi/id/sys_vendor'),
      // Boards without DMI have their model in the device tree.
      model: (await read('/sys/class/dmi/id/product_name')) ?? (await read('/proc/device-tree/model')),
    },
  }
}
