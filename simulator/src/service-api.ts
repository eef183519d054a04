import { answerOf, createMusterClient, isProblem, type MusterClient } from '@muster/client'
import { ExpectedError } from './expected-error.ts'

type Access = { server: string; apiToken: string | undefined; isInsecure: boolean }

/** A person waits for the start of the simulation, so a service that does not answer is reported soon. */
const retry = { deadlineMs: 10_000 }

/** The API as the person who runs the simulator may use it: with an access token, or as the principal of the environment. */
export function connectToApi(
  { server: address, apiToken, isInsecure: insecure }: Access,
  env: NodeJS.ProcessEnv,
): MusterClient | undefined {
  const { MUSTER_CLIENT_ID: clientId, MUSTER_CLIENT_SECRET: clientSecret } = env
  if (apiToken) return createMusterClient({ address, credentials: { accessToken: apiToken }, insecure, retry })
  if (!clientId || !clientSecret) return undefined
  return createMusterClient({ address, credentials: { clientId, clientSecret }, insecure, retry })
}

const dayMs = 86_400_000

/** Creates an enrolment token for the computers of a run. */
export async function createEnrolmentToken(client: MusterClient, computers: number): Promise<string> {
  const expiresAtUtc = new Date(Date.now() + dayMs).toISOString()
  const body = { description: `Simulator, ${computers} computers`, groupId: null, maxUses: null, expiresAtUtc }
  const { token } = await answerOf(client.POST('/api/enrolment-tokens', { body })).catch((error: unknown) => {
    throw isProblem(error) ? new ExpectedError(`No enrolment token could be created: ${error.message}`) : error
  })
  return token
}
