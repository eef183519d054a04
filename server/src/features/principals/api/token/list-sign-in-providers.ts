import { ok, operation } from '../../../../platform/operation.ts'
import { Type } from '../../../../platform/schema.ts'
import { toSignInProviders } from '../../sign-in-methods.ts'
import { SignInProvider } from '../schemas.ts'

export const listSignInProviders = operation({
  id: 'listSignInProviders',
  route: 'GET /auth/providers',
  summary: 'List the identity providers at which people can sign in with the command line',
  description:
    'Contains the providers with a `commandLine` in their configuration. A program gets an access token from such a provider, ' +
    'with the device flow (RFC 8628) or in a browser (RFC 8252), and uses it like a token of `/api/auth/token`. The operation ' +
    'is outside of `/api`, where only the request for a token is answered without one.',
  role: 'no token',
  extension: true,
  returns: ok(Type.Array(SignInProvider)),
  handle: async ({ services }) => toSignInProviders(services.configuration),
})
