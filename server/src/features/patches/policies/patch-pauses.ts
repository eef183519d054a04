/** Why the service pauses a patch of a policy with rings. */
export const automaticPatchPauses = ['Failures', 'SilentAgents', 'FailedDeployments'] as const

export const patchPauseCodes = [...automaticPatchPauses, 'ByPrincipal'] as const

export type AutomaticPatchPause = {
  code: (typeof automaticPatchPauses)[number]
  /** Null: in all rings that are open. */
  ring: number | null
  computers: number
  /** Of how many. */
  total: number
  limit: number
  /** The last resume, after which the computers are counted; null: never. */
  sinceUtc: string | null
}

/** Paused by the service, or by a principal with a name. */
export type PatchPause = AutomaticPatchPause | { code: 'ByPrincipal'; by: string; reason: string | null }

/** The reason as a sentence. */
export function describePatchPause(pause: PatchPause): string {
  if (pause.code === 'ByPrincipal') return withReason(`${pause.by} paused it`, pause.reason)
  const { code, ring, computers, total, limit, sinceUtc } = pause
  const since = sinceUtc ? 'Since it was resumed: ' : ''
  const many = `${computers} of ${total} computers`
  if (code === 'Failures') return `${since}${many} of ring ${ring} failed to install it; at most ${limit} may fail.`
  return code === 'SilentAgents'
    ? `${since}${many} that installed it fell silent after it; the limit is ${limit}.`
    : `${since}${many} that installed it have failed deployments since; the limit is ${limit}.`
}

/** The end of a sentence about what a person did, with the reason that the person gave. */
export const withReason = (sentence: string, reason: string | null) =>
  reason ? `${sentence}: ${reason.replace(/[.\s]+$/, '')}.` : `${sentence}.`
