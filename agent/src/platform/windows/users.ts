import type { Users } from '../machine.ts'
import { listSessions, showMessage } from './win32/sessions.ts'

export const users: Users = {
  loggedOn: async () => listSessions()[0]?.user ?? null,
  notify(message) {
    for (const { id, isActive } of listSessions()) if (isActive) showMessage(id, 'Muster', message)
  },
  // Only a process in the session of the user can ask for it, and a service is in another one.
  isPresenting: async () => false,
}
