import { UnknownFilter } from '../../components/unknown-filter.ts'
import { useFilters } from '../../components/use-filters.ts'

type Failure = { exitCode: number | null; cause: string }

/** The address of those that failed so, on the page of their rollout or task. */
export function addressOfFailure({ exitCode, cause }: Failure, section: string): string {
  const params = new URLSearchParams({
    ...(exitCode !== null && { exitCode: String(exitCode) }),
    ...(cause && { cause }),
  })
  return `?${params}#${section}`
}

/** The failure that the address selects, if any. */
export function useFailureFilter() {
  const { values, areSet, clear } = useFilters(['exitCode', 'cause'])
  if (!/^(-?\d+)?$/.test(values.exitCode)) throw new UnknownFilter('exitCode', values.exitCode)
  const exitCode = values.exitCode === '' ? null : Number(values.exitCode)
  return { exitCode, cause: values.cause, isSet: areSet, clear }
}
