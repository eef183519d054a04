import { useState } from 'react'

/**
 * A choice of tags on top of those that the package has. Only what the person has added or removed is kept, so the
 * changes of others are part of the choice.
 */
export function useChosenTags(current: readonly string[]) {
  const [isWanted, setIsWanted] = useState<Readonly<Record<string, boolean>>>({})
  const added = Object.keys(isWanted).filter((id) => isWanted[id] && !current.includes(id))
  const removed = current.filter((id) => isWanted[id] === false)
  const chosen = [...current.filter((id) => !removed.includes(id)), ...added]
  return {
    chosen,
    isChanged: added.length + removed.length > 0,
    choose(next: readonly string[]) {
      const changed = [
        ...next.filter((id) => !chosen.includes(id)).map((id) => [id, true]),
        ...chosen.filter((id) => !next.includes(id)).map((id) => [id, false]),
      ]
      setIsWanted((before) => ({ ...before, ...Object.fromEntries(changed) }))
    },
  }
}
