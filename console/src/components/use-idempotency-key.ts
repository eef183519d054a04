import { useRef } from 'react'
import { newIdempotencyKey } from '../api/client.ts'

/** Returns the same key for the same content: resubmitting a form after a lost response creates nothing twice. */
export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (last.current.content !== text) last.current = { content: text, key: newIdempotencyKey() }
    return last.current.key
  }
}
