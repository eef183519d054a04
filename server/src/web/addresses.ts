import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../platform/configuration.ts'
import { publicOriginOf } from '../platform/http/public-origin.ts'

export const startPage = '/'
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
export function publicAddress(configuration: Configuration, request: FastifyRequest, path: string): URL {
  return new URL(`${publicOriginOf(configuration, request)}${path}`)
}
