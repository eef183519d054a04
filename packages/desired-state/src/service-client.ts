import { createMusterClient, isProblem, isSecureAddress } from '@muster/client'
import { CatalogCommandError } from './catalog-command-error.ts'
import { describeProblem } from './describe-problem.ts'

export type CallService = <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<T>

/** What this needs of the client of the API. */
type Caller = { address: string; send(request: Request): Promise<Response> }

/** Returns the function that calls the service as the principal of the environment. */
export function connectToService(env: NodeJS.ProcessEnv, insecure = false): CallService {
  const { MUSTER_CLIENT_ID: clientId, MUSTER_CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) throw new CatalogCommandError('Set MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET.')
  const address = env.MUSTER_URL
  // No address is a good guess: anyone on this computer could listen there, and would get the secret.
  if (!address) throw new CatalogCommandError('Set MUSTER_URL to the address of the service, which gets the secret.')
  try {
    return callsThrough(createMusterClient({ address, credentials: { clientId, clientSecret }, insecure, retry }))
  } catch (error) {
    throw isProblem(error)
      ? new CatalogCommandError(`${error.message.replace(/\.$/, '')}, or --insecure for a test.`)
      : error
  }
}

/** The warning about a connection that is not encrypted. */
export function findInsecureWarning(address: string | undefined): string | undefined {
  if (address === undefined || isSecureAddress(new URL(address))) return undefined
  return `Warning: ${address} is not encrypted. Everybody in the network can read and change what is sent.`
}

/** A pipeline should learn soon that the address is wrong, and survive the restart of a node. */
const retry = { deadlineMs: 20_000 }

/** Returns the function that calls the service with a client. Its errors list what the service refused. */
export function callsThrough(client: Caller): CallService {
  return async <T>(method: string, path: string, body?: unknown) => {
    const content = body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }
    const request = new Request(new URL(path, client.address), { method, ...content })
    const response = await client.send(request).catch((error: unknown) => {
      throw isProblem(error) ? new CatalogCommandError(describeProblem(error), { cause: error }) : error
    })
    return (await response.json().catch((error: unknown) => {
      throw isProblem(error) || error instanceof SyntaxError ? new CatalogCommandError(error.message) : error
    })) as T
  }
}
