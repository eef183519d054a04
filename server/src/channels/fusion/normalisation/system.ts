import type { SystemReport } from '../../../features/inventory/items.ts'
import type { Static } from '../../../platform/schema.ts'
import { resolutionOf } from './devices.ts'
import { mainAdapter } from './identity.ts'
import { languageOf } from './languages.ts'
import { adaptersOf } from './networks.ts'
import { architectureOf, operatingSystemOf } from './operating-system.ts'
import { type Entry, entriesOf, entryOf, told, whole } from './values.ts'

type System = Static<typeof SystemReport>

export const unknownSystem: System = {
  fqdn: null,
  operatingSystem: null,
  osName: null,
  osEdition: null,
  osVersion: null,
  osBuild: null,
  osLogin: null,
  platform: null,
  language: null,
  architecture: null,
  bitVersion: null,
  processorName: null,
  processorCount: null,
  processorMhz: null,
  memoryMb: null,
  biosVersion: null,
  biosDate: null,
  ipAddress: null,
  loggedOnUser: null,
  userIsAdmin: null,
  timeZone: null,
  displayAdapter: null,
  screenResolution: null,
  vmType: null,
  tempDirSizeMb: null,
}

/** What each section of the agent says about the system. Where one is missing, nothing is said. */
const parts: Record<string, (content: Entry) => Partial<System>> = {
  hardware: ({ hardware }) => {
    const { memory, vmsystem, winlang, lastloggeduser } = entryOf(hardware)
    const user = told(lastloggeduser)
    return {
      memoryMb: whole(memory),
      vmType: /^physical$/i.test(told(vmsystem) ?? '') ? null : told(vmsystem, 100),
      language: languageOf(winlang),
      // The head of a list that is empty, which an agent takes for a user.
      osLogin: user === 'wtmp' ? null : user,
    }
  },
  operatingsystem: (content) => {
    const os = entryOf(content.operatingsystem)
    return {
      ...operatingSystemOf(os, entryOf(content.hardware)),
      ...architectureOf(content),
      fqdn: told(os.fqdn),
      timeZone: told(entryOf(os.timezone).name, 100),
    }
  },
  cpus: ({ cpus }) => {
    const all = entriesOf(cpus)
    return {
      processorName: told(all[0]?.name),
      processorCount: all.length || null,
      processorMhz: whole(all[0]?.speed),
    }
  },
  bios: ({ bios }) => ({ biosVersion: told(entryOf(bios).bversion), biosDate: isoDate(entryOf(bios).bdate) }),
  networks: (content) => ({ ipAddress: told(mainAdapter(adaptersOf(content))?.addresses[0], 64) }),
  videos: ({ videos }) => {
    const [video = {}] = entriesOf(videos)
    return { displayAdapter: told(video.name) ?? told(video.chipset), screenResolution: resolutionOf(video) }
  },
  users: ({ users }) => {
    const [user = {}] = entriesOf(users)
    const [login, domain] = [told(user.login), told(user.domain)]
    return { loggedOnUser: login && domain ? told(`${domain}\\${login}`) : login }
  },
}

/** What is said about the system: of a partial report only that which is in it. */
export function systemOf(content: Entry, isPartial: boolean): Partial<System> {
  const names = Object.keys(parts).filter((name) => content[name] !== undefined)
  const said = Object.assign({}, ...names.map((name) => parts[name]?.(content))) as Partial<System>
  if (isPartial) return said
  // The agent of OCS tells of its system with the hardware.
  const os = content.operatingsystem === undefined ? operatingSystemOf({}, entryOf(content.hardware)) : {}
  return { ...unknownSystem, ...os, ...said }
}

/** In XML dates are as in the United States. */
function isoDate(value: unknown): string | null {
  const date = told(value, 50)
  return date?.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2') ?? null
}
