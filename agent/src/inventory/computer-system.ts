import type { SystemAccess } from './system-access.ts'
import { madeText } from './texts.ts'

export async function collectComputerSystem(system: SystemAccess) {
  const read = async (path: string) => madeText(await system.text(path))
  return {
    item: {
      manufacturer: await read('/sys/class/dmi/id/sys_vendor'),
      // Boards without such firmware tell their model in the device tree.
      model: (await read('/sys/class/dmi/id/product_name')) ?? (await read('/proc/device-tree/model')),
    },
  }
}
