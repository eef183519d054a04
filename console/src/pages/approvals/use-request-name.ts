import { textFor, useTexts } from '../../texts/texts.tsx'

/** Returns what names a request in words. An operation of a newer service is named by its id. */
export function useRequestName() {
  const { requests } = useTexts().approvals
  return (operation: string) => textFor(requests, operation) ?? operation
}
