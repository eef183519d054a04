import { importJWK, SignJWT } from 'jose'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { deletePrincipal } from '../../src/features/principals/api/delete-principal.ts'
import { updatePrincipal } from '../../src/features/principals/api/update-principal.ts'
import { insertSignInLink } from '../../src/features/principals/sign-in-links.ts'
import { browser } from '../web/browser.ts'
import { apiAudience, type TestProvider } from '../world/identity-provider.ts'
import type { Opened, RevocationWorld } from './revocation-world.ts'

const reader = { roles: ['computer.read'], lost: 'computer.read' } as const

/** What a principal proves itself with, and what it gets for that. */
export function signIns(
  { administrator, app, db, given, openedBy, withToken }: RevocationWorld,
  provider: TestProvider,
) {
  const { issuer } = provider

  /** A token for the person, as the provider issues it also for a refresh token and at the end of a device flow. */
  async function providerToken(subject: string): Promise<string> {
    const { kid = '', alg = '' } = provider.signingKey
    return new SignJWT({ iss: issuer, aud: apiAudience, sub: subject, client_id: 'muster-cli' })
      .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
      .setExpirationTime('10 minutes')
      .sign(await importJWK(provider.signingKey))
  }

  const isAccepted = async (token: string) => (await withToken(token).call(listComputers)).status === 200

  async function person() {
    const { id, subjectId } = await given.identityPrincipal({ issuer, roles: ['computer.read'] })
    const remove = () => administrator.call(deletePrincipal, { params: { id } })
    const none = () => Promise.reject(new Error('Muster knows no such change.'))
    const changes = {
      revoked: remove,
      deleted: remove,
      roleLost: () =>
        administrator.call(updatePrincipal, { params: { id }, body: { displayName: null, issuer, roles: [] } }),
      expired: none,
      secretReplaced: none,
    }
    return { subjectId, change: (change: keyof typeof changes) => changes[change]() }
  }

  return {
    accessToken: () =>
      openedBy(reader, async (opener) => async () => (await opener.call(listComputers)).status === 200),

    session: () =>
      openedBy(reader, async (opener) => {
        const visitor = browser(app)
        await visitor.signIn(opener)
        return async () => (await visitor.call(listComputers)).statusCode === 200
      }),

    signInLink: () =>
      openedBy(reader, async ({ id }) => {
        const token = await insertSignInLink(db, app.services.keys, id)
        return async () => {
          const headers = { host: '127.0.0.1:5057', origin: 'http://127.0.0.1:5057' }
          const link = { method: 'POST', url: '/admin/session/link', headers, payload: { token } } as const
          return (await browser(app).send(link)).statusCode === 200
        }
      }),

    async providerToken() {
      const { subjectId, change } = await person()
      const token = await providerToken(subjectId)
      return { change, continues: () => isAccepted(token) }
    },

    async refreshToken() {
      const { subjectId, change } = await person()
      return { change, continues: async () => isAccepted(await providerToken(subjectId)) }
    },
  } satisfies Record<string, () => Promise<Opened>>
}
