import { isLostTooOften } from '../deployments/abandon-work.ts'
import { type DelayReason, delayReasons } from '../deployments/work-choices.ts'
import { isOptional } from '../distribution/commands.ts'
import { rolloutWindowOf } from './rollout-facts.ts'
import type { WorkFacts } from './work-facts.ts'
import { windowOf } from './work-window.ts'

/** The agent to which work is handed out: as it makes contact, or as it was last seen. */
export type AgentFacts = {
  isEnrolled: boolean
  isQuarantined: boolean
  /** The last contact of an agent that has missed its schedule. */
  silentSince: Date | null
  suspension: { until: Date | null } | null
  environment: 'OperatingSystem' | 'PreOs'
  /** Optional packages that the user has requested. */
  requestedPackages: readonly string[]
}

/** An agent that makes contact is enrolled, confirmed and awake; the caller has seen that it is not suspended. */
export function contactingAgent(contact: Pick<AgentFacts, 'environment' | 'requestedPackages'>): AgentFacts {
  return { isEnrolled: true, isQuarantined: false, silentSince: null, suspension: null, ...contact }
}

type Finding = {
  /** When it ends by itself. */
  until?: Date | null
  /** Names of the packages that have to come first. */
  packages?: string[]
  /** A sentence for people. */
  message: string
}

type Rule = (item: WorkFacts, agent: AgentFacts) => Finding | false

const isNotYetDue = ({ not_before, now }: WorkFacts) => not_before === null || not_before > now

const noMoreWindows = { message: 'No window of the schedule opens any more.' }

const opensAt = (until: Date) => ({ until, message: 'The next window of the schedule is not open yet.' })

const waitsForWindow = 'No maintenance window of the rollout is open, or too little of it is left for its time limit.'

const fitsNoWindow = 'Its time limit is longer than every maintenance window of the rollout.'

const delayMessages: Record<DelayReason, string> = {
  QuietHours: 'It waits for the end of the quiet hours of its deadline.',
  Presentation: 'It waits while the person at the computer is presenting, until its deadline.',
  ProgramsOpen: 'It waits until the person at the computer has closed programs, or for its deadline.',
  NoAnswer: 'The person at the computer was asked and has not answered; it waits until its deadline.',
}

/**
 * Everything that can keep an open work item from being handed out, in the order in which somebody has to deal with it:
 * the agent, the installation, the package, other work, the user, the time. A new reason is one more entry.
 */
