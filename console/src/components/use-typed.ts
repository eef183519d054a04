import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** What is being typed into a filter. It is taken as the filter once the typing pauses. */
export function useTyped(filter: string, onPause: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(filter)
  const taken = useRef(filter)
  const take = useDebouncedCallback((text: string) => {
    taken.current = text
    onPause(text)
  }, 200)
  useEffect(() => {
    // Others may change the filter, too; but what comes back of one's own is older than what is being typed.
    if (filter !== taken.current) setTyped(filter)
    taken.current = filter
  }, [filter])
  return [
    typed,
    (text) => {
      setTyped(text)
      take(text)
    },
  ]
}
