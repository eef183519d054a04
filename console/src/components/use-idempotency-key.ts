import { useRef } from 'react'
import { newIdempotencyKey } from '../api/client.ts'

/** The same key for the same content, so that sending a form again after a lost answer creates nothing twice. */
export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (last.current.content !== text) last.current = { content: text, key: newIdempotencyKey() }
    return last.current.key
  }
}
