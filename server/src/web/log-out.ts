import type { FastifyInstance, FastifyRequest } from 'fastify'
import { buildEndSessionUrl } from 'openid-client'
import type { Database } from '../database/connect.ts'
import { isForeignNavigation } from '../platform/authentication/cross-site-requests.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import type { EndedSession } from '../platform/authentication/sessions.ts'
import type { Services } from '../platform/services.ts'
import { publicAddress, signedOutPage, startPage } from './addresses.ts'
import { endSession } from './session-life.ts'

/** Adds the page that ends the session here and, by a redirect, at the identity provider. */
export function addLogOut(app: FastifyInstance, db: Database, services: Services): void {
  app.get('/admin/logout', { exposeHeadRoute: false }, async (request, reply) => {
    // Other sites must not sign people out. A person who follows a link to here can do so on the page.
    if (isForeignNavigation(request)) return reply.redirect(startPage)
    const ended = await endSession(db, services, request)
    reply.header('set-cookie', sessionCookie.clear(request))
    return reply.redirect((ended && (await findProviderLogOutUrl(services, request, ended))) ?? signedOutPage)
  })
}

/** The URL that ends the session at the provider; undefined if the provider has none or cannot be reached. */
async function findProviderLogOutUrl(
  { identityProviders, configuration: settings }: Services,
  request: FastifyRequest,
  { provider, idToken }: EndedSession,
): Promise<string | undefined> {
  const configuration = await identityProviders
    .get(provider ?? '')
    ?.discover()
    .catch(() => undefined)
  if (!configuration?.serverMetadata().end_session_endpoint) return undefined
  return buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: publicAddress(settings, request, signedOutPage).href,
    ...(idToken !== undefined && { id_token_hint: idToken }),
  }).href
}
