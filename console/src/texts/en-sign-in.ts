const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

export const enSignIn = {
  title: 'Sign in',
  intro: 'Manage who may use the API.',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  showSecret: 'Show or hide secret',
  submit: 'Sign in',
  withProvider: (name: string) => `Sign in with ${name}`,
  or: 'or as a local administrator',
  nothingOffered: 'No sign-in method is enabled in the configuration of this service.',
  signedOut: 'You are signed out.',
  errors: {
    UnknownUser: 'The identity provider knows you, but Muster does not. An administrator must add you as a principal.',
    AdministratorRequired: 'Muster knows you, but the console requires the role admin.manage, which you do not have.',
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
}
