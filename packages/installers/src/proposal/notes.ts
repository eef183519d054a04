import type { ExeFacts, InstallerFacts, MsiFacts, Signer } from '../facts.ts'
import { toLine } from '../texts.ts'

const maxProperties = 40
const maxValueLength = 100

/** What else a file says about itself. It does not change the manifest, but the person who decides about the package should see it. */
export function notesAbout(facts: InstallerFacts): string[] {
  switch (facts.format) {
    case 'msi':
      return [...msiNotes(facts), signerNote(facts.signer)]
    case 'exe':
      return [...exeNotes(facts), signerNote(facts.signer)]
    case 'msix':
      return [`Publisher: ${facts.identity.publisher}.`, `Family name: ${facts.familyName}.`]
    default:
      return []
  }
}

const scopes = {
  machine: 'It installs for all users.',
  user: 'It installs for one user.',
  choice: 'It lets its caller choose between one user and all.',
}

function msiNotes({ upgradeCode, language, scope, properties }: MsiFacts): string[] {
  const settings = Object.entries(properties).map(([name, value]) => `${name}=${toLine(value, maxValueLength)}`)
  const rest = settings.length - maxProperties
  return [
    ...(upgradeCode === undefined ? [] : [`Upgrade code: ${upgradeCode}.`]),
    ...(language === undefined ? [] : [`Language: ${language}.`]),
    scopes[scope],
    ...(settings.length === 0
      ? []
      : [`Properties: ${settings.slice(0, maxProperties).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`]),
  ]
}

function exeNotes({ familyReason, familyVersion, needsAdministrator }: ExeFacts): string[] {
  return [
    ...(familyReason === undefined ? [] : [`${familyReason}${familyVersion ? ` (${familyVersion})` : ''}.`]),
    ...(needsAdministrator ? ['It asks for the rights of an administrator.'] : []),
  ]
}

/** Nobody has verified the signature, so a name is no proof. */
function signerNote(signer: Signer | undefined): string {
  if (!signer) return 'No signer was found in the file.'
  const { name, organisation, issuer, validUntil } = signer
  const details = [
    organisation !== undefined && organisation !== name && `of ${organisation}`,
    issuer !== undefined && `certified by ${issuer}`,
    validUntil !== undefined && `until ${validUntil.slice(0, 10)}`,
  ]
  return `${[`Signed by ${name}`, ...details.filter(Boolean)].join(', ')}. The signature was not verified.`
}
