/** Why the service cancels work. Each is a sentence about the subject, which is a name, a sentence or empty. */
const sentences = {
  LeftGroup: (group) => `The computer left the group ${group}.`,
  GroupDeleted: (group) => `The group ${group || 'above it'} was deleted.`,
  GroupMoved: (group) => `The group ${group} was moved.`,
  Unassigned: (group) => `The assignment was removed${group && ` from the group ${group}`}.`,
  ClassChanged: () => 'The package was removed from a software class.',
  ContentChanged: () => 'An import changed the package.',
  NotApplicable: () => 'The computer has an operating system or architecture that the package is not for.',
  ConditionUnmet: (sentence) => `The computer does not meet a condition of the package. ${sentence}`,
  NotReplaced: () => 'The package that was to take its place does not come any more.',
  NoPxeSupport: () => 'The computer does not support PXE.',
  Deactivated: () => 'The activation was cleared.',
  SystemInstalled: () => 'The installation of the operating system has ended.',
  NotDue: () => 'A later activation found that it is no longer due.',
  NewRequest: () => 'A later request for the same package replaced it.',
  RequestCancelled: (sentence) => `The request was cancelled.${sentence && ` ${sentence}`}`,
  RolloutCancelled: () => 'The rollout was cancelled.',
  OfferEnded: () => 'The time for which the optional package was offered is over.',
  TrialExpired: () => 'The computer did not begin the trial in time.',
  ComputerDeleted: () => 'The computer was deleted.',
  NoPatchNeeded: () => 'No missing patch is released to the computer any more.',
} satisfies Record<string, (subject: string) => string>

export type CancelReason = keyof typeof sentences

export const cancelReasons = Object.keys(sentences) as CancelReason[]

/** Why work is cancelled, and the name of the group that it is about, as it was called then, or a sentence. */
export type Cancellation = { reason: CancelReason; subject?: string | null }

export function formatCancellation({ reason, subject }: Cancellation): string {
  return sentences[reason](subject ?? '')
}
