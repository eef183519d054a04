import { useFilters } from '../../components/use-filters.ts'
import { ages, severities } from './severity.ts'

const states = {
  missing: { missing: true },
  unapproved: { missing: true, approved: false },
  approved: { approved: true },
} as const

type State = keyof typeof states
const isState = (name: string): name is State => name in states

/** The filters in the address, and the query that they are for the service. */
export function usePatchFilters() {
  const filters = useFilters(['search', 'severity', 'age', 'state'], {
    ...{ severity: severities, age: ages, state: Object.keys(states) },
  })
  const { search, state } = filters.values
  const severity = severities.find((name) => name === filters.values.severity)
  const age = ages.find((name) => name === filters.values.age)
  const query = {
    ...(search && { search }),
    ...(severity && { severity: [severity] }),
    ...(age && { age: [age] }),
    ...(isState(state) && states[state]),
  }
  return { filters, query }
}

export type PatchFilters = ReturnType<typeof usePatchFilters>['filters']
