import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import { unauthorized } from '../platform/general-problems.ts'
import { noContent, operation } from '../platform/operation.ts'

export const signOut = operation({
  id: 'signOut',
  route: 'DELETE /admin/session',
  summary: 'End the session',
  role: 'any valid token',
  returns: noContent,
  problems: [unauthorized],
  async handle({ caller, db, services, request, setHeader }) {
    const token = sessionCookie.read(request)
    if (!caller.session || token === undefined) throw unauthorized()
    await services.sessions.end(db, token)
    setHeader('set-cookie', sessionCookie.clear(request))
  },
})
