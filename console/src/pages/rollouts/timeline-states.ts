import type { components } from '../../api/types.ts'
import type { OutcomePart } from '../../components/outcome-bar.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import type { RolloutTexts } from '../../texts/rollout-texts.ts'

export type TimelineEntry = components['schemas']['TimelineEntry']
export type TimelineState = TimelineEntry['state']

export type TimelineQuery = {
  state: TimelineState[]
  kind?: TimelineEntry['kind'][]
  groupId?: string
  mine?: boolean
  singleComputers?: boolean
}

export const timelineStates = ['Running', 'Paused', 'Failed', 'Finished', 'Cancelled'] as const
export const timelineKinds = [
  'Rollout',
  'Activation',
  'Uninstall',
  'Reinstall',
  'Rescan',
  'Reboot',
  'Remediation',
  'Trial',
] as const

export const openStates: TimelineState[] = ['Running', 'Paused']
export const endedStates: TimelineState[] = ['Failed', 'Finished', 'Cancelled']

export const kindOfState: Record<TimelineState, StatusKind> = {
  Running: 'running',
  Paused: 'warning',
  Failed: 'bad',
  Finished: 'good',
  Cancelled: 'neutral',
}

export function addressOf({ kind, id }: TimelineEntry): string {
  return kind === 'Rollout' ? `/rollouts/${id}` : `/tasks/${id}`
}

export function titleOf({ kind, name, packageName, groupPath, hostname }: TimelineEntry, texts: RolloutTexts) {
  if (kind === 'Rollout') return name ?? texts.kinds.Rollout
  return texts.taskTitle(texts.kinds[kind], packageName ?? hostname ?? groupPath ?? null)
}

/** The progress of a rollout or a task as the parts of a bar. */
export function outcomeParts(
  counts: Pick<TimelineEntry, 'open' | 'succeeded' | 'failed' | 'cancelled'> &
    Partial<Pick<TimelineEntry, 'retrying' | 'nothingDue'>>,
  results: RolloutTexts['results'],
): OutcomePart[] {
  const retrying = counts.retrying ?? 0
  return [
    { kind: 'good', value: counts.succeeded, label: results.succeeded },
    { kind: 'bad', value: counts.failed, label: results.failed },
    { kind: 'warning', value: retrying, label: results.retrying },
    { kind: 'warning', value: counts.cancelled, label: results.cancelled },
    { kind: 'neutral', value: counts.open - retrying, label: results.pending },
    { kind: 'neutral', value: counts.nothingDue ?? 0, label: results.nothingDue },
  ]
}
