import { log } from '../log.ts'
import type {
  ContactAnswer,
  Enrolled,
  Offer,
  PatchScanReceipt,
  ProgressAnswer,
  ResultAnswer,
  Settings,
} from '../protocol.ts'
import { maxLeasedItems } from '../work/leased-work.ts'
import {
  clamped,
  flag,
  ifValid,
  instant,
  integerIn,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  type Reader,
  text,
  withDefault,
} from './readers.ts'
import { computerSoftware, userChoicesAnswer } from './software.ts'
import { id, leaseSeconds, startedWork, upcoming, workEnvironment, workItem } from './work.ts'

/**
 * What the agent uses of each answer of the server. The server may be hostile: nothing else of the agent sees an answer before it
 * was read here, so numbers are in their ranges, ids are numbers, and lists and texts have a maximum length.
 */

/** With any other, no later request could be sent, and the computer would have to be enrolled again. */
export const credentialPattern = /^agent-\d{1,10}\.[\w-]{1,100}$/

const enrolled = objectOf<Enrolled>({
  clientId: integerIn(1, 2 ** 31 - 1),
  credential: text(200, credentialPattern, 'a credential'),
  quarantined: withDefault(flag, false),
})

const maxSettings = 1_000
const setting: Reader<string | number | boolean> = (value, at) =>
  typeof value === 'boolean'
    ? value
    : typeof value === 'number'
      ? clamped(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)(value, at)
      : text(100_000)(value, at)

/** A setting of the wrong type counts as not set. */
const settingValues: Reader<Settings['values']> = (value, at) => {
  const entries = Object.entries(valuesOf(value, at)).filter(([, given]) => given !== undefined)
  return Object.fromEntries(entries) as Settings['values']
}
const valuesOf = mapOf(ifValid(setting), maxSettings)

const offer = objectOf<Offer>({
  packageId: text(100),
  name: text(1_000),
  version: text(1_000),
  untilUtc: orNull(instant),
})

const contactAnswer = objectOf<ContactAnswer>({
  serverTimeUtc: withDefault(text(50), ''),
  nextContactSeconds: clamped(1, 24 * 60 * 60),
  settings: orNull(objectOf<Settings>({ hash: text(200), values: settingValues })),
  sections: listOf(text(50), 100),
  work: listOf(workItem, maxLeasedItems),
  environment: optional(workEnvironment),
  beginWithinSeconds: optional(clamped(0, 60 * 60)),
  results: optional(
    listOf(objectOf<NonNullable<ContactAnswer['results']>[number]>({ workId: id, outcome: oneOf() }), 10_000),
  ),
  withdrawn: optional(listOf(id, 10_000)),
  hasUpcoming: optional(flag),
  // Without it, nothing changes: what was announced before stays, and the work itself is not affected.
  upcoming: ifValid(optional(upcoming), ({ message }) => log(`The announced content is ignored: ${message}.`)),
  offers: listOf(offer, 10_000),
  // An invalid credential is ignored where it would be stored.
  credential: ifValid(text(1_000)),
  quarantined: optional(flag),
})

const progressAnswer = objectOf<ProgressAnswer>({ leaseSeconds, cancelled: flag })
const resultAnswer = objectOf<ResultAnswer>({ accepted: flag })
const postponementAnswer = objectOf<{ remaining: number }>({ remaining: clamped(0, 1_000) })
const patchScanReceipt = objectOf<PatchScanReceipt>({
  ignoredPatches: clamped(0, Number.MAX_SAFE_INTEGER),
  message: orNull(text(1_000)),
})

/** Why the server has refused a request. Longer texts are cut: they are shown and reported. */
export type Problem = { code?: string; message?: string; detail?: string }
const shown = (maxLength: number) => (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxLength).toWellFormed() : undefined
const problem = objectOf<Problem>({ code: shown(100), message: shown(1_000), detail: shown(1_000) } as {
  [K in keyof Problem]-?: Reader<Problem[K]>
})

export const answers = {
  enrolled,
  contactAnswer,
  startedWork,
  progressAnswer,
  resultAnswer,
  postponementAnswer,
  patchScanReceipt,
  computerSoftware,
  userChoicesAnswer,
  problem,
}
