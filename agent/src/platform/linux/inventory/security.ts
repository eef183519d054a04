import { cleanText, fieldsOf } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

const watched = ['clamav-daemon.service', 'clamd@scan.service', 'firewalld.service'] as const

export async function collectSecurity(system: SystemAccess) {
  const states = (await system.output('systemctl', 'is-active', ...watched))?.split('\n') ?? []
  const isActive = (unit: (typeof watched)[number]) => states[watched.indexOf(unit)] === 'active'
  return {
    item: {
      antivirus: await antivirus(system, isActive('clamav-daemon.service') || isActive('clamd@scan.service')),
      firewall: await firewall(system, isActive('firewalld.service')),
      secureBoot: await secureBoot(system),
      scriptPolicy: await accessControl(system),
    },
  }
}

const dayInMs = 24 * 60 * 60 * 1000
const definitionsAreOldAfterMs = 7 * dayInMs

async function antivirus(system: SystemAccess, isRunning: boolean) {
  const version = /^ClamAV ([^/\s]+)/.exec((await system.output('clamscan', '--version')) ?? '')?.[1]
  if (!version && !isRunning)
    return { name: null, version: null, isEnabled: null, isUpToDate: null, definitionsDateUtc: null }
  const written = await definitionsDate(system)
  return {
    name: 'ClamAV',
    version: cleanText(version),
    isEnabled: isRunning,
    isUpToDate: written ? Date.now() - written.getTime() < definitionsAreOldAfterMs : null,
    definitionsDateUtc: written?.toISOString() ?? null,
  }
}

/** The header of the daily signature database: `ClamAV-VDB:14 Mar 2026 08-26 -0400:27577:…`. */
async function definitionsDate(system: SystemAccess): Promise<Date | undefined> {
  for (const name of ['daily.cld', 'daily.cvd']) {
    const head = (await system.bytes(`/var/lib/clamav/${name}`))?.toString('latin1', 0, 512) ?? ''
    const [, day, hour, minute, zone] = /^ClamAV-VDB:(\d+ \w+ \d+) (\d\d)-(\d\d) ([+-]\d{4}):/.exec(head) ?? []
    const date = new Date(`${day} ${hour}:${minute} ${zone}`)
    if (!Number.isNaN(date.getTime())) return date
  }
  return undefined
}

async function firewall(system: SystemAccess, isFirewalldActive: boolean) {
  const profiles = { domainProfileEnabled: null, privateProfileEnabled: null, publicProfileEnabled: null }
  if (isFirewalldActive) return { name: 'firewalld', isEnabled: true, ...profiles }
  const ufw = fieldsOf(await system.text('/etc/ufw/ufw.conf'), '=').ENABLED
  if (ufw?.toLowerCase() === 'yes') return { name: 'ufw', isEnabled: true, ...profiles }
  const rules = await system.output('nft', 'list', 'ruleset')
  if (rules?.includes('hook input')) return { name: 'nftables', isEnabled: true, ...profiles }
  const name = ufw === undefined ? (rules === undefined ? null : 'nftables') : 'ufw'
  return { name, isEnabled: name === null ? null : false, ...profiles }
}

const secureBootVariable = '/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c'

/** An EFI variable: four bytes of attributes, then the value. */
async function secureBoot(system: SystemAccess) {
  const value = await system.bytes(secureBootVariable)
  return { isSupported: value !== undefined, isEnabled: value?.at(4) === 1 }
}

/** On Linux, mandatory access control is reported as the execution policy. */
async function accessControl(system: SystemAccess) {
  const enforcing = await system.text('/sys/fs/selinux/enforce')
  if (enforcing !== undefined) return { name: 'SELinux', policy: enforcing === '1' ? 'Enforcing' : 'Permissive' }
  const apparmor = await system.text('/sys/module/apparmor/parameters/enabled')
  if (apparmor !== undefined) return { name: 'AppArmor', policy: apparmor === 'Y' ? 'Enabled' : 'Disabled' }
  return { name: null, policy: null }
}
