import { type AutomaticPause, automaticPauses } from './next-step.ts'

export const pauseCodes = [...automaticPauses, 'ByPrincipal'] as const

/** Why a rollout is paused: by itself, or by a principal with a name. */
export type Pause = AutomaticPause | ManualPause

export type ManualPause = { code: 'ByPrincipal'; by: string; reason: string | null; atUtc: string | null }

/** The reason as a sentence. */
export function describePause(pause: Pause): string {
  if (pause.code === 'ByPrincipal') return `${pause.by} paused it${pause.reason ? `: ${pause.reason}` : ''}.`
  const since = pause.sinceUtc ? 'Since it was resumed: ' : ''
  const retried = pause.retried ? ` Of these, ${pause.retried} will be retried after the pause.` : ''
  return `${since}${describeLimit(pause)}${retried}`
}

function describeLimit({ code, computers, limit, ring, exitCode, error }: AutomaticPause): string {
  const many = computers === 1 ? '1 computer' : `${computers} computers`
  if (code === 'Failures') return `${many} of ring ${ring} failed; at most ${limit} may fail.`
  if (code === 'SilentAgents') return `${many} fell silent after they got work; the limit is ${limit}.`
  if (code === 'MoreThanExpected')
    return `It has ${many}; ${limit} were expected within a day. Look at ring ${ring}, then resume it or cancel it.`
  if (code === 'Removals')
    return `It removes software from ${many}; more than ${limit} within a day need an approval. Resume it to request one.`
  if (code === 'BootFailures') return `${many} did not start again as they should; the limit is ${limit}.`
  return `${many} failed with the same ${exitCode === null ? `error, "${error}"` : `exit code, ${exitCode}`}; the limit is ${limit}.`
}
