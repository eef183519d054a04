import { useState } from 'react'
import type { Versioned } from '../api/client.ts'

/**
 * Edits something that others may change at the same time. What somebody has typed stays; everything else follows the
 * newest version. `others` is what others have changed since the form was opened.
 */
export function useEdited<T extends object>(version: Versioned<T> | undefined) {
  const [base, setBase] = useState(version)
  const [typed, setTyped] = useState<Partial<T>>({})
  if (!base && version) setBase(version)
  const values = version && { ...version.value, ...typed }
  const others = base && version ? changesBetween(base.value, version.value) : []
  return {
    values,
    etag: version?.etag,
    typed,
    isChanged: Object.keys(typed).length > 0,
    others,
    type: (changes: Partial<T>) => setTyped((before) => ({ ...before, ...changes })),
  }
}

export type OtherChange = { name: string; before: unknown; now: unknown }

function changesBetween(before: object, now: object): OtherChange[] {
  const old = before as Record<string, unknown>
  return Object.entries(now)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]))
    .map(([name, value]) => ({ name, before: old[name], now: value }))
}
