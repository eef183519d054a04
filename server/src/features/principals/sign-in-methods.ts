import type { Configuration } from '../../platform/configuration.ts'

/** The methods by which people can sign in to the console. */
export function toSignInMethods({ localSignIn, identityProviders }: Configuration) {
  return {
    idpEnabled: identityProviders.length > 0,
    localAdminEnabled: localSignIn,
    oidcLoginProviders: identityProviders.map(({ name, displayName }) => ({ name, displayName })),
  }
}

/** How people can sign in with the command line. Nothing of it is secret: the client is public. */
export function toSignInProviders({ identityProviders }: Configuration) {
  return identityProviders.flatMap(({ name, displayName, issuer, audience, commandLine }) =>
    commandLine && audience !== undefined
      ? [{ name, displayName, issuer, audience, ...commandLine, scopes: [...commandLine.scopes] }]
      : [],
  )
}
