import type { Activity } from '../activity.ts'
import type { LastContact } from '../contact.ts'
import { readStored } from '../state/durable-file.ts'
import { findPostponement } from '../state/postponement.ts'
import { findRebootSource } from '../state/reboot-required.ts'
import { readRequestedPackages } from '../state/requested-packages.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { findSuspension } from '../state/suspension.ts'
import { listWarnings } from '../state/warnings.ts'
import { agentVersion } from '../version.ts'
import type { UserView } from './messages.ts'
import type { User } from './serve.ts'
import type { ListedSoftware } from './software-list.ts'

/** What a user sees: what the server has listed, with what this agent knows better. */
export async function buildView(
  state: StateFolder,
  activity: Activity,
  { software, history, requests, asOfUtc, isCurrent }: ListedSoftware,
  user: User,
): Promise<UserView> {
  const taken = await readRequestedPackages(state)
  const current = activity.current()
  const suspension = await findSuspension(state)
  return {
    agentVersion,
    user: user.name,
    ...{ asOfUtc, isCurrent, history },
    lastContactUtc: (await readStored<LastContact>(state.contact))?.contactUtc ?? null,
    suspendedUntil: suspension && (suspension.untilUtc ?? 'open-ended'),
    postponedUntilUtc: (await findPostponement(state))?.until.toISOString() ?? null,
    isRebootRequired: (await findRebootSource(state)) !== null,
    current: current ?? null,
    warnings: (await listWarnings(state)).filter(({ isHidden }) => !isHidden),
    software: software.map((item) => {
      const isCurrentWork = current?.packageId === item.packageId
      return {
        ...item,
        ...(isCurrentWork && { state: 'Running' as const, action: current.kind }),
        percent: isCurrentWork ? Math.floor(current.percent) : null,
        isTaken: taken.includes(item.packageId),
      }
    }),
    // What others on the same computer ask for, and why, does not concern this user.
    requests: requests.filter((request) => request.user === user.name),
  }
}
