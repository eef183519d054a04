import { createContext, use } from 'react'
import type { Session } from '../api/session.ts'

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession needs somebody who is signed in')
  return session
}

export function useHasRole(role: string): boolean {
  return useSession().principal.roles.includes(role)
}
