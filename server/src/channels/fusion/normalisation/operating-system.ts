import { type Entry, entryOf, toText } from './values.ts'

export type Platform = 'Windows' | 'Linux' | 'macOS'

export function detectPlatform(os: Entry, hardware: Entry): Platform | null {
  const names = [os.kernel_name, os.full_name, os.name, hardware.osname].map(
    (name) => toText(name)?.toLowerCase() ?? '',
  )
  if (names.some((name) => /^(darwin|mac ?os)/.test(name))) return 'macOS'
  if (names.some((name) => /mswin|windows/.test(name))) return 'Windows'
  return names.some((name) => /linux|debian|ubuntu|fedora|red hat|centos|suse|alma|rocky|arch/.test(name))
    ? 'Linux'
    : null
}

/** Name, edition, version and build, in the form that the Muster agent reports. */
export function toOperatingSystem(os: Entry, hardware: Entry) {
  const platform = detectPlatform(os, hardware)
  const fullName = toText(os.full_name) ?? toText(hardware.osname)
  const [name, version] = [toText(os.name) ?? fullName, toText(os.version, 100) ?? toText(hardware.osversion, 100)]
  const kernel = toText(os.kernel_version, 100)
  const shared = { operatingSystem: fullName, platform: platform ?? toText(os.kernel_name, 100) }
  if (platform === 'Windows')
    return { ...shared, ...toWindows(fullName, kernel ?? version, toText(os.service_pack, 100)) }
  if (platform === 'macOS') {
    const [, number = version, build = null] = /^([\d.]+)\s*\((\w+)\)/.exec(version ?? '') ?? []
    return { ...shared, osName: name, osEdition: null, osVersion: number, osBuild: build }
  }
  return { ...shared, osName: name, osEdition: null, osVersion: version, osBuild: kernel }
}

/** The edition follows the name: "Microsoft Windows 11 Pro". */
function toWindows(fullName: string | null, kernel: string | null, servicePack: string | null) {
  const short = fullName?.replace(/^Microsoft®?\s+/i, '').replace(/®|\(R\)|™/g, '') ?? null
  const [, osName = short, edition = null] =
    /^(Windows(?: Server)? (?:\d{4}(?: R2)?|\d+(?:\.\d+)?|XP|Vista))\s*(.*)$/i.exec(short ?? '') ?? []
  const update = /^\d{5}\.\d+$/.test(servicePack ?? '') ? servicePack : null
  return {
    osName,
    osEdition: toText(edition),
    osVersion: kernel,
    osBuild: update ?? kernel?.split('.')[2] ?? null,
  }
}

export function detectArchitecture(content: Entry): { architecture: string | null; bitVersion: number | null } {
  const architecture = toText(entryOf(content.operatingsystem).arch, 100) ?? toText(entryOf(content.cpus).cpuarch, 100)
  if (architecture === null) return { architecture, bitVersion: null }
  if (/64|s390x/.test(architecture)) return { architecture, bitVersion: 64 }
  return { architecture, bitVersion: /32|86|armv[4-7]/.test(architecture) ? 32 : null }
}
