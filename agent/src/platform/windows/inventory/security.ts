import type { WmiRow } from '../wmi/wmi.ts'
import { questions } from './questions.ts'
import type { RegistryValues, WindowsSources } from './sources.ts'
import { flagOf, numberOf, textOf } from './values.ts'

export async function collectSecurity(sources: WindowsSources) {
  const [products, defender] = [await sources.rows(questions.antivirus), await sources.rows(questions.defender)]
  return {
    item: {
      antivirus: toAntivirus(products ?? [], defender?.[0]),
      firewall: await firewall(sources),
      secureBoot: toSecureBoot(await sources.values('HKLM', 'SYSTEM\\CurrentControlSet\\Control\\SecureBoot\\State')),
      scriptPolicy: { name: 'PowerShell', policy: await scriptPolicy(sources) },
    },
  }
}

/** The state of a product of the Security Center has three bytes: the kind, whether it is on, and whether it is current. */
const isOn = (state: number) => ((state >> 12) & 0xf) === 1
const isOutdated = (state: number) => (state & 0xf0) !== 0

/**
 * The product that is on, otherwise the first. Servers have no Security Center, but may have Defender, which also states
 * its version and when it got its definitions.
 */
export function toAntivirus(products: readonly WmiRow[], defender: WmiRow | undefined) {
  const product = products.find(({ productState }) => isOn(numberOf(productState) ?? 0)) ?? products[0]
  const isDefender = product === undefined || /defender/i.test(textOf(product.displayName) ?? '')
  if (isDefender && defender) return fromDefender(defender)
  const state = numberOf(product?.productState)
  const reported = new Date(textOf(product?.timestamp) ?? '')
  const known = product !== undefined && !Number.isNaN(reported.getTime())
  return {
    name: textOf(product?.displayName),
    version: null,
    isEnabled: state === null ? null : isOn(state),
    isUpToDate: state === null ? null : !isOutdated(state),
    definitionsDateUtc: known ? reported.toISOString() : null,
  }
}

/** Defender counts the age in days, and says 65535 if it never got definitions. */
const definitionsAreOldAfterDays = 7

function fromDefender(row: WmiRow) {
  const age = numberOf(row.AntivirusSignatureAge)
  const updated = new Date(isoOf(textOf(row.AntivirusSignatureLastUpdated)))
  return {
    name: 'Microsoft Defender Antivirus',
    version: textOf(row.AMProductVersion),
    isEnabled: flagOf(row.RealTimeProtectionEnabled) ?? flagOf(row.AntivirusEnabled),
    isUpToDate: age === null ? null : age <= definitionsAreOldAfterDays,
    definitionsDateUtc: Number.isNaN(updated.getTime()) ? null : updated.toISOString(),
  }
}

/** `20260314092653.000000+000` as ISO 8601. Defender always states UTC. */
function isoOf(text: string | null): string {
  return (text ?? '').replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\..*$/, '$1-$2-$3T$4:$5:$6Z')
}

const firewallPolicy = 'SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy'
const groupPolicy = 'SOFTWARE\\Policies\\Microsoft\\WindowsFirewall'

async function firewall(sources: WindowsSources) {
  const profile = async (own: string, ruled: string) => {
    const [policy, setting] = [
      await sources.values('HKLM', `${groupPolicy}\\${ruled}`),
      await sources.values('HKLM', `${firewallPolicy}\\${own}`),
    ]
    return policy?.EnableFirewall ?? setting?.EnableFirewall
  }
  const service = await sources.values('HKLM', 'SYSTEM\\CurrentControlSet\\Services\\MpsSvc')
  return toFirewall({
    domain: await profile('DomainProfile', 'DomainProfile'),
    private: await profile('StandardProfile', 'PrivateProfile'),
    public: await profile('PublicProfile', 'PublicProfile'),
    serviceStart: service?.Start,
    others: (await sources.rows(questions.otherFirewalls)) ?? [],
  })
}

type FirewallValue = RegistryValues[string] | undefined
type FirewallFacts = Record<'domain' | 'private' | 'public' | 'serviceStart', FirewallValue> & { others: WmiRow[] }

const disabledService = 4

/** Another firewall replaces that of Windows. A profile is off if its service cannot start. */
export function toFirewall({ serviceStart, others, ...profiles }: FirewallFacts) {
  const isStartable = serviceStart !== disabledService
  const enabled = (value: FirewallValue) => (typeof value === 'number' ? value === 1 && isStartable : null)
  const states = {
    domainProfileEnabled: enabled(profiles.domain),
    privateProfileEnabled: enabled(profiles.private),
    publicProfileEnabled: enabled(profiles.public),
  }
  const other = others.find(({ productState }) => isOn(numberOf(productState) ?? 0))
  if (other) return { name: textOf(other.displayName), isEnabled: true, ...states }
  const known = Object.values(states).filter((state) => state !== null)
  return { name: 'Windows Firewall', isEnabled: known.length === 0 ? null : known.every(Boolean), ...states }
}

/** The key exists only on computers that have started with UEFI. */
export function toSecureBoot(state: RegistryValues | undefined) {
  return { isSupported: state !== undefined, isEnabled: state?.UEFISecureBootEnabled === 1 }
}

const client = 1

/** A group policy comes before the setting of the computer, and that before the default of the edition. */
async function scriptPolicy(sources: WindowsSources): Promise<string> {
  const policy = await sources.values('HKLM', 'SOFTWARE\\Policies\\Microsoft\\Windows\\PowerShell')
  const setting = await sources.values('HKLM', 'SOFTWARE\\Microsoft\\PowerShell\\1\\ShellIds\\Microsoft.PowerShell')
  const [system] = (await sources.rows(questions.operatingSystem)) ?? []
  return toScriptPolicy(policy, setting, numberOf(system?.ProductType))
}

export function toScriptPolicy(
  policy: RegistryValues | undefined,
  setting: RegistryValues | undefined,
  productType: number | null,
): string {
  if (policy?.EnableScripts === 0) return 'Restricted'
  if (policy?.EnableScripts === 1) return textOf(policy.ExecutionPolicy) ?? 'Unrestricted'
  return textOf(setting?.ExecutionPolicy) ?? (productType === client ? 'Restricted' : 'RemoteSigned')
}
