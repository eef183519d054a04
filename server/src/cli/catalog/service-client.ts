/** An error that the operator can fix. */
export class CatalogCommandError extends Error {}

export type CallService = <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<T>

type ProblemAnswer = {
  detail?: string
  error_description?: string
  blockers?: { name: string; blockers: string[] }[]
  changes?: { section: string; action: string; name: string }[]
  failed?: { section: string; name: string; detail: string }
  applied?: number
}

/** Returns the function that calls the service as the principal of the environment. */
export async function connectToService(env: NodeJS.ProcessEnv): Promise<CallService> {
  const url = env.MUSTER_URL ?? 'http://127.0.0.1:5057'
  const { MUSTER_CLIENT_ID: id, MUSTER_CLIENT_SECRET: secret } = env
  if (!id || !secret) throw new CatalogCommandError('Set MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET.')
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const token = (await send(url, '/api/auth/token', { method: 'POST', body: new URLSearchParams(form) })) as {
    access_token: string
  }
  return async <T>(method: string, path: string, body?: unknown) =>
    (await send(url, path, {
      method,
      headers: {
        authorization: `Bearer ${token.access_token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })) as T
}

async function send(url: string, path: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(new URL(path, url), request).catch((error: Error) => {
    throw new CatalogCommandError(
      `Cannot reach ${url}: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    )
  })
  const answer: unknown = await response.json()
  if (response.ok) return answer
  throw new CatalogCommandError(describeProblem(answer as ProblemAnswer, response.status))
}

function describeProblem(problem: ProblemAnswer, status: number): string {
  const { blockers = [], changes = [], failed, applied } = problem
  return [
    problem.detail ?? problem.error_description ?? String(status),
    ...blockers.map((change) => `  ${change.name}: ${change.blockers.join(', ')}`),
    ...changes.map(({ action, section, name }) => `  ${action} ${section} ${name}`),
    ...(failed
      ? [`  ${failed.section} ${failed.name}: ${failed.detail}`, `  ${applied} changes were made before it.`]
      : []),
  ].join('\n')
}
