import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** Keeps the text typed into a filter and applies it when typing pauses. */
export function useTyped(filter: string, onPause: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(filter)
  const taken = useRef(filter)
  const take = useDebouncedCallback((text: string) => {
    taken.current = text
    onPause(text)
  }, 200)
  useEffect(() => {
    // The filter may change elsewhere too, but the echo of the change made here is older than the text being typed.
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
