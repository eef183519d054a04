import type { ComputerRuling } from '../patches/policies/computer-rulings.ts'
import { formatRuling } from '../patches/policies/computer-rulings.ts'
import type { Remedy } from './remedies.ts'

type Shown = Pick<Remedy, 'state' | 'patchId' | 'patchName' | 'approvedUtc'>

/** The remedy in the shape of the API, with a sentence for people. The ruling says more about the patch, if it is known. */
export function formatRemedy({ state, patchId, patchName, approvedUtc }: Shown, ruling?: ComputerRuling) {
  return { state, patchId, patchName, approvedUtc, message: toMessage({ state, patchName, approvedUtc }, ruling) }
}

function toMessage({ state, patchName, approvedUtc }: Omit<Shown, 'patchId'>, ruling: ComputerRuling | undefined) {
  const patch = `The patch ${patchName} brings the fixed version.`
  if (ruling && patchName !== null) return `${patch} ${formatRuling(ruling)}`
  switch (state) {
    case 'Excepted':
      return 'An exception covers it.'
    case 'Released':
      return `${patch} It is released to the computer.`
    case 'Waiting':
      return approvedUtc
        ? `${patch} A rule approves it on ${approvedUtc.toISOString().slice(0, 10)}.`
        : `${patch} A rule has approved it, and the computer waits for its turn.`
    case 'NeedsPerson':
      return `${patch} It waits for an approval.`
    case 'Declined':
      return `${patch} A rule declines it, or a person has stopped it.`
    case 'NoPatch':
      return 'A fixed version is known, but the last patch scan of the computer found no missing patch that brings it.'
    case 'NoFix':
      return 'No fixed version is known yet.'
  }
}
