import { useCallback, useEffect, useState } from 'react'
import { type Session, sessionEvents } from '../api/session.ts'

// Shared by all tabs: activity in one tab keeps the session alive in all of them.
const lastUseKey = 'muster.last-use'

/**
 * Whether the session has ended: the service has rejected it, or it was idle for its whole idle time. The latter hides
 * data on an unattended screen.
 */
export function useSessionEnd(session: Session): [hasEnded: boolean, resume: () => void] {
  const [hasEnded, setHasEnded] = useState(false)
  const resume = useCallback(() => setHasEnded(false), [])

  useEffect(() => {
    const used = () => localStorage.setItem(lastUseKey, String(Date.now()))
    const ended = () => setHasEnded(true)
    const check = () => {
      const unused = Date.now() - Number(localStorage.getItem(lastUseKey))
      if (unused >= session.idleMilliseconds || Date.now() >= session.endsAt) ended()
    }
    used()
    sessionEvents.addEventListener('used', used)
    sessionEvents.addEventListener('ended', ended)
    document.addEventListener('visibilitychange', check)
    const timer = setInterval(check, 15_000)
    return () => {
      sessionEvents.removeEventListener('used', used)
      sessionEvents.removeEventListener('ended', ended)
      document.removeEventListener('visibilitychange', check)
      clearInterval(timer)
    }
  }, [session])

  return [hasEnded, resume]
}
