import type { SystemAccess } from './system-access.ts'

export type Route = { device: string; gateway: string }

/** The default routes, preferred first. */
export async function defaultRoutes(system: SystemAccess): Promise<Route[]> {
  const lines = ((await system.text('/proc/net/route')) ?? '').split('\n').slice(1)
  return lines
    .map((line) => line.split(/\s+/))
    .filter(([, destination, , , , , , mask]) => destination === '00000000' && mask === '00000000')
    .toSorted((a, b) => Number(a[6]) - Number(b[6]))
    .flatMap(([device, , gateway]) => (device && gateway ? [{ device, gateway: dotted(gateway) }] : []))
}

/** The kernel prints addresses in host byte order, which is little-endian. */
function dotted(hex: string): string {
  return Buffer.from(hex, 'hex').reverse().join('.')
}
