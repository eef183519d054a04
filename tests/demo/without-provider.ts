/** Values of answers that need an identity provider. */
export const unseenProviderValues = [
  'OidcLoginProvider.displayName',
  'OidcLoginProvider.name',
  'PrincipalDto.lastUsedUtc',
  'PrincipalKind=client',
  'PrincipalKind=user',
  'SignInProvider.audience',
  'SignInProvider.clientId',
  'SignInProvider.displayName',
  'SignInProvider.issuer',
  'SignInProvider.name',
  'SignInProvider.parameters',
  'SignInProvider.scopes',
  'WhoAmI.kind=client',
  'WhoAmI.kind=user',
]
