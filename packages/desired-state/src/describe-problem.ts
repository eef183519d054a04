import type { MusterProblem } from '@muster/client'
import { formatCount } from './format-count.ts'
import type { StatePlaces } from './state-places.ts'

type Details = {
  blockers?: { section: string; name: string; blockers: string[] }[]
  changes?: { section: string; action: string; name: string }[]
  failed?: { section: string; name: string; detail: string }
  applied?: number
}

/** What the service refused, as lines. */
export function describeProblem(problem: MusterProblem, places?: StatePlaces): string[] {
  const { message, status, code, details } = problem
  if (code === 'PayloadTooLarge')
    return ['The document is larger than the service accepts in one request: it needs a higher MUSTER_BODY_LIMIT.']
  const { failed, applied } = details as Details
  const [blockers, changes] = [listOf((details as Details).blockers), listOf((details as Details).changes)]
  const placed = places ? listMistakes(problem, places) : []
  const line = (section: string, name: string, text: string) =>
    `  ${[...(places?.ofObject(section, name) ?? []), `${section} ${name}`, text].join(': ')}`
  return [
    ...(placed.length > 0 ? placed : [message || String(status)]),
    ...blockers.map(({ section, name, blockers: reasons }) => line(section, name, reasons.join(', '))),
    ...changes.map(({ action, section, name }) => `  ${action} ${section} ${name}`),
    ...(failed
      ? [line(failed.section, failed.name, failed.detail), `  Made before it: ${formatCount(applied ?? 0, 'change')}.`]
      : []),
  ]
}

/** The mistakes in the files that the service found, each with its place. */
export function listMistakes({ errors }: Pick<MusterProblem, 'errors'>, places: StatePlaces): string[] {
  return errors.flatMap(({ name, reason }) => describeMistake(places, name, reason))
}

/** A service may send anything. */
const listOf = <T>(list: T[] | undefined): T[] => (Array.isArray(list) ? list : [])

/** A mistake in the files, with its place; for what is listed twice, with all its places. */
function describeMistake(places: StatePlaces, property: string, reason: string): string[] {
  const found = places.ofProperty(property)
  if (!found) return []
  const [, repeated] = /^contains '(.*)' twice$/.exec(reason) ?? []
  const several = repeated === undefined ? [] : places.ofObject(property.split('.')[1] ?? '', repeated)
  return [`${several.length > 0 ? several.join(' and ') : found.place}: '${found.name}' ${reason}`]
}
