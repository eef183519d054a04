import type { components } from '@muster/client'
import { formatCount } from './counts.ts'

type Plan = NonNullable<components['schemas']['GroupActivation']['plan']>

/** What becomes of a package, in this order. */
const outcomes = {
  install: 'install on',
  remove: 'remove from',
  offer: 'offer on',
  pending: 'already on its way on',
  nothingToDo: 'nothing to do for',
  notApplicable: 'not applicable to',
} as const

/** What a deployment will do: one line for all computers, and one for each package. */
export function formatDeploymentPlan(plan: Plan | null | undefined): string[] {
  if (!plan) return []
  return [
    `In total: ${formatCounts(plan)}.`,
    ...plan.packages.map(
      ({ name, version, requiredBy, ...counts }) =>
        `  ${name} ${version ?? ''}: ${formatCounts(counts)}${requiredBy.length > 0 ? ` (because of ${requiredBy.join(', ')})` : ''}`,
    ),
  ]
}

function formatCounts(counts: Record<keyof typeof outcomes, number>): string {
  const parts = Object.entries(outcomes).flatMap(([outcome, text]) => {
    const count = counts[outcome as keyof typeof outcomes]
    return count > 0 ? `${text} ${formatCount(count, 'computer')}` : []
  })
  return parts.join(', ') || 'nothing to do'
}
