import { readableCause } from '@muster/text'
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

/**
 * What a wave removes that needs an approval. The setting of a group counts its computers within a day, and the quota of programs
 * those of all groups within an hour.
 */
export function describeRemovals({ computers, limit, withinHours }: AutomaticPause): string {
  const allowed = withinHours === 1 ? `the quota of ${limit} within an hour in all groups` : `${limit} within a day`
  return `removes software from ${formatComputers(computers)}; more than ${allowed} need an approval`
}

const formatComputers = (count: number) => (count === 1 ? '1 computer' : `${count} computers`)

function describeLimit(pause: AutomaticPause): string {
  const { code, computers, limit, ring, exitCode, error } = pause
  const many = formatComputers(computers)
  if (code === 'Failures') return `${many} of ring ${ring} failed; at most ${limit} may fail.`
  if (code === 'SilentAgents') return `${many} fell silent after they got work; the limit is ${limit}.`
  if (code === 'MoreThanExpected')
    return `It has ${many}; ${limit} were expected within a day. Look at ring ${ring}, then resume it or cancel it.`
  if (code === 'Removals') return `It ${describeRemovals(pause)}. Resume it to request one.`
  if (code === 'BootFailures') return `${many} did not start again as they should; the limit is ${limit}.`
  return `${many} failed with the same ${exitCode === null ? `error, "${readableCause(error ?? '')}"` : `exit code, ${exitCode}`}; the limit is ${limit}.`
}
