import { isDeepStrictEqual } from 'node:util'
import { visibleLines } from '@muster/text'
import { CommandFailure, UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import type { ProviderSignIn } from './credentials-file.ts'
import type { ProviderRequest } from './provider-choice.ts'

type Terms = Pick<ProviderRequest, 'issuer' | 'clientId' | 'scope' | 'audience' | 'parameters'>

/**
 * The service chooses the provider and what is requested there, and then gets the token. So a person confirms it once, and again
 * whenever the service changes it.
 */
export async function confirmProvider(
  { ask, note }: Terminal,
  address: string,
  request: ProviderRequest,
  remembered: ProviderSignIn | undefined,
): Promise<void> {
  if (remembered && isDeepStrictEqual(termsOf(remembered), termsOf(request))) return
  const change = remembered
    ? [`The sign-in of ${address} has changed. Until now:`, ...describeTerms(termsOf(remembered)), 'From now on:']
    : [`${address} wants you to sign in at an identity provider, and gets the access token:`]
  const lines = [...change, ...describeTerms(termsOf(request))]
  if (!ask)
    throw new UsageError([
      ...lines,
      'Nobody can confirm that here. Repeat the command on a terminal, or name what you expect with --issuer, --client-id, ' +
        '--audience and --scope.',
    ])
  note(`${visibleLines(lines)}\n`)
  const answer = await ask('Sign in there? Type yes to continue: ')
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure('Not signed in.')
}

const termsOf = ({ issuer, clientId, scope = '', audience, parameters = {} }: ProviderSignIn | Terms): Terms => ({
  ...{ issuer, clientId, scope, audience, parameters },
})

function describeTerms({ issuer, clientId, scope, audience, parameters }: Terms): string[] {
  const others = Object.entries(parameters).filter(([, value]) => value !== audience)
  return [
    ['Issuer', issuer],
    ...encodedHost(issuer),
    ['Client', clientId],
    ['Audience', audience ?? 'unknown'],
    ['Scopes', scope],
    ...others,
  ].map(([title = '', value = '']) => `  ${title.padEnd(10)}${value}`)
}

/** Letters beyond ASCII can look like others: the encoded form (`xn--…`) shows that the host is another one. */
function encodedHost(issuer: string): string[][] {
  const host = URL.parse(issuer)?.host
  return host === undefined || /^[\x20-\x7e]*$/.test(issuer) ? [] : [['Host', host]]
}
