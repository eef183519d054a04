import { messageOf } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'
import type { SourceAnswer } from '../platform/reports.ts'
import { collectSections, type Section } from './collect.ts'

export type SectionOutcome = { name: string; section: Section | undefined; error: string | null }

/** Collects the inventory, and what each of its sources has answered. */
export async function collectWithSources(
  platform: Pick<Platform, 'inventory'>,
): Promise<{ answers: SourceAnswer[]; outcomes: SectionOutcome[] }> {
  const answers: SourceAnswer[] = []
  const errors = new Map<string, string>()
  const collectors = platform.inventory((answer) => answers.push(answer))
  const sections = await collectSections(collectors, (name, error) => {
    errors.set(name, messageOf(error))
  })
  const outcomes = Object.keys(collectors).map((name) => ({
    name,
    section: sections[name],
    error: errors.get(name) ?? null,
  }))
  return { answers, outcomes }
}
