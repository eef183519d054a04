import type { Configuration } from '../../platform/configuration.ts'

/** The methods by which people can sign in to the console. */
export function toSignInMethods({ localSignIn, identityProviders }: Configuration) {
  return {
    idpEnabled: identityProviders.length > 0,
    localAdminEnabled: localSignIn,
    oidcLoginProviders: identityProviders.map(({ name, displayName }) => ({ name, displayName })),
  }
}
