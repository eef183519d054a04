import type { SecurityReport } from '../../../features/inventory/security-report.ts'
import type { Static } from '../../../platform/schema.ts'
import { detectPlatform } from './operating-system.ts'
import { type Entry, entriesOf, entryOf, toBoolean, toStorableDate, toText } from './values.ts'

type Security = Static<typeof SecurityReport>

export const unknownSecurity: Security = {
  antivirus: { name: null, version: null, isEnabled: null, isUpToDate: null, definitionsDateUtc: null },
  firewall: {
    name: null,
    isEnabled: null,
    domainProfileEnabled: null,
    privateProfileEnabled: null,
    publicProfileEnabled: null,
  },
  secureBoot: { isSupported: null, isEnabled: null },
  scriptPolicy: { name: null, policy: null },
}

/** The section `security`. For a partial report, only the properties that the report contains. */
export function toSecurity(content: Entry, isPartial: boolean): Partial<Security> {
  const firewalls = content.firewalls ?? content.firewall
  const reported = {
    ...(content.antivirus !== undefined && { antivirus: toAntivirus(entriesOf(content.antivirus)) }),
    ...(firewalls !== undefined && { firewall: toFirewall(entriesOf(firewalls), content) }),
    ...(content.bios !== undefined && { secureBoot: toSecureBoot(entryOf(content.bios)) }),
  }
  return isPartial ? reported : { ...unknownSecurity, ...reported }
}

/** The product that is on, otherwise the first one. */
function toAntivirus(products: readonly Entry[]): Security['antivirus'] {
  const product = products.find(({ enabled }) => toBoolean(enabled) === true) ?? products[0]
  if (!product) return unknownSecurity.antivirus
  return {
    name: toText(product.name),
    version: toText(product.version),
    isEnabled: toBoolean(product.enabled),
    isUpToDate: toBoolean(product.uptodate),
    definitionsDateUtc: toDate(product.base_creation),
  }
}

function toFirewall(profiles: readonly Entry[], content: Entry): Security['firewall'] {
  const [first] = profiles
  if (!first) return unknownSecurity.firewall
  const stateOf = (name: RegExp) => {
    const profile = profiles.find((one) => name.test(toText(one.profile) ?? ''))
    return profile ? toBoolean(profile.status) : null
  }
  const states = profiles.map(({ status }) => toBoolean(status)).filter((state) => state !== null)
  const isWindows = detectPlatform(entryOf(content.operatingsystem), entryOf(content.hardware)) === 'Windows'
  return {
    name: toText(first.description) ?? (isWindows ? 'Windows Firewall' : null),
    isEnabled: states.length === 0 ? null : states.every(Boolean),
    domainProfileEnabled: stateOf(/^domain/i),
    privateProfileEnabled: stateOf(/^(private|standard)/i),
    publicProfileEnabled: stateOf(/^public/i),
  }
}

function toSecureBoot({ secure_boot }: Entry): Security['secureBoot'] {
  const state = toText(secure_boot)?.toLowerCase()
  if (state === undefined) return unknownSecurity.secureBoot
  return { isSupported: state !== 'unsupported', isEnabled: toBoolean(state) ?? false }
}

function toDate(value: unknown): Date | null {
  return toStorableDate(new Date(toText(value, 50) ?? Number.NaN))
}
