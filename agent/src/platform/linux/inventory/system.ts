import { machine } from 'node:os'
import { cleanText, fieldsOf, whole } from '../../common/texts.ts'
import { biosDate, collectBios } from './bios.ts'
import { defaultRoutes } from './default-route.ts'
import { displayMode, formatSize } from './display-connectors.ts'
import { collectProcessors } from './processors.ts'
import type { SystemAccess } from './system-access.ts'
import { collectVideoControllers } from './video-controllers.ts'
import { virtualMachineType } from './virtual-machine.ts'

export async function collectSystem(system: SystemAccess) {
  const [processor, ...others] = (await collectProcessors(system)).items
  const { item: bios } = await collectBios(system)
  const mode = await displayMode(system)
  const item = {
    fqdn: await fullName(system),
    ...(await operatingSystem(system)),
    ...(await session(system)),
    architecture: cleanText(machine(), 100),
    bitVersion: /64|s390x/.test(machine()) ? 64 : 32,
    processorName: processor?.name ?? null,
    processorCount: processor ? 1 + others.length : null,
    processorMhz: processor?.currentClockSpeedMhz ?? null,
    memoryMb: await memoryMb(system),
    biosVersion: bios.smBiosVersion,
    biosDate: await biosDate(system),
    ipAddress: await mainAddress(system),
    timeZone: await timeZone(system),
    displayAdapter: (await collectVideoControllers(system)).items[0]?.name ?? null,
    screenResolution: mode ? formatSize(mode) : null,
    vmType: await virtualMachineType(system),
    tempDirSizeMb: await tempSizeMb(system),
  }
  // Temporary files come and go: only doubling or halving is worth reporting.
  return { item, hashed: { ...item, tempDirSizeMb: Math.floor(Math.log2(1 + (item.tempDirSizeMb ?? 0))) } }
}

async function fullName(system: SystemAccess): Promise<string | null> {
  const name = cleanText(await system.output('hostname', '-f'))
  return name ?? cleanText(await system.text('/etc/hostname'))
}

async function operatingSystem(system: SystemAccess) {
  const release = (await system.text('/etc/os-release')) ?? (await system.text('/usr/lib/os-release'))
  const fields = fieldsOf(release, '=')
  const locale = (await system.text('/etc/locale.conf')) ?? (await system.text('/etc/default/locale'))
  return {
    operatingSystem: cleanText(fields.PRETTY_NAME),
    osName: cleanText(fields.NAME),
    osEdition: cleanText(fields.VARIANT),
    osVersion: cleanText(fields.VERSION_ID, 100),
    osBuild: cleanText(await system.text('/proc/sys/kernel/osrelease'), 100),
    platform: 'Linux',
    language: cleanText(fieldsOf(locale, '=').LANG, 100),
  }
}

/** The first user who is logged on. */
async function session(system: SystemAccess) {
  const user = cleanText(/^\S+/.exec((await system.output('who')) ?? '')?.[0])
  return { loggedOnUser: user, osLogin: user, userIsAdmin: user === null ? null : await isAdmin(system, user) }
}

async function isAdmin(system: SystemAccess, user: string): Promise<boolean> {
  const groups = ((await system.text('/etc/group')) ?? '').split('\n').map((line) => line.split(':'))
  const isMember = groups.some(
    ([name = '', , , members]) => /^(sudo|wheel|admin)$/.test(name) && members?.split(',').includes(user),
  )
  return user === 'root' || isMember
}

async function memoryMb(system: SystemAccess): Promise<number | null> {
  const kilobytes = /^MemTotal:\s+(\d+) kB/m.exec((await system.text('/proc/meminfo')) ?? '')?.[1]
  return kilobytes ? whole(Number(kilobytes) / 1024) : null
}

async function mainAddress(system: SystemAccess): Promise<string | null> {
  const [route] = await defaultRoutes(system)
  const all = system.addresses()
  const candidates = route ? (all[route.device] ?? []) : Object.values(all).flatMap((addresses) => addresses ?? [])
  const outside = candidates.filter(({ internal }) => !internal)
  return cleanText((outside.find(({ family }) => family === 'IPv4') ?? outside[0])?.address, 64)
}

async function timeZone(system: SystemAccess): Promise<string | null> {
  const [, linked] = /\/zoneinfo\/(?:posix\/)?(.+)$/.exec((await system.target('/etc/localtime')) ?? '') ?? []
  return cleanText((await system.text('/etc/timezone')) ?? linked, 100)
}

async function tempSizeMb(system: SystemAccess): Promise<number | null> {
  const [, megabytes] = /^(\d+)\s/.exec((await system.output('du', '-sxm', '/tmp')) ?? '') ?? []
  return whole(megabytes)
}
