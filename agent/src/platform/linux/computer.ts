import { readFile } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'
import { chooseMainInterface, toFirmwareUuid } from '../common/computer.ts'
import type { Computer } from '../reports.ts'
import { productName, systemNames, systemTitle } from './operating-system.ts'

export const computer: Computer = {
  async name() {
    const [name = 'localhost', ...domain] = hostname().split('.')
    return { name, domain: domain.join('.') || undefined }
  },
  firmwareUuid: async () => toFirmwareUuid(await readFile('/sys/class/dmi/id/product_uuid', 'utf8').catch(() => '')),
  mainInterface: async () => chooseMainInterface(networkInterfaces(), await defaultInterface()),
  systemNames,
  systemTitle,
  productName,
}

async function defaultInterface(): Promise<string | undefined> {
  const routes = await readFile('/proc/net/route', 'utf8').catch(() => '')
  return /^(\S+)\t00000000\t/m.exec(routes)?.[1]
}
