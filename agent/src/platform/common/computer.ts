import type { NetworkInterfaceInfo } from 'node:os'

const noUuid = /^(0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i

/** The UUID that firmware states, or null if that is none. */
export function toFirmwareUuid(text: string): string | null {
  const uuid = text.trim().toLowerCase()
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(uuid) && !noUuid.test(uuid) ? uuid : null
}

/** The addresses of the interface that leads out, otherwise of the first non-loopback interface. */
export function chooseMainInterface(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>,
  leadingOut: string | undefined,
): { macAddress: string | null; ipAddress: string | null } {
  const names = Object.keys(interfaces).sort((a, b) => Number(b === leadingOut) - Number(a === leadingOut))
  const outside = names.flatMap((name) => interfaces[name] ?? []).filter(({ internal }) => !internal)
  const first = outside.find(({ family }) => family === 'IPv4') ?? outside[0]
  const mac = first?.mac === '00:00:00:00:00:00' ? undefined : first?.mac
  return { macAddress: mac?.toUpperCase() ?? null, ipAddress: first?.address ?? null }
}
