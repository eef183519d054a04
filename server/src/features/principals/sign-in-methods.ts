import type { Configuration } from '../../platform/configuration.ts'

/** How people can sign in to the pages of this installation. */
export function signInMethods({ localSignIn, identityProviders }: Configuration) {
  return {
    idpEnabled: identityProviders.length > 0,
    localAdminEnabled: localSignIn,
    oidcLoginProviders: identityProviders.map(({ name, displayName }) => ({ name, displayName })),
  }
}
