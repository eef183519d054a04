import { useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { type AllowedValues, requireAllowed } from './unknown-filter.ts'

export type Filters<Name extends string> = {
  values: Record<Name, string>
  skip: number
  areSet: boolean
  set: (changes: Partial<Record<Name, string>>) => void
  /** Sets these filters and clears all others. */
  setOnly: (changes: Partial<Record<Name, string>>) => void
  setSkip: (skip: number) => void
  clear: () => void
}

/**
 * Keeps filters and list position in the URL: they survive a reload and can be shared. Throws `UnknownFilter` if the address has
 * a value that is not allowed.
 */
export function useFilters<const Name extends string>(
  names: readonly Name[],
  allowed: AllowedValues<NoInfer<Name>> = {},
): Filters<Name> {
  const [params, setParams] = useSearchParams()
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>
  requireAllowed(values, allowed)

  // A second change may happen before the first has reached the URL, and as soon as the page shows the first.
  const newest = useRef(params)
  useLayoutEffect(() => {
    newest.current = params
  }, [params])

  const change = (changes: Record<string, string | undefined>) => {
    const after = new URLSearchParams(newest.current)
    for (const [name, value] of Object.entries(changes))
      if (value) after.set(name, value)
      else after.delete(name)
    newest.current = after
    setParams(after, { replace: true })
  }

  const unset = { ...Object.fromEntries(names.map((name) => [name, undefined])), skip: undefined }

  return {
    values,
    skip: Math.max(Math.trunc(Number(params.get('skip'))) || 0, 0),
    areSet: names.some((name) => values[name] !== ''),
    // Changed filters produce a new list, which starts at its first page.
    set: (changes) => change({ ...changes, skip: undefined }),
    setOnly: (changes) => change({ ...unset, ...changes }),
    setSkip: (skip) => change({ skip: skip > 0 ? String(skip) : undefined }),
    clear: () => change(unset),
  }
}
