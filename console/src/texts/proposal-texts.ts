import { deProposal } from './de-proposal.ts'
import { enProposal } from './en-proposal.ts'
import { usePageTexts } from './texts.tsx'

type ProposalTexts = typeof enProposal

export function useProposalTexts(): ProposalTexts {
  return usePageTexts({ en: enProposal, de: deProposal })
}

/** The label of a property of the manifest: that of the most specific part of its path that has one, and the rest. */
export function labelOf({ properties }: ProposalTexts, path: readonly string[]): string {
  const labels: Readonly<Record<string, string>> = properties
  for (let length = path.length; length > 0; length--) {
    const label = labels[path.slice(0, length).join('.')]
    if (label !== undefined) return [label, path.slice(length).join(' ')].filter(Boolean).join(': ')
  }
  return path.join('.')
}
