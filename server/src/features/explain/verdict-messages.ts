import type { ComputerExplanation, ExplainedBlocker } from './api/schemas.ts'

type Verdict = ComputerExplanation['verdict']

const messages: Record<Verdict, string> = {
  Installed: 'It is installed.',
  Removed: 'It was uninstalled.',
  Applied: 'It is in effect.',
  NotAssigned: 'No group of the computer has it.',
  NotActivated: 'It is assigned. The next activation brings it to the computer.',
  NothingToDo: 'It is assigned, but nothing follows from that for this computer.',
  NotApplicable: 'It is assigned, but it is not for this computer.',
  Waiting: 'It waits.',
  Due: 'The agent gets it at its next contact.',
  Running: 'The agent has it.',
  Failed: 'It failed.',
}

/** The verdict as a sentence; if something waits or is not for the computer, with the first reason. */
export function formatVerdict(verdict: Verdict, blockers: readonly ExplainedBlocker[]): string {
  const [first] = blockers
  if (!first) return messages[verdict]
  if (verdict === 'NotApplicable') return first.message
  return verdict === 'Waiting' ? `It waits. ${first.message}` : messages[verdict]
}
