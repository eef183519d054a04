import type { leaseWork } from '../../../features/hand-out/lease-work.ts'
import { hasOwnSecret } from '../devices/device-proof.ts'
import type { Sender } from '../devices/sender.ts'

export type LeasedWorkItem = Awaited<ReturnType<typeof leaseWork>>['work'][number]

/** Why the sender of a message gets no jobs at all; undefined when it does. */
export function findSenderRefusal(sender: Sender): string | undefined {
  if (sender.kind === 'OCS') return 'The agent of this computer cannot install software. OCS agents only report.'
  if (hasOwnSecret(sender)) return undefined
  return (
    'The agent of this computer has the same secret as others, who could fetch and report on its jobs. ' +
    'Give it a certificate, or an address with an enrolment token for one use.'
  )
}

/** Why an inventory agent cannot do a work item; undefined when it can. */
export function findRefusal(item: LeasedWorkItem): string | undefined {
  if (item.kind === 'Power') return 'The agent of this computer cannot restart it. Only the Muster agent can.'
  if (item.package?.kind === 'PatchFix' || item.package?.kind === 'PatchScan')
    return 'The agent of this computer does not support patches. Only the Muster agent does.'
  return undefined
}

/** Why a package that needs these secret variables cannot be deployed; undefined when it needs none. */
export function findSecretsRefusal(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  return 'The package needs the values of secret variables, which the agent of this computer would write into its log.'
}
