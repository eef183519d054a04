import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import type { Services } from '../platform/services.ts'

const signedOut = '/admin/sign-in?signedOut=1'

/** Ends the session, if there is one. */
export function addLogOut(app: FastifyInstance, db: Database, { sessions }: Services): void {
  app.get('/admin/logout', { exposeHeadRoute: false }, async (request, reply) => {
    const token = sessionCookie.read(request)
    if (token !== undefined) await sessions.end(db, token)
    return reply.header('set-cookie', sessionCookie.clear(request)).redirect(signedOut)
  })
}
