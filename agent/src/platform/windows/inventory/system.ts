import { cleanText, firmwareText, whole } from '../../common/texts.ts'
import { toHypervisor } from '../../common/virtual-machine.ts'
import type { WmiRow } from '../wmi/wmi.ts'
import { screenSizeOf } from './hardware.ts'
import { mainAddress } from './network-adapters.ts'
import { questions } from './questions.ts'
import type { RegistryValues, WindowsSources } from './sources.ts'
import { dateOf, numberOf, textOf, textsOf, wholeOf } from './values.ts'

const currentVersion = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
const logonUi = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Authentication\\LogonUI'
const environment = 'SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment'

export async function collectSystem(sources: WindowsSources) {
  const [system] = (await sources.rows(questions.operatingSystem)) ?? []
  const [computer] = (await sources.rows(questions.computerSystem)) ?? []
  if (!system || !computer) return undefined
  const [bios] = (await sources.rows(questions.bios)) ?? []
  const processors = await sources.rows(questions.processors)
  const video = (await sources.rows(questions.videoControllers)) ?? []
  const [routes, adapters, addresses] = [
    (await sources.rows(questions.routes)) ?? [],
    (await sources.rows(questions.adapters)) ?? [],
    (await sources.rows(questions.addresses)) ?? [],
  ]
  const [bytes, region] = [await sources.tempBytes(), await sources.region()]
  const operatingSystem = toOperatingSystem(system, await sources.values('HKLM', currentVersion))
  const item = {
    ...operatingSystem,
    language: operatingSystem.language ?? cleanText(region?.language, 100),
    ...(await session(sources, computer)),
    ...toMachine(computer, bios, processors),
    architecture: textOf((await sources.values('HKLM', environment))?.PROCESSOR_ARCHITECTURE, 100),
    ipAddress: cleanText(mainAddress(routes, { adapters, addresses }).ipAddress, 64),
    timeZone: cleanText(region?.timeZone, 100),
    displayAdapter: textOf(video[0]?.Name),
    screenResolution: video.map(screenSizeOf).find(Boolean) ?? null,
    tempDirSizeMb: bytes === undefined ? null : whole(bytes / 1024 ** 2),
  }
  // Temporary files come and go: only doubling or halving is worth reporting.
  return { item, hashed: { ...item, tempDirSizeMb: Math.floor(Math.log2(1 + (item.tempDirSizeMb ?? 0))) } }
}

/** `Microsoft Windows 11 Enterprise` without the vendor and, for the name, without the edition. */
export function toOperatingSystem(system: WmiRow, current: RegistryValues | undefined) {
  const caption = textOf(system.Caption)
  const [, name, edition] =
    /^(?:Microsoft )?(Windows (?:Server )?\S+(?: R2)?)\s*(.*)$/.exec(caption?.replaceAll(/[®™]|\(R\)/g, '') ?? '') ?? []
  return {
    operatingSystem: caption,
    osName: cleanText(name) ?? caption,
    osEdition: cleanText(edition) ?? textOf(current?.EditionID),
    osVersion: textOf(system.Version, 100),
    osBuild: textOf(system.BuildNumber, 100),
    platform: 'Windows',
    language: cleanText(textsOf(system.MUILanguages)[0], 100),
    bitVersion: /64/.test(textOf(system.OSArchitecture) ?? '') ? 64 : 32,
  }
}

export function toMachine(computer: WmiRow, bios: WmiRow | undefined, processors: readonly WmiRow[] | undefined) {
  const [name, domain] = [textOf(computer.DNSHostName) ?? textOf(computer.Name), textOf(computer.Domain)]
  const isMember = computer.PartOfDomain === true && domain !== null
  const bytes = numberOf(computer.TotalPhysicalMemory)
  const hardware = [computer.Manufacturer, computer.Model, bios?.Manufacturer, bios?.Version].map((text) =>
    textOf(text),
  )
  return {
    fqdn: name !== null && isMember ? `${name}.${domain}` : name,
    processorName: textOf(processors?.[0]?.Name),
    processorCount: processors ? processors.length : wholeOf(computer.NumberOfProcessors),
    processorMhz: wholeOf(processors?.[0]?.MaxClockSpeed),
    memoryMb: bytes === null ? null : whole(bytes / 1024 ** 2),
    biosVersion: firmwareText(textOf(bios?.SMBIOSBIOSVersion)),
    biosDate: dateOf(bios?.ReleaseDate)?.toISOString().slice(0, 10) ?? null,
    vmType: toHypervisor(hardware.filter(Boolean).join(' ')),
  }
}

/** WMI knows only the user at the screen of the computer; the registry knows who signed in last. */
async function session(sources: WindowsSources, computer: WmiRow) {
  const user = textOf(computer.UserName) ?? cleanText((await sources.signedIn())?.[0])
  const last = textOf((await sources.values('HKLM', logonUi))?.LastLoggedOnUser)
  return { loggedOnUser: user, osLogin: user ?? last, userIsAdmin: user === null ? null : await isAdmin(sources, user) }
}

/** The name of the group of administrators depends on the language of the system. */
async function isAdmin(sources: WindowsSources, user: string): Promise<boolean | null> {
  const [group] = (await sources.rows(questions.administrators)) ?? []
  const [name, groups] = [textOf(group?.Name) ?? 'Administrators', await sources.localGroups(user)]
  return groups ? groups.includes(name) : null
}
