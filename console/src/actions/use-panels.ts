import { useCallback, useEffect, useState } from 'react'

/** What a panel gets to open and close itself. */
export type PanelProps = { isOpen: boolean; onClose: () => void }

/**
 * Which of several panels is open, and for what. Each time, a panel starts from the beginning: it is mounted closed and then opens so
 * that the focus returns to the button when it closes.
 */
export function usePanels<Name extends string, Target = undefined>() {
  const [shown, setShown] = useState<{ name: Name; target: Target; number: number; isOpen: boolean }>()
  const number = shown?.number
  useEffect(() => {
    if (number !== undefined) setShown((before) => before && { ...before, isOpen: true })
  }, [number])
  const open = (name: Name, target: Target) =>
    setShown((before) => ({ name, target, number: (before?.number ?? 0) + 1, isOpen: false }))
  const onClose = useCallback(() => setShown((before) => before && { ...before, isOpen: false }), [])
  return { shown, open, onClose }
}
