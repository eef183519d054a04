const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

export const enSignIn = {
  title: 'Sign in',
  intro: 'See and manage your computers.',
  byLink: 'Signing in with the link …',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  showSecret: 'Show or hide secret',
  submit: 'Sign in',
  withProvider: (name: string) => `Sign in with ${name}`,
  or: 'or with client ID and secret',
  nothingOffered: 'No sign-in method is enabled in the configuration of this service.',
  signedOut: 'You are signed out.',
  errors: {
    UnknownUser: 'The identity provider knows you, but Muster does not. An administrator must add you as a principal.',
    RoleRequired: 'Muster knows you, but you have no role yet. An administrator must assign one.',
    SignInLinkInvalid:
      'This link was used before or is more than ten minutes old. npm run admin -- link prints another.',
    SignInLinkNotLocal:
      'Over plain HTTP, sign-in links work only in a browser on the machine of the service, without a proxy.',
    ProviderRefused: 'The identity provider refused to sign you in.',
    ProviderUnavailable: 'The identity provider is currently unavailable. Try again later.',
    TooManyRequests: 'Too many sign-in attempts. Wait a minute and try again.',
    SignInExpired: 'Signing in took too long or was started in another window. Start again.',
    InvalidCredentials: 'Wrong client ID or secret, or the principal is revoked or expired.',
  },
  unknownError: (code: string) => `Sign-in failed (${code}).`,
  tooManyAttempts: (seconds: number) => `Too many attempts. Try again in ${count(seconds, 'second', 'seconds')}.`,
  againTitle: 'Your session has ended',
  againText: 'Sign in again to continue where you left off. Your input is still here.',
  againElsewhere: (name: string) => `Sign in with ${name} in a new window`,
  leave: 'Go to sign-in page',
  /** For an administrator who has no other role. */
  ownRoles: {
    title: 'Get access to the fleet',
    text: 'You may manage principals, but neither see nor change computers. As an administrator, you can grant yourself the other roles. The audit trail shows it.',
    review: 'Review the roles',
    grant: 'Grant me these roles',
    describe: (name: string, count: number) => `${name} gets ${count} ${count === 1 ? 'role' : 'roles'}, at once.`,
    done: 'You have all roles now.',
  },
}
