import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../platform/general-problems.ts'

export const startPage = '/admin/'
const signInPage = '/admin/sign-in'
export const signedOutPage = `${signInPage}?signedOut=1`

/** Why a sign-in failed. The sign-in page shows a text for each. */
export type SignInError =
  | 'AdministratorRequired'
  | 'ProviderRefused'
  | 'ProviderUnavailable'
  | 'SignInExpired'
  | 'TooManyRequests'
  | 'UnknownUser'

export const signInErrorPage = (error: SignInError) => `${signInPage}?error=${error}`

/** The URL of a path as the browser sees it. Redirect URLs at the provider must be equal to it. */
export function publicAddress({ protocol, host }: FastifyRequest, path: string): URL {
  const address = `${protocol}://${host}${path}`
  if (!URL.canParse(address)) throw invalidRequest({ detail: 'The header Host is not valid.' })
  return new URL(address)
}
