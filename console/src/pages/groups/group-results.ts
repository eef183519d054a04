import type { OutcomePart } from '../../components/outcome-bar.tsx'
import type { AssignmentOfGroup } from './group-queries.ts'

type Results = { total: number; success: number; failed: number; pending: number; notApplicable: number }

/** The results of all packages together: one per computer and package. Undefined if the person may not see them. */
export function sumResults(assignments: readonly AssignmentOfGroup[]): Results | undefined {
  const packages = assignments.filter(({ type }) => type === 'Package')
  const results = packages.flatMap(({ status }) => status ?? [])
  if (results.length < packages.length) return undefined
  const sum = { total: 0, success: 0, failed: 0, pending: 0, notApplicable: 0 }
  for (const result of results) for (const name of Object.keys(sum) as (keyof Results)[]) sum[name] += result[name]
  return sum
}

export function outcomeParts(
  { success, failed, pending, notApplicable }: Results,
  labels: { success: string; failed: string; pending: string; notApplicable: string },
): OutcomePart[] {
  return [
    { kind: 'good', value: success, label: labels.success },
    { kind: 'bad', value: failed, label: labels.failed },
    { kind: 'neutral', value: pending, label: labels.pending },
    { kind: 'neutral', value: notApplicable, label: labels.notApplicable },
  ]
}
