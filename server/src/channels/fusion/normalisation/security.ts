import type { SecurityReport } from '../../../features/inventory/security-report.ts'
import type { Static } from '../../../platform/schema.ts'
import { platformOf } from './operating-system.ts'
import { type Entry, entriesOf, entryOf, told, yesNo } from './values.ts'

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

/** What is said about protection: of a partial report only that which is in it. */
export function securityOf(content: Entry, isPartial: boolean): Partial<Security> {
  const firewalls = content.firewalls ?? content.firewall
  const said = {
    ...(content.antivirus !== undefined && { antivirus: antivirusOf(entriesOf(content.antivirus)) }),
    ...(firewalls !== undefined && { firewall: firewallOf(entriesOf(firewalls), content) }),
    ...(content.bios !== undefined && { secureBoot: secureBootOf(entryOf(content.bios)) }),
  }
  return isPartial ? said : { ...unknownSecurity, ...said }
}

/** Of several the one that is on. */
function antivirusOf(products: readonly Entry[]): Security['antivirus'] {
  const product = products.find(({ enabled }) => yesNo(enabled) === true) ?? products[0]
  if (!product) return unknownSecurity.antivirus
  return {
    name: told(product.name),
    version: told(product.version),
    isEnabled: yesNo(product.enabled),
    isUpToDate: yesNo(product.uptodate),
    definitionsDateUtc: dateOf(product.base_creation),
  }
}

function firewallOf(profiles: readonly Entry[], content: Entry): Security['firewall'] {
  const [first] = profiles
  if (!first) return unknownSecurity.firewall
  const stateOf = (name: RegExp) => {
    const profile = profiles.find((one) => name.test(told(one.profile) ?? ''))
    return profile ? yesNo(profile.status) : null
  }
  const states = profiles.map(({ status }) => yesNo(status)).filter((state) => state !== null)
  const isWindows = platformOf(entryOf(content.operatingsystem), entryOf(content.hardware)) === 'Windows'
  return {
    name: told(first.description) ?? (isWindows ? 'Windows Firewall' : null),
    isEnabled: states.length === 0 ? null : states.every(Boolean),
    domainProfileEnabled: stateOf(/^domain/i),
    privateProfileEnabled: stateOf(/^(private|standard)/i),
    publicProfileEnabled: stateOf(/^public/i),
  }
}

function secureBootOf({ secure_boot }: Entry): Security['secureBoot'] {
  const state = told(secure_boot)?.toLowerCase()
  if (state === undefined) return unknownSecurity.secureBoot
  return { isSupported: state !== 'unsupported', isEnabled: yesNo(state) ?? false }
}

function dateOf(value: unknown): Date | null {
  const date = new Date(told(value, 50) ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}
