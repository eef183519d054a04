import type { SystemReport } from '../../../features/inventory/items.ts'
import type { Static } from '../../../platform/schema.ts'
import { findFirstProcessorName, formatResolution } from './devices.ts'
import { findMainAdapter } from './identity.ts'
import { toLanguageTag } from './languages.ts'
import { toAdapters } from './networks.ts'
import { detectArchitecture, toOperatingSystem } from './operating-system.ts'
import { type Entry, entriesOf, entryOf, toText, toWholeNumber } from './values.ts'

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

/** What each section of the agent contributes to the section `system`. */
const contributions = {
  hardware: ({ hardware }) => {
    const { memory, vmsystem, winlang, lastloggeduser } = entryOf(hardware)
    const user = toText(lastloggeduser)
    return {
      memoryMb: toWholeNumber(memory),
      vmType: /^physical$/i.test(toText(vmsystem) ?? '') ? null : toText(vmsystem, 100),
      language: toLanguageTag(winlang),
      // An agent mistakes the header of an empty list for a user.
      osLogin: user === 'wtmp' ? null : user,
    }
  },
  operatingsystem: (content) => {
    const os = entryOf(content.operatingsystem)
    return {
      ...toOperatingSystem(os, entryOf(content.hardware)),
      ...detectArchitecture(content),
      fqdn: toText(os.fqdn),
      timeZone: toText(entryOf(os.timezone).name, 100),
    }
  },
  cpus: (content) => {
    const all = entriesOf(content.cpus)
    return {
      processorName: findFirstProcessorName(content),
      processorCount: all.length || null,
      processorMhz: toWholeNumber(all[0]?.speed),
    }
  },
  bios: ({ bios }) => ({ biosVersion: toText(entryOf(bios).bversion), biosDate: toIsoDate(entryOf(bios).bdate) }),
  networks: (content) => ({ ipAddress: toText(findMainAdapter(toAdapters(content))?.addresses[0], 64) }),
  videos: ({ videos }) => {
    const video = entryOf(videos)
    return { displayAdapter: toText(video.name) ?? toText(video.chipset), screenResolution: formatResolution(video) }
  },
  users: ({ users }) => {
    const user = entryOf(users)
    const [login, domain] = [toText(user.login), toText(user.domain)]
    return { loggedOnUser: login && domain ? toText(`${domain}\\${login}`) : login }
  },
} satisfies Record<string, (content: Entry) => Partial<System>>

/** The section `system`. For a partial report, only the properties that the report contains. */
export function toSystem(content: Entry, isPartial: boolean): Partial<System> {
  const contributing = Object.entries(contributions).filter(([name]) => content[name] !== undefined)
  const reported: Partial<System> = Object.assign({}, ...contributing.map(([, contribute]) => contribute(content)))
  if (isPartial) return reported
  return { ...unknownSystem, ...(content.operatingsystem === undefined && toOcsSystem(content)), ...reported }
}

/** OCS agents report the operating system within the hardware, and some of them also the processor. */
function toOcsSystem(content: Entry): Partial<System> {
  const hardware = entryOf(content.hardware)
  return {
    ...toOperatingSystem({}, hardware),
    ...detectArchitecture(content),
    processorName: findFirstProcessorName(content),
    processorCount: toWholeNumber(hardware.processorn),
    processorMhz: toWholeNumber(hardware.processors),
  }
}

/** XML has dates in the format of the United States. */
function toIsoDate(value: unknown): string | null {
  const date = toText(value, 50)
  return date?.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2') ?? null
}
