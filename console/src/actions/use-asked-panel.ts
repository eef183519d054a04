import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Opens a panel of the page when the person has asked for it in the palette. A reload does not open it again. */
export function useAskedPanel(id: string, open: () => void): void {
  const location = useLocation()
  const navigate = useNavigate()
  const isAsked = (location.state as { panel?: unknown } | null)?.panel === id
  const newest = useRef(open)
  newest.current = open
  useEffect(() => {
    if (!isAsked) return
    newest.current()
    void navigate({ pathname: location.pathname, search: location.search }, { replace: true, state: null })
  }, [isAsked, navigate, location.pathname, location.search])
}
