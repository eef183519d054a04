import type { Agent } from '../agent.ts'
import type { WorkChoice } from '../protocol.ts'
import { addChoice, listChoices, removeWarning } from '../state/warnings.ts'

type Circumstances = {
  programs?: string[]
  /** Who chose it, if that is known. Otherwise the user who is logged on. */
  user?: string | undefined
}

/** Remembers what the user chose about a work item with a deadline, until it is reported. */
export async function recordChoice(
  { platform, state }: Agent,
  workId: number,
  choice: WorkChoice['choice'],
  { programs = [], user: chooser }: Circumstances = {},
): Promise<void> {
  const user = chooser ?? (await platform.users.loggedOn())
  await addChoice(state, workId, { choice, user, programs, atUtc: new Date().toISOString() })
}

/** The choices to report with the result of a work item. Nothing of it is needed afterwards. */
export async function takeChoices({ state }: Agent, workId: number): Promise<WorkChoice[]> {
  const choices = await listChoices(state, workId)
  await removeWarning(state, workId)
  return choices
}
