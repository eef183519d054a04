import { findPowerAction, type PowerAction } from '../platform/machine.ts'
import type { Platform } from '../platform/platform.ts'
import type { WorkItem, WorkKind } from '../protocol.ts'

type Subject = Pick<WorkItem, 'kind' | 'package'> & Partial<Pick<WorkItem, 'power' | 'hidden'>>

const maxNamed = 3
const maxShownLength = 80

/** What the agent says to the people at this computer. Each language has every text. */
export type UserTexts = {
  later: string
  now: string
  /** What is done with a package. */
  describe(kind: WorkKind, name: string): string
  /** In place of the name of a package that people are not to see. */
  someSoftware: string
  /** What is done with the computer. */
  describePower(action: PowerAction): string
  more(count: number): string
  askBeforeWork(work: string): string
  powerSoon(action: PowerAction, minutes: number): string
  askToPostponePower(announcement: string): string
  closePrograms(work: string, programs: string, deadline: string): string
  programsClosedSoon(work: string, programs: string, minutes: number): string
}

const verbs: Partial<Record<WorkKind, string>> = { Uninstall: 'remove', Update: 'update', Reinstall: 'reinstall' }

const powerVerbs: Record<PowerAction, string> = {
  Reboot: 'restart this computer',
  Shutdown: 'shut down this computer',
  LogOff: 'sign everybody out',
}
const powerNouns: Record<PowerAction, string> = {
  Reboot: 'This computer will restart',
  Shutdown: 'This computer will shut down',
  LogOff: 'Everybody will be signed out of this computer',
}
const inMinutes = (count: number) => (count === 1 ? 'in a minute' : `in ${count} minutes`)

const english: UserTexts = {
  later: 'Later',
  now: 'Now',
  describe: (kind, name) => `${verbs[kind] ?? 'install'} ${name}`,
  someSoftware: 'software',
  describePower: (action) => powerVerbs[action],
  more: (count) => `${count} more`,
  askBeforeWork: (work) => `Muster is about to ${work}. Do you want to postpone this by an hour?`,
  powerSoon: (action, minutes) => `${powerNouns[action]} ${inMinutes(minutes)}. Please save your work.`,
  askToPostponePower: (announcement) => `${announcement} Do you want to postpone it by an hour?`,
  closePrograms: (work, programs, deadline) =>
    `Muster waits to ${work}. Please close ${programs}. Otherwise Muster will close it after ${deadline}.`,
  programsClosedSoon: (work, programs, minutes) =>
    `Muster will close ${programs} ${inMinutes(minutes)} to ${work}. Please save your work.`,
}

const germanVerbs: Partial<Record<WorkKind, string>> = {
  Uninstall: 'entfernen',
  Update: 'aktualisieren',
  Reinstall: 'neu installieren',
}
const germanPowerVerbs: Record<PowerAction, string> = {
  Reboot: 'den Computer neu starten',
  Shutdown: 'den Computer herunterfahren',
  LogOff: 'alle Benutzer abmelden',
}
const germanPowerSoon: Record<PowerAction, (soon: string) => string> = {
  Reboot: (soon) => `Dieser Computer wird ${soon} neu gestartet`,
  Shutdown: (soon) => `Dieser Computer wird ${soon} heruntergefahren`,
  LogOff: (soon) => `Alle Benutzer werden ${soon} abgemeldet`,
}
const inGermanMinutes = (count: number) => (count === 1 ? 'in einer Minute' : `in ${count} Minuten`)

const german: UserTexts = {
  later: 'Später',
  now: 'Jetzt',
  describe: (kind, name) => `${name} ${germanVerbs[kind] ?? 'installieren'}`,
  someSoftware: 'Software',
  describePower: (action) => germanPowerVerbs[action],
  more: (count) => `${count} weitere`,
  askBeforeWork: (work) => `Muster möchte jetzt ${work}. Soll das um eine Stunde verschoben werden?`,
  powerSoon: (action, minutes) =>
    `${germanPowerSoon[action](inGermanMinutes(minutes))}. Bitte speichern Sie Ihre Arbeit.`,
  askToPostponePower: (announcement) => `${announcement} Soll das um eine Stunde verschoben werden?`,
  closePrograms: (work, programs, deadline) =>
    `Muster möchte ${work}. Bitte schließen Sie ${programs}. Sonst schließt Muster das Programm nach ${deadline}.`,
  programsClosedSoon: (work, programs, minutes) =>
    `Muster schließt ${inGermanMinutes(minutes)} ${programs}, um ${work} zu können. Bitte speichern Sie Ihre Arbeit.`,
}

/** By the names of languages. */
export const userTexts = { en: english, de: german }

/** The texts in the language of the person who uses this computer, or in English. */
export async function findUserTexts({ users }: Platform): Promise<UserTexts & { language: string }> {
  const language = await users.language()
  const known = language === 'de' ? language : 'en'
  return { ...userTexts[known], language: known }
}

/** What is about to happen, in words. */
export function describeWork(items: readonly Subject[], texts: UserTexts): string {
  const named = items.slice(0, maxNamed).map((item) => describeItem(item, texts))
  const others = items.length - named.length
  return [...named, ...(others > 0 ? [texts.more(others)] : [])].join(', ')
}

function describeItem({ kind, package: subject, power = null, hidden = false }: Subject, texts: UserTexts): string {
  const action = findPowerAction(power)
  if (action) return texts.describePower(action)
  return texts.describe(kind, hidden ? texts.someSoftware : `${toShown(subject?.name)} ${toShown(subject?.version)}`)
}

/** The agent does not trust the server: a name must not look like a line of its own, or like more than a name. */
function toShown(text = ''): string {
  const visible = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return visible.length > maxShownLength ? `${visible.slice(0, maxShownLength).toWellFormed()}…` : visible
}

/** A time as people write it, by the clock of this computer. */
export function formatTime(at: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' }).format(at)
}
