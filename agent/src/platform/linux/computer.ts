import { readFile } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'

const noUuid = /^(0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i

/** Splits the host name into name and domain. */
export function computerName(): { name: string; domain: string | undefined } {
  const [name = 'localhost', ...domain] = hostname().split('.')
  return { name, domain: domain.join('.') || undefined }
}

/** The UUID of the firmware, if it is readable and valid. */
export async function firmwareUuid(): Promise<string | null> {
  const text = await readFile('/sys/class/dmi/id/product_uuid', 'utf8').catch(() => '')
  const uuid = text.trim().toLowerCase()
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(uuid) && !noUuid.test(uuid) ? uuid : null
}

/** The addresses of the interface with the default route, otherwise of the first non-loopback interface. */
export async function mainInterface(): Promise<{ macAddress: string | null; ipAddress: string | null }> {
  const interfaces = networkInterfaces()
  const leadingOut = await defaultInterface()
  const names = Object.keys(interfaces).sort((a, b) => Number(b === leadingOut) - Number(a === leadingOut))
  const outside = names.flatMap((name) => interfaces[name] ?? []).filter(({ internal }) => !internal)
  const first = outside.find(({ family }) => family === 'IPv4') ?? outside[0]
  const mac = first?.mac === '00:00:00:00:00:00' ? undefined : first?.mac
  return { macAddress: mac?.toUpperCase() ?? null, ipAddress: first?.address ?? null }
}

async function defaultInterface(): Promise<string | undefined> {
  const routes = await readFile('/proc/net/route', 'utf8').catch(() => '')
  return /^(\S+)\t00000000\t/m.exec(routes)?.[1]
}
