import type { CurrentWork } from '../activity.ts'
import type { ComputerSoftware } from '../protocol.ts'
import type { Warning } from '../state/warnings.ts'

/*
 * What users and the agent say to each other: one JSON value per line. First the user names an account and proves it with the
 * secret of a challenge; after that, each request has one answer. Users can do what the verbs below name, and nothing else.
 */

export type Hello = { account: string }
export type ChallengeMessage = { challenge: string }
export type Proof = { proof: string }
export type Welcome = { user: string }

export type UserRequest =
  | { verb: 'view' }
  | { verb: 'icon'; packageId: string }
  | { verb: 'take'; packageId: string }
  | { verb: 'postpone'; untilUtc: string }
  | { verb: 'request'; wish: string; reason: string }

export type UserRequestOf<V extends UserRequest['verb']> = Extract<UserRequest, { verb: V }>

/** What a user sees of the computer. It contains neither its credential nor settings, variables, commands or their output. */
export type UserView = {
  agentVersion: string
  user: string
  /** When the server listed the software; null if it never did. */
  asOfUtc: string | null
  /** Whether the list is what the server has answered now. */
  isCurrent: boolean
  lastContactUtc: string | null
  suspendedUntil: 'open-ended' | string | null
  postponedUntilUtc: string | null
  isRebootRequired: boolean
  current: CurrentWork | null
  /** Work that begins at its deadline at the latest, the next first. */
  warnings: Warning[]
  software: SoftwareItem[]
  history: ComputerSoftware['history']
  requests: ComputerSoftware['requests']
}

export type SoftwareItem = ComputerSoftware['software'][number] & {
  /** The user has taken it, and the server does not know yet. */
  isTaken: boolean
  /** Of the work that is under way; null if none is. */
  percent: number | null
}

export type UserAnswers = {
  view: UserView
  /** PNG, in base64. */
  icon: { content: string }
  take: { name: string; version: string }
  /** `affected`: how many of the known work items can be postponed. */
  postpone: { untilUtc: string; affected: number }
  request: { outcome: 'Recorded' | 'TooMany' | 'Kept' }
}

export type Refusal = { refused: RefusalCode; message: string }

/** Why the agent does not do what a user asks for. Pages translate the code. */
export type RefusalCode =
  | 'NotOffered'
  | 'InvalidRequest'
  | 'TooManyRequests'
  | 'TooManyChoices'
  | 'NoIcon'
  | 'NotProven'
  | 'Failed'

/** A request that is not done. Its message is shown to the user. */
export class RequestRefused extends Error {
  override name = 'RequestRefused'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The maximum length of a line that the agent reads of a user, and that a user reads of the agent, in bytes. */
export const maxRequestBytes = 8 * 1024
export const maxAnswerBytes = 8 * 1024 * 1024

export const maxWishLength = 200
export const maxReasonLength = 1_000