const rules = {
  NoAgent: (_, { isEnrolled }) => !isEnrolled && { message: 'No agent is enrolled on the computer.' },
  AgentQuarantined: (_, { isQuarantined }) =>
    isQuarantined && { message: 'The agent is in quarantine until a person confirms it.' },
  AgentSilent: (_, { silentSince }) =>
    silentSince !== null && { message: `The agent has made no contact since ${silentSince.toISOString()}.` },
  AgentSuspended: ({ now }, { suspension }) =>
    suspension !== null &&
    (suspension.until === null || suspension.until > now) && {
      until: suspension.until,
      message: 'The agent is suspended, and a suspended agent gets no work.',
    },
  InstallationFrozen: ({ is_frozen }) =>
    is_frozen && { message: 'The installation is frozen: nothing is handed out until it is released.' },
  RolloutPaused: ({ rollout_state }) =>
    rollout_state === 'Paused' && { message: 'The rollout that brings it is paused.' },
  RolloutCancelled: ({ rollout_state }) =>
    rollout_state === 'Cancelled' && {
      message: 'The rollout that brings it was cancelled, and the work item will be.',
    },
  HandedOutByPxe: ({ kind }) =>
    kind === 'OperatingSystem' && {
      message: 'The operating system is installed when the computer boots from the network.',
    },
  AlreadyLeased: ({ is_leased, leased_until }) =>
    is_leased && { until: leased_until, message: 'The agent has the work item.' },
  NotReleased: ({ is_released }) => is_released === false && { message: 'The package is not Ready to Install.' },
  HashMissing: ({ hash_state }) => hash_state === 'None' && { message: 'The hash of the package is not computed.' },
  HashMismatch: ({ hash_state }) =>
    hash_state === 'Mismatch' && { message: 'The files of the package have changed since its hash was computed.' },
  LostTooOften: (item) =>
    isLostTooOften(item) && { message: 'The work item was lost too often: the next contact of the agent fails it.' },
  RequirementMissing: ({ awaited_packages, kind }) =>
    awaited_packages !== null &&
    kind !== 'Uninstall' && {
      packages: awaited_packages,
      message: `Required packages are not installed: ${awaited_packages.join(', ')}.`,
    },
  RequiredByOthers: ({ awaited_packages, kind }) =>
    awaited_packages !== null &&
    kind === 'Uninstall' && {
      packages: awaited_packages,
      message: `Packages that require this one are uninstalled first: ${awaited_packages.join(', ')}.`,
    },
  RemovalFirst: ({ awaited_removal }) =>
    awaited_removal !== null && {
      packages: [awaited_removal],
      message: `${awaited_removal} is rolled back: it is uninstalled first.`,
    },
  ConditionUnmet: ({ unmet_condition }) =>
    unmet_condition !== null && { message: `${unmet_condition} The next contact of the agent cancels the work item.` },
  SupersededInstalled: ({ superseded_packages }) =>
    superseded_packages !== null && {
      packages: superseded_packages,
      message: `Packages that it supersedes are uninstalled first: ${superseded_packages.join(', ')}.`,
    },
  ReplacementMissing: ({ unready_replacements }) =>
    unready_replacements !== null && {
      message:
        unready_replacements.length > 0
          ? `It is uninstalled for packages that are not Ready to Install: ${unready_replacements.join(', ')}.`
          : 'The package for which it is uninstalled does not come any more. The next contact of the agent cancels the work item.',
    },
  ConflictingPackage: ({ conflicting_packages }) =>
    conflicting_packages !== null && {
      packages: conflicting_packages,
      message: `It conflicts with packages that the computer has or gets first: ${conflicting_packages.join(', ')}.`,
    },
  NoPatchReleased: ({ has_patches }) =>
    has_patches === false && { message: 'No missing patch is released to the computer.' },
  OtherEnvironment: ({ is_pre_os }, { environment }) =>
    (is_pre_os ?? false) !== (environment === 'PreOs') && {
      message: is_pre_os
        ? 'The package is installed before the operating system.'
        : 'The package is installed in the operating system.',
    },
  OptionalExpired: (item) =>
    isOptional(item.commands) &&
    item.optional_date !== null &&
    item.optional_date <= item.now && { message: 'The time for which the optional package was offered is over.' },
  NotRequested: (item, { requestedPackages }) =>
    isOptional(item.commands) &&
    item.attempt === 0 &&
    !requestedPackages.includes(item.package_id ?? '') && {
      message: 'The package is optional, and the user has not requested it.',
    },
  Postponed: (item) =>
    isNotYetDue(item) &&
    item.delayed_by === 'User' && { until: item.not_before, message: 'The user has postponed it.' },
  DelayedForUser: (item) => {
    const reason = delayReasons.find((one) => one === item.delayed_by)
    return reason !== undefined && isNotYetDue(item) && { until: item.not_before, message: delayMessages[reason] }
  },
  RetryLater: (item) =>
    isNotYetDue(item) &&
    item.delayed_by === 'Retry' && { until: item.not_before, message: 'It is retried after a failure.' },
  NotYetDue: (item) =>
    isNotYetDue(item) &&
    item.delayed_by === null &&
    item.schedule === '' && { until: item.not_before, message: 'It was requested for a later time.' },
  OutsideWindow: (item) => {
    const { not_before, delayed_by, schedule, now } = item
    if (not_before === null) return noMoreWindows
    if (not_before > now && delayed_by === null && schedule !== '') return opensAt(not_before)
    // After a delay, the window may have ended.
    const earliest = isNotYetDue(item) ? not_before : now
    const window = windowOf(item, earliest)
    if (!window) return noMoreWindows
    return window.start > earliest && opensAt(window.start)
  },
  RolloutWindow: (item) => {
    const { not_before, now } = item
    const window = rolloutWindowOf(item, not_before !== null && not_before > now ? not_before : now)
    if (window.isOpen && item.delayed_by === 'Rollout' && isNotYetDue(item))
      return { until: not_before, message: waitsForWindow }
    return !window.isOpen && { until: window.opensAt, message: window.opensAt ? waitsForWindow : fitsNoWindow }
  },
} satisfies Record<string, Rule>

export type BlockerReason = keyof typeof rules

export const blockerReasons = Object.keys(rules) as BlockerReason[]

export type Blocker = { reason: BlockerReason; until: Date | null; packages: string[]; message: string }

/**
 * What keeps an open work item from being handed out now, in the order in which it will be resolved: first what somebody
 * has to resolve, then what ends by itself. An item without a blocker is handed out.
 */
export function blockersOf(item: WorkFacts, agent: AgentFacts): Blocker[] {
  const blockers: Blocker[] = []
  for (const reason of blockerReasons) {
    const finding = (rules[reason] as Rule)(item, agent)
    if (finding) blockers.push({ until: null, packages: [], ...finding, reason })
  }
  return blockers.toSorted((a, b) => (a.until?.getTime() ?? 0) - (b.until?.getTime() ?? 0))
}
